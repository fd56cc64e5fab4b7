/* "layered-large": many ops in layers whose costs and sizes spread over orders of magnitude, as in
 * real networks. A benchmark of speed at any number of ops. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "graph/generate_edges.h"
#include "graph/generate_random.h"
#include "graph/generator.h"

enum { OPS, TICK };

static const regal_generator_parameter parameters[] = {
    {"ops", "number of ops", 1000, 1, REGAL_GENERATOR_OPS_GREATEST},
    {"tick", "nanoseconds of a tick", 1, 1, 100}};

typedef struct layer_sketch {
    regal_graph *graph;
    regal_random random;
    regal_edge_list edges;
    int64_t op_count, tick;
    int64_t *bytes; /* [op_count] */
    int64_t *start; /* [op_count + 1] first op of each layer */
} layer_sketch;

/* e^0..e^spread, evenly on the logarithmic scale. */
static double draw_spread(regal_random *random, double spread) {
    return regal_fixed_exp(regal_random_unit(random) * spread);
}

/* The next op, with 1..4 inputs from the layer before or, for one in four, up to four before. */
static regal_status add_op(layer_sketch *sketch, int64_t v, int64_t layer) {
    regal_random *random = &sketch->random;
    const int64_t cost = (int64_t)(100 * draw_spread(random, 3.4)) * 100 / sketch->tick;
    sketch->bytes[v] = (int64_t)(1e5 * draw_spread(random, 4.0));
    const regal_op op = {.cost = &cost};
    REGAL_FORWARD(regal_graph_add_op(sketch->graph, &op, NULL));
    const int64_t inputs = layer > 0 ? 1 + (int64_t)(regal_random_unit(random) * 3.5) : 0;
    for (int64_t k = 0; k < inputs; ++k) {
        const bool near = regal_random_unit(random) < 0.75;
        const int64_t back = near ? 1 : 1 + (int64_t)(regal_random_unit(random) * 4);
        const int64_t from = layer > back ? layer - back : 0;
        const int64_t width = sketch->start[from + 1] - sketch->start[from];
        const int64_t input =
            sketch->start[from] + (int64_t)(regal_random_unit(random) * (double)width);
        REGAL_FORWARD(regal_edge_list_add(&sketch->edges, input, v));
    }
    return REGAL_OK;
}

static regal_status add_layers(layer_sketch *sketch) {
    const int64_t n = sketch->op_count;
    const int64_t half_width = (int64_t)(sqrt((double)n) * 0.8) + 2;
    int64_t made = 0;
    for (int64_t layer = 0; made < n; ++layer) {
        const double draw = regal_random_unit(&sketch->random) * 2 * (double)half_width;
        const int64_t width = 1 + (int64_t)draw;
        const int64_t end = made + width < n ? made + width : n;
        sketch->start[layer] = made;
        sketch->start[layer + 1] = end;
        for (; made < end; ++made)
            REGAL_FORWARD(add_op(sketch, made, layer));
    }
    return regal_edge_list_add_tensors(&sketch->edges, sketch->bytes, sketch->graph);
}

static regal_status make(const char *name, const double *values, uint64_t seed,
                         const regal_read_options *options, regal_graph **graph) {
    (void)options;
    static const char *const classes[] = {"default"};
    layer_sketch sketch = {
        .random = {seed}, .op_count = (int64_t)values[OPS], .tick = (int64_t)values[TICK]};
    sketch.bytes = regal_allocate(sketch.op_count, sizeof *sketch.bytes);
    sketch.start = regal_allocate(sketch.op_count + 1, sizeof *sketch.start);
    regal_status status = REGAL_OK;
    if (sketch.bytes == NULL || sketch.start == NULL)
        status = regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out");
    else
        status = regal_graph_create(name, 1, classes, graph);
    if (status == REGAL_OK) {
        sketch.graph = *graph;
        status = add_layers(&sketch);
    }
    regal_edge_list_free(&sketch.edges);
    free(sketch.bytes);
    free(sketch.start);
    return status;
}

const regal_generator regal_layered_large = {
    {"layered-large", "layers with costs and sizes as spread as in networks", parameters,
     sizeof parameters / sizeof *parameters},
    1 << OPS | 1 << TICK,
    true,
    make};

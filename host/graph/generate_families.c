/* The synthetic graphs of the REGAL paper (arXiv 1905.02494, section on the synthetic dataset):
 * 50 to 200 ops joined by a classic random graph, each edge turned from the earlier to the later op
 * of a random order; one tensor per op, of N(50, 10) bytes; an op's cost follows its bytes, with
 * noise. Beside the paper's four families one of layers, which look like a network, and one of
 * bands, which differ so much from one another that training on them transfers. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "graph/generate_edges.h"
#include "graph/generate_pairs.h"
#include "graph/generate_random.h"
#include "graph/generator.h"

/* The parameters that all families share come first. */
enum { OPS, COST_UNIT, SIZE_MEAN, SIZE_DEVIATION, COST_NOISE, OWN };

#define SHARED_PARAMETERS                                                                 \
    {"ops", "number of ops; 0: 50 to 200, drawn", 0, 0, REGAL_GENERATOR_OPS_GREATEST},    \
        {"cost_unit", "ticks per unit of cost", 1000, 1, 1e6},                            \
        {"size_mean", "mean bytes of a tensor, and units of cost of its op", 50, 1, 1e9}, \
        {"size_deviation", "standard deviation of the bytes", 10, 0, 1e9}, {              \
        "cost_noise", "standard deviation of an op's cost over its bytes", 0.15, 0, 10    \
    }
#define SHARED_WHOLE ((uint64_t)1 << OPS | (uint64_t)1 << COST_UNIT | (uint64_t)1 << SIZE_MEAN)

typedef struct family_sketch {
    int64_t op_count;
    const double *values;
    regal_random random;
    regal_edge_list edges;
} family_sketch;

/* Adds the family's edges between ops 0..op_count-1; op_count >= 1. */
typedef regal_status family_join(family_sketch *graph);

/* round(mean + deviation * z), at least 1, z a normal number, in fixed point. */
static int64_t draw_amount(regal_random *random, int64_t mean, double deviation) {
    __extension__ typedef __int128 int128;
    const int128 spread = (int128)(int64_t)(deviation * 65536) * regal_random_normal(random);
    const int128 half = (int128)1 << 47, amount = ((int128)mean << 48) + spread + half;
    return amount < ((int128)2 << 48) ? 1 : (int64_t)(amount >> 48);
}

static regal_status add_ops(family_sketch *sketch, regal_graph *graph) {
    const double *values = sketch->values;
    int64_t *bytes = regal_allocate(sketch->op_count, sizeof *bytes);
    REGAL_FAIL_IF_NULL(bytes);
    regal_status status = REGAL_OK;
    for (int64_t v = 0; v < sketch->op_count && status == REGAL_OK; ++v) {
        bytes[v] = draw_amount(&sketch->random, (int64_t)values[SIZE_MEAN], values[SIZE_DEVIATION]);
        const double noise = values[COST_NOISE] * (double)bytes[v];
        const int64_t cost =
            draw_amount(&sketch->random, bytes[v], noise) * (int64_t)values[COST_UNIT];
        const regal_op op = {.cost = &cost};
        status = regal_graph_add_op(graph, &op, NULL);
    }
    if (status == REGAL_OK)
        status = regal_edge_list_add_tensors(&sketch->edges, bytes, graph);
    free(bytes);
    return status;
}

/* Turns the edges along a random order of the ops. */
static regal_status orient(family_sketch *sketch) {
    int64_t *position = regal_allocate(sketch->op_count, sizeof *position);
    REGAL_FAIL_IF_NULL(position);
    for (int64_t v = 0; v < sketch->op_count; ++v)
        position[v] = v;
    for (int64_t v = sketch->op_count - 1; v > 0; --v) {
        const int64_t other = regal_random_below(&sketch->random, v + 1), kept = position[v];
        position[v] = position[other];
        position[other] = kept;
    }
    regal_edge_list_orient(&sketch->edges, position);
    free(position);
    return REGAL_OK;
}

static regal_status make(const char *name, const double *values, uint64_t seed, uint64_t family,
                         family_join *join, bool turn, regal_graph **graph) {
    static const char *const classes[] = {"default"};
    family_sketch sketch = {.values = values, .random = {seed}};
    sketch.random.state = regal_random_next(&sketch.random) ^ family;
    const int64_t drawn = 50 + regal_random_below(&sketch.random, 151);
    sketch.op_count = values[OPS] > 0 ? (int64_t)values[OPS] : drawn;
    regal_status status = join(&sketch);
    if (status == REGAL_OK && turn)
        status = orient(&sketch);
    if (status == REGAL_OK)
        status = regal_graph_create(name, 1, classes, graph);
    if (status == REGAL_OK)
        status = add_ops(&sketch, *graph);
    regal_edge_list_free(&sketch.edges);
    return status;
}

#define FAMILY(symbol, number, word, line, join, turn, whole)                                   \
    static regal_status make_##symbol(const char *name, const double *values, uint64_t seed,    \
                                      const regal_read_options *options, regal_graph **graph) { \
        (void)options;                                                                          \
        return make(name, values, seed, number, join, turn, graph);                             \
    }                                                                                           \
    const regal_generator regal_##symbol = {                                                    \
        {word, line, symbol##_parameters,                                                       \
         sizeof symbol##_parameters / sizeof *symbol##_parameters},                             \
        SHARED_WHOLE | (uint64_t)(whole) << OWN,                                                \
        true,                                                                                   \
        make_##symbol};

/* Erdos and Renyi (1959): each pair is an edge with the same probability. */
static const regal_generator_parameter erdos_renyi_parameters[] = {
    SHARED_PARAMETERS,
    {"edge_probability", "of each pair of ops; 0: 0.05 to 0.085, drawn", 0, 0, 1}};

static regal_status join_erdos_renyi(family_sketch *sketch) {
    const double drawn = (double)(50 + regal_random_below(&sketch->random, 36)) / 1000;
    const double given = sketch->values[OWN];
    return regal_join_within(&sketch->edges, &sketch->random, 0, sketch->op_count,
                             given > 0 ? given : drawn);
}
FAMILY(erdos_renyi, 1, "erdos-renyi", "random pairs of ops (synthetic, from the paper)",
       join_erdos_renyi, true, 0)

/* Watts and Strogatz (1998): a ring in which each op is joined to its nearest, then each edge is
 * given another end with some probability. */
static const regal_generator_parameter watts_strogatz_parameters[] = {
    SHARED_PARAMETERS,
    {"neighbours", "ops on each side that an op is joined to at first", 2, 1, 1000},
    {"rewiring", "probability that an edge gets another end", 0.3, 0, 1}};

static regal_status join_watts_strogatz(family_sketch *sketch) {
    return regal_join_small_world(&sketch->edges, &sketch->random, sketch->op_count,
                                  (int64_t)sketch->values[OWN], sketch->values[OWN + 1]);
}
FAMILY(watts_strogatz, 2, "watts-strogatz", "small world (synthetic, from the paper)",
       join_watts_strogatz, true, 1)

/* Barabasi and Albert (1999): each new op is joined to earlier ones, drawn by their degree. */
static const regal_generator_parameter barabasi_albert_parameters[] = {
    SHARED_PARAMETERS, {"edges", "earlier ops that each new op is joined to", 2, 1, 1000}};

static regal_status join_barabasi_albert(family_sketch *sketch) {
    return regal_join_preferentially(&sketch->edges, &sketch->random, sketch->op_count,
                                     (int64_t)sketch->values[OWN]);
}
FAMILY(barabasi_albert, 3, "barabasi-albert", "few hubs, many leaves (synthetic, from the paper)",
       join_barabasi_albert, true, 1)

/* Holland, Laskey and Leinhardt (1983): likely edges within a block, unlikely ones between. */
static const regal_generator_parameter stochastic_block_parameters[] = {
    SHARED_PARAMETERS,
    {"blocks", "number of blocks", 4, 1, 1000},
    {"inside", "probability of an edge within a block", 0.3, 0, 1},
    {"between", "probability of an edge between blocks", 0.001, 0, 1}};

static regal_status join_stochastic_block(family_sketch *sketch) {
    const int64_t n = sketch->op_count, blocks = (int64_t)sketch->values[OWN];
    const double inside = sketch->values[OWN + 1], between = sketch->values[OWN + 2];
    for (int64_t a = 0; a < blocks; ++a) {
        const int64_t begin = (a * n + blocks - 1) / blocks;
        const int64_t end = ((a + 1) * n + blocks - 1) / blocks;
        REGAL_FORWARD(
            regal_join_within(&sketch->edges, &sketch->random, begin, end - begin, inside));
        REGAL_FORWARD(regal_join_between(&sketch->edges, &sketch->random, begin, end - begin, end,
                                         n - end, between));
    }
    return REGAL_OK;
}
FAMILY(stochastic_block, 4, "stochastic-block", "dense blocks (synthetic, from the paper)",
       join_stochastic_block, true, 1)

/* Layers of random width; an op reads a few of the layer before, or of a slightly earlier one. Ops
 * are numbered along the edges. */
static const regal_generator_parameter layered_parameters[] = {
    SHARED_PARAMETERS,
    {"inputs", "most inputs of an op", 3, 1, 100},
    {"reach", "how many layers back an input may come from", 4, 1, 1000}};

static regal_status join_layer(family_sketch *sketch, const int64_t *start, int64_t layer) {
    const int64_t inputs = (int64_t)sketch->values[OWN], reach = (int64_t)sketch->values[OWN + 1];
    for (int64_t v = start[layer]; v < start[layer + 1]; ++v) {
        const int64_t count = 1 + regal_random_below(&sketch->random, inputs);
        for (int64_t k = 0; k < count; ++k) {
            const bool near = regal_random_chance(&sketch->random, 0.75);
            const int64_t back = near ? 1 : 1 + regal_random_below(&sketch->random, reach);
            const int64_t from = layer > back ? layer - back : 0;
            const int64_t width = start[from + 1] - start[from];
            REGAL_FORWARD(regal_edge_list_add(
                &sketch->edges, start[from] + regal_random_below(&sketch->random, width), v));
        }
    }
    return REGAL_OK;
}

static regal_status join_layered(family_sketch *sketch) {
    const int64_t n = sketch->op_count;
    const int64_t half_width = (int64_t)(sqrt((double)n) * 0.8) + 1;
    int64_t *start = regal_allocate(n + 1, sizeof *start);
    REGAL_FAIL_IF_NULL(start);
    regal_status status = REGAL_OK;
    start[0] = 0;
    for (int64_t layer = 0; start[layer] < n && status == REGAL_OK; ++layer) {
        const int64_t width = 1 + regal_random_below(&sketch->random, 2 * half_width);
        start[layer + 1] = start[layer] + width < n ? start[layer] + width : n;
        if (layer > 0)
            status = join_layer(sketch, start, layer);
    }
    free(start);
    return status;
}
FAMILY(layered, 5, "layered", "layers of random width (synthetic)", join_layered, false, 3)

/* An op is read by some of those that follow it closely: chains, trees and meshes of any width. Ops
 * are numbered along the edges. */
static const regal_generator_parameter banded_parameters[] = {
    SHARED_PARAMETERS,
    {"band", "how many ops on an op may be read; 0: 2 to ops / 6 + 3, drawn", 0, 0, 1e6},
    {"edges", "mean edges of an op, at most the band; 0: 1 to 3.5, drawn", 0, 0, 1000}};

static regal_status join_banded(family_sketch *sketch) {
    const int64_t drawn_band = 2 + regal_random_below(&sketch->random, sketch->op_count / 6 + 2);
    const double drawn_edges = (double)(1000 + regal_random_below(&sketch->random, 2501)) / 1000;
    const double given_band = sketch->values[OWN], given_edges = sketch->values[OWN + 1];
    const int64_t band = given_band > 0 ? (int64_t)given_band : drawn_band;
    const double probability = (given_edges > 0 ? given_edges : drawn_edges) / (double)band;
    return regal_join_band(&sketch->edges, &sketch->random, sketch->op_count, band,
                           probability < 1 ? probability : 1);
}
FAMILY(banded, 6, "banded", "each op read by some that follow it closely (synthetic)", join_banded,
       false, 1)

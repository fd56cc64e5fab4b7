/* "transformer-step": one training step of a transformer whose heads and feed-forward layers are
 * split into shards, over several microbatches, with round figures in place of shape formulas. A
 * benchmark of speed and search at any number of ops. Each op has one output tensor.
 *
 * All forward passes come first, then all backward ones, then an update for each weight. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "graph/generate_edges.h"
#include "graph/generator.h"

enum { OPS, LAYERS, MICROBATCHES, SHARDS, TICK };

static const regal_generator_parameter parameters[] = {
    {"ops", "wanted; up to 200, 1500, 15000 or more: one of four sizes", 1000, 1,
     REGAL_GENERATOR_OPS_GREATEST},
    {"layers", "transformer layers; 0: by ops", 0, 0, 1000},
    {"microbatches", "parts of the batch; 0: by ops", 0, 0, 1000},
    {"shards", "parts of a layer; 0: by ops", 0, 0, 64},
    {"tick", "nanoseconds of a tick", 1, 1, 100}};

enum { WEIGHT_GROUPS = 4 }; /* of a layer: feed-forward down and up, attention out and in */
static const char *const update_kinds[WEIGHT_GROUPS] = {"UpdateDown", "UpdateUp", "UpdateProject",
                                                        "UpdateInput"};

/* What the backward pass needs of one shard of one layer of one microbatch: op numbers. */
typedef struct shard_ops {
    int64_t query, key, value, softmax, context, up, gelu;
} shard_ops;

typedef struct layer_ops {
    int64_t input, norm1, middle, norm2; /* middle: after the attention's residual */
} layer_ops;

typedef struct step_sketch {
    regal_graph *graph;
    regal_edge_list edges;
    int64_t *bytes; /* [op_count] */
    int64_t op_count, op_capacity;
    int64_t layers, microbatches, shards, tick;
    layer_ops *layer;        /* [microbatches][layers] */
    shard_ops *shard;        /* [microbatches][layers][shards] */
    int64_t *last;           /* [microbatches] output of the last layer */
    int64_t *gradient;       /* [layers][WEIGHT_GROUPS][shards] sum up to now, or -1 */
    int64_t *parts;          /* [shards] scratch */
    int64_t microbatch, now; /* what is being made: microbatch (-1: none) and layer */
    regal_status status;     /* the first failure; nothing happens after it */
} step_sketch;

static const double activation = 8e6; /* bytes */

/* "m0.l3.Query.17"; updates are of no microbatch. */
static void name_op(const step_sketch *s, const char *kind, int64_t op, char *name, size_t size) {
    const int used = s->microbatch >= 0 ? snprintf(name, size, "m%" PRId64 ".", s->microbatch) : 0;
    snprintf(name + used, size - (size_t)used, "l%" PRId64 ".%s.%" PRId64, s->now, kind, op);
}

/* One more op, with so many inputs (int64_t each). */
static int64_t add(step_sketch *s, const char *kind, double cost, double bytes, int inputs, ...) {
    if (s->status != REGAL_OK)
        return 0;
    const int64_t v = s->op_count;
    char name[96];
    name_op(s, kind, v, name, sizeof name);
    const int64_t ticks = (cost < 1 ? 1 : (int64_t)cost) * 100 / s->tick;
    const regal_op op = {.name = name, .kind = kind, .cost = &ticks};
    s->status = regal_graph_add_op(s->graph, &op, NULL);
    if (s->status == REGAL_OK &&
        !regal_array_reserve(&s->bytes, &s->op_capacity, v + 1, sizeof *s->bytes))
        s->status = regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out");
    if (s->status != REGAL_OK)
        return 0;
    s->bytes[s->op_count++] = (int64_t)bytes;
    va_list list;
    va_start(list, inputs);
    for (int i = 0; i < inputs && s->status == REGAL_OK; ++i)
        s->status = regal_edge_list_add(&s->edges, va_arg(list, int64_t), v);
    va_end(list);
    return v;
}

static void feed(step_sketch *s, int64_t from, int64_t to) {
    if (s->status == REGAL_OK)
        s->status = regal_edge_list_add(&s->edges, from, to);
}

static void feed_parts(step_sketch *s, int64_t to) {
    for (int64_t h = 0; h < s->shards; ++h)
        feed(s, s->parts[h], to);
}

static layer_ops *layer_at(step_sketch *s) {
    return &s->layer[s->microbatch * s->layers + s->now];
}

static shard_ops *shard_at(step_sketch *s, int64_t h) {
    return &s->shard[(s->microbatch * s->layers + s->now) * s->shards + h];
}

static int64_t add_attention(step_sketch *s, int64_t norm, shard_ops *to) {
    const double n = (double)s->shards, a = activation;
    to->query = add(s, "Query", 2000 / n, a / n, 1, norm);
    to->key = add(s, "Key", 2000 / n, a / n, 1, norm);
    to->value = add(s, "Value", 2000 / n, a / n, 1, norm);
    const int64_t scores = add(s, "Scores", 1500 / n, 4 * a / n, 2, to->query, to->key);
    to->softmax = add(s, "Softmax", 900 / n, 4 * a / n, 1, scores);
    to->context = add(s, "Context", 1500 / n, a / n, 2, to->softmax, to->value);
    return add(s, "Project", 2000 / n, a, 1, to->context);
}

static int64_t add_feed_forward(step_sketch *s, int64_t norm, shard_ops *to) {
    const double n = (double)s->shards, a = activation;
    to->up = add(s, "Up", 8000 / n, 4 * a / n, 1, norm);
    to->gelu = add(s, "Gelu", 500 / n, 4 * a / n, 1, to->up);
    return add(s, "Down", 8000 / n, a, 1, to->gelu);
}

static int64_t add_forward_layer(step_sketch *s, int64_t x) {
    layer_ops *to = layer_at(s);
    to->input = x;
    to->norm1 = add(s, "LayerNorm", 300, activation, 1, x);
    for (int64_t h = 0; h < s->shards; ++h)
        s->parts[h] = add_attention(s, to->norm1, shard_at(s, h));
    to->middle = add(s, "Add", 200, activation, 1, x);
    feed_parts(s, to->middle);
    to->norm2 = add(s, "LayerNorm", 300, activation, 1, to->middle);
    for (int64_t h = 0; h < s->shards; ++h)
        s->parts[h] = add_feed_forward(s, to->norm2, shard_at(s, h));
    const int64_t output = add(s, "Add", 200, activation, 1, to->middle);
    feed_parts(s, output);
    return output;
}

/* The gradient of a weight from output gradient a and input b, added to those of the microbatches
 * before. */
static void add_weight_gradient(step_sketch *s, int64_t group, int64_t h, double cost, int64_t a,
                                int64_t b, double bytes) {
    int64_t *sum = &s->gradient[(s->now * WEIGHT_GROUPS + group) * s->shards + h];
    const int64_t made = add(s, "WeightGrad", cost, bytes, 2, a, b);
    if (*sum >= 0)
        feed(s, *sum, made);
    *sum = made;
}

static int64_t add_feed_forward_gradient(step_sketch *s, int64_t h, int64_t g) {
    const double n = (double)s->shards, a = activation;
    const shard_ops *from = shard_at(s, h);
    const int64_t down = add(s, "DownGrad", 8000 / n, 4 * a / n, 1, g);
    add_weight_gradient(s, 0, h, 8000 / n, g, from->gelu, 8e6 / n);
    const int64_t gelu = add(s, "GeluGrad", 500 / n, 4 * a / n, 2, down, from->up);
    const int64_t up = add(s, "UpGrad", 8000 / n, a, 1, gelu);
    add_weight_gradient(s, 1, h, 8000 / n, gelu, layer_at(s)->norm2, 8e6 / n);
    return up;
}

static int64_t add_attention_gradient(step_sketch *s, int64_t h, int64_t g) {
    const double n = (double)s->shards, a = activation;
    const shard_ops *from = shard_at(s, h);
    const int64_t project = add(s, "ProjectGrad", 2000 / n, a / n, 1, g);
    add_weight_gradient(s, 2, h, 2000 / n, g, from->context, 2e6 / n);
    const int64_t softmax = add(s, "ContextGrad", 1500 / n, 4 * a / n, 2, project, from->value);
    const int64_t value = add(s, "ValueGrad", 1500 / n, a / n, 2, project, from->softmax);
    const int64_t scores = add(s, "SoftmaxGrad", 900 / n, 4 * a / n, 2, softmax, from->softmax);
    const int64_t query = add(s, "QueryGrad", 1500 / n, a / n, 2, scores, from->key);
    const int64_t key = add(s, "KeyGrad", 1500 / n, a / n, 2, scores, from->query);
    const int64_t input = add(s, "InputGrad", 6000 / n, a, 3, query, key, value);
    add_weight_gradient(s, 3, h, 6000 / n, input, layer_at(s)->norm1, 6e6 / n);
    return input;
}

static int64_t add_backward_layer(step_sketch *s, int64_t g) {
    const layer_ops *from = layer_at(s);
    for (int64_t h = 0; h < s->shards; ++h)
        s->parts[h] = add_feed_forward_gradient(s, h, g);
    const int64_t middle = add(s, "LayerNormGrad", 500, activation, 2, from->middle, g);
    feed_parts(s, middle);
    for (int64_t h = 0; h < s->shards; ++h)
        s->parts[h] = add_attention_gradient(s, h, middle);
    const int64_t input = add(s, "LayerNormGrad", 500, activation, 2, from->input, middle);
    feed_parts(s, input);
    return input;
}

static void add_updates(step_sketch *s) {
    s->microbatch = -1;
    for (int64_t i = 0; i < s->layers * WEIGHT_GROUPS * s->shards; ++i) {
        s->now = i / s->shards / WEIGHT_GROUPS;
        add(s, update_kinds[i / s->shards % WEIGHT_GROUPS], 600, 1e3, 1, s->gradient[i]);
    }
}

static void add_step(step_sketch *s) {
    for (s->microbatch = 0; s->microbatch < s->microbatches; ++s->microbatch) {
        s->now = 0;
        int64_t x = add(s, "Embed", 50, activation, 0);
        for (; s->now < s->layers && s->status == REGAL_OK; ++s->now)
            x = add_forward_layer(s, x);
        s->last[s->microbatch] = x;
    }
    for (s->microbatch = 0; s->microbatch < s->microbatches; ++s->microbatch) {
        int64_t g = add(s, "LossGrad", 3000, activation, 1, s->last[s->microbatch]);
        for (s->now = s->layers - 1; s->now >= 0 && s->status == REGAL_OK; --s->now)
            g = add_backward_layer(s, g);
    }
    add_updates(s);
}

/* The counts that were left to the number of ops. */
static void choose_counts(step_sketch *s, const double *values) {
    static const struct {
        double ops;
        int64_t layers, microbatches, shards;
    } sizes[] = {{200, 2, 1, 2},
                 {1500, 6, 2, 3},
                 {15000, 16, 8, 3},
                 {REGAL_GENERATOR_OPS_GREATEST, 32, 20, 3}};
    size_t i = 0;
    while (values[OPS] > sizes[i].ops)
        ++i;
    s->layers = values[LAYERS] > 0 ? (int64_t)values[LAYERS] : sizes[i].layers;
    s->microbatches =
        values[MICROBATCHES] > 0 ? (int64_t)values[MICROBATCHES] : sizes[i].microbatches;
    s->shards = values[SHARDS] > 0 ? (int64_t)values[SHARDS] : sizes[i].shards;
}

static bool allocate(step_sketch *s) {
    const int64_t cells = s->layers * s->microbatches;
    s->layer = regal_allocate(cells, sizeof *s->layer);
    s->shard = regal_allocate(cells * s->shards, sizeof *s->shard);
    s->last = regal_allocate(s->microbatches, sizeof *s->last);
    s->gradient = regal_allocate(s->layers * WEIGHT_GROUPS * s->shards, sizeof *s->gradient);
    s->parts = regal_allocate(s->shards, sizeof *s->parts);
    for (int64_t i = 0; s->gradient != NULL && i < s->layers * WEIGHT_GROUPS * s->shards; ++i)
        s->gradient[i] = -1;
    return s->layer != NULL && s->shard != NULL && s->last != NULL && s->gradient != NULL &&
           s->parts != NULL;
}

static void release(step_sketch *s) {
    regal_edge_list_free(&s->edges);
    free(s->bytes);
    free(s->layer);
    free(s->shard);
    free(s->last);
    free(s->gradient);
    free(s->parts);
}

static regal_status make(const char *name, const double *values, uint64_t seed,
                         const regal_read_options *options, regal_graph **graph) {
    (void)seed;
    (void)options;
    static const char *const classes[] = {"default"};
    step_sketch s = {.tick = (int64_t)values[TICK]};
    choose_counts(&s, values);
    if (!allocate(&s))
        s.status = regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out");
    else
        s.status = regal_graph_create(name, 1, classes, graph);
    s.graph = *graph;
    if (s.status == REGAL_OK)
        add_step(&s);
    if (s.status == REGAL_OK)
        s.status = regal_edge_list_add_tensors(&s.edges, s.bytes, s.graph);
    release(&s);
    return s.status;
}

const regal_generator regal_transformer_step = {
    {"transformer-step", "a transformer's training step, sharded, with round figures", parameters,
     sizeof parameters / sizeof *parameters},
    1 << OPS | 1 << LAYERS | 1 << MICROBATCHES | 1 << SHARDS | 1 << TICK,
    false,
    make};

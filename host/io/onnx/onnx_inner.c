/* What nodes cost, those with subgraphs or a function's body in them too: the work of what is
 * inside, and the most bytes that it holds at a time. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/onnx/onnx_reading.h"

typedef struct inner {
    onnx_reading *in;
    int64_t
        *root; /* [value_count] what a value of the scope at hand is a view of; -1: none of it */
    int64_t *last; /* [value_count] of roots: the place of the last use; end: an output */
    int64_t unknown;
    const char *first_unknown;
} inner;

static void prefer(onnx_cost *dearest, const onnx_cost *other) {
    const int64_t workspace =
        other->workspace > dearest->workspace ? other->workspace : dearest->workspace;
    if (other->flops > dearest->flops ||
        (other->flops == dearest->flops && other->load.bytes > dearest->load.bytes))
        *dearest = *other;
    dearest->workspace = workspace;
}

/* ---- memory */

static int64_t size_of(inner *at, int64_t id) {
    const regal_onnx_value value = at->in->module->value(at->in->model, id);
    const int64_t bytes = regal_onnx_bytes(&value);
    if (bytes >= 0)
        return bytes;
    if (at->unknown++ == 0)
        at->first_unknown = value.name;
    return at->in->options->assumed_bytes;
}

static void note_use(inner *at, const int64_t *values, int64_t count, int64_t place) {
    for (int64_t i = 0; i < count; ++i)
        if (values[i] >= 0 && at->root[values[i]] >= 0)
            at->last[at->root[values[i]]] = place;
}

/* Roots and last uses of the values that the scope's nodes make. */
static void trace(inner *at, const regal_onnx_scope *scope) {
    for (int64_t p = 0; p < scope->node_count; ++p) {
        const regal_onnx_node node = at->in->module->node(at->in->model, scope->nodes[p]);
        const onnx_role role = regal_onnx_role(at->in, scope->nodes[p]);
        note_use(at, node.inputs, node.input_count, p);
        note_use(at, node.captured, node.captured_count, p);
        for (int64_t k = 0; k < node.output_count; ++k) {
            const int64_t output = node.outputs[k];
            if (output < 0)
                continue;
            at->root[output] = role == ONNX_NOTHING ? -1
                               : role == ONNX_VIEW  ? at->root[node.inputs[0]]
                                                    : output;
            if (at->root[output] >= 0)
                at->last[at->root[output]] = p;
        }
    }
    note_use(at, scope->outputs, scope->output_count, scope->node_count);
}

/* Bytes of the roots whose last use is here, each once. */
static int64_t released(inner *at, const int64_t *values, int64_t count, int64_t place) {
    int64_t bytes = 0;
    for (int64_t i = 0; i < count; ++i) {
        const int64_t root = values[i] >= 0 ? at->root[values[i]] : -1;
        if (root < 0 || at->last[root] != place)
            continue;
        const int64_t unknown = at->unknown; /* counted when it was made */
        bytes = regal_count_add(bytes, size_of(at, root));
        at->unknown = unknown;
        at->last[root] = -1;
    }
    return bytes;
}

static int64_t made(inner *at, const regal_onnx_node *node) {
    int64_t bytes = 0;
    for (int64_t k = 0; k < node->output_count; ++k)
        if (node->outputs[k] >= 0 && at->root[node->outputs[k]] == node->outputs[k])
            bytes = regal_count_add(bytes, size_of(at, node->outputs[k]));
    return bytes;
}

static int64_t peak(inner *at, const regal_onnx_scope *scope) {
    int64_t live = 0, most = 0;
    trace(at, scope);
    for (int64_t p = 0; p < scope->node_count; ++p) {
        const regal_onnx_node node = at->in->module->node(at->in->model, scope->nodes[p]);
        live = regal_count_add(live, made(at, &node));
        const int64_t now = regal_count_add(live, at->in->costs[scope->nodes[p]].workspace);
        most = now > most ? now : most;
        live -= released(at, node.inputs, node.input_count, p);
        live -= released(at, node.captured, node.captured_count, p);
        live -= released(at, node.outputs, node.output_count, p);
    }
    return most;
}

/* ---- work */

static void scope_cost(inner *at, int64_t id, onnx_cost *cost) {
    const regal_onnx_scope scope = at->in->module->scope(at->in->model, id);
    *cost = (onnx_cost){0};
    for (int64_t p = 0; p < scope.node_count; ++p) {
        if (regal_onnx_role(at->in, scope.nodes[p]) != ONNX_OP)
            continue;
        const onnx_cost *node = &at->in->costs[scope.nodes[p]];
        regal_load_merge_times(&cost->load, &node->load, 1);
        cost->flops = regal_count_add(cost->flops, node->flops);
    }
    cost->workspace = peak(at, &scope);
}

static int64_t axis_of_first_scan(const onnx_reading *in, int64_t id) {
    regal_onnx_attribute axes;
    return in->module->attribute(in->model, id, "scan_input_axes", REGAL_ONNX_INTEGERS, &axes) &&
                   axes.count > 0
               ? axes.integers[0]
               : 0;
}

/* How often the body runs; -1: unknown. */
static int64_t count_runs(const onnx_reading *in, int64_t id, const regal_onnx_node *node) {
    regal_onnx_value value;
    if (strcmp(node->kind, "Loop") == 0)
        return regal_onnx_input(in, node, 0, &value) && value.content_count == 1
                   ? (value.content[0] > 0 ? value.content[0] : 0)
                   : -1;
    if (strcmp(node->kind, "Scan") == 0) {
        const int64_t scans = regal_onnx_integer(in, id, "num_scan_inputs", 0);
        return scans > 0 && scans <= node->input_count &&
                       regal_onnx_input(in, node, node->input_count - scans, &value)
                   ? regal_onnx_dim(&value, axis_of_first_scan(in, id))
                   : -1;
    }
    return strcmp(node->kind, "SequenceMap") == 0 ? -1 : 1;
}

/* Of If: the branch that is taken, where that is known, else the dearest. */
static bool is_taken(const onnx_reading *in, const regal_onnx_node *node, int64_t scope) {
    regal_onnx_value condition;
    if (strcmp(node->kind, "If") != 0 || !regal_onnx_input(in, node, 0, &condition) ||
        condition.content_count != 1)
        return true;
    const char *label = in->module->scope(in->model, scope).label;
    return strcmp(label, condition.content[0] != 0 ? "then_branch" : "else_branch") == 0;
}

static void outer_cost(inner *at, int64_t id, const regal_onnx_node *node, onnx_cost *cost) {
    onnx_cost dearest = {0};
    for (int64_t s = 0; s < node->scope_count; ++s) {
        onnx_cost one;
        if (!is_taken(at->in, node, node->scopes[s]))
            continue;
        scope_cost(at, node->scopes[s], &one);
        prefer(&dearest, &one);
    }
    int64_t runs = count_runs(at->in, id, node);
    if (runs < 0) {
        ++at->in->guessed_runs;
        runs = 1;
    }
    *cost = (onnx_cost){.flops = regal_count_multiply(dearest.flops, runs),
                        .workspace = dearest.workspace};
    regal_load_merge_times(&cost->load, &dearest.load, runs);
}

/* ---- all nodes, those inside before those around them */

static regal_status tell_unknown(const inner *at) {
    if (at->unknown == 0)
        return REGAL_OK;
    at->in->inner_assumed = true;
    REGAL_FAIL_IF(!at->in->options->assume_bytes, REGAL_INVALID_INPUT,
                  "%s: the sizes of %" PRId64
                  " tensors in subgraphs are unknown (the first is '%s'): give the dimensions that "
                  "they lack (--dim NAME=SIZE), or a size for each of them (--assume-bytes BYTES)",
                  at->in->name, at->unknown, at->first_unknown);
    return REGAL_OK;
}

static regal_status find_all(inner *at) {
    onnx_reading *in = at->in;
    for (int64_t n = in->node_count - 1; n >= 0; --n) {
        const regal_onnx_node node = in->module->node(in->model, n);
        if (node.scope_count > 0)
            outer_cost(at, n, &node, &in->costs[n]);
        else
            regal_onnx_work(in, n, &in->costs[n]);
    }
    if (in->guessed_runs > 0)
        regal_warn("%s: %" PRId64 " loops whose number of runs is not known beforehand count as "
                   "one run",
                   in->name, in->guessed_runs);
    return tell_unknown(at);
}

static void note_used(onnx_reading *in, const int64_t *values, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
        if (values[i] >= 0)
            in->used[values[i]] = true;
}

static void find_used(onnx_reading *in) {
    for (int64_t n = 0; n < in->node_count; ++n) {
        const regal_onnx_node node = in->module->node(in->model, n);
        note_used(in, node.inputs, node.input_count);
        note_used(in, node.captured, node.captured_count);
    }
    for (int64_t s = 0; s < in->module->scope_count(in->model); ++s) {
        const regal_onnx_scope scope = in->module->scope(in->model, s);
        note_used(in, scope.outputs, scope.output_count);
    }
}

regal_status regal_onnx_find_costs(onnx_reading *in) {
    const int64_t values = in->module->value_count(in->model);
    in->node_count = in->module->node_count(in->model);
    in->costs = regal_allocate_zeroed(in->node_count, sizeof *in->costs);
    in->used = regal_allocate_zeroed(values, sizeof *in->used);
    inner at = {.in = in,
                .root = regal_allocate(values, sizeof *at.root),
                .last = regal_allocate(values, sizeof *at.last)};
    regal_status status = REGAL_OK;
    if (in->costs == NULL || in->used == NULL || at.root == NULL || at.last == NULL) {
        status = regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out");
    } else {
        for (int64_t v = 0; v < values; ++v)
            at.root[v] = at.last[v] = -1;
        find_used(in);
        status = find_all(&at);
    }
    free(at.root);
    free(at.last);
    return status;
}

/* A topological order of a scope's nodes, and its cycles. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "io/tensorflow/graph_def.h"

typedef struct ordering {
    const gd_scope *scope;
    int64_t *begin;     /* [count + 1] in successors */
    int64_t *successor; /* by data and control */
    int64_t *waiting;   /* [count] edges from what is not yet in order */
} ordering;

/* The node that input or control k of a node comes from; -1: none that orders it. */
static int64_t source_of(const gd_scope *scope, int64_t node, int64_t k) {
    const gd_node *to = &scope->nodes[node];
    const int64_t from = k < to->input_count
                             ? scope->values[scope->inputs[to->first_input + k]].node
                             : scope->controls[to->first_control + k - to->input_count];
    return from >= 0 && !gd_is_back_edge(scope, from, node) ? from : -1;
}

static int64_t source_count(const gd_scope *scope, int64_t node) {
    return scope->nodes[node].input_count + scope->nodes[node].control_count;
}

static regal_status make_edges(ordering *at) {
    const gd_scope *scope = at->scope;
    const int64_t n = scope->count;
    at->begin = regal_allocate_zeroed(n + 2, sizeof *at->begin);
    at->waiting = regal_allocate_zeroed(n, sizeof *at->waiting);
    REGAL_FAIL_IF(at->begin == NULL || at->waiting == NULL, REGAL_OUT_OF_MEMORY, "memory ran out");
    for (int64_t v = 0; v < n; ++v)
        for (int64_t k = 0; k < source_count(scope, v); ++k)
            if (source_of(scope, v, k) >= 0) {
                ++at->begin[source_of(scope, v, k) + 2];
                ++at->waiting[v];
            }
    for (int64_t v = 0; v < n; ++v)
        at->begin[v + 2] += at->begin[v + 1];
    at->successor = regal_allocate(at->begin[n + 1], sizeof *at->successor);
    REGAL_FAIL_IF_NULL(at->successor);
    for (int64_t v = 0; v < n; ++v)
        for (int64_t k = 0; k < source_count(scope, v); ++k)
            if (source_of(scope, v, k) >= 0)
                at->successor[at->begin[source_of(scope, v, k) + 1]++] = v;
    return REGAL_OK;
}

/* Nodes that are left each wait for one that is left: going back from any of them meets a cycle. */
static regal_status report_cycle(const gd_file *file, ordering *at) {
    enum { SHOWN = 12 };
    const gd_scope *scope = at->scope;
    int64_t node = 0, *next = at->begin; /* its work is done */
    while (at->waiting[node] == 0)
        ++node;
    for (int64_t v = 0; v < scope->count; ++v)
        next[v] = -1;
    for (;;) {
        int64_t from = -1;
        for (int64_t k = 0; from < 0 && k < source_count(scope, node); ++k) {
            const int64_t source = source_of(scope, node, k);
            if (source >= 0 && at->waiting[source] > 0)
                from = source;
        }
        const bool met = next[from] >= 0;
        next[from] = node;
        node = from;
        if (met)
            break;
    }
    char text[1600];
    size_t used = 0;
    int64_t length = 0, item = node;
    do {
        if (length++ < SHOWN)
            used += (size_t)snprintf(text + used, sizeof text - used, "%.100s -> ",
                                     scope->nodes[item].name);
        item = next[item];
    } while (item != node);
    if (length > SHOWN)
        snprintf(text + used, sizeof text - used, "... (%" PRId64 " in all) -> ", length);
    REGAL_FAIL(REGAL_INVALID_INPUT, "%s: a cycle of nodes%s: %s%.100s", file->name,
               scope->function >= 0 ? " in a function" : "", text, scope->nodes[node].name);
}

static regal_status sort(const gd_file *file, gd_scope *scope, ordering *at) {
    REGAL_FORWARD(make_edges(at));
    scope->order = regal_allocate(scope->count, sizeof *scope->order);
    REGAL_FAIL_IF_NULL(scope->order);
    int64_t ready = 0;
    for (int64_t v = 0; v < scope->count; ++v)
        if (at->waiting[v] == 0)
            scope->order[ready++] = v;
    for (int64_t done = 0; done < ready; ++done)
        for (int64_t i = at->begin[scope->order[done]]; i < at->begin[scope->order[done] + 1]; ++i)
            if (--at->waiting[at->successor[i]] == 0)
                scope->order[ready++] = at->successor[i];
    return ready == scope->count ? REGAL_OK : report_cycle(file, at);
}

regal_status gd_scope_order(gd_file *file, gd_scope *scope) {
    ordering at = {.scope = scope};
    const regal_status status = sort(file, scope, &at);
    free(at.begin);
    free(at.successor);
    free(at.waiting);
    return status;
}

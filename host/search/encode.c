#include "search/encode.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "regal/core/chain_move.h"

/* The middle of the keys k < range with k * size / range == index. */
static int32_t middle_key(int32_t index, int32_t size, int32_t range) {
    const int32_t first = (index * range + size - 1) / size;
    const int32_t end = ((index + 1) * range + size - 1) / size;
    return (first + end - 1) / 2;
}

/* lead_device < 0: no lead. */
static uint16_t inherit_key(uint64_t allowed, int32_t lead_device, int32_t device) {
    if (device == lead_device)
        return REGAL_INHERIT_BELOW / 2;
    const int32_t size = regal_set_size(allowed);
    const int32_t index = regal_set_size(allowed & (((uint64_t)1 << device) - 1));
    if (lead_device < 0)
        return (uint16_t)middle_key(index, size, 65536);
    return (uint16_t)(REGAL_INHERIT_BELOW + middle_key(index, size, 65536 - REGAL_INHERIT_BELOW));
}

static void encode_inherit(const regal_problem_view *view, const uint8_t *device, uint16_t *keys) {
    for (regal_id op = 0; op < view->op_count; ++op) {
        const regal_id leader = view->leader[op], lead = view->lead[leader];
        keys[op] =
            inherit_key(view->allowed[leader], lead >= 0 ? device[lead] : -1, device[leader]);
    }
}

/* A clear preference that mutation and crossover can still overturn. */
enum { CHOSEN_AFFINITY = 49152, OTHER_AFFINITY = 16384 };

static void encode_affinity(const regal_problem_view *view, const uint8_t *device, uint16_t *keys) {
    for (regal_id op = 0; op < view->op_count; ++op)
        for (int32_t d = 0; d < view->device_count; ++d)
            *keys++ = device[op] == d ? CHOSEN_AFFINITY : OTHER_AFFINITY;
}

/* Behind priority keys that are in place. */
static void encode_rest(const regal_problem_view *view, regal_encoding encoding,
                        const uint8_t *device, uint16_t *genes) {
    const int64_t n = view->op_count;
    if (encoding == REGAL_INHERIT) {
        encode_inherit(view, device, genes + n);
    } else {
        encode_affinity(view, device, genes + n);
        regal_urgency_keys(view, genes, genes + n * (1 + view->device_count));
    }
}

void regal_encode_genes(const regal_problem_view *view, regal_encoding encoding,
                        const uint8_t *device, const regal_id *sequence, uint16_t *genes) {
    const int64_t n = view->op_count;
    for (int64_t i = 0; i < n; ++i)
        genes[sequence[i]] = regal_position_key(i, n);
    encode_rest(view, encoding, device, genes);
}

void regal_encode_keys(const regal_problem_view *view, regal_encoding encoding,
                       const uint8_t *device, const uint16_t *priority, uint16_t *genes) {
    memcpy(genes, priority, (size_t)view->op_count * sizeof *genes);
    encode_rest(view, encoding, device, genes);
}

typedef struct timed_op {
    int64_t start;
    regal_id op;
} timed_op;

static int compare_timed(const void *a, const void *b) {
    const timed_op *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->op > y->op) - (x->op < y->op);
}

/* Ops by start, then id: topological, since an op lasts at least a tick. */
static regal_status sequence_of_starts(const regal_plan *plan, regal_id *sequence) {
    timed_op *timed = regal_allocate(plan->op_count, sizeof *timed);
    REGAL_FAIL_IF_NULL(timed);
    for (regal_id op = 0; op < plan->op_count; ++op)
        timed[op] = (timed_op){plan->start[op], op};
    qsort(timed, (size_t)plan->op_count, sizeof *timed, compare_timed);
    for (int64_t i = 0; i < plan->op_count; ++i)
        sequence[i] = timed[i].op;
    free(timed);
    return REGAL_OK;
}

/* No keys stand for a placement that breaks groups or allowed sets. */
static regal_status copy_placement(const regal_problem *problem, const regal_plan *plan,
                                   uint8_t *device) {
    const regal_problem_view *view = regal_problem_get_view(problem);
    for (regal_id op = 0; op < view->op_count; ++op) {
        const regal_id leader = view->leader[op];
        const int64_t d = plan->placement[op];
        const char *name = regal_graph_op(problem->graph, op).name;
        REGAL_FAIL_IF(d < 0 || d >= view->device_count || (view->allowed[leader] >> d & 1) == 0,
                      REGAL_INVALID_INPUT,
                      "the plan puts op '%s' on device %" PRId64 ", where it or its group may not "
                      "run",
                      name, d);
        REGAL_FAIL_IF(d != plan->placement[leader], REGAL_INVALID_INPUT,
                      "the plan puts op '%s' on device %" PRId64 " and op '%s' of its group on "
                      "device %" PRId64,
                      name, d, regal_graph_op(problem->graph, leader).name,
                      plan->placement[leader]);
        device[op] = (uint8_t)d;
    }
    return REGAL_OK;
}

static regal_status encode_plan(const regal_problem *problem, const regal_plan *plan,
                                uint8_t *device, regal_id *sequence, regal_chromosome *chromosome) {
    REGAL_FAIL_IF(device == NULL || sequence == NULL, REGAL_OUT_OF_MEMORY, "memory ran out");
    REGAL_FORWARD(copy_placement(problem, plan, device));
    REGAL_FORWARD(sequence_of_starts(plan, sequence));
    regal_encode_genes(regal_problem_get_view(problem), chromosome->encoding, device, sequence,
                       chromosome->genes);
    return REGAL_OK;
}

regal_status regal_chromosome_encode(const regal_problem *problem, const regal_plan *plan,
                                     regal_encoding encoding, int64_t window,
                                     regal_chromosome **chromosome) {
    const regal_problem_view *view = regal_problem_get_view(problem);
    *chromosome = NULL;
    REGAL_FAIL_IF(plan->op_count != view->op_count, REGAL_INVALID_INPUT,
                  "the plan places %" PRId64 " ops, but the graph has %" PRId64, plan->op_count,
                  (int64_t)view->op_count);
    REGAL_FAIL_IF(window < 0, REGAL_INVALID_ARGUMENT, "window: %" PRId64 " is negative", window);
    regal_chromosome *made;
    REGAL_FORWARD(
        regal_chromosome_create(encoding, window, view->op_count, view->device_count, &made));
    uint8_t *device = regal_allocate(view->op_count, sizeof *device);
    regal_id *sequence = regal_allocate(view->op_count, sizeof *sequence);
    const regal_status status = encode_plan(problem, plan, device, sequence, made);
    free(device);
    free(sequence);
    if (status == REGAL_OK)
        *chromosome = made;
    else
        regal_chromosome_destroy(made);
    return status;
}

#include "policy/op_pairs.h"

#include <string.h>

#include "base/carver.h"
#include "base/error.h"

static void carve(regal_op_pairs *pairs, int64_t edges, regal_carver *carver) {
    const int64_t n = pairs->op_count;
    pairs->bytes = regal_carve(carver, edges, sizeof *pairs->bytes);
    pairs->source = regal_carve(carver, edges, sizeof *pairs->source);
    pairs->target = regal_carve(carver, edges, sizeof *pairs->target);
    pairs->out_pair = regal_carve(carver, edges, sizeof *pairs->out_pair);
    pairs->in_begin = regal_carve(carver, n + 1, sizeof *pairs->in_begin);
    pairs->out_begin = regal_carve(carver, n + 1, sizeof *pairs->out_begin);
}

static void count_into(const regal_problem_view *view, regal_op_pairs *pairs) {
    memset(pairs->in_begin, 0, (size_t)(pairs->op_count + 1) * sizeof *pairs->in_begin);
    for (regal_id e = 0; e < view->edge_count; ++e)
        pairs->in_begin[view->consumer[e] + 1]++;
    for (regal_id c = 0; c < view->control_count; ++c)
        pairs->in_begin[view->control_successor[c] + 1]++;
    for (int64_t op = 0; op < pairs->op_count; ++op)
        pairs->in_begin[op + 1] += pairs->in_begin[op];
}

/* Sources come in ascending order, so that the same one again is the last of the target's. */
static void add(regal_op_pairs *pairs, int32_t *end, regal_id source, regal_id target,
                int64_t bytes) {
    const int32_t last = end[target] - 1;
    if (last >= pairs->in_begin[target] && pairs->source[last] == source) {
        if (bytes >= 0)
            pairs->bytes[last] = bytes + (pairs->bytes[last] > 0 ? pairs->bytes[last] : 0);
        return;
    }
    pairs->source[last + 1] = (int32_t)source;
    pairs->bytes[last + 1] = bytes;
    end[target]++;
}

/* `end` [op]: where the pairs into each op end. */
static void gather(const regal_problem_view *view, regal_op_pairs *pairs, int32_t *end) {
    memcpy(end, pairs->in_begin, (size_t)pairs->op_count * sizeof *end);
    for (regal_id op = 0; op < view->op_count; ++op) {
        for (regal_id o = view->ops[op].output_begin; o < view->ops[op + 1].output_begin; ++o) {
            const regal_tensor_facts *tensor = &view->tensors[view->output_tensor[o]];
            for (regal_id e = tensor[0].consumer_begin; e < tensor[1].consumer_begin; ++e)
                add(pairs, end, op, view->consumer[e], tensor->bytes);
        }
        for (regal_id c = view->ops[op].control_begin; c < view->ops[op + 1].control_begin; ++c)
            add(pairs, end, op, view->control_successor[c], -1);
    }
}

static void close_gaps(regal_op_pairs *pairs, const int32_t *end) {
    int32_t count = 0;
    for (int64_t op = 0; op < pairs->op_count; ++op) {
        const int32_t begin = pairs->in_begin[op];
        pairs->in_begin[op] = count;
        for (int32_t p = begin; p < end[op]; ++p, ++count) {
            pairs->source[count] = pairs->source[p];
            pairs->bytes[count] = pairs->bytes[p];
            pairs->target[count] = (int32_t)op;
        }
    }
    pairs->in_begin[pairs->op_count] = count;
    pairs->pair_count = count;
}

static void list_outgoing(regal_op_pairs *pairs) {
    int32_t *begin = pairs->out_begin;
    const int64_t n = pairs->op_count;
    memset(begin, 0, (size_t)(n + 1) * sizeof *begin);
    for (int64_t p = 0; p < pairs->pair_count; ++p)
        begin[pairs->source[p]]++;
    int32_t next = 0;
    for (int64_t op = 0; op <= n; ++op) {
        next += begin[op];
        begin[op] = next;
    }
    for (int64_t p = pairs->pair_count - 1; p >= 0; --p)
        pairs->out_pair[--begin[pairs->source[p]]] = (int32_t)p;
}

regal_status regal_op_pairs_create(const regal_problem_view *view, regal_op_pairs *pairs) {
    const int64_t edges = (int64_t)view->edge_count + view->control_count;
    REGAL_FAIL_IF(view->op_count >= INT32_MAX || edges >= INT32_MAX, REGAL_INVALID_ARGUMENT,
                  "a policy serves less than 2^31 ops and edges");
    regal_carver carver = {0};
    *pairs = (regal_op_pairs){.op_count = view->op_count};
    carve(pairs, edges, &carver);
    void *memory = regal_carver_memory(&carver);
    REGAL_FAIL_IF_NULL(memory);
    carver = (regal_carver){.base = memory};
    carve(pairs, edges, &carver);
    pairs->memory = memory;
    count_into(view, pairs);
    gather(view, pairs, pairs->out_begin);
    close_gaps(pairs, pairs->out_begin);
    list_outgoing(pairs);
    return REGAL_OK;
}

void regal_op_pairs_destroy(regal_op_pairs *pairs) {
    free(pairs->memory);
    *pairs = (regal_op_pairs){0};
}

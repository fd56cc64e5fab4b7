#include "baselines/upward_rank.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "regal/core/duration.h"
#include "regal/core/placement.h"
#include "regal/core/rank.h"

/* Links that are alike: most clusters have a few kinds, however many devices. */
typedef struct link_kind {
    regal_link link;
    int64_t count;
} link_kind;

static int compare_kinds(const void *a, const void *b) {
    const regal_link x = ((const link_kind *)a)->link, y = ((const link_kind *)b)->link;
    if (x.latency != y.latency)
        return x.latency < y.latency ? -1 : 1;
    return (x.bytes_per_1000_ticks > y.bytes_per_1000_ticks) -
           (x.bytes_per_1000_ticks < y.bytes_per_1000_ticks);
}

/* The kinds of links between different devices, to kinds [device * device]; returns how many. */
static int64_t collect_kinds(const regal_problem_view *view, link_kind *kinds) {
    const int32_t devices = view->device_count;
    int64_t links = 0, count = 0;
    for (int32_t from = 0; from < devices; ++from)
        for (int32_t to = 0; to < devices; ++to)
            if (from != to)
                kinds[links++] = (link_kind){view->link[from * devices + to], 1};
    qsort(kinds, (size_t)links, sizeof *kinds, compare_kinds);
    for (int64_t i = 0; i < links; ++i) {
        if (count > 0 && compare_kinds(&kinds[count - 1], &kinds[i]) == 0)
            kinds[count - 1].count++;
        else
            kinds[count++] = kinds[i];
    }
    return count;
}

int64_t regal_mean_op_ticks(const regal_problem_view *view, regal_id op) {
    const uint64_t allowed = view->allowed[view->leader[op]];
    int64_t sum = 0;
    for (uint64_t set = allowed; set != 0; set &= set - 1)
        sum += regal_op_ticks(view, op, regal_set_first(set));
    return sum / regal_set_size(allowed);
}

static int64_t mean_tensor_ticks(const link_kind *kinds, int64_t kind_count, int64_t bytes) {
    __int128 sum = 0;
    int64_t links = 0;
    for (int64_t i = 0; i < kind_count; ++i) {
        sum += (__int128)regal_link_ticks(kinds[i].link, bytes) * kinds[i].count;
        links += kinds[i].count;
    }
    return links > 0 ? (int64_t)(sum / links) : 0;
}

static void fill_means(const regal_problem_view *view, regal_mean_ticks *mean, link_kind *kinds) {
    for (regal_id op = 0; op < view->op_count; ++op)
        mean->op[op] = regal_mean_op_ticks(view, op);
    const int64_t kind_count = collect_kinds(view, kinds);
    for (regal_id t = 0; t < view->tensor_count; ++t)
        mean->tensor[t] = view->tensors[t + 1].consumer_begin > view->tensors[t].consumer_begin
                              ? mean_tensor_ticks(kinds, kind_count, view->tensors[t].bytes)
                              : 0;
}

regal_status regal_mean_ticks_create(const regal_problem_view *view, regal_mean_ticks *mean) {
    mean->op = regal_allocate(view->op_count, sizeof *mean->op);
    mean->tensor = regal_allocate(view->tensor_count, sizeof *mean->tensor);
    link_kind *kinds =
        regal_allocate((int64_t)view->device_count * view->device_count, sizeof *kinds);
    const bool ok = mean->op != NULL && mean->tensor != NULL && kinds != NULL;
    if (ok)
        fill_means(view, mean, kinds);
    else
        regal_mean_ticks_destroy(mean);
    free(kinds);
    REGAL_FAIL_IF(!ok, REGAL_OUT_OF_MEMORY, "memory ran out");
    return REGAL_OK;
}

void regal_mean_ticks_destroy(regal_mean_ticks *mean) {
    free(mean->op);
    free(mean->tensor);
    *mean = (regal_mean_ticks){0};
}

static void raise_to(int64_t *value, int64_t other) {
    *value = other > *value ? other : *value;
}

void regal_upward_rank(const regal_problem_view *view, const regal_mean_ticks *mean,
                       int64_t *rank) {
    for (int64_t i = view->op_count - 1; i >= 0; --i) {
        const regal_id op = view->canonical[i];
        int64_t after = 0;
        for (regal_id o = view->ops[op].output_begin; o < view->ops[op + 1].output_begin; ++o) {
            const regal_id tensor = view->output_tensor[o];
            for (regal_id e = view->tensors[tensor].consumer_begin;
                 e < view->tensors[tensor + 1].consumer_begin; ++e)
                raise_to(&after, mean->tensor[tensor] + rank[view->consumer[e]]);
        }
        for (regal_id c = view->ops[op].control_begin; c < view->ops[op + 1].control_begin; ++c)
            raise_to(&after, rank[view->control_successor[c]]);
        rank[op] = mean->op[op] + after;
    }
}

void regal_downward_rank(const regal_problem_view *view, const regal_mean_ticks *mean,
                         int64_t *rank) {
    for (regal_id op = 0; op < view->op_count; ++op)
        rank[op] = 0;
    for (int64_t i = 0; i < view->op_count; ++i) {
        const regal_id op = view->canonical[i];
        const int64_t finish = rank[op] + mean->op[op];
        for (regal_id o = view->ops[op].output_begin; o < view->ops[op + 1].output_begin; ++o) {
            const regal_id tensor = view->output_tensor[o];
            for (regal_id e = view->tensors[tensor].consumer_begin;
                 e < view->tensors[tensor + 1].consumer_begin; ++e)
                raise_to(&rank[view->consumer[e]], finish + mean->tensor[tensor]);
        }
        for (regal_id c = view->ops[op].control_begin; c < view->ops[op + 1].control_begin; ++c)
            raise_to(&rank[view->control_successor[c]], finish);
    }
}

regal_status regal_levels(const regal_problem_view *view, bool by_ticks, int64_t *level) {
    regal_mean_ticks mean = {.op = regal_allocate(view->op_count, sizeof *mean.op),
                             .tensor =
                                 regal_allocate_zeroed(view->tensor_count, sizeof *mean.tensor)};
    const bool ok = mean.op != NULL && mean.tensor != NULL;
    if (ok) {
        for (regal_id op = 0; op < view->op_count; ++op)
            mean.op[op] = by_ticks ? regal_mean_op_ticks(view, op) : 1;
        regal_upward_rank(view, &mean, level);
    }
    regal_mean_ticks_destroy(&mean);
    REGAL_FAIL_IF(!ok, REGAL_OUT_OF_MEMORY, "memory ran out");
    return REGAL_OK;
}

typedef struct ranked_op {
    int64_t rank;
    regal_id op;
} ranked_op;

static int compare_ranked(const void *a, const void *b) {
    const ranked_op *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank > y->rank ? -1 : 1;
    return (x->op > y->op) - (x->op < y->op);
}

regal_status regal_order_by_rank(const int64_t *rank, int64_t count, regal_id *order) {
    ranked_op *ranked = regal_allocate(count, sizeof *ranked);
    REGAL_FAIL_IF_NULL(ranked);
    for (regal_id op = 0; op < count; ++op)
        ranked[op] = (ranked_op){rank[op], op};
    qsort(ranked, (size_t)count, sizeof *ranked, compare_ranked);
    for (int64_t i = 0; i < count; ++i)
        order[i] = ranked[i].op;
    free(ranked);
    return REGAL_OK;
}

regal_status regal_order_ready_by_rank(const regal_problem_view *view, const int64_t *rank,
                                       regal_id *order) {
    const int64_t n = view->op_count;
    regal_id *position = regal_allocate(n, sizeof *position);
    regal_id *missing = regal_allocate(n, sizeof *missing);
    regal_heap_links *links = regal_allocate(n, sizeof *links);
    regal_status status = REGAL_OUT_OF_MEMORY;
    if (position != NULL && missing != NULL && links != NULL)
        status = regal_order_by_rank(rank, n, order);
    else
        regal_error_set(status, __FILE__, __LINE__, "memory ran out");
    if (status == REGAL_OK) {
        regal_invert_order(order, view->op_count, position);
        regal_kahn_order(view, position, missing, links, order);
    }
    free(position);
    free(missing);
    free(links);
    return status;
}

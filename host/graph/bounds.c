/* Lower bounds that no plan can beat. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "graph/problem_build.h"

static int64_t least_ticks(const regal_problem_view *view, regal_id op) {
    int64_t least = INT64_MAX;
    for (uint64_t set = view->allowed[view->leader[op]]; set != 0; set &= set - 1) {
        const int64_t ticks = regal_op_ticks(view, op, regal_set_first(set));
        least = ticks < least ? ticks : least;
    }
    return least;
}

static int64_t divide_up(int64_t sum, int64_t parts) {
    return sum / parts + (sum % parts != 0);
}

static void raise_to(int64_t *start, int64_t tick) {
    *start = tick > *start ? tick : *start;
}

/* The longest path from each op on, itself included, each op at its cheapest device. */
static void fill_tails(const regal_problem_view *view, int64_t *tail) {
    for (int64_t i = view->op_count; i-- > 0;) {
        const regal_id op = view->canonical[i];
        int64_t longest = 0;
        for (regal_id o = view->ops[op].output_begin; o < view->ops[op + 1].output_begin; ++o) {
            const regal_id tensor = view->output_tensor[o];
            for (regal_id e = view->tensors[tensor].consumer_begin;
                 e < view->tensors[tensor + 1].consumer_begin; ++e)
                raise_to(&longest, tail[view->consumer[e]]);
        }
        for (regal_id c = view->ops[op].control_begin; c < view->ops[op + 1].control_begin; ++c)
            raise_to(&longest, tail[view->control_successor[c]]);
        tail[op] = longest + least_ticks(view, op);
    }
}

static int64_t critical_path(const regal_problem_view *view, const int64_t *tail) {
    int64_t longest = 0;
    for (regal_id op = 0; op < view->op_count; ++op)
        raise_to(&longest, tail[op]);
    return longest;
}

enum { MOST_SETS = 256 };

/* Work that may only run inside a set of devices takes at least work / |set|, for each allowed set
 * that occurs (as long as they are few) and for all devices. */
static int64_t work_bound(const regal_problem_view *view) {
    uint64_t sets[MOST_SETS];
    int64_t work[MOST_SETS] = {0}, count = 0, total = 0;
    for (regal_id op = 0; op < view->op_count; ++op) {
        const uint64_t set = view->allowed[view->leader[op]];
        const int64_t ticks = least_ticks(view, op);
        total += ticks;
        int64_t i = 0;
        while (i < count && sets[i] != set)
            ++i;
        if (i == MOST_SETS)
            continue;
        if (i == count)
            sets[count++] = set;
        work[i] += ticks;
    }
    int64_t bound = divide_up(total, view->device_count);
    for (int64_t i = 0; i < count; ++i) {
        int64_t inside = 0;
        for (int64_t k = 0; k < count; ++k)
            if ((sets[k] & ~sets[i]) == 0)
                inside += work[k];
        raise_to(&bound, divide_up(inside, regal_set_size(sets[i])));
    }
    return bound;
}

/* Scratch over root tensors: stamp[root] == op marks those seen at op. */
typedef struct footprint_scratch {
    regal_id *stamp;   /* [tensor] */
    int64_t *bytes;    /* [tensor] least bytes of a storage that op must hold */
    int64_t *resident; /* [op] bytes of its parameters */
} footprint_scratch;

/* What must lie on one device while op runs: its workspace, its inputs (each storage once, or
 * copies of those of its tensors that it reads: whichever is less), its outputs, its parameters. */
static int64_t footprint(const regal_problem_view *view, regal_id op, footprint_scratch *scratch) {
    int64_t sum = view->ops[op].start_bytes + scratch->resident[op];
    for (regal_id i = view->ops[op].input_begin; i < view->ops[op + 1].input_begin; ++i) {
        const regal_id tensor = view->inputs[i].tensor, root = view->tensors[tensor].root;
        const int64_t before = scratch->stamp[root] == op ? scratch->bytes[root] : 0;
        int64_t now = before + view->tensors[tensor].bytes;
        now = now < view->tensors[root].bytes ? now : view->tensors[root].bytes;
        scratch->stamp[root] = op;
        scratch->bytes[root] = now;
        sum += now - before;
    }
    /* The storage of an alias that it writes is on its device. */
    for (regal_id o = view->ops[op].output_begin; o < view->ops[op + 1].output_begin; ++o) {
        const regal_id tensor = view->output_tensor[o], root = view->tensors[tensor].root;
        if (root == tensor)
            continue;
        const int64_t before = scratch->stamp[root] == op ? scratch->bytes[root] : 0;
        scratch->stamp[root] = op;
        scratch->bytes[root] = view->tensors[root].bytes;
        sum += view->tensors[root].bytes - before;
    }
    return sum;
}

/* What some device must hold in the last tick: parameters in use and storages kept to the end. */
static int64_t final_bytes(const regal_problem_view *view) {
    int64_t sum = 0;
    for (regal_id p = 0; p < view->parameter_count; ++p)
        if (view->parameter_begin[p + 1] > view->parameter_begin[p])
            sum += view->parameter_bytes[p];
    for (regal_id t = 0; t < view->tensor_count; ++t)
        if (view->tensors[t].root == t && view->tensors[t].kept)
            sum += view->tensors[t].bytes;
    return sum;
}

static int64_t memory_bound(const regal_problem_view *view, footprint_scratch *scratch) {
    for (regal_id p = 0; p < view->parameter_count; ++p)
        for (regal_id i = view->parameter_begin[p]; i < view->parameter_begin[p + 1]; ++i)
            scratch->resident[view->parameter_op[i]] += view->parameter_bytes[p];
    int64_t bound = divide_up(final_bytes(view), view->device_count);
    memset(scratch->stamp, 0xff, (size_t)view->tensor_count * sizeof *scratch->stamp);
    for (regal_id op = 0; op < view->op_count; ++op)
        raise_to(&bound, footprint(view, op, scratch));
    return bound;
}

regal_status regal_bounds_compute(regal_problem *problem) {
    const regal_problem_view *view = &problem->view;
    int64_t *tail = regal_problem_array(problem, view->op_count, sizeof *tail);
    footprint_scratch scratch = {
        .stamp = regal_allocate(view->tensor_count, sizeof *scratch.stamp),
        .bytes = regal_allocate(view->tensor_count, sizeof *scratch.bytes),
        .resident = regal_allocate_zeroed(view->op_count, sizeof *scratch.resident)};
    const bool ok =
        tail != NULL && scratch.stamp != NULL && scratch.bytes != NULL && scratch.resident != NULL;
    if (ok) {
        fill_tails(view, tail);
        problem->view.tail = tail;
        problem->bounds.time = critical_path(view, tail);
        raise_to(&problem->bounds.time, work_bound(view));
        problem->bounds.memory = memory_bound(view, &scratch);
    }
    free(scratch.stamp);
    free(scratch.bytes);
    free(scratch.resident);
    REGAL_FAIL_IF(!ok, REGAL_OUT_OF_MEMORY, "memory ran out");
    return REGAL_OK;
}

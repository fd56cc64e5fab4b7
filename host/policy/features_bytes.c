#include <stdlib.h>

#include "base/carver.h"
#include "base/error.h"
#include "baselines/methods.h"
#include "policy/feature_parts.h"

typedef struct storages {
    const regal_problem_view *view;
    regal_id *seen;    /* [tensor] of a root: the op that met it last, or -1 */
    regal_id *readers; /* [tensor] of a root: ops that read it or an alias of it */
    double *parameter_bytes, *shared_bytes; /* [op] */
    int64_t *level;                         /* [op] bytes in use while it runs */
    double unit;                            /* bytes of a mean op */
} storages;

static void carve(storages *s, regal_carver *carver) {
    const regal_problem_view *view = s->view;
    s->parameter_bytes = regal_carve(carver, view->op_count, sizeof *s->parameter_bytes);
    s->shared_bytes = regal_carve(carver, view->op_count, sizeof *s->shared_bytes);
    s->level = regal_carve(carver, view->op_count, sizeof *s->level);
    s->seen = regal_carve(carver, view->tensor_count, sizeof *s->seen);
    s->readers = regal_carve(carver, view->tensor_count, sizeof *s->readers);
}

/* The next storage that an op reads, each once; -1 past the last. *at starts at its input_begin. */
static regal_id next_read(storages *s, regal_id op, regal_id *at) {
    const regal_problem_view *view = s->view;
    while (*at < view->ops[op + 1].input_begin) {
        const regal_id root = view->tensors[view->inputs[(*at)++].tensor].root;
        if (s->seen[root] != op) {
            s->seen[root] = op;
            return root;
        }
    }
    return -1;
}

static void forget(storages *s) {
    for (regal_id t = 0; t < s->view->tensor_count; ++t)
        s->seen[t] = -1;
}

static void count_readers(storages *s) {
    for (regal_id t = 0; t < s->view->tensor_count; ++t)
        s->readers[t] = 0;
    forget(s);
    for (regal_id op = 0; op < s->view->op_count; ++op) {
        regal_id at = s->view->ops[op].input_begin;
        for (regal_id root; (root = next_read(s, op, &at)) >= 0;)
            s->readers[root]++;
    }
    forget(s);
}

static void sum_parameters(storages *s) {
    const regal_problem_view *view = s->view;
    for (regal_id op = 0; op < view->op_count; ++op)
        s->parameter_bytes[op] = s->shared_bytes[op] = 0;
    for (regal_id p = 0; p < view->parameter_count; ++p) {
        const regal_id begin = view->parameter_begin[p], end = view->parameter_begin[p + 1];
        for (regal_id i = begin; i < end; ++i) {
            const regal_id op = view->parameter_op[i];
            s->parameter_bytes[op] += (double)view->parameter_bytes[p];
            s->shared_bytes[op] += end - begin > 1 ? (double)view->parameter_bytes[p] : 0;
        }
    }
}

/* Of the storages; where they are empty, of all else, so that units cancel in any case. */
static double find_unit(const storages *s) {
    const regal_problem_view *view = s->view;
    double made = 0, other = 0;
    for (regal_id t = 0; t < view->tensor_count; ++t)
        made += view->tensors[t].root == t ? (double)view->tensors[t].bytes : 0;
    for (regal_id op = 0; op < view->op_count; ++op)
        other += (double)view->ops[op].workspace + s->parameter_bytes[op];
    return (made > 0 ? made : other) / (double)view->op_count;
}

/* What an op makes. */
typedef struct made_facts {
    double bytes, kept, left; /* left: read or kept after it */
    bool alias;
} made_facts;

static made_facts look_at_made(const storages *s, regal_id op) {
    const regal_problem_view *view = s->view;
    made_facts made = {0};
    for (regal_id o = view->ops[op].output_begin; o < view->ops[op + 1].output_begin; ++o) {
        const regal_id tensor = view->output_tensor[o];
        const double bytes = (double)view->tensors[tensor].bytes;
        if (view->tensors[tensor].root != tensor) {
            made.alias = true;
            continue;
        }
        made.bytes += bytes;
        made.kept += view->tensors[tensor].kept ? bytes : 0;
        made.left += view->tensors[tensor].kept || s->readers[tensor] > 0 ? bytes : 0;
    }
    return made;
}

typedef struct read_facts {
    double bytes, freed;
    double count, shares, sole; /* storages; sum of 1 / readers; with no other reader */
    regal_id widest;            /* most readers */
} read_facts;

static read_facts look_at_reads(storages *s, regal_id op) {
    const regal_problem_view *view = s->view;
    read_facts read = {0};
    regal_id at = view->ops[op].input_begin;
    for (regal_id root; (root = next_read(s, op, &at)) >= 0;) {
        const double bytes = (double)view->tensors[root].bytes;
        const regal_id readers = s->readers[root];
        read.bytes += bytes;
        read.freed += view->tensors[root].kept ? 0 : bytes / (double)readers;
        read.count++;
        read.shares += 1 / (double)readers;
        read.sole += readers == 1;
        read.widest = readers > read.widest ? readers : read.widest;
    }
    return read;
}

static double log_of_more(double value, double unit) {
    return unit > 0 ? 0.5 * log1p(value / unit) : 0;
}

static double signed_log(double value) {
    return value < 0 ? -log1p(-value) : log1p(value);
}

static void put_made(const storages *s, const regal_feature_work *work, regal_id op,
                     const made_facts *made) {
    regal_feature_put(work, op, REGAL_FEATURE_BYTES, regal_log_ratio(made->bytes, s->unit));
    regal_feature_put(work, op, REGAL_FEATURE_KEPT, regal_ratio(made->kept, made->bytes));
    regal_feature_put(work, op, REGAL_FEATURE_IN_PLACE, made->alias);
}

static void put_reads(const storages *s, const regal_feature_work *work, regal_id op,
                      const read_facts *read) {
    regal_feature_put(work, op, REGAL_FEATURE_INPUT_BYTES, regal_log_ratio(read->bytes, s->unit));
    regal_feature_put(work, op, REGAL_FEATURE_READS, read->shares - 1);
    regal_feature_put(work, op, REGAL_FEATURE_SOLE_READER, regal_ratio(read->sole, read->count));
    regal_feature_put(work, op, REGAL_FEATURE_WIDEST_READ, log1p((double)read->widest) - 1);
}

static void put_resident(const storages *s, const regal_feature_work *work, regal_id op) {
    const double workspace = (double)s->view->ops[op].workspace;
    regal_feature_put(work, op, REGAL_FEATURE_WORKSPACE, log_of_more(workspace, s->unit));
    regal_feature_put(work, op, REGAL_FEATURE_HAS_WORKSPACE, workspace > 0);
    regal_feature_put(work, op, REGAL_FEATURE_PARAMETER_BYTES,
                      log_of_more(s->parameter_bytes[op], s->unit));
    regal_feature_put(work, op, REGAL_FEATURE_HAS_PARAMETERS, s->parameter_bytes[op] > 0);
    regal_feature_put(work, op, REGAL_FEATURE_PARAMETERS_SHARED,
                      regal_ratio(s->shared_bytes[op], s->parameter_bytes[op]));
}

/* The features of each op, and what is ranked afterwards. */
static void put_ops(storages *s, regal_feature_work *work) {
    for (regal_id op = 0; op < s->view->op_count; ++op) {
        const made_facts made = look_at_made(s, op);
        const read_facts read = look_at_reads(s, op);
        work->made_bytes[op] = made.bytes;
        work->input_bytes[op] = read.bytes;
        work->value[op] = (float)signed_log(regal_ratio(read.freed - made.left, s->unit));
        regal_feature_put(work, op, REGAL_FEATURE_FREED, (double)work->value[op]);
        put_made(s, work, op, &made);
        put_reads(s, work, op, &read);
        put_resident(s, work, op);
    }
    regal_feature_put_rank(work, REGAL_FEATURE_FREED_RANK);
}

static void put_sums(const storages *s, const regal_feature_work *work) {
    const regal_problem_view *view = s->view;
    double moved = 0;
    for (regal_id op = 0; op < view->op_count; ++op)
        moved += work->input_bytes[op] + work->made_bytes[op];
    for (regal_id op = 0; op < view->op_count; ++op) {
        const double bytes = work->input_bytes[op] + work->made_bytes[op];
        const double share = regal_ratio(bytes, moved);
        const double time = regal_ratio((double)work->op_ticks[op], work->total_ticks);
        regal_feature_put(work, op, REGAL_FEATURE_INTENSITY,
                          moved > 0 ? (share > 0 ? regal_log_ratio(time, share) : 3) : 0);
        work->value[op] = (float)(work->input_bytes[op] + (double)view->ops[op].start_bytes);
        regal_feature_put(work, op, REGAL_FEATURE_WORKING_SET,
                          regal_log_ratio((double)work->value[op], s->unit));
    }
    regal_feature_put_rank(work, REGAL_FEATURE_WORKING_SET_RANK);
    for (regal_id op = 0; op < view->op_count; ++op)
        work->value[op] = (float)work->made_bytes[op];
    regal_feature_put_rank(work, REGAL_FEATURE_BYTES_RANK);
    regal_feature_put_deviation(work, REGAL_FEATURE_BYTES_DEVIATION);
}

/* Memory in use on one device that runs the order; returns its peak, without parameters. */
static int64_t run_order(storages *s, const regal_id *order) {
    const regal_problem_view *view = s->view;
    int64_t now = 0, peak = 0;
    count_readers(s);
    for (regal_id i = 0; i < view->op_count; ++i) {
        const regal_id op = order[i];
        now += view->ops[op].start_bytes;
        s->level[op] = now;
        peak = now > peak ? now : peak;
        now -= view->ops[op].workspace;
        regal_id at = view->ops[op].input_begin;
        for (regal_id root; (root = next_read(s, op, &at)) >= 0;)
            if (--s->readers[root] == 0 && !view->tensors[root].kept)
                now -= view->tensors[root].bytes;
        for (regal_id o = view->ops[op].output_begin; o < view->ops[op + 1].output_begin; ++o) {
            const regal_tensor_facts *tensor = &view->tensors[view->output_tensor[o]];
            if (tensor->root == view->output_tensor[o] && s->readers[tensor->root] == 0 &&
                !tensor->kept)
                now -= tensor->bytes;
        }
    }
    return peak;
}

static int64_t put_order(storages *s, const regal_feature_work *work, const regal_id *order,
                         regal_feature place, regal_feature level) {
    const int64_t n = s->view->op_count, peak = run_order(s, order);
    for (int64_t i = 0; i < n; ++i) {
        regal_feature_put(work, order[i], place, regal_position(i, n));
        regal_feature_put(work, order[i], level,
                          2 * regal_ratio((double)s->level[order[i]], (double)peak) - 1);
    }
    return peak;
}

static void put_orders(storages *s, regal_feature_work *work) {
    const regal_problem_view *view = s->view;
    const int64_t depth_first = put_order(s, work, work->depth_first, REGAL_FEATURE_DEPTH_FIRST,
                                          REGAL_FEATURE_DEPTH_FIRST_LEVEL);
    const int64_t greedy =
        put_order(s, work, work->greedy, REGAL_FEATURE_GREEDY, REGAL_FEATURE_GREEDY_LEVEL);
    work->one_device_bytes = (double)(depth_first < greedy ? depth_first : greedy);
    for (regal_id p = 0; p < view->parameter_count; ++p)
        work->one_device_bytes += (double)view->parameter_bytes[p];
    for (regal_id i = 0; i < view->op_count; ++i)
        work->position[work->depth_first[i]] = (float)regal_position(i, view->op_count);
}

regal_status regal_features_of_bytes(regal_feature_work *work) {
    REGAL_FORWARD(regal_depth_first_order(work->view, work->depth_first));
    REGAL_FORWARD(regal_greedy_memory_order(work->view, work->greedy));
    storages s = {.view = work->view};
    regal_carver carver = {0};
    carve(&s, &carver);
    void *memory = regal_carver_memory(&carver);
    REGAL_FAIL_IF_NULL(memory);
    carver = (regal_carver){.base = memory};
    carve(&s, &carver);
    count_readers(&s);
    sum_parameters(&s);
    s.unit = find_unit(&s);
    put_ops(&s, work);
    put_sums(&s, work);
    put_orders(&s, work);
    free(memory);
    return REGAL_OK;
}

#include <string.h>

#include "base/error.h"
#include "baselines/upward_rank.h"
#include "policy/feature_parts.h"
#include "regal/core/duration.h"
#include "regal/core/placement.h"

static void put_costs(const regal_feature_work *work) {
    const regal_problem_view *view = work->view;
    const double mean = work->total_ticks / (double)view->op_count;
    for (regal_id op = 0; op < view->op_count; ++op) {
        const uint64_t allowed = view->allowed[view->leader[op]];
        int64_t least = INT64_MAX, most = 0;
        for (uint64_t set = allowed; set != 0; set &= set - 1) {
            const int64_t ticks = regal_op_ticks(view, op, regal_set_first(set));
            least = ticks < least ? ticks : least;
            most = ticks > most ? ticks : most;
        }
        work->value[op] = (float)work->op_ticks[op];
        regal_feature_put(work, op, REGAL_FEATURE_COST,
                          regal_log_ratio((double)work->op_ticks[op], mean));
        regal_feature_put(work, op, REGAL_FEATURE_DEVICE_SPREAD,
                          regal_log_ratio((double)most, (double)least));
        regal_feature_put(work, op, REGAL_FEATURE_FREEDOM,
                          (double)regal_set_size(allowed) / view->device_count);
    }
    regal_feature_put_rank(work, REGAL_FEATURE_COST_RANK);
    regal_feature_put_deviation(work, REGAL_FEATURE_COST_DEVIATION);
}

static void put_transfers(const regal_feature_work *work) {
    const regal_problem_view *view = work->view;
    for (regal_id op = 0; op < view->op_count; ++op) {
        double sent = 0, received = 0;
        for (regal_id o = view->ops[op].output_begin; o < view->ops[op + 1].output_begin; ++o)
            sent += (double)work->tensor_ticks[view->output_tensor[o]];
        for (regal_id i = view->ops[op].input_begin; i < view->ops[op + 1].input_begin; ++i)
            received += (double)work->tensor_ticks[view->inputs[i].tensor];
        const double own = (double)work->op_ticks[op];
        regal_feature_put(work, op, REGAL_FEATURE_SENDS, regal_log_ratio(sent, own));
        regal_feature_put(work, op, REGAL_FEATURE_RECEIVES, regal_log_ratio(received, own));
    }
}

/* Ranks as shares of the longest way, which is returned, to three features that follow each other.
 */
static double put_ways(const regal_feature_work *work, const regal_mean_ticks *mean,
                       regal_feature upward) {
    const regal_problem_view *view = work->view;
    regal_upward_rank(view, mean, work->upward);
    regal_downward_rank(view, mean, work->downward);
    double longest = 1;
    for (regal_id op = 0; op < view->op_count; ++op)
        longest = (double)work->upward[op] > longest ? (double)work->upward[op] : longest;
    for (regal_id op = 0; op < view->op_count; ++op) {
        const double up = (double)work->upward[op] / longest;
        const double down = (double)work->downward[op] / longest;
        regal_feature_put(work, op, upward, 2 * up - 1);
        regal_feature_put(work, op, upward + 1, 2 * down - 1);
        regal_feature_put(work, op, upward + 2, 1 - (up + down));
        work->early[op] = (float)down;
    }
    return longest;
}

_Static_assert(REGAL_FEATURE_DOWNWARD == REGAL_FEATURE_UPWARD + 1 &&
                   REGAL_FEATURE_SLACK == REGAL_FEATURE_UPWARD + 2 &&
                   REGAL_FEATURE_SENT_DOWNWARD == REGAL_FEATURE_SENT_UPWARD + 1 &&
                   REGAL_FEATURE_SENT_SLACK == REGAL_FEATURE_SENT_UPWARD + 2,
               "put_ways fills three features in a row");

regal_status regal_features_of_time(regal_feature_work *work) {
    const regal_problem_view *view = work->view;
    regal_mean_ticks mean;
    REGAL_FORWARD(regal_mean_ticks_create(view, &mean));
    memcpy(work->op_ticks, mean.op, (size_t)view->op_count * sizeof *mean.op);
    memcpy(work->tensor_ticks, mean.tensor, (size_t)view->tensor_count * sizeof *mean.tensor);
    for (regal_id op = 0; op < view->op_count; ++op)
        work->total_ticks += (double)mean.op[op];
    put_costs(work);
    put_transfers(work);
    work->longest_way = put_ways(work, &mean, REGAL_FEATURE_SENT_UPWARD);
    for (regal_id op = 0; op < view->op_count; ++op)
        work->value[op] = (float)work->upward[op];
    regal_feature_put_rank(work, REGAL_FEATURE_SENT_UPWARD_RANK);
    memset(mean.tensor, 0, (size_t)view->tensor_count * sizeof *mean.tensor);
    put_ways(work, &mean, REGAL_FEATURE_UPWARD);
    regal_mean_ticks_destroy(&mean);
    return REGAL_OK;
}

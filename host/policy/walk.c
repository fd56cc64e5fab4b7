#include "policy/walk.h"

#include <float.h>
#include <string.h>

#include "policy/walk_settle.h"
#include "policy/walk_sight.h"
#include "policy/walk_told.h"
#include "regal/core/activation.h"
#include "regal/core/placement.h"
#include "regal/core/random.h"

/* ---- the choice */

/* P(d) to share, 0 outside the allowed set. */
INLINE void probabilities(regal_walker *w, uint64_t allowed, const int D) {
    float greatest = -1e30f, sum = 0;
    EACH(d, D) {
        if (allowed >> d & 1)
            greatest = larger(greatest, w->score[d]);
    }
    EACH(d, D) {
        w->share[d] = allowed >> d & 1 ? regal_exp(w->score[d] - greatest) : 0;
        sum += w->share[d];
    }
    const float each = 1 / sum;
    EACH(d, D) w->share[d] *= each;
}

INLINE int draw_device(const regal_walker *w, uint64_t allowed, float unit, const int D) {
    int last = regal_set_first(allowed);
    EACH(d, D) {
        if ((allowed >> d & 1) == 0)
            continue;
        last = d;
        unit -= w->share[d];
        if (unit < 0)
            break;
    }
    return last;
}

INLINE int best_device(const regal_walker *w, uint64_t allowed, const int D) {
    int best = regal_set_first(allowed);
    EACH(d, D) {
        if ((allowed >> d & 1) && w->share[d] > w->share[best])
            best = d;
    }
    return best;
}

INLINE void learn(const regal_walk_question *q, regal_walker *w, regal_id op, int chosen,
                  const regal_placement_weights *gradient, float *channel_gradient, const int D) {
    w->log_probability += (double)regal_log(larger(w->share[chosen], FLT_MIN));
    EACH(d, D) w->share[d] = (d == chosen ? 1 : 0) - w->share[d];
    q->operators->learn(&q->weights, D, w->input, w->unit, w->share, gradient,
                        REGAL_PLACEMENT_INPUT_COUNT, channel_gradient + (int64_t)op * q->channels);
}

/* ---- the walk */

static void begin(regal_walker *w) {
    const regal_walk_graph *g = w->graph;
    const size_t row = (size_t)g->device_count * sizeof(float), n = (size_t)g->op_count;
    memset(w->ahead, 0, n * row);
    memset(w->near, 0, n * row);
    memset(w->control_ready, 0, n * sizeof *w->control_ready);
    memset(w->chosen, REGAL_WALK_NONE, n * sizeof *w->chosen);
    memset(w->hosts, 0, (size_t)g->view->parameter_count * sizeof *w->hosts);
    memset(w->link_free, 0, (size_t)g->device_count * row);
    float *const rows[] = {w->in_free, w->out_free, w->free,  w->load,
                           w->memory,  w->peak,     w->recent};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        memset(rows[i], 0, row);
    w->greatest_peak = w->bound = 0;
    w->log_probability = 0;
    w->previous = -1;
}

INLINE int choose(const regal_walk_question *q, regal_walker *w, regal_id op, int64_t place,
                  uint64_t allowed, const regal_placement_weights *gradient,
                  float *channel_gradient, const int D) {
    const regal_problem_view *view = w->graph->view;
    const int64_t inputs = view->ops[op + 1].input_begin - view->ops[op].input_begin;
    see_consumers(w, op, D);
    put_times(w, op, D);
    put_bytes(w, inputs, D);
    put_memory(w, D);
    put_op(w, q, op, place, inputs, D);
    q->operators->score(&q->weights, D, w->input, w->unit, w->score);
    probabilities(w, allowed, D);
    int chosen;
    if (q->greedy) {
        chosen = best_device(w, allowed, D);
    } else {
        const regal_stream stream =
            regal_stream_make(q->seed, REGAL_STAGE_ROLLOUT, 0, q->purpose, q->rollout);
        const regal_random_block block = regal_draw(&stream, (uint32_t)(place / 2));
        chosen = draw_device(w, allowed, regal_open_unit(block.word[2 * (place & 1) + 1]), D);
    }
    if (gradient != NULL)
        learn(q, w, op, chosen, gradient, channel_gradient, D);
    return chosen;
}

INLINE void walk_on(const regal_walk_question *q, regal_walker *w, const regal_id *sequence,
                    uint8_t *device, const regal_placement_weights *gradient,
                    float *channel_gradient, const int D) {
    const regal_problem_view *view = w->graph->view;
    for (int64_t place = 0; place < w->graph->op_count; ++place) {
        const regal_id op = sequence[place], leader = view->leader[op];
        const uint64_t allowed = view->allowed[leader];
        see_inputs(w, op, device, D);
        see_memory(w, op, D);
        int at = w->chosen[leader];
        if (at == REGAL_WALK_NONE && (allowed & (allowed - 1)) == 0)
            at = regal_set_first(allowed);
        if (at == REGAL_WALK_NONE)
            at = choose(q, w, op, place, allowed, gradient, channel_gradient, D);
        settle(w, op, at, device, D);
    }
}

double regal_walk(const regal_walk_question *question, regal_walker *walker,
                  const regal_id *sequence, uint8_t *device,
                  const regal_placement_weights *gradient, float *channel_gradient) {
    begin(walker);
    switch (walker->graph->device_count) {
    case 2:
        walk_on(question, walker, sequence, device, gradient, channel_gradient, 2);
        break;
    case 4:
        walk_on(question, walker, sequence, device, gradient, channel_gradient, 4);
        break;
    default:
        walk_on(question, walker, sequence, device, gradient, channel_gradient,
                walker->graph->device_count);
    }
    return walker->log_probability;
}

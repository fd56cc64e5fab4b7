#include "policy/walk.h"

#include <string.h>

#include "policy/gumbel.h"
#include "policy/walk_state.h"
#include "regal/core/activation.h"
#include "regal/core/placement.h"
#include "regal/core/random.h"

/* Each step below is compiled for 2, 4 and any number of devices: with a known number, loops over
 * them become vectors. */
#define INLINE     static inline __attribute__((always_inline))
#define EACH(d, D) for (int d = 0; d < (D); ++d)

INLINE float larger(float a, float b) {
    return a > b ? a : b;
}

INLINE float smaller(float a, float b) {
    return a < b ? a : b;
}

INLINE float least_of(const float *x, const int D) {
    float least = x[0];
    EACH(d, D) least = smaller(least, x[d]);
    return least;
}

/* Like x where it is small, at most 8. */
INLINE float soft(float x) {
    const float size = x < 0 ? -x : x;
    return x / (1.0f + 0.125f * size);
}

/* ---- the op: its inputs */

/* The row of links out of a device, as the inputs seen so far would leave it. */
INLINE float *sent_row(regal_walker *w, int from, const int D) {
    float *row = w->sent + from * D;
    if ((w->touched >> from & 1) == 0) {
        EACH(d, D) row[d] = w->link_free[from * D + d];
        w->touched |= (uint64_t)1 << from;
    }
    return row;
}

INLINE void see_input(regal_walker *w, regal_id tensor, int home, const int D) {
    const regal_walk_graph *g = w->graph;
    const float *there = w->avail + (int64_t)tensor * D;
    const float *latency = g->latency + home * D, *pace = g->pace + home * D;
    const float bytes = g->bytes[tensor], made = there[home];
    const float last = w->readers[tensor] == 1 ? bytes : 0;
    float *row = sent_row(w, home, D);
    EACH(d, D) {
        const bool here = there[d] >= 0;
        const float sent = larger(row[d], made) + latency[d] + pace[d] * bytes;
        const float arrival = here ? there[d] : sent;
        row[d] = here ? row[d] : sent;
        w->arrival[d] = larger(w->arrival[d], arrival);
        w->present[d] += here ? bytes : 0;
        w->missing[d] += here ? 0 : bytes;
        w->fresh[d] += here ? 0 : 1;
        w->freed[d] += here ? last : 0;
    }
    w->input_bytes += bytes;
    w->freed_all += last;
}

INLINE void see_inputs(regal_walker *w, regal_id op, const uint8_t *device, const int D) {
    const regal_problem_view *view = w->graph->view;
    const float ready = w->control_ready[op];
    float heaviest = -1, latest = -1;
    EACH(d, D) {
        w->arrival[d] = ready;
        w->present[d] = w->missing[d] = w->fresh[d] = w->freed[d] = 0;
    }
    w->touched = 0;
    w->input_bytes = w->freed_all = 0;
    w->heavy = w->late = -1;
    for (regal_id i = view->ops[op].input_begin; i < view->ops[op + 1].input_begin; ++i) {
        const regal_id tensor = view->inputs[i].tensor;
        const int home = device[view->tensors[tensor].producer];
        const float made = w->avail[(int64_t)tensor * D + home];
        see_input(w, tensor, home, D);
        if (w->graph->bytes[tensor] > heaviest) {
            heaviest = w->graph->bytes[tensor];
            w->heavy = home;
        }
        if (made > latest) {
            latest = made;
            w->late = home;
        }
    }
    const float *ticks = w->graph->ticks + (int64_t)op * D;
    EACH(d, D) {
        w->start[d] = larger(w->arrival[d], w->free[d]);
        w->finish[d] = w->start[d] + ticks[d];
    }
}

INLINE void see_memory(regal_walker *w, regal_id op, const int D) {
    const regal_walk_graph *g = w->graph;
    const regal_problem_view *view = g->view;
    w->made = g->workspace[op];
    for (regal_id o = view->ops[op].output_begin; o < view->ops[op + 1].output_begin; ++o)
        w->made += g->stored[view->output_tensor[o]];
    EACH(d, D) w->weights[d] = 0;
    for (int64_t i = g->weight_begin[op]; i < g->weight_begin[op + 1]; ++i)
        EACH(d, D)
    w->weights[d] += (w->hosts[g->weight[i]] >> d & 1) != 0 ? 0 : g->weight_bytes[g->weight[i]];
    EACH(d, D) {
        const float with = w->memory[d] + w->made + w->missing[d];
        w->rise[d] = larger(with, w->peak[d]) + w->weights[d];
    }
}

/* ---- the op: its consumers */

/* What a consumer can do at best if the op is placed here or there: how early it could start, and
 * so end the run. */
INLINE void look_ahead(regal_walker *w, regal_id consumer, float transfer, const int D) {
    const float *ahead = w->ahead + (int64_t)consumer * D;
    const float rank = w->graph->rank[consumer];
    float first = 1e30f, second = 1e30f;
    int first_at = 0;
    EACH(d, D) {
        const float there = larger(ahead[d], w->free[d]);
        if (there < first) {
            second = first;
            first = there;
            first_at = d;
        } else {
            second = smaller(second, there);
        }
    }
    EACH(d, D) {
        const float elsewhere = larger(w->finish[d] + transfer, d == first_at ? second : first);
        const float here = larger(w->finish[d], ahead[d]);
        w->through[d] = larger(w->through[d], smaller(here, elsewhere) + rank);
    }
}

INLINE void see_consumer(regal_walker *w, regal_id consumer, const int D) {
    const float *ahead = w->ahead + (int64_t)consumer * D;
    const float *near = w->near + (int64_t)consumer * D;
    const float least = least_of(ahead, D);
    EACH(d, D) {
        w->co_bytes[d] += near[d];
        w->co_late[d] += ahead[d] - least;
        w->co_first[d] += ahead[d] <= least ? 1 : 0;
    }
}

INLINE void see_consumers(regal_walker *w, regal_id op, const int D) {
    const regal_walk_graph *g = w->graph;
    const regal_problem_view *view = g->view;
    w->consumers = 0;
    EACH(d, D) {
        w->co_bytes[d] = w->co_late[d] = w->co_first[d] = 0;
        w->through[d] = w->finish[d];
    }
    for (regal_id o = view->ops[op].output_begin; o < view->ops[op + 1].output_begin; ++o) {
        const regal_id tensor = view->output_tensor[o];
        const regal_tensor_facts *facts = &view->tensors[tensor];
        for (regal_id e = facts[0].consumer_begin; e < facts[1].consumer_begin; ++e) {
            see_consumer(w, view->consumer[e], D);
            look_ahead(w, view->consumer[e], g->mean_transfer[tensor], D);
            ++w->consumers;
        }
    }
}

/* ---- what the head is told */

/* Each value above the least of all devices. */
INLINE void put_above(float *input, const float *value, float scale, const int D) {
    const float least = least_of(value, D);
    EACH(d, D) input[d] = soft((value[d] - least) * scale);
}

INLINE void put_first(float *input, const float *value, const int D) {
    const float least = least_of(value, D);
    EACH(d, D) input[d] = value[d] <= least ? 1 : 0;
}

INLINE void put_all(float *input, float value, const int D) {
    EACH(d, D) input[d] = value;
}

INLINE void put_one(float *input, int device, const int D) {
    EACH(d, D) input[d] = d == device ? 1 : 0;
}

/* The least of the other devices; with one device, its own. */
INLINE void least_of_others(const float *value, float *other, const int D) {
    float first = 1e30f, second = 1e30f;
    int first_at = 0;
    EACH(d, D) {
        if (value[d] < first) {
            second = first;
            first = value[d];
            first_at = d;
        } else {
            second = smaller(second, value[d]);
        }
    }
    EACH(d, D) other[d] = d == first_at && D > 1 ? second : first;
}

#define INPUT(NAME) (w->input + REGAL_PLACEMENT_##NAME * D)

INLINE void put_times(regal_walker *w, regal_id op, const int D) {
    const float first_start = least_of(w->start, D);
    const float rank = w->graph->rank[op];
    float mean = 0;
    EACH(d, D) mean += w->load[d];
    mean /= (float)D;
    put_above(INPUT(FINISH), w->finish, 1, D);
    put_first(INPUT(FIRST_FINISH), w->finish, D);
    put_above(INPUT(START), w->start, 1, D);
    put_above(INPUT(ARRIVAL), w->arrival, 1, D);
    put_above(INPUT(FREE), w->free, 1, D);
    put_above(INPUT(AHEAD), w->through, 1, D);
    put_first(INPUT(FIRST_AHEAD), w->through, D);
    w->bound = larger(w->bound, first_start + rank);
    EACH(d, D) {
        INPUT(GAP)[d] = soft(w->start[d] - w->free[d]);
        INPUT(LOAD)[d] = soft((w->load[d] - mean) * 0.5f);
        INPUT(CRITICAL)[d] = soft((w->start[d] + rank - w->bound) * 0.5f);
        INPUT(BACKLOG_IN)[d] = soft(larger(w->in_free[d] - w->start[d], 0) * 0.5f);
        INPUT(BACKLOG_OUT)[d] = soft(larger(w->out_free[d] - w->finish[d], 0) * 0.5f);
    }
}

INLINE void put_bytes(regal_walker *w, int64_t inputs, const int D) {
    const float each_input = inputs > 0 ? 1.0f / (float)inputs : 0;
    const float each_byte = w->input_bytes > 0 ? 1 / w->input_bytes : 0;
    const float each_consumer = w->consumers > 0 ? 1.0f / (float)w->consumers : 0;
    float co_all = 1e-6f;
    EACH(d, D) co_all += w->co_bytes[d];
    const float each_co = 1 / co_all;
    EACH(d, D) {
        INPUT(PRESENT)[d] = w->present[d] * each_byte;
        INPUT(MISSING)[d] = soft(w->missing[d]);
        INPUT(TRANSFERS)[d] = w->fresh[d] * each_input;
        INPUT(CO_SHARE)[d] = w->co_bytes[d] * each_co;
        INPUT(CO_BYTES)[d] = soft(w->co_bytes[d] * each_consumer);
        INPUT(CO_FIRST)[d] = w->co_first[d] * each_consumer;
        INPUT(CO_LATE)[d] = soft(w->co_late[d] * each_consumer);
    }
}

INLINE void put_memory(regal_walker *w, const int D) {
    float other_memory[REGAL_WALK_DEVICES], other_rise[REGAL_WALK_DEVICES];
    float other_peak[REGAL_WALK_DEVICES];
    least_of_others(w->memory, other_memory, D);
    least_of_others(w->rise, other_rise, D);
    least_of_others(w->peak, other_peak, D);
    const float inverse_peak = w->greatest_peak > 0 ? 1 / w->greatest_peak : 0;
    const float freed_all = soft(w->freed_all * 0.5f);
    EACH(d, D) {
        const float capacity = w->graph->capacity[d], rise = w->rise[d];
        const float room = capacity > 0 ? rise / capacity : 0;
        INPUT(MEMORY)[d] = soft((w->memory[d] - other_memory[d]) * 0.2f);
        INPUT(RISE)[d] = soft((rise - w->greatest_peak) * 0.2f);
        INPUT(RISE_ELSEWHERE)[d] = soft((other_rise[d] - w->greatest_peak) * 0.2f);
        INPUT(RISE_SHARE)[d] = soft(rise * inverse_peak);
        INPUT(FREED)[d] = soft(w->freed[d]);
        INPUT(FREED_ALL)[d] = freed_all;
        INPUT(PEAK)[d] = soft((w->peak[d] - other_peak[d]) * 0.2f);
        INPUT(RECENT)[d] = 2 * w->recent[d];
        INPUT(WEIGHTS)[d] = soft(w->weights[d]);
        INPUT(ROOM)[d] = smaller(room, 2);
        INPUT(OVERFLOW)[d] = room > 1 ? 1 : 0;
    }
}

INLINE void put_op(regal_walker *w, const regal_walk_question *q, regal_id op, int64_t place,
                   int64_t inputs, const int D) {
    put_one(INPUT(HEAVY), w->heavy, D);
    put_one(INPUT(LATE), w->late, D);
    put_one(INPUT(PREVIOUS), w->previous, D);
    put_all(INPUT(PROGRESS), 2 * (float)place / (float)w->graph->op_count - 1, D);
    put_all(INPUT(OUTPUTS), regal_log(1 + (float)w->consumers) - 1, D);
    put_all(INPUT(INPUTS), regal_log(1 + (float)inputs) - 1, D);
    for (int64_t c = 0; c < q->channels; ++c)
        put_all(w->input + (REGAL_PLACEMENT_INPUT_COUNT + c) * D,
                q->channel[(int64_t)op * q->channels + c], D);
}

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
    EACH(d, D) w->share[d] = (d == chosen ? 1 : 0) - w->share[d];
    q->operators->learn(&q->weights, D, w->input, w->unit, w->share, gradient,
                        REGAL_PLACEMENT_INPUT_COUNT, channel_gradient + (int64_t)op * q->channels);
}

/* ---- what follows from it */

INLINE void send_inputs(regal_walker *w, regal_id op, int to, const uint8_t *device, const int D) {
    const regal_walk_graph *g = w->graph;
    const regal_problem_view *view = g->view;
    for (regal_id i = view->ops[op].input_begin; i < view->ops[op + 1].input_begin; ++i) {
        const regal_id tensor = view->inputs[i].tensor;
        const int from = device[view->tensors[tensor].producer];
        float *there = w->avail + (int64_t)tensor * D;
        if (there[to] >= 0)
            continue;
        const int link = from * D + to;
        const float begin = larger(w->link_free[link], there[from]);
        there[to] = begin + g->latency[link] + g->pace[link] * g->bytes[tensor];
        w->link_free[link] = there[to];
        w->in_free[to] = larger(w->in_free[to], there[to]);
        w->out_free[from] = larger(w->out_free[from], there[to]);
        w->memory[to] += g->bytes[tensor];
    }
}

INLINE void hold_memory(regal_walker *w, regal_id op, int at) {
    const regal_walk_graph *g = w->graph;
    for (int64_t i = g->weight_begin[op]; i < g->weight_begin[op + 1]; ++i)
        w->hosts[g->weight[i]] |= (uint64_t)1 << at;
    w->memory[at] += w->made + w->weights[at];
    w->peak[at] = larger(w->peak[at] + w->weights[at], w->memory[at]);
    w->greatest_peak = larger(w->greatest_peak, w->peak[at]);
    w->memory[at] -= g->workspace[op];
}

/* A tensor goes with its last reader, wherever it is. */
INLINE void free_inputs(regal_walker *w, regal_id op, const uint8_t *device, const int D) {
    const regal_walk_graph *g = w->graph;
    const regal_problem_view *view = g->view;
    for (regal_id i = view->ops[op].input_begin; i < view->ops[op + 1].input_begin; ++i) {
        const regal_id tensor = view->inputs[i].tensor;
        const regal_tensor_facts *facts = &view->tensors[tensor];
        if (--w->readers[tensor] > 0)
            continue;
        const int home = device[facts->producer];
        const float *there = w->avail + (int64_t)tensor * D;
        EACH(d, D) {
            if (d != home && there[d] >= 0)
                w->memory[d] -= g->bytes[tensor];
        }
        if (!view->tensors[facts->root].kept)
            w->memory[home] -= g->stored[tensor];
    }
}

INLINE void announce_output(regal_walker *w, regal_id tensor, int at, float made, const int D) {
    const regal_walk_graph *g = w->graph;
    const regal_tensor_facts *facts = &g->view->tensors[tensor];
    const float bytes = g->bytes[tensor];
    float *there = w->avail + (int64_t)tensor * D, arrival[REGAL_WALK_DEVICES];
    EACH(d, D) {
        const int link = at * D + d;
        const float begin = d == at ? made : larger(w->link_free[link], made);
        arrival[d] = begin + g->latency[link] + g->pace[link] * bytes;
        there[d] = d == at ? made : -1;
    }
    for (regal_id e = facts[0].consumer_begin; e < facts[1].consumer_begin; ++e) {
        float *ahead = w->ahead + (int64_t)g->view->consumer[e] * D;
        w->near[(int64_t)g->view->consumer[e] * D + at] += bytes;
        EACH(d, D) ahead[d] = larger(ahead[d], arrival[d]);
    }
    w->readers[tensor] = (int32_t)(facts[1].consumer_begin - facts[0].consumer_begin);
    if (w->readers[tensor] == 0 && !g->view->tensors[facts->root].kept)
        w->memory[at] -= g->stored[tensor];
}

INLINE void settle(regal_walker *w, regal_id op, int at, uint8_t *device, const int D) {
    const regal_problem_view *view = w->graph->view;
    const float made = w->finish[at];
    device[op] = (uint8_t)at;
    w->chosen[view->leader[op]] = (uint8_t)at;
    w->load[at] += made - w->start[at];
    w->free[at] = made;
    w->previous = at;
    EACH(d, D) w->recent[d] = 0.85f * w->recent[d] + (d == at ? 0.15f : 0);
    send_inputs(w, op, at, device, D);
    hold_memory(w, op, at);
    free_inputs(w, op, device, D);
    for (regal_id o = view->ops[op].output_begin; o < view->ops[op + 1].output_begin; ++o)
        announce_output(w, view->output_tensor[o], at, made, D);
    for (regal_id c = view->ops[op].control_begin; c < view->ops[op + 1].control_begin; ++c) {
        float *ready = &w->control_ready[view->control_successor[c]];
        *ready = larger(*ready, made);
    }
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

void regal_walk(const regal_walk_question *question, regal_walker *walker, const regal_id *sequence,
                uint8_t *device, const regal_placement_weights *gradient, float *channel_gradient) {
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
}

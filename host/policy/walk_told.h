/* What the placement head is told of the op that is placed next (placement_inputs.def). */
#ifndef REGAL_POLICY_WALK_TOLD_H
#define REGAL_POLICY_WALK_TOLD_H

#include "policy/gumbel.h"
#include "policy/walk_steps.h"

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

#endif

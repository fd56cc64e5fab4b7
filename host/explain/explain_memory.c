/* The memory of each device over time, and what it holds at its peak. */
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "explain/explanation_data.h"
#include "io/memory_buffers.h"

typedef struct change {
    int64_t device, tick, bytes;
} change;

static int compare_changes(const void *a, const void *b) {
    const change *left = a, *right = b;
    if (left->device != right->device)
        return left->device < right->device ? -1 : 1;
    return (left->tick > right->tick) - (left->tick < right->tick);
}

static change *list_changes(const regal_buffers *buffers) {
    change *changes = regal_allocate(2 * buffers->count, sizeof *changes);
    if (changes == NULL)
        return NULL;
    for (int64_t i = 0; i < buffers->count; ++i) {
        const regal_buffer *buffer = &buffers->items[i];
        changes[2 * i] = (change){buffer->device, buffer->from, buffer->bytes};
        changes[2 * i + 1] = (change){buffer->device, buffer->to, -buffer->bytes};
    }
    if (buffers->count > 0)
        qsort(changes, 2 * (size_t)buffers->count, sizeof *changes, compare_changes);
    return changes;
}

/* changes[0..count) are of one device. */
static regal_status draw_curve(const change *changes, int64_t count, memory_curve *curve) {
    curve->tick = regal_allocate(count + 1, sizeof *curve->tick);
    curve->bytes = regal_allocate(count + 1, sizeof *curve->bytes);
    REGAL_FAIL_IF(curve->tick == NULL || curve->bytes == NULL, REGAL_OUT_OF_MEMORY,
                  "memory ran out");
    curve->tick[0] = curve->bytes[0] = 0;
    curve->count = 1;
    int64_t now = 0, peak = 0;
    for (int64_t i = 0; i < count; ++i) {
        now += changes[i].bytes;
        if (i + 1 < count && changes[i + 1].tick == changes[i].tick)
            continue;
        if (changes[i].tick > 0 && now != curve->bytes[curve->count - 1])
            curve->tick[curve->count++] = changes[i].tick;
        curve->bytes[curve->count - 1] = now;
        if (now > peak) {
            peak = now;
            curve->peak_tick = changes[i].tick;
        }
    }
    return REGAL_OK;
}

static regal_status draw_curves(regal_explanation *e, const regal_buffers *buffers) {
    change *changes = list_changes(buffers);
    REGAL_FAIL_IF_NULL(changes);
    regal_status status = REGAL_OK;
    int64_t begin = 0;
    for (int64_t d = 0; d < e->device_count && status == REGAL_OK; ++d) {
        int64_t end = begin;
        while (end < 2 * buffers->count && changes[end].device == d)
            ++end;
        status = draw_curve(changes + begin, end - begin, &e->curves[d]);
        begin = end;
    }
    free(changes);
    return status;
}

/* ---- what is held at the peak */

static bool is_held(const regal_explanation *e, const regal_buffer *buffer) {
    const int64_t tick = e->curves[buffer->device].peak_tick;
    return buffer->from <= tick && tick < buffer->to;
}

static int compare_held(const void *a, const void *b) {
    const regal_held *left = a, *right = b;
    if (left->bytes != right->bytes)
        return left->bytes > right->bytes ? -1 : 1;
    if (left->kind != right->kind)
        return left->kind < right->kind ? -1 : 1;
    return (left->id > right->id) - (left->id < right->id);
}

static regal_status list_held(regal_explanation *e, const regal_buffers *buffers) {
    static const regal_held_kind KIND[] = {[REGAL_BUFFER_TENSOR] = REGAL_HELD_TENSOR,
                                           [REGAL_BUFFER_COPY] = REGAL_HELD_COPY,
                                           [REGAL_BUFFER_WORKSPACE] = REGAL_HELD_WORKSPACE,
                                           [REGAL_BUFFER_PARAMETER] = REGAL_HELD_PARAMETER};
    for (int64_t i = 0; i < buffers->count; ++i)
        if (is_held(e, &buffers->items[i]))
            e->curves[buffers->items[i].device].held_count++;
    for (int64_t d = 0; d < e->device_count; ++d) {
        e->curves[d].held = regal_allocate(e->curves[d].held_count, sizeof(regal_held));
        REGAL_FAIL_IF_NULL(e->curves[d].held);
        e->curves[d].held_count = 0;
    }
    for (int64_t i = 0; i < buffers->count; ++i) {
        const regal_buffer *buffer = &buffers->items[i];
        memory_curve *curve = &e->curves[buffer->device];
        if (is_held(e, buffer))
            curve->held[curve->held_count++] = (regal_held){
                KIND[buffer->kind], buffer->item, buffer->bytes, buffer->from, buffer->to};
    }
    for (int64_t d = 0; d < e->device_count; ++d)
        if (e->curves[d].held_count > 0)
            qsort(e->curves[d].held, (size_t)e->curves[d].held_count, sizeof(regal_held),
                  compare_held);
    return REGAL_OK;
}

regal_status regal_explain_memory(regal_explanation *explanation) {
    regal_buffers buffers;
    int64_t *finish = regal_allocate(explanation->plan->transfer_count, sizeof *finish);
    REGAL_FAIL_IF_NULL(finish);
    for (int64_t i = 0; i < explanation->plan->transfer_count; ++i)
        finish[i] = explanation->events[explanation->op_count + i].finish;
    regal_status status =
        regal_buffers_create(explanation->graph, explanation->plan, finish, &buffers);
    free(finish);
    REGAL_FORWARD(status);
    status = draw_curves(explanation, &buffers);
    if (status == REGAL_OK)
        status = list_held(explanation, &buffers);
    regal_buffers_destroy(&buffers);
    return status;
}

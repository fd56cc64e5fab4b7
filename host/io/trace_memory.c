#include "io/trace_memory.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/memory_buffers.h"

static int compare_changes(const void *left, const void *right) {
    const regal_memory_change *a = left, *b = right;
    if (a->device != b->device)
        return a->device < b->device ? -1 : 1;
    return (a->tick > b->tick) - (a->tick < b->tick);
}

static regal_status fill(const regal_buffers *buffers, int64_t device_count,
                         regal_memory_history *history) {
    history->resident = regal_allocate_zeroed(device_count, sizeof *history->resident);
    history->changes = regal_allocate(buffers->count, 2 * sizeof *history->changes);
    REGAL_FAIL_IF(history->resident == NULL || history->changes == NULL, REGAL_OUT_OF_MEMORY,
                  "memory ran out");
    for (int64_t i = 0; i < buffers->count; ++i) {
        const regal_buffer *buffer = &buffers->items[i];
        if (buffer->kind == REGAL_BUFFER_PARAMETER) {
            history->resident[buffer->device] += buffer->bytes;
            continue;
        }
        history->changes[history->count++] =
            (regal_memory_change){buffer->device, buffer->from, buffer->bytes};
        history->changes[history->count++] =
            (regal_memory_change){buffer->device, buffer->to, -buffer->bytes};
    }
    qsort(history->changes, (size_t)history->count, sizeof *history->changes, compare_changes);
    return REGAL_OK;
}

regal_status regal_memory_history_create(const regal_graph *graph, const regal_plan *plan,
                                         const int64_t *transfer_finish,
                                         regal_memory_history *history) {
    regal_buffers buffers;
    *history = (regal_memory_history){0};
    REGAL_FORWARD(regal_buffers_create(graph, plan, transfer_finish, &buffers));
    const regal_status status = fill(&buffers, plan->device_count, history);
    regal_buffers_destroy(&buffers);
    if (status != REGAL_OK)
        regal_memory_history_destroy(history);
    return status;
}

void regal_memory_history_destroy(regal_memory_history *history) {
    free(history->resident);
    free(history->changes);
    *history = (regal_memory_history){0};
}

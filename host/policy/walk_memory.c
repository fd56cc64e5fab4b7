#include <stdlib.h>

#include "base/carver.h"
#include "base/error.h"
#include "base/memory.h"
#include "policy/walk_state.h"

static void carve(regal_carver *c, int64_t inputs, int64_t hidden, regal_walker *w) {
    const regal_walk_graph *g = w->graph;
    const int64_t n = g->op_count, m = g->tensor_count, devices = g->device_count;
    const size_t row = (size_t)devices * sizeof(float);
    w->avail = regal_carve(c, m, row);
    w->ahead = regal_carve(c, n, row);
    w->near = regal_carve(c, n, row);
    w->control_ready = regal_carve(c, n, sizeof *w->control_ready);
    w->readers = regal_carve(c, m, sizeof *w->readers);
    w->chosen = regal_carve(c, n, sizeof *w->chosen);
    w->hosts = regal_carve(c, g->view->parameter_count, sizeof *w->hosts);
    w->link_free = regal_carve(c, devices, row);
    w->sent = regal_carve(c, devices, row);
    w->reach = regal_carve(c, devices, row);
    w->input = regal_carve(c, inputs, row);
    w->unit = regal_carve(c, hidden, row);
}

regal_status regal_walker_create(const regal_walk_graph *graph, int64_t inputs, int64_t hidden,
                                 regal_walker **walker) {
    regal_walker *w = regal_allocate_zeroed(1, sizeof *w);
    *walker = w;
    REGAL_FAIL_IF_NULL(w);
    w->graph = graph;
    regal_carver c = {0};
    carve(&c, inputs, hidden, w);
    c = (regal_carver){.base = regal_carver_memory(&c), .overflow = c.overflow};
    if (c.base == NULL) {
        free(w);
        *walker = NULL;
        REGAL_FAIL(REGAL_OUT_OF_MEMORY, "memory ran out");
    }
    carve(&c, inputs, hidden, w);
    w->memory_block = c.base;
    return REGAL_OK;
}

void regal_walker_destroy(regal_walker *walker) {
    if (walker == NULL)
        return;
    free(walker->memory_block);
    free(walker);
}

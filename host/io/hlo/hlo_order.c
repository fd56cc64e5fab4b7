/* The order of computations by who calls whom. */
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/hlo/hlo_module.h"

typedef struct frame {
    int64_t computation, call, end; /* the next of its calls, and where they end */
} frame;

typedef struct walk {
    hlo_module *module;
    frame *stack; /* [computation_count] */
    int64_t depth;
    enum { NEW, OPEN, DONE } * state; /* [computation_count] */
    int64_t *order, ordered;
} walk;

/* The calls of a computation's instructions lie behind each other. */
static void open_computation(walk *at, int64_t index) {
    const hlo_computation *computation = &at->module->computations[index];
    const hlo_instruction *first = &at->module->instructions[computation->first];
    const hlo_instruction *last = first + computation->count - 1;
    at->state[index] = OPEN;
    at->stack[at->depth++] = (frame){index, first->first_call, last->first_call + last->call_count};
}

static regal_status report_cycle(const walk *at, int64_t callee) {
    enum { SHOWN = 10 };
    char text[768];
    size_t used = 0;
    int64_t from = at->depth - 1;
    while (at->stack[from].computation != callee)
        --from;
    for (int64_t f = from; f < at->depth && f < from + SHOWN; ++f) {
        const hlo_slice name = at->module->computations[at->stack[f].computation].name;
        used += (size_t)snprintf(text + used, sizeof text - used, "%.*s -> ",
                                 name.size < 50 ? (int)name.size : 50, name.data);
    }
    const hlo_computation *first = &at->module->computations[callee];
    HLO_FAIL(at->module, first->place, "a cycle of computations that call each other: %s%s%.*s",
             text, at->depth - from > SHOWN ? "... -> " : "", HLO_TEXT(first->name));
}

static regal_status visit(walk *at, int64_t start) {
    open_computation(at, start);
    while (at->depth > 0) {
        frame *top = &at->stack[at->depth - 1];
        if (top->call == top->end) {
            at->state[top->computation] = DONE;
            at->order[at->ordered++] = top->computation;
            --at->depth;
            continue;
        }
        const int64_t callee = at->module->calls[top->call++].computation;
        if (at->state[callee] == OPEN)
            return report_cycle(at, callee);
        if (at->state[callee] == NEW)
            open_computation(at, callee);
    }
    return REGAL_OK;
}

regal_status regal_hlo_module_order(hlo_module *module, int64_t **order) {
    const int64_t count = module->computation_count;
    walk at = {.module = module,
               .stack = regal_allocate(count, sizeof *at.stack),
               .state = regal_allocate_zeroed(count, sizeof *at.state),
               .order = regal_allocate(count, sizeof *at.order)};
    regal_status status = REGAL_OK;
    if (at.stack == NULL || at.state == NULL || at.order == NULL)
        status = regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out");
    for (int64_t c = 0; status == REGAL_OK && c < count; ++c)
        if (at.state[c] == NEW)
            status = visit(&at, c);
    free(at.stack);
    free(at.state);
    if (status == REGAL_OK)
        *order = at.order;
    else
        free(at.order);
    return status;
}

/* Costs and inner memory of computations, callees first. */
#include "io/hlo/hlo_analysis.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/* How many uses of single arrays are followed, for each byte of text: a tuple's arrays stand in the
 * text once, but every use of the tuple uses them all. */
enum { USES_PER_BYTE = 16, USES_AT_LEAST = 4096 };

static int64_t greater(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static const int64_t *ticks_of(const hlo_module *module, int64_t computation) {
    return module->ticks + computation * module->class_count;
}

/* Adds `times` runs of the computation, op by op. */
static void run(const hlo_module *module, int64_t computation, int64_t times, hlo_cost *cost) {
    const hlo_computation *callee = &module->computations[computation];
    regal_load_merge_times(&cost->load, &callee->load, times);
    for (int64_t c = 0; c < module->class_count; ++c)
        cost->ticks[c] = regal_count_add(
            cost->ticks[c], regal_count_multiply(ticks_of(module, computation)[c], times));
    cost->workspace = greater(cost->workspace, callee->workspace);
}

static void run_dearest(const hlo_module *module, const hlo_instruction *conditional,
                        hlo_cost *cost) {
    for (int64_t b = 0; b < conditional->call_count; ++b) {
        const int64_t branch = module->calls[conditional->first_call + b].computation;
        const hlo_computation *callee = &module->computations[branch];
        for (int u = 0; u < REGAL_UNIT_COUNT; ++u)
            cost->load.flops[u] = greater(cost->load.flops[u], callee->load.flops[u]);
        cost->load.collective_bytes =
            greater(cost->load.collective_bytes, callee->load.collective_bytes);
        cost->load.counted = greater(cost->load.counted, callee->load.counted);
        for (int64_t c = 0; c < module->class_count; ++c)
            cost->ticks[c] = greater(cost->ticks[c], ticks_of(module, branch)[c]);
        cost->workspace = greater(cost->workspace, callee->workspace);
    }
}

static void run_loop(const hlo_module *module, hlo_instruction *loop, hlo_cost *cost) {
    int64_t trips;
    loop->is_endless = !regal_hlo_trip_count(module, loop, &trips);
    if (loop->is_endless)
        trips = 1;
    run(module, regal_hlo_call_find(module, loop, HLO_KEY_BODY), trips, cost);
    run(module, regal_hlo_call_find(module, loop, HLO_KEY_CONDITION), trips, cost);
}

regal_status regal_hlo_instruction_cost(const hlo_module *module, hlo_instruction *instruction,
                                        hlo_cost *cost) {
    cost->load = (regal_load){0};
    cost->workspace = 0;
    memset(cost->ticks, 0, (size_t)module->class_count * sizeof *cost->ticks);
    if (instruction->opcode == HLO_WHILE) {
        run_loop(module, instruction, cost);
    } else if (instruction->opcode == HLO_CONDITIONAL) {
        run_dearest(module, instruction, cost);
    } else if (instruction->opcode == HLO_CALL) {
        run(module, regal_hlo_call_find(module, instruction, HLO_KEY_TO_APPLY), 1, cost);
    } else if (instruction->opcode == HLO_ASYNC_START && instruction->wrapped == HLO_UNKNOWN) {
        run(module, regal_hlo_call_find(module, instruction, HLO_KEY_CALLS), 1, cost);
    } else if (instruction->opcode != HLO_AFTER_ALL &&
               regal_hlo_opcode_form(instruction->opcode) != HLO_FORM_DONE) { /* these only wait */
        REGAL_FORWARD(regal_hlo_instruction_load(module, instruction, &cost->load));
        for (int64_t c = 0; c < module->class_count; ++c)
            cost->ticks[c] = regal_load_ticks(module->profiles[c], &cost->load);
    }
    cost->load.bytes = 0;
    for (int64_t c = 0; c < module->class_count; ++c)
        cost->ticks[c] = greater(cost->ticks[c], 1);
    return REGAL_OK;
}

/* By position in the computation at hand. */
typedef struct scratch {
    int64_t *visited;   /* [instruction_count] */
    int64_t *workspace; /* [instruction_count] */
    __int128 *freed;    /* [instruction_count] bytes of the values used there last */
    hlo_cost cost;
} scratch;

static regal_status add_costs(hlo_module *module, int64_t index, scratch *work) {
    hlo_computation *computation = &module->computations[index];
    int64_t *ticks = module->ticks + index * module->class_count;
    computation->load = (regal_load){0};
    for (int64_t i = 0; i < computation->count; ++i) {
        hlo_instruction *instruction = &module->instructions[computation->first + i];
        work->workspace[i] = 0;
        if (!instruction->is_op)
            continue;
        REGAL_FORWARD(regal_hlo_instruction_cost(module, instruction, &work->cost));
        work->workspace[i] = work->cost.workspace;
        regal_load_merge_times(&computation->load, &work->cost.load, 1);
        for (int64_t c = 0; c < module->class_count; ++c)
            ticks[c] = regal_count_add(ticks[c], work->cost.ticks[c]);
    }
    return REGAL_OK;
}

/* Moves last uses and results from the members of each storage to its first leaf. */
static void gather_storages(hlo_module *module, const hlo_computation *computation) {
    for (int64_t i = 0; i < computation->count; ++i) {
        const hlo_instruction *instruction = &module->instructions[computation->first + i];
        for (int64_t l = instruction->first_leaf;
             l < instruction->first_leaf + instruction->leaf_count; ++l) {
            const hlo_leaf *leaf = &module->leaves[l];
            hlo_leaf *storage = &module->leaves[leaf->storage];
            if (leaf->source != l)
                continue;
            storage->last_use = greater(storage->last_use, greater(leaf->last_use, i));
            if (leaf->storage != l)
                storage->result_count += leaf->result_count;
        }
    }
}

/* The bytes that this leaf takes within the computation: none if it is a name for another, written
 * in place, or the caller's (parameters, results). */
static int64_t inner_bytes(const hlo_module *module, const hlo_instruction *instruction,
                           int64_t l) {
    const hlo_leaf *leaf = &module->leaves[l];
    if (leaf->source != l || leaf->storage != l || leaf->result_count > 0 ||
        instruction->opcode == HLO_PARAMETER)
        return 0;
    return module->nodes[leaf->node].bytes;
}

/* The peak in the order of the text. */
static void sweep_memory(hlo_module *module, hlo_computation *computation, scratch *work) {
    gather_storages(module, computation);
    for (int64_t i = 0; i < computation->count; ++i)
        work->freed[i] = 0;
    __int128 live = 0, peak = 0;
    for (int64_t i = 0; i < computation->count; ++i) {
        const hlo_instruction *instruction = &module->instructions[computation->first + i];
        for (int64_t l = instruction->first_leaf;
             l < instruction->first_leaf + instruction->leaf_count; ++l) {
            const int64_t bytes = inner_bytes(module, instruction, l);
            if (bytes == 0)
                continue;
            live += bytes;
            work->freed[module->leaves[l].last_use] += bytes;
        }
        if (live + work->workspace[i] > peak)
            peak = live + work->workspace[i];
        live -= work->freed[i];
    }
    computation->workspace = peak > INT64_MAX ? INT64_MAX : (int64_t)peak;
}

static regal_status analyze(hlo_module *module, const int64_t *order, scratch *work) {
    for (int64_t c = 0; c < module->computation_count; ++c) {
        REGAL_FORWARD(regal_hlo_values_resolve(module, order[c], false, work->visited));
        REGAL_FORWARD(add_costs(module, order[c], work));
        sweep_memory(module, &module->computations[order[c]], work);
    }
    return regal_hlo_values_resolve(module, module->entry, true, work->visited);
}

regal_status regal_hlo_module_analyze(hlo_module *module,
                                      const regal_device_profile *const *profiles,
                                      int64_t class_count) {
    module->profiles = profiles;
    module->class_count = class_count;
    module->use_budget = USES_AT_LEAST + USES_PER_BYTE * (module->end - module->text);
    int64_t *order;
    REGAL_FORWARD(regal_hlo_module_order(module, &order));
    const int64_t count = module->instruction_count;
    module->ticks =
        regal_allocate_zeroed(module->computation_count, (size_t)class_count * sizeof(int64_t));
    scratch work = {.visited = regal_allocate(count, sizeof *work.visited),
                    .workspace = regal_allocate(count, sizeof *work.workspace),
                    .freed = regal_allocate(count, sizeof *work.freed),
                    .cost.ticks = regal_allocate(class_count, sizeof *work.cost.ticks)};
    const bool ok = module->ticks != NULL && work.visited != NULL && work.workspace != NULL &&
                    work.freed != NULL && work.cost.ticks != NULL;
    const regal_status status =
        ok ? analyze(module, order, &work)
           : regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out");
    free(order);
    free(work.visited);
    free(work.workspace);
    free(work.freed);
    free(work.cost.ticks);
    return status;
}

/* Between the stages: a policy's roll-outs come to those that the annealing chains start from. */
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "search/search_state.h"

/* Evaluates given [count] in place of the worst individuals of island 0. */
static regal_status replace_worst(regal_search *search, regal_seed_individual *given,
                                  int64_t count) {
    const regal_backend *backend = search->backend;
    const regal_island_range island = {0, 1};
    const int64_t end = search->shape.population, begin = end - count;
    regal_fitness fitness;
    bool improved = false;
    for (int64_t i = 0; i < count; ++i)
        given[i].slot = begin + i;
    REGAL_FORWARD(backend->keep(search->instance, island, begin));
    REGAL_FORWARD(backend->seed(search->instance, island, (uint32_t)search->generation, begin, end,
                                given, count));
    REGAL_FORWARD(backend->evaluate(search->instance, island, begin, end));
    search->evaluations += count;
    REGAL_FORWARD(backend->rank(search->instance, island, end));
    REGAL_FORWARD(backend->fetch_best(search->instance, island, &fitness));
    REGAL_FORWARD(regal_search_note_best(search, 0, fitness, &improved));
    if (improved)
        search->origin = "policy";
    regal_search_report(search, improved);
    return REGAL_OK;
}

regal_status regal_search_join(regal_search *search) {
    const int64_t left = search->budget.evaluations - search->evaluations;
    const int64_t others = search->shape.population - 1, most = left < others ? left : others;
    if ((search->guide.uses & REGAL_USE_CHAINS) == 0)
        return REGAL_OK;
    regal_seed_individual *given = regal_allocate(search->seeds.count, sizeof *given);
    REGAL_FAIL_IF_NULL(given);
    int64_t count = 0;
    for (int64_t i = 0; i < search->seeds.count && count < most; ++i) {
        const regal_seed *seed = &search->seeds.items[i];
        if (seed->is_of_policy && !seed->is_placed)
            given[count++] = (regal_seed_individual){.window = seed->window, .genes = seed->genes};
    }
    const regal_status status = count > 0 ? replace_worst(search, given, count) : REGAL_OK;
    free(given);
    return status;
}

#include "regal/baseline.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "baselines/methods.h"
#include "regal/version.h"

typedef struct method {
    regal_make *make;
    const char *word, *name, *line;
    bool shown;
} method;

static const method methods[] = {
#define REGAL_BASELINE_METHOD(id, function, word, name, shown, line) \
    [id] = {regal_make_##function, word, name, line, shown},
    REGAL_BASELINE_LIST(REGAL_BASELINE_METHOD)
#undef REGAL_BASELINE_METHOD
};

static bool exists(regal_baseline baseline) {
    return (unsigned)baseline < REGAL_BASELINE_COUNT;
}

const char *regal_baseline_name(regal_baseline baseline) {
    return exists(baseline) ? methods[baseline].name : "";
}

const char *regal_baseline_word(regal_baseline baseline) {
    return exists(baseline) ? methods[baseline].word : "";
}

const char *regal_baseline_line(regal_baseline baseline) {
    return exists(baseline) ? methods[baseline].line : "";
}

bool regal_baseline_is_shown(regal_baseline baseline) {
    return exists(baseline) && methods[baseline].shown;
}

regal_status regal_baseline_find(const char *word, regal_baseline *baseline) {
    for (int i = 0; i < REGAL_BASELINE_COUNT; ++i)
        if (strcmp(word, methods[i].word) == 0) {
            *baseline = (regal_baseline)i;
            return REGAL_OK;
        }
    char words[1024];
    int length = 0;
    for (int i = 0; i < REGAL_BASELINE_COUNT && length < (int)sizeof words; ++i)
        length += snprintf(words + length, sizeof words - (size_t)length, "%s%s", i > 0 ? ", " : "",
                           methods[i].word);
    REGAL_FAIL(REGAL_INVALID_ARGUMENT, "there is no baseline '%.80s'; there are %s", word, words);
}

regal_status regal_make_baseline(const regal_problem *problem, regal_baseline baseline,
                                 regal_objective objective, uint64_t seed,
                                 regal_heuristic *heuristic) {
    *heuristic = (regal_heuristic){0};
    REGAL_FAIL_IF(!exists(baseline), REGAL_INVALID_ARGUMENT, "there is no baseline %d",
                  (int)baseline);
    regal_status status = methods[baseline].make(problem, objective, seed, heuristic);
    if (status == REGAL_OK && heuristic->plan == NULL)
        status = regal_heuristic_decode(problem, heuristic);
    if (status != REGAL_OK)
        regal_heuristic_destroy(heuristic);
    return status;
}

regal_status regal_baseline_plan(const regal_problem *problem, regal_baseline baseline,
                                 regal_objective objective, uint64_t seed, regal_plan **plan) {
    *plan = NULL;
    regal_heuristic heuristic;
    REGAL_FORWARD(regal_make_baseline(problem, baseline, objective, seed, &heuristic));
    const regal_made made = {.version = REGAL_VERSION,
                             .origin = regal_baseline_name(baseline),
                             .window = -1,
                             .evaluations = -1,
                             .generations = -1,
                             .rounds = -1,
                             .threads = -1,
                             .seconds = -1};
    const regal_status status = regal_plan_set_made(heuristic.plan, &made);
    if (status == REGAL_OK) {
        *plan = heuristic.plan;
        heuristic.plan = NULL;
    }
    regal_heuristic_destroy(&heuristic);
    return status;
}

// Results of an earlier evaluation, and values of best plans: any bytes are read or refused.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "policy/evaluate_data.h"

static const char kSet[] =
    R"({"format": "regal-set", "version": 1, "name": "a", "objective": "time",
        "clusters": [{"devices": 2, "link": "free"}], "graphs": [{"generator": "layered"}]})";

static regal_evaluation *MakeEvaluation() {
    static char words[] = R"({"rho": 0.7})";
    static regal_evaluation evaluation;
    if (regal_graph_set_parse(kSet, sizeof kSet - 1, "set", &evaluation.set) != REGAL_OK)
        abort();
    evaluation.objective = REGAL_TIME;
    evaluation.side[REGAL_REFERENCE].words = words;
    return &evaluation;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static const regal_evaluation *evaluation = MakeEvaluation();
    const char *data = reinterpret_cast<const char *>(bytes);
    regal_baseline_runs *runs = nullptr;
    if ((regal_baseline_runs_parse(data, size, "fuzz", evaluation, &runs) == REGAL_OK) !=
        (runs != nullptr))
        abort();
    char name[] = "g";
    regal_evaluated_problem problem{};
    problem.name = name;
    std::strcpy(problem.digest, "d");
    regal_evaluated_run run;
    for (int64_t repeat = 0; repeat < 3; ++repeat)
        regal_baseline_runs_find(runs, &problem, 5, repeat, &run);
    regal_baseline_runs_destroy(runs);
    regal_best_known *best = nullptr;
    if ((regal_best_known_parse(data, size, "fuzz", &best) == REGAL_OK) != (best != nullptr))
        abort();
    regal_best_known_destroy(best);
    return 0;
}

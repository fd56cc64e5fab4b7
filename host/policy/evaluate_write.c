/* regal-evaluation 1, out: one budget of a problem a line.
 *
 *   {"format": "regal-evaluation", "version": 1, "regal": "0.1.0",
 *    "set": "memory", "objective": "memory", "policy": "memory 0123...", "reference": "none",
 *    "search": {options}, "reference_search": {options}, "repeats": 3, "stopped": false,
 *    "seconds": 12.5, "summary": [{rows}],
 *    "problems": [{"name": "...", "digest": "...", "family": "...", "unseen": false, "ops": 90,
 *                  "bound": 1, "best": 2, "runs": [{"budget": 500,
 *      "policy": {"values": [], "excess": [], "seconds": []}, "reference": {likewise}}, ...]}]} */
#include <math.h>

#include "io/json_out.h"
#include "policy/evaluate_data.h"
#include "regal/version.h"

/* No digits more than say something; null where there is no number. */
static void put_real(regal_out *out, const char *key, double number) {
    if (isfinite(number))
        regal_out_format(out, ", \"%s\": %.6g", key, number);
    else
        regal_out_format(out, ", \"%s\": null", key);
}

static void put_text(regal_out *out, const char *key, const char *text) {
    regal_out_format(out, ", \"%s\": ", key);
    regal_out_string(out, text);
}

static void put_row(regal_out *out, const regal_evaluation_row *row) {
    regal_out_text(out, "{\"group\": ");
    regal_out_string(out, row->group);
    regal_out_format(out,
                     ", \"budget\": %lld, \"reference_budget\": %lld, \"problems\": %lld, "
                     "\"compared\": %lld",
                     (long long)row->budget, (long long)row->reference_budget,
                     (long long)row->problems, (long long)row->compared);
    put_real(out, "feasible", row->feasible);
    put_real(out, "reference_feasible", row->reference_feasible);
    put_real(out, "gain", row->gain);
    put_real(out, "error", row->error);
    put_real(out, "low", row->low);
    put_real(out, "high", row->high);
    put_real(out, "won", row->won);
    put_real(out, "captured", row->captured);
    put_real(out, "seconds", row->seconds);
    put_real(out, "reference_seconds", row->reference_seconds);
    regal_out_text(out, "}");
}

static void put_runs(regal_out *out, const regal_evaluated_run *runs, int64_t count) {
    regal_out_text(out, "{\"values\": [");
    for (int64_t i = 0; i < count; ++i)
        regal_out_format(out, "%s%lld", i > 0 ? ", " : "", (long long)runs[i].value);
    regal_out_text(out, "], \"excess\": [");
    for (int64_t i = 0; i < count; ++i)
        regal_out_format(out, "%s%lld", i > 0 ? ", " : "", (long long)runs[i].excess);
    regal_out_text(out, "], \"seconds\": [");
    for (int64_t i = 0; i < count; ++i)
        regal_out_format(out, "%s%.4g", i > 0 ? ", " : "", runs[i].seconds);
    regal_out_text(out, "]}");
}

static void put_problem(regal_out *out, const regal_evaluation *evaluation,
                        const regal_evaluated_problem *problem) {
    regal_out_text(out, "{\"name\": ");
    regal_out_string(out, problem->name);
    put_text(out, "digest", problem->digest);
    put_text(out, "family", problem->family);
    regal_out_format(out, ", \"unseen\": %s, \"ops\": %lld, \"bound\": %lld",
                     problem->unseen ? "true" : "false", (long long)problem->op_count,
                     (long long)problem->bound);
    if (problem->best >= 0)
        regal_out_format(out, ", \"best\": %lld", (long long)problem->best);
    regal_out_text(out, ", \"runs\": [");
    for (int64_t b = 0; b < evaluation->budget_count; ++b) {
        regal_out_format(out, "%s\n {\"budget\": %lld, \"policy\": ", b > 0 ? "," : "",
                         (long long)evaluation->budgets[b]);
        put_runs(out, regal_evaluated_runs(evaluation, problem, REGAL_WITH_POLICY, b),
                 evaluation->repeats);
        regal_out_text(out, ",\n  \"reference\": ");
        put_runs(out, regal_evaluated_runs(evaluation, problem, REGAL_REFERENCE, b),
                 evaluation->repeats);
        regal_out_text(out, "}");
    }
    regal_out_text(out, "]}");
}

static void put_head(regal_out *out, const regal_evaluation *evaluation) {
    regal_out_text(out, "{\"format\": \"regal-evaluation\", \"version\": 1");
    put_text(out, "regal", REGAL_VERSION);
    put_text(out, "set", regal_graph_set_name(evaluation->set));
    put_text(out, "objective", regal_objective_name(evaluation->objective));
    put_text(out, "policy", evaluation->side[REGAL_WITH_POLICY].name);
    put_text(out, "reference", evaluation->side[REGAL_REFERENCE].name);
    regal_out_text(out, ",\n\"search\": ");
    regal_out_text(out, evaluation->side[REGAL_WITH_POLICY].words);
    regal_out_text(out, ",\n\"reference_search\": ");
    regal_out_text(out, evaluation->side[REGAL_REFERENCE].words);
    regal_out_format(out, ",\n\"repeats\": %lld, \"stopped\": %s", (long long)evaluation->repeats,
                     evaluation->stopped ? "true" : "false");
    put_real(out, "seconds", evaluation->seconds);
}

regal_status regal_evaluation_write(const regal_evaluation *evaluation, const char *path) {
    regal_out out = {0};
    put_head(&out, evaluation);
    regal_out_text(&out, ",\n\"summary\": [");
    for (int64_t i = 0; i < evaluation->row_count; ++i) {
        regal_out_text(&out, i > 0 ? ",\n" : "\n");
        put_row(&out, &evaluation->rows[i]);
    }
    regal_out_text(&out, "],\n\"problems\": [");
    const char *separator = "\n";
    for (int64_t p = 0; p < evaluation->problem_count; ++p) {
        if (!regal_evaluated_fully(evaluation, &evaluation->problems[p]))
            continue;
        regal_out_text(&out, separator);
        put_problem(&out, evaluation, &evaluation->problems[p]);
        separator = ",\n";
    }
    regal_out_text(&out, "]}\n");
    return regal_out_save(&out, path);
}

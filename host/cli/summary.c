/* What `optimize` found, for people and for machines. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/human_units.h"
#include "cli/json_values.h"
#include "cli/optimize_job.h"
#include "cli/plain_text.h"
#include "cli/text_table.h"

/* Plans over the caps rank by how far they are, before anything else. */
static bool is_over_caps(const optimize_result *result) {
    bool over = result->facts.excess > 0;
    for (regal_baseline i = 0; i < REGAL_BASELINE_COUNT; i++)
        over = over || (result->baselines[i].known && result->baselines[i].excess > 0);
    return over;
}

/* The cells for the excess are empty where no plan has any. */
static void add_comparison(text_table *table, const char *name, const plan_facts *facts,
                           int64_t makespan, int64_t max_peak, const char *excess) {
    table_row(table, name, HUMAN(ticks, makespan),
              HUMAN(ratio, (double)makespan, (double)facts->makespan), HUMAN(bytes, max_peak),
              HUMAN(ratio, (double)max_peak, (double)facts->max_peak), excess, NULL);
}

static void print_comparison(const optimize_result *result, FILE *file) {
    const plan_facts *facts = &result->facts;
    text_table table = {0};
    const bool over = is_over_caps(result);
    table_row(&table, "compared", "makespan", "x ours", "max peak", "x ours",
              over ? "over the caps" : NULL, NULL);
    add_comparison(&table, "this plan", facts, facts->makespan, facts->max_peak,
                   over ? HUMAN(bytes, facts->excess) : NULL);
    for (regal_baseline i = 0; i < REGAL_BASELINE_COUNT; i++) {
        const baseline_result *baseline = &result->baselines[i];
        if (baseline->known)
            add_comparison(&table, regal_baseline_name(i), facts, baseline->makespan,
                           baseline->max_peak, over ? HUMAN(bytes, baseline->excess) : NULL);
    }
    fputc('\n', file);
    table_print(&table, file, 2);
    if (result->uncompared)
        fputs("  interrupted: the baselines of so large a graph are left out\n", file);
}

static const char *or_unknown(const char *text) {
    return text ? text : "?";
}

const char *policy_in_words(const char *policy, char *text, size_t size) {
    if (policy && strcmp(policy, "none") == 0)
        return "no policy";
    if (policy && strcmp(policy, "proposals") == 0)
        return "given proposals";
    snprintf(text, size, "policy %s", or_unknown(policy));
    return text;
}

static void print_making(const optimize_job *job, const optimize_result *result, FILE *file) {
    const regal_made *made = &result->plan->made;
    char policy[320];
    fputc('\n', file);
    plain_line_print(file, "  made by %s, %s keys, %s, best from %s", or_unknown(made->search),
                     or_unknown(made->encoding),
                     policy_in_words(made->policy, policy, sizeof policy),
                     or_unknown(made->origin));
    plain_line_print(file, "  %s in %s, stopped by %s; seed %" PRIu64 ", backend %s, %s",
                     HUMAN(things, made->evaluations, "evaluation"), HUMAN(seconds, made->seconds),
                     or_unknown(made->stopped), made->seed, or_unknown(made->backend),
                     HUMAN(things, made->threads, "thread"));
    if (result->plan_written && strcmp(job->plan_path, "-") != 0)
        plain_line_print(file, "  plan written to %s", job->plan_path);
    if (result->trace_written && strcmp(job->trace_path, "-") != 0)
        plain_line_print(file, "  trace written to %s", job->trace_path);
    if (result->report_written && strcmp(job->report_path, "-") != 0)
        plain_line_print(file, "  report written to %s", job->report_path);
}

void summary_print(const optimize_job *job, const optimize_result *result, FILE *file) {
    plain_line_print(file, "%s", job->graph_path);
    plan_facts_print(&result->facts, job->setting->cluster, file);
    print_comparison(result, file);
    print_making(job, result, file);
}

static json_t *baselines_json(const optimize_result *result) {
    const plan_facts *facts = &result->facts;
    json_t *array = json_array();
    for (regal_baseline i = 0; i < REGAL_BASELINE_COUNT; i++) {
        const baseline_result *baseline = &result->baselines[i];
        if (!baseline->known)
            continue;
        const int64_t value =
            facts->objective == REGAL_TIME ? baseline->makespan : baseline->max_peak;
        json_t *object = json_object();
        json_add_words(object, "name", regal_baseline_name(i));
        json_add_integer(object, "makespan", baseline->makespan);
        json_add_integer(object, "max_peak", baseline->max_peak);
        json_add_integer(object, "excess", baseline->excess);
        json_object_set_new(object, "ratio",
                            json_ratio((double)value, (double)plan_facts_value(facts)));
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *made_json(const regal_made *made) {
    json_t *object = json_object();
    json_add_words(object, "version", made->version);
    json_add_words(object, "origin", made->origin);
    json_add_words(object, "search", made->search);
    json_add_words(object, "encoding", made->encoding);
    json_add_integer(object, "window", made->window);
    /* JSON's numbers are signed: a seed above 2^63 - 1 stands as text. */
    char seed[24];
    snprintf(seed, sizeof seed, "%" PRIu64, made->seed);
    json_object_set_new(object, "seed",
                        made->seed <= INT64_MAX ? json_integer((json_int_t)made->seed)
                                                : json_words(seed));
    json_add_integer(object, "evaluations", made->evaluations);
    json_add_integer(object, "generations", made->generations);
    json_add_integer(object, "rounds", made->rounds);
    json_object_set_new(object, "seconds", json_real(made->seconds));
    json_add_words(object, "backend", made->backend);
    json_add_integer(object, "threads", made->threads);
    json_add_words(object, "policy", made->policy);
    json_add_words(object, "proposals", made->proposals);
    json_add_words(object, "stopped", made->stopped);
    json_t *options = made->options ? json_loads(made->options, 0, NULL) : NULL;
    json_object_set_new(object, "options", options ? options : json_null());
    return object;
}

json_t *summary_json(const optimize_job *job, const optimize_result *result) {
    json_t *object = json_object();
    json_add_words(object, "graph", job->graph_path);
    json_add_words(object, "status", optimize_result_word(result));
    json_add_integer(object, "exit_code", result->exit_code);
    json_add_words(object, "error", result->error);
    if (!result->plan)
        return object;
    plan_facts_add_json(&result->facts, object);
    json_object_set_new(object, "baselines", baselines_json(result));
    json_add_words(object, "plan", result->plan_written ? job->plan_path : NULL);
    json_add_words(object, "trace", result->trace_written ? job->trace_path : NULL);
    json_add_words(object, "report", result->report_written ? job->report_path : NULL);
    json_object_set_new(object, "made", made_json(&result->plan->made));
    return object;
}

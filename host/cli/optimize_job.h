/* One graph through the whole of `optimize`: read, searched, written, compared with baselines. */
#ifndef REGAL_CLI_OPTIMIZE_JOB_H
#define REGAL_CLI_OPTIMIZE_JOB_H

#include "cli/options.h"
#include "cli/plan_facts.h"
#include "cli/setting.h"

typedef struct optimize_job {
    const cli_options *options;
    const cli_setting *setting;
    int64_t threads; /* for this search; as the option */
    const char *graph_path;
    const char *plan_path, *trace_path, *report_path; /* NULL: not wanted */
    regal_progress_callback *progress;                /* shows; never stops a search; may be NULL */
    void *context;
} optimize_job;

typedef struct baseline_result {
    bool known; /* false where the method cannot serve the problem */
    int64_t makespan, max_peak, excess;
} baseline_result;

typedef struct optimize_result {
    int exit_code;
    bool interrupted;
    char *error;       /* one line, or NULL */
    bool is_of_option; /* the error names an option's file rather than the graph's */
    regal_plan *plan;  /* NULL: there is none */
    bool plan_written, trace_written, report_written;
    plan_facts facts; /* where there is a plan */
    baseline_result baselines[REGAL_BASELINE_COUNT];
    bool uncompared; /* interrupted: there was no time for the baselines */
} optimize_result;

/* The caller holds interrupts. Says nothing but warnings; *result is always filled and wants
 * optimize_result_clear. */
void optimize_job_run(const optimize_job *job, optimize_result *result);
void optimize_result_clear(optimize_result *result);

/* "done", "infeasible", "interrupted", "failed". */
const char *optimize_result_word(const optimize_result *result);

/* The summary of a plan, for people and for machines. */
void summary_print(const optimize_job *job, const optimize_result *result, FILE *file);
json_t *summary_json(const optimize_job *job, const optimize_result *result);

/* Whichever of two exit codes is worse: 1, 2, 4, 3, 0, worst first. */
int worse_exit_code(int a, int b);

/* "no policy", "given proposals" or "policy NAME", of a plan's made.policy; in text[size] where
 * need be. */
const char *policy_in_words(const char *policy, char *text, size_t size);

#endif

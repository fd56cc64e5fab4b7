/* The parts of `compare`: what is compared, the runs, and what is made of them. */
#ifndef REGAL_CLI_COMPARE_PARTS_H
#define REGAL_CLI_COMPARE_PARTS_H

#include <stdio.h>

#include "cli/options.h"
#include "cli/setting.h"

/* ---- methods: compare_methods.c */

/* A row of the tables: a method of the library, or plans that were given. */
typedef struct compare_method {
    int64_t method; /* -1: plans */
    char *word, *name;
} compare_method;

typedef struct compare_methods {
    compare_method *items; /* [count] */
    int64_t count;
} compare_methods;

/* Those that the words of --methods name (NULL: the standard ones). Prints what is wrong; returns
 * the exit code. */
int compare_methods_choose(const char *words, compare_methods *methods);
/* Appends a row for plans unless there is one of that name; its index, or -1 without memory. */
int64_t compare_methods_add_plans(compare_methods *methods, const char *name);
/* By word; -1 where it is not among them. */
int64_t compare_methods_find(const compare_methods *methods, const char *word);
void compare_methods_clear(compare_methods *methods);
/* All there are, with their lines. */
void compare_methods_print(FILE *file);

/* ---- given plans: compare_plans.c */

typedef struct compare_plan {
    char *path;
    regal_plan *plan;
    int64_t row;
    bool used; /* some graph here is its graph */
} compare_plan;

typedef struct compare_plans {
    compare_plan *items; /* [count] */
    int64_t count;
} compare_plans;

/* Reads the plans of --plans (NULL: none) and adds their rows. Prints what is wrong; returns the
 * exit code. */
int compare_plans_read(const char *words, compare_plans *plans, compare_methods *methods);
/* Whether a plan was made for this graph and such devices and links. */
bool compare_plan_fits(const regal_plan *plan, const char *digest, const regal_cluster *cluster);
/* The plan that all others were read like, or NULL where there is none. */
const regal_plan *compare_plans_example(const compare_plans *plans);
void compare_plans_clear(compare_plans *plans);

/* ---- problems: compare_sources.c */

typedef struct compare_sources {
    cli_setting setting; /* for graph files */
    char **paths;        /* [path_count] the graph files */
    int64_t path_count;
    regal_graph_set *set; /* after them; NULL: none */
    const char *set_path;
    int64_t count;
} compare_sources;

/* example: a plan that says how graphs are read where the options do not; NULL: none. Prints what
 * is wrong; returns the exit code. */
int compare_sources_open(const cli_options *options, const regal_plan *example,
                         compare_sources *sources);
/* From any thread, one at a time. */
regal_status compare_sources_get(const compare_sources *sources, int64_t index,
                                 regal_set_problem *problem);
/* What messages about it name. */
const char *compare_sources_label(const compare_sources *sources, int64_t index);
void compare_sources_close(compare_sources *sources);

/* ---- results */

typedef struct compare_graph {
    char *name;    /* the file's path, or what the set calls it */
    bool read;     /* what follows is known */
    int exit_code; /* why it could not be read; else 0 */
    char digest[17];
    int64_t ops, devices, bound;
    bool capped;
    int64_t left; /* runs not done */
} compare_graph;

typedef struct compare_run {
    bool done;
    regal_run run; /* without its plan */
} compare_run;

typedef struct compare_results {
    regal_objective objective;
    uint64_t seed;
    int64_t workers, threads; /* graphs side by side; of each search */
    compare_methods methods;
    compare_graph *graphs; /* [graph_count] */
    int64_t graph_count;
    compare_run *runs; /* [graph_count][methods.count] */
    int64_t reference; /* a row that gains are over; -1: none */
    bool stopped;      /* by a signal */
    double seconds;
} compare_results;

static inline const compare_run *compare_run_at(const compare_results *results, int64_t graph,
                                                int64_t method) {
    return &results->runs[graph * results->methods.count + method];
}

/* There is a valid plan. */
static inline bool compare_run_serves(const compare_run *run) {
    return run->done && run->run.status == REGAL_OK;
}

/* "feasible", "over caps", "not served", "broken", "not valid"; "" where it was not run. */
const char *compare_run_word(const compare_results *results, const compare_run *run,
                             int64_t method);

/* ---- compare_run.c: runs everything. Prints what fails; returns the exit code. The caller holds
 * interrupts. */
int compare_run_all(const cli_options *options, const compare_sources *sources,
                    compare_plans *plans, compare_results *results);

/* ---- compare_cells.c: the figures of the tables. */

typedef struct compare_figures {
    int64_t *graphs; /* [graph_count] those that count: finished ones, or all read if none is */
    int64_t graph_count;
    regal_compare_cell *cells; /* [graph_count][method_count] */
    regal_compare_row *rows;   /* [method_count] */
    int64_t *order;            /* [method_count] of rows in tables, the best first */
} compare_figures;

regal_status compare_figures_make(const compare_results *results, compare_figures *figures);
void compare_figures_clear(compare_figures *figures);

/* ---- compare_curves.c: quality over time. */

typedef struct compare_vertex {
    double seconds, ratio;
} compare_vertex;

/* A method's value / best: the geometric mean over the graphs that it kept within the caps of. */
typedef struct compare_series {
    int64_t method; /* a row */
    int64_t graphs; /* in the mean */
    double ratio;   /* in the end */
    double seconds; /* of a method that only builds a plan: geometric mean; NAN: unknown */
    compare_vertex *vertices; /* [vertex_count] of a search; the ratio holds until the next */
    int64_t vertex_count;
} compare_series;

/* In the order of the tables, without methods that have no such ratio; freed with
 * compare_series_free. */
regal_status compare_series_make(const compare_results *results, const compare_figures *figures,
                                 compare_series **series, int64_t *count);
void compare_series_free(compare_series *series, int64_t count);

/* ---- what people and machines read */

/* Why methods have no plan; nothing where all have one. */
void compare_reasons_print(const compare_results *results, FILE *file);
void compare_table_print(const compare_results *results, const compare_figures *figures,
                         FILE *file);
regal_status compare_json_write(const compare_results *results, const compare_figures *figures,
                                const char *path);
regal_status compare_csv_write(const compare_results *results, const char *path);
regal_status compare_plot_write(const compare_results *results, const compare_figures *figures,
                                const char *path);

#endif

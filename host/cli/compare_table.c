/* The tables of `compare` for people. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare_parts.h"
#include "cli/console.h"
#include "cli/human_units.h"
#include "cli/plain_text.h"
#include "cli/text_table.h"

enum { CELL = 64, MOST_GRAPHS = TABLE_COLUMNS - 1, NAME_WIDTH = 20, RATIO_WIDTH = 7 };

static const char *human_value(regal_objective objective, int64_t value, char *text) {
    return objective == REGAL_TIME ? human_ticks(value, text) : human_bytes(value, text);
}

/* Three decimals, or fewer where there is more before them; "-" for none. */
static const char *human_times(double ratio, char *text) {
    if (isfinite(ratio))
        snprintf(text, HUMAN_TEXT, "%.*f", ratio < 9.9995 ? 3 : ratio < 99.995 ? 2 : 0, ratio);
    else
        snprintf(text, HUMAN_TEXT, "-");
    return text;
}

static const char *human_duration(double seconds, char *text) {
    if (seconds >= 0)
        return human_seconds(seconds, text);
    snprintf(text, HUMAN_TEXT, "-");
    return text;
}

static const char *name_of(const compare_results *results, int64_t method) {
    return results->methods.items[method].name;
}

static const char *value_name(const compare_results *results) {
    return results->objective == REGAL_TIME ? "makespan" : "max peak";
}

/* ---- one graph */

static bool is_over(const compare_results *results, int64_t graph) {
    for (int64_t m = 0; m < results->methods.count; m++) {
        const compare_run *run = compare_run_at(results, graph, m);
        if (compare_run_serves(run) && run->run.excess > 0)
            return true;
    }
    return false;
}

static void add_run(const compare_results *results, int64_t graph, int64_t method, int64_t best,
                    bool over, text_table *table) {
    const compare_run *run = compare_run_at(results, graph, method);
    const regal_run *made = &run->run;
    if (!compare_run_serves(run)) {
        if (run->run.status == REGAL_INTERNAL || run->run.status == REGAL_INVALID_INPUT)
            table_row(table, name_of(results, method), compare_run_word(results, run, method),
                      NULL);
        return;
    }
    const bool memory = results->objective == REGAL_MEMORY;
    const double ratio =
        best >= 0 && made->excess == 0 ? regal_compare_ratio(made->value, best) : NAN;
    table_row(table, name_of(results, method),
              memory ? HUMAN(bytes, made->max_peak) : HUMAN(ticks, made->makespan),
              HUMAN(times, ratio),
              HUMAN(times, regal_compare_ratio(made->value, results->graphs[graph].bound)),
              memory ? HUMAN(ticks, made->makespan) : HUMAN(bytes, made->max_peak),
              HUMAN(duration, made->seconds),
              made->evaluations >= 0 ? HUMAN(count, made->evaluations) : "-",
              !over              ? ""
              : made->excess > 0 ? HUMAN(bytes, made->excess)
                                 : "-",
              NULL);
}

static void print_graph(const compare_results *results, const compare_figures *figures,
                        FILE *file) {
    const int64_t index = figures->graphs[0];
    const compare_graph *graph = &results->graphs[index];
    const bool over = is_over(results, index);
    const int64_t best = regal_compare_best(figures->cells, results->methods.count);
    text_table table = {0};
    plain_line_print(file, "%s", graph->name);
    fprintf(file, "  %s on %s; objective %s; lower bound %s; seed %" PRIu64 ", %s\n\n",
            HUMAN(things, graph->ops, "op"), HUMAN(things, graph->devices, "device"),
            regal_objective_name(results->objective),
            human_value(results->objective, graph->bound, (char[HUMAN_TEXT]){0}), results->seed,
            HUMAN(things, results->threads, "thread"));
    table_row(&table, "method", value_name(results), "x best", "x bound",
              results->objective == REGAL_TIME ? "max peak" : "makespan", "seconds", "evaluations",
              over ? "over the caps" : "", NULL);
    for (int64_t i = 0; i < results->methods.count; i++)
        add_run(results, index, figures->order[i], best, over, &table);
    table_print(&table, file, 2);
}

/* ---- several graphs */

/* The method with the graph's best plan; -1: nobody is within the caps. */
static int64_t winner_of(const compare_results *results, const compare_figures *figures,
                         int64_t at) {
    const regal_compare_cell *cells = figures->cells + at * results->methods.count;
    const int64_t best = regal_compare_best(cells, results->methods.count);
    for (int64_t i = 0; i < results->methods.count; i++) {
        const regal_compare_cell *cell = &cells[figures->order[i]];
        if (best >= 0 && cell->known && cell->excess == 0 && cell->value == best)
            return figures->order[i];
    }
    return -1;
}

static void print_graphs(const compare_results *results, const compare_figures *figures,
                         FILE *file) {
    text_table table = {0};
    table_row(&table, "", "ops", "devices", "bound", "best", "x bound", "by", NULL);
    for (int64_t i = 0; i < figures->graph_count; i++) {
        const compare_graph *graph = &results->graphs[figures->graphs[i]];
        const int64_t winner = winner_of(results, figures, i);
        const int64_t best =
            regal_compare_best(figures->cells + i * results->methods.count, results->methods.count);
        char name[256];
        snprintf(name, sizeof name, "%" PRId64 "  %.200s", i + 1, graph->name);
        table_row(&table, name, HUMAN(count, graph->ops), HUMAN(count, graph->devices),
                  human_value(results->objective, graph->bound, (char[HUMAN_TEXT]){0}),
                  winner >= 0 ? human_value(results->objective, best, (char[HUMAN_TEXT]){0})
                              : "none",
                  winner >= 0 ? HUMAN(times, regal_compare_ratio(best, graph->bound)) : "-",
                  winner >= 0 ? name_of(results, winner) : "-", NULL);
    }
    table_print(&table, file, 0);
    fputc('\n', file);
}

static const char *ratio_cell(const regal_compare_cell *cell, int64_t best, char *text) {
    if (cell->known && cell->excess > 0)
        snprintf(text, HUMAN_TEXT, "over");
    else
        human_times(cell->known && best >= 0 ? regal_compare_ratio(cell->value, best) : NAN, text);
    return text;
}

static bool is_empty(const compare_figures *figures, int64_t method) {
    return figures->rows[method].served == 0;
}

/* Methods as rows, graphs as columns. */
static void print_ratios(const compare_results *results, const compare_figures *figures,
                         FILE *file) {
    const int64_t methods = results->methods.count;
    char text[MOST_GRAPHS + 1][HUMAN_TEXT];
    const char *cells[MOST_GRAPHS + 1] = {"x best on graph"};
    text_table table = {0};
    for (int64_t g = 0; g < figures->graph_count; g++) {
        snprintf(text[g + 1], HUMAN_TEXT, "%" PRId64, g + 1);
        cells[g + 1] = text[g + 1];
    }
    table_cells(&table, cells, (size_t)figures->graph_count + 1);
    for (int64_t i = 0; i < methods; i++) {
        const int64_t m = figures->order[i];
        if (is_empty(figures, m))
            continue;
        cells[0] = name_of(results, m);
        for (int64_t g = 0; g < figures->graph_count; g++) {
            const regal_compare_cell *row = figures->cells + g * methods;
            ratio_cell(&row[m], regal_compare_best(row, methods), text[g + 1]);
        }
        table_cells(&table, cells, (size_t)figures->graph_count + 1);
    }
    table_print(&table, file, 0);
    fputc('\n', file);
}

static void describe_gain(const regal_compare_row *row, bool is_reference, char *text) {
    if (is_reference)
        snprintf(text, CELL, "reference");
    else if (!isfinite(row->gain))
        snprintf(text, CELL, "-");
    else if (!isfinite(row->error) || row->compared < 2)
        snprintf(text, CELL, "%+.2f", row->gain);
    else
        snprintf(text, CELL, "%+.2f +- %.2f", row->gain, row->error);
}

/* Which columns say something. */
typedef struct summary_columns {
    bool gain, plans, feasible;
} summary_columns;

static summary_columns choose_columns(const compare_results *results,
                                      const compare_figures *figures) {
    summary_columns columns = {.gain = results->reference >= 0};
    for (int64_t i = 0; i < figures->graph_count; i++)
        columns.feasible = columns.feasible || results->graphs[figures->graphs[i]].capped;
    for (int64_t m = 0; m < results->methods.count; m++)
        columns.plans = columns.plans ||
                        (!is_empty(figures, m) && figures->rows[m].served < figures->graph_count);
    return columns;
}

/* A row of these cells, as far as their columns are wanted. */
static void add_columns(text_table *table, const summary_columns *columns, const char *name,
                        const char *gain, const char *ratio, const char *won, const char *plans,
                        const char *feasible, const char *seconds) {
    const char *cells[TABLE_COLUMNS];
    size_t count = 0;
    cells[count++] = name;
    if (columns->gain)
        cells[count++] = gain;
    cells[count++] = ratio;
    cells[count++] = won;
    if (columns->plans)
        cells[count++] = plans;
    if (columns->feasible)
        cells[count++] = feasible;
    cells[count++] = seconds;
    table_cells(table, cells, count);
}

static void add_summary(const compare_results *results, const compare_figures *figures,
                        int64_t method, const summary_columns *columns, text_table *table) {
    const regal_compare_row *row = &figures->rows[method];
    char gain[CELL], feasible[CELL];
    describe_gain(row, method == results->reference, gain);
    snprintf(feasible, sizeof feasible, "%.0f %%",
             100 * (double)row->feasible / (double)figures->graph_count);
    add_columns(table, columns, name_of(results, method), gain, HUMAN(times, row->ratio),
                HUMAN(count, row->won), HUMAN(count, row->served), feasible,
                HUMAN(duration, isfinite(row->seconds) ? row->seconds : -1));
}

static void print_summary(const compare_results *results, const compare_figures *figures,
                          FILE *file) {
    const summary_columns columns = choose_columns(results, figures);
    text_table table = {0};
    char over[CELL] = "";
    if (columns.gain)
        snprintf(over, sizeof over, "%% over %.40s", name_of(results, results->reference));
    add_columns(&table, &columns, "mean over graphs", over, "x best", "best on", "plans on",
                "within caps", "seconds");
    for (int64_t i = 0; i < results->methods.count; i++)
        if (!is_empty(figures, figures->order[i]))
            add_summary(results, figures, figures->order[i], &columns, &table);
    table_print(&table, file, 0);
}

static int64_t columns_that_fit(void) {
    const size_t width = console_width();
    const int64_t fit = width > NAME_WIDTH ? (int64_t)(width - NAME_WIDTH) / RATIO_WIDTH : 0;
    return fit > MOST_GRAPHS ? MOST_GRAPHS : fit;
}

static void print_several(const compare_results *results, const compare_figures *figures,
                          FILE *file) {
    char mode[2 * HUMAN_TEXT] = "";
    if (results->workers > 1)
        snprintf(mode, sizeof mode, ", %s side by side", HUMAN(count, results->workers));
    fprintf(file, "%s on %s; seed %" PRIu64 "; each on %s%s; %s in all\n\n", value_name(results),
            HUMAN(things, figures->graph_count, "graph"), results->seed,
            HUMAN(things, results->threads, "thread"), mode, HUMAN(seconds, results->seconds));
    if (figures->graph_count <= MOST_GRAPHS)
        print_graphs(results, figures, file);
    if (figures->graph_count <= columns_that_fit())
        print_ratios(results, figures, file);
    print_summary(results, figures, file);
}

void compare_table_print(const compare_results *results, const compare_figures *figures,
                         FILE *file) {
    if (results->graph_count == 1)
        print_graph(results, figures, file);
    else
        print_several(results, figures, file);
    compare_reasons_print(results, file);
}

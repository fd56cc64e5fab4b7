/* From runs to the figures of the tables. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare_parts.h"
#include "cli/console.h"

const char *compare_run_word(const compare_results *results, const compare_run *run,
                             int64_t method) {
    if (!run->done)
        return "";
    if (run->run.status == REGAL_OK)
        return run->run.excess == 0 ? "feasible" : "over caps";
    if (run->run.status == REGAL_INTERNAL)
        return "broken";
    const bool plan = results->methods.items[method].method < 0;
    return plan && run->run.reason ? "not valid" : "not served";
}

/* Means over graphs hold only where all methods met the same ones. */
static void choose_graphs(const compare_results *results, compare_figures *figures) {
    for (int64_t pass = 0; pass < 2 && figures->graph_count == 0; pass++)
        for (int64_t g = 0; g < results->graph_count; g++)
            if (results->graphs[g].read && (pass == 1 || results->graphs[g].left == 0))
                figures->graphs[figures->graph_count++] = g;
}

static void fill_cells(const compare_results *results, compare_figures *figures) {
    const int64_t methods = results->methods.count;
    for (int64_t i = 0; i < figures->graph_count; i++)
        for (int64_t m = 0; m < methods; m++) {
            const compare_run *run = compare_run_at(results, figures->graphs[i], m);
            figures->cells[i * methods + m] = (regal_compare_cell){
                compare_run_serves(run), run->run.value, run->run.excess, run->run.seconds};
        }
}

/* Of one graph: within the caps by value, then by excess, then those without a plan. */
static int compare_cells(const regal_compare_cell *a, const regal_compare_cell *b) {
    if (a->known != b->known)
        return a->known ? -1 : 1;
    if (!a->known)
        return 0;
    if (a->excess != b->excess)
        return a->excess < b->excess ? -1 : 1;
    return (a->value > b->value) - (a->value < b->value);
}

/* Of several: most graphs within the caps, then the least mean. */
static int compare_rows(const regal_compare_row *a, const regal_compare_row *b) {
    if (a->feasible != b->feasible)
        return a->feasible > b->feasible ? -1 : 1;
    if (a->served != b->served)
        return a->served > b->served ? -1 : 1;
    return (a->ratio > b->ratio) - (a->ratio < b->ratio);
}

static bool is_before(const compare_figures *figures, int64_t a, int64_t b) {
    const int order = figures->graph_count == 1
                          ? compare_cells(&figures->cells[a], &figures->cells[b])
                          : compare_rows(&figures->rows[a], &figures->rows[b]);
    return order < 0 || (order == 0 && a < b);
}

/* By insertion: there are some dozens. */
static void sort_rows(int64_t count, compare_figures *figures) {
    for (int64_t m = 0; m < count; m++) {
        int64_t at = m;
        for (; at > 0 && is_before(figures, m, figures->order[at - 1]); at--)
            figures->order[at] = figures->order[at - 1];
        figures->order[at] = m;
    }
}

regal_status compare_figures_make(const compare_results *results, compare_figures *figures) {
    const size_t graphs = (size_t)results->graph_count + 1;
    const size_t methods = (size_t)results->methods.count + 1;
    *figures = (compare_figures){0};
    figures->graphs = calloc(graphs, sizeof *figures->graphs);
    figures->cells = calloc(graphs, methods * sizeof *figures->cells);
    figures->rows = calloc(methods, sizeof *figures->rows);
    figures->order = calloc(methods, sizeof *figures->order);
    if (!figures->graphs || !figures->cells || !figures->rows || !figures->order)
        return own_memory_failure();
    choose_graphs(results, figures);
    fill_cells(results, figures);
    const regal_status status =
        regal_compare_summarize(figures->cells, figures->graph_count, results->methods.count,
                                results->reference, figures->rows);
    if (status == REGAL_OK)
        sort_rows(results->methods.count, figures);
    return status;
}

void compare_figures_clear(compare_figures *figures) {
    free(figures->graphs);
    free(figures->cells);
    free(figures->rows);
    free(figures->order);
    *figures = (compare_figures){0};
}

/* What runs of many methods on many graphs say of the methods. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "policy/evaluate_statistics.h"
#include "regal/compare.h"

static bool is_feasible(const regal_compare_cell *cell) {
    return cell->known && cell->excess == 0;
}

int64_t regal_compare_best(const regal_compare_cell *cells, int64_t method_count) {
    int64_t best = -1;
    for (int64_t m = 0; m < method_count; ++m)
        if (is_feasible(&cells[m]) && (best < 0 || cells[m].value < best))
            best = cells[m].value;
    return best;
}

double regal_compare_ratio(int64_t value, int64_t best) {
    if (value == 0 && best == 0)
        return 1;
    return best > 0 && value >= 0 ? (double)value / (double)best : NAN;
}

typedef struct row_sums {
    double logarithms, seconds;
    int64_t ratios, timed;
} row_sums;

static void add_cell(const regal_compare_cell *cell, int64_t best, regal_compare_row *row,
                     row_sums *sums) {
    row->served += cell->known;
    if (cell->known && cell->seconds >= 0) {
        sums->seconds += cell->seconds;
        sums->timed++;
    }
    if (!is_feasible(cell))
        return;
    const double ratio = regal_compare_ratio(cell->value, best);
    row->feasible++;
    row->won += cell->value == best;
    if (ratio > 0) {
        sums->logarithms += log(ratio);
        sums->ratios++;
    }
}

/* In percent of the reference; false where there is no such number. */
static bool find_gain(const regal_compare_cell *cell, const regal_compare_cell *reference,
                      double *gain) {
    if (!is_feasible(cell) || !is_feasible(reference))
        return false;
    *gain = 100 * (1 - regal_compare_ratio(cell->value, reference->value));
    return isfinite(*gain);
}

static void summarize_method(const regal_compare_cell *cells, const int64_t *best,
                             int64_t graph_count, int64_t method_count, int64_t method,
                             int64_t reference, double *gains, regal_compare_row *row) {
    row_sums sums = {0};
    *row = (regal_compare_row){0};
    for (int64_t g = 0; g < graph_count; ++g) {
        const regal_compare_cell *graph = cells + g * method_count;
        add_cell(&graph[method], best[g], row, &sums);
        if (reference >= 0 && find_gain(&graph[method], &graph[reference], &gains[row->compared]))
            row->compared++;
    }
    regal_sample sample;
    regal_sample_describe(gains, row->compared, &sample);
    row->gain = sample.mean;
    row->error = sample.error;
    row->ratio = sums.ratios > 0 ? exp(sums.logarithms / (double)sums.ratios) : NAN;
    row->seconds = sums.timed > 0 ? sums.seconds / (double)sums.timed : NAN;
}

regal_status regal_compare_summarize(const regal_compare_cell *cells, int64_t graph_count,
                                     int64_t method_count, int64_t reference,
                                     regal_compare_row *rows) {
    int64_t *best = regal_allocate(graph_count, sizeof *best);
    double *gains = regal_allocate(graph_count, sizeof *gains);
    if (best != NULL && gains != NULL) {
        for (int64_t g = 0; g < graph_count; ++g)
            best[g] = regal_compare_best(cells + g * method_count, method_count);
        for (int64_t m = 0; m < method_count; ++m)
            summarize_method(cells, best, graph_count, method_count, m, reference, gains, &rows[m]);
    }
    const bool done = best != NULL && gains != NULL;
    free(best);
    free(gains);
    REGAL_FAIL_IF(!done, REGAL_OUT_OF_MEMORY, "memory ran out");
    return REGAL_OK;
}

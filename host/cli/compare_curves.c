/* How good each method is after how long. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare_parts.h"
#include "cli/console.h"

/* A graph's ratio changes. */
typedef struct curve_event {
    double seconds, logarithm;
    int64_t graph, number; /* number: keeps equal times in order */
} curve_event;

/* One method being gathered. */
typedef struct gathering {
    curve_event *events;
    int64_t count, room;
} gathering;

static int compare_events(const void *a, const void *b) {
    const curve_event *x = a, *y = b;
    if (x->seconds != y->seconds)
        return x->seconds < y->seconds ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static bool add_event(gathering *all, double seconds, double ratio, int64_t graph) {
    if (all->count == all->room) {
        const int64_t room = all->room > 0 ? 2 * all->room : 256;
        curve_event *events = reallocarray(all->events, (size_t)room, sizeof *events);
        if (!events)
            return false;
        all->events = events;
        all->room = room;
    }
    all->events[all->count] = (curve_event){seconds, log(ratio), graph, all->count};
    all->count++;
    return true;
}

static bool add_curve(gathering *all, const regal_run *run, int64_t best, int64_t graph) {
    for (int64_t i = 0; i < run->point_count; i++) {
        const regal_run_point *point = &run->curve[i];
        if (point->excess == 0 &&
            !add_event(all, point->seconds, regal_compare_ratio(point->value, best), graph))
            return false;
    }
    return true;
}

/* The mean changes with each event once every graph has a plan. current: [graphs] zeroed. */
static void trace_mean(const gathering *all, int64_t graphs, double *current, bool *known,
                       compare_series *series) {
    double sum = 0;
    int64_t met = 0;
    for (int64_t i = 0; i < all->count; i++) {
        const curve_event *event = &all->events[i];
        met += !known[event->graph];
        known[event->graph] = true;
        sum += event->logarithm - current[event->graph];
        current[event->graph] = event->logarithm;
        if (met == graphs)
            series->vertices[series->vertex_count++] =
                (compare_vertex){event->seconds, exp(sum / (double)graphs)};
    }
}

static bool trace(gathering *all, compare_series *series) {
    const size_t graphs = (size_t)series->graphs;
    double *current = calloc(graphs, sizeof *current);
    bool *known = calloc(graphs, sizeof *known);
    series->vertices = calloc((size_t)all->count, sizeof *series->vertices);
    const bool good = current && known && series->vertices;
    if (good) {
        qsort(all->events, (size_t)all->count, sizeof *all->events, compare_events);
        trace_mean(all, series->graphs, current, known, series);
    }
    free(current);
    free(known);
    return good;
}

static bool gather(const compare_results *results, const compare_figures *figures, int64_t method,
                   gathering *all, compare_series *series) {
    double logarithms = 0, times = 0;
    *series = (compare_series){.method = method};
    for (int64_t i = 0; i < figures->graph_count; i++) {
        const regal_compare_cell *cells = figures->cells + i * results->methods.count;
        const int64_t best = regal_compare_best(cells, results->methods.count);
        const regal_compare_cell *cell = &cells[method];
        if (!cell->known || cell->excess > 0 || best <= 0)
            continue;
        const compare_run *run = compare_run_at(results, figures->graphs[i], method);
        if (!add_curve(all, &run->run, best, series->graphs))
            return false;
        logarithms += log(regal_compare_ratio(cell->value, best));
        times += cell->seconds > 0 ? log(cell->seconds) : NAN;
        series->graphs++;
    }
    series->ratio = series->graphs > 0 ? exp(logarithms / (double)series->graphs) : NAN;
    series->seconds = series->graphs > 0 ? exp(times / (double)series->graphs) : NAN;
    return all->count == 0 || trace(all, series);
}

regal_status compare_series_make(const compare_results *results, const compare_figures *figures,
                                 compare_series **series, int64_t *count) {
    gathering all = {0};
    bool good = true;
    *count = 0;
    *series = calloc((size_t)results->methods.count + 1, sizeof **series);
    for (int64_t i = 0; *series && good && i < results->methods.count; i++) {
        compare_series *next = &(*series)[*count];
        all.count = 0;
        good = gather(results, figures, figures->order[i], &all, next);
        *count += next->graphs > 0;
    }
    free(all.events);
    if (*series && good)
        return REGAL_OK;
    compare_series_free(*series, *count);
    *series = NULL;
    return own_memory_failure();
}

void compare_series_free(compare_series *series, int64_t count) {
    for (int64_t i = 0; series && i < count; i++)
        free(series[i].vertices);
    free(series);
}

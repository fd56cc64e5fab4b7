#include "baselines/bisection.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"

#ifdef REGAL_HAS_METIS

#include <metis.h>
#include <pthread.h>

/* METIS sums weights in idx_t, which may have 32 bits. */
enum { GREATEST_SUM = 1 << 30 };

/* A part of the graph that is still to be cut: vertices order[first..first + count), for parts
 * [part, part + parts). */
typedef struct piece {
    int64_t first, count;
    int32_t part, parts;
} piece;

typedef struct cutter {
    regal_bisection *graph;
    int64_t *order;  /* [vertex] pieces' vertices, piece by piece */
    int64_t *spare;  /* [vertex] */
    int64_t *inside; /* [vertex] its number in the piece at hand, else -1 */
    idx_t *begin, *neighbour, *bytes, *weight, *side; /* of the piece at hand */
} cutter;

/* METIS draws from the C library's random numbers, which it seeds: one at a time. */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

/* What sums divide by to stay in range; rounding up adds at most one for each of count. */
static int64_t divisor(__int128 sum, int64_t count) {
    const int64_t room = GREATEST_SUM > count ? GREATEST_SUM - count : 1;
    return (int64_t)(sum / room) + 1;
}

static void take_weights(cutter *c, const piece *p) {
    const int64_t weights = c->graph->weight_count;
    for (int64_t w = 0; w < weights; ++w) {
        __int128 sum = 0;
        for (int64_t i = 0; i < p->count; ++i)
            sum += c->graph->weight[c->order[p->first + i] * weights + w];
        const int64_t by = divisor(sum, p->count);
        for (int64_t i = 0; i < p->count; ++i)
            c->weight[i * weights + w] =
                (idx_t)(c->graph->weight[c->order[p->first + i] * weights + w] / by + 1);
    }
}

static void take_neighbours(cutter *c, const piece *p) {
    const regal_bisection *graph = c->graph;
    __int128 sum = 0;
    int64_t count = 0;
    for (int64_t i = 0; i < p->count; ++i)
        c->inside[c->order[p->first + i]] = i;
    for (int64_t i = 0; i < p->count; ++i) {
        const int64_t v = c->order[p->first + i];
        for (int64_t k = graph->begin[v]; k < graph->begin[v + 1]; ++k)
            sum += graph->neighbour_bytes[k];
    }
    const int64_t by = divisor(sum, graph->begin[graph->vertex_count]);
    for (int64_t i = 0; i < p->count; ++i) {
        const int64_t v = c->order[p->first + i];
        c->begin[i] = (idx_t)count;
        for (int64_t k = graph->begin[v]; k < graph->begin[v + 1]; ++k) {
            if (c->inside[graph->neighbour[k]] < 0)
                continue;
            c->neighbour[count] = (idx_t)c->inside[graph->neighbour[k]];
            c->bytes[count++] = (idx_t)(graph->neighbour_bytes[k] / by + 1);
        }
    }
    c->begin[p->count] = (idx_t)count;
    for (int64_t i = 0; i < p->count; ++i)
        c->inside[c->order[p->first + i]] = -1;
}

/* Cuts into two sides. Never into more: METIS prints to standard output where a part is empty. */
static regal_status bisect(cutter *c, const piece *p) {
    idx_t vertices = (idx_t)p->count, weights = (idx_t)c->graph->weight_count, two = 2, cut;
    real_t share[4];
    idx_t options[METIS_NOPTIONS];
    for (int64_t w = 0; w < weights; ++w) {
        share[w] = (real_t)(p->parts / 2) / (real_t)p->parts;
        share[weights + w] = 1 - share[w];
    }
    take_weights(c, p);
    take_neighbours(c, p);
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_NUMBERING] = 0;
    options[METIS_OPTION_SEED] = 0;
    pthread_mutex_lock(&one_at_a_time);
    const int said =
        METIS_PartGraphRecursive(&vertices, &weights, c->begin, c->neighbour, c->weight, NULL,
                                 c->bytes, &two, share, NULL, options, &cut, c->side);
    pthread_mutex_unlock(&one_at_a_time);
    REGAL_FAIL_IF(said == METIS_ERROR_MEMORY, REGAL_OUT_OF_MEMORY, "memory ran out");
    REGAL_FAIL_IF(said != METIS_OK, REGAL_INTERNAL, "METIS failed (%d)", said);
    return REGAL_OK;
}

/* The vertices of side 0 come first, each side in the order that it had. */
static piece split(cutter *c, piece *p) {
    int64_t low = 0, high = 0;
    for (int64_t i = 0; i < p->count; ++i) {
        const int64_t v = c->order[p->first + i];
        if (c->side[i] == 0)
            c->order[p->first + low++] = v;
        else
            c->spare[high++] = v;
    }
    for (int64_t i = 0; i < high; ++i)
        c->order[p->first + low + i] = c->spare[i];
    const int32_t half = p->parts / 2;
    const piece upper = {p->first + low, high, p->part + half, p->parts - half};
    *p = (piece){p->first, low, p->part, half};
    return upper;
}

static regal_status cut(cutter *c, int32_t parts) {
    piece stack[64]; /* one for each halving */
    int depth = 0;
    stack[depth++] = (piece){0, c->graph->vertex_count, 0, parts};
    while (depth > 0) {
        piece p = stack[--depth];
        while (p.parts > 1 && p.count > 1) {
            REGAL_FORWARD(bisect(c, &p));
            stack[depth++] = split(c, &p);
        }
        for (int64_t i = 0; i < p.count; ++i)
            c->graph->part[c->order[p.first + i]] = p.part;
    }
    return REGAL_OK;
}

regal_status regal_bisection_run(regal_bisection *graph, int32_t parts) {
    const int64_t n = graph->vertex_count, edges = graph->begin[n];
    cutter c = {.graph = graph,
                .order = regal_allocate(n, sizeof *c.order),
                .spare = regal_allocate(n, sizeof *c.spare),
                .inside = regal_allocate(n, sizeof *c.inside),
                .begin = regal_allocate(n + 1, sizeof *c.begin),
                .neighbour = regal_allocate(edges, sizeof *c.neighbour),
                .bytes = regal_allocate(edges, sizeof *c.bytes),
                .weight = regal_allocate(n, 2 * sizeof *c.weight),
                .side = regal_allocate(n, sizeof *c.side)};
    regal_status status = REGAL_OUT_OF_MEMORY;
    if (c.order != NULL && c.spare != NULL && c.inside != NULL && c.begin != NULL &&
        c.neighbour != NULL && c.bytes != NULL && c.weight != NULL && c.side != NULL) {
        for (int64_t v = 0; v < n; ++v) {
            c.order[v] = v;
            c.inside[v] = -1;
        }
        status = cut(&c, parts);
    } else {
        regal_error_set(status, __FILE__, __LINE__, "memory ran out");
    }
    free(c.order);
    free(c.spare);
    free(c.inside);
    free(c.begin);
    free(c.neighbour);
    free(c.bytes);
    free(c.weight);
    free(c.side);
    return status;
}

regal_status regal_bisection_create(int64_t vertices, int64_t edges, regal_bisection *graph) {
    *graph = (regal_bisection){0};
    REGAL_FAIL_IF(vertices > GREATEST_SUM / 2 || edges > GREATEST_SUM / 2, REGAL_UNAVAILABLE,
                  "the graph is too large for METIS: it takes %d ops or edges", GREATEST_SUM / 4);
    *graph =
        (regal_bisection){.weight = regal_allocate_zeroed(vertices, 2 * sizeof *graph->weight),
                          .begin = regal_allocate(vertices + 1, sizeof *graph->begin),
                          .neighbour = regal_allocate(edges, sizeof *graph->neighbour),
                          .neighbour_bytes = regal_allocate(edges, sizeof *graph->neighbour_bytes),
                          .part = regal_allocate(vertices, sizeof *graph->part)};
    REGAL_FAIL_IF(graph->weight == NULL || graph->begin == NULL || graph->neighbour == NULL ||
                      graph->neighbour_bytes == NULL || graph->part == NULL,
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    return REGAL_OK;
}

#else

regal_status regal_bisection_run(regal_bisection *graph, int32_t parts) {
    (void)graph;
    (void)parts;
    REGAL_FAIL(REGAL_UNAVAILABLE, "this build has no METIS (REGAL_METIS=OFF)");
}

regal_status regal_bisection_create(int64_t vertices, int64_t edges, regal_bisection *graph) {
    (void)vertices;
    (void)edges;
    *graph = (regal_bisection){0};
    return regal_bisection_run(graph, 0);
}

#endif

void regal_bisection_destroy(regal_bisection *graph) {
    free(graph->weight);
    free(graph->begin);
    free(graph->neighbour);
    free(graph->neighbour_bytes);
    free(graph->part);
    *graph = (regal_bisection){0};
}

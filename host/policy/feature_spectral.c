#include <string.h>

#include "base/carver.h"
#include "base/error.h"
#include "policy/feature_parts.h"

/* The slowest coordinates are the second and following eigenvectors of the random walk on the
 * undirected graph, x -> mean of x over the neighbours, orthogonal where each op weighs as much as
 * it has neighbours. Block iteration on four at a time; a few plain steps, then sweeps of
 * Chebyshev's polynomials, which keep small what lies below the fourth (Zhou and Saad 2007): in 76
 * steps about as far as thousands of plain ones. */
enum { LANES = 4, PLAIN_STEPS = 12, BETWEEN = 4, SWEEPS = 4, DEGREE = 16 };
/* Where a sweep divides. Lower, rounding in the constant direction would outgrow all others. */
static const float LEAST_DIVIDE = 0.25f, GREATEST_DIVIDE = 0.9999f;

typedef float lanes __attribute__((vector_size(LANES * sizeof(float))));

typedef struct walk {
    int64_t op_count;
    int64_t *begin;          /* [op + 1] */
    int32_t *neighbour;      /* [2 x pair] */
    float *weight, *inverse; /* [op] */
    lanes *now, *next;       /* [op] */
} walk;

static void carve(const regal_op_pairs *pairs, walk *w, regal_carver *carver) {
    const int64_t n = pairs->op_count;
    w->op_count = n;
    w->now = regal_carve(carver, n, sizeof *w->now);
    w->next = regal_carve(carver, n, sizeof *w->next);
    w->begin = regal_carve(carver, n + 1, sizeof *w->begin);
    w->neighbour = regal_carve(carver, 2 * pairs->pair_count, sizeof *w->neighbour);
    w->weight = regal_carve(carver, n, sizeof *w->weight);
    w->inverse = regal_carve(carver, n, sizeof *w->inverse);
}

static void list_neighbours(const regal_op_pairs *pairs, walk *w) {
    int64_t count = 0;
    for (int64_t op = 0; op < pairs->op_count; ++op) {
        w->begin[op] = count;
        for (int32_t p = pairs->in_begin[op]; p < pairs->in_begin[op + 1]; ++p)
            w->neighbour[count++] = pairs->source[p];
        for (int32_t p = pairs->out_begin[op]; p < pairs->out_begin[op + 1]; ++p)
            w->neighbour[count++] = pairs->target[pairs->out_pair[p]];
        const int64_t degree = count - w->begin[op];
        w->weight[op] = degree > 0 ? (float)degree : 1.0f;
        w->inverse[op] = degree > 0 ? 1.0f / (float)degree : 0.0f;
    }
    w->begin[pairs->op_count] = count;
}

/* Legendre's polynomials of the position. */
static void start(const float *position, walk *w) {
    for (int64_t op = 0; op < w->op_count; ++op) {
        const float x = position[op], second = 1.5f * x * x - 0.5f,
                    third = (5 * x * second - 2 * x) / 3;
        w->now[op] = (lanes){x, second, third, (7 * x * third - 3 * second) / 4};
    }
}

static lanes neighbours_mean(const walk *w, int64_t op) {
    lanes sum = {0};
    for (int64_t i = w->begin[op]; i < w->begin[op + 1]; ++i)
        sum += w->now[w->neighbour[i]];
    return w->inverse[op] * sum;
}

static void swap(walk *w) {
    lanes *now = w->now;
    w->now = w->next;
    w->next = now;
}

static void step(walk *w) {
    for (int64_t op = 0; op < w->op_count; ++op)
        w->next[op] = w->now[op] + neighbours_mean(w, op);
    swap(w);
}

/* Chebyshev's polynomial of the walk, with -1 to `divide` as the interval where it stays small. */
static void sweep(walk *w, float divide) {
    const float centre = (divide - 1) / 2, scale = 2 / (divide + 1);
    for (int64_t op = 0; op < w->op_count; ++op)
        w->next[op] = scale * (neighbours_mean(w, op) - centre * w->now[op]);
    swap(w);
    for (int i = 1; i < DEGREE; ++i) {
        for (int64_t op = 0; op < w->op_count; ++op)
            w->next[op] = 2 * scale * (neighbours_mean(w, op) - centre * w->now[op]) - w->next[op];
        swap(w);
    }
}

static double product(const walk *w, int a, int b) {
    double sum = 0;
    for (int64_t op = 0; op < w->op_count; ++op)
        sum += (double)w->weight[op] * (double)w->now[op][a] * (double)w->now[op][b];
    return sum;
}

static void subtract_mean(walk *w, int lane) {
    double sum = 0, weight = 0;
    for (int64_t op = 0; op < w->op_count; ++op) {
        sum += (double)w->weight[op] * (double)w->now[op][lane];
        weight += (double)w->weight[op];
    }
    const float mean = (float)(sum / weight);
    for (int64_t op = 0; op < w->op_count; ++op)
        w->now[op][lane] -= mean;
}

/* Makes each coordinate orthogonal to a constant and to those before it, and of length 1; 0 where
 * nothing but rounding is left. */
static void orthogonalize(walk *w) {
    const double least = 1e-8; /* of the square */
    for (int lane = 0; lane < LANES; ++lane) {
        const double before = product(w, lane, lane);
        subtract_mean(w, lane);
        for (int other = 0; other < lane; ++other) {
            const float along = (float)product(w, lane, other);
            for (int64_t op = 0; op < w->op_count; ++op)
                w->now[op][lane] -= along * w->now[op][other];
        }
        const double left = product(w, lane, lane);
        const float scale = left > least * before ? (float)(1 / sqrt(left)) : 0;
        for (int64_t op = 0; op < w->op_count; ++op)
            w->now[op][lane] *= scale;
    }
}

/* The eigenvalue of the last coordinate, as far as it is known. */
static float find_divide(const walk *w) {
    double sum = 0;
    for (int64_t op = 0; op < w->op_count; ++op)
        sum += (double)w->weight[op] * (double)w->now[op][LANES - 1] *
               (double)neighbours_mean(w, op)[LANES - 1];
    const float value = (float)sum;
    return value > GREATEST_DIVIDE ? GREATEST_DIVIDE : value > LEAST_DIVIDE ? value : LEAST_DIVIDE;
}

static void iterate(walk *w) {
    orthogonalize(w);
    for (int i = 1; i <= PLAIN_STEPS; ++i) {
        step(w);
        if (i % BETWEEN == 0)
            orthogonalize(w);
    }
    for (int i = 0; i < SWEEPS; ++i) {
        sweep(w, find_divide(w));
        orthogonalize(w);
    }
}

static void write_coordinate(const walk *w, const float *early, int lane, float *coordinates) {
    const double n = (double)w->op_count;
    double mean = 0, mean_early = 0, square = 0, along = 0;
    for (int64_t op = 0; op < w->op_count; ++op) {
        mean += (double)w->now[op][lane] / n;
        mean_early += (double)early[op] / n;
    }
    for (int64_t op = 0; op < w->op_count; ++op) {
        const double offset = (double)w->now[op][lane] - mean;
        square += offset * offset / n;
        along += offset * ((double)early[op] - mean_early);
    }
    const double scale = (along < 0 ? -1 : 1) / sqrt(square + 1e-20);
    for (int64_t op = 0; op < w->op_count; ++op)
        coordinates[REGAL_SPECTRAL_COUNT * op + lane] =
            (float)(((double)w->now[op][lane] - mean) * scale);
}

regal_status regal_spectral_coordinates(const regal_op_pairs *pairs, const float *position,
                                        const float *early, float *coordinates) {
    walk w;
    regal_carver carver = {0};
    carve(pairs, &w, &carver);
    void *memory = regal_carver_memory(&carver);
    REGAL_FAIL_IF_NULL(memory);
    carver = (regal_carver){.base = memory};
    carve(pairs, &w, &carver);
    list_neighbours(pairs, &w);
    start(position, &w);
    iterate(&w);
    for (int lane = 0; lane < REGAL_SPECTRAL_COUNT; ++lane)
        write_coordinate(&w, early, lane, coordinates);
    free(memory);
    return REGAL_OK;
}

#include <string.h>

#include "base/carver.h"
#include "base/error.h"
#include "policy/feature_parts.h"

/* The number of ops of a set is estimated from k exponential random numbers of each op: their least
 * over the set adds up to a Gamma variable of rate (ops in the set). Kept is e^-x of such a number,
 * which is uniform; then the greatest counts, and one logarithm of a product does for all k. */
enum { SAMPLES = 32 };

typedef struct sample_row {
    float value[SAMPLES];
} sample_row;

/* Uniform between 0 and 1, neither of them, a function of the op's place in the canonical order. */
static void draw(int64_t place, sample_row *row) {
    for (int i = 0; i < SAMPLES; i += 2) {
        uint64_t z = ((uint64_t)place * (SAMPLES / 2) + (uint64_t)i / 2 + 1) * 0x9E3779B97F4A7C15u;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        z ^= z >> 31;
        row->value[i] = ((float)(z >> 41) + 0.5f) * 0x1p-23f;
        row->value[i + 1] = ((float)(z >> 9 & 0x7FFFFF) + 0.5f) * 0x1p-23f;
    }
}

static void raise_to(sample_row *row, const sample_row *other) {
    for (int i = 0; i < SAMPLES; ++i)
        row->value[i] = other->value[i] > row->value[i] ? other->value[i] : row->value[i];
}

/* Of the op's set without the op itself, of `count` ops in all. */
static float estimate(const sample_row *row, int64_t count) {
    double product = 1;
    for (int i = 0; i < SAMPLES; ++i)
        product *= (double)row->value[i]; /* at least 2^-24 each: far from underflow */
    const double size = (SAMPLES - 1) / -log(product) - 1;
    const double most = (double)count - 1;
    return (float)(size < 0 ? 0 : size > most ? most : size);
}

static void estimate_ancestors(const regal_problem_view *view, const regal_op_pairs *pairs,
                               sample_row *rows, float *ancestors) {
    for (int64_t i = 0; i < view->op_count; ++i) {
        const regal_id op = view->canonical[i];
        draw(i, &rows[op]);
        for (int32_t p = pairs->in_begin[op]; p < pairs->in_begin[op + 1]; ++p)
            raise_to(&rows[op], &rows[pairs->source[p]]);
        ancestors[op] =
            pairs->in_begin[op] < pairs->in_begin[op + 1] ? estimate(&rows[op], view->op_count) : 0;
    }
}

static void estimate_descendants(const regal_problem_view *view, const regal_op_pairs *pairs,
                                 sample_row *rows, float *descendants) {
    for (int64_t i = view->op_count - 1; i >= 0; --i) {
        const regal_id op = view->canonical[i];
        draw(i, &rows[op]);
        for (int32_t p = pairs->out_begin[op]; p < pairs->out_begin[op + 1]; ++p)
            raise_to(&rows[op], &rows[pairs->target[pairs->out_pair[p]]]);
        descendants[op] = pairs->out_begin[op] < pairs->out_begin[op + 1]
                              ? estimate(&rows[op], view->op_count)
                              : 0;
    }
}

regal_status regal_estimate_reach(const regal_problem_view *view, const regal_op_pairs *pairs,
                                  float *ancestors, float *descendants) {
    regal_carver carver = {0};
    regal_carve(&carver, view->op_count + 1, sizeof(sample_row));
    sample_row *rows = regal_carver_memory(&carver);
    REGAL_FAIL_IF_NULL(rows);
    estimate_ancestors(view, pairs, rows, ancestors);
    estimate_descendants(view, pairs, rows, descendants);
    free(rows);
    return REGAL_OK;
}

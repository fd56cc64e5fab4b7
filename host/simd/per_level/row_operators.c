#include "simd/row_operators.h"

#include <math.h>
#include <stddef.h>

static inline float *row_to(const regal_row_work *w, int64_t row) {
    return w->to.at + row * w->to.stride;
}

static inline const float *row_from(const regal_row_work *w, int which, int64_t row) {
    return w->from[which].at + row * w->from[which].stride;
}

/* The row that a gather reads; NULL: zeros. */
static inline const float *gathered(const regal_row_work *w, int which, int64_t row) {
    const int32_t index = w->index[which][row];
    return index >= 0 ? row_from(w, which, index) : NULL;
}

static inline void add_row(float *restrict to, const float *restrict from, int64_t columns) {
    for (int64_t c = 0; c < columns; ++c)
        to[c] += from[c];
}

static inline void copy_row(float *restrict to, const float *restrict from, int64_t columns) {
    for (int64_t c = 0; c < columns; ++c)
        to[c] = from[c];
}

static inline void fill_row(float *to, float value, int64_t columns) {
    for (int64_t c = 0; c < columns; ++c)
        to[c] = value;
}

static void fill(const regal_row_work *w, int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r)
        fill_row(row_to(w, r), w->alpha, w->to.columns);
}

static void gather(const regal_row_work *w, int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
        const float *from = gathered(w, 0, r);
        if (from == NULL && !w->add)
            fill_row(row_to(w, r), 0, w->to.columns);
        else if (from != NULL && w->add)
            add_row(row_to(w, r), from, w->to.columns);
        else if (from != NULL)
            copy_row(row_to(w, r), from, w->to.columns);
    }
}

/* In place. */
static inline void activate_row(regal_activation activation, float *row, int64_t columns) {
    switch (activation) {
#define ACTIVATE(NAME, name)                  \
    case NAME:                                \
        for (int64_t c = 0; c < columns; ++c) \
            row[c] = regal_##name(row[c]);    \
        break;
        REGAL_ACTIVATION_LIST(ACTIVATE)
#undef ACTIVATE
    }
}

static void gather_pair(const regal_row_work *w, int64_t begin, int64_t end) {
    const int64_t columns = w->to.columns;
    for (int64_t r = begin; r < end; ++r) {
        float *restrict to = row_to(w, r);
        const float *restrict a = gathered(w, 0, r), *restrict b = gathered(w, 1, r);
        if (a != NULL && b != NULL)
            for (int64_t c = 0; c < columns; ++c)
                to[c] = a[c] + b[c];
        else if (a != NULL || b != NULL)
            for (int64_t c = 0; c < columns; ++c)
                to[c] = (a != NULL ? a : b)[c] + 0.0f;
        else
            fill_row(to, 0, columns);
        activate_row(w->activation, to, columns);
    }
}

/* A tile of columns is summed in registers. */
enum { TILE = 64 };

static inline void sum_tile(const regal_row_work *w, int64_t segment, int64_t first,
                            int64_t columns) {
    const int32_t *item = w->index[1];
    const int64_t begin = w->index[0][segment], end = w->index[0][segment + 1];
    float sum[TILE] = {0};
    for (int64_t i = begin; i < end; ++i) {
        const float *from = row_from(w, 0, item != NULL ? item[i] : i) + first;
        for (int64_t c = 0; c < columns; ++c)
            sum[c] += from[c];
    }
    float *to = row_to(w, segment) + first;
    if (w->add)
        add_row(to, sum, columns);
    else
        copy_row(to, sum, columns);
}

static void segmented_sum(const regal_row_work *w, int64_t begin, int64_t end) {
    for (int64_t s = begin; s < end; ++s) {
        int64_t c = 0;
        for (; w->to.columns - c >= TILE; c += TILE)
            sum_tile(w, s, c, TILE);
        if (c < w->to.columns)
            sum_tile(w, s, c, w->to.columns - c);
    }
}

static void activate(const regal_row_work *w, int64_t begin, int64_t end) {
    const int64_t columns = w->to.columns;
    for (int64_t r = begin; r < end; ++r) {
        float *to = row_to(w, r);
        const float *from = row_from(w, 0, r);
        if (w->vector != NULL)
            for (int64_t c = 0; c < columns; ++c)
                to[c] = from[c] + w->vector[c];
        else if (to != from)
            copy_row(to, from, columns);
        activate_row(w->activation, to, columns);
    }
}

static void activate_gradient(const regal_row_work *w, int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
        float *to = row_to(w, r);
        const float *y = row_from(w, 0, r), *gradient = row_from(w, 1, r);
        switch (w->activation) {
#define MULTIPLY_SLOPE(NAME, name)                            \
    case NAME:                                                \
        for (int64_t c = 0; c < w->to.columns; ++c)           \
            to[c] = gradient[c] * regal_##name##_slope(y[c]); \
        break;
            REGAL_ACTIVATION_LIST(MULTIPLY_SLOPE)
#undef MULTIPLY_SLOPE
        }
    }
}

/* Of the columns of a block. */
static inline void sum_columns(const regal_row_work *w, int64_t first, int64_t columns) {
    float sum[REGAL_ROW_LANES][REGAL_COLUMN_LANES] = {{0}}, total[REGAL_COLUMN_LANES] = {0};
    const int64_t lanes = w->source_rows < REGAL_ROW_LANES ? w->source_rows : REGAL_ROW_LANES;
    for (int64_t r = 0; r < w->source_rows; ++r)
        add_row(sum[r % REGAL_ROW_LANES], row_from(w, 0, r) + first, columns);
    for (int64_t l = 0; l < lanes; ++l)
        add_row(total, sum[l], columns);
    if (w->add)
        add_row(w->to.at + first, total, columns);
    else
        copy_row(w->to.at + first, total, columns);
}

static void column_sums(const regal_row_work *w, int64_t begin, int64_t end) {
    for (int64_t block = begin; block < end; ++block) {
        const int64_t first = block * REGAL_COLUMN_LANES, left = w->to.columns - first;
        if (left >= REGAL_COLUMN_LANES)
            sum_columns(w, first, REGAL_COLUMN_LANES);
        else
            sum_columns(w, first, left);
    }
}

static inline float sum_by_halves(float *lane) {
    for (int half = REGAL_COLUMN_LANES / 2; half > 0; half /= 2)
        for (int l = 0; l < half; ++l)
            lane[l] += lane[l + half];
    return lane[0];
}

/* The sum of `term` (of c) over the columns. */
#define SUM_OF_ROW(columns, term, result)                                    \
    do {                                                                     \
        float lane[REGAL_COLUMN_LANES] = {0};                                \
        int64_t at = 0;                                                      \
        for (; (columns)-at >= REGAL_COLUMN_LANES; at += REGAL_COLUMN_LANES) \
            for (int64_t l = 0; l < REGAL_COLUMN_LANES; ++l) {               \
                const int64_t c = at + l;                                    \
                lane[l] += (term);                                           \
            }                                                                \
        for (int64_t c = at; c < (columns); ++c)                             \
            lane[c - at] += (term);                                          \
        (result) = sum_by_halves(lane);                                      \
    } while (0)

static void normalize(const regal_row_work *w, int64_t begin, int64_t end) {
    const int64_t columns = w->to.columns;
    for (int64_t r = begin; r < end; ++r) {
        const float *from = row_from(w, 0, r);
        float *to = row_to(w, r), sum, squares;
        SUM_OF_ROW(columns, from[c], sum);
        const float mean = sum / (float)columns;
        SUM_OF_ROW(columns, (from[c] - mean) * (from[c] - mean), squares);
        const float scale = 1.0f / sqrtf(squares / (float)columns + REGAL_NORMALIZE_EPSILON);
        for (int64_t c = 0; c < columns; ++c)
            to[c] = (from[c] - mean) * scale;
        w->scale[r] = scale;
    }
}

static void normalize_gradient(const regal_row_work *w, int64_t begin, int64_t end) {
    const int64_t columns = w->to.columns;
    for (int64_t r = begin; r < end; ++r) {
        const float *y = row_from(w, 0, r), *gradient = row_from(w, 1, r), scale = w->vector[r];
        float *to = row_to(w, r), sum, along;
        SUM_OF_ROW(columns, gradient[c], sum);
        SUM_OF_ROW(columns, gradient[c] * y[c], along);
        sum /= (float)columns;
        along /= (float)columns;
        if (w->add)
            for (int64_t c = 0; c < columns; ++c)
                to[c] += ((gradient[c] - sum) - y[c] * along) * scale;
        else
            for (int64_t c = 0; c < columns; ++c)
                to[c] = ((gradient[c] - sum) - y[c] * along) * scale;
    }
}

static void scale_rows(const regal_row_work *w, int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
        float *to = row_to(w, r);
        const float *from = row_from(w, 0, r), factor = w->vector[r];
        if (w->add)
            for (int64_t c = 0; c < w->to.columns; ++c)
                to[c] += factor * from[c];
        else
            for (int64_t c = 0; c < w->to.columns; ++c)
                to[c] = factor * from[c];
    }
}

static void multiply(const regal_row_work *w, int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
        float *to = row_to(w, r);
        const float *a = row_from(w, 0, r), *b = row_from(w, 1, r);
        if (w->add)
            for (int64_t c = 0; c < w->to.columns; ++c)
                to[c] += a[c] * b[c];
        else
            for (int64_t c = 0; c < w->to.columns; ++c)
                to[c] = a[c] * b[c];
    }
}

static void combine(const regal_row_work *w, int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
        float *to = row_to(w, r);
        const float *from = row_from(w, 0, r);
        if (w->beta == 0.0f)
            for (int64_t c = 0; c < w->to.columns; ++c)
                to[c] = w->alpha * from[c];
        else
            for (int64_t c = 0; c < w->to.columns; ++c)
                to[c] = w->alpha * from[c] + w->beta * to[c];
    }
}

static float dot(int64_t count, const float *a, const float *b) {
    enum { LANES = REGAL_ROW_LANES * REGAL_COLUMN_LANES };
    float sum[LANES] = {0}, total[REGAL_COLUMN_LANES] = {0};
    for (int64_t first = 0; first < count; first += LANES) {
        const int64_t lanes = count - first < LANES ? count - first : LANES;
        for (int64_t l = 0; l < lanes; ++l)
            sum[l] += a[first + l] * b[first + l];
    }
    for (int64_t l = 0; l < LANES; ++l)
        total[l % REGAL_COLUMN_LANES] += sum[l];
    return sum_by_halves(total);
}

static void adam(const regal_adam_step *s, int64_t begin, int64_t end) {
    float *restrict parameter = s->parameter, *restrict mean = s->mean,
                    *restrict square = s->square;
    const float *restrict gradient = s->gradient;
    for (int64_t i = begin; i < end; ++i)
        regal_adam_update(s, gradient[i], &parameter[i], &mean[i], &square[i]);
}

const regal_row_operators REGAL_SIMD_NAME(regal_row_operators) = {
    .fill = fill,
    .gather = gather,
    .gather_pair = gather_pair,
    .segmented_sum = segmented_sum,
    .activate = activate,
    .activate_gradient = activate_gradient,
    .column_sums = column_sums,
    .normalize = normalize,
    .normalize_gradient = normalize_gradient,
    .scale_rows = scale_rows,
    .multiply = multiply,
    .combine = combine,
    .adam = adam,
    .dot = dot};

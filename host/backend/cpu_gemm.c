/* Products on the CPU: cut into pieces whose sizes depend on the shapes alone, each of which one
 * call of OpenBLAS does on one thread. So the bits don't depend on the number of threads. */
#include <limits.h>

#include "backend/cpu_math.h"
#include "base/error.h"
#include "base/memory.h"

/* Rows of a piece: enough that packing b again for each piece is cheap. A result of so few rows is
 * split along the inner dimension instead, if that is long: gradients of weights are such. */
enum { PIECE_ROWS = 512, PIECE_INNER = 2048 };

typedef struct cpu_product {
    const regal_gemm *gemm;
    regal_openblas_sgemm *sgemm;
    int64_t pieces; /* of each product of the batch */
    float *partial; /* [product][piece][rows][columns], NULL: split by rows */
} cpu_product;

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* A piece of `count` rows from `row` on, and of `inner` terms from `term` on. */
static void multiply_piece(const cpu_product *p, int64_t product, int64_t row, int64_t count,
                           int64_t term, int64_t inner, float beta, float *result, int64_t stride) {
    const regal_gemm *g = p->gemm;
    const float *a = g->a.at + product * g->a_step, *b = g->b.at + product * g->b_step;
    a += g->transpose_a ? term * g->a.stride + row : row * g->a.stride + term;
    b += g->transpose_b ? term : term * g->b.stride;
    p->sgemm(REGAL_CBLAS_ROW_MAJOR, g->transpose_a ? REGAL_CBLAS_TRANSPOSED : REGAL_CBLAS_AS_IS,
             g->transpose_b ? REGAL_CBLAS_TRANSPOSED : REGAL_CBLAS_AS_IS, (int)count,
             (int)g->columns, (int)inner, g->alpha, a, (int)g->a.stride, b, (int)g->b.stride, beta,
             result, (int)stride);
}

static void multiply_rows(void *context, int64_t index, int64_t worker) {
    const cpu_product *p = context;
    const regal_gemm *g = p->gemm;
    /* Products of the same rows one after the other: a batch often shares an operand. */
    const int64_t product = index % g->batch, row = index / g->batch * PIECE_ROWS;
    (void)worker;
    multiply_piece(p, product, row, least(g->rows - row, PIECE_ROWS), 0, g->inner, g->beta,
                   g->result + product * g->result_step + row * g->result_stride, g->result_stride);
}

static void multiply_terms(void *context, int64_t index, int64_t worker) {
    const cpu_product *p = context;
    const regal_gemm *g = p->gemm;
    const int64_t term = index % p->pieces * PIECE_INNER;
    (void)worker;
    multiply_piece(p, index / p->pieces, 0, g->rows, term, least(g->inner - term, PIECE_INNER),
                   0.0f, p->partial + index * g->rows * g->columns, g->columns);
}

static void add_partial_row(const cpu_product *p, int64_t product, int64_t row) {
    const regal_gemm *g = p->gemm;
    float *result = g->result + product * g->result_step + row * g->result_stride;
    const int64_t cells = g->rows * g->columns;
    const float *partial = p->partial + product * p->pieces * cells + row * g->columns;
    for (int64_t c = 0; c < g->columns; ++c) {
        float sum = partial[c];
        for (int64_t i = 1; i < p->pieces; ++i)
            sum += partial[i * cells + c];
        result[c] = g->beta == 0.0f ? sum : g->beta * result[c] + sum;
    }
}

static void add_partial(void *context, int64_t index, int64_t worker) {
    const cpu_product *p = context;
    (void)worker;
    add_partial_row(p, index / p->gemm->rows, index % p->gemm->rows);
}

static regal_status reserve_partial(regal_math_context *self, cpu_product *p) {
    const regal_gemm *g = p->gemm;
    int64_t count;
    const bool fits =
        !__builtin_mul_overflow(g->rows * g->columns, p->pieces, &count) &&
        !__builtin_mul_overflow(count, g->batch, &count) &&
        regal_array_reserve(&self->partial, &self->partial_capacity, count, sizeof *self->partial);
    REGAL_FAIL_IF(!fits, REGAL_OUT_OF_MEMORY, "memory ran out");
    p->partial = self->partial;
    return REGAL_OK;
}

static bool has_wide_number(const regal_gemm *g) {
    const int64_t number[] = {g->rows,     g->columns,  g->inner,        g->batch,
                              g->a.stride, g->b.stride, g->result_stride};
    for (size_t i = 0; i < sizeof number / sizeof *number; ++i)
        if (number[i] < 0 || number[i] > INT_MAX)
            return true;
    return false;
}

regal_status regal_cpu_math_gemm(regal_math_context *self, const regal_gemm *g) {
    REGAL_FAIL_IF(has_wide_number(g), REGAL_INVALID_ARGUMENT,
                  "a product of matrices goes up to 2^31 - 1 in each dimension");
    if (self->sgemm == NULL)
        REGAL_FORWARD(regal_openblas_find(&self->sgemm));
    if (g->rows == 0 || g->columns == 0)
        return REGAL_OK;
    cpu_product p = {.gemm = g, .sgemm = self->sgemm};
    if (g->rows > PIECE_ROWS || g->inner < 2 * PIECE_INNER) {
        p.pieces = (g->rows + PIECE_ROWS - 1) / PIECE_ROWS;
        regal_thread_pool_run(self->pool, g->batch * p.pieces, multiply_rows, &p);
        return REGAL_OK;
    }
    p.pieces = (g->inner + PIECE_INNER - 1) / PIECE_INNER;
    REGAL_FORWARD(reserve_partial(self, &p));
    regal_thread_pool_run(self->pool, g->batch * p.pieces, multiply_terms, &p);
    regal_thread_pool_run(self->pool, g->batch * g->rows, add_partial, &p);
    return REGAL_OK;
}

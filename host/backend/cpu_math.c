/* Dense arithmetic on the CPU: rows are shared out among threads. */
#include "backend/cpu_math.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/* Numbers that are worth a thread's while. */
enum { SHARE = 1 << 14 };

static void destroy(regal_math_context *self) {
    if (self == NULL)
        return;
    for (int64_t i = 0; i < self->memory_count; ++i)
        free(self->memory[i]);
    free(self->memory);
    free(self->partial);
    regal_thread_pool_destroy(self->pool);
    free(self);
}

static regal_status fill_context(regal_math_context *self, int64_t threads) {
    regal_simd_level level;
    REGAL_FORWARD(regal_simd_level_find(&level));
    self->operators = regal_row_operators_for(level);
    return regal_thread_pool_create(threads, &self->pool);
}

static regal_status create(int64_t threads, int64_t gpu, regal_math_context **context) {
    (void)gpu;
    *context = NULL;
    regal_math_context *self = regal_allocate_zeroed(1, sizeof *self);
    REGAL_FAIL_IF_NULL(self);
    const regal_status status = fill_context(self, threads);
    if (status == REGAL_OK)
        *context = self;
    else
        destroy(self);
    return status;
}

static regal_status allocate(regal_math_context *self, int64_t count, void **memory) {
    *memory = NULL;
    REGAL_FAIL_IF(!regal_array_reserve(&self->memory, &self->memory_capacity,
                                       self->memory_count + 1, sizeof *self->memory),
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    *memory = regal_allocate(count, sizeof(float));
    REGAL_FAIL_IF(*memory == NULL, REGAL_OUT_OF_MEMORY,
                  "memory ran out: the policy's network would take another %.1f MB",
                  (double)count * sizeof(float) / 1e6);
    self->memory[self->memory_count++] = *memory;
    return REGAL_OK;
}

static void release(regal_math_context *self, void *memory) {
    for (int64_t i = self->memory_count - 1; memory != NULL && i >= 0; --i)
        if (self->memory[i] == memory) {
            self->memory[i] = self->memory[--self->memory_count];
            free(memory);
            return;
        }
}

static regal_status copy(regal_math_context *self, void *to, const void *from, int64_t count) {
    (void)self;
    if (count > 0)
        memcpy(to, from, (size_t)count * sizeof(float));
    return REGAL_OK;
}

static regal_status wait(regal_math_context *self) {
    (void)self; /* calls have done their work when they return */
    return REGAL_OK;
}

/* A range of rows, or of numbers, that a thread takes at a time. */
typedef struct cpu_rows {
    regal_row_operator *operator;
    const regal_row_work *work;
    void (*adam)(const regal_adam_step *step, int64_t begin, int64_t end);
    const regal_adam_step *step;
    int64_t rows, share;
} cpu_rows;

static void do_share(void *context, int64_t index, int64_t worker) {
    const cpu_rows *rows = context;
    const int64_t begin = index * rows->share, left = rows->rows - begin;
    const int64_t end = begin + (left < rows->share ? left : rows->share);
    (void)worker;
    if (rows->work != NULL)
        rows->operator(rows->work, begin, end);
    else
        rows->adam(rows->step, begin, end);
}

static void run_shares(regal_math_context *self, cpu_rows *rows) {
    rows->share = rows->share > 0 ? rows->share : 1;
    regal_thread_pool_run(self->pool, (rows->rows + rows->share - 1) / rows->share, do_share, rows);
}

static regal_status run_rows(regal_math_context *self, regal_row_operator *operator,
                             const regal_row_work * work) {
    if (work->to.columns > 0) {
        cpu_rows rows = {.operator= operator,
                         .work = work,
                         .rows = work->to.rows,
                         .share = SHARE / work->to.columns};
        run_shares(self, &rows);
    }
    return REGAL_OK;
}

static regal_status fill(regal_math_context *self, regal_matrix to, float value) {
    const regal_row_work work = {.to = to, .alpha = value};
    return run_rows(self, self->operators->fill, &work);
}

static regal_status gather(regal_math_context *self, regal_matrix to, regal_rows from,
                           const int32_t *index, bool add) {
    const regal_row_work work = {.to = to, .from = {from}, .index = {index}, .add = add};
    return run_rows(self, self->operators->gather, &work);
}

static regal_status gather_pair(regal_math_context *self, regal_activation activation,
                                regal_matrix to, regal_rows a, const int32_t *of_a, regal_rows b,
                                const int32_t *of_b) {
    const regal_row_work work = {
        .to = to, .from = {a, b}, .index = {of_a, of_b}, .activation = activation};
    return run_rows(self, self->operators->gather_pair, &work);
}

static regal_status segmented_sum(regal_math_context *self, regal_matrix to, regal_rows from,
                                  const int32_t *begin, const int32_t *item, bool add) {
    const regal_row_work work = {.to = to, .from = {from}, .index = {begin, item}, .add = add};
    return run_rows(self, self->operators->segmented_sum, &work);
}

static regal_status activate(regal_math_context *self, regal_activation activation, regal_matrix to,
                             regal_rows from, const float *bias) {
    const regal_row_work work = {
        .to = to, .from = {from}, .vector = bias, .activation = activation};
    return run_rows(self, self->operators->activate, &work);
}

static regal_status activate_gradient(regal_math_context *self, regal_activation activation,
                                      regal_matrix to, regal_rows result, regal_rows gradient) {
    const regal_row_work work = {.to = to, .from = {result, gradient}, .activation = activation};
    return run_rows(self, self->operators->activate_gradient, &work);
}

static regal_status column_sums(regal_math_context *self, float *to, regal_rows from, int64_t rows,
                                int64_t columns, bool add) {
    const regal_row_work work = {
        .to = {to, 1, columns, columns}, .from = {from}, .add = add, .source_rows = rows};
    cpu_rows blocks = {.operator= self->operators->column_sums,
                       .work = &work,
                       .rows = (columns + REGAL_COLUMN_LANES - 1) / REGAL_COLUMN_LANES,
                       .share = rows > 0 ? SHARE / REGAL_COLUMN_LANES / rows : SHARE};
    run_shares(self, &blocks);
    return REGAL_OK;
}

static regal_status normalize(regal_math_context *self, regal_matrix to, float *scale,
                              regal_rows from) {
    const regal_row_work work = {.to = to, .from = {from}, .scale = scale};
    return run_rows(self, self->operators->normalize, &work);
}

static regal_status normalize_gradient(regal_math_context *self, regal_matrix to,
                                       const float *scale, regal_rows result, regal_rows gradient,
                                       bool add) {
    const regal_row_work work = {.to = to, .from = {result, gradient}, .vector = scale, .add = add};
    return run_rows(self, self->operators->normalize_gradient, &work);
}

static regal_status scale_rows(regal_math_context *self, regal_matrix to, const float *factor,
                               regal_rows from, bool add) {
    const regal_row_work work = {.to = to, .from = {from}, .vector = factor, .add = add};
    return run_rows(self, self->operators->scale_rows, &work);
}

static regal_status multiply(regal_math_context *self, regal_matrix to, regal_rows a, regal_rows b,
                             bool add) {
    const regal_row_work work = {.to = to, .from = {a, b}, .add = add};
    return run_rows(self, self->operators->multiply, &work);
}

static regal_status combine(regal_math_context *self, regal_matrix to, float alpha, regal_rows from,
                            float beta) {
    const regal_row_work work = {.to = to, .from = {from}, .alpha = alpha, .beta = beta};
    return run_rows(self, self->operators->combine, &work);
}

static regal_status dot(regal_math_context *self, float *to, int64_t count, const float *a,
                        const float *b) {
    *to = self->operators->dot(count, a, b);
    return REGAL_OK;
}

static regal_status adam(regal_math_context *self, const regal_adam_step *step) {
    cpu_rows rows = {
        .adam = self->operators->adam, .step = step, .rows = step->count, .share = SHARE / 4};
    run_shares(self, &rows);
    return REGAL_OK;
}

const regal_math regal_cpu_math = {.create = create,
                                   .destroy = destroy,
                                   .allocate = allocate,
                                   .release = release,
                                   .upload = copy,
                                   .download = copy,
                                   .wait = wait,
                                   .gemm = regal_cpu_math_gemm,
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
                                   .dot = dot,
                                   .adam = adam};

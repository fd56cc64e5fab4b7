#include "policy/order.h"

#include <stdlib.h>

#include "base/carver.h"
#include "base/error.h"
#include "policy/gumbel.h"
#include "regal/core/activation.h"
#include "regal/core/random.h"

static void carve(regal_carver *c, int64_t n, regal_order_scratch *s) {
    s->ready = regal_carve(c, n, sizeof *s->ready);
    s->missing = regal_carve(c, n, sizeof *s->missing);
    s->noisy = regal_carve(c, n, sizeof *s->noisy);
    s->score = regal_carve(c, n, sizeof *s->score);
    s->gradient = regal_carve(c, n, sizeof *s->gradient);
    s->weight = regal_carve(c, n + 1, sizeof *s->weight);
}

regal_status regal_order_scratch_create(int64_t op_count, regal_order_scratch *scratch) {
    regal_carver c = {0};
    carve(&c, op_count, scratch);
    c = (regal_carver){.base = regal_carver_memory(&c), .overflow = c.overflow};
    REGAL_FAIL_IF_NULL(c.base);
    carve(&c, op_count, scratch);
    scratch->memory = c.base;
    return REGAL_OK;
}

void regal_order_scratch_destroy(regal_order_scratch *scratch) {
    free(scratch->memory);
    *scratch = (regal_order_scratch){0};
}

/* ---- a heap of ready ops, the greatest (noisy, smaller id) first */

static bool goes_first(const float *noisy, regal_id a, regal_id b) {
    return noisy[a] != noisy[b] ? noisy[a] > noisy[b] : a < b;
}

static void heap_push(regal_id *heap, int64_t *count, const float *noisy, regal_id op) {
    int64_t at = (*count)++;
    for (; at > 0 && goes_first(noisy, op, heap[(at - 1) / 2]); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = op;
}

static regal_id heap_pop(regal_id *heap, int64_t *count, const float *noisy) {
    const regal_id first = heap[0], moved = heap[--*count];
    int64_t at = 0;
    for (int64_t child; (child = 2 * at + 1) < *count; at = child) {
        if (child + 1 < *count && goes_first(noisy, heap[child + 1], heap[child]))
            ++child;
        if (!goes_first(noisy, heap[child], moved))
            break;
        heap[at] = heap[child];
    }
    heap[at] = moved;
    return first;
}

static void add_noise(const float *score, int64_t n, uint64_t seed, uint32_t purpose,
                      uint32_t rollout, float *noisy) {
    const regal_stream stream = regal_stream_make(seed, REGAL_STAGE_ROLLOUT, 0, purpose, rollout);
    for (int64_t i = 0; i < n; i += 2) {
        const regal_random_block block = regal_draw(&stream, (uint32_t)(i / 2));
        noisy[i] = score[i] + regal_gumbel(block.word[0]);
        if (i + 1 < n)
            noisy[i + 1] = score[i + 1] + regal_gumbel(block.word[2]);
    }
}

/* Calls `ready(op)` for each successor of an op that has waited for it alone. */
#define FOR_EACH_READY(view, missing, op, successor, ...)                                 \
    do {                                                                                  \
        const regal_op_facts *facts_ = &(view)->ops[op];                                  \
        for (regal_id o_ = facts_[0].output_begin; o_ < facts_[1].output_begin; ++o_) {   \
            const regal_tensor_facts *t_ = &(view)->tensors[(view)->output_tensor[o_]];   \
            for (regal_id e_ = t_[0].consumer_begin; e_ < t_[1].consumer_begin; ++e_) {   \
                const regal_id successor = (view)->consumer[e_];                          \
                if (--(missing)[successor] == 0) {                                        \
                    __VA_ARGS__;                                                          \
                }                                                                         \
            }                                                                             \
        }                                                                                 \
        for (regal_id c_ = facts_[0].control_begin; c_ < facts_[1].control_begin; ++c_) { \
            const regal_id successor = (view)->control_successor[c_];                     \
            if (--(missing)[successor] == 0) {                                            \
                __VA_ARGS__;                                                              \
            }                                                                             \
        }                                                                                 \
    } while (0)

void regal_order_draw(const regal_problem_view *view, const float *score, bool noise, uint64_t seed,
                      uint32_t purpose, uint32_t rollout, regal_order_scratch *scratch,
                      regal_id *sequence) {
    const int64_t n = view->op_count;
    float *noisy = scratch->noisy;
    int64_t count = 0;
    if (noise)
        add_noise(score, n, seed, purpose, rollout, noisy);
    for (regal_id op = 0; op < n; ++op) {
        if (!noise)
            noisy[op] = score[op];
        scratch->missing[op] = view->ops[op].predecessor_count;
    }
    for (regal_id op = 0; op < n; ++op)
        if (scratch->missing[op] == 0)
            heap_push(scratch->ready, &count, noisy, op);
    for (int64_t i = 0; i < n; ++i) {
        const regal_id op = heap_pop(scratch->ready, &count, noisy);
        sequence[i] = op;
        FOR_EACH_READY(view, scratch->missing, op, next,
                       heap_push(scratch->ready, &count, noisy, next));
    }
}

/* ---- the gradient: ready ops lie side by side, with what they have gathered so far */

typedef struct ready_ops {
    regal_order_scratch *s;
    const float *score;
    int64_t count;
} ready_ops;

static void enter(ready_ops *r, regal_id op) {
    r->s->ready[r->count] = op;
    r->s->score[r->count] = r->score[op];
    r->s->gradient[r->count] = 0;
    ++r->count;
}

/* Each ready op loses its probability times the factor. */
static void share_out(ready_ops *r, float factor) {
    const float *restrict score = r->s->score;
    float *restrict weight = r->s->weight, *restrict gradient = r->s->gradient;
    float greatest = score[0], sum = 0;
    for (int64_t i = 1; i < r->count; ++i)
        greatest = score[i] > greatest ? score[i] : greatest;
    for (int64_t i = 0; i < r->count; ++i)
        weight[i] = regal_exp(score[i] - greatest);
    for (int64_t i = 0; i < r->count; ++i)
        sum += weight[i];
    const float each = factor / sum;
    for (int64_t i = 0; i < r->count; ++i)
        gradient[i] -= each * weight[i];
}

static void leave(ready_ops *r, regal_id op, float factor, float *gradient) {
    int64_t at = 0;
    while (r->s->ready[at] != op)
        ++at;
    gradient[op] += r->s->gradient[at] + factor;
    const int64_t last = --r->count;
    r->s->ready[at] = r->s->ready[last];
    r->s->score[at] = r->s->score[last];
    r->s->gradient[at] = r->s->gradient[last];
}

void regal_order_learn(const regal_problem_view *view, const float *score, const regal_id *sequence,
                       float factor, regal_order_scratch *scratch, float *gradient) {
    const int64_t n = view->op_count;
    ready_ops ready = {scratch, score, 0};
    for (regal_id op = 0; op < n; ++op) {
        scratch->missing[op] = view->ops[op].predecessor_count;
        if (scratch->missing[op] == 0)
            enter(&ready, op);
    }
    for (int64_t i = 0; i < n; ++i) {
        share_out(&ready, factor);
        leave(&ready, sequence[i], factor, gradient);
        FOR_EACH_READY(view, scratch->missing, sequence[i], next, enter(&ready, next));
    }
}

#include "policy/train/lesson.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "regal/core/fitness.h"
#include "regal/core/placement.h"
#include "regal/core/random.h"

double regal_plan_cost(const regal_problem_view *view, regal_fitness fitness) {
    double capacity = 0;
    for (int32_t d = 0; d < view->device_count; ++d)
        capacity += (double)view->capacity[d];
    if (fitness.value[0] == 0)
        return (double)fitness.value[1];
    return (double)fitness.value[1] *
           (1.05 + 3 * (double)fitness.value[0] / (capacity > 0 ? capacity : 1));
}

double regal_cost_over_bound(const regal_lesson_plan *plan, const regal_lesson *lesson,
                             const double *cost, int64_t count) {
    const regal_bounds bounds = regal_problem_bounds(lesson->studied);
    const double bound =
        (double)(plan->settings->objective == REGAL_TIME ? bounds.time : bounds.memory);
    double sum = 0;
    for (int64_t k = 0; k < count; ++k)
        sum += cost[k];
    return sum / (double)count / (bound > 0 ? bound : 1);
}

void regal_advantages(const double *cost, int64_t count, int64_t group, double *advantage) {
    double squares = 0;
    for (int64_t begin = 0; begin < count; begin += group) {
        const int64_t size = count - begin < group ? count - begin : group;
        double sum = 0;
        for (int64_t i = begin; i < begin + size; ++i)
            sum += cost[i];
        for (int64_t i = begin; i < begin + size; ++i) {
            advantage[i] = size > 1 ? (sum - cost[i]) / (double)(size - 1) - cost[i] : 0;
            squares += advantage[i] * advantage[i];
        }
    }
    const double deviation = sqrt(squares / (double)count);
    for (int64_t i = 0; i < count; ++i)
        advantage[i] = deviation > 0 ? advantage[i] / deviation : 0;
}

/* Memory of a lesson that draws plans. */
typedef struct drawing {
    const regal_lesson_plan *plan;
    regal_lesson *lesson;
    regal_roller roller;
    int64_t count, op_count, channel_count;
    float *score, *channel, *slope, *score_gradient;
    regal_id *sequence; /* [count][op] */
    uint8_t *device;    /* [count][op] */
    float *head;        /* [count][head parameters] */
    float *channels;    /* [count][op][channels] */
    double *cost, *advantage;
} drawing;

static void drawing_destroy(drawing *d) {
    regal_roller_destroy(&d->roller);
    free(d->score);
    free(d->channel);
    free(d->slope);
    free(d->score_gradient);
    free(d->sequence);
    free(d->device);
    free(d->head);
    free(d->channels);
    free(d->cost);
    free(d->advantage);
}

static regal_status allocate_drawing(drawing *d, bool placements) {
    const int64_t n = d->op_count, k = d->count, channels = d->channel_count;
    d->score = regal_allocate(n, sizeof *d->score);
    d->channel = regal_allocate(n * channels, sizeof *d->channel);
    d->slope = regal_allocate(n * (1 + channels), sizeof *d->slope);
    d->score_gradient = regal_allocate_zeroed(n, sizeof *d->score_gradient);
    d->sequence = regal_allocate(k * n, sizeof *d->sequence);
    d->device = regal_allocate(k * n, sizeof *d->device);
    d->cost = regal_allocate(k, sizeof *d->cost);
    d->advantage = regal_allocate(k, sizeof *d->advantage);
    d->head = regal_allocate_zeroed(placements ? k * d->plan->head_parameters : 0, sizeof *d->head);
    d->channels = regal_allocate_zeroed(placements ? k * n * channels : 0, sizeof *d->channels);
    REGAL_FAIL_IF(d->score == NULL || d->channel == NULL || d->slope == NULL ||
                      d->score_gradient == NULL || d->sequence == NULL || d->device == NULL ||
                      d->cost == NULL || d->advantage == NULL || d->head == NULL ||
                      d->channels == NULL,
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    return REGAL_OK;
}

static regal_status drawing_create(const regal_lesson_plan *plan, regal_lesson *lesson,
                                   bool placements, drawing *d) {
    *d = (drawing){.plan = plan,
                   .lesson = lesson,
                   .count = plan->options->samples,
                   .op_count = lesson->graph.op_count,
                   .channel_count = plan->settings->channels};
    REGAL_FORWARD(allocate_drawing(d, placements));
    REGAL_FORWARD(regal_roller_create(&lesson->graph, plan->settings, &d->roller));
    regal_policy_heads(plan->settings, &lesson->graph, lesson->output, d->score, d->channel,
                       d->slope);
    return REGAL_OK;
}

/* A device for each group, all allowed ones alike. */
static void draw_placement(const drawing *d, uint32_t number, uint8_t *device) {
    const regal_problem_view *view = d->lesson->graph.view;
    const regal_walk_question *q = &d->plan->question;
    const regal_stream stream =
        regal_stream_make(q->seed, REGAL_STAGE_ROLLOUT, 0, q->purpose, number);
    for (int64_t i = 0; i < d->op_count; ++i) {
        const regal_id op = view->canonical[i], leader = view->leader[op];
        const regal_random_block block = regal_draw(&stream, (uint32_t)(i / 2));
        const uint64_t allowed = view->allowed[leader];
        const int64_t index =
            regal_word_below(block.word[2 * (i & 1) + 1], regal_set_size(allowed));
        device[op] =
            leader == op ? (uint8_t)regal_set_member(allowed, (int32_t)index) : device[leader];
    }
}

static void draw_order(drawing *d, int64_t k) {
    const regal_walk_question *q = &d->plan->question;
    regal_order_draw(d->lesson->graph.view, d->score, true, q->seed, q->purpose, (uint32_t)k,
                     &d->roller.order, d->sequence + k * d->op_count);
}

static void keep_best(const drawing *d, int64_t k, regal_fitness fitness) {
    regal_drawn_best *best = d->lesson->best;
    const int64_t n = d->op_count;
    if (best == NULL ||
        (best->fitness.value[0] >= 0 && !regal_fitness_less(fitness, best->fitness)))
        return;
    best->fitness = fitness;
    memcpy(best->sequence, d->sequence + k * n, (size_t)n * sizeof *best->sequence);
    memcpy(best->device, d->device + k * n, (size_t)n);
}

static void value_plan(drawing *d, int64_t k) {
    const regal_fitness fitness = regal_roller_evaluate(&d->roller, d->sequence + k * d->op_count,
                                                        d->device + k * d->op_count);
    keep_best(d, k, fitness);
    d->cost[k] = regal_plan_cost(d->lesson->graph.view, fitness);
}

/* What was drawn -> the gradient of the loss by the network's outputs. */
static void hand_back(drawing *d) {
    const int64_t n = d->op_count, channels = d->channel_count, width = 1 + channels;
    const double penalty = 2 * d->plan->options->penalty * d->plan->share / (double)n;
    const float weight = (float)d->plan->settings->rank_weight;
    float *gradient = d->lesson->output_gradient;
    for (int64_t op = 0; op < n; ++op) {
        const float bounded = d->score[op] - weight * d->lesson->graph.rank[op];
        gradient[op * width] =
            (-d->score_gradient[op] + (float)penalty * bounded) * d->slope[op * width];
        for (int64_t c = 0; c < channels; ++c)
            gradient[op * width + 1 + c] *= -d->slope[op * width + 1 + c];
    }
    for (int64_t i = 0; i < d->plan->head_parameters; ++i)
        d->lesson->head_gradient[i] = -d->lesson->head_gradient[i];
    d->lesson->cost = regal_cost_over_bound(d->plan, d->lesson, d->cost, d->count);
}

static void learn_orders(drawing *d) {
    const double each = d->plan->share / (double)d->count;
    for (int64_t k = 0; k < d->count; ++k)
        if (d->advantage[k] != 0)
            regal_order_learn(d->lesson->graph.view, d->score, d->sequence + k * d->op_count,
                              (float)(d->advantage[k] * each), &d->roller.order, d->score_gradient);
}

static void add_scaled(float *to, const float *from, float factor, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
        to[i] += factor * from[i];
}

/* Each roll-out's gradient was taken while it was drawn; now it is known what it is worth. */
static void learn_placements(drawing *d) {
    const int64_t n = d->op_count, channels = d->channel_count, width = 1 + channels;
    const int64_t head = d->plan->head_parameters;
    const double each = d->plan->share / (double)d->count;
    for (int64_t k = 0; k < d->count; ++k) {
        const float factor = (float)(d->advantage[k] * each);
        const float *channel = d->channels + k * n * channels;
        add_scaled(d->lesson->head_gradient, d->head + k * head, factor, head);
        for (int64_t op = 0; op < n; ++op)
            add_scaled(d->lesson->output_gradient + op * width + 1, channel + op * channels, factor,
                       channels);
    }
}

regal_status regal_lesson_orders(const regal_lesson_plan *plan, regal_lesson *lesson) {
    drawing d;
    const regal_status status = drawing_create(plan, lesson, false, &d);
    const int64_t orders = plan->options->orders;
    for (int64_t k = 0; status == REGAL_OK && k < d.count; ++k) {
        uint8_t *device = d.device + k * d.op_count;
        if (k % orders == 0)
            draw_placement(&d, (uint32_t)k, device);
        else
            memcpy(device, device - d.op_count, (size_t)d.op_count);
        draw_order(&d, k);
        value_plan(&d, k);
    }
    if (status == REGAL_OK) {
        regal_advantages(d.cost, d.count, orders, d.advantage);
        learn_orders(&d);
        hand_back(&d);
    }
    drawing_destroy(&d);
    return status;
}

regal_status regal_lesson_plans(const regal_lesson_plan *plan, regal_lesson *lesson) {
    drawing d;
    const regal_status status = drawing_create(plan, lesson, true, &d);
    regal_walk_question question = plan->question;
    question.graph = &lesson->graph;
    question.channel = d.channel;
    for (int64_t k = 0; status == REGAL_OK && k < d.count; ++k) {
        regal_placement_weights gradient = question.weights;
        gradient.at = d.head + k * plan->head_parameters;
        question.rollout = (uint32_t)k;
        draw_order(&d, k);
        regal_walk(&question, d.roller.walker, d.sequence + k * d.op_count,
                   d.device + k * d.op_count, &gradient,
                   d.channels + k * d.op_count * d.channel_count);
        value_plan(&d, k);
    }
    if (status == REGAL_OK) {
        regal_advantages(d.cost, d.count, d.count, d.advantage);
        learn_orders(&d);
        learn_placements(&d);
        hand_back(&d);
    }
    drawing_destroy(&d);
    return status;
}

/* The paper's reward: the search's own result with the proposals, over that of the search without
 * (here the advantages' deviation takes the place of the latter: the same for all samples). The
 * action is a change of the scores; changes come in pairs of opposite sign, and all searches of a
 * lesson draw the same random numbers. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "policy/propose.h"
#include "policy/random_normal.h"
#include "policy/train/lesson.h"
#include "policy/train/paper_search.h"

typedef struct searching {
    const regal_lesson_plan *plan;
    regal_lesson *lesson;
    regal_roller roller;
    regal_rollouts rollouts;
    int64_t op_count;
    float *score, *channel, *slope; /* of the policy */
    float *noise;                   /* [samples / 2][op] */
    double *cost, *advantage;       /* [samples] */
} searching;

static void searching_destroy(searching *s) {
    regal_roller_destroy(&s->roller);
    regal_rollouts_destroy(&s->rollouts);
    free(s->score);
    free(s->channel);
    free(s->slope);
    free(s->noise);
    free(s->cost);
    free(s->advantage);
}

static regal_status searching_create(const regal_lesson_plan *plan, regal_lesson *lesson,
                                     searching *s) {
    const int64_t n = lesson->graph.op_count, channels = plan->settings->channels;
    const int64_t samples = plan->options->search_samples;
    *s = (searching){.plan = plan, .lesson = lesson, .op_count = n};
    s->score = regal_allocate(n, sizeof *s->score);
    s->channel = regal_allocate(n * channels, sizeof *s->channel);
    s->slope = regal_allocate(n * (1 + channels), sizeof *s->slope);
    s->noise = regal_allocate(samples / 2 * n, sizeof *s->noise);
    s->cost = regal_allocate(samples, sizeof *s->cost);
    s->advantage = regal_allocate(samples, sizeof *s->advantage);
    REGAL_FAIL_IF(s->score == NULL || s->channel == NULL || s->slope == NULL || s->noise == NULL ||
                      s->cost == NULL || s->advantage == NULL,
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    REGAL_FORWARD(regal_roller_create(&lesson->graph, plan->settings, &s->roller));
    REGAL_FORWARD(regal_rollouts_create(plan->settings->rows, n, &s->rollouts));
    regal_policy_heads(plan->settings, &lesson->graph, lesson->output, s->score, s->channel,
                       s->slope);
    regal_fill_normal(plan->question.seed ^ plan->question.purpose, REGAL_NORMAL_SCORES, 1,
                      samples / 2 * n, s->noise);
    return REGAL_OK;
}

/* Noise of a sample: +1 or -1 times a row. */
static const float *noise_of(const searching *s, int64_t sample, float *sign) {
    const int64_t half = s->plan->options->search_samples / 2;
    *sign = sample < half ? 1.0f : -1.0f;
    return s->noise + sample % half * s->op_count;
}

static void roll(searching *s, int64_t sample) {
    regal_rollouts *r = &s->rollouts;
    regal_walk_question question = s->plan->question;
    const float deviation = (float)s->plan->options->search_noise;
    float sign;
    const float *noise = noise_of(s, sample, &sign);
    for (int64_t op = 0; op < s->op_count; ++op)
        r->score[op] = s->score[op] + sign * deviation * noise[op];
    question.graph = &s->lesson->graph;
    question.channel = s->channel;
    for (int64_t k = 0; k < r->count; ++k) {
        regal_id *sequence = r->sequence + k * s->op_count;
        uint8_t *device = r->device + k * s->op_count;
        question.rollout = (uint32_t)k;
        regal_order_draw(s->lesson->graph.view, r->score, true, question.seed, question.purpose,
                         question.rollout, &s->roller.order, sequence);
        regal_walk(&question, s->roller.walker, sequence, device, NULL, NULL);
        r->fitness[k] = regal_roller_evaluate(&s->roller, sequence, device);
    }
    regal_rollouts_order(r);
}

static regal_status run_sample(searching *s, int64_t sample) {
    const regal_problem *problem = s->lesson->studied;
    const regal_lesson_plan *plan = s->plan;
    regal_fitness fitness;
    roll(s, sample);
    REGAL_FORWARD(regal_paper_search(problem, plan->settings, &s->rollouts,
                                     plan->options->search_evaluations,
                                     plan->question.seed + plan->question.purpose, &fitness));
    s->cost[sample] = regal_plan_cost(s->lesson->graph.view, fitness);
    return REGAL_OK;
}

static void hand_back(searching *s) {
    const int64_t samples = s->plan->options->search_samples,
                  width = 1 + s->plan->settings->channels;
    for (int64_t k = 0; k < samples; ++k) {
        float sign;
        const float *noise = noise_of(s, k, &sign);
        const double each = s->plan->share / (double)samples / s->plan->options->search_noise;
        const float factor = sign * (float)(s->advantage[k] * each);
        for (int64_t op = 0; op < s->op_count; ++op)
            s->lesson->output_gradient[op * width] -= factor * noise[op] * s->slope[op * width];
    }
    s->lesson->cost = regal_cost_over_bound(s->plan, s->lesson, s->cost, samples);
}

regal_status regal_lesson_search(const regal_lesson_plan *plan, regal_lesson *lesson) {
    searching s;
    regal_status status = searching_create(plan, lesson, &s);
    const int64_t samples = plan->options->search_samples;
    for (int64_t k = 0; status == REGAL_OK && k < samples; ++k)
        status = run_sample(&s, k);
    if (status == REGAL_OK) {
        regal_advantages(s.cost, samples, samples, s.advantage);
        hand_back(&s);
    }
    searching_destroy(&s);
    return status;
}

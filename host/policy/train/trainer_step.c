#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "policy/train/trainer.h"
#include "regal/core/adam.h"

/* Streams of roll-outs: what the search draws (rollout.c) is purpose 0. */
enum { FIRST_PURPOSE = 1 };

typedef struct step {
    regal_trainer *trainer;
    regal_lesson_plan plan;
    regal_lesson *lessons; /* [count] */
    int64_t count;
    regal_message_graph graph;       /* of all lessons */
    float *output, *output_gradient; /* [op][1 + channels] */
    float *head_gradient;            /* [count][head parameters] */
} step;

static int64_t batch_of(const regal_trainer *t) {
    return t->state.stage == REGAL_TRAIN_SEARCH ? t->options->search_batch : t->options->batch;
}

static void finish_lesson(regal_lesson *lesson, regal_status status) {
    lesson->status = status;
    lesson->message = status != REGAL_OK ? strdup(regal_error_message()) : NULL;
}

static regal_status lessons_status(const step *s) {
    for (int64_t i = 0; i < s->count; ++i)
        if (s->lessons[i].status != REGAL_OK)
            REGAL_FAIL(s->lessons[i].status, "%s: %s", s->trainer->set_path,
                       s->lessons[i].message != NULL ? s->lessons[i].message : "memory ran out");
    return REGAL_OK;
}

static regal_status draw(const step *s, int64_t index, regal_lesson *lesson) {
    const regal_trainer *t = s->trainer;
    const uint64_t number = (uint64_t)t->state.step * 65536 + (uint64_t)index;
    lesson->best = t->best;
    lesson->studied = t->only;
    if (t->only == NULL) {
        REGAL_FORWARD(regal_graph_set_draw(t->set, t->options->seed, number,
                                           t->options->augment != 0, &lesson->problem));
        lesson->studied = lesson->problem.problem;
    }
    return regal_walk_graph_create(regal_problem_get_view(lesson->studied), &lesson->graph);
}

static void draw_one(void *context, int64_t index, int64_t worker) {
    step *s = context;
    (void)worker;
    finish_lesson(&s->lessons[index], draw(s, index, &s->lessons[index]));
}

static void learn_one(void *context, int64_t index, int64_t worker) {
    static regal_status (*const learn[REGAL_TRAIN_STAGES])(
        const regal_lesson_plan *, regal_lesson *) = {regal_lesson_orders, regal_lesson_plans,
                                                      regal_lesson_search};
    step *s = context;
    (void)worker;
    finish_lesson(&s->lessons[index], learn[s->trainer->state.stage](&s->plan, &s->lessons[index]));
}

/* The messages of all graphs, and a place in the network's outputs for each. */
static regal_status join_graphs(step *s) {
    const int64_t width = 1 + s->plan.settings->channels, head = s->plan.head_parameters;
    const regal_problem_view **views = regal_allocate(s->count, sizeof *views);
    REGAL_FAIL_IF_NULL(views);
    for (int64_t i = 0; i < s->count; ++i)
        views[i] = s->lessons[i].graph.view;
    const regal_status status =
        regal_message_graph_create(views, s->count, s->plan.settings->objective, &s->graph);
    free(views);
    REGAL_FORWARD(status);
    s->output = regal_allocate(s->graph.op_count * width, sizeof *s->output);
    s->output_gradient =
        regal_allocate_zeroed(s->graph.op_count * width, sizeof *s->output_gradient);
    s->head_gradient = regal_allocate_zeroed(s->count * head, sizeof *s->head_gradient);
    REGAL_FAIL_IF(s->output == NULL || s->output_gradient == NULL || s->head_gradient == NULL,
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    for (int64_t i = 0; i < s->count; ++i) {
        s->lessons[i].output = s->output + s->graph.graph_begin[i] * width;
        s->lessons[i].output_gradient = s->output_gradient + s->graph.graph_begin[i] * width;
        s->lessons[i].head_gradient = s->head_gradient + i * head;
    }
    return REGAL_OK;
}

/* gradient: the network's part, then the head's, summed in the order of the lessons. */
static regal_status collect_gradient(step *s) {
    regal_trainer *t = s->trainer;
    const int64_t head = s->plan.head_parameters;
    float *of_head = t->gradient + t->state.parameter_count - head;
    REGAL_FORWARD(regal_network_backward(t->network, &s->graph, s->output_gradient, t->gradient));
    for (int64_t i = 0; i < head; ++i) {
        of_head[i] = 0;
        for (int64_t k = 0; k < s->count; ++k)
            of_head[i] += s->head_gradient[k * head + i];
    }
    return REGAL_OK;
}

/* What brings a gradient to a norm of 1 at most. */
static double clipping(const float *gradient, int64_t count) {
    double squares = 0;
    for (int64_t i = 0; i < count; ++i)
        squares += (double)gradient[i] * gradient[i];
    const double norm = sqrt(squares);
    return norm > 1 ? 1 / norm : 1;
}

/* Warm, then falling in a line to the last share. */
static double schedule(const regal_trainer *t, int64_t steps) {
    enum { WARM = 20 };
    const double done = (double)t->state.stage_step / (double)steps;
    const double warm = (double)(t->state.stage_step + 1) / WARM;
    const double left = fmax(1 - done, t->options->last_rate);
    return fmin(warm, 1) * left;
}

static void update(regal_trainer *t, int64_t begin, int64_t end, double rate) {
    const double beta1 = 0.9, beta2 = 0.999, steps = (double)t->state.adam_steps;
    const regal_adam_step adam = {.gradient_scale =
                                      (float)clipping(t->gradient + begin, end - begin),
                                  .rate = (float)rate,
                                  .beta1 = (float)beta1,
                                  .beta2 = (float)beta2,
                                  .mean_correction = (float)(1 - pow(beta1, steps)),
                                  .square_correction = (float)(1 - pow(beta2, steps)),
                                  .epsilon = 1e-8f};
    for (int64_t i = begin; i < end; ++i)
        regal_adam_update(&adam, t->gradient[i], &t->state.parameters[i], &t->state.mean[i],
                          &t->state.square[i]);
}

static void update_all(step *s) {
    regal_trainer *t = s->trainer;
    const regal_train_options *o = t->options;
    const int64_t all = t->state.parameter_count, network = all - s->plan.head_parameters;
    const int64_t steps[REGAL_TRAIN_STAGES] = {o->order_steps, o->plan_steps, o->search_steps};
    const double share = schedule(t, steps[t->state.stage]);
    const bool search = t->state.stage == REGAL_TRAIN_SEARCH;
    ++t->state.adam_steps;
    update(t, 0, network, share * (search ? o->search_rate : o->rate));
    if (t->state.stage == REGAL_TRAIN_PLANS)
        update(t, network, all, share * o->head_rate);
    /* The first steps count for less than they would by the last one's share alone. */
    const double stays =
        fmin(o->averaging, (double)t->state.adam_steps / (t->state.adam_steps + 9.0));
    for (int64_t i = 0; i < all; ++i)
        t->state.average[i] =
            (float)(stays * t->state.average[i] + (1 - stays) * t->state.parameters[i]);
}

static regal_status run(step *s, double *cost) {
    regal_trainer *t = s->trainer;
    s->lessons = regal_allocate_zeroed(s->count, sizeof *s->lessons);
    REGAL_FAIL_IF_NULL(s->lessons);
    regal_thread_pool_run(t->pool, s->count, draw_one, s);
    REGAL_FORWARD(lessons_status(s));
    REGAL_FORWARD(join_graphs(s));
    REGAL_FORWARD(regal_network_set(t->network, t->state.parameters));
    REGAL_FORWARD(regal_network_forward(t->network, &s->graph, true, s->output));
    regal_thread_pool_run(t->pool, s->count, learn_one, s);
    REGAL_FORWARD(lessons_status(s));
    REGAL_FORWARD(collect_gradient(s));
    update_all(s);
    *cost = 0;
    for (int64_t i = 0; i < s->count; ++i)
        *cost += s->lessons[i].cost / (double)s->count;
    return REGAL_OK;
}

regal_status regal_trainer_step(regal_trainer *trainer, double *cost) {
    const regal_policy_settings *settings = &trainer->policy->settings;
    step s = {.trainer = trainer, .count = batch_of(trainer)};
    s.plan = (regal_lesson_plan){.options = trainer->options,
                                 .settings = settings,
                                 .head_parameters = regal_placement_parameter_count(settings),
                                 .share = 1 / (double)s.count};
    REGAL_FORWARD(regal_walk_question_make(settings, trainer->state.parameters, &s.plan.question));
    s.plan.question.seed = trainer->options->seed;
    s.plan.question.purpose = FIRST_PURPOSE + (uint32_t)trainer->state.step;
    const regal_status status = run(&s, cost);
    for (int64_t i = 0; s.lessons != NULL && i < s.count; ++i) {
        regal_walk_graph_destroy(&s.lessons[i].graph);
        regal_set_problem_destroy(&s.lessons[i].problem);
        free(s.lessons[i].message);
    }
    free(s.lessons);
    regal_message_graph_destroy(&s.graph);
    free(s.output);
    free(s.output_gradient);
    free(s.head_gradient);
    return status;
}

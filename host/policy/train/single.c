#include "policy/train/single.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "baselines/heuristic.h"
#include "policy/train/trainer.h"
#include "regal/backend/backend.h"

static regal_status begin_state(regal_trainer *t) {
    const size_t size = (size_t)t->policy->parameter_count * sizeof(float);
    REGAL_FORWARD(regal_train_state_create(t->policy->parameter_count, &t->state));
    memcpy(t->state.parameters, t->policy->parameters, size);
    memcpy(t->state.average, t->policy->parameters, size);
    t->state.stage = REGAL_TRAIN_PLANS;
    t->gradient = regal_allocate(t->policy->parameter_count, sizeof *t->gradient);
    REGAL_FAIL_IF_NULL(t->gradient);
    return REGAL_OK;
}

static regal_status set_up(regal_trainer *t, regal_objective objective) {
    regal_policy_settings settings;
    const regal_backend *cpu;
    regal_policy_settings_init(objective, &settings);
    REGAL_FORWARD(regal_policy_create(&settings, t->options->seed, &t->policy));
    REGAL_FORWARD(begin_state(t));
    const regal_network_shape shape = regal_policy_network(&settings);
    REGAL_FORWARD(regal_backend_find("cpu", 0, &cpu));
    t->math = cpu->math;
    REGAL_FORWARD(t->math->create(1, 0, &t->context));
    REGAL_FORWARD(regal_network_create(t->math, t->context, &shape, &t->network));
    return regal_thread_pool_create(1, &t->pool);
}

static void tear_down(regal_trainer *t) {
    regal_network_destroy(t->network);
    if (t->context != NULL)
        t->math->destroy(t->context);
    regal_thread_pool_destroy(t->pool);
    regal_train_state_destroy(&t->state);
    regal_policy_destroy(t->policy);
    free(t->gradient);
}

static regal_status run(regal_trainer *t, regal_single_callback *callback, void *context,
                        int64_t *evaluations) {
    bool stopped = false;
    while (t->state.stage_step < t->options->plan_steps && !stopped) {
        REGAL_FORWARD(regal_trainer_step(t, &t->state.cost));
        ++t->state.stage_step;
        ++t->state.step;
        *evaluations += t->options->samples;
        const regal_single_progress progress = {t->state.step, *evaluations,
                                                regal_clock() - t->started, t->best->fitness};
        stopped = callback != NULL && callback(&progress, context);
    }
    return REGAL_OK;
}

static regal_status train(const regal_problem *problem, regal_objective objective,
                          const regal_single_options *options, regal_single_callback *callback,
                          void *context, regal_heuristic *drawn, int64_t *evaluations) {
    regal_train_options training;
    regal_train_options_init(&training);
    training.seed = options->seed;
    training.plan_steps = options->steps;
    training.samples = options->samples;
    training.batch = 1;
    regal_drawn_best best = {{{-1, -1, -1}}, drawn->sequence, drawn->device};
    regal_trainer trainer = {.options = &training,
                             .set_path = "training on one graph",
                             .only = problem,
                             .best = &best,
                             .started = regal_clock()};
    regal_status status = set_up(&trainer, objective);
    if (status == REGAL_OK)
        status = run(&trainer, callback, context, evaluations);
    tear_down(&trainer);
    return status;
}

regal_status regal_train_single(const regal_problem *problem, regal_objective objective,
                                const regal_single_options *options,
                                regal_single_callback *callback, void *context, regal_plan **plan,
                                int64_t *evaluations) {
    const regal_problem_view *view = regal_problem_get_view(problem);
    regal_heuristic drawn;
    *plan = NULL;
    *evaluations = 0;
    REGAL_FAIL_IF(options->steps < 1 || options->samples < 2, REGAL_INVALID_ARGUMENT,
                  "training on one graph wants at least one step of two samples");
    REGAL_FAIL_IF(view->op_count == 0, REGAL_INFEASIBLE, "there is no op to learn from");
    REGAL_FORWARD(regal_heuristic_create(view, "REINFORCE", &drawn));
    drawn.window = objective == REGAL_TIME ? 0 : 1;
    regal_status status =
        train(problem, objective, options, callback, context, &drawn, evaluations);
    if (status == REGAL_OK)
        status = regal_heuristic_decode(problem, &drawn);
    if (status == REGAL_OK) {
        *plan = drawn.plan;
        drawn.plan = NULL;
    }
    regal_heuristic_destroy(&drawn);
    return status;
}

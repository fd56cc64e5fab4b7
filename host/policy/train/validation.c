#include "policy/train/validation.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "policy/train/lesson.h"
#include "policy/train/paper_search.h"

static const int64_t BUDGET[REGAL_VALIDATION_BUDGETS] = {1000, 5000};
enum { SEEDS = 2, ROLLOUT_SEED = 1 };

typedef struct validation_problem {
    regal_set_problem problem;
    double uniform[REGAL_VALIDATION_BUDGETS]; /* cost, summed over seeds */
    double gain[REGAL_VALIDATION_BUDGETS];
    regal_status status;
    char *message;
} validation_problem;

struct regal_validation {
    regal_thread_pool *pool;
    regal_policy_settings settings; /* of the runs without a policy */
    const regal_policy *policy;     /* that is validated */
    const regal_math *math;
    regal_stop stop;
    atomic_bool stopped;
    int64_t count;
    validation_problem *problems;
};

void regal_validation_destroy(regal_validation *validation) {
    if (validation == NULL)
        return;
    for (int64_t i = 0; i < validation->count; ++i) {
        regal_set_problem_destroy(&validation->problems[i].problem);
        free(validation->problems[i].message);
    }
    free(validation->problems);
    free(validation);
}

/* Costs [budget], summed over the seeds of the search. */
static regal_status run_searches(const validation_problem *p, const regal_policy_settings *settings,
                                 const regal_rollouts *rollouts, double *cost) {
    const regal_problem_view *view = regal_problem_get_view(p->problem.problem);
    for (int b = 0; b < REGAL_VALIDATION_BUDGETS; ++b) {
        cost[b] = 0;
        for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
            regal_fitness fitness;
            REGAL_FORWARD(regal_paper_search(p->problem.problem, settings, rollouts, BUDGET[b],
                                             seed, &fitness));
            cost[b] += regal_plan_cost(view, fitness);
        }
    }
    return REGAL_OK;
}

static regal_status run_with_policy(const regal_validation *v, validation_problem *p) {
    const regal_policy_settings *settings = &v->policy->settings;
    double cost[REGAL_VALIDATION_BUDGETS];
    regal_rollouts rollouts;
    REGAL_FORWARD(regal_policy_roll_out(v->policy, p->problem.problem, v->math, 1, 0,
                                        settings->rollouts, ROLLOUT_SEED, &rollouts));
    const regal_status status = run_searches(p, settings, &rollouts, cost);
    regal_rollouts_destroy(&rollouts);
    for (int b = 0; status == REGAL_OK && b < REGAL_VALIDATION_BUDGETS; ++b)
        p->gain[b] = p->uniform[b] > 0 ? 100 * (1 - cost[b] / p->uniform[b]) : 0;
    return status;
}

static void note_failure(validation_problem *p) {
    free(p->message);
    p->message = p->status != REGAL_OK ? strdup(regal_error_message()) : NULL;
}

/* Worker 0 is the thread that called. */
static bool is_stopped(regal_validation *v, int64_t worker) {
    if (worker == 0 && v->stop.ask(v->stop.context))
        atomic_store(&v->stopped, true);
    return atomic_load(&v->stopped);
}

static void run_uniform(void *context, int64_t index, int64_t worker) {
    regal_validation *v = context;
    validation_problem *p = &v->problems[index];
    if (is_stopped(v, worker))
        return;
    p->status = run_searches(p, &v->settings, NULL, p->uniform);
    note_failure(p);
}

static void run_policy(void *context, int64_t index, int64_t worker) {
    regal_validation *v = context;
    validation_problem *p = &v->problems[index];
    if (is_stopped(v, worker))
        return;
    p->status = run_with_policy(v, p);
    note_failure(p);
}

static regal_status run_all(regal_validation *v, regal_loop_body *body) {
    regal_thread_pool_run(v->pool, v->count, body, v);
    for (int64_t i = 0; i < v->count; ++i)
        REGAL_FAIL_IF(v->problems[i].status != REGAL_OK, v->problems[i].status, "%s: %s",
                      v->problems[i].problem.name,
                      v->problems[i].message != NULL ? v->problems[i].message : "");
    return REGAL_OK;
}

static regal_status fill(regal_validation *v, const regal_graph_set *set) {
    const int64_t all = regal_graph_set_count(set);
    for (int64_t i = 0; i < v->count; ++i)
        REGAL_FORWARD(regal_graph_set_problem(
            set, (int64_t)((double)i * (double)all / (double)v->count), &v->problems[i].problem));
    return run_all(v, run_uniform);
}

regal_status regal_validation_create(const regal_graph_set *set, regal_objective objective,
                                     int64_t count, regal_thread_pool *pool, regal_stop stop,
                                     regal_validation **validation) {
    const int64_t all = regal_graph_set_count(set);
    regal_validation *v = regal_allocate_zeroed(1, sizeof *v);
    *validation = v;
    REGAL_FAIL_IF_NULL(v);
    v->pool = pool;
    v->stop = stop;
    v->count = count < all ? count : all;
    regal_policy_settings_init(objective, &v->settings);
    v->problems = regal_allocate_zeroed(v->count, sizeof *v->problems);
    regal_status status = REGAL_OUT_OF_MEMORY;
    if (v->problems == NULL)
        regal_error_set(status, __FILE__, __LINE__, "memory ran out");
    else
        status = fill(v, set);
    if (status != REGAL_OK || atomic_load(&v->stopped)) {
        if (v->problems == NULL)
            v->count = 0;
        regal_validation_destroy(v);
        *validation = NULL;
    }
    return status;
}

regal_status regal_validation_run(regal_validation *validation, const regal_policy *policy,
                                  const regal_math *math, double *gain, bool *stopped) {
    validation->policy = policy;
    validation->math = math;
    REGAL_FORWARD(run_all(validation, run_policy));
    *stopped = atomic_load(&validation->stopped);
    if (*stopped)
        return REGAL_OK;
    for (int b = 0; b < REGAL_VALIDATION_BUDGETS; ++b) {
        gain[b] = 0;
        for (int64_t i = 0; i < validation->count; ++i)
            gain[b] += validation->problems[i].gain[b] / (double)validation->count;
    }
    return REGAL_OK;
}

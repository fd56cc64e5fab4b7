/* One problem in one step of a training: what is drawn from the policy, what it is worth, and the
 * gradient that follows (REINFORCE: Williams 1992; a leave-one-out baseline, advantages of unit
 * deviation). */
#ifndef REGAL_POLICY_TRAIN_LESSON_H
#define REGAL_POLICY_TRAIN_LESSON_H

#include "policy/graph_set.h"
#include "policy/roller.h"
#include "regal/train.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The best plan that was drawn so far. */
typedef struct regal_drawn_best {
    regal_fitness fitness; /* value[0] < 0: none yet */
    regal_id *sequence;    /* [op] */
    uint8_t *device;       /* [op] */
} regal_drawn_best;

typedef struct regal_lesson {
    regal_set_problem problem;    /* owned; empty where the trainer has one problem only */
    const regal_problem *studied; /* that, or the trainer's */
    regal_walk_graph graph;
    regal_drawn_best *best; /* NULL: is not kept */
    const float *output;    /* [op][1 + channels] of the network */
    /* What is learned: of the loss, to be made less. */
    float *output_gradient; /* [op][1 + channels] */
    float *head_gradient;   /* [head parameters] */
    double cost;            /* mean over the lower bound */
    regal_status status;
    char *message; /* of a failure */
} regal_lesson;

/* What is the same for all lessons of a step. */
typedef struct regal_lesson_plan {
    const regal_train_options *options;
    const regal_policy_settings *settings;
    regal_walk_question question; /* without graph, channel, rollout */
    int64_t head_parameters;
    double share; /* of a lesson in the step: 1 / batch */
} regal_lesson_plan;

/* What a plan costs, in one number: more than any without excess where there is one. */
double regal_plan_cost(const regal_problem_view *view, regal_fitness fitness);

/* The mean of costs [count] over the lower bound. */
double regal_cost_over_bound(const regal_lesson_plan *plan, const regal_lesson *lesson,
                             const double *cost, int64_t count);

/* Orders under random placements; plans of orders and placements drawn together. */
regal_status regal_lesson_orders(const regal_lesson_plan *plan, regal_lesson *lesson);
regal_status regal_lesson_plans(const regal_lesson_plan *plan, regal_lesson *lesson);
/* The search with proposals from scores changed at random. */
regal_status regal_lesson_search(const regal_lesson_plan *plan, regal_lesson *lesson);

/* Advantages of costs [count], less is better: by the mean of the others of its group (groups of
 * `group` neighbours), over their deviation. */
void regal_advantages(const double *cost, int64_t count, int64_t group, double *advantage);

#ifdef __cplusplus
}
#endif
#endif

/* A training in progress. */
#ifndef REGAL_POLICY_TRAIN_TRAINER_H
#define REGAL_POLICY_TRAIN_TRAINER_H

#include "base/thread_pool.h"
#include "io/file_lock.h"
#include "policy/train/lesson.h"
#include "policy/train/validation.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum regal_train_stage {
    REGAL_TRAIN_ORDER,
    REGAL_TRAIN_PLANS,
    REGAL_TRAIN_SEARCH,
    REGAL_TRAIN_STAGES
} regal_train_stage;

enum { REGAL_TRAIN_FILES = 3 };

/* "order", "plans", "search". */
const char *regal_train_stage_name(int64_t stage);

/* All that a checkpoint holds, and no more. */
typedef struct regal_train_state {
    int64_t stage, stage_step; /* steps done in the stage */
    int64_t step;              /* steps done in all */
    int64_t adam_steps;        /* since the stage began */
    int64_t due;               /* 1: the validation of the last step is still to be done */
    int64_t in_vain;           /* validations of the stage without a better one */
    int64_t log_size;          /* bytes of the log */
    double seconds;
    double cost;                                /* of the last step */
    double gain[REGAL_VALIDATION_BUDGETS];      /* of the last validation; NAN before */
    double best_gain[REGAL_VALIDATION_BUDGETS]; /* of `best` */
    int64_t parameter_count;
    float *parameters, *average, *best; /* [parameter_count] each */
    float *mean, *square;               /* of Adam */
} regal_train_state;

typedef struct regal_trainer {
    const regal_train_options *options;
    const char *set_path, *output;
    char *checkpoint, *log;                   /* paths */
    regal_file_lock locks[REGAL_TRAIN_FILES]; /* of output, checkpoint and log */
    regal_graph_set *set, *validation_set;    /* one, where no other is given */
    const regal_problem *only;                /* in place of the set: every lesson is on it, */
    regal_drawn_best *best;                   /* and the best plan is kept */
    char identity[17];    /* of options and sets: what a checkpoint must agree with */
    regal_policy *policy; /* settings; its parameters are the state's when it is asked */
    regal_train_state state;
    float *gradient; /* [parameter_count] */

    regal_thread_pool *pool;
    const regal_math *math;
    regal_math_context *context;
    regal_network *network;
    regal_validation *validation;

    regal_train_callback *callback;
    void *callback_context;
    double started; /* this run, less the seconds of those before */
    bool stopped;
} regal_trainer;

/* ---- trainer_step.c: one step of the stage that the state is in; *cost as regal_lesson has it */
regal_status regal_trainer_step(regal_trainer *trainer, double *cost);

/* ---- checkpoint.c */
regal_status regal_train_state_create(int64_t parameter_count, regal_train_state *state);
void regal_train_state_destroy(regal_train_state *state);
/* Whole or not at all. */
regal_status regal_checkpoint_write(const regal_trainer *trainer);
/* *found: whether there was one. REGAL_INVALID_INPUT if it is of another training. */
regal_status regal_checkpoint_read(regal_trainer *trainer, bool *found);

/* ---- train_log.c */
/* Cuts the log to what the state knows of. */
regal_status regal_train_log_open(regal_trainer *trainer);
regal_status regal_train_log_step(regal_trainer *trainer, bool validated);

/* ---- train_card.c: what is written beside the weights, a JSON object; NULL: memory ran out */
char *regal_train_card(const regal_trainer *trainer);
/* All options and the names of the sets, as one JSON object. */
char *regal_train_options_json(const regal_trainer *trainer);

#ifdef __cplusplus
}
#endif
#endif

#include "policy/train/trainer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/fnv.h"
#include "base/memory.h"
#include "io/file.h"
#include "regal/backend/backend.h"

static int64_t stage_steps(const regal_trainer *t, int64_t stage) {
    const int64_t steps[REGAL_TRAIN_STAGES] = {t->options->order_steps, t->options->plan_steps,
                                               t->options->search_steps};
    return steps[stage];
}

/* ---- set-up */

/* The bytes of a set's file, which is read once: it may be a pipe. */
typedef struct set_text {
    char *data;
    size_t size;
} set_text;

static regal_status open_set(const char *path, set_text *text, regal_graph_set **set) {
    REGAL_FORWARD(regal_file_read(path, &text->data, &text->size));
    return regal_graph_set_parse(text->data, text->size, regal_file_label(path), set);
}

static regal_status open_sets(regal_trainer *t, set_text *training, set_text *other) {
    const char *validation = t->options->validation;
    REGAL_FORWARD(open_set(t->set_path, training, &t->set));
    t->validation_set = t->set;
    if (validation[0] != '\0')
        REGAL_FORWARD(open_set(validation, other, &t->validation_set));
    REGAL_FAIL_IF(regal_graph_set_objective(t->set) != regal_graph_set_objective(t->validation_set),
                  REGAL_INVALID_INPUT, "%s: its objective is not that of the training set",
                  validation);
    return REGAL_OK;
}

/* Weights for the one objective are no beginning for the other. */
static regal_status check_start(const regal_trainer *t, regal_objective objective) {
    char *text;
    if (regal_policy_is_for(t->policy, objective, t->options->start, "the training", &text))
        return REGAL_OK;
    regal_error_set(REGAL_INVALID_INPUT, __FILE__, __LINE__, "%s",
                    text != NULL ? text : "the policy is for another objective");
    free(text);
    return REGAL_INVALID_INPUT;
}

static regal_status begin_policy(regal_trainer *t) {
    regal_policy_settings settings;
    regal_policy_settings_init(regal_graph_set_objective(t->set), &settings);
    if (t->options->start[0] == '\0')
        return regal_policy_create(&settings, t->options->seed, &t->policy);
    REGAL_FORWARD(regal_policy_read(t->options->start, &t->policy));
    return check_start(t, settings.objective);
}

static regal_status begin_state(regal_trainer *t) {
    const size_t size = (size_t)t->policy->parameter_count * sizeof(float);
    REGAL_FORWARD(regal_train_state_create(t->policy->parameter_count, &t->state));
    memcpy(t->state.parameters, t->policy->parameters, size);
    memcpy(t->state.average, t->policy->parameters, size);
    memcpy(t->state.best, t->policy->parameters, size);
    t->gradient = regal_allocate(t->policy->parameter_count, sizeof *t->gradient);
    REGAL_FAIL_IF_NULL(t->gradient);
    return REGAL_OK;
}

/* Of all that decides what the training ends at. */
static regal_status identify(regal_trainer *t, const set_text *training, const set_text *other) {
    uint64_t hash = REGAL_FNV_START;
    char *text = regal_train_options_json(t);
    REGAL_FAIL_IF_NULL(text);
    hash = regal_fnv_bytes(hash, text, strlen(text));
    free(text);
    hash = regal_fnv_bytes(hash, t->policy->digest, strlen(t->policy->digest));
    hash = regal_fnv_bytes(hash, training->data, training->size);
    if (other->data != NULL)
        hash = regal_fnv_bytes(hash, other->data, other->size);
    hash = regal_fnv_number(hash, (int64_t)regal_graph_set_hash(t->set));
    hash = regal_fnv_number(hash, (int64_t)regal_graph_set_hash(t->validation_set));
    regal_fnv_print(hash, t->identity);
    return REGAL_OK;
}

static regal_status find_names(regal_trainer *t) {
    const regal_train_options *o = t->options;
    const bool ok =
        (o->checkpoint[0] != '\0' ? asprintf(&t->checkpoint, "%s", o->checkpoint)
                                  : asprintf(&t->checkpoint, "%s.checkpoint", t->output)) >= 0 &&
        (o->log[0] != '\0' ? asprintf(&t->log, "%s", o->log)
                           : asprintf(&t->log, "%s.log", t->output)) >= 0;
    REGAL_FAIL_IF(!ok, REGAL_OUT_OF_MEMORY, "memory ran out");
    return REGAL_OK;
}

/* Of two trainings one would lose what the other writes. */
static regal_status claim_outputs(regal_trainer *t) {
    REGAL_FORWARD(find_names(t));
    const char *const paths[REGAL_TRAIN_FILES] = {t->output, t->checkpoint, t->log};
    REGAL_FORWARD(regal_file_check_regular(t->output));
    REGAL_FORWARD(regal_file_check_regular(t->checkpoint));
    for (int i = 0; i < REGAL_TRAIN_FILES; ++i)
        REGAL_FORWARD(regal_file_lock_take(paths[i], "a training", &t->locks[i]));
    return REGAL_OK;
}

static regal_status open_network(regal_trainer *t) {
    const regal_network_shape shape = regal_policy_network(&t->policy->settings);
    const regal_backend *cpu;
    REGAL_FORWARD(regal_backend_find("cpu", 0, &cpu));
    t->math = cpu->math;
    REGAL_FORWARD(t->math->create(t->options->threads, 0, &t->context));
    REGAL_FORWARD(regal_network_create(t->math, t->context, &shape, &t->network));
    return regal_thread_pool_create(t->options->threads, &t->pool);
}

/* ---- the caller's ear */

static void report(regal_trainer *t, bool validated) {
    const regal_train_state *s = &t->state;
    const int64_t stage = s->stage < REGAL_TRAIN_STAGES ? s->stage : REGAL_TRAIN_STAGES - 1;
    int64_t left = stage_steps(t, stage) - s->stage_step;
    for (int64_t later = stage + 1; later < REGAL_TRAIN_STAGES; ++later)
        left += stage_steps(t, later);
    const regal_train_progress progress = {
        .stage = regal_train_stage_name(stage),
        .step = s->step,
        .steps = s->step + left,
        .seconds = s->seconds,
        .seconds_left = s->step > 0 ? s->seconds / (double)s->step * (double)left : -1,
        .cost = s->cost,
        .gain_1000 = s->gain[0],
        .gain_5000 = s->gain[1],
        .best = s->best_gain[1],
        .validated = validated};
    if (t->callback != NULL && t->callback(&progress, t->callback_context))
        t->stopped = true;
}

static bool ask_to_stop(void *context) {
    regal_trainer *t = context;
    if (!t->stopped)
        report(t, false);
    return t->stopped;
}

static regal_status begin(regal_trainer *t, set_text *training, set_text *other) {
    REGAL_FORWARD(open_sets(t, training, other));
    REGAL_FORWARD(begin_policy(t));
    REGAL_FORWARD(begin_state(t));
    return identify(t, training, other);
}

static void warn_of_no_steps(const regal_trainer *t) {
    const regal_train_options *o = t->options;
    if (o->order_steps == 0 && o->plan_steps == 0 && o->search_steps == 0)
        regal_warn("no stage has a step: the policy stays %s",
                   o->start[0] != '\0' ? "as it is" : "untrained");
}

static regal_status set_up(regal_trainer *t) {
    bool found;
    set_text training = {0}, other = {0};
    REGAL_FORWARD(claim_outputs(t));
    const regal_status status = begin(t, &training, &other);
    free(training.data);
    free(other.data);
    REGAL_FORWARD(status);
    warn_of_no_steps(t);
    REGAL_FORWARD(regal_checkpoint_read(t, &found));
    if (found)
        report(t, false);
    REGAL_FORWARD(regal_train_log_open(t));
    REGAL_FORWARD(open_network(t));
    REGAL_FORWARD(regal_validation_create(t->validation_set, t->policy->settings.objective,
                                          t->options->validation_count, t->pool,
                                          (regal_stop){ask_to_stop, t}, &t->validation));
    t->started = regal_clock() - t->state.seconds;
    return REGAL_OK;
}

static void tear_down(regal_trainer *t) {
    regal_validation_destroy(t->validation);
    regal_network_destroy(t->network);
    if (t->context != NULL)
        t->math->destroy(t->context);
    regal_thread_pool_destroy(t->pool);
    regal_train_state_destroy(&t->state);
    regal_policy_destroy(t->policy);
    if (t->validation_set != t->set)
        regal_graph_set_destroy(t->validation_set);
    regal_graph_set_destroy(t->set);
    for (int i = 0; i < REGAL_TRAIN_FILES; ++i)
        regal_file_lock_release(&t->locks[i]);
    free(t->gradient);
    free(t->checkpoint);
    free(t->log);
}

/* ---- the loop */

static void use_parameters(regal_trainer *t, const float *parameters) {
    memcpy(t->policy->parameters, parameters,
           (size_t)t->state.parameter_count * sizeof *parameters);
}

/* Where it is stopped it stays due. */
static regal_status validate(regal_trainer *t) {
    regal_train_state *s = &t->state;
    double gain[REGAL_VALIDATION_BUDGETS];
    bool stopped;
    use_parameters(t, s->average);
    REGAL_FORWARD(regal_validation_run(t->validation, t->policy, t->math, gain, &stopped));
    if (stopped)
        return REGAL_OK;
    memcpy(s->gain, gain, sizeof gain);
    s->due = 0;
    ++s->in_vain;
    if (isnan(s->best_gain[1]) || s->gain[1] > s->best_gain[1]) {
        memcpy(s->best_gain, s->gain, sizeof s->gain);
        memcpy(s->best, s->average, (size_t)s->parameter_count * sizeof *s->best);
        s->in_vain = 0;
    }
    return REGAL_OK;
}

static bool stage_is_over(const regal_trainer *t) {
    const regal_train_state *s = &t->state;
    return s->stage_step >= stage_steps(t, s->stage) || s->in_vain >= t->options->patience;
}

/* The next stage begins with the averaged weights. */
static void next_stage(regal_trainer *t) {
    regal_train_state *s = &t->state;
    const size_t size = (size_t)s->parameter_count * sizeof(float);
    ++s->stage;
    s->stage_step = s->adam_steps = s->in_vain = 0;
    memcpy(s->parameters, s->average, size);
    memset(s->mean, 0, size);
    memset(s->square, 0, size);
}

/* The step is done; it is validated where that is due, and noted. */
static regal_status end_step(regal_trainer *t) {
    regal_train_state *s = &t->state;
    const bool due = s->due != 0;
    if (due)
        REGAL_FORWARD(validate(t));
    s->seconds = regal_clock() - t->started;
    if (s->due == 0) {
        REGAL_FORWARD(regal_train_log_step(t, due));
        report(t, due);
    }
    if (s->step % t->options->checkpoint_every == 0 || t->stopped || stage_is_over(t))
        REGAL_FORWARD(regal_checkpoint_write(t));
    return REGAL_OK;
}

static regal_status run_step(regal_trainer *t) {
    regal_train_state *s = &t->state;
    REGAL_FORWARD(regal_trainer_step(t, &s->cost));
    ++s->stage_step;
    ++s->step;
    s->due = s->stage_step % t->options->validate_every == 0 ||
             s->stage_step == stage_steps(t, s->stage);
    return end_step(t);
}

static regal_status write_policy(regal_trainer *t) {
    use_parameters(t, t->state.best);
    free(t->policy->card);
    t->policy->card = regal_train_card(t);
    REGAL_FAIL_IF_NULL(t->policy->card);
    regal_policy_update_digest(t->policy);
    return regal_policy_write(t->policy, t->output);
}

static regal_status run(regal_trainer *t) {
    regal_train_state *s = &t->state;
    if (t->validation == NULL) /* stopped before there was anything to go on from */
        return REGAL_OK;
    if (s->step == 0 && isnan(s->best_gain[1]))
        REGAL_FORWARD(validate(t));
    if (s->due != 0)
        REGAL_FORWARD(end_step(t));
    while (s->stage < REGAL_TRAIN_STAGES && !t->stopped) {
        if (stage_is_over(t))
            next_stage(t);
        else
            REGAL_FORWARD(run_step(t));
    }
    return t->stopped ? REGAL_OK : write_policy(t);
}

regal_status regal_train(const char *set, const char *output, const regal_train_options *options,
                         regal_train_callback *callback, void *context, bool *stopped) {
    regal_trainer trainer = {.options = options,
                             .set_path = set,
                             .output = output,
                             .callback = callback,
                             .callback_context = context};
    REGAL_FORWARD(regal_train_options_validate(options));
    regal_status status = set_up(&trainer);
    if (status == REGAL_OK)
        status = run(&trainer);
    *stopped = trainer.stopped;
    tear_down(&trainer);
    return status;
}

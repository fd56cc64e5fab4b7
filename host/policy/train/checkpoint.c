/* The state of a training as safetensors: five rows of numbers, the rest as JSON text. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/file.h"
#include "io/safetensors.h"
#include "policy/train/trainer.h"

static const char FORMAT[] = "regal-training", VERSION[] = "1";

enum { ROWS = 5 };
static const char *const row_names[ROWS] = {"parameters", "average", "best", "adam.mean",
                                            "adam.square"};

/* The numbers that row_names tells. */
static void state_rows(const regal_train_state *s, float *rows[ROWS]) {
    float *const all[ROWS] = {s->parameters, s->average, s->best, s->mean, s->square};
    memcpy(rows, all, sizeof all);
}

/* X(member): the integers of a state. */
#define STATE_INTEGERS(X) \
    X(stage) X(stage_step) X(step) X(adam_steps) X(due) X(in_vain) X(log_size) X(parameter_count)

regal_status regal_train_state_create(int64_t parameter_count, regal_train_state *state) {
    float *memory = NULL;
    int64_t count;
    *state = (regal_train_state){
        .parameter_count = parameter_count, .gain = {NAN, NAN}, .best_gain = {NAN, NAN}};
    if (!__builtin_mul_overflow(parameter_count, (int64_t)ROWS, &count))
        memory = regal_allocate_zeroed(count, sizeof *memory);
    REGAL_FAIL_IF_NULL(memory);
    state->parameters = memory;
    state->average = memory + parameter_count;
    state->best = memory + 2 * parameter_count;
    state->mean = memory + 3 * parameter_count;
    state->square = memory + 4 * parameter_count;
    return REGAL_OK;
}

void regal_train_state_destroy(regal_train_state *state) {
    free(state->parameters);
    *state = (regal_train_state){0};
}

/* ---- out */

static json_t *number_or_null(double number) {
    return isnan(number) ? json_null() : json_real(number);
}

static char *state_text(const regal_train_state *s) {
    json_t *object = json_object();
#define PUT(member) json_object_set_new(object, #member, json_integer(s->member));
    STATE_INTEGERS(PUT)
#undef PUT
    json_object_set_new(object, "seconds", json_real(s->seconds));
    json_object_set_new(object, "cost", json_real(s->cost));
    json_object_set_new(object, "gain",
                        json_pack("[o,o,o,o]", number_or_null(s->gain[0]),
                                  number_or_null(s->gain[1]), number_or_null(s->best_gain[0]),
                                  number_or_null(s->best_gain[1])));
    char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(object);
    return text;
}

regal_status regal_checkpoint_write(const regal_trainer *trainer) {
    const int64_t count = trainer->state.parameter_count;
    float *rows[ROWS];
    regal_tensor_out tensors[ROWS];
    char *state = state_text(&trainer->state);
    REGAL_FAIL_IF_NULL(state);
    state_rows(&trainer->state, rows);
    for (int i = 0; i < ROWS; ++i)
        tensors[i] = (regal_tensor_out){row_names[i], 1, count, rows[i]};
    const regal_metadata_out metadata[] = {{"format", FORMAT},
                                           {"version", VERSION},
                                           {"training", trainer->identity},
                                           {"state", state}};
    const regal_status status =
        regal_safetensors_write(trainer->checkpoint, metadata,
                                (int64_t)(sizeof metadata / sizeof *metadata), tensors, ROWS);
    free(state);
    return status;
}

/* ---- in */

static regal_status read_word(const regal_safetensors *file, const char *key, const char **text) {
    *text = json_string_value(json_object_get(file->metadata.json, key));
    REGAL_JSON_FAIL_IF(*text == NULL, &file->metadata, "'%s' is missing", key);
    return REGAL_OK;
}

static regal_status check_identity(const regal_safetensors *file, const regal_trainer *t) {
    const char *format, *version, *training;
    REGAL_FORWARD(read_word(file, "format", &format));
    REGAL_FORWARD(read_word(file, "version", &version));
    REGAL_FORWARD(read_word(file, "training", &training));
    REGAL_JSON_FAIL_IF(strcmp(format, FORMAT) != 0 || strcmp(version, VERSION) != 0,
                       &file->metadata, "is no checkpoint of a training of this version");
    REGAL_JSON_FAIL_IF(strcmp(training, t->identity) != 0, &file->metadata,
                       "is a checkpoint of a training with other options or sets; name another "
                       "with --checkpoint, or remove it to begin anew");
    return REGAL_OK;
}

static double number_at(const json_t *array, size_t index) {
    const json_t *value = json_array_get(array, index);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static bool take_integers(const json_t *object, regal_train_state *s) {
    bool whole = true;
#define TAKE(member)                                                    \
    whole &= json_is_integer(json_object_get(object, #member)) &&       \
             json_integer_value(json_object_get(object, #member)) >= 0; \
    s->member = json_integer_value(json_object_get(object, #member));
    STATE_INTEGERS(TAKE)
#undef TAKE
    /* Steps of all stages are counted in 64 bits, with room. */
    return whole && s->stage <= REGAL_TRAIN_STAGES && s->step < INT64_MAX / 2 &&
           s->stage_step <= s->step && s->adam_steps <= s->step;
}

static regal_status read_state(const regal_safetensors *file, regal_train_state *s) {
    const char *text;
    const int64_t count = s->parameter_count;
    REGAL_FORWARD(read_word(file, "state", &text));
    json_t *object = json_loads(text, 0, NULL);
    const json_t *gain = json_object_get(object, "gain"), *seconds;
    seconds = json_object_get(object, "seconds");
    const bool whole = take_integers(object, s) && json_is_number(seconds);
    s->seconds = json_number_value(seconds);
    s->cost = json_number_value(json_object_get(object, "cost"));
    for (size_t i = 0; i < REGAL_VALIDATION_BUDGETS; ++i) {
        s->gain[i] = number_at(gain, i);
        s->best_gain[i] = number_at(gain, REGAL_VALIDATION_BUDGETS + i);
    }
    json_decref(object);
    REGAL_JSON_FAIL_IF(!whole || s->parameter_count != count, &file->metadata,
                       "'state' is not that of this training");
    return REGAL_OK;
}

static regal_status read_checkpoint(const regal_safetensors *file, void *result) {
    regal_trainer *t = result;
    regal_train_state *s = &t->state;
    float *rows[ROWS];
    REGAL_FORWARD(check_identity(file, t));
    REGAL_FORWARD(read_state(file, s));
    state_rows(s, rows);
    for (int i = 0; i < ROWS; ++i) {
        const regal_safetensor *tensor = regal_safetensors_find(file, row_names[i]);
        REGAL_JSON_FAIL_IF(
            tensor == NULL || tensor->rows != 1 || tensor->columns != s->parameter_count,
            &file->header, "tensor '%s' is missing or of another size", row_names[i]);
        REGAL_FORWARD(regal_safetensor_read(file, tensor, rows[i]));
    }
    return REGAL_OK;
}

regal_status regal_checkpoint_read(regal_trainer *trainer, bool *found) {
    char *data;
    size_t size;
    *found = access(trainer->checkpoint, F_OK) == 0;
    if (!*found)
        return REGAL_OK;
    REGAL_FORWARD(regal_file_read(trainer->checkpoint, &data, &size));
    const regal_status status = regal_safetensors_parse(
        data, size, regal_file_label(trainer->checkpoint), read_checkpoint, trainer);
    free(data);
    return status;
}

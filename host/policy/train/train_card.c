#include <inttypes.h>
#include <jansson.h>
#include <math.h>

#include "policy/train/trainer.h"
#include "regal/version.h"

static json_t *options_object(const regal_trainer *trainer) {
    const regal_train_options *options = trainer->options;
    json_t *object = json_object();
    int failed = object == NULL;
#define REGAL_TRAIN_INT(field, flag, argument, standard, low, high, help) \
    failed |= json_object_set_new(object, flag, json_integer(options->field)) != 0;
#define REGAL_TRAIN_SEED(field, flag, argument, standard, help) \
    failed |= json_object_set_new(object, flag, json_sprintf("%" PRIu64, options->field)) != 0;
#define REGAL_TRAIN_REAL(field, flag, argument, standard, low, high, help) \
    failed |= json_object_set_new(object, flag, json_real(options->field)) != 0;
#include "regal/train_options.def"
    json_object_del(object, "threads"); /* which change nothing */
    if (!failed)
        return object;
    json_decref(object);
    return NULL;
}

static json_t *percent(double gain) {
    return isnan(gain) ? json_null() : json_real(gain);
}

static char *dump(json_t *object) {
    char *text = object != NULL ? json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(12)) : NULL;
    json_decref(object);
    return text;
}

char *regal_train_options_json(const regal_trainer *trainer) {
    json_t *options = options_object(trainer);
    return options != NULL ? dump(json_pack("{s:o,s:s,s:s}", "options", options, "set",
                                            regal_graph_set_name(trainer->set), "validation_set",
                                            regal_graph_set_name(trainer->validation_set)))
                           : NULL;
}

char *regal_train_card(const regal_trainer *trainer) {
    const regal_train_state *s = &trainer->state;
    json_t *options = options_object(trainer);
    if (options == NULL)
        return NULL;
    return dump(json_pack("{s:s,s:s,s:s,s:I,s:f,s:o,s:o,s:o}", "version", REGAL_VERSION, "set",
                          regal_graph_set_name(trainer->set), "validation_set",
                          regal_graph_set_name(trainer->validation_set), "steps",
                          (json_int_t)s->step, "hours", s->seconds / 3600, "gain_1000",
                          percent(s->best_gain[0]), "gain_5000", percent(s->best_gain[1]),
                          "options", options));
}

#include <inttypes.h>
#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "regal/optimize.h"
#include "search/guide.h"

void regal_options_init(regal_options *options) {
#define REGAL_OPTION_INT(field, flag, argument, standard, low, high, help) \
    options->field = standard;
#define REGAL_OPTION_SEED(field, flag, argument, standard, help) options->field = standard;
#define REGAL_OPTION_REAL(field, flag, argument, standard, low, high, help) \
    options->field = standard;
#define REGAL_OPTION_TEXT(field, flag, argument, standard, choices, help) options->field = standard;
#include "regal/options.def"
}

/* Is word one of "a|b|c"? Any word is where there are no choices. */
static bool is_choice(const char *word, const char *choices) {
    const size_t length = strlen(word);
    if (choices[0] == '\0')
        return true;
    for (const char *choice = choices; choice != NULL;) {
        const char *bar = strchr(choice, '|');
        const size_t size = bar != NULL ? (size_t)(bar - choice) : strlen(choice);
        if (size == length && memcmp(choice, word, length) == 0)
            return true;
        choice = bar != NULL ? bar + 1 : NULL;
    }
    return false;
}

static regal_status check_each(const regal_options *options) {
#define REGAL_OPTION_INT(field, flag, argument, standard, low, high, help)                     \
    REGAL_FAIL_IF(options->field != (int64_t)(standard) &&                                     \
                      (options->field < (int64_t)(low) || options->field > (int64_t)(high)),   \
                  REGAL_INVALID_ARGUMENT, "--%s: %" PRId64 " is not in %" PRId64 "..%" PRId64, \
                  flag, options->field, (int64_t)(low), (int64_t)(high));
#define REGAL_OPTION_REAL(field, flag, argument, standard, low, high, help)                   \
    REGAL_FAIL_IF(options->field != (double)(standard) &&                                     \
                      !(options->field >= (double)(low) && options->field <= (double)(high)), \
                  REGAL_INVALID_ARGUMENT, "--%s: %g is not in %g..%g", flag, options->field,  \
                  (double)(low), (double)(high));
#define REGAL_OPTION_TEXT(field, flag, argument, standard, choices, help)        \
    REGAL_FAIL_IF(options->field == NULL || !is_choice(options->field, choices), \
                  REGAL_INVALID_ARGUMENT, "--%s: '%s' is none of %s", flag,      \
                  options->field != NULL ? options->field : "", choices);
#include "regal/options.def"
    return REGAL_OK;
}

regal_status regal_options_validate(const regal_options *options) {
    REGAL_FORWARD(check_each(options));
    REGAL_FAIL_IF(options->elites + options->mutants > 1, REGAL_INVALID_ARGUMENT,
                  "--elites and --mutants: shares of %g and %g exceed the population",
                  options->elites, options->mutants);
    REGAL_FAIL_IF(options->gpu != 0 && strcmp(options->backend, "cpu") == 0, REGAL_INVALID_ARGUMENT,
                  "--gpu: %" PRId64 " means nothing to --backend cpu", options->gpu);
    unsigned uses;
    return regal_guide_uses_read(options->policy_use, &uses);
}

/* A path need not be UTF-8; JSON must. */
static json_t *text_json(const char *text) {
    json_t *string = json_string(text);
    if (string != NULL)
        return string;
    char *plain = strdup(text);
    for (char *c = plain; plain != NULL && *c != '\0'; ++c)
        *c = (unsigned char)*c < 0x80 ? *c : '?';
    string = plain != NULL ? json_string(plain) : NULL;
    free(plain);
    return string;
}

char *regal_options_json(const regal_options *options) {
    json_t *object = json_object();
    int failed = object == NULL;
#define REGAL_OPTION_INT(field, flag, argument, standard, low, high, help)   \
    failed |= json_object_set_new(object, flag,                              \
                                  options->field == -1 ? json_string("auto") \
                                                       : json_integer(options->field)) != 0;
#define REGAL_OPTION_SEED(field, flag, argument, standard, help)                 \
    failed |= json_object_set_new(object, flag,                                  \
                                  options->field <= INT64_MAX                    \
                                      ? json_integer((json_int_t)options->field) \
                                      : json_sprintf("%" PRIu64, options->field)) != 0;
#define REGAL_OPTION_REAL(field, flag, argument, standard, low, high, help)  \
    failed |= json_object_set_new(object, flag,                              \
                                  options->field == -1 ? json_string("none") \
                                                       : json_real(options->field)) != 0;
#define REGAL_OPTION_TEXT(field, flag, argument, standard, choices, help) \
    failed |= json_object_set_new(object, flag, text_json(options->field)) != 0;
#include "regal/options.def"
    char *text = failed ? NULL : json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(12));
    json_decref(object);
    return text;
}

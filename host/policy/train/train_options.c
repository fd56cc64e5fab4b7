#include <inttypes.h>
#include <stddef.h>

#include "base/error.h"
#include "regal/train.h"

void regal_train_options_init(regal_train_options *options) {
#define REGAL_TRAIN_INT(field, flag, argument, standard, low, high, help) options->field = standard;
#define REGAL_TRAIN_SEED(field, flag, argument, standard, help)           options->field = standard;
#define REGAL_TRAIN_REAL(field, flag, argument, standard, low, high, help) \
    options->field = standard;
#define REGAL_TRAIN_TEXT(field, flag, argument, standard, help) options->field = standard;
#include "regal/train_options.def"
}

regal_status regal_train_options_validate(const regal_train_options *options) {
#define REGAL_TRAIN_INT(field, flag, argument, standard, low, high, help)                      \
    REGAL_FAIL_IF(options->field<(int64_t)(low) || options->field>(int64_t)(high),             \
                  REGAL_INVALID_ARGUMENT, "--%s: %" PRId64 " is not in %" PRId64 "..%" PRId64, \
                  flag, options->field, (int64_t)(low), (int64_t)(high));
#define REGAL_TRAIN_REAL(field, flag, argument, standard, low, high, help)                   \
    REGAL_FAIL_IF(!(options->field >= (double)(low) && options->field <= (double)(high)),    \
                  REGAL_INVALID_ARGUMENT, "--%s: %g is not in %g..%g", flag, options->field, \
                  (double)(low), (double)(high));
#define REGAL_TRAIN_TEXT(field, flag, argument, standard, help) \
    REGAL_FAIL_IF(options->field == NULL, REGAL_INVALID_ARGUMENT, "--%s: is missing", flag);
#include "regal/train_options.def"
    REGAL_FAIL_IF(options->search_samples % 2 != 0, REGAL_INVALID_ARGUMENT,
                  "--search-samples: %" PRId64 " is odd; changes come in pairs",
                  options->search_samples);
    return REGAL_OK;
}

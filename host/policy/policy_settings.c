#include "policy/policy_settings.h"

#include <math.h>
#include <stddef.h>

#include "base/error.h"

static const regal_policy_setting list[] = {
#define REGAL_POLICY_INT(field, time, memory, low, high, text) \
    {#field,                                                   \
     text,                                                     \
     true,                                                     \
     {[REGAL_TIME] = time, [REGAL_MEMORY] = memory},           \
     low,                                                      \
     high,                                                     \
     offsetof(regal_policy_settings, field)},
#define REGAL_POLICY_REAL(field, time, memory, low, high, text) \
    {#field,                                                    \
     text,                                                      \
     false,                                                     \
     {[REGAL_TIME] = time, [REGAL_MEMORY] = memory},            \
     low,                                                       \
     high,                                                      \
     offsetof(regal_policy_settings, field)},
#include "policy/policy_settings.def"
};

const regal_policy_setting *regal_policy_setting_at(int64_t index) {
    return index >= 0 && index < (int64_t)(sizeof list / sizeof *list) ? &list[index] : NULL;
}

double regal_policy_setting_get(const regal_policy_setting *setting,
                                const regal_policy_settings *settings) {
    const char *at = (const char *)settings + setting->offset;
    return setting->is_integer ? (double)*(const int64_t *)(const void *)at
                               : *(const double *)(const void *)at;
}

void regal_policy_setting_set(const regal_policy_setting *setting, double value,
                              regal_policy_settings *settings) {
    char *at = (char *)settings + setting->offset;
    if (setting->is_integer)
        *(int64_t *)(void *)at = (int64_t)value;
    else
        *(double *)(void *)at = value;
}

void regal_policy_settings_init(regal_objective objective, regal_policy_settings *settings) {
    *settings = (regal_policy_settings){.objective = objective};
    for (int64_t i = 0; regal_policy_setting_at(i) != NULL; ++i)
        regal_policy_setting_set(&list[i], list[i].standard[objective], settings);
}

regal_status regal_policy_settings_check(const regal_policy_settings *settings, regal_status status,
                                         const char *place) {
    for (int64_t i = 0; regal_policy_setting_at(i) != NULL; ++i) {
        const double value = regal_policy_setting_get(&list[i], settings);
        REGAL_FAIL_IF(!(value >= list[i].low && value <= list[i].high), status,
                      "%s: %s: %.15g is not from %.15g to %.15g", place, list[i].name, value,
                      list[i].low, list[i].high);
    }
    REGAL_FAIL_IF(settings->width % 8 != 0, status, "%s: width: %lld is no multiple of 8", place,
                  (long long)settings->width);
    REGAL_FAIL_IF(settings->hidden % 8 != 0, status, "%s: hidden: %lld is no multiple of 8", place,
                  (long long)settings->hidden);
    return REGAL_OK;
}

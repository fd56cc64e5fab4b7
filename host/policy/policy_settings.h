/* Inside the policy: its settings one by one, as the list (policy_settings.def) has them. */
#ifndef REGAL_POLICY_POLICY_SETTINGS_H
#define REGAL_POLICY_POLICY_SETTINGS_H

#include "policy/policy.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct regal_policy_setting {
    const char *name, *text;
    bool is_integer;
    double standard[2]; /* by objective */
    double low, high;
    size_t offset; /* in regal_policy_settings */
} regal_policy_setting;

/* NULL past the last. */
const regal_policy_setting *regal_policy_setting_at(int64_t index);

double regal_policy_setting_get(const regal_policy_setting *setting,
                                const regal_policy_settings *settings);
void regal_policy_setting_set(const regal_policy_setting *setting, double value,
                              regal_policy_settings *settings);

/* Records "place: name: ..." and returns `status` for the first value that is out of its range. */
regal_status regal_policy_settings_check(const regal_policy_settings *settings, regal_status status,
                                         const char *place);

/* All parameters 0, without a digest. The settings must be within their ranges. */
regal_status regal_policy_allocate(const regal_policy_settings *settings, regal_policy **policy);

#ifdef __cplusplus
}
#endif
#endif

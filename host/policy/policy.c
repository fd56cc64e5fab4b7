#include "policy/policy.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/fnv.h"
#include "base/memory.h"
#include "policy/placement.h"
#include "policy/policy_settings.h"

regal_network_shape regal_policy_network(const regal_policy_settings *settings) {
    return (regal_network_shape){.features = REGAL_FEATURE_COUNT,
                                 .edge_features = REGAL_EDGE_FEATURE_COUNT,
                                 .width = settings->width,
                                 .rounds = settings->rounds,
                                 .outputs = 1 + settings->channels};
}

static int64_t network_tensor_count(const regal_network_shape *shape) {
    regal_parameter_tensor tensor;
    int64_t count = 0;
    while (regal_network_tensor(shape, count, &tensor))
        ++count;
    return count;
}

bool regal_policy_tensor(const regal_policy_settings *settings, int64_t index,
                         regal_parameter_tensor *tensor) {
    const regal_network_shape shape = regal_policy_network(settings);
    if (regal_network_tensor(&shape, index, tensor))
        return true;
    if (index < 0 ||
        !regal_placement_tensor(settings, index - network_tensor_count(&shape), tensor))
        return false;
    tensor->offset += regal_network_parameter_count(&shape);
    return true;
}

int64_t regal_policy_parameter_count(const regal_policy_settings *settings) {
    const regal_network_shape shape = regal_policy_network(settings);
    return regal_network_parameter_count(&shape) + regal_placement_parameter_count(settings);
}

static regal_status fill_policy(const regal_policy_settings *settings, regal_policy *policy) {
    policy->settings = *settings;
    policy->parameter_count = regal_policy_parameter_count(settings);
    policy->parameters = regal_allocate_zeroed(policy->parameter_count, sizeof *policy->parameters);
    policy->card = strdup("{}");
    REGAL_FAIL_IF(policy->parameters == NULL || policy->card == NULL, REGAL_OUT_OF_MEMORY,
                  "memory ran out");
    return REGAL_OK;
}

regal_status regal_policy_allocate(const regal_policy_settings *settings, regal_policy **policy) {
    regal_policy *p = *policy = regal_allocate_zeroed(1, sizeof *p);
    REGAL_FAIL_IF_NULL(p);
    const regal_status status = fill_policy(settings, p);
    if (status != REGAL_OK) {
        regal_policy_destroy(p);
        *policy = NULL;
    }
    return status;
}

regal_status regal_policy_create(const regal_policy_settings *settings, uint64_t seed,
                                 regal_policy **policy) {
    const regal_network_shape shape = regal_policy_network(settings);
    *policy = NULL;
    REGAL_FORWARD(regal_policy_settings_check(settings, REGAL_INVALID_ARGUMENT, "policy"));
    REGAL_FORWARD(regal_policy_allocate(settings, policy));
    float *parameters = (*policy)->parameters;
    regal_network_initialize(&shape, seed, parameters);
    regal_placement_initialize(settings, seed, parameters + regal_network_parameter_count(&shape));
    regal_policy_update_digest(*policy);
    return REGAL_OK;
}

void regal_policy_destroy(regal_policy *policy) {
    if (policy == NULL)
        return;
    free(policy->parameters);
    free(policy->card);
    free(policy);
}

static uint64_t add_settings(uint64_t hash, const regal_policy_settings *settings) {
    const regal_policy_setting *setting;
    hash = regal_fnv_number(hash, settings->objective);
    for (int64_t i = 0; (setting = regal_policy_setting_at(i)) != NULL; ++i) {
        const double value = regal_policy_setting_get(setting, settings);
        int64_t bits;
        memcpy(&bits, &value, sizeof bits);
        hash = regal_fnv_bytes(hash, setting->name, strlen(setting->name) + 1);
        hash = regal_fnv_number(hash, bits);
    }
    return hash;
}

void regal_policy_update_digest(regal_policy *policy) {
    uint64_t hash = add_settings(REGAL_FNV_START, &policy->settings);
    for (int64_t i = 0; i < policy->parameter_count; ++i) {
        uint32_t bits;
        memcpy(&bits, &policy->parameters[i], sizeof bits);
        hash = regal_fnv_number(hash, bits);
    }
    regal_fnv_print(hash, policy->digest);
}

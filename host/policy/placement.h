/* The placement head: walks an order and draws a device for each op (DESIGN 5). One small network,
 * shared by all devices, scores each device from what the walk so far says about it; so devices are
 * exactly symmetric and their number is free:
 *   score(d) = tanh(input(d) W + b) w + input(d) l,   P(d) = softmax over the allowed devices. */
#ifndef REGAL_POLICY_PLACEMENT_H
#define REGAL_POLICY_PLACEMENT_H

#include "policy/policy.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Inputs of a device, before the network's channels. X(NAME, "name", "text") in
 * placement_inputs.def. */
typedef enum regal_placement_input {
#define REGAL_PLACEMENT_INPUT(NAME, name, text) REGAL_PLACEMENT_##NAME,
#include "policy/placement_inputs.def"
    REGAL_PLACEMENT_INPUT_COUNT
} regal_placement_input;
const char *regal_placement_input_name(int64_t index);

/* Tensors "placement.hidden.weight" [inputs][hidden], "placement.hidden.bias" [1][hidden],
 * "placement.output" [1][hidden], "placement.direct" [1][inputs]; offsets from 0. */
bool regal_placement_tensor(const regal_policy_settings *settings, int64_t index,
                            regal_parameter_tensor *tensor);
int64_t regal_placement_parameter_count(const regal_policy_settings *settings);
void regal_placement_initialize(const regal_policy_settings *settings, uint64_t seed,
                                float *parameters);

#ifdef __cplusplus
}
#endif
#endif

#include <math.h>
#include <stdio.h>

#include "policy/placement.h"
#include "policy/random_normal.h"

static const char *const input_names[] = {
#define REGAL_PLACEMENT_INPUT(NAME, name, text) name,
#include "policy/placement_inputs.def"
};

const char *regal_placement_input_name(int64_t index) {
    return index >= 0 && index < REGAL_PLACEMENT_INPUT_COUNT ? input_names[index] : NULL;
}

static int64_t input_count(const regal_policy_settings *settings) {
    return REGAL_PLACEMENT_INPUT_COUNT + settings->channels;
}

bool regal_placement_tensor(const regal_policy_settings *settings, int64_t index,
                            regal_parameter_tensor *tensor) {
    const int64_t inputs = input_count(settings), hidden = settings->hidden;
    const struct {
        const char *name;
        int64_t rows, columns;
    } list[] = {{"placement.hidden.weight", inputs, hidden},
                {"placement.hidden.bias", 1, hidden},
                {"placement.output", 1, hidden},
                {"placement.direct", 1, inputs}};
    if (index < 0 || index >= (int64_t)(sizeof list / sizeof *list))
        return false;
    *tensor = (regal_parameter_tensor){.rows = list[index].rows, .columns = list[index].columns};
    snprintf(tensor->name, sizeof tensor->name, "%s", list[index].name);
    for (int64_t i = 0; i < index; ++i)
        tensor->offset += list[i].rows * list[i].columns;
    return true;
}

int64_t regal_placement_parameter_count(const regal_policy_settings *settings) {
    const int64_t inputs = input_count(settings), hidden = settings->hidden;
    return inputs * hidden + 2 * hidden + inputs;
}

/* The head begins as a soft HEFT: a device is drawn by how early it would finish the op, or for
 * memory by how little the greatest peak would rise. */
static const float FIRST_DIRECT = -4, FIRST_RISE = -1;

void regal_placement_initialize(const regal_policy_settings *settings, uint64_t seed,
                                float *parameters) {
    const int64_t inputs = input_count(settings), hidden = settings->hidden;
    float *direct = parameters + inputs * hidden + 2 * hidden;
    regal_fill_normal(seed, REGAL_NORMAL_PLACEMENT, 0.3f, inputs * hidden, parameters);
    for (int64_t i = inputs * hidden; i < inputs * hidden + 2 * hidden + inputs; ++i)
        parameters[i] = 0;
    if (settings->objective == REGAL_TIME)
        direct[REGAL_PLACEMENT_FINISH] = FIRST_DIRECT;
    else
        direct[REGAL_PLACEMENT_RISE] = FIRST_RISE;
}

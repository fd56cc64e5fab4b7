/* The parameters of the network: their shapes, names and first values. */
#include <math.h>
#include <stdio.h>

#include "policy/network_parts.h"
#include "policy/random_normal.h"

typedef enum network_size {
    REGAL_SIZE_ONE,
    REGAL_SIZE_FEATURES,
    REGAL_SIZE_EDGE_FEATURES,
    REGAL_SIZE_WIDTH,
    REGAL_SIZE_OUTPUTS,
    REGAL_SIZE_MESSAGE, /* inputs of a message, of an update, of the readout */
    REGAL_SIZE_UPDATE,
    REGAL_SIZE_READOUT
} network_size;

static const struct {
    const char *name;
    network_size rows, columns;
    double gain;
    network_size inputs;
} parts[] = {
#define REGAL_NETWORK_TENSOR(PART, name, rows, columns, gain, inputs) \
    {name, REGAL_SIZE_##rows, REGAL_SIZE_##columns, gain, REGAL_SIZE_##inputs},
#include "policy/network_tensors.def"
};

static int64_t size_of(const regal_network_shape *shape, network_size size) {
    const int64_t sizes[] = {[REGAL_SIZE_ONE] = 1,
                             [REGAL_SIZE_FEATURES] = shape->features,
                             [REGAL_SIZE_EDGE_FEATURES] = shape->edge_features,
                             [REGAL_SIZE_WIDTH] = shape->width,
                             [REGAL_SIZE_OUTPUTS] = shape->outputs,
                             [REGAL_SIZE_MESSAGE] = 2 * shape->width + shape->edge_features,
                             [REGAL_SIZE_UPDATE] = 4 * shape->width,
                             [REGAL_SIZE_READOUT] = 2 * shape->width};
    return sizes[size];
}

static int64_t numbers(const regal_network_shape *shape, int64_t part) {
    return size_of(shape, parts[part].rows) * size_of(shape, parts[part].columns);
}

static bool is_of_round(int64_t part) {
    return part >= REGAL_PART_ROUND && part < REGAL_PART_ROUND_END;
}

int64_t regal_network_offset(const regal_network_shape *shape, regal_network_part part,
                             int64_t round) {
    int64_t before = 0, round_size = 0;
    for (int64_t i = 0; i < REGAL_PART_COUNT; ++i) {
        round_size += is_of_round(i) ? numbers(shape, i) : 0;
        before += i < (int64_t)part && !(is_of_round(i) && part >= REGAL_PART_ROUND_END)
                      ? numbers(shape, i)
                      : 0;
    }
    return before + (part >= REGAL_PART_ROUND_END ? shape->rounds : round) * round_size;
}

/* The part and round of a tensor; false past the last. */
static bool find(const regal_network_shape *shape, int64_t index, int64_t *part, int64_t *round) {
    const int64_t of_round = REGAL_PART_ROUND_END - REGAL_PART_ROUND;
    const int64_t in_rounds = index - REGAL_PART_ROUND, all = of_round * shape->rounds;
    *round = in_rounds >= 0 && in_rounds < all ? in_rounds / of_round : 0;
    *part = in_rounds < 0     ? index
            : in_rounds < all ? REGAL_PART_ROUND + in_rounds % of_round
                              : REGAL_PART_ROUND_END + in_rounds - all;
    return index >= 0 && *part < REGAL_PART_COUNT;
}

bool regal_network_tensor(const regal_network_shape *shape, int64_t index,
                          regal_parameter_tensor *tensor) {
    int64_t part, round;
    if (!find(shape, index, &part, &round))
        return false;
    *tensor = (regal_parameter_tensor){
        .rows = size_of(shape, parts[part].rows),
        .columns = size_of(shape, parts[part].columns),
        .offset = regal_network_offset(shape, (regal_network_part)part, round)};
    if (is_of_round(part))
        snprintf(tensor->name, sizeof tensor->name, "round.%d.%s", (int)round, parts[part].name);
    else
        snprintf(tensor->name, sizeof tensor->name, "%s", parts[part].name);
    return true;
}

int64_t regal_network_parameter_count(const regal_network_shape *shape) {
    return regal_network_offset(shape, REGAL_PART_COUNT, 0);
}

void regal_network_initialize(const regal_network_shape *shape, uint64_t seed, float *parameters) {
    regal_fill_normal(seed, REGAL_NORMAL_NETWORK, 1.0f, regal_network_parameter_count(shape),
                      parameters);
    regal_parameter_tensor tensor;
    for (int64_t index = 0; regal_network_tensor(shape, index, &tensor); ++index) {
        int64_t part, round;
        find(shape, index, &part, &round);
        const double variance = parts[part].gain / (double)size_of(shape, parts[part].inputs);
        const float deviation = (float)sqrt(variance);
        for (int64_t i = 0; i < tensor.rows * tensor.columns; ++i)
            parameters[tensor.offset + i] =
                deviation > 0 ? deviation * parameters[tensor.offset + i] : 0.0f;
    }
}

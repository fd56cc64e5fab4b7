// What HLO tests expect things to cost, on the default profile.
#ifndef REGAL_TESTS_HLO_COSTS_H
#define REGAL_TESTS_HLO_COSTS_H

#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "cost/device_profile.h"

using Names = std::vector<std::string>;
using Set = std::set<std::string>;

inline const regal_device_profile &profile(const char *name = "h100") {
    const regal_device_profile *found = nullptr;
    if (regal_device_profile_find(name, &found) != REGAL_OK)
        throw std::runtime_error(regal_error_message());
    return *found;
}

inline int64_t ticks(const regal_work &work) {
    return regal_work_ticks(&profile(), &work);
}

inline int64_t movement(int64_t bytes) {
    return ticks(regal_work_movement(bytes, 0));
}

// Launch, arithmetic on one unit, traffic.
inline int64_t load_ticks(regal_unit unit, int64_t flops, int64_t bytes) {
    regal_load load{};
    load.flops[unit] = flops;
    load.bytes = bytes;
    return regal_load_ticks(&profile(), &load);
}

const char *const sum = "sum { x = f32[] parameter(0)\n y = f32[] parameter(1)\n"
                        " ROOT z = f32[] add(x, y) }\n";

#endif

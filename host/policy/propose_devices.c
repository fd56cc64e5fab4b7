#include "policy/propose_devices.h"

#include <stdbool.h>
#include <string.h>

static bool is_same_link(regal_link a, regal_link b) {
    return a.latency == b.latency && a.bytes_per_1000_ticks == b.bytes_per_1000_ticks;
}

/* Whether the cluster stays as it is where two of its devices change places. */
static bool can_change_places(const regal_problem_view *view, int32_t a, int32_t b) {
    const int32_t count = view->device_count;
    const regal_link *link = view->link;
    if (view->device_class[a] != view->device_class[b] || view->capacity[a] != view->capacity[b])
        return false;
    if (!is_same_link(link[a * count + b], link[b * count + a]))
        return false;
    for (int32_t d = 0; d < count; ++d)
        if (d != a && d != b &&
            (!is_same_link(link[a * count + d], link[b * count + d]) ||
             !is_same_link(link[d * count + a], link[d * count + b])))
            return false;
    return true;
}

/* Devices that some op tells apart are not alike. */
static void part_by_allowed_sets(const regal_problem_view *view, uint64_t *alike) {
    uint64_t last = 0;
    for (regal_id op = 0; op < view->op_count; ++op) {
        const uint64_t allowed = view->allowed[op];
        if (view->leader[op] != op || allowed == last)
            continue;
        for (int32_t d = 0; d < view->device_count; ++d)
            alike[d] &= (allowed >> d & 1) != 0 ? allowed : ~allowed;
        last = allowed;
    }
}

void regal_alike_devices(const regal_problem_view *view, uint64_t *alike) {
    const int32_t count = view->device_count;
    for (int32_t d = 0; d < count; ++d) {
        alike[d] = (uint64_t)1 << d;
        for (int32_t other = 0; other < count; ++other)
            if (other != d && can_change_places(view, d, other))
                alike[d] |= (uint64_t)1 << other;
    }
    part_by_allowed_sets(view, alike);
}

typedef int64_t overlaps[REGAL_MAX_DEVICES][REGAL_MAX_DEVICES];

/* Of devices and names that are still free, the pair with the most ops in common. */
static int64_t best_name(overlaps common, uint64_t free_names, int32_t device, int32_t *name) {
    int64_t most = -1;
    for (; free_names != 0; free_names &= free_names - 1) {
        const int32_t candidate = __builtin_ctzll(free_names);
        if (common[device][candidate] > most) {
            most = common[device][candidate];
            *name = candidate;
        }
    }
    return most;
}

void regal_rename_devices(const regal_problem_view *view, const uint64_t *alike,
                          const uint8_t *reference, uint8_t *device) {
    const int32_t count = view->device_count;
    overlaps common;
    uint8_t name_of[REGAL_MAX_DEVICES];
    uint64_t unnamed = 0, free_names = 0;
    memset(common, 0, sizeof common);
    for (regal_id op = 0; op < view->op_count; ++op)
        ++common[device[op]][reference[op]];
    for (int32_t d = 0; d < count; ++d)
        unnamed |= (uint64_t)1 << d;
    free_names = unnamed;
    while (unnamed != 0) {
        int64_t most = -1;
        int32_t chosen = 0, name = 0;
        for (uint64_t left = unnamed; left != 0; left &= left - 1) {
            const int32_t d = __builtin_ctzll(left);
            int32_t candidate = 0;
            const int64_t ops = best_name(common, free_names & alike[d], d, &candidate);
            if (ops > most) {
                most = ops;
                chosen = d;
                name = candidate;
            }
        }
        name_of[chosen] = (uint8_t)name;
        unnamed &= ~((uint64_t)1 << chosen);
        free_names &= ~((uint64_t)1 << name);
    }
    for (regal_id op = 0; op < view->op_count; ++op)
        device[op] = name_of[device[op]];
}

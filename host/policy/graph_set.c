#include "policy/graph_set.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/fnv.h"
#include "policy/augment.h"
#include "policy/graph_change.h"
#include "policy/graph_set_data.h"

void regal_graph_set_destroy(regal_graph_set *set) {
    if (set == NULL)
        return;
    for (int64_t i = 0; i < set->entry_count; ++i) {
        regal_graph_destroy(set->entries[i].graph);
        free(set->entries[i].values);
        free(set->entries[i].profiles);
    }
    for (int64_t i = 0; i < set->cluster_count; ++i)
        regal_cluster_destroy(set->clusters[i].cluster);
    free(set->entries);
    free(set->clusters);
    regal_arena_free(&set->strings);
    free(set);
}

const char *regal_graph_set_name(const regal_graph_set *set) {
    return set->name;
}

regal_objective regal_graph_set_objective(const regal_graph_set *set) {
    return set->objective;
}

int64_t regal_graph_set_count(const regal_graph_set *set) {
    return set->problem_count;
}

static uint64_t hash_cluster(uint64_t hash, const regal_cluster *cluster) {
    const int64_t count = regal_cluster_device_count(cluster);
    for (int64_t from = 0; from < count; ++from) {
        const regal_device device = regal_cluster_device(cluster, from);
        const char *class_name = device.class_name != NULL ? device.class_name : "";
        hash = regal_fnv_number(hash, device.class_index);
        hash = regal_fnv_bytes(hash, class_name, strlen(class_name) + 1);
        hash = regal_fnv_number(hash, device.memory);
        for (int64_t to = 0; to < count; ++to) {
            const regal_link link = regal_cluster_link(cluster, from, to, NULL);
            hash = regal_fnv_number(hash, link.latency);
            hash = regal_fnv_number(hash, link.bytes_per_1000_ticks);
        }
    }
    return hash;
}

uint64_t regal_graph_set_hash(const regal_graph_set *set) {
    uint64_t hash = REGAL_FNV_START;
    for (int64_t i = 0; i < set->entry_count; ++i) {
        char digest[17] = "";
        if (set->entries[i].graph != NULL)
            regal_graph_digest(set->entries[i].graph, digest);
        hash = regal_fnv_bytes(hash, digest, strlen(digest) + 1);
    }
    for (int64_t i = 0; i < set->cluster_count; ++i)
        hash = hash_cluster(hash, set->clusters[i].cluster);
    return hash;
}

static regal_status generate(const regal_set_entry *entry, uint64_t seed, regal_draws *draws,
                             regal_graph **graph) {
    const regal_read_options options = {.profiles = entry->profiles,
                                        .profile_count = entry->profile_count};
    regal_parameter_value *values = regal_allocate(entry->value_count, sizeof *values);
    REGAL_FAIL_IF_NULL(values);
    for (int64_t i = 0; i < entry->value_count; ++i)
        values[i] = (regal_parameter_value){entry->values[i].name,
                                            regal_set_draw_range(draws, &entry->values[i].range)};
    const regal_status status =
        regal_graph_generate(entry->generator, values, entry->value_count, seed, &options, graph);
    free(values);
    return status;
}

static regal_status make_graph(const regal_set_entry *entry, uint64_t seed, regal_draws *draws,
                               regal_graph **graph) {
    static const regal_graph_change unchanged = {0};
    return entry->generator != NULL ? generate(entry, seed, draws, graph)
                                    : regal_graph_apply_change(entry->graph, &unchanged, graph);
}

/* The last entry that begins at or before the problem. */
static const regal_set_entry *entry_of(const regal_graph_set *set, int64_t index) {
    int64_t low = 0, high = set->entry_count;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (set->entries[middle].problem_begin <= index)
            low = middle;
        else
            high = middle;
    }
    return &set->entries[low];
}

regal_status regal_graph_set_problem(const regal_graph_set *set, int64_t index,
                                     regal_set_problem *problem) {
    *problem = (regal_set_problem){0};
    REGAL_FAIL_IF(index < 0 || index >= set->problem_count, REGAL_INVALID_ARGUMENT,
                  "%s: there is no problem %lld; it has %lld", set->name, (long long)index,
                  (long long)set->problem_count);
    const regal_set_entry *entry = entry_of(set, index);
    const int64_t within = index - entry->problem_begin;
    const uint64_t seed = entry->seed + (uint64_t)(within / entry->cluster_count);
    const int64_t cluster = entry->cluster_begin + within % entry->cluster_count;
    regal_draws draws = regal_draws_make(seed, REGAL_STAGE_GRAPH_SET, 0);
    problem->family = entry->family;
    problem->unseen = entry->unseen;
    regal_status status = make_graph(entry, seed, &draws, &problem->graph);
    if (status == REGAL_OK)
        status = regal_set_problem_complete(&set->clusters[cluster], &draws, problem);
    if (status != REGAL_OK)
        regal_set_problem_destroy(problem);
    return status;
}

static const regal_set_entry *draw_entry(const regal_graph_set *set, regal_draws *draws) {
    const double all = set->entries[set->entry_count - 1].weight_end;
    const double drawn = regal_draws_between(draws, 0, all);
    int64_t low = 0, high = set->entry_count - 1; /* the first whose end is above */
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (set->entries[middle].weight_end > drawn)
            high = middle;
        else
            low = middle + 1;
    }
    return &set->entries[low];
}

static regal_status augment(uint64_t seed, uint64_t number, regal_graph **graph) {
    regal_graph *changed;
    REGAL_FORWARD(regal_graph_augment(*graph, seed, number, &changed));
    regal_graph_destroy(*graph);
    *graph = changed;
    return REGAL_OK;
}

regal_status regal_graph_set_draw(const regal_graph_set *set, uint64_t seed, uint64_t number,
                                  bool change, regal_set_problem *problem) {
    *problem = (regal_set_problem){0};
    regal_draws draws = regal_draws_make(seed, REGAL_STAGE_GRAPH_SET, number);
    const regal_set_entry *entry = draw_entry(set, &draws);
    const uint64_t graph_seed =
        REGAL_SET_SEED_LIMIT | (uint64_t)regal_draws_below(&draws, (int64_t)REGAL_SET_SEED_LIMIT);
    problem->family = entry->family;
    problem->unseen = entry->unseen;
    regal_status status = make_graph(entry, graph_seed, &draws, &problem->graph);
    if (status == REGAL_OK && change)
        status = augment(seed, number, &problem->graph);
    const int64_t cluster = entry->cluster_begin + regal_draws_below(&draws, entry->cluster_count);
    if (status == REGAL_OK)
        status = regal_set_problem_complete(&set->clusters[cluster], &draws, problem);
    if (status != REGAL_OK)
        regal_set_problem_destroy(problem);
    return status;
}

/* The clusters of a set. */
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "graph/graph_limits.h"
#include "policy/graph_set_data.h"
#include "regal/io.h"

enum { DEVICES, LINK, CCR, CLUSTER, CAP, CAP_OF, KEYS };
static const regal_json_key KEY[KEYS] = {
    [DEVICES] = {"devices", false}, [LINK] = {"link", false}, [CCR] = {"ccr", false},
    [CLUSTER] = {"cluster", false}, [CAP] = {"cap", false},   [CAP_OF] = {"cap_of", false}};

enum { WORDS_ROOM = 300 };
static const double LEAST_RATIO = 1e-6, GREATEST_RATIO = 1e6;

static regal_status read_link_object(const regal_json *value, regal_link *link) {
    enum { LATENCY, RATE, LINK_KEYS };
    static const regal_json_key LINK_KEY[LINK_KEYS] = {
        [LATENCY] = {"latency", true}, [RATE] = {"bytes_per_1000_ticks", true}};
    regal_json field[LINK_KEYS];
    REGAL_FORWARD(regal_json_fields(value, LINK_KEY, LINK_KEYS, field));
    *link = (regal_link){0};
    REGAL_FORWARD(regal_json_integer(&field[LATENCY], 0, REGAL_NUMBER_MAX, &link->latency));
    if (json_is_null(field[RATE].json))
        return REGAL_OK;
    return regal_json_integer(&field[RATE], 1, INT64_MAX, &link->bytes_per_1000_ticks);
}

static regal_status read_devices(const regal_json *value, char *words, size_t room) {
    if (json_is_string(value->json)) {
        snprintf(words, room, "%.100s", json_string_value(value->json));
        return REGAL_OK;
    }
    int64_t devices;
    REGAL_FORWARD(regal_json_integer(value, 1, REGAL_MAX_DEVICES, &devices));
    snprintf(words, room, "%lld", (long long)devices);
    return REGAL_OK;
}

static void describe_link(regal_link link, char *words, size_t room) {
    if (link.bytes_per_1000_ticks > 0)
        snprintf(words, room, ", link %lld + %lld per 1000", (long long)link.latency,
                 (long long)link.bytes_per_1000_ticks);
    else if (link.latency > 0)
        snprintf(words, room, ", link %lld", (long long)link.latency);
    else
        snprintf(words, room, ", link free");
}

/* In words or numbers. */
static regal_status read_link(const regal_json *value, regal_link *link) {
    if (!json_is_string(value->json))
        return read_link_object(value, link);
    regal_cluster *parsed = NULL;
    REGAL_FORWARD(
        regal_set_at(value, regal_cluster_parse("1", json_string_value(value->json), &parsed)));
    *link = regal_cluster_default_link(parsed);
    regal_cluster_destroy(parsed);
    return REGAL_OK;
}

static regal_status read_equal_devices(const regal_json *field, regal_graph_set *set,
                                       regal_set_cluster *made) {
    char devices[128], words[WORDS_ROOM];
    REGAL_FORWARD(read_devices(&field[DEVICES], devices, sizeof devices));
    REGAL_FORWARD(
        regal_set_at(&field[DEVICES], regal_cluster_parse(devices, "free", &made->cluster)));
    const int used = snprintf(words, sizeof words, "%s devices", devices);
    if (field[LINK].json != NULL) {
        regal_link link;
        REGAL_FORWARD(read_link(&field[LINK], &link));
        REGAL_FORWARD(
            regal_set_at(&field[LINK], regal_cluster_set_default_link(made->cluster, link)));
        describe_link(link, words + used, sizeof words - (size_t)used);
    }
    return regal_set_text(set, words, &made->words);
}

static regal_status read_file(const regal_json *value, regal_graph_set *set,
                              regal_set_cluster *made) {
    const char *text, *path;
    REGAL_FORWARD(regal_json_string(value, &text));
    REGAL_FORWARD(regal_set_path(set, text, &path));
    REGAL_FORWARD(regal_set_at(value, regal_cluster_read(path, &made->cluster)));
    return regal_set_text(set, text, &made->words);
}

static regal_status check_keys(const regal_json *value, const regal_json *field) {
    const bool file = field[CLUSTER].json != NULL, devices = field[DEVICES].json != NULL;
    REGAL_JSON_FAIL_IF(file == devices, value, "expected either 'devices' or 'cluster'");
    REGAL_JSON_FAIL_IF(file && (field[LINK].json != NULL || field[CCR].json != NULL), value,
                       "'cluster' is a file that holds the links: no 'link' or 'ccr' beside it");
    REGAL_JSON_FAIL_IF(devices && (field[LINK].json != NULL) == (field[CCR].json != NULL), value,
                       "expected either 'link' or 'ccr' beside 'devices'");
    return REGAL_OK;
}

static regal_status check_cap(const regal_json *value, const regal_cluster *cluster) {
    for (int64_t d = 0; d < regal_cluster_device_count(cluster); ++d)
        REGAL_JSON_FAIL_IF(regal_cluster_device(cluster, d).memory > 0, value,
                           "the devices have a memory already; leave out one of the two");
    return REGAL_OK;
}

/* By default HEFT. */
static regal_status read_cap_of(const regal_json *value, const regal_json *cap,
                                regal_baseline *cap_of) {
    const char *word;
    *cap_of = REGAL_HEFT;
    if (value->json == NULL)
        return REGAL_OK;
    REGAL_JSON_FAIL_IF(cap->json == NULL, value, "without 'cap' it says nothing");
    REGAL_FORWARD(regal_json_string(value, &word));
    return regal_set_at(value, regal_baseline_find(word, cap_of));
}

static regal_status read_parts(const regal_json *value, regal_graph_set *set,
                               regal_set_cluster *made) {
    regal_json field[KEYS];
    REGAL_FORWARD(regal_json_fields(value, KEY, KEYS, field));
    REGAL_FORWARD(check_keys(value, field));
    if (field[CLUSTER].json != NULL)
        REGAL_FORWARD(read_file(&field[CLUSTER], set, made));
    else
        REGAL_FORWARD(read_equal_devices(field, set, made));
    if (field[CCR].json != NULL)
        REGAL_FORWARD(regal_set_read_range(&field[CCR], LEAST_RATIO, GREATEST_RATIO, &made->ccr));
    REGAL_FORWARD(read_cap_of(&field[CAP_OF], &field[CAP], &made->cap_of));
    if (field[CAP].json == NULL)
        return REGAL_OK;
    REGAL_FORWARD(check_cap(&field[CAP], made->cluster));
    return regal_set_read_range(&field[CAP], 0, GREATEST_RATIO, &made->cap);
}

static regal_status add_cluster(const regal_json *value, regal_graph_set *set) {
    REGAL_FAIL_IF(!regal_array_reserve(&set->clusters, &set->cluster_room, set->cluster_count + 1,
                                       sizeof *set->clusters),
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    regal_set_cluster *made = &set->clusters[set->cluster_count++]; /* destroyed with the set */
    *made = (regal_set_cluster){0};
    return read_parts(value, set, made);
}

regal_status regal_set_read_clusters(const regal_json *list, regal_graph_set *set, int64_t *begin,
                                     int64_t *count) {
    REGAL_FORWARD(regal_json_array(list, count));
    REGAL_JSON_FAIL_IF(*count == 0, list, "expected at least one cluster");
    *begin = set->cluster_count;
    for (int64_t i = 0; i < *count; ++i) {
        const regal_json item = regal_json_item(list, i);
        REGAL_FORWARD(add_cluster(&item, set));
    }
    return REGAL_OK;
}

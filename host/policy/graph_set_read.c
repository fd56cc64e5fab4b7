/* regal-set 1, in. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cost/device_profile.h"
#include "graph/generator.h"
#include "policy/graph_set_data.h"
#include "regal/io.h"

enum { FORMAT, VERSION, NAME, OBJECTIVE, MADE, ABOUT, CLUSTERS, GRAPHS, SET_KEYS };
static const regal_json_key SET_KEY[SET_KEYS] = {
    [FORMAT] = {"format", true},      [VERSION] = {"version", true},
    [NAME] = {"name", true},          [OBJECTIVE] = {"objective", true},
    [MADE] = {"made", false},         [ABOUT] = {"about", false}, /* for people */
    [CLUSTERS] = {"clusters", false}, [GRAPHS] = {"graphs", true},
};

enum {
    GENERATOR,
    VALUES,
    SEED,
    COUNT,
    FILE_PATH,
    PROFILES,
    FAMILY,
    WEIGHT,
    UNSEEN,
    OWN_CLUSTERS,
    KEYS
};
static const regal_json_key KEY[KEYS] = {
    [GENERATOR] = {"generator", false}, [VALUES] = {"values", false},
    [SEED] = {"seed", false},           [COUNT] = {"count", false},
    [FILE_PATH] = {"file", false},      [PROFILES] = {"profiles", false},
    [FAMILY] = {"family", false},       [WEIGHT] = {"weight", false},
    [UNSEEN] = {"unseen", false},       [OWN_CLUSTERS] = {"clusters", false},
};

static const double GREATEST_WEIGHT = 1e6, GREATEST_VALUE = 1e15;
enum { GREATEST_COUNT = 1000000000 };

/* ---- values */

static int64_t member_count(const json_t *object) {
    return (int64_t)json_object_size(object);
}

/* A share of the way that no whole number lies at, so that a whole parameter refuses a range of
 * fractions. */
static double probe(const regal_set_range *range, int which) {
    const double share[] = {0, 1, 0.3819660112501051};
    if (which == 2 && range->whole)
        return range->low;
    return range->low + (range->high - range->low) * share[which];
}

static regal_status check_values(const regal_json *generator, const regal_set_entry *entry) {
    regal_parameter_value *values = regal_allocate(entry->value_count, sizeof *values);
    REGAL_FAIL_IF_NULL(values);
    regal_status status = REGAL_OK;
    for (int which = 0; which < 3 && status == REGAL_OK; ++which) {
        for (int64_t i = 0; i < entry->value_count; ++i)
            values[i] = (regal_parameter_value){entry->values[i].name,
                                                probe(&entry->values[i].range, which)};
        status = regal_generator_check(entry->generator, values, entry->value_count);
    }
    free(values);
    return regal_set_at(generator, status);
}

static regal_status read_values(const regal_json *value, regal_graph_set *set,
                                regal_set_entry *entry) {
    REGAL_JSON_FAIL_IF(!json_is_object(value->json), value, "expected an object, found %s",
                       regal_json_kind(value->json));
    entry->values = regal_allocate_zeroed(member_count(value->json), sizeof *entry->values);
    REGAL_FAIL_IF_NULL(entry->values);
    const char *key;
    json_t *member;
    json_object_foreach(value->json, key, member) {
        const regal_json item = {.file = value->file, .json = member, .up = value, .key = key};
        regal_set_value *parameter = &entry->values[entry->value_count++];
        REGAL_FORWARD(regal_set_text(set, key, &parameter->name));
        REGAL_FORWARD(
            regal_set_read_range(&item, -GREATEST_VALUE, GREATEST_VALUE, &parameter->range));
    }
    return REGAL_OK;
}

/* ---- entries */

static regal_status read_seeds(const regal_json *field, regal_set_entry *entry) {
    int64_t seed = 1;
    entry->count = 1;
    if (field[SEED].json != NULL)
        REGAL_FORWARD(regal_json_integer(&field[SEED], 0, (int64_t)REGAL_SET_SEED_LIMIT, &seed));
    if (field[COUNT].json != NULL)
        REGAL_FORWARD(regal_json_integer(&field[COUNT], 1, GREATEST_COUNT, &entry->count));
    REGAL_JSON_FAIL_IF(seed > (int64_t)REGAL_SET_SEED_LIMIT - entry->count, &field[SEED],
                       "the seeds of the graphs pass the greatest one, 2^62 - 1");
    entry->seed = (uint64_t)seed;
    return REGAL_OK;
}

static regal_status read_recipe(const regal_json *field, regal_graph_set *set,
                                regal_set_entry *entry) {
    const char *generator;
    REGAL_FORWARD(regal_json_string(&field[GENERATOR], &generator));
    REGAL_FORWARD(regal_set_text(set, generator, &entry->generator));
    entry->family = entry->generator;
    if (field[VALUES].json != NULL)
        REGAL_FORWARD(read_values(&field[VALUES], set, entry));
    REGAL_FORWARD(read_seeds(field, entry));
    return check_values(field[VALUES].json != NULL ? &field[VALUES] : &field[GENERATOR], entry);
}

static regal_status read_profiles(const regal_json *list, regal_graph_set *set,
                                  regal_set_entry *entry) {
    int64_t count;
    REGAL_FORWARD(regal_json_array(list, &count));
    entry->profiles = regal_allocate_zeroed(count, sizeof *entry->profiles);
    REGAL_FAIL_IF_NULL(entry->profiles);
    for (int64_t i = 0; i < count; ++i) {
        const regal_json item = regal_json_item(list, i);
        const char *name;
        REGAL_FORWARD(regal_json_string(&item, &name));
        const regal_device_profile *profile;
        REGAL_FORWARD(regal_set_at(&item, regal_device_profile_find(name, &profile)));
        REGAL_FORWARD(regal_set_text(set, name, &entry->profiles[entry->profile_count++]));
    }
    return REGAL_OK;
}

static regal_status read_graph_file(const regal_json *value, regal_graph_set *set,
                                    regal_set_entry *entry) {
    const char *text, *path;
    REGAL_FORWARD(regal_json_string(value, &text));
    REGAL_FORWARD(regal_set_path(set, text, &path));
    const regal_read_options options = {.profiles = entry->profiles,
                                        .profile_count = entry->profile_count};
    entry->family = "file";
    entry->count = 1;
    return regal_set_at(value, regal_graph_read(path, &options, &entry->graph));
}

static regal_status check_keys(const regal_json *value, const regal_json *field) {
    const bool file = field[FILE_PATH].json != NULL;
    REGAL_JSON_FAIL_IF(file == (field[GENERATOR].json != NULL), value,
                       "expected either 'generator' or 'file'");
    REGAL_JSON_FAIL_IF(file && (field[VALUES].json != NULL || field[SEED].json != NULL ||
                                field[COUNT].json != NULL),
                       value, "'values', 'seed' and 'count' go with 'generator', not with 'file'");
    return REGAL_OK;
}

static regal_status read_weight(const regal_json *value, regal_set_entry *entry) {
    regal_set_range weight = {1, 1, false};
    if (value->json != NULL)
        REGAL_FORWARD(regal_set_read_range(value, 0, GREATEST_WEIGHT, &weight));
    REGAL_JSON_FAIL_IF(weight.low != weight.high, value, "a weight is one number");
    entry->weight_end += weight.low;
    return REGAL_OK;
}

/* weight_end and problem_begin stand at the end of the entry before. */
static regal_status read_entry(const regal_json *value, regal_graph_set *set,
                               regal_set_entry *entry) {
    regal_json field[KEYS];
    REGAL_FORWARD(regal_json_fields(value, KEY, KEYS, field));
    REGAL_FORWARD(check_keys(value, field));
    if (field[PROFILES].json != NULL)
        REGAL_FORWARD(read_profiles(&field[PROFILES], set, entry));
    if (field[FILE_PATH].json != NULL)
        REGAL_FORWARD(read_graph_file(&field[FILE_PATH], set, entry));
    else
        REGAL_FORWARD(read_recipe(field, set, entry));
    if (field[FAMILY].json != NULL) {
        const char *family;
        REGAL_FORWARD(regal_json_string(&field[FAMILY], &family));
        REGAL_FORWARD(regal_set_text(set, family, &entry->family));
    }
    if (field[UNSEEN].json != NULL)
        REGAL_FORWARD(regal_json_bool(&field[UNSEEN], &entry->unseen));
    if (field[OWN_CLUSTERS].json != NULL)
        REGAL_FORWARD(regal_set_read_clusters(&field[OWN_CLUSTERS], set, &entry->cluster_begin,
                                              &entry->cluster_count));
    REGAL_JSON_FAIL_IF(entry->cluster_count == 0, value,
                       "neither the entry nor the set has 'clusters'");
    return read_weight(&field[WEIGHT], entry);
}

static regal_status read_entries(const regal_json *list, regal_graph_set *set,
                                 int64_t cluster_count) {
    int64_t count;
    REGAL_FORWARD(regal_json_array(list, &count));
    REGAL_JSON_FAIL_IF(count == 0, list, "expected at least one graph");
    set->entries = regal_allocate_zeroed(count, sizeof *set->entries);
    REGAL_FAIL_IF_NULL(set->entries);
    double weight = 0;
    for (int64_t i = 0; i < count; ++i) {
        const regal_json item = regal_json_item(list, i);
        regal_set_entry *entry = &set->entries[set->entry_count++];
        entry->weight_end = weight;
        entry->problem_begin = set->problem_count;
        entry->cluster_count = cluster_count;
        REGAL_FORWARD(read_entry(&item, set, entry));
        weight = entry->weight_end;
        int64_t problems;
        REGAL_JSON_FAIL_IF(
            __builtin_mul_overflow(entry->count, entry->cluster_count, &problems) ||
                __builtin_add_overflow(set->problem_count, problems, &set->problem_count),
            &item, "there are more problems than can be counted");
    }
    REGAL_JSON_FAIL_IF(weight <= 0, list, "all weights are 0; nothing could be drawn");
    return REGAL_OK;
}

/* ---- the set */

static regal_status read_objective(const regal_json *value, regal_objective *objective) {
    const char *word;
    REGAL_FORWARD(regal_json_string(value, &word));
    *objective = strcmp(word, regal_objective_name(REGAL_MEMORY)) == 0 ? REGAL_MEMORY : REGAL_TIME;
    REGAL_JSON_FAIL_IF(strcmp(word, regal_objective_name(*objective)) != 0, value,
                       "expected 'time' or 'memory', found '%.100s'", word);
    return REGAL_OK;
}

static regal_status read_set(const regal_json *root, regal_graph_set *set) {
    regal_json field[SET_KEYS];
    const char *name;
    REGAL_FORWARD(regal_json_check_format(root, "regal-set", true));
    REGAL_FORWARD(regal_json_fields(root, SET_KEY, SET_KEYS, field));
    REGAL_FORWARD(regal_json_string(&field[NAME], &name));
    REGAL_FORWARD(regal_set_text(set, name, &set->name));
    REGAL_FORWARD(read_objective(&field[OBJECTIVE], &set->objective));
    int64_t begin = 0, count = 0;
    if (field[CLUSTERS].json != NULL)
        REGAL_FORWARD(regal_set_read_clusters(&field[CLUSTERS], set, &begin, &count));
    return read_entries(&field[GRAPHS], set, count);
}

static regal_status set_folder(regal_graph_set *set, const char *path) {
    const char *slash = strrchr(path, '/');
    const size_t length = slash != NULL ? (size_t)(slash - path) : 0;
    set->folder = regal_arena_copy(&set->strings, slash != NULL ? path : ".",
                                   slash != NULL ? (length > 0 ? length : 1) : 1);
    REGAL_FAIL_IF_NULL(set->folder);
    return REGAL_OK;
}

static regal_status read_root(const regal_json *root, void *result) {
    regal_graph_set *made = regal_allocate_zeroed(1, sizeof *made);
    REGAL_FAIL_IF_NULL(made);
    regal_status status = set_folder(made, root->file->label);
    if (status == REGAL_OK)
        status = read_set(root, made);
    if (status != REGAL_OK)
        regal_graph_set_destroy(made);
    else
        *(regal_graph_set **)result = made;
    return status;
}

regal_status regal_graph_set_read(const char *path, regal_graph_set **set) {
    *set = NULL;
    return regal_json_read(path, read_root, set);
}

regal_status regal_graph_set_parse(const char *data, size_t size, const char *name,
                                   regal_graph_set **set) {
    *set = NULL;
    return regal_json_parse(data, size, name, read_root, set);
}

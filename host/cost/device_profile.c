#include "cost/device_profile.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "base/embedded.h"
#include "base/error.h"
#include "io/file.h"

enum { RATE_LIMIT = 1000000000, LAUNCH_LIMIT = 1000000000, PERMILLE = 1000 };

struct regal_device_profiles {
    json_t *root; /* owns the strings */
    regal_device_profile *items;
    int64_t count;
    char *source; /* the file, "" when embedded: sets in use are told apart by it */
    regal_device_profiles *next;
};

static const char *const unit_keys[REGAL_UNIT_COUNT] = {
#define UNIT_KEY(name, key) key,
    REGAL_UNIT_LIST(UNIT_KEY)
#undef UNIT_KEY
};

typedef struct place {
    const char *file;
    size_t index;
} place;

#define FAIL_AT(at, key, ...) fail_at((at), (key), __LINE__, __VA_ARGS__)

static regal_status fail_at(const place *at, const char *key, int line, const char *what) {
    return regal_error_set(REGAL_INVALID_INPUT, __FILE__, line, "%s: profiles[%zu].%s: %s",
                           at->file, at->index, key, what);
}

static regal_status read_integer(const place *at, const json_t *object, const char *key,
                                 int64_t least, int64_t greatest, int64_t *value) {
    const json_t *number = json_object_get(object, key);
    if (number == NULL)
        return FAIL_AT(at, key, "missing");
    if (!json_is_integer(number))
        return FAIL_AT(at, key, "must be an integer");
    const json_int_t found = json_integer_value(number);
    if (found < least || found > greatest) {
        char range[80];
        snprintf(range, sizeof range, "must be from %lld to %lld", (long long)least,
                 (long long)greatest);
        return FAIL_AT(at, key, range);
    }
    *value = (int64_t)found;
    return REGAL_OK;
}

static regal_status read_text(const place *at, const json_t *object, const char *key,
                              const char **text) {
    const json_t *string = json_object_get(object, key);
    if (!json_is_string(string) || json_string_length(string) == 0)
        return FAIL_AT(at, key, "must be a text that is not empty");
    *text = json_string_value(string);
    return REGAL_OK;
}

static regal_status read_object(const place *at, const json_t *parent, const char *key,
                                const json_t **object) {
    *object = json_object_get(parent, key);
    if (!json_is_object(*object))
        return FAIL_AT(at, key, "must be an object");
    return REGAL_OK;
}

static void warn_of_unknown_keys(const place *at, json_t *object, const char *const *known,
                                 size_t known_count) {
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value) {
        bool found = false;
        for (size_t k = 0; k < known_count && !found; ++k)
            found = strcmp(key, known[k]) == 0;
        if (!found)
            regal_warn("%s: profiles[%zu].%s: unknown key left out", at->file, at->index, key);
    }
}

static regal_status read_profile(const place *at, json_t *object, regal_device_profile *profile) {
    static const char *const known[] = {"name", "line",        "source",   "launch_ns",
                                        "gops", "memory_gb_s", "permille", "collective_gb_s"};
    if (!json_is_object(object))
        return FAIL_AT(at, "", "must be an object");
    warn_of_unknown_keys(at, object, known, sizeof known / sizeof known[0]);
    REGAL_FORWARD(read_text(at, object, "name", &profile->name));
    REGAL_FORWARD(read_text(at, object, "line", &profile->line));
    if (strpbrk(profile->name, ", \t\n") != NULL)
        return FAIL_AT(at, "name", "must not hold commas or blanks");
    REGAL_FORWARD(read_integer(at, object, "launch_ns", 0, LAUNCH_LIMIT, &profile->launch));
    REGAL_FORWARD(read_integer(at, object, "memory_gb_s", 1, RATE_LIMIT, &profile->memory_bytes));
    REGAL_FORWARD(
        read_integer(at, object, "collective_gb_s", 1, RATE_LIMIT, &profile->collective_bytes));

    const json_t *rates, *permille;
    REGAL_FORWARD(read_object(at, object, "gops", &rates));
    for (int u = 0; u < REGAL_UNIT_COUNT; ++u)
        REGAL_FORWARD(
            read_integer(at, rates, unit_keys[u], 1, RATE_LIMIT, &profile->operations[u]));
    REGAL_FORWARD(read_object(at, object, "permille", &permille));
    REGAL_FORWARD(read_integer(at, permille, "matrix", 1, PERMILLE, &profile->matrix_permille));
    REGAL_FORWARD(read_integer(at, permille, "vector", 1, PERMILLE, &profile->vector_permille));
    REGAL_FORWARD(read_integer(at, permille, "memory", 1, PERMILLE, &profile->memory_permille));
    return read_integer(at, permille, "collective", 1, PERMILLE, &profile->collective_permille);
}

static const regal_device_profile *find_in(const regal_device_profiles *profiles,
                                           const char *name) {
    for (int64_t p = 0; p < profiles->count; ++p)
        if (strcasecmp(profiles->items[p].name, name) == 0)
            return &profiles->items[p];
    return NULL;
}

static regal_status read_profiles(regal_device_profiles *profiles, const char *name) {
    const json_t *format = json_object_get(profiles->root, "format");
    REGAL_FAIL_IF(!json_is_string(format) ||
                      strcmp(json_string_value(format), "regal-profiles") != 0,
                  REGAL_INVALID_INPUT, "%s: format: must be \"regal-profiles\"", name);
    const json_t *version = json_object_get(profiles->root, "version");
    REGAL_FAIL_IF(!json_is_integer(version) || json_integer_value(version) != 1,
                  REGAL_INVALID_INPUT, "%s: version: must be 1", name);
    const json_t *list = json_object_get(profiles->root, "profiles");
    REGAL_FAIL_IF(json_array_size(list) == 0, REGAL_INVALID_INPUT,
                  "%s: profiles: must be a list of at least one profile", name);
    const size_t count = json_array_size(list);
    profiles->items = calloc(count, sizeof *profiles->items);
    REGAL_FAIL_IF_NULL(profiles->items);
    for (size_t p = 0; p < count; ++p) {
        const place at = {name, p};
        regal_device_profile *profile = &profiles->items[p];
        REGAL_FORWARD(read_profile(&at, json_array_get(list, p), profile));
        if (find_in(profiles, profile->name) != NULL)
            return FAIL_AT(&at, "name", "listed twice");
        profiles->count = (int64_t)p + 1;
    }
    return REGAL_OK;
}

regal_status regal_device_profiles_parse(const char *data, size_t size, const char *name,
                                         regal_device_profiles **profiles) {
    json_error_t error;
    json_t *root = json_loadb(data, size, JSON_REJECT_DUPLICATES, &error);
    REGAL_FAIL_IF(root == NULL, REGAL_INVALID_INPUT, "%s:%d: %s", name, error.line, error.text);
    regal_device_profiles *made = calloc(1, sizeof *made);
    if (made == NULL) {
        json_decref(root);
        REGAL_FAIL(REGAL_OUT_OF_MEMORY, "memory ran out");
    }
    made->root = root;
    const regal_status status = read_profiles(made, name);
    if (status != REGAL_OK) {
        regal_device_profiles_destroy(made);
        return status;
    }
    *profiles = made;
    return REGAL_OK;
}

void regal_device_profiles_destroy(regal_device_profiles *profiles) {
    if (profiles == NULL)
        return;
    json_decref(profiles->root);
    free(profiles->items);
    free(profiles->source);
    free(profiles);
}

int64_t regal_device_profiles_count(const regal_device_profiles *profiles) {
    return profiles->count;
}

const regal_device_profile *regal_device_profiles_at(const regal_device_profiles *profiles,
                                                     int64_t index) {
    return &profiles->items[index];
}

/* The file at path, or where there is none what the program carries. */
static regal_status load(const char *path, regal_device_profiles **profiles) {
    char *data = NULL;
    size_t size = 0;
    const char *text = regal_embedded_profiles(&size);
    if (access(path, F_OK) == 0)
        REGAL_FORWARD(regal_file_read(path, &data, &size));
    const regal_status status = regal_device_profiles_parse(
        data != NULL ? data : text, size, data != NULL ? path : "profiles.json", profiles);
    free(data);
    return status;
}

/* Every set ever used stays: callers hold views into it. */
static pthread_mutex_t sets_lock = PTHREAD_MUTEX_INITIALIZER;
static regal_device_profiles *sets;

static regal_status find_or_load(const char *path, const regal_device_profiles **profiles) {
    for (const regal_device_profiles *set = sets; set != NULL; set = set->next)
        if (strcmp(set->source, path) == 0) {
            *profiles = set;
            return REGAL_OK;
        }
    regal_device_profiles *loaded;
    REGAL_FORWARD(load(path, &loaded));
    loaded->source = strdup(path);
    if (loaded->source == NULL) {
        regal_device_profiles_destroy(loaded);
        REGAL_FAIL(REGAL_OUT_OF_MEMORY, "memory ran out");
    }
    loaded->next = sets;
    sets = loaded;
    *profiles = loaded;
    return REGAL_OK;
}

static regal_status profiles_in_use(const regal_device_profiles **profiles) {
    const char *folder = getenv("REGAL_DATA");
    char *path = NULL;
    if (folder != NULL && folder[0] != '\0')
        REGAL_FAIL_IF(asprintf(&path, "%s/profiles.json", folder) < 0, REGAL_OUT_OF_MEMORY,
                      "memory ran out");
    pthread_mutex_lock(&sets_lock);
    const regal_status status = find_or_load(path != NULL ? path : "", profiles);
    pthread_mutex_unlock(&sets_lock);
    free(path);
    return status;
}

regal_status regal_device_profile_find(const char *name, const regal_device_profile **profile) {
    const regal_device_profiles *profiles;
    REGAL_FORWARD(profiles_in_use(&profiles));
    *profile = find_in(profiles, name);
    if (*profile != NULL)
        return REGAL_OK;
    char known[512];
    size_t used = 0;
    known[0] = '\0';
    for (int64_t p = 0; p < profiles->count && used < sizeof known; ++p)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", p == 0 ? "" : ", ",
                                 profiles->items[p].name);
    REGAL_FAIL(REGAL_INVALID_ARGUMENT, "no device profile is named '%s': there are %s", name,
               known);
}

regal_status regal_device_profiles_select(const regal_read_options *options,
                                          const regal_device_profile ***profiles, int64_t *count) {
    static const char *const standard[] = {REGAL_DEFAULT_PROFILE};
    const bool given = options != NULL && options->profile_count > 0;
    const char *const *names = given ? options->profiles : standard;
    const int64_t name_count = given ? options->profile_count : 1;
    const regal_device_profile **found = calloc((size_t)name_count, sizeof *found);
    REGAL_FAIL_IF_NULL(found);
    int64_t used = 0;
    for (int64_t n = 0; n < name_count; ++n) {
        const regal_device_profile *profile;
        const regal_status status = regal_device_profile_find(names[n], &profile);
        if (status != REGAL_OK) {
            free(found);
            return status;
        }
        bool repeated = false;
        for (int64_t p = 0; p < used; ++p)
            repeated |= found[p] == profile;
        if (!repeated)
            found[used++] = profile;
    }
    *profiles = found;
    *count = used;
    return REGAL_OK;
}

static regal_status join_names(const char *const *names, int64_t count, char **joined) {
    size_t size = 1;
    for (int64_t n = 0; n < count; ++n)
        size += strlen(names[n]) + 1;
    char *text = malloc(size), *end = text;
    REGAL_FAIL_IF_NULL(text);
    *end = '\0';
    for (int64_t n = 0; n < count; ++n) {
        if (n > 0)
            *end++ = ',';
        end = stpcpy(end, names[n]);
    }
    *joined = text;
    return REGAL_OK;
}

regal_status regal_device_profiles_graph(const char *graph_name,
                                         const regal_device_profile *const *profiles, int64_t count,
                                         regal_graph **graph) {
    const char **names = calloc((size_t)count + 1, sizeof *names);
    REGAL_FAIL_IF_NULL(names);
    for (int64_t p = 0; p < count; ++p)
        names[p] = profiles[p]->name;
    char *joined = NULL;
    *graph = NULL;
    regal_status status = join_names(names, count, &joined);
    if (status == REGAL_OK)
        status = regal_graph_create(graph_name, count, names, graph);
    if (status == REGAL_OK)
        status = regal_graph_set_option(*graph, "profile", joined);
    if (status != REGAL_OK) {
        regal_graph_destroy(*graph);
        *graph = NULL;
    }
    free(joined);
    free(names);
    return status;
}

int regal_profile_describe(int64_t index, regal_profile_info *info) {
    const regal_device_profiles *profiles;
    if (profiles_in_use(&profiles) != REGAL_OK || index < 0 || index >= profiles->count)
        return 0;
    info->name = profiles->items[index].name;
    info->line = profiles->items[index].line;
    return 1;
}

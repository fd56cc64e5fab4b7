#include "io/tensorflow/graph_def_devices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/memory.h"
#include "cost/device_profile.h"
#include "io/json_out.h"

typedef struct part {
    const char *text;
    size_t size; /* 0: not said */
} part;

enum { JOB, REPLICA, TASK, TYPE, INDEX, PART_COUNT };

typedef struct device_name {
    part parts[PART_COUNT];
} device_name;

static bool is(part a, const char *word) {
    return a.size == strlen(word) && strncasecmp(a.text, word, a.size) == 0;
}

static bool is_number(part a) {
    for (size_t i = 0; i < a.size; ++i)
        if (a.text[i] < '0' || a.text[i] > '9')
            return false;
    return a.size > 0 && a.size < 10;
}

/* "*" says nothing. */
static part said(part a) {
    return is(a, "*") ? (part){0} : a;
}

static part take(const char **text, size_t *left, char end) {
    const char *found = memchr(*text, end, *left);
    const part made = {*text, found != NULL ? (size_t)(found - *text) : *left};
    const size_t used = made.size + (found != NULL);
    *text += used;
    *left -= used;
    return made;
}

/* "TYPE", "TYPE:3". */
static bool read_device(const char *text, size_t left, device_name *name) {
    name->parts[TYPE] = said(take(&text, &left, ':'));
    const part index = {text, left};
    name->parts[INDEX] = said(index);
    return left == 0 || name->parts[INDEX].size == 0 || is_number(index);
}

static bool read_component(part whole, device_name *name) {
    const char *text = whole.text;
    size_t left = whole.size;
    const part key = take(&text, &left, ':');
    if (is(key, "job"))
        name->parts[JOB] = said((part){text, left});
    else if (is(key, "replica"))
        name->parts[REPLICA] = said((part){text, left});
    else if (is(key, "task"))
        name->parts[TASK] = said((part){text, left});
    else
        return is(key, "device") ? read_device(text, left, name)
                                 : read_device(whole.text, whole.size, name);
    return true;
}

/* False where it is no name of TensorFlow's. */
static bool read_name(const char *text, device_name *name) {
    size_t left = strlen(text);
    *name = (device_name){0};
    if (memchr(text, '/', left) == NULL)
        return memchr(text, ':', left) != NULL && read_device(text, left, name);
    while (left > 0) {
        const part component = take(&text, &left, '/');
        if (component.size > 0 && !read_component(component, name))
            return false;
    }
    return true;
}

static bool agree(part a, part b) {
    return a.size == 0 || b.size == 0 ||
           (a.size == b.size && strncasecmp(a.text, b.text, a.size) == 0);
}

static bool names_one(const char *wanted, const char *device) {
    device_name a, b;
    if (!read_name(wanted, &a) || !read_name(device, &b) || b.parts[TYPE].size == 0)
        return false;
    for (int i = 0; i < PART_COUNT; ++i)
        if (!agree(a.parts[i], b.parts[i]))
            return false;
    return true;
}

/* ---- a cluster */

static bool is_cpu(const regal_read_options *options, int64_t device) {
    const regal_device view = regal_cluster_device(options->cluster, device);
    const char *name = view.class_name;
    if (name == NULL && view.class_index < options->profile_count)
        name = options->profiles[view.class_index];
    return name != NULL && strcasecmp(name, "cpu") == 0;
}

static bool has_device_names(const regal_cluster *cluster) {
    for (int64_t d = 0; d < regal_cluster_device_count(cluster); ++d) {
        device_name name;
        if (read_name(regal_cluster_device(cluster, d).name, &name) && name.parts[TYPE].size > 0)
            return true;
    }
    return false;
}

static void add_device(gd_device_set *set, int64_t device) {
    set->allowed[set->count++] = (regal_allowed){.device = device};
}

/* Device k of its kind; *open: the cluster has no CPUs of its own. */
static void find_by_place(const regal_read_options *options, const device_name *name,
                          gd_device_set *set, bool *open) {
    const part type = name->parts[TYPE];
    const bool cpu = is(type, "CPU") || is(type, "XLA_CPU");
    const long wanted =
        is_number(name->parts[INDEX]) ? strtol(name->parts[INDEX].text, NULL, 10) : -1;
    long k = 0;
    for (int64_t d = 0; d < regal_cluster_device_count(options->cluster); ++d) {
        if (is_cpu(options, d) != cpu)
            continue;
        if (wanted < 0 || wanted == k)
            add_device(set, d);
        ++k;
    }
    *open = type.size == 0 || (cpu && k == 0);
}

/* *open: the name restricts nothing on this cluster. */
static regal_status find_devices(const regal_read_options *options, const char *name,
                                 gd_device_set *set, bool *open) {
    const int64_t devices = regal_cluster_device_count(options->cluster);
    device_name parts;
    *open = false;
    set->count = 0;
    set->allowed = regal_allocate(devices, sizeof *set->allowed);
    REGAL_FAIL_IF_NULL(set->allowed);
    for (int64_t d = 0; d < devices; ++d)
        if (strcmp(name, regal_cluster_device(options->cluster, d).name) == 0) {
            add_device(set, d);
            return REGAL_OK;
        }
    for (int64_t d = 0; d < devices; ++d)
        if (names_one(name, regal_cluster_device(options->cluster, d).name))
            add_device(set, d);
    if (set->count == 0 && !has_device_names(options->cluster) && read_name(name, &parts))
        find_by_place(options, &parts, set, open);
    return REGAL_OK;
}

regal_status gd_device_write(const regal_graph *graph, const regal_cluster *cluster, int64_t device,
                             char **text) {
    const char *classes[REGAL_MAX_DEVICES] = {NULL};
    regal_read_options options = {.cluster = cluster, .profiles = classes};
    for (int64_t c = 0; c < regal_graph_class_count(graph) && c < REGAL_MAX_DEVICES; ++c)
        classes[options.profile_count++] = regal_graph_class_name(graph, c);
    int64_t k = 0;
    for (int64_t d = 0; d < device; ++d)
        k += is_cpu(&options, d) == is_cpu(&options, device);
    const bool named = has_device_names(cluster);
    const int length = named ? asprintf(text, "%s", regal_cluster_device(cluster, device).name)
                             : asprintf(text, "/device:%s:%lld",
                                        is_cpu(&options, device) ? "CPU" : "GPU", (long long)k);
    REGAL_FAIL_IF(length < 0, REGAL_OUT_OF_MEMORY, "memory ran out");
    return REGAL_OK;
}

/* ---- patterns */

static regal_status add_pattern(gd_device_set *set, const char *format, part type, part index) {
    char *text = NULL;
    if (asprintf(&text, format, (int)type.size, type.text, (int)index.size, index.text) < 0)
        REGAL_FAIL(REGAL_OUT_OF_MEMORY, "memory ran out");
    set->allowed[set->count++] = (regal_allowed){.pattern = text};
    return REGAL_OK;
}

static regal_status find_patterns(const char *name, gd_device_set *set) {
    static const part any = {"*", 1};
    device_name parts;
    set->count = 0;
    set->allowed = regal_allocate(3, sizeof *set->allowed);
    REGAL_FAIL_IF_NULL(set->allowed);
    REGAL_FORWARD(add_pattern(set, "%.*s%.*s", (part){name, strlen(name)}, (part){"", 0}));
    if (!read_name(name, &parts) || parts.parts[TYPE].size == 0)
        return REGAL_OK;
    const part index = parts.parts[INDEX].size > 0 ? parts.parts[INDEX] : any;
    REGAL_FORWARD(add_pattern(set, "%.*s:%.*s", parts.parts[TYPE], index));
    return add_pattern(set, "*[:/]%.*s:%.*s", parts.parts[TYPE], index);
}

/* ---- */

static regal_status fail_missing(const char *file, const regal_cluster *cluster, const char *name,
                                 const char *owner) {
    regal_out list = {0};
    for (int64_t d = 0; d < regal_cluster_device_count(cluster); ++d)
        regal_out_format(&list, "%s%s", d > 0 ? ", " : "", regal_cluster_device(cluster, d).name);
    regal_out_bytes(&list, "", 1);
    const regal_status status = regal_error_set(
        list.failed ? REGAL_OUT_OF_MEMORY : REGAL_INVALID_INPUT, __FILE__, __LINE__,
        "%s: node '%.200s' is placed on '%.200s', which is none of the cluster's devices: %.1000s "
        "(--stated-devices ignore leaves placements out)",
        file, owner, name, list.failed ? "" : list.data);
    free(list.data);
    return status;
}

static bool is_missing(const regal_read_options *options, const gd_device_set *set, bool open) {
    return set->count == 0 && (!open || options->stated_devices == REGAL_DEVICES_PLAN);
}

static regal_status settle(const char *file, const regal_read_options *options,
                           const char *const *names, const char *const *owners, int64_t count,
                           gd_device_set *sets, const bool *open) {
    int64_t missing = 0, first = -1, there = 0;
    for (int64_t i = 0; i < count; ++i) {
        if (names[i][0] == '\0')
            continue;
        if (is_missing(options, &sets[i], open[i])) {
            first = missing++ == 0 ? i : first;
        } else if (open[i]) {
            sets[i].count = -1;
        } else {
            ++there;
        }
    }
    if (missing > 0 && (there > 0 || options->stated_devices == REGAL_DEVICES_PLAN))
        return fail_missing(file, options->cluster, names[first], owners[first]);
    if (missing > 0)
        regal_warn("%s: its placements ('%.200s', ...) are left out: the cluster has none of these "
                   "devices",
                   file, names[first]);
    for (int64_t i = 0; i < count; ++i)
        if (sets[i].count == 0)
            sets[i].count = -1;
    return REGAL_OK;
}

/* A plan is on one device. */
static void choose(const regal_read_options *options, const char *name, gd_device_set *set) {
    if (options->stated_devices != REGAL_DEVICES_PLAN)
        return;
    if (name[0] == '\0') {
        set->count = 0;
        add_device(set, 0);
    } else if (set->count > 1 && options->cluster != NULL) {
        set->count = 1;
    }
}

regal_status gd_devices_find(const char *file, const regal_read_options *options,
                             const char *const *names, const char *const *owners, int64_t count,
                             gd_device_set *sets) {
    bool *open = regal_allocate_zeroed(count, sizeof *open);
    regal_status status = REGAL_OK;
    for (int64_t i = 0; i < count; ++i)
        sets[i] = (gd_device_set){.count = -1};
    for (int64_t i = 0; i < count && status == REGAL_OK && open != NULL; ++i) {
        if (names[i][0] == '\0') {
            sets[i].allowed = regal_allocate(1, sizeof *sets[i].allowed);
            status = sets[i].allowed != NULL ? REGAL_OK : REGAL_OUT_OF_MEMORY;
        } else {
            status = options->cluster == NULL ? find_patterns(names[i], &sets[i])
                                              : find_devices(options, names[i], &sets[i], &open[i]);
        }
    }
    if (open == NULL || status == REGAL_OUT_OF_MEMORY)
        status = regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out");
    if (status == REGAL_OK && options->cluster != NULL)
        status = settle(file, options, names, owners, count, sets, open);
    for (int64_t i = 0; i < count && status == REGAL_OK; ++i)
        choose(options, names[i], &sets[i]);
    free(open);
    return status;
}

void gd_devices_free(gd_device_set *sets, int64_t count) {
    for (int64_t i = 0; sets != NULL && i < count; ++i) {
        for (int64_t k = 0; sets[i].allowed != NULL && k < sets[i].count; ++k)
            free((char *)sets[i].allowed[k].pattern);
        free(sets[i].allowed);
    }
}

#include "io/cluster_json.h"

#include <stdio.h>

#include "base/error.h"
#include "graph/graph_limits.h"
#include "regal/io.h"

/* ---- in */

/* Puts the place of `value` before this thread's message. */
static regal_status at(const regal_json *value, regal_status status) {
    if (status != REGAL_INVALID_INPUT)
        return status;
    char message[1024];
    snprintf(message, sizeof message, "%s", regal_error_message());
    REGAL_JSON_FAIL(value, "%s", message);
}

static regal_status read_device(const regal_json *value, regal_cluster *cluster) {
    enum { NAME, CLASS, MEMORY, KEYS };
    static const regal_json_key KEY[KEYS] = {
        [NAME] = {"name", false}, [CLASS] = {"class", false}, [MEMORY] = {"memory", false}};
    regal_json field[KEYS];
    REGAL_FORWARD(regal_json_fields(value, KEY, KEYS, field));
    regal_device device = {0};
    if (field[NAME].json != NULL)
        REGAL_FORWARD(regal_json_string(&field[NAME], &device.name));
    if (json_is_string(field[CLASS].json))
        REGAL_FORWARD(regal_json_string(&field[CLASS], &device.class_name));
    else if (json_is_integer(field[CLASS].json))
        REGAL_FORWARD(regal_json_integer(&field[CLASS], 0, INT64_MAX, &device.class_index));
    else if (field[CLASS].json != NULL)
        REGAL_JSON_FAIL(&field[CLASS], "expected the number or the name of a class, found %s",
                        regal_json_kind(field[CLASS].json));
    if (field[MEMORY].json != NULL)
        REGAL_FORWARD(regal_json_integer(&field[MEMORY], 0, REGAL_NUMBER_MAX, &device.memory));
    return at(value, regal_cluster_add_device(cluster, &device));
}

static regal_status read_link(const regal_json *latency, const regal_json *rate, regal_link *link) {
    *link = (regal_link){0};
    REGAL_FORWARD(regal_json_integer(latency, 0, REGAL_NUMBER_MAX, &link->latency));
    if (json_is_null(rate->json))
        return REGAL_OK;
    return regal_json_integer(rate, 1, INT64_MAX, &link->bytes_per_1000_ticks);
}

static regal_status read_default(const regal_json *value, regal_cluster *cluster) {
    enum { LATENCY, RATE, KEYS };
    static const regal_json_key KEY[KEYS] = {
        [LATENCY] = {"latency", true}, [RATE] = {"bytes_per_1000_ticks", true}};
    regal_json field[KEYS];
    REGAL_FORWARD(regal_json_fields(value, KEY, KEYS, field));
    regal_link link;
    REGAL_FORWARD(read_link(&field[LATENCY], &field[RATE], &link));
    return at(value, regal_cluster_set_default_link(cluster, link));
}

static regal_status read_pair(const regal_json *value, regal_cluster *cluster) {
    enum { FROM, TO, LATENCY, RATE, KEYS };
    static const regal_json_key KEY[KEYS] = {[FROM] = {"from", true},
                                             [TO] = {"to", true},
                                             [LATENCY] = {"latency", true},
                                             [RATE] = {"bytes_per_1000_ticks", true}};
    regal_json field[KEYS];
    REGAL_FORWARD(regal_json_fields(value, KEY, KEYS, field));
    int64_t from, to;
    REGAL_FORWARD(regal_json_integer(&field[FROM], INT64_MIN, INT64_MAX, &from));
    REGAL_FORWARD(regal_json_integer(&field[TO], INT64_MIN, INT64_MAX, &to));
    regal_link link;
    REGAL_FORWARD(read_link(&field[LATENCY], &field[RATE], &link));
    return at(value, regal_cluster_set_link(cluster, from, to, link));
}

static regal_status read_devices(const regal_json *list, regal_cluster *cluster) {
    int64_t count;
    REGAL_FORWARD(regal_json_array(list, &count));
    REGAL_JSON_FAIL_IF(count < 1 || count > REGAL_MAX_DEVICES, list,
                       "a cluster has 1..%d devices; here are %lld", REGAL_MAX_DEVICES,
                       (long long)count);
    for (int64_t i = 0; i < count; ++i) {
        const regal_json item = regal_json_item(list, i);
        REGAL_FORWARD(read_device(&item, cluster));
    }
    return REGAL_OK;
}

static regal_status read_links(const regal_json *value, regal_cluster *cluster) {
    enum { DEFAULT, PAIRS, KEYS };
    static const regal_json_key KEY[KEYS] = {
        [DEFAULT] = {"default", true}, [PAIRS] = {"pairs", false}};
    regal_json field[KEYS];
    REGAL_FORWARD(regal_json_fields(value, KEY, KEYS, field));
    REGAL_FORWARD(read_default(&field[DEFAULT], cluster));
    if (field[PAIRS].json == NULL)
        return REGAL_OK;
    int64_t count;
    REGAL_FORWARD(regal_json_array(&field[PAIRS], &count));
    for (int64_t i = 0; i < count; ++i) {
        const regal_json item = regal_json_item(&field[PAIRS], i);
        REGAL_FORWARD(read_pair(&item, cluster));
    }
    return REGAL_OK;
}

static regal_status read_parts(const regal_json *object, regal_cluster *cluster) {
    enum { FORMAT, VERSION, DEVICES, LINKS, KEYS };
    static const regal_json_key KEY[KEYS] = {[FORMAT] = {"format", true},
                                             [VERSION] = {"version", true},
                                             [DEVICES] = {"devices", true},
                                             [LINKS] = {"links", true}};
    regal_json field[KEYS];
    REGAL_FORWARD(regal_json_check_format(object, "regal-cluster", true));
    REGAL_FORWARD(regal_json_fields(object, KEY, KEYS, field));
    REGAL_FORWARD(read_devices(&field[DEVICES], cluster));
    return read_links(&field[LINKS], cluster);
}

regal_status regal_cluster_from_json(const regal_json *object, regal_cluster **cluster) {
    *cluster = NULL;
    regal_cluster *made = NULL;
    REGAL_FORWARD(regal_cluster_create(&made));
    const regal_status status = read_parts(object, made);
    if (status != REGAL_OK)
        regal_cluster_destroy(made);
    else
        *cluster = made;
    return status;
}

static regal_status read_root(const regal_json *root, void *cluster) {
    return regal_cluster_from_json(root, cluster);
}

regal_status regal_cluster_parse_json(const char *data, size_t size, const char *name,
                                      regal_cluster **cluster) {
    *cluster = NULL;
    return regal_json_parse(data, size, name, read_root, cluster);
}

regal_status regal_cluster_read(const char *path, regal_cluster **cluster) {
    *cluster = NULL;
    return regal_json_read(path, read_root, cluster);
}

/* ---- out */

static void put_link(regal_out *out, regal_link link) {
    regal_out_format(out, "\"latency\": %lld, \"bytes_per_1000_ticks\": ", (long long)link.latency);
    if (link.bytes_per_1000_ticks == 0)
        regal_out_text(out, "null");
    else
        regal_out_integer(out, link.bytes_per_1000_ticks);
}

static void put_device(regal_out *out, regal_device device) {
    regal_out_text(out, "{\"name\": ");
    regal_out_string(out, device.name);
    regal_out_text(out, ", \"class\": ");
    if (device.class_name != NULL)
        regal_out_string(out, device.class_name);
    else
        regal_out_integer(out, device.class_index);
    regal_out_format(out, ", \"memory\": %lld}", (long long)device.memory);
}

static void put_pairs(regal_out *out, const regal_cluster *cluster) {
    const int64_t count = regal_cluster_device_count(cluster);
    const char *separator = "\n";
    for (int64_t from = 0; from < count; ++from)
        for (int64_t to = 0; to < count; ++to) {
            int listed;
            const regal_link link = regal_cluster_link(cluster, from, to, &listed);
            if (!listed)
                continue;
            regal_out_format(out, "%s{\"from\": %lld, \"to\": %lld, ", separator, (long long)from,
                             (long long)to);
            put_link(out, link);
            regal_out_text(out, "}");
            separator = ",\n";
        }
}

void regal_cluster_to_json(regal_out *out, const regal_cluster *cluster) {
    regal_out_text(out, "{\"format\": \"regal-cluster\", \"version\": 1,\n\"devices\": [");
    for (int64_t i = 0; i < regal_cluster_device_count(cluster); ++i) {
        regal_out_text(out, i > 0 ? ",\n" : "\n");
        put_device(out, regal_cluster_device(cluster, i));
    }
    regal_out_text(out, "],\n\"links\": {\"default\": {");
    put_link(out, regal_cluster_default_link(cluster));
    regal_out_text(out, "}, \"pairs\": [");
    put_pairs(out, cluster);
    regal_out_text(out, "]}}");
}

regal_status regal_cluster_write(const regal_cluster *cluster, const char *path) {
    regal_out out = {0};
    regal_cluster_to_json(&out, cluster);
    regal_out_text(&out, "\n");
    return regal_out_save(&out, path);
}

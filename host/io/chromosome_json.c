/* Chromosomes: "encoding", "window" and the keys; "format" and "version" may be left out. */
#include <string.h>

#include "base/error.h"
#include "io/json_fields.h"
#include "io/json_out.h"
#include "io/seed_file.h"
#include "regal/io.h"

enum { FORMAT, VERSION, ENCODING, WINDOW, PRIORITY, PLACEMENT, AFFINITY, TRANSFER, KEYS };
static const regal_json_key KEY[KEYS] = {
    [FORMAT] = {"format", false},     [VERSION] = {"version", false},
    [ENCODING] = {"encoding", true},  [WINDOW] = {"window", true},
    [PRIORITY] = {"priority", true},  [PLACEMENT] = {"placement", false},
    [AFFINITY] = {"affinity", false}, [TRANSFER] = {"transfer", false},
};

/* ---- in */

static regal_status read_keys(const regal_json *list, int64_t count, const char *what,
                              uint16_t *keys) {
    int64_t found;
    REGAL_FORWARD(regal_json_array(list, &found));
    REGAL_JSON_FAIL_IF(found != count, list, "has %lld keys, but there are %lld %s",
                       (long long)found, (long long)count, what);
    for (int64_t i = 0; i < count; ++i) {
        const regal_json item = regal_json_item(list, i);
        int64_t key;
        REGAL_FORWARD(regal_json_integer(&item, 0, UINT16_MAX, &key));
        keys[i] = (uint16_t)key;
    }
    return REGAL_OK;
}

static regal_status read_encoding(const regal_json *value, regal_encoding *encoding) {
    const char *name;
    *encoding = REGAL_INHERIT;
    REGAL_FORWARD(regal_json_string(value, &name));
    const bool affinity = strcmp(name, regal_encoding_name(REGAL_AFFINITY)) == 0;
    REGAL_JSON_FAIL_IF(!affinity && strcmp(name, regal_encoding_name(REGAL_INHERIT)) != 0, value,
                       "expected 'inherit' or 'affinity', found '%.100s'", name);
    *encoding = affinity ? REGAL_AFFINITY : REGAL_INHERIT;
    return REGAL_OK;
}

/* Each encoding has keys that the other has not. */
static regal_status check_lists(const regal_json *root, const regal_json *field,
                                regal_encoding encoding) {
    const bool affinity = encoding == REGAL_AFFINITY;
    for (int key = PLACEMENT; key <= TRANSFER; ++key) {
        const bool due = (key == PLACEMENT) != affinity;
        REGAL_JSON_FAIL_IF(due && field[key].json == NULL, root, "the key '%s' is missing",
                           KEY[key].name);
        REGAL_JSON_FAIL_IF(!due && field[key].json != NULL, &field[key],
                           "is no part of the encoding '%s'", regal_encoding_name(encoding));
    }
    return REGAL_OK;
}

/* The length of the first row of affinities, 1..REGAL_MAX_DEVICES; 0 where there are no rows. */
static regal_status count_devices(const regal_json *rows, int64_t *count) {
    int64_t row_count;
    *count = 0;
    REGAL_FORWARD(regal_json_array(rows, &row_count));
    if (row_count == 0)
        return REGAL_OK;
    const regal_json first = regal_json_item(rows, 0);
    REGAL_FORWARD(regal_json_array(&first, count));
    REGAL_JSON_FAIL_IF(*count < 1 || *count > REGAL_MAX_DEVICES, &first,
                       "a row has a key for each of 1..%d devices; here are %lld",
                       REGAL_MAX_DEVICES, (long long)*count);
    return REGAL_OK;
}

static regal_status read_rows(const regal_json *rows, int64_t row_count, int64_t length,
                              uint16_t *keys) {
    int64_t found;
    REGAL_FORWARD(regal_json_array(rows, &found));
    REGAL_JSON_FAIL_IF(found != row_count, rows, "has %lld rows, but there are %lld priorities",
                       (long long)found, (long long)row_count);
    for (int64_t i = 0; i < row_count; ++i) {
        const regal_json row = regal_json_item(rows, i);
        REGAL_FORWARD(read_keys(&row, length, "in the first row", keys + i * length));
    }
    return REGAL_OK;
}

static regal_status read_genes(const regal_json *field, regal_chromosome *made) {
    const int64_t n = made->op_count, devices = made->device_count;
    REGAL_FORWARD(read_keys(&field[PRIORITY], n, "priorities", made->genes));
    if (made->encoding == REGAL_INHERIT)
        return read_keys(&field[PLACEMENT], n, "priorities", made->genes + n);
    REGAL_FORWARD(read_rows(&field[AFFINITY], n, devices, made->genes + n));
    return read_keys(&field[TRANSFER], n, "priorities", made->genes + n + n * devices);
}

regal_status regal_chromosome_from_json(const regal_json *root, void *chromosome) {
    regal_json field[KEYS];
    REGAL_FORWARD(regal_json_check_format(root, "regal-chromosome", false));
    REGAL_FORWARD(regal_json_fields(root, KEY, KEYS, field));
    regal_encoding encoding;
    int64_t window, op_count, device_count = 0;
    REGAL_FORWARD(read_encoding(&field[ENCODING], &encoding));
    REGAL_FORWARD(regal_json_integer(&field[WINDOW], 0, INT64_MAX, &window));
    REGAL_FORWARD(check_lists(root, field, encoding));
    REGAL_FORWARD(regal_json_array(&field[PRIORITY], &op_count));
    if (encoding == REGAL_AFFINITY)
        REGAL_FORWARD(count_devices(&field[AFFINITY], &device_count));
    regal_chromosome *made = NULL;
    REGAL_FORWARD(regal_chromosome_create(encoding, window, op_count, device_count, &made));
    const regal_status status = read_genes(field, made);
    if (status != REGAL_OK)
        regal_chromosome_destroy(made);
    else
        *(regal_chromosome **)chromosome = made;
    return status;
}

regal_status regal_chromosome_parse(const char *data, size_t size, const char *name,
                                    regal_chromosome **chromosome) {
    *chromosome = NULL;
    return regal_json_parse(data, size, name, regal_chromosome_from_json, chromosome);
}

regal_status regal_chromosome_read(const char *path, regal_chromosome **chromosome) {
    *chromosome = NULL;
    return regal_json_read(path, regal_chromosome_from_json, chromosome);
}

/* ---- out */

static void put_keys(regal_out *out, const uint16_t *keys, int64_t count) {
    regal_out_text(out, "[");
    for (int64_t i = 0; i < count; ++i) {
        regal_out_text(out, i > 0 ? ", " : "");
        regal_out_integer(out, keys[i]);
    }
    regal_out_text(out, "]");
}

static void put_list(regal_out *out, int key, const uint16_t *keys, int64_t count) {
    regal_out_format(out, ",\n\"%s\": ", KEY[key].name);
    put_keys(out, keys, count);
}

static void put_affinities(regal_out *out, const regal_chromosome *chromosome) {
    const int64_t n = chromosome->op_count, devices = chromosome->device_count;
    regal_out_format(out, ",\n\"%s\": [", KEY[AFFINITY].name);
    for (int64_t i = 0; i < n; ++i) {
        regal_out_text(out, i > 0 ? ",\n" : "\n");
        put_keys(out, chromosome->genes + n + i * devices, devices);
    }
    regal_out_text(out, "]");
    put_list(out, TRANSFER, chromosome->genes + n + n * devices, n);
}

regal_status regal_chromosome_write(const regal_chromosome *chromosome, const char *path) {
    const int64_t n = chromosome->op_count;
    regal_out out = {0};
    regal_out_format(&out,
                     "{\n\"format\": \"regal-chromosome\",\n\"version\": 1,\n\"encoding\": "
                     "\"%s\",\n\"window\": %lld",
                     regal_encoding_name(chromosome->encoding), (long long)chromosome->window);
    put_list(&out, PRIORITY, chromosome->genes, n);
    if (chromosome->encoding == REGAL_INHERIT)
        put_list(&out, PLACEMENT, chromosome->genes + n, n);
    else
        put_affinities(&out, chromosome);
    regal_out_text(&out, "\n}\n");
    return regal_out_save(&out, path);
}

#include "io/proposals_json.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/json_fields.h"
#include "io/json_out.h"
#include "regal/core/proposal.h"

/* The genes of one row. */
typedef struct shape {
    regal_encoding encoding;
    int64_t op_count, device_count, gene_count;
} shape;

enum { PRIORITY, PLACEMENT, AFFINITY, TRANSFER, ROW_KEYS };
static const regal_json_key INHERIT_KEY[ROW_KEYS] = {
    {"priority", true}, {"placement", true}, {"affinity", false}, {"transfer", false}};
static const regal_json_key AFFINITY_KEY[ROW_KEYS] = {
    {"priority", true}, {"placement", false}, {"affinity", true}, {"transfer", true}};

static const regal_json_key *keys_of(regal_encoding encoding) {
    return encoding == REGAL_INHERIT ? INHERIT_KEY : AFFINITY_KEY;
}

/* ---- in */

static regal_status read_entry(const regal_json *value, uint16_t *proposal) {
    *proposal = 0;
    if (json_is_null(value->json))
        return REGAL_OK;
    REGAL_JSON_FAIL_IF(!json_is_array(value->json) || json_array_size(value->json) != 2, value,
                       "expected null (uniform) or [mean bin, concentration bin]");
    const regal_json first = regal_json_item(value, 0), second = regal_json_item(value, 1);
    int64_t mean, concentration;
    REGAL_FORWARD(regal_json_integer(&first, 0, REGAL_MEAN_BINS - 1, &mean));
    REGAL_FORWARD(regal_json_integer(&second, 0, REGAL_CONCENTRATION_BINS - 1, &concentration));
    *proposal = (uint16_t)(1 + mean * REGAL_CONCENTRATION_BINS + concentration);
    return REGAL_OK;
}

static regal_status check_length(const regal_json *list, int64_t count, const char *what) {
    int64_t found;
    REGAL_FORWARD(regal_json_array(list, &found));
    REGAL_JSON_FAIL_IF(found != count, list, "has %lld entries, but there are %lld %s",
                       (long long)found, (long long)count, what);
    return REGAL_OK;
}

static regal_status read_list(const regal_json *list, int64_t count, const char *what,
                              uint16_t *genes) {
    REGAL_FORWARD(check_length(list, count, what));
    for (int64_t i = 0; i < count; ++i) {
        const regal_json item = regal_json_item(list, i);
        REGAL_FORWARD(read_entry(&item, &genes[i]));
    }
    return REGAL_OK;
}

static regal_status read_affinities(const regal_json *list, const shape *of, uint16_t *genes) {
    REGAL_FORWARD(check_length(list, of->op_count, "ops"));
    for (int64_t i = 0; i < of->op_count; ++i) {
        const regal_json row = regal_json_item(list, i);
        REGAL_FORWARD(read_list(&row, of->device_count, "devices", genes + i * of->device_count));
    }
    return REGAL_OK;
}

static regal_status read_row(const regal_json *value, const shape *of, uint16_t *genes) {
    const int64_t n = of->op_count;
    regal_json field[ROW_KEYS];
    REGAL_FORWARD(regal_json_fields(value, keys_of(of->encoding), ROW_KEYS, field));
    REGAL_FORWARD(read_list(&field[PRIORITY], n, "ops", genes));
    if (of->encoding == REGAL_INHERIT)
        return read_list(&field[PLACEMENT], n, "ops", genes + n);
    REGAL_FORWARD(read_affinities(&field[AFFINITY], of, genes + n));
    return read_list(&field[TRANSFER], n, "ops", genes + n + n * of->device_count);
}

/* Rows are made room for as they come: the file cannot ask for more than it holds. */
static regal_status read_rows(const regal_json *list, const shape *of, uint16_t **genes,
                              int64_t *row_count) {
    int64_t count, capacity = 0;
    REGAL_FORWARD(regal_json_array(list, &count));
    REGAL_JSON_FAIL_IF(count == 0, list, "is empty: at least one row is needed");
    for (int64_t i = 0; i < count; ++i) {
        int64_t needed;
        const bool ok = !__builtin_mul_overflow(i + 1, of->gene_count, &needed) &&
                        regal_array_reserve(genes, &capacity, needed + 1, sizeof **genes);
        REGAL_FAIL_IF(!ok, REGAL_OUT_OF_MEMORY, "%s: memory ran out", list->file->label);
        const regal_json row = regal_json_item(list, i);
        REGAL_FORWARD(read_row(&row, of, *genes + i * of->gene_count));
    }
    *row_count = count;
    return REGAL_OK;
}

/* What is read: rows for a search of this shape. */
typedef struct reading {
    shape of;
    uint16_t *genes;
    int64_t row_count;
} reading;

static regal_status read_root(const regal_json *root, void *result) {
    enum { FORMAT, VERSION, ENCODING, ROWS, KEYS };
    static const regal_json_key KEY[KEYS] = {[FORMAT] = {"format", true},
                                             [VERSION] = {"version", true},
                                             [ENCODING] = {"encoding", true},
                                             [ROWS] = {"rows", true}};
    reading *made = result;
    const char *wanted = regal_encoding_name(made->of.encoding), *encoding;
    regal_json field[KEYS];
    REGAL_FORWARD(regal_json_check_format(root, "regal-proposals", true));
    REGAL_FORWARD(regal_json_fields(root, KEY, KEYS, field));
    REGAL_FORWARD(regal_json_string(&field[ENCODING], &encoding));
    REGAL_JSON_FAIL_IF(strcmp(encoding, wanted) != 0, &field[ENCODING],
                       "expected '%s', which the search uses, found '%.100s'", wanted, encoding);
    const regal_status status = read_rows(&field[ROWS], &made->of, &made->genes, &made->row_count);
    if (status != REGAL_OK)
        free(made->genes);
    return status;
}

static reading reading_make(regal_encoding encoding, int64_t op_count, int64_t device_count) {
    return (reading){.of = {encoding, op_count, device_count,
                            regal_gene_count(encoding, op_count, device_count)}};
}

static regal_status hand_over(regal_status status, const reading *made, uint16_t **genes,
                              int64_t *row_count) {
    *genes = status == REGAL_OK ? made->genes : NULL;
    *row_count = status == REGAL_OK ? made->row_count : 0;
    return status;
}

regal_status regal_proposals_parse(const char *data, size_t size, const char *name,
                                   regal_encoding encoding, int64_t op_count, int64_t device_count,
                                   uint16_t **genes, int64_t *row_count) {
    reading made = reading_make(encoding, op_count, device_count);
    const regal_status status = regal_json_parse(data, size, name, read_root, &made);
    return hand_over(status, &made, genes, row_count);
}

regal_status regal_proposals_read(const char *path, regal_encoding encoding, int64_t op_count,
                                  int64_t device_count, uint16_t **genes, int64_t *row_count) {
    reading made = reading_make(encoding, op_count, device_count);
    const regal_status status = regal_json_read(path, read_root, &made);
    return hand_over(status, &made, genes, row_count);
}

/* ---- out */

static void put_list(regal_out *out, const uint16_t *genes, int64_t count) {
    regal_out_text(out, "[");
    for (int64_t i = 0; i < count; ++i) {
        regal_out_text(out, i > 0 ? ", " : "");
        if (genes[i] == 0)
            regal_out_text(out, "null");
        else
            regal_out_format(out, "[%d, %d]", (genes[i] - 1) / REGAL_CONCENTRATION_BINS,
                             (genes[i] - 1) % REGAL_CONCENTRATION_BINS);
    }
    regal_out_text(out, "]");
}

static void put_row(regal_out *out, const shape *of, const uint16_t *genes) {
    const int64_t n = of->op_count, devices = of->device_count;
    regal_out_text(out, "{\"priority\": ");
    put_list(out, genes, n);
    genes += n;
    if (of->encoding == REGAL_INHERIT) {
        regal_out_text(out, ",\n\"placement\": ");
    } else {
        regal_out_text(out, ",\n\"affinity\": [");
        for (int64_t i = 0; i < n; ++i, genes += devices) {
            regal_out_text(out, i > 0 ? ", " : "");
            put_list(out, genes, devices);
        }
        regal_out_text(out, "],\n\"transfer\": ");
    }
    put_list(out, genes, n);
    regal_out_text(out, "}");
}

regal_status regal_proposals_write(const char *path, regal_encoding encoding, int64_t op_count,
                                   int64_t device_count, const uint16_t *genes, int64_t row_count) {
    const shape given = {encoding, op_count, device_count,
                         regal_gene_count(encoding, op_count, device_count)};
    regal_out out = {0};
    regal_out_format(&out,
                     "{\n\"format\": \"regal-proposals\",\n\"version\": 1,\n\"encoding\": "
                     "\"%s\",\n\"rows\": [",
                     regal_encoding_name(encoding));
    for (int64_t i = 0; i < row_count; ++i) {
        regal_out_text(&out, i > 0 ? ",\n" : "\n");
        put_row(&out, &given, genes + i * given.gene_count);
    }
    regal_out_text(&out, "]\n}\n");
    return regal_out_save(&out, path);
}

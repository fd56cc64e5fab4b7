/* Measured times from any source. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/name_table.h"
#include "io/costs/costs_data.h"
#include "io/file.h"
#include "io/reader.h"

/* ---- what a file is */

static bool is_blank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static size_t skip_white(const char *data, size_t size, size_t at) {
    while (at < size && is_blank(data[at]))
        ++at;
    return at;
}

/* An object, or an array of them. */
static bool is_trace(const char *data, size_t size) {
    const size_t start = skip_white(data, size, 0);
    if (start == size || (data[start] != '{' && data[start] != '['))
        return false;
    const size_t next = skip_white(data, size, start + 1);
    const char *starts = data[start] == '{' ? "\"}" : "{]";
    return next == size || memchr(starts, data[next], 2) != NULL;
}

/* Bytes that no text has, soon after the start. */
static bool has_control_bytes(const char *data, size_t size) {
    enum { LOOKED_AT = 1 << 14 };
    for (size_t i = 0; i < size && i < LOOKED_AT; ++i)
        if ((unsigned char)data[i] < 0x20 && !is_blank(data[i]))
            return true;
    return false;
}

/* step_stats comes first: field 1, a message; times and lengths are hardly all printable. */
static bool is_binary_run_metadata(const char *data, size_t size) {
    return data[0] == '\x0a' && has_control_bytes(data, size);
}

static bool is_text_run_metadata(const char *data, size_t size) {
    static const char *const FIELDS[] = {"step_stats", "cost_graph", "partition_graphs",
                                         "function_graphs"};
    const size_t start = regal_skip_blank(data, size, 0);
    for (size_t i = 0; i < sizeof FIELDS / sizeof *FIELDS; ++i) {
        const size_t length = strlen(FIELDS[i]);
        if (size - start < length || memcmp(data + start, FIELDS[i], length) != 0)
            continue;
        const size_t next = skip_white(data, size, start + length);
        return next == size || memchr("{<:", data[next], 3) != NULL;
    }
    return false;
}

static regal_costs_source *recognize(const char *data, size_t size) {
    if (is_trace(data, size))
        return regal_costs_from_trace;
    if (is_binary_run_metadata(data, size) || is_text_run_metadata(data, size))
        return regal_costs_from_run_metadata;
    return memchr(data, '\0', size) != NULL ? NULL : regal_costs_from_csv;
}

/* ---- what was read */

regal_status regal_costs_add(regal_costs *costs, const char *op, const char *class_name,
                             int64_t ticks, int64_t line) {
    regal_cost_line made = {.ticks = ticks, .line = line};
    const bool ok =
        regal_array_reserve(&costs->lines, &costs->capacity, costs->count + 1, sizeof made) &&
        (made.op = regal_arena_copy(&costs->strings, op, strlen(op))) != NULL &&
        (class_name == NULL || (made.class_name = regal_arena_copy(&costs->strings, class_name,
                                                                   strlen(class_name))) != NULL);
    REGAL_FAIL_IF(!ok, REGAL_OUT_OF_MEMORY, "memory ran out at the costs of %s", costs->label);
    costs->lines[costs->count++] = made;
    return REGAL_OK;
}

typedef struct cost_sum {
    const char *name;
    __int128 ticks;
    int64_t samples;
} cost_sum;

static regal_status add_sums(regal_costs *costs, const cost_sum *sums, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
        const int64_t samples = sums[i].samples;
        const int64_t mean = (int64_t)((2 * sums[i].ticks + samples) / (2 * (__int128)samples));
        REGAL_FORWARD(regal_costs_add(costs, sums[i].name, NULL, mean, 0));
    }
    return REGAL_OK;
}

regal_status regal_costs_add_means(regal_costs *costs, const regal_cost_sample *samples,
                                   int64_t count) {
    regal_name_table table;
    int64_t sum_count = 0;
    REGAL_FAIL_IF(!regal_name_table_create(&table, count), REGAL_OUT_OF_MEMORY, "memory ran out");
    cost_sum *sums = regal_allocate_zeroed(count, sizeof *sums);
    for (int64_t i = 0; sums != NULL && i < count; ++i) {
        const int64_t at = regal_name_table_add(&table, samples[i].name, sum_count);
        sum_count += at == sum_count;
        sums[at].name = samples[i].name;
        sums[at].ticks += samples[i].ticks;
        ++sums[at].samples;
    }
    const regal_status status =
        sums != NULL ? add_sums(costs, sums, sum_count)
                     : regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out");
    free(sums);
    regal_name_table_destroy(&table);
    return status;
}

/* ---- as CSV */

static void put_quoted(regal_out *out, const char *text) {
    regal_out_text(out, "\"");
    for (const char *at = text; *at != '\0';) {
        const size_t span = strcspn(at, "\"");
        regal_out_bytes(out, at, span);
        at += span;
        if (*at == '"') {
            regal_out_text(out, "\"\"");
            ++at;
        }
    }
    regal_out_text(out, "\"");
}

void regal_csv_put(regal_out *out, const char *text) {
    const size_t length = strlen(text);
    const bool plain = length == 0 || (text[strcspn(text, "\",\r\n")] == '\0' && text[0] != '#' &&
                                       !is_blank(text[0]) && !is_blank(text[length - 1]));
    if (plain)
        regal_out_bytes(out, text, length);
    else
        put_quoted(out, text);
}

/* Whether a text that begins with it cannot be taken for one of the other sources. */
static bool is_plain_start(const char *name) {
    const unsigned char first = (unsigned char)name[0];
    return first > ' ' && first < 0x7f && first != '{' && first != '[' &&
           strpbrk(name, "{<:") == NULL;
}

void regal_cost_line_put(regal_out *out, const regal_cost_line *line) {
    if (is_plain_start(line->op))
        regal_csv_put(out, line->op);
    else
        put_quoted(out, line->op);
    regal_out_text(out, ",");
    if (line->class_name != NULL)
        regal_csv_put(out, line->class_name);
    regal_out_text(out, ",");
    regal_out_integer(out, line->ticks / 1000);
    int rest = (int)(line->ticks % 1000), digits = 3;
    for (; rest != 0 && rest % 10 == 0; rest /= 10)
        --digits;
    if (rest != 0)
        regal_out_format(out, ".%0*d", digits, rest);
    regal_out_text(out, "\n");
}

static regal_status put_text(regal_costs *costs) {
    regal_out out = {0};
    for (int64_t i = 0; i < costs->count; ++i)
        regal_cost_line_put(&out, &costs->lines[i]);
    regal_out_bytes(&out, "", 1);
    if (out.failed)
        free(out.data);
    REGAL_FAIL_IF(out.failed, REGAL_OUT_OF_MEMORY, "memory ran out");
    costs->text = out.data;
    return REGAL_OK;
}

/* ---- the whole */

static regal_status fill(regal_costs *costs, const char *data, size_t size) {
    regal_costs_source *source = recognize(data, size);
    REGAL_FAIL_IF(source == NULL, REGAL_INVALID_INPUT,
                  "%s: neither CSV (op,class,microseconds) nor a Chrome trace nor TensorFlow's "
                  "RunMetadata",
                  costs->label);
    REGAL_FORWARD(source(costs, data, size));
    REGAL_FAIL_IF(costs->count == 0, REGAL_INVALID_INPUT, "%s: holds no times of ops",
                  costs->label);
    return put_text(costs);
}

regal_status regal_costs_parse(const char *data, size_t size, const char *name,
                               regal_costs **costs) {
    *costs = NULL;
    if (size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0) {
        data += 3;
        size -= 3;
    }
    REGAL_FAIL_IF(size == 0, REGAL_INVALID_INPUT, "%s: is empty", name);
    regal_costs *made = regal_allocate_zeroed(1, sizeof *made);
    REGAL_FAIL_IF_NULL(made);
    made->label = regal_arena_copy(&made->strings, name, strlen(name));
    const regal_status status = made->label != NULL ? fill(made, data, size)
                                                    : regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__,
                                                                      __LINE__, "memory ran out");
    if (status == REGAL_OK)
        *costs = made;
    else
        regal_costs_destroy(made);
    return status;
}

regal_status regal_costs_read(const char *path, regal_costs **costs) {
    char *data;
    size_t size;
    *costs = NULL;
    REGAL_FORWARD(regal_file_read(path, &data, &size));
    const regal_status status = regal_costs_parse(data, size, regal_file_label(path), costs);
    free(data);
    return status;
}

void regal_costs_destroy(regal_costs *costs) {
    if (costs == NULL)
        return;
    regal_arena_free(&costs->strings);
    free(costs->lines);
    free(costs->text);
    free(costs);
}

int64_t regal_costs_count(const regal_costs *costs) {
    return costs->count;
}

const char *regal_costs_text(const regal_costs *costs) {
    return costs->text;
}

/* Strict reading of JSON: every value knows its place in the file, so that an error says where.
 *
 *   static regal_status read_root(const regal_json *root, void *result) {
 *       REGAL_FORWARD(regal_json_fields(root, KEYS, COUNT, fields));
 *       ...
 *   REGAL_FORWARD(regal_json_read(path, read_root, &result)); */
#ifndef REGAL_IO_JSON_FIELDS_H
#define REGAL_IO_JSON_FIELDS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "regal/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct regal_json_key {
    const char *name;
    bool required;
} regal_json_key;

enum { REGAL_JSON_WARNINGS = 32 };

typedef struct regal_json_file {
    const char *label; /* in messages */
    json_t *root;
    int warned_count; /* unknown keys that were warned of; more than fit: all others are silent */
    struct {
        const regal_json_key *among;
        const char *key;
    } warned[REGAL_JSON_WARNINGS];
} regal_json_file;

typedef struct regal_json {
    regal_json_file *file;
    json_t *json;                /* NULL: an optional key that is missing or null */
    const struct regal_json *up; /* what holds it; must outlive it. NULL for the root */
    const char *key;             /* in an object; NULL for an item of an array */
    int64_t index;               /* in an array */
} regal_json;

/* Makes *result of the root of a file, or fails and leaves nothing behind. */
typedef regal_status regal_json_reader(const regal_json *root, void *result);

/* Parses the text (REGAL_INVALID_INPUT as "label:line:column: ...") and hands its root to the
 * reader; what it saw of the file ends with the call. */
regal_status regal_json_parse(const char *data, size_t size, const char *label,
                              regal_json_reader *reader, void *result);
/* The same with the content of a file ("-": standard input), whose name is the label. */
regal_status regal_json_read(const char *path, regal_json_reader *reader, void *result);

/* Records "label: place: ..." and returns REGAL_INVALID_INPUT. */
regal_status regal_json_error(const regal_json *value, const char *file, int line,
                              const char *format, ...) __attribute__((format(printf, 4, 5)));
#define REGAL_JSON_FAIL(value, ...) \
    return regal_json_error((value), __FILE__, __LINE__, __VA_ARGS__)
#define REGAL_JSON_FAIL_IF(condition, value, ...) \
    do {                                          \
        if (condition)                            \
            REGAL_JSON_FAIL(value, __VA_ARGS__);  \
    } while (0)

/* The members of an object in the order of `keys`; a required one that is missing is an error, an
 * unknown one a warning, once for each kind of object. keys must be static. */
regal_status regal_json_fields(const regal_json *object, const regal_json_key *keys, int count,
                               regal_json *fields);

/* Checks the "format" and "version" (always 1) of an object, before its other keys are looked at.
 * required: whether they must be there. */
regal_status regal_json_check_format(const regal_json *object, const char *expected, bool required);

regal_status regal_json_array(const regal_json *value, int64_t *count);
regal_json regal_json_item(const regal_json *array, int64_t index);
/* An integer of JSON (1.0 is none) from low to high. */
regal_status regal_json_integer(const regal_json *value, int64_t low, int64_t high,
                                int64_t *number);
regal_status regal_json_string(const regal_json *value, const char **text);
regal_status regal_json_bool(const regal_json *value, bool *truth);
/* An array of exactly `count` integers from low to high; `what` names what they are counted by. */
regal_status regal_json_integers(const regal_json *value, int64_t count, const char *what,
                                 int64_t low, int64_t high, int64_t *numbers);

/* "an array", "a string", ... */
const char *regal_json_kind(const json_t *json);

#ifdef __cplusplus
}
#endif
#endif

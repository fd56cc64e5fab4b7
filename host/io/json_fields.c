#include "io/json_fields.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/file.h"
#include "regal/version.h"

/* Places are as deep as the formats nest, which is less. */
enum { GREATEST_DEPTH = 16, PLACE_ROOM = 512, FORMAT_VERSION = 1 };

static const char BYTE_ORDER_MARK[] = "\xef\xbb\xbf";

/* Jansson seldom says so itself: where memory runs out inside a token it may name no place, or
 * blame the syntax. */
static bool is_out_of_memory(json_error_t *error, size_t size) {
    void *probe = malloc(size + (1 << 20));
    free(probe);
    return probe == NULL || error->line < 0 || json_error_code(error) == json_error_out_of_memory;
}

/* Jansson blames what stands before the end of a text that is cut off. */
static void move_to_end(json_error_t *error, const char *data, size_t size) {
    size_t line = 1, column = 1;
    for (size_t i = 0; i < size; ++i) {
        const bool continues = ((unsigned char)data[i] & 0xc0) == 0x80;
        line += data[i] == '\n';
        column = data[i] == '\n' ? 1 : column + !continues;
    }
    error->line = line < INT_MAX ? (int)line : INT_MAX;
    error->column = column < INT_MAX ? (int)column : INT_MAX;
}

static regal_status open_text(regal_json_file *file, const char *data, size_t size,
                              const char *label, regal_json *root) {
    *file = (regal_json_file){.label = label};
    *root = (regal_json){.file = file};
    REGAL_FAIL_IF(size == 0, REGAL_INVALID_INPUT, "%s: is empty", label);
    if (size >= 3 && memcmp(data, BYTE_ORDER_MARK, 3) == 0) {
        data += 3;
        size -= 3;
    }
    json_error_t error;
    file->root = root->json = json_loadb(data, size, JSON_REJECT_DUPLICATES, &error);
    if (file->root != NULL)
        return REGAL_OK;
    REGAL_FAIL_IF(is_out_of_memory(&error, size), REGAL_OUT_OF_MEMORY,
                  "%s: memory ran out while it was read", label);
    if (json_error_code(&error) == json_error_premature_end_of_input)
        move_to_end(&error, data, size);
    REGAL_FAIL(REGAL_INVALID_INPUT, "%s:%d:%d: %s", label, error.line, error.column, error.text);
}

regal_status regal_json_parse(const char *data, size_t size, const char *label,
                              regal_json_reader *reader, void *result) {
    regal_json_file file;
    regal_json root;
    regal_status status = open_text(&file, data, size, label, &root);
    if (status == REGAL_OK)
        status = reader(&root, result);
    json_decref(file.root);
    return status;
}

regal_status regal_json_read(const char *path, regal_json_reader *reader, void *result) {
    char *data;
    size_t size;
    REGAL_FORWARD(regal_file_read(path, &data, &size));
    const regal_status status =
        regal_json_parse(data, size, regal_file_label(path), reader, result);
    free(data);
    return status;
}

/* "tensors[12].consumers[3]"; "" for the root. */
static void describe_place(const regal_json *value, char *text, size_t room) {
    const regal_json *chain[GREATEST_DEPTH];
    int depth = 0;
    for (; value->up != NULL && depth < GREATEST_DEPTH; value = value->up)
        chain[depth++] = value;
    size_t used = 0;
    text[0] = '\0';
    while (depth > 0 && used < room) {
        const regal_json *step = chain[--depth];
        const int written =
            step->key != NULL
                ? snprintf(text + used, room - used, "%s%.60s", used > 0 ? "." : "", step->key)
                : snprintf(text + used, room - used, "[%lld]", (long long)step->index);
        used += written > 0 ? (size_t)written : 0;
    }
}

regal_status regal_json_error(const regal_json *value, const char *file, int line,
                              const char *format, ...) {
    char place[PLACE_ROOM], text[1024];
    describe_place(value, place, sizeof place);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return regal_error_set(REGAL_INVALID_INPUT, file, line, "%s: %s%s%s", value->file->label, place,
                           place[0] != '\0' ? ": " : "", text);
}

const char *regal_json_kind(const json_t *json) {
    if (json == NULL)
        return "nothing";
    switch (json_typeof(json)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a string";
    case JSON_INTEGER:
        return "an integer";
    case JSON_REAL:
        return "a number with a fraction or exponent";
    case JSON_TRUE:
        return "true";
    case JSON_FALSE:
        return "false";
    case JSON_NULL:
        break;
    }
    return "null";
}

static regal_status wrong_kind(const regal_json *value, const char *expected) {
    REGAL_JSON_FAIL(value, "expected %s, found %s", expected, regal_json_kind(value->json));
}

/* Once for each kind of object and key, however often it comes. */
static void warn_unknown(const regal_json *object, const regal_json_key *keys, const char *key) {
    regal_json_file *file = object->file;
    if (file->warned_count > REGAL_JSON_WARNINGS)
        return;
    for (int i = 0; i < file->warned_count; ++i)
        if (file->warned[i].among == keys && strcmp(file->warned[i].key, key) == 0)
            return;
    if (file->warned_count == REGAL_JSON_WARNINGS) {
        regal_warn("%s: further unknown keys are left out too", file->label);
    } else {
        char place[PLACE_ROOM];
        describe_place(&(regal_json){.file = file, .up = object, .key = key}, place, sizeof place);
        regal_warn("%s: %s: unknown key, left out", file->label, place);
        file->warned[file->warned_count].among = keys;
        file->warned[file->warned_count].key = key;
    }
    file->warned_count++;
}

regal_status regal_json_fields(const regal_json *object, const regal_json_key *keys, int count,
                               regal_json *fields) {
    if (!json_is_object(object->json))
        return wrong_kind(object, "an object");
    for (int i = 0; i < count; ++i)
        fields[i] = (regal_json){.file = object->file, .up = object, .key = keys[i].name};
    const char *key;
    json_t *member;
    json_object_foreach(object->json, key, member) {
        int i = 0;
        while (i < count && strcmp(keys[i].name, key) != 0)
            ++i;
        if (i == count)
            warn_unknown(object, keys, key);
        else if (keys[i].required || !json_is_null(member))
            fields[i].json = member;
    }
    for (int i = 0; i < count; ++i)
        REGAL_JSON_FAIL_IF(keys[i].required && fields[i].json == NULL, object,
                           "the key '%s' is missing", keys[i].name);
    return REGAL_OK;
}

static regal_json member_of(const regal_json *object, const char *key) {
    return (regal_json){
        .file = object->file, .json = json_object_get(object->json, key), .up = object, .key = key};
}

regal_status regal_json_check_format(const regal_json *object, const char *expected,
                                     bool required) {
    if (!json_is_object(object->json))
        return wrong_kind(object, "an object");
    const regal_json format = member_of(object, "format"), version = member_of(object, "version");
    REGAL_JSON_FAIL_IF(required && format.json == NULL, object,
                       "the key 'format' is missing; it would say '%s'", expected);
    REGAL_JSON_FAIL_IF(required && version.json == NULL, object, "the key 'version' is missing");
    if (format.json != NULL) {
        const char *name;
        REGAL_FORWARD(regal_json_string(&format, &name));
        REGAL_JSON_FAIL_IF(strcmp(name, expected) != 0, &format, "expected '%s', found '%.100s'",
                           expected, name);
    }
    if (version.json != NULL) {
        int64_t number;
        REGAL_FORWARD(regal_json_integer(&version, INT64_MIN, INT64_MAX, &number));
        REGAL_JSON_FAIL_IF(number != FORMAT_VERSION, &version,
                           "%lld is not supported: this is REGAL %s, which reads version %d of %s",
                           (long long)number, REGAL_VERSION, FORMAT_VERSION, expected);
    }
    return REGAL_OK;
}

regal_status regal_json_array(const regal_json *value, int64_t *count) {
    *count = 0;
    if (!json_is_array(value->json))
        return wrong_kind(value, "an array");
    *count = (int64_t)json_array_size(value->json);
    return REGAL_OK;
}

regal_json regal_json_item(const regal_json *array, int64_t index) {
    return (regal_json){.file = array->file,
                        .json = json_array_get(array->json, (size_t)index),
                        .up = array,
                        .index = index};
}

regal_status regal_json_integer(const regal_json *value, int64_t low, int64_t high,
                                int64_t *number) {
    *number = 0;
    if (!json_is_integer(value->json))
        return wrong_kind(value, "an integer");
    *number = json_integer_value(value->json);
    REGAL_JSON_FAIL_IF(*number < low || *number > high, value, "%lld is not from %lld to %lld",
                       (long long)*number, (long long)low, (long long)high);
    return REGAL_OK;
}

regal_status regal_json_string(const regal_json *value, const char **text) {
    *text = "";
    if (!json_is_string(value->json))
        return wrong_kind(value, "a string");
    *text = json_string_value(value->json);
    return REGAL_OK;
}

regal_status regal_json_bool(const regal_json *value, bool *truth) {
    *truth = false;
    if (!json_is_boolean(value->json))
        return wrong_kind(value, "true or false");
    *truth = json_is_true(value->json);
    return REGAL_OK;
}

regal_status regal_json_integers(const regal_json *value, int64_t count, const char *what,
                                 int64_t low, int64_t high, int64_t *numbers) {
    int64_t found;
    REGAL_FORWARD(regal_json_array(value, &found));
    REGAL_JSON_FAIL_IF(found != count, value, "has %lld entries, but there are %lld %s",
                       (long long)found, (long long)count, what);
    for (int64_t i = 0; i < count; ++i) {
        const regal_json item = regal_json_item(value, i);
        REGAL_FORWARD(regal_json_integer(&item, low, high, &numbers[i]));
    }
    return REGAL_OK;
}

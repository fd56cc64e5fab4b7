#include "cli/json_values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/console.h"
#include "regal/status.h"

enum { REAL_DIGITS = 12 };

/* Bytes of the UTF-8 character at text, or 0 where there is none. */
static size_t character_length(const unsigned char *text) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = text[0] < 0x80 ? 1 : text[0] >> 5 == 6 ? 2 : text[0] >> 4 == 14 ? 3 : 0;
    if (text[0] >> 3 == 30)
        length = 4;
    if (length <= 1)
        return length;
    uint32_t code = text[0] & (0x7f >> length);
    for (size_t i = 1; i < length; i++) {
        if (text[i] >> 6 != 2)
            return 0;
        code = code << 6 | (text[i] & 0x3f);
    }
    const bool surrogate = code >= 0xd800 && code < 0xe000;
    return code < least[length] || code > 0x10ffff || surrogate ? 0 : length;
}

static char *mended(const char *text) {
    char *good = malloc(3 * strlen(text) + 1);
    if (!good)
        return NULL;
    char *to = good;
    while (*text != '\0') {
        const size_t length = character_length((const unsigned char *)text);
        memcpy(to, length ? text : "\xef\xbf\xbd", length ? length : 3);
        to += length ? length : 3;
        text += length ? length : 1;
    }
    *to = '\0';
    return good;
}

json_t *json_words(const char *text) {
    if (!text)
        return json_null();
    char *good = mended(text);
    json_t *value = good ? json_string(good) : NULL;
    free(good);
    return value;
}

void json_add_words(json_t *object, const char *key, const char *text) {
    json_object_set_new(object, key, json_words(text));
}

void json_add_integer(json_t *object, const char *key, int64_t value) {
    json_object_set_new(object, key, json_integer(value));
}

json_t *json_integers(const int64_t *values, int64_t count) {
    json_t *array = json_array();
    for (int64_t i = 0; i < count; i++)
        json_array_append_new(array, json_integer(values[i]));
    return array;
}

json_t *json_ratio(double part, double whole) {
    return whole > 0 && part >= 0 ? json_real(part / whole) : json_null();
}

char *json_line(json_t *object) {
    char *line = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(REAL_DIGITS));
    json_decref(object);
    return line;
}

int json_print_line(json_t *object) {
    char *line = json_line(object);
    if (!line) {
        console_error("memory ran out");
        return regal_status_exit_code(REGAL_OUT_OF_MEMORY);
    }
    puts(line);
    free(line);
    return 0;
}

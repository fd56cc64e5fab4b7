#include "io/json_out.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/file.h"

enum { FIRST_ROOM = 1 << 12 };

static bool make_room(regal_out *out, size_t more) {
    if (out->failed || more > PTRDIFF_MAX - out->size)
        return !(out->failed = true);
    if (out->size + more <= out->room)
        return true;
    size_t room = out->room == 0 ? FIRST_ROOM : out->room;
    while (room < out->size + more)
        room += room / 2;
    char *grown = realloc(out->data, room);
    if (grown == NULL)
        return !(out->failed = true);
    out->data = grown;
    out->room = room;
    return true;
}

void regal_out_bytes(regal_out *out, const char *bytes, size_t size) {
    if (size == 0 || !make_room(out, size))
        return;
    memcpy(out->data + out->size, bytes, size);
    out->size += size;
}

void regal_out_text(regal_out *out, const char *text) {
    regal_out_bytes(out, text, strlen(text));
}

void regal_out_format(regal_out *out, const char *format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    const int written = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (written < 0 || (size_t)written >= sizeof text)
        out->failed = true;
    else
        regal_out_bytes(out, text, (size_t)written);
}

void regal_out_integer(regal_out *out, int64_t number) {
    char digits[24];
    size_t at = sizeof digits;
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (number < 0)
        digits[--at] = '-';
    regal_out_bytes(out, digits + at, sizeof digits - at);
}

void regal_out_integers(regal_out *out, const int64_t *numbers, int64_t count) {
    regal_out_text(out, "[");
    for (int64_t i = 0; i < count; ++i) {
        regal_out_text(out, i > 0 ? ", " : "");
        regal_out_integer(out, numbers[i]);
    }
    regal_out_text(out, "]");
}

/* The length of the UTF-8 character at the start of text (NUL-terminated), or 0 where there is
 * none: a stray byte, an overlong form, a surrogate, or above U+10FFFF. */
static size_t character_length(const unsigned char *text) {
    const unsigned char lead = text[0];
    if (lead < 0x80)
        return 1;
    if (lead < 0xc2 || lead > 0xf4)
        return 0;
    const size_t length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    const unsigned char low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    const unsigned char high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    if (text[1] < low || text[1] > high)
        return 0;
    for (size_t i = 2; i < length; ++i)
        if (text[i] < 0x80 || text[i] > 0xbf)
            return 0;
    return length;
}

static void put_escaped(regal_out *out, unsigned char c) {
    if (c == '"' || c == '\\')
        regal_out_format(out, "\\%c", c);
    else if (c == '\n')
        regal_out_text(out, "\\n");
    else if (c == '\t')
        regal_out_text(out, "\\t");
    else
        regal_out_format(out, "\\u%04x", c);
}

static void put_string_body(regal_out *out, const char *text) {
    const unsigned char *at = (const unsigned char *)text, *plain = at;
    while (*at != '\0') {
        const size_t length = character_length(at);
        if (length > 1 ||
            (length == 1 && *at >= 0x20 && *at != '"' && *at != '\\' && *at != 0x7f)) {
            at += length;
            continue;
        }
        regal_out_bytes(out, (const char *)plain, (size_t)(at - plain));
        if (length == 0)
            regal_out_text(out, "\xef\xbf\xbd");
        else
            put_escaped(out, *at);
        plain = ++at;
    }
    regal_out_bytes(out, (const char *)plain, (size_t)(at - plain));
}

void regal_out_string(regal_out *out, const char *text) {
    regal_out_joined(out, text, "", "");
}

void regal_out_joined(regal_out *out, const char *first, const char *second, const char *third) {
    regal_out_text(out, "\"");
    put_string_body(out, first);
    put_string_body(out, second);
    put_string_body(out, third);
    regal_out_text(out, "\"");
}

void regal_out_strings(regal_out *out, const char *const *texts, int64_t count) {
    regal_out_text(out, "[");
    for (int64_t i = 0; i < count; ++i) {
        regal_out_text(out, i > 0 ? ", " : "");
        regal_out_string(out, texts[i]);
    }
    regal_out_text(out, "]");
}

void regal_out_string_map(regal_out *out, const char *const *keys, const char *const *values,
                          int64_t count) {
    regal_out_text(out, "{");
    for (int64_t i = 0; i < count; ++i) {
        regal_out_text(out, i > 0 ? ", " : "");
        regal_out_string(out, keys[i]);
        regal_out_text(out, ": ");
        regal_out_string(out, values[i]);
    }
    regal_out_text(out, "}");
}

regal_status regal_out_save(regal_out *out, const char *path) {
    const regal_status status = out->failed
                                    ? regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__,
                                                      "%s: cannot write: memory ran out", path)
                                    : regal_file_write(path, out->data, out->size);
    free(out->data);
    *out = (regal_out){0};
    return status;
}

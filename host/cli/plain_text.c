#include "cli/plain_text.h"

#include <stdarg.h>
#include <stdlib.h>

/* Bytes of the UTF-8 character at text, by its lead byte and what follows it; 1 for any other. */
static size_t character_size(const unsigned char *text) {
    const size_t size = text[0] >= 0xf0 ? 4 : text[0] >= 0xe0 ? 3 : text[0] >= 0xc2 ? 2 : 1;
    for (size_t i = 1; i < size; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 1;
    return size;
}

void plain_text_make(char *text) {
    unsigned char *to = (unsigned char *)text;
    for (const unsigned char *from = to; *from != '\0';) {
        const size_t size = character_size(from);
        const unsigned code = size == 2 ? (from[0] & 0x1fu) << 6 | (from[1] & 0x3fu) : from[0];
        if (size <= 2 && (code < ' ' || (code >= 0x7f && code < 0xa0))) {
            *to++ = '?';
            from += size;
        } else {
            for (size_t i = 0; i < size; i++)
                *to++ = *from++;
        }
    }
    *to = '\0';
}

/* Of the character of that many bytes: those of the East are wide. */
static size_t character_columns(const unsigned char *text, size_t size) {
    enum { FIRST_WIDE = 0x2e80 };
    const unsigned code = size == 3 ? (text[0] & 0xfu) << 12 | (text[1] & 0x3fu) << 6 : 0;
    return size == 4 || code >= FIRST_WIDE ? 2 : 1;
}

size_t plain_text_columns(const char *text) {
    size_t columns = 0;
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0';) {
        const size_t size = character_size(at);
        columns += character_columns(at, size);
        at += size;
    }
    return columns;
}

void plain_text_clip(char *text, size_t columns) {
    unsigned char *at = (unsigned char *)text;
    while (*at != '\0') {
        const size_t size = character_size(at), taken = character_columns(at, size);
        if (taken > columns)
            break;
        columns -= taken;
        at += size;
    }
    *at = '\0';
}

void plain_line_print(FILE *file, const char *format, ...) {
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    va_end(arguments);
    if (text)
        plain_text_make(text);
    fprintf(file, "%s\n", text ? text : "memory ran out");
    free(text);
}

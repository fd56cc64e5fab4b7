/* JSON text in a growing buffer. Running out of memory is remembered and reported at the end. */
#ifndef REGAL_IO_JSON_OUT_H
#define REGAL_IO_JSON_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "regal/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct regal_out {
    char *data;
    size_t size, room;
    bool failed;
} regal_out; /* starts as {0} */

void regal_out_bytes(regal_out *out, const char *bytes, size_t size);
void regal_out_text(regal_out *out, const char *text);
void regal_out_format(regal_out *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void regal_out_integer(regal_out *out, int64_t number);
/* [1, 2, 3] */
void regal_out_integers(regal_out *out, const int64_t *numbers, int64_t count);
/* In quotes, escaped; what is no UTF-8 becomes U+FFFD. */
void regal_out_string(regal_out *out, const char *text);
/* The three joined as one string. */
void regal_out_joined(regal_out *out, const char *first, const char *second, const char *third);
/* ["a", "b"] */
void regal_out_strings(regal_out *out, const char *const *texts, int64_t count);
/* {"key": "value", ...} */
void regal_out_string_map(regal_out *out, const char *const *keys, const char *const *values,
                          int64_t count);

/* Writes the text to a file as regal_text_write does, and frees it in any case. */
regal_status regal_out_save(regal_out *out, const char *path);

#ifdef __cplusplus
}
#endif
#endif

/* The formats of this build, in the order in which their recognizers are asked. */
#ifndef REGAL_IO_FORMATS_H
#define REGAL_IO_FORMATS_H

#include "io/reader.h"
#include "io/writer.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct regal_format {
    regal_format_info info;
    regal_recognizer *recognize; /* NULL, as read: not read */
    regal_reader *read;
    regal_writer *write; /* NULL: not written */
    bool lacks_plan;     /* written without one only: it has no room for it */
    bool keeps_source;   /* where that is of the format, too: regal_written.source */
} regal_format;

/* NULL past the last. */
const regal_format *regal_format_at(int64_t index);
/* The format that this content looks like, or NULL. */
const regal_format *regal_format_recognize(const char *data, size_t size);
/* Fails with REGAL_INVALID_ARGUMENT and the names that there are. */
regal_status regal_format_find(const char *name, const regal_format **format);

#ifdef __cplusplus
}
#endif
#endif

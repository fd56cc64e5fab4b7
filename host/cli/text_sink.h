/* Text that is gathered in memory and then appears as a whole file. */
#ifndef REGAL_CLI_TEXT_SINK_H
#define REGAL_CLI_TEXT_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "regal/status.h"

typedef struct text_sink {
    FILE *file; /* to print to; NULL where it failed from the start */
    char *text;
    size_t size;
    bool failed; /* memory ran out; may be set by whoever prints */
} text_sink;

/* False where memory ran out; wants text_sink_save all the same. */
bool text_sink_open(text_sink *sink);
/* Writes the file ("-": standard output), as regal_text_write does, and frees the text. */
regal_status text_sink_save(text_sink *sink, const char *path);

#endif

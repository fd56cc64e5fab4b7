/* Whole files in and out. */
#ifndef REGAL_IO_FILE_H
#define REGAL_IO_FILE_H

#include <stddef.h>

#include "regal/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How messages name a file: the path itself, or "<stdin>" for "-". */
const char *regal_file_label(const char *path);

/* The whole content of a file, or of standard input for "-"; freed with free. A NUL follows it,
 * not counted in *size. Regular files, and pipes and terminals to their end, which
 * regal_reading_stop_when gives up (REGAL_INTERRUPTED). REGAL_INVALID_INPUT where it cannot be
 * read: missing, a folder, another device, no permission, more than half of this machine's memory
 * can hold. */
regal_status regal_file_read(const char *path, char **data, size_t *size);

/* REGAL_INVALID_ARGUMENT where something else than a regular file is there: for what is read and
 * later replaced, or read twice. Nothing there is well. */
regal_status regal_file_check_regular(const char *path);

/* The same contract as regal_text_write. */
regal_status regal_file_write(const char *path, const char *data, size_t size);

#ifdef __cplusplus
}
#endif
#endif

/* Safetensors, as far as REGAL has it: matrices of F32.
 *
 * A file is the length of its header (8 bytes, low end first), the header, a JSON object padded
 * with blanks to a multiple of 8, and the numbers, low end first. The header has an entry
 * {"dtype": "F32", "shape": [rows, columns], "data_offsets": [begin, end]} for each tensor, and
 * texts under "__metadata__". Together the tensors are all of the numbers, none twice. */
#ifndef REGAL_IO_SAFETENSORS_H
#define REGAL_IO_SAFETENSORS_H

#include <stddef.h>
#include <stdint.h>

#include "io/json_fields.h"
#include "regal/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- in */

typedef struct regal_safetensor {
    regal_json json; /* its entry; json.key is its name */
    int64_t rows, columns;
    int64_t begin, end; /* bytes in regal_safetensors.data */
} regal_safetensor;

/* A file while it is read. */
typedef struct regal_safetensors {
    regal_json header, metadata; /* metadata.json is NULL without any */
    const unsigned char *data;
    int64_t size;
    regal_safetensor *tensors; /* [count] by name */
    int64_t count;
} regal_safetensors;

/* Makes *result of a file, or fails and leaves nothing behind. */
typedef regal_status regal_safetensors_reader(const regal_safetensors *file, void *result);

/* Checks all that is said above and hands the file to the reader; ends with the call.
 * REGAL_INVALID_INPUT, with the place, for whatever is no such file. */
regal_status regal_safetensors_parse(const char *data, size_t size, const char *label,
                                     regal_safetensors_reader *reader, void *result);

/* NULL: none of that name. */
const regal_safetensor *regal_safetensors_find(const regal_safetensors *file, const char *name);

/* numbers [rows * columns]; one that is not finite is an error. */
regal_status regal_safetensor_read(const regal_safetensors *file, const regal_safetensor *tensor,
                                   float *numbers);

/* ---- out */

typedef struct regal_tensor_out {
    const char *name;
    int64_t rows, columns;
    const float *numbers;
} regal_tensor_out;

typedef struct regal_metadata_out {
    const char *key, *text;
} regal_metadata_out;

/* The file appears whole (regal_file_write). */
regal_status regal_safetensors_write(const char *path, const regal_metadata_out *metadata,
                                     int64_t metadata_count, const regal_tensor_out *tensors,
                                     int64_t tensor_count);

#ifdef __cplusplus
}
#endif
#endif

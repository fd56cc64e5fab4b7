#include "io/safetensors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

enum { LENGTH_SIZE = 8 };
static const char METADATA[] = "__metadata__", TYPE[] = "F32";

enum { DTYPE, SHAPE, OFFSETS, KEYS };
static const regal_json_key KEY[KEYS] = {
    [DTYPE] = {"dtype", true}, [SHAPE] = {"shape", true}, [OFFSETS] = {"data_offsets", true}};

static uint64_t low_end_first(const unsigned char *bytes, int count) {
    uint64_t number = 0;
    for (int i = 0; i < count; ++i)
        number |= (uint64_t)bytes[i] << 8 * i;
    return number;
}

static regal_status read_type(const regal_json *value) {
    const char *type;
    REGAL_FORWARD(regal_json_string(value, &type));
    REGAL_JSON_FAIL_IF(strcmp(type, TYPE) != 0, value, "expected '%s', found '%.40s'", TYPE, type);
    return REGAL_OK;
}

static regal_status read_shape(const regal_json *value, regal_safetensor *tensor) {
    int64_t dimensions, sizes[2];
    REGAL_FORWARD(regal_json_array(value, &dimensions));
    REGAL_JSON_FAIL_IF(dimensions != 2, value, "expected [rows, columns], found %lld numbers",
                       (long long)dimensions);
    REGAL_FORWARD(regal_json_integers(value, 2, "dimensions", 0, INT64_MAX, sizes));
    tensor->rows = sizes[0];
    tensor->columns = sizes[1];
    return REGAL_OK;
}

static regal_status read_offsets(const regal_json *value, const regal_safetensors *file,
                                 regal_safetensor *tensor) {
    int64_t offsets[2], count, bytes;
    REGAL_FORWARD(regal_json_integers(value, 2, "ends", 0, INT64_MAX, offsets));
    REGAL_JSON_FAIL_IF(offsets[0] > offsets[1], value, "the end, %lld, lies before the begin, %lld",
                       (long long)offsets[1], (long long)offsets[0]);
    REGAL_JSON_FAIL_IF(offsets[1] > file->size, value,
                       "%lld is beyond the end: the file has %lld bytes of numbers",
                       (long long)offsets[1], (long long)file->size);
    const bool fits = !__builtin_mul_overflow(tensor->rows, tensor->columns, &count) &&
                      !__builtin_mul_overflow(count, (int64_t)sizeof(float), &bytes);
    REGAL_JSON_FAIL_IF(!fits || bytes != offsets[1] - offsets[0], value,
                       "has %lld bytes, which are not those of %lld x %lld numbers",
                       (long long)(offsets[1] - offsets[0]), (long long)tensor->rows,
                       (long long)tensor->columns);
    tensor->begin = offsets[0];
    tensor->end = offsets[1];
    return REGAL_OK;
}

static regal_status read_tensor(const regal_safetensors *file, regal_safetensor *tensor) {
    regal_json field[KEYS];
    REGAL_FORWARD(regal_json_fields(&tensor->json, KEY, KEYS, field));
    REGAL_FORWARD(read_type(&field[DTYPE]));
    REGAL_FORWARD(read_shape(&field[SHAPE], tensor));
    return read_offsets(&field[OFFSETS], file, tensor);
}

static regal_status read_metadata(regal_safetensors *file) {
    file->metadata = (regal_json){.file = file->header.file,
                                  .json = json_object_get(file->header.json, METADATA),
                                  .up = &file->header,
                                  .key = METADATA};
    if (file->metadata.json == NULL)
        return REGAL_OK;
    REGAL_JSON_FAIL_IF(!json_is_object(file->metadata.json), &file->metadata,
                       "expected an object, found %s", regal_json_kind(file->metadata.json));
    const char *key, *text;
    json_t *value;
    json_object_foreach(file->metadata.json, key, value) {
        const regal_json item = {
            .file = file->header.file, .json = value, .up = &file->metadata, .key = key};
        REGAL_FORWARD(regal_json_string(&item, &text));
    }
    return REGAL_OK;
}

static int by_place(const void *a, const void *b) {
    const regal_safetensor *x = *(const regal_safetensor *const *)a;
    const regal_safetensor *y = *(const regal_safetensor *const *)b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return (x->end > y->end) - (x->end < y->end);
}

/* All of the numbers, none twice. */
static regal_status check_places(const regal_safetensors *file, const regal_safetensor **sorted) {
    int64_t end = 0;
    for (int64_t i = 0; i < file->count; ++i)
        sorted[i] = &file->tensors[i];
    qsort(sorted, (size_t)file->count, sizeof *sorted, by_place);
    for (int64_t i = 0; i < file->count; ++i) {
        REGAL_JSON_FAIL_IF(sorted[i]->begin < end, &sorted[i]->json, "overlaps '%.60s'",
                           sorted[i - 1]->json.key);
        REGAL_JSON_FAIL_IF(sorted[i]->begin > end, &sorted[i]->json,
                           "begins at %lld: bytes from %lld on are of no tensor",
                           (long long)sorted[i]->begin, (long long)end);
        end = sorted[i]->end;
    }
    REGAL_JSON_FAIL_IF(end != file->size, &file->header,
                       "the numbers end at byte %lld, the file has %lld", (long long)end,
                       (long long)file->size);
    return REGAL_OK;
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const regal_safetensor *)a)->json.key, ((const regal_safetensor *)b)->json.key);
}

static regal_status read_tensors(regal_safetensors *file) {
    const char *name;
    json_t *value;
    json_object_foreach(file->header.json, name, value) {
        if (strcmp(name, METADATA) == 0)
            continue;
        regal_safetensor *tensor = &file->tensors[file->count++];
        tensor->json = (regal_json){
            .file = file->header.file, .json = value, .up = &file->header, .key = name};
        REGAL_FORWARD(read_tensor(file, tensor));
    }
    const regal_safetensor **sorted = regal_allocate(file->count, sizeof *sorted);
    REGAL_FAIL_IF_NULL(sorted);
    const regal_status status = check_places(file, sorted);
    free(sorted);
    REGAL_FORWARD(status);
    qsort(file->tensors, (size_t)file->count, sizeof *file->tensors, by_name);
    return REGAL_OK;
}

typedef struct request {
    const unsigned char *data;
    int64_t size;
    regal_safetensors_reader *reader;
    void *result;
} request;

static regal_status read_header(const regal_json *root, void *context) {
    const request *asked = context;
    regal_safetensors file = {.header = *root, .data = asked->data, .size = asked->size};
    REGAL_JSON_FAIL_IF(!json_is_object(root->json), root,
                       "is no safetensors file: its header is %s", regal_json_kind(root->json));
    REGAL_FORWARD(read_metadata(&file));
    file.tensors = regal_allocate((int64_t)json_object_size(root->json), sizeof *file.tensors);
    REGAL_FAIL_IF_NULL(file.tensors);
    regal_status status = read_tensors(&file);
    if (status == REGAL_OK)
        status = asked->reader(&file, asked->result);
    free(file.tensors);
    return status;
}

regal_status regal_safetensors_parse(const char *data, size_t size, const char *label,
                                     regal_safetensors_reader *reader, void *result) {
    const unsigned char *bytes = (const unsigned char *)data;
    REGAL_FAIL_IF(size <= LENGTH_SIZE || data[LENGTH_SIZE] != '{', REGAL_INVALID_INPUT,
                  "%s: is no safetensors file", label);
    const uint64_t length = low_end_first(bytes, LENGTH_SIZE);
    REGAL_FAIL_IF(length > size - LENGTH_SIZE, REGAL_INVALID_INPUT,
                  "%s: is cut off, or no safetensors file: a header of %llu bytes is announced, "
                  "%zu are there",
                  label, (unsigned long long)length, size - LENGTH_SIZE);
    const size_t begin = LENGTH_SIZE + (size_t)length;
    request asked = {
        .data = bytes + begin, .size = (int64_t)(size - begin), .reader = reader, .result = result};
    return regal_json_parse(data + LENGTH_SIZE, (size_t)length, label, read_header, &asked);
}

static int name_against(const void *name, const void *tensor) {
    return strcmp(name, ((const regal_safetensor *)tensor)->json.key);
}

const regal_safetensor *regal_safetensors_find(const regal_safetensors *file, const char *name) {
    return bsearch(name, file->tensors, (size_t)file->count, sizeof *file->tensors, name_against);
}

regal_status regal_safetensor_read(const regal_safetensors *file, const regal_safetensor *tensor,
                                   float *numbers) {
    const unsigned char *from = file->data + tensor->begin;
    for (int64_t i = 0; i < tensor->rows * tensor->columns; ++i) {
        const uint32_t bits = (uint32_t)low_end_first(from + i * (int64_t)sizeof(float), 4);
        memcpy(&numbers[i], &bits, sizeof bits);
        REGAL_JSON_FAIL_IF(!isfinite(numbers[i]), &tensor->json,
                           "row %lld, column %lld is no finite number",
                           (long long)(i / tensor->columns), (long long)(i % tensor->columns));
    }
    return REGAL_OK;
}

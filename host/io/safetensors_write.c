#include <stdlib.h>
#include <string.h>

#include "io/json_out.h"
#include "io/safetensors.h"

static void put_length(regal_out *out, size_t length) {
    unsigned char bytes[8];
    for (int i = 0; i < 8; ++i)
        bytes[i] = (unsigned char)((uint64_t)length >> 8 * i);
    regal_out_bytes(out, (const char *)bytes, sizeof bytes);
}

static void put_header(regal_out *out, const regal_metadata_out *metadata, int64_t metadata_count,
                       const regal_tensor_out *tensors, int64_t tensor_count) {
    regal_out_text(out, "{\"__metadata__\":{");
    for (int64_t i = 0; i < metadata_count; ++i) {
        regal_out_text(out, i > 0 ? "," : "");
        regal_out_string(out, metadata[i].key);
        regal_out_text(out, ":");
        regal_out_string(out, metadata[i].text);
    }
    regal_out_text(out, "}");
    int64_t offset = 0;
    for (int64_t i = 0; i < tensor_count; ++i) {
        const int64_t end = offset + tensors[i].rows * tensors[i].columns * (int64_t)sizeof(float);
        regal_out_text(out, ",");
        regal_out_string(out, tensors[i].name);
        regal_out_format(out,
                         ":{\"dtype\":\"F32\",\"shape\":[%lld,%lld],\"data_offsets\":[%lld,%lld]}",
                         (long long)tensors[i].rows, (long long)tensors[i].columns,
                         (long long)offset, (long long)end);
        offset = end;
    }
    regal_out_text(out, "}");
    while (out->size % 8 != 0)
        regal_out_text(out, " ");
}

static void put_numbers(regal_out *out, const float *numbers, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
        uint32_t bits;
        memcpy(&bits, &numbers[i], sizeof bits);
        const unsigned char bytes[] = {(unsigned char)bits, (unsigned char)(bits >> 8),
                                       (unsigned char)(bits >> 16), (unsigned char)(bits >> 24)};
        regal_out_bytes(out, (const char *)bytes, sizeof bytes);
    }
}

regal_status regal_safetensors_write(const char *path, const regal_metadata_out *metadata,
                                     int64_t metadata_count, const regal_tensor_out *tensors,
                                     int64_t tensor_count) {
    regal_out header = {0}, out = {0};
    put_header(&header, metadata, metadata_count, tensors, tensor_count);
    put_length(&out, header.size);
    regal_out_bytes(&out, header.data, header.size);
    out.failed |= header.failed;
    free(header.data);
    for (int64_t i = 0; i < tensor_count; ++i)
        put_numbers(&out, tensors[i].numbers, tensors[i].rows * tensors[i].columns);
    return regal_out_save(&out, path);
}

// cluster JSON: any bytes are read or refused.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "regal/regal.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    regal_cluster *cluster = nullptr;
    const regal_status status =
        regal_cluster_parse_json(reinterpret_cast<const char *>(bytes), size, "fuzz", &cluster);
    if ((status == REGAL_OK) != (cluster != nullptr))
        abort();
    regal_cluster_destroy(cluster);
    return 0;
}

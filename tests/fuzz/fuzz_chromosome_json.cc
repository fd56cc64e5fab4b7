// chromosome JSON: any bytes are read or refused.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "regal/regal.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    regal_chromosome *chromosome = nullptr;
    const regal_status status =
        regal_chromosome_parse(reinterpret_cast<const char *>(bytes), size, "fuzz", &chromosome);
    if ((status == REGAL_OK) != (chromosome != nullptr))
        abort();
    regal_chromosome_destroy(chromosome);
    return 0;
}

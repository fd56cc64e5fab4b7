// plan JSON: any bytes are read or refused.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "regal/regal.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    regal_plan *plan = nullptr;
    const regal_status status =
        regal_plan_parse(reinterpret_cast<const char *>(bytes), size, "fuzz", &plan);
    if ((status == REGAL_OK) != (plan != nullptr))
        abort();
    regal_plan_destroy(plan);
    return 0;
}

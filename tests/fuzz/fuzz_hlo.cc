// HLO text through its reader: whatever comes is read or refused.
#include <cstddef>
#include <cstdint>

#include "io/reader.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0; // graph_read refuses empty files before a reader sees them
    const char *const profiles[] = {"h100", "cpu"};
    const regal_read_options options = {.profiles = profiles, .profile_count = 2};
    regal_graph *graph = nullptr;
    regal_read_hlo(reinterpret_cast<const char *>(data), size, "fuzz.hlo", &options, &graph);
    regal_graph_destroy(graph);
    return 0;
}

// Sets of problems: any bytes are read or refused, and what was read is made or refused.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "policy/graph_set.h"

// Sets may ask for graphs of any size.
static bool asks_for_much(const uint8_t *bytes, size_t size) {
    size_t digits = 0;
    for (size_t i = 0; i < size; ++i) {
        const bool digit = bytes[i] >= '0' && bytes[i] <= '9';
        digits = digit ? digits + 1 : 0;
        if (digits > 3 || bytes[i] == 'e' || bytes[i] == 'E')
            if (digits > 3 || (i > 0 && bytes[i - 1] >= '0' && bytes[i - 1] <= '9'))
                return true;
    }
    return false;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    regal_graph_set *set = nullptr;
    const regal_status status =
        regal_graph_set_parse(reinterpret_cast<const char *>(bytes), size, "/nowhere/fuzz", &set);
    if ((status == REGAL_OK) != (set != nullptr))
        abort();
    if (set == nullptr || asks_for_much(bytes, size)) {
        regal_graph_set_destroy(set);
        return 0;
    }
    regal_set_problem problem;
    const int64_t last = regal_graph_set_count(set) - 1;
    if (regal_graph_set_problem(set, last, &problem) == REGAL_OK)
        regal_set_problem_destroy(&problem);
    if (regal_graph_set_draw(set, 1, 2, true, &problem) == REGAL_OK)
        regal_set_problem_destroy(&problem);
    regal_graph_set_destroy(set);
    return 0;
}

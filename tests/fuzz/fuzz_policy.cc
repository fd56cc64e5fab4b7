// A policy's file: any bytes are read or refused; once as they are, and once with the header's
// length set to the end of the last object, so that changes of the header's length are followed.
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "policy/policy.h"

static void parse(const std::vector<char> &file) {
    regal_policy *policy = nullptr;
    const regal_status status = regal_policy_parse(file.data(), file.size(), "fuzz", &policy);
    if ((status == REGAL_OK) != (policy != nullptr))
        abort();
    for (int64_t i = 0; policy != nullptr && i < policy->parameter_count; ++i)
        if (!(policy->parameters[i] - policy->parameters[i] == 0))
            abort();
    regal_policy_destroy(policy);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    std::vector<char> file(bytes, bytes + size);
    parse(file);
    size_t end = size;
    while (end > 8 && file[end - 1] != '}')
        --end;
    if (end <= 8)
        return 0;
    for (int i = 0; i < 8; ++i)
        file[static_cast<size_t>(i)] = static_cast<char>((end - 8) >> 8 * i);
    parse(file);
    return 0;
}

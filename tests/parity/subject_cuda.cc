// The CUDA backend on a GPU.
#include <cstdio>
#include <cstdlib>

#include "parity/subject.h"

const regal_backend *parity_subject() {
    const regal_backend *backend = nullptr;
    if (regal_backend_find("cuda", 0, &backend) == REGAL_OK)
        return backend;
    std::fprintf(stderr, "%s\n", regal_error_message());
    std::exit(1);
}

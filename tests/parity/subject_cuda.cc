// The CUDA backend on a GPU.
#include "parity/subject.h"

const regal_backend *parity_subject() {
    const regal_backend *backend = nullptr;
    return regal_backend_find("cuda", 0, &backend) == REGAL_OK ? backend : nullptr;
}

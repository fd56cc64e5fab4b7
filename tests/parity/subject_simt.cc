// The CUDA kernels, run on the CPU by the stand-in of tests/simt.
#include "base/embedded.h"
#include "base/error.h"
#include "parity/subject.h"
#include "regal/backend/plugin.h"

extern "C" const regal_backend *regal_plugin_backend(const regal_plugin_services *services);

const regal_backend *parity_subject() {
    static size_t count;
    static const regal_plugin_services services = {REGAL_PLUGIN_VERSION, regal_error_set,
                                                   regal_embedded_beta(&count)};
    return regal_plugin_backend(&services);
}

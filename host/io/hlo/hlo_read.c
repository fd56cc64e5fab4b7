/* XLA HLO text: the reader. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/hlo/hlo_graph.h"
#include "io/reader.h"

static regal_status read_with(const char *data, size_t size, const char *name,
                              const regal_device_profile *const *profiles, int64_t count,
                              hlo_module *module, regal_graph **graph) {
    REGAL_FORWARD(regal_hlo_module_parse(module, data, size, name));
    REGAL_FORWARD(regal_hlo_module_analyze(module, profiles, count));
    char *title = strndup(module->name.data != NULL ? module->name.data : "", module->name.size);
    REGAL_FAIL_IF_NULL(title);
    regal_status status = regal_device_profiles_graph(title, profiles, count, graph);
    free(title);
    if (status == REGAL_OK)
        status = regal_hlo_graph_fill(module, *graph);
    if (status != REGAL_OK)
        return status;
    status = regal_graph_validate(*graph);
    return status == REGAL_OK ? status : regal_error_prefix(status, "%s", name);
}

regal_status regal_read_hlo(const char *data, size_t size, const char *name,
                            const regal_read_options *options, regal_graph **graph) {
    const regal_device_profile **profiles;
    int64_t count;
    REGAL_FORWARD(regal_device_profiles_select(options, &profiles, &count));
    hlo_module module = {0};
    *graph = NULL;
    const regal_status status = read_with(data, size, name, profiles, count, &module, graph);
    if (status != REGAL_OK) {
        regal_graph_destroy(*graph);
        *graph = NULL;
    }
    regal_hlo_module_destroy(&module);
    free(profiles);
    return status;
}

/* ONNX models: the reader. */
#include <limits.h>
#include <stdlib.h>

#include "base/error.h"
#include "io/onnx/onnx_reading.h"
#include "io/reader.h"

static void take_notice(void *context, bool error, const char *message) {
    const char *name = context;
    if (error)
        regal_error_set(REGAL_INVALID_INPUT, __FILE__, __LINE__, "%s: %s", name, message);
    else
        regal_warn("%s: %s", name, message);
}

regal_status regal_read_onnx(const char *data, size_t size, const char *name,
                             const regal_read_options *options, regal_graph **graph) {
    *graph = NULL;
    REGAL_FAIL_IF(size > INT_MAX, REGAL_INVALID_INPUT,
                  "%s: is larger than 2 GiB, the limit of protobuf: save the model with its "
                  "weights in files of their own (onnx.save(model, file, "
                  "save_as_external_data=True)), which need not be there",
                  name);
    onnx_reading in = {.name = name, .options = options};
    REGAL_FORWARD(regal_onnx_load(&in.module));
    const regal_onnx_options how = {.dimensions = options->dimensions,
                                    .dimension_count = options->dimension_count,
                                    .notice = take_notice,
                                    .context = (void *)name};
    regal_onnx_model *model;
    REGAL_FORWARD(in.module->parse(data, size, &how, &model));
    in.model = model;
    const regal_status status =
        regal_onnx_is_own(&in) ? regal_onnx_own_graph(&in, graph) : regal_onnx_graph(&in, graph);
    free(in.costs);
    free(in.used);
    in.module->destroy(model);
    return status;
}

#include <stddef.h>

#include "base/error.h"
#include "graph/zoo_models.h"

regal_status zoo_generate(const char *name, const double *values, zoo_optimizer optimizer,
                          const regal_read_options *options, zoo_model *model, zoo_totals *totals,
                          regal_graph **graph) {
    const int64_t batch = (int64_t)values[ZOO_BATCH], parts = (int64_t)values[ZOO_MICROBATCHES];
    REGAL_FAIL_IF(batch % parts != 0, REGAL_INVALID_ARGUMENT,
                  "a batch of %lld cannot be run in %lld equal microbatches", (long long)batch,
                  (long long)parts);
    REGAL_FAIL_IF(values[ZOO_ELEMENT_BYTES] == 3, REGAL_INVALID_ARGUMENT,
                  "element_bytes must be 2 (bf16) or 4 (f32)");
    const zoo_settings settings = {.graph_name = name,
                                   .options = options,
                                   .type = values[ZOO_ELEMENT_BYTES] == 2 ? REGAL_TYPE_BF16
                                                                          : REGAL_TYPE_F32,
                                   .training = values[ZOO_TRAINING] != 0,
                                   .colocate = values[ZOO_COLOCATE] != 0,
                                   .optimizer = optimizer};
    zoo *z = zoo_create(&settings);
    for (int64_t i = 0; z != NULL && i < parts; ++i) {
        zoo_begin_microbatch(z, i, parts);
        model(z, values, batch / parts);
        zoo_backward(z);
    }
    if (z != NULL && totals != NULL)
        *totals = zoo_total(z);
    return zoo_finish(z, graph);
}

#include <stdlib.h>
#include <string.h>

#include "io/tensorflow/graph_def_rules.h"

static const gd_kind KINDS[] = {
#define KIND(name, role, work, amount, shape, outputs) \
    {#name, GD_##role, GD_##work, amount, gd_rule_##shape, outputs},
#include "io/tensorflow/graph_def_kinds.def"
#undef KIND
};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

static int compare_kind(const void *name, const void *kind) {
    return strcmp(name, ((const gd_kind *)kind)->name);
}

const gd_kind *gd_kind_find(const char *name) {
    static const gd_kind other = {.name = ""};
    const gd_kind *found = bsearch(name, KINDS, KIND_COUNT, sizeof *KINDS, compare_kind);
    return found != NULL ? found : &other;
}

/* ---- the names of outputs, as far as a node has several lists of them */

typedef struct output_names {
    const char *prefix; /* of kinds */
    const char *names[6];
} output_names;

static const output_names OUTPUTS[] = {
    {"BroadcastGradientArgs", {"r0", "r1"}},
    {"FusedBatchNormGrad", {"x_backprop", "scale_backprop", "offset_backprop"}},
    {"FusedBatchNorm",
     {"y", "batch_mean", "batch_variance", "reserve_space_1", "reserve_space_2",
      "reserve_space_3"}},
    {"ListDiff", {"out", "idx"}},
    {"MaxPoolWithArgmax", {"output", "argmax"}},
    {"Merge", {"output", "value_index"}},
    {"SoftmaxCrossEntropyWithLogits", {"loss", "backprop"}},
    {"SparseSoftmaxCrossEntropyWithLogits", {"loss", "backprop"}},
    {"Switch", {"output_false", "output_true"}},
    {"TensorListPopBack", {"output_handle", "tensor"}},
    {"TopK", {"values", "indices"}},
    {"Unique", {"y", "idx", "count"}},
};

int64_t gd_kind_port(const char *kind, const char *output) {
    for (size_t i = 0; i < sizeof OUTPUTS / sizeof *OUTPUTS; ++i) {
        if (strncmp(kind, OUTPUTS[i].prefix, strlen(OUTPUTS[i].prefix)) != 0)
            continue;
        for (int64_t k = 0; k < 6 && OUTPUTS[i].names[k] != NULL; ++k)
            if (strcmp(output, OUTPUTS[i].names[k]) == 0)
                return k;
        return -1;
    }
    return -1;
}

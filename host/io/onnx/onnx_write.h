// Models out.
#ifndef REGAL_ONNX_WRITE_H
#define REGAL_ONNX_WRITE_H

#include "io/onnx/onnx_model.h"

struct regal_onnx_draft {
    onnx::ModelProto proto;
    bool failed = false; // memory ran out
};

namespace onnx_module {

void MarkNodes(onnx::GraphProto *graph, const int64_t *order, const regal_onnx_mark *marks,
               int64_t count);
// Throws Refusal where the model is too large.
void Serialize(const onnx::ModelProto &proto, char **bytes, size_t *byte_count);

regal_onnx_draft *DraftCreate(const char *graph_name, const char *version);
void DraftDestroy(regal_onnx_draft *draft);
void DraftMetadata(regal_onnx_draft *draft, const regal_onnx_entry *entry);
void DraftParameter(regal_onnx_draft *draft, const regal_onnx_new_value *value);
void DraftValue(regal_onnx_draft *draft, const regal_onnx_new_value *value);
void DraftNode(regal_onnx_draft *draft, const regal_onnx_new_node *node);

} // namespace onnx_module

#endif

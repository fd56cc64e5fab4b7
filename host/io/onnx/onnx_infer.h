// Types and contents of a model's values, node by node in an order that can run.
#ifndef REGAL_ONNX_INFER_H
#define REGAL_ONNX_INFER_H

#include <functional>
#include <set>
#include <string>

#include "io/onnx/onnx_model.h"
#include "onnx/defs/schema.h"

namespace onnx_module {

using Warning = std::function<void(const std::string &message)>;

// The main graph (scope 0) and, as far as they are come by, subgraphs and functions, which become
// scopes of their nodes.
class Inference {
  public:
    Inference(Model *model, Warning warning) : model_(*model), warning_(std::move(warning)) {}
    void Run();

    // Of a subgraph of the node, given what it is called with (NULL: unknown); the scope.
    int64_t RunSubgraph(int64_t node, const std::string &label, const onnx::GraphProto &graph,
                        const std::vector<const onnx::TypeProto *> &types);

  private:
    void RunScope(int64_t scope);
    void RunNode(int64_t node);
    bool Infer(int64_t node, std::vector<onnx::TypeProto> *types);
    bool InferBySchema(int64_t node, std::vector<onnx::TypeProto> *types);
    bool Call(int64_t node, std::vector<onnx::TypeProto> *types);
    void AssumeState(int64_t node, const Scope &scope);
    void RunOtherSubgraphs(int64_t node);
    void Settle(int64_t node, const std::vector<onnx::TypeProto> &types);
    bool MayEnter(int64_t depth, int64_t nodes);
    void NoteUnknown(const Node &node);
    void Tell();

    Value &At(int64_t value) { return model_.values[static_cast<size_t>(value)]; }
    Node &NodeAt(int64_t node) { return model_.nodes[static_cast<size_t>(node)]; }
    Scope &ScopeAt(int64_t scope) { return model_.scopes[static_cast<size_t>(scope)]; }

    Model &model_;
    Warning warning_;
    int64_t entered_ = 0, limit_ = 0; // nodes of functions
    std::set<std::string> unknown_kinds_;
    int64_t failures_ = 0;
    std::string first_failure_;
    bool too_deep_ = false;
};

// onnx_fold.cc: what the node makes, where that is known beforehand, or part of it is; one for each
// output (element 0: nothing is known).
std::vector<Content> Fold(const Model &model, const Node &node);

// onnx_rules.cc: types of what libonnx does not know, or not well enough. Only what is still
// unknown in types is filled in.
void ApplyRules(const Model &model, const Node &node, std::vector<onnx::TypeProto> *types);

// onnx_guard.cc: whether libonnx may see the node. Its functions look into lists and divide without
// asking first: nodes that break the rules of their kind are kept from them.
bool IsSafe(const Model &model, const Node &node, const onnx::OpSchema &schema);

} // namespace onnx_module

#endif

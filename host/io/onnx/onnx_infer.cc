#include "io/onnx/onnx_infer.h"

#include <algorithm>
#include <climits>

#include "onnx/defs/schema.h"
#include "onnx/defs/shape_inference.h"

namespace onnx_module {

using onnx::AttributeProto;
using onnx::GraphProto;
using onnx::OpSchema;
using onnx::OpSchemaRegistry;
using onnx::TensorProto;
using onnx::TypeProto;

constexpr int64_t depth_limit = 100;
constexpr int64_t nodes_for_each_node = 64; // that functions may expand to
constexpr int64_t nodes_beyond = 100000;

namespace {

class SubgraphInferencer : public onnx::GraphInferencer {
  public:
    SubgraphInferencer(Inference *inference, Model *model, int64_t node, std::string label,
                       const GraphProto &graph)
        : inference_(*inference), model_(*model), node_(node), label_(std::move(label)),
          graph_(graph) {}

    std::vector<const TypeProto *>
    doInferencing(const std::vector<const TypeProto *> &types,
                  const std::vector<const TensorProto *> &) override {
        const int64_t scope = inference_.RunSubgraph(node_, label_, graph_, types);
        std::vector<const TypeProto *> outputs;
        if (scope < 0)
            throw std::runtime_error("its subgraph lies too deep");
        for (const int64_t value : model_.scopes[static_cast<size_t>(scope)].outputs)
            outputs.push_back(&model_.values[static_cast<size_t>(value)].type);
        return outputs;
    }

  private:
    Inference &inference_;
    Model &model_;
    int64_t node_;
    std::string label_;
    const GraphProto &graph_;
};

// What libonnx sees of a node.
class NodeContext : public onnx::InferenceContext {
  public:
    NodeContext(Inference *inference, Model *model, int64_t node, std::vector<TypeProto> *outputs)
        : inference_(inference), model_(*model), id_(node),
          node_(model->nodes[static_cast<size_t>(node)]), outputs_(*outputs) {
        for (const auto &attribute : node_.proto->attribute())
            attributes_[attribute.name()] = &attribute;
    }

    const AttributeProto *getAttribute(const std::string &name) const override {
        const auto found = attributes_.find(name);
        return found != attributes_.end() ? found->second : nullptr;
    }
    size_t getNumInputs() const override { return node_.inputs.size(); }
    const TypeProto *getInputType(size_t index) const override {
        const Value *value = Input(index);
        return value != nullptr && value->type.value_case() != TypeProto::VALUE_NOT_SET
                   ? &value->type
                   : nullptr;
    }
    const TensorProto *getInputData(size_t index) const override {
        Value *value = Input(index);
        if (value == nullptr || value->content == nullptr || !AllKnown(*value->content))
            return nullptr;
        if (value->tensor == nullptr)
            value->tensor = std::make_unique<TensorProto>(WriteTensor(*value->content));
        return value->tensor.get();
    }
    size_t getNumOutputs() const override { return outputs_.size(); }
    TypeProto *getOutputType(size_t index) override {
        if (index >= outputs_.size())
            throw std::runtime_error("it has too few outputs");
        return &outputs_[index];
    }
    onnx::GraphInferencer *getGraphAttributeInferencer(const std::string &name) override {
        const AttributeProto *attribute = getAttribute(name);
        if (attribute == nullptr || !attribute->has_g())
            throw std::runtime_error("it lacks the subgraph " + name);
        auto &inferencer = inferencers_[name];
        if (inferencer == nullptr)
            inferencer = std::make_unique<SubgraphInferencer>(inference_, &model_, id_, name,
                                                              attribute->g());
        return inferencer.get();
    }
    const onnx::SparseTensorProto *getInputSparseData(size_t) const override { return nullptr; }
    const onnx::TensorShapeProto *getSymbolicInput(size_t) const override { return nullptr; }

  private:
    Value *Input(size_t index) const {
        if (index >= node_.inputs.size())
            throw std::runtime_error("it has too few inputs");
        const int64_t value = node_.inputs[index];
        return value >= 0 ? &model_.values[static_cast<size_t>(value)] : nullptr;
    }

    Inference *inference_;
    Model &model_;
    int64_t id_;
    const Node &node_;
    std::vector<TypeProto> &outputs_;
    std::unordered_map<std::string, const AttributeProto *> attributes_;
    std::unordered_map<std::string, std::unique_ptr<SubgraphInferencer>> inferencers_;
};

// The newest version of a domain that libonnx knows; -1: it does not know the domain.
int64_t NewestVersion(const std::string &domain) {
    const auto &map = OpSchemaRegistry::DomainToVersionRange::Instance().Map();
    const auto found = map.find(domain);
    return found != map.end() ? found->second.second : -1;
}

bool Fits(const OpSchema &schema, const onnx::NodeProto &node) {
    if (node.input_size() < schema.min_input() || node.input_size() > schema.max_input())
        return false;
    for (const auto &attribute : node.attribute())
        if (schema.attributes().count(attribute.name()) == 0)
            return false;
    return true;
}

// The schema to infer the node with, or NULL. Of newer versions than libonnx knows the newest,
// where the node fits it.
const OpSchema *FindSchema(const Scope &scope, const onnx::NodeProto &node) {
    const std::string domain = PlainDomain(node.domain());
    const int64_t newest = NewestVersion(domain);
    if (newest < 0)
        return nullptr;
    const auto import = scope.opsets->find(domain);
    const int64_t version = import != scope.opsets->end() ? import->second : newest;
    if (version < 1)
        return nullptr;
    const OpSchema *schema = OpSchemaRegistry::Schema(
        node.op_type(), static_cast<int>(std::min(version, newest)), domain);
    if (schema == nullptr || schema->deprecated() || (version > newest && !Fits(*schema, node)))
        return nullptr;
    return schema;
}

// Whether nothing more could be found out.
bool IsComplete(const TypeProto &type) {
    std::vector<int64_t> dims;
    return type.value_case() != TypeProto::VALUE_NOT_SET &&
           (!type.has_tensor_type() ||
            (ElementOf(type) != TensorProto::UNDEFINED && DimsOf(type, &dims) &&
             std::find(dims.begin(), dims.end(), -1) == dims.end()));
}

} // namespace

// Subgraphs lie in each other no deeper than protobuf reads them.
static int64_t CountNodes(const google::protobuf::RepeatedPtrField<onnx::NodeProto> &nodes) {
    int64_t count = nodes.size();
    for (const auto &node : nodes)
        for (const auto &attribute : node.attribute()) {
            if (attribute.has_g())
                count += CountNodes(attribute.g().node());
            for (const auto &graph : attribute.graphs())
                count += CountNodes(graph.node());
        }
    return count;
}

void Inference::Run() {
    int64_t nodes = CountNodes(model_.proto.graph().node());
    for (const auto &function : model_.proto.functions())
        nodes += CountNodes(function.node());
    limit_ = nodes_beyond + nodes_for_each_node * nodes;
    RunScope(0);
    Tell();
}

void Inference::RunScope(int64_t scope) {
    const std::vector<int64_t> order = ScopeAt(scope).order;
    for (const int64_t node : order)
        RunNode(node);
}

bool Inference::MayEnter(int64_t depth, int64_t nodes) {
    if (depth < depth_limit && nodes <= limit_ - entered_) {
        entered_ += nodes;
        return true;
    }
    too_deep_ = true;
    return false;
}

// The state of a loop is taken to have the shape that it starts with, which libonnx withholds: what
// is inside is measured so, and whether it stays so is seen behind it (the rule for Loop).
void Inference::AssumeState(int64_t node, const Scope &scope) {
    const Node &loop = NodeAt(node);
    if (loop.proto->op_type() != "Loop")
        return;
    for (size_t i = 2; i < loop.inputs.size() && i < scope.inputs.size(); ++i)
        if (loop.inputs[i] >= 0 && ShapeOf(At(scope.inputs[i]).type) == nullptr)
            RefineType(At(loop.inputs[i]).type, &At(scope.inputs[i]).type);
}

int64_t Inference::RunSubgraph(int64_t node, const std::string &label, const GraphProto &graph,
                               const std::vector<const TypeProto *> &types) {
    const int64_t parent = NodeAt(node).scope;
    if (!MayEnter(ScopeAt(parent).depth, graph.node_size()))
        return -1;
    const int64_t id = EnterGraph(&model_, graph, parent, label, ScopeAt(parent).opsets);
    const Scope &scope = ScopeAt(id);
    for (size_t i = 0; i < scope.inputs.size() && i < types.size(); ++i)
        if (types[i] != nullptr)
            RefineType(*types[i], &At(scope.inputs[i]).type);
    AssumeState(node, scope);
    RunScope(id);
    // Inferred twice, the later one counts.
    std::vector<int64_t> &scopes = NodeAt(node).scopes;
    const auto same = std::find_if(scopes.begin(), scopes.end(),
                                   [&](int64_t other) { return ScopeAt(other).label == label; });
    if (same != scopes.end())
        *same = id;
    else
        scopes.push_back(id);
    return id;
}

// Those that libonnx did not ask for.
void Inference::RunOtherSubgraphs(int64_t node) {
    const onnx::NodeProto &proto = *NodeAt(node).proto;
    for (const auto &attribute : proto.attribute()) {
        const std::vector<int64_t> &scopes = NodeAt(node).scopes;
        const bool there = std::any_of(scopes.begin(), scopes.end(), [&](int64_t scope) {
            return ScopeAt(scope).label == attribute.name();
        });
        if (attribute.has_g() && !there)
            RunSubgraph(node, attribute.name(), attribute.g(), {});
        for (int g = 0; g < attribute.graphs_size(); ++g)
            RunSubgraph(node, attribute.name() + "#" + std::to_string(g), attribute.graphs(g), {});
    }
}

bool Inference::Call(int64_t node, std::vector<TypeProto> *types) {
    const onnx::NodeProto &proto = *NodeAt(node).proto;
    const auto found = model_.functions.find(FunctionKey(proto.domain(), proto.op_type()));
    if (found == model_.functions.end())
        return false;
    const Function &function = found->second;
    if (!MayEnter(ScopeAt(NodeAt(node).scope).depth, 1 + function.proto->node_size()))
        return true;
    const int64_t id = EnterFunction(&model_, function, NodeAt(node));
    RunScope(id);
    NodeAt(node).scopes = {id};
    const Scope &scope = ScopeAt(id);
    for (size_t i = 0; i < scope.outputs.size() && i < types->size(); ++i)
        (*types)[i] = At(scope.outputs[i]).type;
    return true;
}

bool Inference::InferBySchema(int64_t node, std::vector<TypeProto> *types) {
    const OpSchema *schema = FindSchema(ScopeAt(NodeAt(node).scope), *NodeAt(node).proto);
    if (schema == nullptr || !schema->has_type_and_shape_inference_function())
        return false;
    if (!IsSafe(model_, NodeAt(node), *schema))
        return true;
    std::vector<TypeProto> found(types->size());
    NodeContext context(this, &model_, node, &found);
    try {
        schema->GetTypeAndShapeInferenceFunction()(context);
    } catch (const Refusal &) {
        throw;
    } catch (const std::bad_alloc &) {
        throw;
    } catch (const std::exception &failure) {
        if (failures_++ == 0)
            first_failure_ = "'" + NodeAt(node).name + "' (" + NodeAt(node).proto->op_type() +
                             "): " + failure.what();
        return true; // what it found before it failed may be wrong
    }
    *types = std::move(found);
    return true;
}

bool Inference::Infer(int64_t node, std::vector<TypeProto> *types) {
    const bool known = Call(node, types) || InferBySchema(node, types);
    RunOtherSubgraphs(node);
    ApplyRules(model_, NodeAt(node), types);
    return known;
}

void Inference::RunNode(int64_t id) {
    std::vector<TypeProto> types(NodeAt(id).outputs.size());
    const bool known = Infer(id, &types);
    Settle(id, types);
    const Node &node = NodeAt(id);
    if (known)
        return;
    for (const int64_t output : node.outputs)
        if (output >= 0 && !IsComplete(At(output).type))
            return NoteUnknown(node);
}

void Inference::Settle(int64_t id, const std::vector<TypeProto> &types) {
    Node &node = NodeAt(id);
    std::vector<Content> contents = Fold(model_, node);
    node.folded = node.scopes.empty() && std::any_of(node.outputs.begin(), node.outputs.end(),
                                                     [](int64_t output) { return output >= 0; });
    for (size_t k = 0; k < node.outputs.size(); ++k) {
        if (node.outputs[k] < 0)
            continue;
        Value &value = At(node.outputs[k]);
        if (!value.input && !value.initializer)
            RefineType(types[k], &value.type);
        if (k < contents.size() && contents[k].element != TensorProto::UNDEFINED) {
            RefineType(TensorType(contents[k].element, contents[k].dims), &value.type);
            value.content = std::make_unique<Content>(std::move(contents[k]));
        }
        node.folded = node.folded && value.content != nullptr && AllKnown(*value.content);
    }
}

void Inference::NoteUnknown(const Node &node) {
    const std::string domain = PlainDomain(node.proto->domain());
    std::string kind = (domain.empty() ? "" : domain + ".") + node.proto->op_type();
    const auto import = ScopeAt(node.scope).opsets->find(domain);
    const int64_t newest = NewestVersion(domain);
    if (newest >= 0 && import != ScopeAt(node.scope).opsets->end() && import->second > newest)
        kind += " (opset " + std::to_string(import->second) + ", known to " +
                std::to_string(newest) + ")";
    unknown_kinds_.insert(kind);
}

void Inference::Tell() {
    if (!unknown_kinds_.empty()) {
        std::string message = "libonnx does not know these kinds of nodes, the sizes of whose "
                              "outputs must be in the file:";
        for (const std::string &kind : unknown_kinds_)
            message += (kind == *unknown_kinds_.begin() ? " " : ", ") + kind;
        warning_(message);
    }
    if (failures_ > 0) {
        std::replace(first_failure_.begin(), first_failure_.end(), '\n', ' ');
        warning_("no sizes could be inferred for " + std::to_string(failures_) +
                 (failures_ == 1 ? " node, " : " nodes, the first is ") + first_failure_);
    }
    if (too_deep_)
        warning_("functions and subgraphs lie in each other too deep, or call each other too often "
                 "(or themselves): the innermost are left out");
}

} // namespace onnx_module

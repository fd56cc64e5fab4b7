// Scopes: which node makes and uses which value.
#include <algorithm>
#include <climits>
#include <functional>
#include <queue>
#include <unordered_set>

#include "io/onnx/onnx_model.h"

namespace onnx_module {

using onnx::AttributeProto;
using onnx::GraphProto;
using onnx::NodeProto;
using NodeList = google::protobuf::RepeatedPtrField<NodeProto>;

std::string PlainDomain(const std::string &domain) {
    return domain == "ai.onnx" ? "" : domain;
}

std::string FunctionKey(const std::string &domain, const std::string &name) {
    return PlainDomain(domain) + '\n' + name;
}

const AttributeProto *FindAttribute(const NodeProto &node, const std::string &name) {
    for (const auto &attribute : node.attribute())
        if (attribute.name() == name)
            return &attribute;
    return nullptr;
}

int64_t IntegerAttribute(const NodeProto &node, const std::string &name, int64_t standard) {
    const AttributeProto *attribute = FindAttribute(node, name);
    return attribute != nullptr && attribute->has_i() ? attribute->i() : standard;
}

// ---- building

namespace {

template <typename Visit> void VisitSubgraphs(const NodeProto &node, Visit visit) {
    for (const auto &attribute : node.attribute()) {
        if (attribute.has_g())
            visit(attribute.name(), attribute.g());
        for (const auto &graph : attribute.graphs())
            visit(attribute.name(), graph);
    }
}

// The names that a graph uses without making them.
void CollectFree(const GraphProto &graph, std::vector<std::string> *names) {
    std::unordered_set<std::string> made;
    for (const auto &input : graph.input())
        made.insert(input.name());
    for (const auto &initializer : graph.initializer())
        made.insert(initializer.name());
    for (const auto &initializer : graph.sparse_initializer())
        made.insert(initializer.values().name());
    for (const auto &node : graph.node())
        made.insert(node.output().begin(), node.output().end());
    std::vector<std::string> used;
    for (const auto &node : graph.node()) {
        used.insert(used.end(), node.input().begin(), node.input().end());
        VisitSubgraphs(
            node, [&](const std::string &, const GraphProto &inner) { CollectFree(inner, &used); });
    }
    for (const auto &output : graph.output())
        used.push_back(output.name());
    for (std::string &name : used)
        if (!name.empty() && made.insert(name).second)
            names->push_back(std::move(name));
}

class Builder {
  public:
    Builder(Model *model, int64_t scope) : model_(*model), id_(scope) {}

    // The value of this name made here, which is made if need be.
    int64_t Declare(const std::string &name) {
        const auto [place, added] =
            scope().names.emplace(name, static_cast<int64_t>(model_.values.size()));
        if (added) {
            CheckText(name, "the name of a value");
            model_.values.emplace_back();
            model_.values.back().name = name;
        }
        return place->second;
    }

    // Nodes with outputs first, since inputs may be made later.
    void AddNodes(const NodeList &protos) {
        const std::vector<std::string> names = NameNodes(protos);
        for (int n = 0; n < protos.size(); ++n) {
            model_.nodes.emplace_back();
            Node &node = model_.nodes.back();
            node.proto = &protos.Get(n);
            node.name = names[static_cast<size_t>(n)];
            CheckText(node.name, "the name of node[" + std::to_string(n) + "]");
            CheckText(node.proto->op_type(), "the op_type of node[" + std::to_string(n) + "]");
            node.scope = id_;
            for (const std::string &output : node.proto->output())
                node.outputs.push_back(output.empty() ? -1 : Declare(output));
            scope().nodes.push_back(static_cast<int64_t>(model_.nodes.size()) - 1);
        }
        for (const int64_t n : scope().nodes)
            Connect(&model_.nodes[static_cast<size_t>(n)]);
    }

    int64_t Resolve(const std::string &name, const std::string &user) {
        for (int64_t at = id_; at >= 0; at = model_.scopes[static_cast<size_t>(at)].parent) {
            const auto &names = model_.scopes[static_cast<size_t>(at)].names;
            const auto found = names.find(name);
            if (found != names.end())
                return found->second;
        }
        throw Refusal(REGAL_INVALID_INPUT,
                      user + " uses '" + name +
                          "', which is no input, no initializer and no output of a node");
    }

    // Kahn's order, the smallest number first; what lies on a cycle comes last.
    void Sort() {
        const std::vector<int64_t> &nodes = scope().nodes;
        std::unordered_map<int64_t, std::vector<size_t>> makers; // by value
        for (size_t n = 0; n < nodes.size(); ++n)
            for (const int64_t output : At(nodes[n]).outputs)
                if (output >= 0)
                    makers[output].push_back(n);
        std::vector<std::vector<size_t>> users(nodes.size());
        std::vector<int64_t> missing(nodes.size(), 0);
        for (size_t n = 0; n < nodes.size(); ++n)
            for (const auto *list : {&At(nodes[n]).inputs, &At(nodes[n]).captured})
                for (const int64_t input : *list) {
                    const auto found = makers.find(input);
                    if (found == makers.end())
                        continue;
                    users[found->second.front()].push_back(n);
                    ++missing[n];
                }
        Drain(users, &missing);
    }

  private:
    Scope &scope() { return model_.scopes[static_cast<size_t>(id_)]; }
    const Node &At(int64_t node) const { return model_.nodes[static_cast<size_t>(node)]; }

    void Connect(Node *node) {
        const std::string user = "node '" + node->name + "'";
        for (const std::string &input : node->proto->input())
            node->inputs.push_back(input.empty() ? -1 : Resolve(input, user));
        std::vector<std::string> free;
        VisitSubgraphs(*node->proto, [&](const std::string &, const GraphProto &graph) {
            CollectFree(graph, &free);
        });
        std::unordered_set<int64_t> seen(node->inputs.begin(), node->inputs.end());
        for (const std::string &name : free) {
            const int64_t value = Resolve(name, "a subgraph of " + user);
            if (seen.insert(value).second)
                node->captured.push_back(value);
        }
    }

    void Drain(const std::vector<std::vector<size_t>> &users, std::vector<int64_t> *missing) {
        std::priority_queue<size_t, std::vector<size_t>, std::greater<>> ready;
        for (size_t n = 0; n < missing->size(); ++n)
            if ((*missing)[n] == 0)
                ready.push(n);
        while (!ready.empty()) {
            const size_t n = ready.top();
            ready.pop();
            scope().order.push_back(scope().nodes[n]);
            for (const size_t user : users[n])
                if (--(*missing)[user] == 0)
                    ready.push(user);
        }
        for (size_t n = 0; n < missing->size(); ++n)
            if ((*missing)[n] > 0)
                scope().order.push_back(scope().nodes[n]);
    }

    Model &model_;
    int64_t id_;
};

int64_t NewScope(Model *model, int64_t parent, int64_t depth, const std::string &label,
                 const Opsets *opsets) {
    model->scopes.emplace_back();
    Scope &scope = model->scopes.back();
    scope.parent = parent;
    scope.depth = depth;
    scope.label = label;
    scope.opsets = opsets;
    return static_cast<int64_t>(model->scopes.size()) - 1;
}

void AddInitializer(Model *model, Builder *builder, Scope *scope, const onnx::TensorProto &tensor) {
    const int64_t id = builder->Declare(tensor.name());
    Value &value = model->values[static_cast<size_t>(id)];
    if (!value.initializer)
        scope->initializers.push_back(id);
    value.initializer = true;
    value.type = TensorType(tensor.data_type(), {tensor.dims().begin(), tensor.dims().end()});
    Content content;
    if (ReadTensor(tensor, &content))
        value.content = std::make_unique<Content>(std::move(content));
}

void AddSparse(Model *model, Builder *builder, Scope *scope,
               const onnx::SparseTensorProto &tensor) {
    const int64_t id = builder->Declare(tensor.values().name());
    Value &value = model->values[static_cast<size_t>(id)];
    if (!value.initializer)
        scope->initializers.push_back(id);
    value.initializer = true;
    onnx::TypeProto type;
    type.mutable_sparse_tensor_type()->set_elem_type(tensor.values().data_type());
    auto *shape = type.mutable_sparse_tensor_type()->mutable_shape();
    for (const int64_t dim : tensor.dims())
        shape->add_dim()->set_dim_value(dim);
    value.type = type;
    value.stored =
        CountWithin({tensor.values().dims().begin(), tensor.values().dims().end()}, INT64_MAX);
}

void AddInput(Model *model, Builder *builder, Scope *scope, const onnx::ValueInfoProto &info) {
    const int64_t id = builder->Declare(info.name());
    Value &value = model->values[static_cast<size_t>(id)];
    scope->inputs.push_back(id);
    value.input = true;
    onnx::TypeProto type = info.type();
    RefineType(value.type, &type); // an initializer's own dims
    value.type = std::move(type);
}

void Declarations(Model *model, const Scope &scope,
                  const google::protobuf::RepeatedPtrField<onnx::ValueInfoProto> &infos) {
    for (const auto &info : infos) {
        const auto found = scope.names.find(info.name());
        if (found == scope.names.end())
            continue;
        Value &value = model->values[static_cast<size_t>(found->second)];
        if (!value.initializer && !value.input)
            RefineType(info.type(), &value.type);
    }
}

} // namespace

int64_t EnterGraph(Model *model, const GraphProto &graph, int64_t parent, const std::string &label,
                   const Opsets *opsets) {
    const int64_t depth = parent >= 0 ? model->scopes[static_cast<size_t>(parent)].depth + 1 : 0;
    const int64_t id = NewScope(model, parent, depth, label, opsets);
    Scope &scope = model->scopes[static_cast<size_t>(id)];
    Builder builder(model, id);
    for (const auto &tensor : graph.initializer())
        AddInitializer(model, &builder, &scope, tensor);
    for (const auto &tensor : graph.sparse_initializer())
        AddSparse(model, &builder, &scope, tensor);
    for (const auto &info : graph.input())
        AddInput(model, &builder, &scope, info);
    builder.AddNodes(graph.node());
    for (const auto &info : graph.output()) {
        const int64_t value = builder.Resolve(info.name(), "an output of the graph");
        scope.outputs.push_back(value);
        if (parent < 0)
            model->values[static_cast<size_t>(value)].output = true;
    }
    Declarations(model, scope, graph.value_info());
    Declarations(model, scope, graph.output());
    builder.Sort();
    return id;
}

// ---- functions

namespace {

// A node of the body in which references to the function's attributes are those of the call; those
// that the call leaves out are left out. Subgraphs keep theirs.
void Substitute(const NodeProto &call, NodeProto *node) {
    google::protobuf::RepeatedPtrField<AttributeProto> kept;
    for (const auto &attribute : node->attribute()) {
        if (attribute.ref_attr_name().empty()) {
            *kept.Add() = attribute;
            continue;
        }
        const AttributeProto *given = FindAttribute(call, attribute.ref_attr_name());
        if (given == nullptr)
            continue;
        AttributeProto *added = kept.Add();
        *added = *given;
        added->set_name(attribute.name());
    }
    node->mutable_attribute()->Swap(&kept);
}

bool HasReferences(const onnx::FunctionProto &function) {
    for (const auto &node : function.node())
        for (const auto &attribute : node.attribute())
            if (!attribute.ref_attr_name().empty())
                return true;
    return false;
}

} // namespace

int64_t EnterFunction(Model *model, const Function &function, const Node &call) {
    const onnx::FunctionProto *body = function.proto;
    const int64_t depth = model->scopes[static_cast<size_t>(call.scope)].depth + 1;
    const int64_t id = NewScope(model, -1, depth, "", &function.opsets);
    Scope &scope = model->scopes[static_cast<size_t>(id)];
    Builder builder(model, id);
    for (int i = 0; i < body->input_size(); ++i) {
        scope.inputs.push_back(builder.Declare(body->input(i)));
        const int64_t given =
            i < static_cast<int>(call.inputs.size()) ? call.inputs[static_cast<size_t>(i)] : -1;
        Value &value = model->values[static_cast<size_t>(scope.inputs.back())];
        value.input = true;
        if (given < 0)
            continue;
        const Value &actual = model->values[static_cast<size_t>(given)];
        value.type = actual.type;
        if (actual.content != nullptr)
            value.content = std::make_unique<Content>(*actual.content);
    }
    const NodeList *nodes = &body->node();
    NodeList own;
    if (HasReferences(*body)) {
        own = *nodes;
        for (NodeProto &node : own)
            Substitute(*call.proto, &node);
        model->lists.push_back(std::move(own));
        nodes = &model->lists.back();
    }
    builder.AddNodes(*nodes);
    for (const std::string &output : body->output())
        scope.outputs.push_back(
            builder.Resolve(output, "an output of the function '" + body->name() + "'"));
    builder.Sort();
    return id;
}

} // namespace onnx_module

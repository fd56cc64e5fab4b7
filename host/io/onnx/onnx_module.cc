// ONNX behind the C table of onnx_module.h. No exception and no output of libonnx or protobuf
// leaves this file.
#include "io/onnx/onnx_module.h"

#include <climits>
#include <new>

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/stubs/logging.h>

#include "io/onnx/onnx_infer.h"
#include "io/onnx/onnx_own.h"
#include "io/onnx/onnx_write.h"

namespace onnx_module {

namespace {

constexpr char too_large[] =
    "is larger than 2 GiB, the limit of protobuf: save the model with its weights in files of "
    "their own (onnx.save(model, file, save_as_external_data=True)), which need not be there";

// Whatever `work` throws becomes a status and a notice.
template <typename Work> regal_status Guarded(regal_onnx_notice *notice, void *context, Work work) {
    try {
        google::protobuf::LogSilencer silencer;
        work();
        return REGAL_OK;
    } catch (const Refusal &refusal) {
        notice(context, true, refusal.what());
        return refusal.status;
    } catch (const std::bad_alloc &) {
        notice(context, true, "memory ran out");
        return REGAL_OUT_OF_MEMORY;
    } catch (const std::exception &failure) {
        notice(context, true, (std::string("libonnx failed: ") + failure.what()).c_str());
        return REGAL_INTERNAL;
    } catch (...) {
        notice(context, true, "libonnx failed");
        return REGAL_INTERNAL;
    }
}

void ReadProto(const char *data, size_t size, onnx::ModelProto *proto) {
    if (size > INT_MAX)
        throw Refusal(REGAL_INVALID_INPUT, too_large);
    if (!proto->ParsePartialFromArray(data, static_cast<int>(size)))
        throw Refusal(REGAL_INVALID_INPUT,
                      "is no ONNX model, or is cut short: protobuf cannot read it");
    if (!proto->has_graph())
        throw Refusal(REGAL_INVALID_INPUT, "has no graph");
}

template <typename Imports> Opsets OpsetsOf(const Imports &imports) {
    Opsets opsets;
    for (const auto &import : imports)
        opsets[PlainDomain(import.domain())] = import.version();
    return opsets;
}

// A graph of REGAL's: nothing in it is open.
bool IsOwn(const onnx::ModelProto &model) {
    for (const auto &entry : model.metadata_props())
        if (entry.key() == ONNX_OWN_FORMAT)
            return true;
    return false;
}

// What becomes text of a graph, beside the names of nodes and values.
void CheckTexts(const onnx::ModelProto &model, bool own) {
    CheckText(model.graph().name(), "the name of the graph");
    if (!own)
        return;
    for (const auto &entry : model.metadata_props()) {
        CheckText(entry.key(), "a key of metadata_props");
        CheckText(entry.value(), "metadata_props[\"" + entry.key() + "\"]");
    }
    for (const auto &node : model.graph().node())
        for (const auto &attribute : node.attribute()) {
            CheckText(attribute.s(), "attribute '" + attribute.name() + "'");
            for (const std::string &text : attribute.strings())
                CheckText(text, "attribute '" + attribute.name() + "'");
        }
}

void Describe(Value *value) {
    value->shape = ShapeText(value->type);
    DimsOf(value->type, &value->dims);
    if (value->content != nullptr && IsInteger(value->content->element) &&
        AllKnown(*value->content))
        for (const Number &number : value->content->numbers)
            value->integers.push_back(number.integer);
}

void Fill(Model *model, const regal_onnx_options &options) {
    const bool own = IsOwn(model->proto);
    CheckTexts(model->proto, own);
    if (!own)
        BindDimensions(&model->proto, options.dimensions, options.dimension_count);
    model->opsets = OpsetsOf(model->proto.opset_import());
    for (const auto &function : model->proto.functions()) {
        Opsets opsets = OpsetsOf(function.opset_import());
        for (const auto &[domain, version] : model->opsets)
            opsets.emplace(domain, version);
        model->functions[FunctionKey(function.domain(), function.name())] = {&function,
                                                                             std::move(opsets)};
    }
    EnterGraph(model, model->proto.graph(), -1, "", &model->opsets);
    if (!options.names_only && !own) {
        Inference inference(model, [&](const std::string &message) {
            options.notice(options.context, false, message.c_str());
        });
        inference.Run();
    }
    for (Value &value : model->values)
        Describe(&value);
}

regal_status Parse(const char *data, size_t size, const regal_onnx_options *options,
                   regal_onnx_model **model) {
    *model = nullptr;
    std::unique_ptr<Model> made;
    const regal_status status = Guarded(options->notice, options->context, [&] {
        made = std::make_unique<Model>();
        ReadProto(data, size, &made->proto);
        Fill(made.get(), *options);
    });
    if (status == REGAL_OK)
        *model = made.release();
    return status;
}

void Destroy(regal_onnx_model *model) {
    delete model;
}

// ---- views

const char *GraphName(const regal_onnx_model *model) {
    return model->proto.graph().name().c_str();
}

template <typename List> int64_t CountOf(const List &list) {
    return static_cast<int64_t>(list.size());
}

int64_t ValueCount(const regal_onnx_model *model) {
    return CountOf(model->values);
}

int64_t NodeCount(const regal_onnx_model *model) {
    return CountOf(model->nodes);
}

int64_t ScopeCount(const regal_onnx_model *model) {
    return CountOf(model->scopes);
}

regal_onnx_value ValueAt(const regal_onnx_model *model, int64_t id) {
    const Value &value = model->values[static_cast<size_t>(id)];
    regal_onnx_value view = {};
    view.name = value.name.c_str();
    view.shape = value.shape.c_str();
    view.form = value.type.has_tensor_type()          ? REGAL_ONNX_DENSE
                : value.type.has_sparse_tensor_type() ? REGAL_ONNX_SPARSE
                                                      : REGAL_ONNX_OTHER;
    view.element = ElementOf(value.type);
    view.rank = ShapeOf(value.type) != nullptr ? CountOf(value.dims) : -1;
    view.dims = value.dims.data();
    view.stored = value.stored;
    view.input = value.input;
    view.initializer = value.initializer;
    view.output = value.output;
    view.known = value.content != nullptr && AllKnown(*value.content);
    if (view.known && IsInteger(value.content->element)) {
        view.content = value.integers.data();
        view.content_count = CountOf(value.integers);
    }
    return view;
}

regal_onnx_node NodeAt(const regal_onnx_model *model, int64_t id) {
    const Node &node = model->nodes[static_cast<size_t>(id)];
    regal_onnx_node view = {};
    view.name = node.name.c_str();
    view.kind = node.proto->op_type().c_str();
    view.domain = node.proto->domain() == "ai.onnx" ? "" : node.proto->domain().c_str();
    view.inputs = node.inputs.data();
    view.input_count = CountOf(node.inputs);
    view.outputs = node.outputs.data();
    view.output_count = CountOf(node.outputs);
    view.captured = node.captured.data();
    view.captured_count = CountOf(node.captured);
    view.scopes = node.scopes.data();
    view.scope_count = CountOf(node.scopes);
    view.folded = node.folded;
    return view;
}

regal_onnx_scope ScopeAt(const regal_onnx_model *model, int64_t id) {
    const Scope &scope = model->scopes[static_cast<size_t>(id)];
    const std::vector<int64_t> &nodes = id == 0 ? scope.nodes : scope.order;
    regal_onnx_scope view = {};
    view.label = scope.label.c_str();
    view.nodes = nodes.data();
    view.node_count = CountOf(nodes);
    view.inputs = scope.inputs.data();
    view.input_count = CountOf(scope.inputs);
    view.outputs = scope.outputs.data();
    view.output_count = CountOf(scope.outputs);
    view.initializers = scope.initializers.data();
    view.initializer_count = CountOf(scope.initializers);
    return view;
}

bool AttributeAt(const regal_onnx_model *model, int64_t node, const char *name,
                 regal_onnx_attribute_type type, regal_onnx_attribute *attribute) {
    const onnx::AttributeProto *found =
        FindAttribute(*model->nodes[static_cast<size_t>(node)].proto, name);
    if (found == nullptr)
        return false;
    *attribute = {};
    attribute->name = name;
    attribute->type = type;
    switch (type) {
    case REGAL_ONNX_INTEGER:
        attribute->integer = found->i();
        return found->has_i();
    case REGAL_ONNX_FLOAT:
        attribute->number = static_cast<double>(found->f());
        return found->has_f();
    case REGAL_ONNX_TEXT:
        attribute->text = found->s().c_str();
        return found->has_s();
    case REGAL_ONNX_INTEGERS:
        attribute->integers = found->ints().data();
        attribute->count = found->ints_size();
        return true;
    case REGAL_ONNX_TEXTS:
        attribute->count = found->strings_size();
        return true;
    }
    return false;
}

const char *TextAt(const regal_onnx_model *model, int64_t node, const char *name, int64_t index) {
    const onnx::AttributeProto *found =
        FindAttribute(*model->nodes[static_cast<size_t>(node)].proto, name);
    if (found == nullptr || index < 0 || index >= found->strings_size())
        return nullptr;
    return found->strings(static_cast<int>(index)).c_str();
}

bool MetadataAt(const regal_onnx_model *model, int64_t index, regal_onnx_entry *entry) {
    if (index < 0 || index >= model->proto.metadata_props_size())
        return false;
    const auto &found = model->proto.metadata_props(static_cast<int>(index));
    *entry = {found.key().c_str(), found.value().c_str()};
    return true;
}

// ---- out

regal_status MarkModel(const char *data, size_t size, const int64_t *order,
                       const regal_onnx_mark *marks, int64_t count, regal_onnx_notice *notice,
                       void *context, char **bytes, size_t *byte_count) {
    *bytes = nullptr;
    return Guarded(notice, context, [&] {
        onnx::ModelProto proto;
        ReadProto(data, size, &proto);
        MarkNodes(proto.mutable_graph(), order, marks, count);
        Serialize(proto, bytes, byte_count);
    });
}

regal_status DraftFinish(regal_onnx_draft *draft, regal_onnx_notice *notice, void *context,
                         char **bytes, size_t *byte_count) {
    *bytes = nullptr;
    return Guarded(notice, context, [&] {
        if (draft == nullptr || draft->failed)
            throw std::bad_alloc();
        Serialize(draft->proto, bytes, byte_count);
    });
}

} // namespace

} // namespace onnx_module

extern "C" __attribute__((visibility("default"))) const regal_onnx_module *regal_onnx() {
    using namespace onnx_module;
    static const regal_onnx_module module = {REGAL_ONNX_MODULE_VERSION,
                                             Parse,
                                             Destroy,
                                             GraphName,
                                             ValueCount,
                                             NodeCount,
                                             ScopeCount,
                                             ValueAt,
                                             NodeAt,
                                             ScopeAt,
                                             AttributeAt,
                                             TextAt,
                                             MetadataAt,
                                             MarkModel,
                                             DraftCreate,
                                             DraftDestroy,
                                             DraftMetadata,
                                             DraftParameter,
                                             DraftValue,
                                             DraftNode,
                                             DraftFinish};
    return &module;
}

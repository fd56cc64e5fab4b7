// A parsed GraphDef behind the C table of graph_def_module.h.
#include "graph_def_module.hh"

#include <algorithm>
#include <cstring>
#include <new>

namespace {

using namespace regal::tensorflow;

regal_tf_text Text(const std::string &text) {
    return {text.data(), text.size()};
}

int Int(int64_t index) {
    return static_cast<int>(index);
}

void Destroy(regal_tf_file *file) {
    delete file;
}

// ---- meta graphs

int64_t MetaCount(const regal_tf_file *file) {
    return file->saved != nullptr ? file->saved->meta_graphs_size() : 0;
}

const MetaInfo &Info(const regal_tf_file *file, int64_t meta) {
    return file->saved->meta_graphs(Int(meta)).meta_info_def();
}

int64_t TagCount(const regal_tf_file *file, int64_t meta) {
    return Info(file, meta).tags_size();
}

regal_tf_text Tag(const regal_tf_file *file, int64_t meta, int64_t k) {
    return Text(Info(file, meta).tags(Int(k)));
}

int64_t OutputCount(const regal_tf_file *file) {
    return static_cast<int64_t>(file->outputs.size());
}

regal_tf_text Output(const regal_tf_file *file, int64_t k) {
    return Text(file->outputs[static_cast<size_t>(k)]);
}

// ---- functions

const FunctionDefinition &FunctionAt(const regal_tf_file *file, int64_t function) {
    return file->graph->library().function(Int(function));
}

int64_t FunctionCount(const regal_tf_file *file) {
    return file->graph->library().function_size();
}

regal_tf_function FunctionView(const regal_tf_file *file, int64_t function) {
    const Signature &signature = FunctionAt(file, function).signature();
    return {Text(signature.name()), signature.input_arg_size(), signature.output_arg_size()};
}

regal_tf_argument ArgumentView(const regal_tf_file *file, int64_t function, int64_t k) {
    const FunctionDefinition &definition = FunctionAt(file, function);
    const Argument &argument = definition.signature().input_arg(Int(k));
    regal_tf_argument view = {Text(argument.name()), argument.type(), nullptr};
    const auto attributes = definition.arg_attr().find(static_cast<uint32_t>(k));
    if (attributes != definition.arg_attr().end()) {
        const auto shapes = attributes->second.attr().find("_output_shapes");
        if (shapes != attributes->second.attr().end())
            view.shapes = &shapes->second;
    }
    return view;
}

regal_tf_text Result(const regal_tf_file *file, int64_t function, int64_t k, regal_tf_text *name) {
    const FunctionDefinition &definition = FunctionAt(file, function);
    const std::string &result = definition.signature().output_arg(Int(k)).name();
    *name = Text(result);
    const auto found = definition.ret().find(result);
    return found != definition.ret().end() ? Text(found->second) : regal_tf_text{"", 0};
}

// ---- nodes

int64_t NodeCount(const regal_tf_file *file, int64_t scope) {
    return scope < 0 ? file->graph->node_size() : FunctionAt(file, scope).node_def_size();
}

regal_tf_node NodeView(const regal_tf_file *file, int64_t scope, int64_t index) {
    const Node &node =
        scope < 0 ? file->graph->node(Int(index)) : FunctionAt(file, scope).node_def(Int(index));
    return {Text(node.name()), Text(node.op()), Text(node.device()), node.input_size(), &node};
}

regal_tf_text Input(const void *node, int64_t k) {
    return Text(static_cast<const Node *>(node)->input(Int(k)));
}

// ---- attributes

const Value &ValueOf(const void *attribute) {
    return *static_cast<const Value *>(attribute);
}

const void *Attribute(const void *node, const char *name, regal_tf_attribute *view) {
    const auto &attributes = static_cast<const Node *>(node)->attr();
    const auto found = attributes.find(name);
    *view = {};
    if (found == attributes.end())
        return nullptr;
    const Value &value = found->second;
    const bool list = value.value_case() == Value::kList;
    view->string_count = list ? value.list().s_size() : value.value_case() == Value::kS;
    view->integer_count = list ? value.list().i_size() : value.value_case() == Value::kI;
    view->type_count = list ? value.list().type_size() : value.value_case() == Value::kType;
    view->shape_count = list ? value.list().shape_size() : value.value_case() == Value::kShape;
    view->function_count = list ? value.list().func_size() : value.value_case() == Value::kFunc;
    view->boolean = value.b();
    view->tensor = value.value_case() == Value::kTensor;
    return &value;
}

regal_tf_text String(const void *attribute, int64_t k) {
    const Value &value = ValueOf(attribute);
    return Text(value.value_case() == Value::kList ? value.list().s(Int(k)) : value.s());
}

int64_t Integer(const void *attribute, int64_t k) {
    const Value &value = ValueOf(attribute);
    return value.value_case() == Value::kList ? value.list().i(Int(k)) : value.i();
}

int64_t Type(const void *attribute, int64_t k) {
    const Value &value = ValueOf(attribute);
    return value.value_case() == Value::kList ? value.list().type(Int(k)) : value.type();
}

const void *ShapeAt(const void *attribute, int64_t k) {
    const Value &value = ValueOf(attribute);
    return value.value_case() == Value::kList ? &value.list().shape(Int(k)) : &value.shape();
}

int64_t ShapeCount(const void *attribute) {
    const Value &value = ValueOf(attribute);
    return value.value_case() == Value::kList ? value.list().shape_size()
                                              : value.value_case() == Value::kShape;
}

regal_tf_text Called(const void *attribute, int64_t k) {
    const Value &value = ValueOf(attribute);
    return Text(value.value_case() == Value::kList ? value.list().func(Int(k)).name()
                                                   : value.func().name());
}

regal_tf_tensor TensorView(const void *attribute) {
    const Tensor &tensor = ValueOf(attribute).tensor();
    int64_t bytes = 0;
    for (const std::string &text : tensor.string_val())
        bytes += static_cast<int64_t>(text.size());
    return {tensor.dtype(), &tensor.tensor_shape(), bytes};
}

// Elements lie in tensor_content, or in the list of the type, whose last one stands for the rest.
template <typename Number>
bool Elements(const std::string &content, const google::protobuf::RepeatedField<Number> &list,
              int64_t *numbers, int64_t count) {
    if (!content.empty()) {
        if (content.size() != sizeof(Number) * static_cast<size_t>(count))
            return false;
        for (int64_t i = 0; i < count; ++i) {
            Number number;
            std::memcpy(&number, content.data() + sizeof number * static_cast<size_t>(i),
                        sizeof number);
            numbers[i] = number;
        }
        return true;
    }
    for (int64_t i = 0; i < count; ++i)
        numbers[i] = list.empty() ? 0 : list.Get(Int(std::min<int64_t>(i, list.size() - 1)));
    return true;
}

bool Integers(const void *attribute, int64_t *numbers, int64_t count) {
    const Tensor &tensor = ValueOf(attribute).tensor();
    if (tensor.dtype() == DT_INT32)
        return Elements(tensor.tensor_content(), tensor.int_val(), numbers, count);
    return tensor.dtype() == DT_INT64 &&
           Elements(tensor.tensor_content(), tensor.int64_val(), numbers, count);
}

int64_t Rank(const void *shape) {
    const Shape &one = *static_cast<const Shape *>(shape);
    return one.unknown_rank() ? -1 : one.dim_size();
}

int64_t DimensionAt(const void *shape, int64_t k) {
    return static_cast<const Shape *>(shape)->dim(Int(k)).size();
}

// ---- changes

template <typename Change> regal_status Do(Change change) {
    try {
        change();
        return REGAL_OK;
    } catch (...) {
        return REGAL_OUT_OF_MEMORY;
    }
}

Node *Mutable(regal_tf_file *file, int64_t node) {
    return file->graph->mutable_node(Int(node));
}

regal_status AddNode(regal_tf_file *file, const char *name, const char *op) {
    return Do([&] {
        Node *node = file->graph->add_node();
        node->set_name(name);
        node->set_op(op);
    });
}

regal_status SetDevice(regal_tf_file *file, int64_t node, const char *device) {
    return Do([&] { Mutable(file, node)->set_device(device); });
}

regal_status AddInput(regal_tf_file *file, int64_t node, const char *input) {
    return Do([&] { Mutable(file, node)->add_input(input); });
}

regal_status PutStrings(regal_tf_file *file, int64_t node, const char *attribute,
                        const char *const *texts, int64_t count) {
    return Do([&] {
        Values *list = (*Mutable(file, node)->mutable_attr())[attribute].mutable_list();
        for (int64_t i = 0; i < count; ++i)
            list->add_s(texts[i]);
    });
}

regal_status PutIntegers(regal_tf_file *file, int64_t node, const char *attribute,
                         const int64_t *numbers, int64_t count) {
    return Do([&] {
        Values *list = (*Mutable(file, node)->mutable_attr())[attribute].mutable_list();
        for (int64_t i = 0; i < count; ++i)
            list->add_i(numbers[i]);
    });
}

} // namespace

void RegalSelect(regal_tf_file *file, int64_t meta) {
    if (file->saved != nullptr)
        file->meta = file->saved->mutable_meta_graphs(Int(meta));
    file->outputs.clear();
    if (file->meta == nullptr)
        return;
    file->graph = file->meta->mutable_graph_def();
    for (const auto &signature : file->meta->signature_def())
        for (const auto &output : signature.second.outputs())
            if (!output.second.name().empty())
                file->outputs.push_back(output.second.name());
    std::sort(file->outputs.begin(), file->outputs.end());
    file->outputs.erase(std::unique(file->outputs.begin(), file->outputs.end()),
                        file->outputs.end());
}

const regal_graph_def_module *RegalGraphDefModule() {
    static const regal_graph_def_module module = {RegalGraphDefParse,
                                                  RegalGraphDefCreate,
                                                  Destroy,
                                                  MetaCount,
                                                  TagCount,
                                                  Tag,
                                                  RegalSelect,
                                                  OutputCount,
                                                  Output,
                                                  FunctionCount,
                                                  FunctionView,
                                                  ArgumentView,
                                                  Result,
                                                  NodeCount,
                                                  NodeView,
                                                  Input,
                                                  Attribute,
                                                  String,
                                                  Integer,
                                                  Type,
                                                  ShapeAt,
                                                  ShapeCount,
                                                  Called,
                                                  TensorView,
                                                  Integers,
                                                  Rank,
                                                  DimensionAt,
                                                  AddNode,
                                                  SetDevice,
                                                  AddInput,
                                                  PutStrings,
                                                  PutIntegers,
                                                  RegalGraphDefUnknown,
                                                  RegalGraphDefDropUnknown,
                                                  RegalGraphDefSerialize};
    return &module;
}

// What libonnx may see.
#include <algorithm>
#include <climits>

#include "io/onnx/onnx_fold.h"

namespace onnx_module {

using onnx::AttributeProto;
using onnx::OpSchema;
using onnx::TypeProto;

namespace {

bool HasCounts(const Node &node, const OpSchema &schema) {
    const int inputs = node.proto->input_size(), outputs = node.proto->output_size();
    return inputs >= schema.min_input() && inputs <= schema.max_input() &&
           outputs >= schema.min_output() && outputs <= schema.max_output();
}

// Each input that must be there is, and what is there has a type.
bool HasInputs(const Model &model, const Node &node, const OpSchema &schema) {
    const auto &formal = schema.inputs();
    for (size_t k = 0; k < node.inputs.size(); ++k) {
        const OpSchema::FormalParameter &parameter = formal[std::min(k, formal.size() - 1)];
        if (node.inputs[k] < 0) {
            if (parameter.GetOption() != OpSchema::Optional)
                return false;
        } else if (model.values[static_cast<size_t>(node.inputs[k])].type.value_case() ==
                   TypeProto::VALUE_NOT_SET) {
            return false;
        }
    }
    return true;
}

bool HasType(const AttributeProto &attribute, AttributeProto::AttributeType type) {
    switch (type) {
    case AttributeProto::INT:
        return attribute.has_i();
    case AttributeProto::FLOAT:
        return attribute.has_f();
    case AttributeProto::STRING:
        return attribute.has_s();
    case AttributeProto::TENSOR:
        return attribute.has_t();
    case AttributeProto::GRAPH:
        return attribute.has_g();
    default:
        return true;
    }
}

bool HasAttributes(const onnx::NodeProto &node, const OpSchema &schema) {
    for (const auto &[name, expected] : schema.attributes()) {
        const AttributeProto *attribute = FindAttribute(node, name);
        if (attribute == nullptr ? expected.required : !HasType(*attribute, expected.type))
            return false;
    }
    return true;
}

struct Place {
    const char *kind;
    size_t input;
};
// Kinds that move a window over all but the first two dimensions of their input, and the input that
// has the same rank.
constexpr Place windows[] = {{"Conv", 1},          {"ConvInteger", 1}, {"QLinearConv", 3},
                             {"ConvTranspose", 1}, {"MaxPool", 0},     {"AveragePool", 0},
                             {"LpPool", 0},        {"MaxUnpool", 1}};

// Strides and the like are divided by; pads are added up.
bool FitsWindow(const onnx::NodeProto &node, int64_t spatial) {
    constexpr int64_t limit = INT_MAX;
    for (const auto &attribute : node.attribute()) {
        const std::string &name = attribute.name();
        const bool positive = name == "strides" || name == "dilations" || name == "kernel_shape";
        const bool pads = name == "pads";
        if (!positive && !pads && name != "output_padding" && name != "output_shape")
            continue;
        if (attribute.ints_size() != (pads ? 2 * spatial : spatial))
            return false;
        for (const int64_t number : attribute.ints())
            if (number < (positive ? 1 : -limit) || number > limit)
                return false;
    }
    return true;
}

bool HasWindow(const FoldScene &at) {
    for (const Place &window : windows) {
        std::vector<int64_t> data, kernel;
        if (at.proto().op_type() != window.kind)
            continue;
        if (!at.Dims(0, &data) || data.size() < 3 || data.size() > 64 ||
            (window.input > 0 && (!at.Dims(window.input, &kernel) || kernel.size() != data.size())))
            return false;
        return FitsWindow(at.proto(), static_cast<int64_t>(data.size()) - 2);
    }
    return true;
}

bool HasPooledShape(const FoldScene &at) {
    const AttributeProto *shape = FindAttribute(at.proto(), "pooled_shape");
    return shape == nullptr || shape->ints_size() == 2;
}

// Ranks of inputs that are looked into without a look at the rank.
struct Ranks {
    const char *kind;
    size_t input;
    int64_t least, most;
};
constexpr Ranks rank_rules[] = {
    {"RNN", 0, 3, 3},        {"GRU", 0, 3, 3},
    {"LSTM", 0, 3, 3},       {"Gemm", 0, 2, 2},
    {"Gemm", 1, 2, 2},       {"GatherND", 0, 1, 64},
    {"GatherND", 1, 1, 64},  {"STFT", 0, 2, 3},
    {"STFT", 1, 0, 0},       {"STFT", 2, 1, 1},
    {"STFT", 3, 0, 0},       {"EyeLike", 0, 2, 2},
    {"TopK", 0, 1, 64},      {"MaxRoiPool", 0, 4, 4},
    {"MaxRoiPool", 1, 2, 2}, {"LayerNormalization", 0, 1, 64},
};

bool HasRanks(const FoldScene &at) {
    for (const Ranks &rule : rank_rules) {
        std::vector<int64_t> dims;
        if (at.proto().op_type() != rule.kind || !at.Dims(rule.input, &dims))
            continue;
        const int64_t rank = static_cast<int64_t>(dims.size());
        if (rank < rule.least || rank > rule.most)
            return false;
    }
    return true;
}

// A shape of so many dimensions that libonnx would write each of them down.
bool HasShapes(const FoldScene &at) {
    static constexpr Place shapes[] = {
        {"ConstantOfShape", 0}, {"Expand", 1}, {"Reshape", 1}, {"Tile", 1},  {"Pad", 1},
        {"Upsample", 1},        {"Resize", 1}, {"Resize", 2},  {"Resize", 3}};
    for (const Place &shape : shapes) {
        std::vector<int64_t> dims;
        if (at.proto().op_type() == shape.kind && at.Dims(shape.input, &dims) && dims.size() == 1 &&
            dims[0] > 128)
            return false;
    }
    return true;
}

bool HasAxis(const FoldScene &at) {
    const AttributeProto *axis = FindAttribute(at.proto(), "axis");
    const std::string &kind = at.proto().op_type();
    std::vector<int64_t> dims;
    if (axis == nullptr || !at.Dims(0, &dims))
        return true;
    const bool between = kind == "Flatten" || kind == "OneHot" || kind == "ConcatFromSequence";
    const int64_t rank = static_cast<int64_t>(dims.size()) + between;
    return axis->i() >= -rank && axis->i() < rank;
}

// What is known of these inputs is one number.
bool HasScalars(const FoldScene &at) {
    const std::string &kind = at.proto().op_type();
    for (const size_t input : {size_t{1}, size_t{3}}) {
        const bool scalar = (kind == "TopK" && input == 1) || kind == "STFT";
        const Content *content = at.Input(input);
        if (scalar && content != nullptr && content->numbers.size() != 1)
            return false;
    }
    return true;
}

bool HasSplit(const FoldScene &at) {
    std::vector<int64_t> sizes;
    return at.proto().op_type() != "SplitToSequence" || !at.Integers(1, &sizes) ||
           std::all_of(sizes.begin(), sizes.end(), [](int64_t size) { return size > 0; });
}

bool HasBatch(const FoldScene &at) {
    std::vector<int64_t> data, places;
    const int64_t batch = IntegerAttribute(at.proto(), "batch_dims", 0);
    if (at.proto().op_type() != "GatherND" || !at.Dims(0, &data) || !at.Dims(1, &places))
        return true;
    const int64_t rank = static_cast<int64_t>(std::min(data.size(), places.size()));
    return batch >= 0 && batch < rank && places.back() <= static_cast<int64_t>(data.size()) - batch;
}

} // namespace

bool IsSafe(const Model &model, const Node &node, const OpSchema &schema) {
    const FoldScene at(model, node);
    return HasCounts(node, schema) && HasInputs(model, node, schema) &&
           HasAttributes(*node.proto, schema) && HasWindow(at) && HasPooledShape(at) &&
           HasRanks(at) && HasShapes(at) && HasAxis(at) && HasScalars(at) && HasBatch(at) &&
           HasSplit(at);
}

} // namespace onnx_module

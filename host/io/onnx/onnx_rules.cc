// What libonnx does not know, or not well enough.
#include <algorithm>
#include <climits>

#include "io/onnx/onnx_fold.h"

namespace onnx_module {

using onnx::AttributeProto;
using onnx::TensorProto;
using onnx::TypeProto;

namespace {

using Types = std::vector<TypeProto>;

const TypeProto *InputType(const Model &model, const Node &node, size_t input) {
    if (input >= node.inputs.size() || node.inputs[input] < 0)
        return nullptr;
    return &model.values[static_cast<size_t>(node.inputs[input])].type;
}

// Fills in what types[k] lacks.
void Supply(Types *types, size_t k, TypeProto type) {
    if (k >= types->size() || type.value_case() == TypeProto::VALUE_NOT_SET)
        return;
    RefineType((*types)[k], &type);
    (*types)[k] = std::move(type);
}

// ---- rules

void LikeInput(const FoldScene &, const Model &model, const Node &node, Types *types) {
    const TypeProto *type = InputType(model, node, 0);
    if (type != nullptr)
        Supply(types, 0, *type);
}

// Dims of which one is 1 become the other's; unknown where neither rule says.
bool BroadcastDims(const std::vector<int64_t> &a, const std::vector<int64_t> &b,
                   std::vector<int64_t> *dims) {
    const size_t rank = std::max(a.size(), b.size());
    dims->assign(rank, -1);
    for (size_t d = 0; d < rank; ++d) {
        const int64_t x = d < rank - a.size() ? 1 : a[d - (rank - a.size())];
        const int64_t y = d < rank - b.size() ? 1 : b[d - (rank - b.size())];
        if (x == 1 || x == y)
            (*dims)[d] = y;
        else if (y == 1 || y < 0)
            (*dims)[d] = y < 0 && x < 0 ? -1 : x;
        else if (x < 0)
            (*dims)[d] = y;
        else
            return false;
    }
    return true;
}

void BroadcastInputs(const FoldScene &at, const Model &model, const Node &node, Types *types) {
    std::vector<int64_t> a, b, dims;
    const TypeProto *type = InputType(model, node, 0);
    if (type == nullptr || !at.Dims(0, &a) || !at.Dims(1, &b) || !BroadcastDims(a, b, &dims))
        return;
    const std::string &kind = node.proto->op_type();
    const bool comparison = kind == "GreaterOrEqual" || kind == "LessOrEqual";
    Supply(types, 0, TensorType(comparison ? TensorProto::BOOL : ElementOf(*type), dims));
}

// Axes as an input, as opset 18 has them for all reductions.
void Reduce(const FoldScene &at, const Model &model, const Node &node, Types *types) {
    std::vector<int64_t> dims, axes, kept;
    const TypeProto *type = InputType(model, node, 0);
    const AttributeProto *attribute = FindAttribute(at.proto(), "axes");
    if (type == nullptr || !at.Dims(0, &dims))
        return;
    if (attribute != nullptr)
        axes.assign(attribute->ints().begin(), attribute->ints().end());
    else if (at.Given(1) && !at.Integers(1, &axes))
        return;
    if (axes.empty() && IntegerAttribute(at.proto(), "noop_with_empty_axes", 0) != 0)
        return Supply(types, 0, *type);
    const int64_t rank = static_cast<int64_t>(dims.size());
    for (int64_t d = 0; d < rank; ++d) {
        const bool gone = axes.empty() || std::count(axes.begin(), axes.end(), d) > 0 ||
                          std::count(axes.begin(), axes.end(), d - rank) > 0;
        if (!gone)
            kept.push_back(dims[static_cast<size_t>(d)]);
        else if (IntegerAttribute(at.proto(), "keepdims", 1) != 0)
            kept.push_back(1);
    }
    Supply(types, 0, TensorType(ElementOf(*type), kept));
}

// Into equal parts, the last may be smaller (opset 18: num_outputs).
void SplitEvenly(const FoldScene &at, const Model &model, const Node &node, Types *types) {
    std::vector<int64_t> dims, sizes;
    const TypeProto *type = InputType(model, node, 0);
    const int64_t parts = static_cast<int64_t>(types->size());
    if (type == nullptr || parts == 0 || !at.Dims(0, &dims) ||
        FindAttribute(at.proto(), "split") != nullptr)
        return;
    const int64_t rank = static_cast<int64_t>(dims.size());
    const int64_t axis = IntegerAttribute(at.proto(), "axis", 0);
    if (axis < -rank || axis >= rank || (at.Given(1) && !at.Integers(1, &sizes)))
        return;
    const size_t place = static_cast<size_t>(axis < 0 ? axis + rank : axis);
    const int64_t along = dims[place], each = along / parts + (along % parts != 0);
    for (int64_t k = 0; k < parts; ++k) {
        if (at.Given(1))
            dims[place] =
                static_cast<size_t>(k) < sizes.size() ? sizes[static_cast<size_t>(k)] : -1;
        else
            dims[place] =
                along < 0 ? -1
                          : std::min(each, std::max(int64_t{0}, along - std::min(k * each, along)));
        Supply(types, static_cast<size_t>(k), TensorType(ElementOf(*type), dims));
    }
}

void Fill(const FoldScene &at, const Model &, const Node &, Types *types) {
    std::vector<int64_t> dims;
    if (!at.Integers(0, &dims))
        return;
    const AttributeProto *value = FindAttribute(at.proto(), "value");
    Supply(types, 0,
           TensorType(value != nullptr ? value->t().data_type() : TensorProto::FLOAT, dims));
}

// Opset 18 and later: sizes, or scales, for some axes.
void Resize(const FoldScene &at, const Model &model, const Node &node, Types *types) {
    std::vector<int64_t> dims, sizes, axes;
    const TypeProto *type = InputType(model, node, 0);
    if (type == nullptr || !at.Dims(0, &dims) || IntegerAttribute(at.proto(), "antialias", 0) < 0)
        return;
    const AttributeProto *named = FindAttribute(at.proto(), "axes");
    if (named != nullptr)
        axes.assign(named->ints().begin(), named->ints().end());
    else
        for (size_t d = 0; d < dims.size(); ++d)
            axes.push_back(static_cast<int64_t>(d));
    const Content *scales = at.Input(2);
    const bool by_size = at.Integers(3, &sizes) && sizes.size() == axes.size();
    const bool by_scale = !by_size && scales != nullptr && IsReal(scales->element) &&
                          AllKnown(*scales) && scales->numbers.size() == axes.size();
    const int64_t rank = static_cast<int64_t>(dims.size());
    for (size_t i = 0; i < axes.size(); ++i) {
        if (axes[i] < -rank || axes[i] >= rank || (!by_size && !by_scale))
            return;
        int64_t &dim = dims[static_cast<size_t>(axes[i] < 0 ? axes[i] + rank : axes[i])];
        const double scaled = by_scale ? static_cast<double>(dim) * scales->numbers[i].real : 0;
        if (by_size)
            dim = sizes[i];
        else
            dim = dim >= 0 && scaled >= 0 && scaled < 1e15 ? static_cast<int64_t>(scaled) : -1;
    }
    Supply(types, 0, TensorType(ElementOf(*type), dims));
}

// Outputs of the branch that is taken.
void If(const FoldScene &at, const Model &model, const Node &node, Types *types) {
    std::vector<int64_t> condition;
    if (!at.Integers(0, &condition) || condition.size() != 1)
        return;
    const char *label = condition[0] != 0 ? "then_branch" : "else_branch";
    for (const int64_t s : node.scopes) {
        const Scope &scope = model.scopes[static_cast<size_t>(s)];
        if (scope.label != label)
            continue;
        for (size_t k = 0; k < types->size() && k < scope.outputs.size(); ++k) {
            const TypeProto &type = model.values[static_cast<size_t>(scope.outputs[k])].type;
            if (type.value_case() != TypeProto::VALUE_NOT_SET)
                (*types)[k] = type;
        }
    }
}

// A state that the body leaves in the shape that it had stays so. What each run adds to has as many
// rows as there are runs.
void Loop(const FoldScene &at, const Model &model, const Node &node, Types *types) {
    std::vector<int64_t> trips, before, after;
    if (node.scopes.empty())
        return;
    const Scope &body = model.scopes[static_cast<size_t>(node.scopes.front())];
    const size_t carried = node.inputs.size() > 2 ? node.inputs.size() - 2 : 0;
    for (size_t k = 0; k < carried && k < types->size() && k + 1 < body.outputs.size(); ++k) {
        const TypeProto &type = model.values[static_cast<size_t>(body.outputs[k + 1])].type;
        if (at.Dims(k + 2, &before) && DimsOf(type, &after) && before == after)
            Supply(types, k, type);
    }
    if (!at.Integers(0, &trips) || trips.size() != 1)
        return;
    for (size_t k = carried; k < types->size() && k + 1 < body.outputs.size(); ++k) {
        std::vector<int64_t> dims;
        const TypeProto &type = model.values[static_cast<size_t>(body.outputs[k + 1])].type;
        if (!type.has_tensor_type() || !DimsOf(type, &dims))
            continue;
        dims.insert(dims.begin(), std::max(trips[0], int64_t{0}));
        Supply(types, k, TensorType(ElementOf(type), dims));
    }
}

// Its mask, which libonnx leaves out for older versions.
void Dropout(const FoldScene &at, const Model &model, const Node &node, Types *types) {
    std::vector<int64_t> dims;
    LikeInput(at, model, node, types);
    if (at.Dims(0, &dims))
        Supply(types, 1, TensorType(TensorProto::BOOL, dims));
}

void Einsum(const FoldScene &at, const Model &model, const Node &node, Types *types) {
    std::vector<int64_t> dims;
    const TypeProto *type = InputType(model, node, 0);
    if (type != nullptr && EinsumDims(at, &dims) && dims.size() <= 64) {
        if (!types->empty())
            (*types)[0].clear_value(); // of which no more than the rank is known
        Supply(types, 0, TensorType(ElementOf(*type), dims));
    }
}

using Rule = void (*)(const FoldScene &at, const Model &model, const Node &node, Types *types);

const std::unordered_map<std::string, Rule> &Rules() {
    static const std::unordered_map<std::string, Rule> rules = {
        {"Gelu", LikeInput},
        {"Mish", LikeInput},
        {"Swish", LikeInput},
        {"BitwiseNot", LikeInput},
        {"GroupNormalization", LikeInput},
        {"RMSNormalization", LikeInput},
        {"LayerNormalization", LikeInput},
        {"RotaryEmbedding", LikeInput},
        {"MeanVarianceNormalization", LikeInput},
        {"LpNormalization", LikeInput},
        {"Pow", BroadcastInputs},
        {"BitwiseAnd", BroadcastInputs},
        {"BitwiseOr", BroadcastInputs},
        {"BitwiseXor", BroadcastInputs},
        {"GreaterOrEqual", BroadcastInputs},
        {"LessOrEqual", BroadcastInputs},
        {"ReduceL1", Reduce},
        {"ReduceL2", Reduce},
        {"ReduceLogSum", Reduce},
        {"ReduceLogSumExp", Reduce},
        {"ReduceMax", Reduce},
        {"ReduceMean", Reduce},
        {"ReduceMin", Reduce},
        {"ReduceProd", Reduce},
        {"ReduceSum", Reduce},
        {"ReduceSumSquare", Reduce},
        {"Split", SplitEvenly},
        {"Dropout", Dropout},
        {"ConstantOfShape", Fill},
        {"Resize", Resize},
        {"Einsum", Einsum},
        {"If", If},
        {"Loop", Loop}};
    return rules;
}

} // namespace

void ApplyRules(const Model &model, const Node &node, Types *types) {
    if (!PlainDomain(node.proto->domain()).empty())
        return;
    const auto found = Rules().find(node.proto->op_type());
    if (found != Rules().end())
        found->second(FoldScene(model, node), model, node, types);
}

} // namespace onnx_module

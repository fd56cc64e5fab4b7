// Arithmetic on shapes: what small tensors hold, as far as it is known.
#include <algorithm>
#include <climits>
#include <cmath>
#include <cstring>

#include "io/onnx/onnx_fold.h"

namespace onnx_module {

using onnx::AttributeProto;
using onnx::TensorProto;

namespace {

const Content nothing;

int64_t SizeOf(const std::vector<int64_t> &dims) {
    return CountWithin(dims, content_limit);
}

// ---- where tensors come from

Content FoldConstant(const FoldScene &at) {
    Content content;
    for (const auto &attribute : at.proto().attribute()) {
        const std::string &name = attribute.name();
        if (name == "value" && attribute.has_t() && ReadTensor(attribute.t(), &content))
            return content;
        if (name == "value_int" && attribute.has_i())
            return Integers(TensorProto::INT64, {attribute.i()}, true);
        if (name == "value_ints" && attribute.ints_size() <= content_limit)
            return Integers(TensorProto::INT64, {attribute.ints().begin(), attribute.ints().end()},
                            false);
        if (name == "value_float" && attribute.has_f())
            return {TensorProto::FLOAT, {}, {KnownReal(attribute.f())}};
    }
    return nothing;
}

Content FoldConstantOfShape(const FoldScene &at) {
    std::vector<int64_t> dims;
    if (!at.Integers(0, &dims) || SizeOf(dims) < 0)
        return nothing;
    Content fill = {TensorProto::FLOAT, {1}, {KnownReal(0)}};
    const AttributeProto *value = FindAttribute(at.proto(), "value");
    if (value != nullptr &&
        (!value->has_t() || !ReadTensor(value->t(), &fill) || fill.numbers.size() != 1))
        return nothing;
    return {fill.element, dims,
            std::vector<Number>(static_cast<size_t>(SizeOf(dims)), fill.numbers[0])};
}

Content FoldShape(const FoldScene &at) {
    std::vector<int64_t> dims;
    if (!at.Dims(0, &dims))
        return nothing;
    const int64_t rank = static_cast<int64_t>(dims.size());
    const auto clamp = [rank](int64_t place) {
        return std::min(std::max(place < 0 ? place + rank : place, int64_t{0}), rank);
    };
    if (rank > content_limit)
        return nothing;
    const int64_t start = clamp(IntegerAttribute(at.proto(), "start", 0));
    const int64_t end = std::max(start, clamp(IntegerAttribute(at.proto(), "end", rank)));
    Content content = {TensorProto::INT64, {end - start}, {}};
    for (int64_t d = start; d < end; ++d) {
        const int64_t dim = dims[static_cast<size_t>(d)];
        content.numbers.push_back(dim >= 0 ? KnownInteger(dim) : Number());
    }
    return content;
}

Content FoldSize(const FoldScene &at) {
    std::vector<int64_t> dims;
    const int64_t count = at.Dims(0, &dims) ? CountWithin(dims, INT64_MAX) : -1;
    return count >= 0 ? Integers(TensorProto::INT64, {count}, true) : nothing;
}

Content FoldRange(const FoldScene &at) {
    const Content *start = at.Input(0), *limit = at.Input(1), *delta = at.Input(2);
    if (start == nullptr || limit == nullptr || delta == nullptr || !IsInteger(start->element))
        return nothing;
    for (const Content *one : {start, limit, delta})
        if (one->numbers.size() != 1 || !one->numbers[0].known || one->element != start->element)
            return nothing;
    const int64_t step = delta->numbers[0].integer, end = limit->numbers[0].integer;
    Content content = {start->element, {0}, {}};
    int64_t number = start->numbers[0].integer;
    while (step != 0 && (step > 0 ? number < end : number > end)) {
        content.numbers.push_back(KnownInteger(number));
        if (content.numbers.size() > content_limit || __builtin_add_overflow(number, step, &number))
            return nothing;
    }
    content.dims[0] = static_cast<int64_t>(content.numbers.size());
    return step != 0 ? content : nothing;
}

// ---- the same numbers in another shape

bool SameCount(const std::vector<int64_t> &dims, const Content &content) {
    return SizeOf(dims) == static_cast<int64_t>(content.numbers.size());
}

Content Reshaped(const Content &content, std::vector<int64_t> dims) {
    return SameCount(dims, content) ? Content{content.element, std::move(dims), content.numbers}
                                    : nothing;
}

Content FoldReshape(const FoldScene &at) {
    const Content *data = at.Input(0);
    std::vector<int64_t> dims;
    if (data == nullptr || !at.Integers(1, &dims))
        return nothing;
    int64_t *open = nullptr;
    for (size_t d = 0; d < dims.size(); ++d) {
        if (dims[d] == 0 && d < data->dims.size() &&
            IntegerAttribute(at.proto(), "allowzero", 0) == 0)
            dims[d] = data->dims[d];
        if (dims[d] == -1 && open == nullptr)
            open = &dims[d];
    }
    if (open != nullptr) {
        *open = 1;
        const int64_t rest = SizeOf(dims);
        if (rest <= 0)
            return nothing;
        *open = static_cast<int64_t>(data->numbers.size()) / rest;
    }
    return Reshaped(*data, dims);
}

// Axes of an attribute (older) or of input 1.
bool AxesOf(const FoldScene &at, std::vector<int64_t> *axes) {
    const AttributeProto *attribute = FindAttribute(at.proto(), "axes");
    if (attribute != nullptr)
        axes->assign(attribute->ints().begin(), attribute->ints().end());
    return attribute != nullptr || at.Integers(1, axes);
}

Content FoldSqueeze(const FoldScene &at) {
    const Content *data = at.Input(0);
    if (data == nullptr)
        return nothing;
    const int64_t rank = static_cast<int64_t>(data->dims.size());
    std::vector<int64_t> axes, dims;
    const bool all = !AxesOf(at, &axes);
    if (all && at.node().inputs.size() > 1 && at.node().inputs[1] >= 0)
        return nothing; // axes that are not known
    for (int64_t d = 0; d < rank; ++d) {
        const int64_t dim = data->dims[static_cast<size_t>(d)];
        const bool named = std::find(axes.begin(), axes.end(), d) != axes.end() ||
                           std::find(axes.begin(), axes.end(), d - rank) != axes.end();
        if (all ? dim != 1 : !named)
            dims.push_back(dim);
    }
    return Reshaped(*data, dims);
}

Content FoldUnsqueeze(const FoldScene &at) {
    const Content *data = at.Input(0);
    std::vector<int64_t> axes;
    if (data == nullptr || !AxesOf(at, &axes) || axes.size() > 16)
        return nothing;
    const int64_t rank = static_cast<int64_t>(data->dims.size() + axes.size());
    std::vector<int64_t> dims(static_cast<size_t>(rank), 0);
    for (const int64_t axis : axes) {
        if (axis < -rank || axis >= rank)
            return nothing;
        dims[static_cast<size_t>(axis < 0 ? axis + rank : axis)] = 1;
    }
    size_t next = 0;
    for (int64_t &dim : dims)
        if (dim == 0) {
            if (next == data->dims.size())
                return nothing;
            dim = data->dims[next++];
        }
    return Reshaped(*data, dims);
}

Content FoldIdentity(const FoldScene &at) {
    const Content *data = at.Input(0);
    return data != nullptr ? *data : nothing;
}

// NaN and what lies out of range becomes unknown.
Number Converted(const Number &number, int from, int to) {
    if (!number.known || IsReal(from) == IsReal(to)) {
        Number same = number;
        if (to == TensorProto::BOOL && !IsReal(from))
            same.integer = number.integer != 0;
        return same;
    }
    if (IsReal(to))
        return KnownReal(static_cast<double>(number.integer));
    if (to == TensorProto::BOOL)
        return KnownInteger(number.real != 0);
    if (!(std::fabs(number.real) < 9e18))
        return Number();
    return KnownInteger(static_cast<int64_t>(number.real));
}

Content FoldCast(const FoldScene &at) {
    const Content *data = at.Input(0);
    const int64_t to = IntegerAttribute(at.proto(), "to", 0);
    if (data == nullptr || to < 0 || to > INT_MAX ||
        !(IsReal(static_cast<int>(to)) || IsInteger(static_cast<int>(to))))
        return nothing;
    Content content = {static_cast<int>(to), data->dims, {}};
    for (const Number &number : data->numbers)
        content.numbers.push_back(Converted(number, data->element, content.element));
    return content;
}

Content FoldExpand(const FoldScene &at) {
    const Content *data = at.Input(0);
    std::vector<int64_t> shape;
    if (data == nullptr || !at.Integers(1, &shape) || SizeOf(shape) < 0)
        return nothing;
    Content ones = {data->element, shape, std::vector<Number>(static_cast<size_t>(SizeOf(shape)))};
    return Broadcast(*data, ones, data->element,
                     [](const Number &left, const Number &) { return left; });
}

Content FoldReduce(const FoldScene &at) {
    const Content *data = at.Input(0);
    if (data == nullptr || data->dims.size() > 1 || !IsInteger(data->element) || !AllKnown(*data))
        return nothing;
    const std::string &kind = at.proto().op_type();
    int64_t result = kind == "ReduceProd" ? 1 : 0;
    for (size_t i = 0; i < data->numbers.size(); ++i) {
        const int64_t number = data->numbers[i].integer;
        if (kind == "ReduceProd"
                ? __builtin_mul_overflow(result, number, &result)
                : kind == "ReduceSum" && __builtin_add_overflow(result, number, &result))
            return nothing;
        if (kind == "ReduceMax" || kind == "ReduceMin")
            result = i == 0                ? number
                     : kind == "ReduceMax" ? std::max(result, number)
                                           : std::min(result, number);
    }
    if (data->numbers.empty() && kind[6] == 'M')
        return nothing;
    const bool keep = IntegerAttribute(at.proto(), "keepdims", 1) != 0;
    return Integers(data->element, {result}, !keep || data->dims.empty());
}

using Folder = Content (*)(const FoldScene &at);

const std::unordered_map<std::string, Folder> &Folders() {
    static const std::unordered_map<std::string, Folder> folders = {
        {"Constant", FoldConstant}, {"ConstantOfShape", FoldConstantOfShape},
        {"Shape", FoldShape},       {"Size", FoldSize},
        {"Range", FoldRange},       {"Reshape", FoldReshape},
        {"Squeeze", FoldSqueeze},   {"Unsqueeze", FoldUnsqueeze},
        {"Identity", FoldIdentity}, {"Cast", FoldCast},
        {"Gather", FoldGather},     {"Concat", FoldConcat},
        {"Slice", FoldSlice},       {"Expand", FoldExpand},
        {"ReduceProd", FoldReduce}, {"ReduceSum", FoldReduce},
        {"ReduceMax", FoldReduce},  {"ReduceMin", FoldReduce}};
    return folders;
}

} // namespace

std::vector<Content> Fold(const Model &model, const Node &node) {
    const FoldScene at(model, node);
    if (!PlainDomain(node.proto->domain()).empty())
        return {};
    if (node.proto->op_type() == "Split")
        return FoldSplit(at);
    const auto found = Folders().find(node.proto->op_type());
    if (found != Folders().end())
        return {found->second(at)};
    return {FoldArithmetic(at)};
}

} // namespace onnx_module

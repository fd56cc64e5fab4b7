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

// ---- parts and joints

// dims as [outer][along][inner] around an axis.
struct Split {
    int64_t outer = 1, along = 1, inner = 1;
    size_t axis = 0;
};

bool SplitAt(const std::vector<int64_t> &dims, int64_t axis, Split *split) {
    const int64_t rank = static_cast<int64_t>(dims.size());
    if (axis < -rank || axis >= rank)
        return false;
    split->axis = static_cast<size_t>(axis < 0 ? axis + rank : axis);
    for (size_t d = 0; d < dims.size(); ++d) {
        int64_t *part = d < split->axis   ? &split->outer
                        : d > split->axis ? &split->inner
                                          : &split->along;
        if (__builtin_mul_overflow(*part, dims[d], part))
            return false;
    }
    return split->outer <= content_limit; // more only where another dim is 0
}

// The elements `places` along an axis.
Content Picked(const Content &data, const Split &split, const std::vector<int64_t> &places,
               const std::vector<int64_t> &place_dims) {
    std::vector<int64_t> dims(data.dims.begin(), data.dims.begin() + static_cast<long>(split.axis));
    dims.insert(dims.end(), place_dims.begin(), place_dims.end());
    dims.insert(dims.end(), data.dims.begin() + static_cast<long>(split.axis) + 1, data.dims.end());
    if (SizeOf(dims) < 0)
        return nothing;
    Content content = {data.element, std::move(dims), {}};
    for (int64_t outer = 0; outer < split.outer; ++outer)
        for (const int64_t place : places)
            for (int64_t inner = 0; inner < split.inner; ++inner)
                content.numbers.push_back(data.numbers[static_cast<size_t>(
                    (outer * split.along + place) * split.inner + inner)]);
    return content;
}

Content FoldGather(const FoldScene &at) {
    const Content *data = at.Input(0), *indices = at.Input(1);
    Split split;
    if (data == nullptr || indices == nullptr || !IsInteger(indices->element) ||
        !AllKnown(*indices) ||
        !SplitAt(data->dims, IntegerAttribute(at.proto(), "axis", 0), &split))
        return nothing;
    std::vector<int64_t> places;
    for (const Number &index : indices->numbers) {
        const int64_t place = index.integer < 0 ? index.integer + split.along : index.integer;
        if (place < 0 || place >= split.along)
            return nothing;
        places.push_back(place);
    }
    return Picked(*data, split, places, indices->dims);
}

Content FoldConcat(const FoldScene &at) {
    const Content *first = at.Input(0);
    const int64_t axis = IntegerAttribute(at.proto(), "axis", 0);
    Split split;
    if (first == nullptr || !SplitAt(first->dims, axis, &split))
        return nothing;
    Content content = {first->element, first->dims, {}};
    content.dims[split.axis] = 0;
    std::vector<std::pair<const Content *, int64_t>> parts; // and elements in each row
    for (size_t i = 0; i < at.node().inputs.size(); ++i) {
        const Content *part = at.Input(i);
        Split own;
        if (part == nullptr || part->element != first->element ||
            part->dims.size() != first->dims.size() || !SplitAt(part->dims, axis, &own) ||
            own.outer != split.outer || own.inner != split.inner)
            return nothing;
        content.dims[split.axis] += own.along;
        parts.emplace_back(part, own.along * own.inner);
        if (content.dims[split.axis] > content_limit)
            return nothing;
    }
    if (SizeOf(content.dims) < 0)
        return nothing;
    for (int64_t outer = 0; outer < split.outer; ++outer)
        for (const auto &[part, row] : parts)
            for (int64_t i = 0; i < row; ++i)
                content.numbers.push_back(part->numbers[static_cast<size_t>(outer * row + i)]);
    return content;
}

// Attributes (older) or inputs; steps of 1 where there are none.
bool SliceLists(const FoldScene &at, std::vector<int64_t> *starts, std::vector<int64_t> *ends,
                std::vector<int64_t> *axes, std::vector<int64_t> *steps) {
    const AttributeProto *start = FindAttribute(at.proto(), "starts");
    const AttributeProto *end = FindAttribute(at.proto(), "ends");
    const AttributeProto *axis = FindAttribute(at.proto(), "axes");
    if (start != nullptr && end != nullptr) {
        starts->assign(start->ints().begin(), start->ints().end());
        ends->assign(end->ints().begin(), end->ints().end());
        if (axis != nullptr)
            axes->assign(axis->ints().begin(), axis->ints().end());
    } else {
        if (!at.Integers(1, starts) || !at.Integers(2, ends) ||
            (at.Given(3) && !at.Integers(3, axes)) || (at.Given(4) && !at.Integers(4, steps)))
            return false;
    }
    if (axes->empty())
        for (size_t i = 0; i < starts->size(); ++i)
            axes->push_back(static_cast<int64_t>(i));
    if (steps->empty())
        steps->assign(starts->size(), 1);
    return ends->size() == starts->size() && axes->size() == starts->size() &&
           steps->size() == starts->size();
}

std::vector<int64_t> SlicePlaces(int64_t start, int64_t end, int64_t step, int64_t along) {
    const int64_t low = step > 0 ? 0 : -1, high = step > 0 ? along : along - 1;
    const auto clamp = [=](int64_t place) {
        return std::min(std::max(place < 0 ? place + along : place, low), high);
    };
    std::vector<int64_t> places;
    if (step > 0)
        for (int64_t p = clamp(start); p < clamp(end); p += std::min(step, along + 1))
            places.push_back(p);
    else
        for (int64_t p = clamp(start); p > (end < -along ? -1 : clamp(end));
             p += std::max(step, -along - 1))
            places.push_back(p);
    return places;
}

Content FoldSlice(const FoldScene &at) {
    const Content *data = at.Input(0);
    std::vector<int64_t> starts, ends, axes, steps;
    if (data == nullptr || !SliceLists(at, &starts, &ends, &axes, &steps))
        return nothing;
    Content content = *data;
    for (size_t i = 0; i < starts.size(); ++i) {
        Split split;
        if (steps[i] == 0 || !SplitAt(content.dims, axes[i], &split))
            return nothing;
        const std::vector<int64_t> places = SlicePlaces(starts[i], ends[i], steps[i], split.along);
        content = Picked(content, split, places, {static_cast<int64_t>(places.size())});
        if (content.element == TensorProto::UNDEFINED)
            return nothing;
    }
    return content;
}

std::vector<Content> FoldSplit(const FoldScene &at) {
    const Content *data = at.Input(0);
    const size_t count = at.node().outputs.size();
    Split split;
    if (data == nullptr || count == 0 ||
        !SplitAt(data->dims, IntegerAttribute(at.proto(), "axis", 0), &split))
        return {};
    std::vector<int64_t> sizes;
    const AttributeProto *attribute = FindAttribute(at.proto(), "split");
    const int64_t parts = static_cast<int64_t>(count);
    if (attribute != nullptr)
        sizes.assign(attribute->ints().begin(), attribute->ints().end());
    else if (!at.Integers(1, &sizes) && !at.Given(1))
        for (int64_t k = 0, each = (split.along + parts - 1) / parts; k < parts; ++k)
            sizes.push_back(std::min(each, std::max(int64_t{0}, split.along - k * each)));
    std::vector<Content> contents;
    int64_t place = 0;
    for (size_t k = 0; k < count && k < sizes.size(); ++k) {
        std::vector<int64_t> places;
        if (sizes[k] < 0 || sizes[k] > split.along - place)
            return {};
        for (int64_t i = 0; i < sizes[k]; ++i)
            places.push_back(place++);
        contents.push_back(Picked(*data, split, places, {sizes[k]}));
    }
    return contents;
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

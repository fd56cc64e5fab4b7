// Parts and joints of small tensors.
#include <algorithm>
#include <climits>

#include "io/onnx/onnx_fold.h"

namespace onnx_module {

using onnx::AttributeProto;

namespace {

const Content nothing;

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
    if (CountWithin(dims, content_limit) < 0)
        return nothing;
    Content content = {data.element, std::move(dims), {}};
    for (int64_t outer = 0; outer < split.outer; ++outer)
        for (const int64_t place : places)
            for (int64_t inner = 0; inner < split.inner; ++inner)
                content.numbers.push_back(data.numbers[static_cast<size_t>(
                    (outer * split.along + place) * split.inner + inner)]);
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

} // namespace

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
    if (CountWithin(content.dims, content_limit) < 0)
        return nothing;
    for (int64_t outer = 0; outer < split.outer; ++outer)
        for (const auto &[part, row] : parts)
            for (int64_t i = 0; i < row; ++i)
                content.numbers.push_back(part->numbers[static_cast<size_t>(outer * row + i)]);
    return content;
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
        if (content.element == onnx::TensorProto::UNDEFINED)
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

} // namespace onnx_module

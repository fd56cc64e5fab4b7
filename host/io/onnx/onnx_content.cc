#include "io/onnx/onnx_content.h"

#include <climits>
#include <cstring>

namespace onnx_module {

using onnx::TensorProto;

bool IsReal(int element) {
    return element == TensorProto::FLOAT || element == TensorProto::DOUBLE;
}

bool IsInteger(int element) {
    switch (element) {
    case TensorProto::INT8:
    case TensorProto::INT16:
    case TensorProto::INT32:
    case TensorProto::INT64:
    case TensorProto::UINT8:
    case TensorProto::UINT16:
    case TensorProto::UINT32:
    case TensorProto::UINT64:
    case TensorProto::BOOL:
        return true;
    default:
        return false;
    }
}

Number KnownInteger(int64_t number) {
    return {true, number, 0};
}

Number KnownReal(double number) {
    return {true, 0, number};
}

Content Integers(int element, const std::vector<int64_t> &numbers, bool scalar) {
    Content content;
    content.element = element;
    if (!scalar)
        content.dims = {static_cast<int64_t>(numbers.size())};
    for (const int64_t number : numbers)
        content.numbers.push_back(KnownInteger(number));
    return content;
}

int64_t CountWithin(const std::vector<int64_t> &dims, int64_t limit) {
    int64_t count = 1;
    for (const int64_t dim : dims)
        if (dim == 0)
            count = 0;
    for (const int64_t dim : dims) {
        if (dim < 0)
            return -1;
        if (count != 0 && dim > limit / count)
            return -1;
        count *= dim;
    }
    return count;
}

bool AllKnown(const Content &content) {
    for (const Number &number : content.numbers)
        if (!number.known)
            return false;
    return true;
}

namespace {

// ONNX stores raw numbers in little-endian order, as this machine does.
template <typename T> bool ReadRaw(const std::string &raw, int64_t count, Content *content) {
    if (raw.size() != static_cast<size_t>(count) * sizeof(T))
        return false;
    for (int64_t i = 0; i < count; ++i) {
        T number;
        std::memcpy(&number, raw.data() + static_cast<size_t>(i) * sizeof(T), sizeof(T));
        content->numbers.push_back(IsReal(content->element)
                                       ? KnownReal(static_cast<double>(number))
                                       : KnownInteger(static_cast<int64_t>(number)));
    }
    return true;
}

bool ReadRawOf(const std::string &raw, int64_t count, Content *content) {
    switch (content->element) {
    case TensorProto::FLOAT:
        return ReadRaw<float>(raw, count, content);
    case TensorProto::DOUBLE:
        return ReadRaw<double>(raw, count, content);
    case TensorProto::INT8:
        return ReadRaw<int8_t>(raw, count, content);
    case TensorProto::BOOL:
    case TensorProto::UINT8:
        return ReadRaw<uint8_t>(raw, count, content);
    case TensorProto::INT16:
        return ReadRaw<int16_t>(raw, count, content);
    case TensorProto::UINT16:
        return ReadRaw<uint16_t>(raw, count, content);
    case TensorProto::INT32:
        return ReadRaw<int32_t>(raw, count, content);
    case TensorProto::UINT32:
        return ReadRaw<uint32_t>(raw, count, content);
    default:
        return ReadRaw<int64_t>(raw, count, content);
    }
}

template <typename List> bool ReadIntegers(const List &list, int64_t count, Content *content) {
    if (list.size() != count)
        return false;
    for (const auto number : list)
        content->numbers.push_back(KnownInteger(static_cast<int64_t>(number)));
    return true;
}

template <typename List> bool ReadReals(const List &list, int64_t count, Content *content) {
    if (list.size() != count)
        return false;
    for (const auto number : list)
        content->numbers.push_back(KnownReal(static_cast<double>(number)));
    return true;
}

bool ReadFields(const TensorProto &tensor, int64_t count, Content *content) {
    switch (content->element) {
    case TensorProto::FLOAT:
        return ReadReals(tensor.float_data(), count, content);
    case TensorProto::DOUBLE:
        return ReadReals(tensor.double_data(), count, content);
    case TensorProto::INT64:
        return ReadIntegers(tensor.int64_data(), count, content);
    case TensorProto::UINT32:
    case TensorProto::UINT64:
        return ReadIntegers(tensor.uint64_data(), count, content);
    default:
        return ReadIntegers(tensor.int32_data(), count, content);
    }
}

} // namespace

bool ReadTensor(const TensorProto &tensor, Content *content) {
    const int element = tensor.data_type();
    if ((!IsReal(element) && !IsInteger(element)) || tensor.has_segment() ||
        tensor.data_location() == TensorProto::EXTERNAL)
        return false;
    Content read;
    read.element = element;
    read.dims.assign(tensor.dims().begin(), tensor.dims().end());
    const int64_t count = CountWithin(read.dims, content_limit);
    if (count < 0)
        return false;
    const bool good = tensor.has_raw_data() ? ReadRawOf(tensor.raw_data(), count, &read)
                                            : ReadFields(tensor, count, &read);
    if (good)
        *content = std::move(read);
    return good;
}

TensorProto WriteTensor(const Content &content) {
    TensorProto tensor;
    tensor.set_data_type(content.element);
    for (const int64_t dim : content.dims)
        tensor.add_dims(dim);
    for (const Number &number : content.numbers)
        switch (content.element) {
        case TensorProto::FLOAT:
            tensor.add_float_data(static_cast<float>(number.real));
            break;
        case TensorProto::DOUBLE:
            tensor.add_double_data(number.real);
            break;
        case TensorProto::INT64:
            tensor.add_int64_data(number.integer);
            break;
        case TensorProto::UINT32:
        case TensorProto::UINT64:
            tensor.add_uint64_data(static_cast<uint64_t>(number.integer));
            break;
        default:
            tensor.add_int32_data(static_cast<int32_t>(number.integer));
        }
    return tensor;
}

} // namespace onnx_module

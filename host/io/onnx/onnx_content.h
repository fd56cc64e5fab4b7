// Small tensors whose content is known before a model runs: shapes, axes, sizes.
#ifndef REGAL_ONNX_CONTENT_H
#define REGAL_ONNX_CONTENT_H

#include <cstdint>
#include <vector>

#include "onnx/onnx_pb.h"

namespace onnx_module {

// Of one element; floating-point types use `real`, all others `integer`.
struct Number {
    bool known = false;
    int64_t integer = 0;
    double real = 0;
};

struct Content {
    int element = 0; // TensorProto.DataType
    std::vector<int64_t> dims;
    std::vector<Number> numbers;
};

// Tensors of more elements are not folded: what has to do with shapes is small.
constexpr int64_t content_limit = 256;

bool IsReal(int element);
bool IsInteger(int element); // booleans too
Number KnownInteger(int64_t number);
Number KnownReal(double number);
// A scalar, or a list.
Content Integers(int element, const std::vector<int64_t> &numbers, bool scalar);

// The product of dims, or -1 where one is negative or it exceeds the limit.
int64_t CountWithin(const std::vector<int64_t> &dims, int64_t limit);
bool AllKnown(const Content &content);

// False where the tensor is too large, lies elsewhere, is malformed or of another type.
bool ReadTensor(const onnx::TensorProto &tensor, Content *content);
// All numbers must be known.
onnx::TensorProto WriteTensor(const Content &content);

} // namespace onnx_module

#endif

// Types of values.
#include "io/onnx/onnx_model.h"

namespace onnx_module {

using onnx::TensorProto;
using onnx::TensorShapeProto;
using onnx::TypeProto;

const TensorShapeProto *ShapeOf(const TypeProto &type) {
    if (type.has_tensor_type() && type.tensor_type().has_shape())
        return &type.tensor_type().shape();
    if (type.has_sparse_tensor_type() && type.sparse_tensor_type().has_shape())
        return &type.sparse_tensor_type().shape();
    return nullptr;
}

int ElementOf(const TypeProto &type) {
    if (type.has_tensor_type())
        return type.tensor_type().elem_type();
    if (type.has_sparse_tensor_type())
        return type.sparse_tensor_type().elem_type();
    return TensorProto::UNDEFINED;
}

bool DimsOf(const TypeProto &type, std::vector<int64_t> *dims) {
    const TensorShapeProto *shape = ShapeOf(type);
    dims->clear();
    if (shape == nullptr)
        return false;
    for (const auto &dim : shape->dim())
        dims->push_back(dim.has_dim_value() && dim.dim_value() >= 0 ? dim.dim_value() : -1);
    return true;
}

TypeProto TensorType(int element, const std::vector<int64_t> &dims) {
    TypeProto type;
    type.mutable_tensor_type()->set_elem_type(element);
    TensorShapeProto *shape = type.mutable_tensor_type()->mutable_shape();
    for (const int64_t dim : dims) {
        TensorShapeProto::Dimension *added = shape->add_dim();
        if (dim >= 0)
            added->set_dim_value(dim);
    }
    return type;
}

static void RefineTensor(const TypeProto::Tensor &inferred, TypeProto::Tensor *type) {
    if (inferred.elem_type() != TensorProto::UNDEFINED)
        type->set_elem_type(inferred.elem_type());
    if (!inferred.has_shape())
        return;
    const TensorShapeProto declared = type->shape();
    const bool alike = type->has_shape() && declared.dim_size() == inferred.shape().dim_size();
    *type->mutable_shape() = inferred.shape();
    for (int d = 0; d < inferred.shape().dim_size(); ++d) {
        TensorShapeProto::Dimension *dim = type->mutable_shape()->mutable_dim(d);
        const bool known = dim->has_dim_value() && dim->dim_value() >= 0;
        if (!known && alike)
            *dim = declared.dim(d);
        else if (!known && dim->has_dim_value())
            dim->clear_dim_value();
    }
}

void RefineType(const TypeProto &inferred, TypeProto *type) {
    if (inferred.value_case() == TypeProto::VALUE_NOT_SET)
        return;
    if (inferred.has_tensor_type() &&
        (type->has_tensor_type() || type->value_case() == TypeProto::VALUE_NOT_SET))
        RefineTensor(inferred.tensor_type(), type->mutable_tensor_type());
    else
        *type = inferred;
}

// As the cost model names them; what it has no word for is a name of ONNX's.
static std::string ElementText(int element) {
    switch (element) {
    case TensorProto::FLOAT:
        return "f32";
    case TensorProto::UINT8:
        return "u8";
    case TensorProto::INT8:
        return "s8";
    case TensorProto::UINT16:
        return "u16";
    case TensorProto::INT16:
        return "s16";
    case TensorProto::INT32:
        return "s32";
    case TensorProto::INT64:
        return "s64";
    case TensorProto::STRING:
        return "string";
    case TensorProto::BOOL:
        return "bool";
    case TensorProto::FLOAT16:
        return "f16";
    case TensorProto::DOUBLE:
        return "f64";
    case TensorProto::UINT32:
        return "u32";
    case TensorProto::UINT64:
        return "u64";
    case TensorProto::COMPLEX64:
        return "c64";
    case TensorProto::COMPLEX128:
        return "c128";
    case TensorProto::BFLOAT16:
        return "bf16";
    case TensorProto::UNDEFINED:
        return "?";
    default:
        return "type " + std::to_string(element);
    }
}

static std::string DimText(const TensorShapeProto::Dimension &dim) {
    if (dim.has_dim_value() && dim.dim_value() >= 0)
        return std::to_string(dim.dim_value());
    return dim.has_dim_param() && !dim.dim_param().empty() ? dim.dim_param() : "?";
}

// Sequences of sequences are not spelled out.
std::string ShapeText(const TypeProto &type) {
    if (type.has_sequence_type())
        return "sequence of " + (type.sequence_type().elem_type().has_tensor_type()
                                     ? ShapeText(type.sequence_type().elem_type())
                                     : std::string("?"));
    if (type.has_optional_type())
        return "optional " + (type.optional_type().elem_type().has_tensor_type()
                                  ? ShapeText(type.optional_type().elem_type())
                                  : std::string("?"));
    if (type.has_map_type())
        return "map";
    if (type.value_case() == TypeProto::VALUE_NOT_SET)
        return "of unknown type";
    std::string text = ElementText(ElementOf(type)) + " [";
    const TensorShapeProto *shape = ShapeOf(type);
    if (shape == nullptr)
        return text + "...]";
    for (int d = 0; d < shape->dim_size(); ++d)
        text += (d > 0 ? ", " : "") + DimText(shape->dim(d));
    return text + "]";
}

} // namespace onnx_module

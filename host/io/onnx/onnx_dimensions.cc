// Sizes for symbolic dimensions.
#include <cerrno>
#include <cstdlib>
#include <set>

#include "io/onnx/onnx_model.h"

namespace onnx_module {

namespace {

using ValueInfos = google::protobuf::RepeatedPtrField<onnx::ValueInfoProto>;

class Binder {
  public:
    void Add(const std::string &text) {
        const size_t equal = text.rfind('=');
        const char *digits = equal == std::string::npos ? "" : text.c_str() + equal + 1;
        char *end = nullptr;
        errno = 0;
        const long long size = std::strtoll(digits, &end, 10);
        if (equal == std::string::npos || equal == 0 || *digits < '0' || *digits > '9' ||
            *end != '\0' || errno != 0 || size < 0)
            throw Refusal(REGAL_INVALID_ARGUMENT,
                          "'" + text + "' is no dimension: write NAME=SIZE");
        const std::string name = text.substr(0, equal);
        if (!sizes_.emplace(name, size).second && sizes_[name] != size)
            throw Refusal(REGAL_INVALID_ARGUMENT, "dimension '" + name + "' is given two sizes");
    }

    void Bind(onnx::ModelProto *model) {
        BindGraph(model->mutable_graph());
        for (const auto &[name, size] : sizes_)
            if (seen_.count(name) == 0)
                throw Refusal(REGAL_INVALID_ARGUMENT, Missing(name));
    }

  private:
    std::string Missing(const std::string &name) const {
        std::string message = "the model has no dimension '" + name + "': ";
        if (seen_.empty())
            return message + "none of its dimensions has a name";
        message += "those that have a name are";
        for (const std::string &other : seen_)
            message += (other == *seen_.begin() ? " " : ", ") + other;
        return message;
    }

    void BindShape(onnx::TensorShapeProto *shape) {
        for (auto &dim : *shape->mutable_dim()) {
            if (!dim.has_dim_param() || dim.dim_param().empty())
                continue;
            seen_.insert(dim.dim_param());
            const auto found = sizes_.find(dim.dim_param());
            if (found != sizes_.end())
                dim.set_dim_value(found->second);
        }
    }

    // Types lie in each other no deeper than protobuf reads them.
    void BindType(onnx::TypeProto *type) {
        if (type->has_tensor_type() && type->tensor_type().has_shape())
            BindShape(type->mutable_tensor_type()->mutable_shape());
        else if (type->has_sparse_tensor_type() && type->sparse_tensor_type().has_shape())
            BindShape(type->mutable_sparse_tensor_type()->mutable_shape());
        else if (type->has_sequence_type() && type->sequence_type().has_elem_type())
            BindType(type->mutable_sequence_type()->mutable_elem_type());
        else if (type->has_optional_type() && type->optional_type().has_elem_type())
            BindType(type->mutable_optional_type()->mutable_elem_type());
    }

    void BindInfos(ValueInfos *infos) {
        for (auto &info : *infos)
            if (info.has_type())
                BindType(info.mutable_type());
    }

    void BindGraph(onnx::GraphProto *graph) {
        BindInfos(graph->mutable_input());
        BindInfos(graph->mutable_output());
        BindInfos(graph->mutable_value_info());
        for (auto &node : *graph->mutable_node())
            for (auto &attribute : *node.mutable_attribute()) {
                if (attribute.has_g())
                    BindGraph(attribute.mutable_g());
                for (auto &inner : *attribute.mutable_graphs())
                    BindGraph(&inner);
            }
    }

    std::unordered_map<std::string, int64_t> sizes_;
    std::set<std::string> seen_;
};

} // namespace

void BindDimensions(onnx::ModelProto *model, const char *const *dimensions, int64_t count) {
    if (count == 0)
        return;
    Binder binder;
    for (int64_t i = 0; i < count; ++i)
        binder.Add(dimensions[i]);
    binder.Bind(model);
}

} // namespace onnx_module

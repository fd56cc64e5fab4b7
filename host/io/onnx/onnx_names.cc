// Names of nodes.
#include <unordered_set>

#include "io/onnx/onnx_model.h"

namespace onnx_module {

using onnx::NodeProto;

namespace {

class UniqueNames {
  public:
    std::string Make(const std::string &wanted) {
        if (taken_.insert(wanted).second)
            return wanted;
        for (;;) {
            const std::string other = wanted + "#" + std::to_string(++last_[wanted]);
            if (taken_.insert(other).second)
                return other;
        }
    }

  private:
    std::unordered_set<std::string> taken_;
    std::unordered_map<std::string, int64_t> last_;
};

std::string OwnName(const NodeProto &node, int index) {
    for (const std::string &output : node.output())
        if (!output.empty())
            return output;
    return node.op_type() + "#" + std::to_string(index);
}

} // namespace

std::vector<std::string> NameNodes(const google::protobuf::RepeatedPtrField<NodeProto> &nodes) {
    UniqueNames unique;
    std::vector<std::string> names(static_cast<size_t>(nodes.size()));
    for (int n = 0; n < nodes.size(); ++n)
        if (!nodes.Get(n).name().empty())
            names[static_cast<size_t>(n)] = unique.Make(nodes.Get(n).name());
    for (int n = 0; n < nodes.size(); ++n)
        if (nodes.Get(n).name().empty())
            names[static_cast<size_t>(n)] = unique.Make(OwnName(nodes.Get(n), n));
    return names;
}

} // namespace onnx_module

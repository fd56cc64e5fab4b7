// Names of nodes, and what no name may hold.
#include <unordered_set>

#include "io/onnx/onnx_model.h"
#include "io/utf8.h"

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

void CheckText(const std::string &text, const std::string &what) {
    for (size_t i = 0; i < text.size();) {
        const auto *rest = reinterpret_cast<const unsigned char *>(text.data()) + i;
        const size_t length = regal_utf8_length(rest, text.size() - i);
        if (length == 0 || text[i] == '\0')
            throw Refusal(REGAL_INVALID_INPUT,
                          what + " holds " + (length == 0 ? "bytes that are not UTF-8" : "a NUL") +
                              " at byte " + std::to_string(i));
        i += length;
    }
}

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

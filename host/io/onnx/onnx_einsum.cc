// The shape of an Einsum's output, of which libonnx tells the rank only.
#include <map>

#include "io/onnx/onnx_fold.h"

namespace onnx_module {

namespace {

bool IsLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

class Equation {
  public:
    // False where the term does not fit the dims.
    bool AddTerm(const std::string &term, const std::vector<int64_t> &dims) {
        int64_t letters = 0;
        for (const char c : term)
            letters += IsLetter(c);
        const int64_t hidden = static_cast<int64_t>(dims.size()) - letters;
        const bool ellipsis = term.find("...") != std::string::npos;
        if (hidden < 0 || (hidden > 0 && !ellipsis))
            return false;
        size_t d = 0;
        for (size_t i = 0; i < term.size(); ++i) {
            if (IsLetter(term[i])) {
                Widen(&letters_[term[i]], dims[d++]);
                ++times_[term[i]];
            } else if (term.compare(i, 3, "...") == 0) {
                i += 2;
                AddHidden({dims.begin() + static_cast<long>(d),
                           dims.begin() + static_cast<long>(d) + static_cast<long>(hidden)});
                d += static_cast<size_t>(hidden);
                if (d > dims.size())
                    return false;
            }
        }
        return d == dims.size();
    }

    std::string ImpliedOutput() const {
        std::string output = "...";
        for (const auto &[letter, times] : times_)
            if (times == 1)
                output += letter;
        return output;
    }

    bool Output(const std::string &term, std::vector<int64_t> *dims) const {
        for (size_t i = 0; i < term.size(); ++i) {
            if (IsLetter(term[i])) {
                const auto found = letters_.find(term[i]);
                if (found == letters_.end())
                    return false;
                dims->push_back(found->second);
            } else if (term.compare(i, 3, "...") == 0) {
                i += 2;
                dims->insert(dims->end(), hidden_.begin(), hidden_.end());
            }
        }
        return true;
    }

  private:
    static void Widen(int64_t *dim, int64_t other) {
        if (*dim == 0 || *dim == 1)
            *dim = other;
    }

    void AddHidden(const std::vector<int64_t> &dims) {
        if (dims.size() > hidden_.size())
            hidden_.insert(hidden_.begin(), dims.size() - hidden_.size(), 1);
        for (size_t d = 0; d < dims.size(); ++d)
            Widen(&hidden_[hidden_.size() - dims.size() + d], dims[d]);
    }

    std::map<char, int64_t> letters_, times_;
    std::vector<int64_t> hidden_;
};

} // namespace

bool EinsumDims(const FoldScene &at, std::vector<int64_t> *dims) {
    const onnx::AttributeProto *attribute = FindAttribute(at.proto(), "equation");
    if (attribute == nullptr)
        return false;
    const std::string &text = attribute->s();
    const size_t arrow = text.find("->");
    const std::string left = text.substr(0, arrow);
    Equation equation;
    size_t begin = 0;
    for (size_t k = 0; k < at.node().inputs.size(); ++k) {
        const size_t comma = left.find(',', begin);
        const bool last = k + 1 == at.node().inputs.size();
        std::vector<int64_t> operand;
        if (last != (comma == std::string::npos) || !at.Dims(k, &operand) ||
            !equation.AddTerm(left.substr(begin, comma - begin), operand))
            return false;
        begin = comma + 1;
    }
    dims->clear();
    return equation.Output(
        arrow == std::string::npos ? equation.ImpliedOutput() : text.substr(arrow + 2), dims);
}

} // namespace onnx_module

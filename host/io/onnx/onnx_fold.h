// The parts of constant folding.
#ifndef REGAL_ONNX_FOLD_H
#define REGAL_ONNX_FOLD_H

#include <functional>

#include "io/onnx/onnx_infer.h"

namespace onnx_module {

// A node and what is known of its inputs.
class FoldScene {
  public:
    FoldScene(const Model &model, const Node &node) : model_(model), node_(node) {}

    const Node &node() const { return node_; }
    const onnx::NodeProto &proto() const { return *node_.proto; }

    bool Given(size_t input) const {
        return input < node_.inputs.size() && node_.inputs[input] >= 0;
    }
    // NULL: nothing is known.
    const Content *Input(size_t input) const {
        return Given(input) ? Of(input).content.get() : nullptr;
    }
    // All of it, as integers.
    bool Integers(size_t input, std::vector<int64_t> *numbers) const {
        const Content *content = Input(input);
        if (content == nullptr || !IsInteger(content->element) || !AllKnown(*content))
            return false;
        numbers->clear();
        for (const Number &number : content->numbers)
            numbers->push_back(number.integer);
        return true;
    }
    bool Dims(size_t input, std::vector<int64_t> *dims) const {
        return Given(input) && DimsOf(Of(input).type, dims);
    }

  private:
    const Value &Of(size_t input) const {
        return model_.values[static_cast<size_t>(node_.inputs[input])];
    }

    const Model &model_;
    const Node &node_;
};

using Combine = std::function<Number(const Number &left, const Number &right)>;

// Element by element; nothing where the shapes do not fit.
Content Broadcast(const Content &left, const Content &right, int element, const Combine &combine);

// onnx_fold_parts.cc
Content FoldGather(const FoldScene &at);
Content FoldConcat(const FoldScene &at);
Content FoldSlice(const FoldScene &at);
std::vector<Content> FoldSplit(const FoldScene &at);

// onnx_einsum.cc: false where the equation does not fit its operands.
bool EinsumDims(const FoldScene &at, std::vector<int64_t> *dims);

// Sums, comparisons, choices, ...
Content FoldArithmetic(const FoldScene &at);

} // namespace onnx_module

#endif

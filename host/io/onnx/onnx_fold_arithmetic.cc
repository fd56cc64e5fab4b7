// Element-wise arithmetic on small tensors.
#include <algorithm>
#include <climits>
#include <cmath>

#include "io/onnx/onnx_fold.h"

namespace onnx_module {

using onnx::TensorProto;

Content Broadcast(const Content &left, const Content &right, int element, const Combine &combine) {
    const size_t rank = std::max(left.dims.size(), right.dims.size());
    const auto dim_of = [rank](const Content &content, size_t d) {
        const size_t missing = rank - content.dims.size();
        return d < missing ? int64_t{1} : content.dims[d - missing];
    };
    Content result;
    for (size_t d = 0; d < rank; ++d) {
        const int64_t a = dim_of(left, d), b = dim_of(right, d);
        if (a != b && a != 1 && b != 1)
            return {};
        result.dims.push_back(a == 1 ? b : a);
    }
    const int64_t count = CountWithin(result.dims, content_limit);
    if (count < 0)
        return {};
    for (int64_t i = 0; i < count; ++i) {
        int64_t rest = i, place[2] = {0, 0}, stride[2] = {1, 1};
        for (size_t d = rank; d-- > 0;) {
            const int64_t at = rest % result.dims[d];
            rest /= result.dims[d];
            for (int side = 0; side < 2; ++side) {
                const int64_t dim = dim_of(side == 0 ? left : right, d);
                place[side] += (dim == 1 ? 0 : at) * stride[side];
                stride[side] *= dim;
            }
        }
        result.numbers.push_back(combine(left.numbers[static_cast<size_t>(place[0])],
                                         right.numbers[static_cast<size_t>(place[1])]));
    }
    result.element = element;
    return result;
}

namespace {

using IntegerRule = bool (*)(int64_t a, int64_t b, int64_t *result); // false: none
using RealRule = double (*)(double a, double b);

bool AddIntegers(int64_t a, int64_t b, int64_t *result) {
    return !__builtin_add_overflow(a, b, result);
}
bool SubtractIntegers(int64_t a, int64_t b, int64_t *result) {
    return !__builtin_sub_overflow(a, b, result);
}
bool MultiplyIntegers(int64_t a, int64_t b, int64_t *result) {
    return !__builtin_mul_overflow(a, b, result);
}
bool DivideIntegers(int64_t a, int64_t b, int64_t *result) {
    if (b == 0 || (a == INT64_MIN && b == -1))
        return false;
    *result = a / b;
    return true;
}
// The sign is that of the divisor.
bool ModuloIntegers(int64_t a, int64_t b, int64_t *result) {
    if (b == 0 || b == -1)
        return false;
    *result = a % b;
    if (*result != 0 && (*result < 0) != (b < 0))
        *result += b;
    return true;
}
bool GreatestInteger(int64_t a, int64_t b, int64_t *result) {
    *result = std::max(a, b);
    return true;
}
bool LeastInteger(int64_t a, int64_t b, int64_t *result) {
    *result = std::min(a, b);
    return true;
}

struct Binary {
    IntegerRule integers;
    RealRule reals; // may be NULL
};

const std::unordered_map<std::string, Binary> &Binaries() {
    static const std::unordered_map<std::string, Binary> rules = {
        {"Add", {AddIntegers, [](double a, double b) { return a + b; }}},
        {"Sub", {SubtractIntegers, [](double a, double b) { return a - b; }}},
        {"Mul", {MultiplyIntegers, [](double a, double b) { return a * b; }}},
        {"Div", {DivideIntegers, [](double a, double b) { return a / b; }}},
        {"Mod", {ModuloIntegers, nullptr}},
        {"Max", {GreatestInteger, [](double a, double b) { return a > b ? a : b; }}},
        {"Min", {LeastInteger, [](double a, double b) { return a < b ? a : b; }}}};
    return rules;
}

// f32 is rounded as it would be.
Number Rounded(double number, int element) {
    return KnownReal(element == TensorProto::FLOAT ? static_cast<double>(static_cast<float>(number))
                                                   : number);
}

Content FoldBinary(const FoldScene &at, const Binary &rule) {
    const Content *left = at.Input(0), *right = at.Input(1);
    if (left == nullptr || right == nullptr || at.node().inputs.size() != 2 ||
        left->element != right->element)
        return {};
    const int element = left->element;
    const bool real = IsReal(element);
    if (real && rule.reals == nullptr)
        return {};
    return Broadcast(*left, *right, element, [&](const Number &a, const Number &b) {
        int64_t result;
        if (!a.known || !b.known)
            return Number();
        if (real)
            return Rounded(rule.reals(a.real, b.real), element);
        return rule.integers(a.integer, b.integer, &result) ? KnownInteger(result) : Number();
    });
}

// -1, 0 or 1; 2 where one is no number.
int Compare(const Number &a, const Number &b, bool real) {
    if (!real)
        return (a.integer > b.integer) - (a.integer < b.integer);
    if (std::isnan(a.real) || std::isnan(b.real))
        return 2;
    return (a.real > b.real) - (a.real < b.real);
}

bool Holds(const std::string &kind, int order) {
    if (kind == "Equal")
        return order == 0;
    if (kind == "Less")
        return order == -1;
    if (kind == "LessOrEqual")
        return order == -1 || order == 0;
    if (kind == "Greater")
        return order == 1;
    return order == 1 || order == 0;
}

Content FoldComparison(const FoldScene &at) {
    const Content *left = at.Input(0), *right = at.Input(1);
    if (left == nullptr || right == nullptr || left->element != right->element)
        return {};
    const bool real = IsReal(left->element);
    const std::string &kind = at.proto().op_type();
    return Broadcast(*left, *right, TensorProto::BOOL, [&](const Number &a, const Number &b) {
        return a.known && b.known ? KnownInteger(Holds(kind, Compare(a, b, real))) : Number();
    });
}

Content FoldLogic(const FoldScene &at) {
    const Content *left = at.Input(0), *right = at.Input(1);
    if (left == nullptr || right == nullptr || !IsInteger(left->element) ||
        !IsInteger(right->element))
        return {};
    const bool both = at.proto().op_type() == "And";
    return Broadcast(*left, *right, TensorProto::BOOL, [&](const Number &a, const Number &b) {
        if (!a.known || !b.known)
            return Number();
        return KnownInteger(both ? a.integer != 0 && b.integer != 0
                                 : a.integer != 0 || b.integer != 0);
    });
}

Content FoldWhere(const FoldScene &at) {
    const Content *choice = at.Input(0), *yes = at.Input(1), *no = at.Input(2);
    if (choice == nullptr || yes == nullptr || no == nullptr || yes->element != no->element)
        return {};
    // In two steps: where the condition holds a number, else a mark that is unknown.
    const Content first =
        Broadcast(*choice, *yes, yes->element, [](const Number &, const Number &b) { return b; });
    if (first.element == TensorProto::UNDEFINED)
        return {};
    const Content mask = Broadcast(*choice, first, TensorProto::BOOL,
                                   [](const Number &a, const Number &) { return a; });
    Content shape =
        Broadcast(mask, *no, no->element, [](const Number &, const Number &b) { return b; });
    if (shape.element == TensorProto::UNDEFINED)
        return {};
    const auto spread = [&shape](const Content &content, int element) {
        return Broadcast(content, shape, element,
                         [](const Number &a, const Number &) { return a; });
    };
    const Content wide_mask = spread(mask, TensorProto::BOOL);
    const Content wide_yes = spread(first, yes->element);
    for (size_t i = 0; i < shape.numbers.size(); ++i) {
        if (!wide_mask.numbers[i].known)
            shape.numbers[i] = Number();
        else if (wide_mask.numbers[i].integer != 0)
            shape.numbers[i] = wide_yes.numbers[i];
    }
    return shape;
}

Content FoldUnary(const FoldScene &at) {
    const Content *data = at.Input(0);
    if (data == nullptr || at.node().inputs.size() != 1)
        return {};
    const std::string &kind = at.proto().op_type();
    const bool real = IsReal(data->element);
    Content content = *data;
    for (Number &number : content.numbers) {
        if (!number.known)
            continue;
        if (!real && number.integer == INT64_MIN)
            number = Number();
        else if (kind == "Neg")
            number = real ? KnownReal(-number.real) : KnownInteger(-number.integer);
        else if (kind == "Abs")
            number = real ? KnownReal(std::fabs(number.real))
                          : KnownInteger(number.integer < 0 ? -number.integer : number.integer);
        else if (kind == "Floor")
            number.real = std::floor(number.real);
        else if (kind == "Ceil")
            number.real = std::ceil(number.real);
        else if (kind == "Sqrt")
            number = Rounded(std::sqrt(number.real), data->element);
        else if (kind == "Not")
            number.integer = number.integer == 0;
    }
    return content;
}

bool IsOneOf(const std::string &kind, std::initializer_list<const char *> kinds) {
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

} // namespace

Content FoldArithmetic(const FoldScene &at) {
    const std::string &kind = at.proto().op_type();
    const auto binary = Binaries().find(kind);
    if (binary != Binaries().end())
        return FoldBinary(at, binary->second);
    if (IsOneOf(kind, {"Equal", "Less", "LessOrEqual", "Greater", "GreaterOrEqual"}))
        return FoldComparison(at);
    if (IsOneOf(kind, {"And", "Or"}))
        return FoldLogic(at);
    if (kind == "Where")
        return FoldWhere(at);
    if (IsOneOf(kind, {"Neg", "Abs", "Floor", "Ceil", "Sqrt", "Not"}))
        return FoldUnary(at);
    return {};
}

} // namespace onnx_module

// A parsed model: scopes (the main graph, subgraphs, bodies of called functions), their nodes and
// the values between them, with what could be found out about types and contents.
#ifndef REGAL_ONNX_MODEL_H
#define REGAL_ONNX_MODEL_H

#include <cstdint>
#include <deque>
#include <memory>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "io/onnx/onnx_content.h"
#include "io/onnx/onnx_module.h"
#include "onnx/onnx_pb.h"

namespace onnx_module {

// What the caller is told: the model breaks a rule.
struct Refusal : std::runtime_error {
    Refusal(regal_status status_given, const std::string &message)
        : std::runtime_error(message), status(status_given) {}
    regal_status status;
};

struct Value {
    std::string name;
    onnx::TypeProto type;                      // nothing set: unknown
    std::unique_ptr<Content> content;          // known beforehand
    std::unique_ptr<onnx::TensorProto> tensor; // the same, for libonnx; made when asked for
    bool input = false, initializer = false, output = false;
    int64_t stored = -1; // elements of a sparse initializer
    // For the caller (Describe).
    std::string shape;
    std::vector<int64_t> dims, integers;
};

struct Node {
    const onnx::NodeProto *proto;
    std::string name;
    int64_t scope = 0;
    std::vector<int64_t> inputs, outputs, captured, scopes;
    bool folded = false;
};

// Opset versions by domain; "ai.onnx" is "".
using Opsets = std::unordered_map<std::string, int64_t>;

struct Scope {
    int64_t parent = -1; // none of the main graph and of functions
    int64_t depth = 0;
    std::string label;
    const Opsets *opsets = nullptr;
    std::unordered_map<std::string, int64_t> names; // of values made or given here
    std::vector<int64_t> nodes, inputs, outputs, initializers;
    std::vector<int64_t> order; // of nodes
};

// The function of a call's (domain, name).
struct Function {
    const onnx::FunctionProto *proto;
    Opsets opsets;
};

} // namespace onnx_module

struct regal_onnx_model {
    onnx::ModelProto proto;
    // Nodes of functions whose attributes refer to the call's.
    std::deque<google::protobuf::RepeatedPtrField<onnx::NodeProto>> lists;
    onnx_module::Opsets opsets;
    std::unordered_map<std::string, onnx_module::Function> functions;
    std::deque<onnx_module::Value> values;
    std::deque<onnx_module::Node> nodes;
    std::deque<onnx_module::Scope> scopes;
};

namespace onnx_module {

using Model = ::regal_onnx_model;

std::string FunctionKey(const std::string &domain, const std::string &name);
// "" of ONNX's own.
std::string PlainDomain(const std::string &domain);
const onnx::AttributeProto *FindAttribute(const onnx::NodeProto &node, const std::string &name);
int64_t IntegerAttribute(const onnx::NodeProto &node, const std::string &name, int64_t standard);

// Sets each dim_param that is named ("N=8") wherever there is one. Throws Refusal.
void BindDimensions(onnx::ModelProto *model, const char *const *dimensions, int64_t count);

// Throws Refusal where the text, which stands for `what`, is not UTF-8 or holds a NUL: other
// formats could not keep it.
void CheckText(const std::string &text, const std::string &what);

// Names for nodes, none twice: their own; else that of the first output, or kind and number.
std::vector<std::string>
NameNodes(const google::protobuf::RepeatedPtrField<onnx::NodeProto> &nodes);

// The scope of a graph, with its nodes and values, but nothing inferred. Throws Refusal.
int64_t EnterGraph(Model *model, const onnx::GraphProto &graph, int64_t parent,
                   const std::string &label, const Opsets *opsets);
int64_t EnterFunction(Model *model, const Function &function, const Node &call);

// Types of what is declared and of what was inferred: what the second tells goes first.
void RefineType(const onnx::TypeProto &inferred, onnx::TypeProto *type);
// The shape, or NULL where there is none.
const onnx::TensorShapeProto *ShapeOf(const onnx::TypeProto &type);
int ElementOf(const onnx::TypeProto &type);
// False where the rank is unknown; -1 for an unknown dim.
bool DimsOf(const onnx::TypeProto &type, std::vector<int64_t> *dims);
onnx::TypeProto TensorType(int element, const std::vector<int64_t> &dims);
std::string ShapeText(const onnx::TypeProto &type);

} // namespace onnx_module

#endif

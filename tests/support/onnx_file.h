// ONNX models made byte by byte, so that tests share nothing with libonnx: protobuf's wire format,
// and the numbers of the fields that they need.
#ifndef REGAL_TESTS_ONNX_FILE_H
#define REGAL_TESTS_ONNX_FILE_H

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace onnx_file {

enum Element { FLOAT = 1, UINT8 = 2, INT8 = 3, INT32 = 6, INT64 = 7, STRING = 8, BOOL = 9 };

class Message {
  public:
    Message &number(int field, int64_t value) {
        varint(static_cast<uint64_t>(field) << 3);
        varint(static_cast<uint64_t>(value));
        return *this;
    }
    Message &text(int field, const std::string &value) {
        varint(static_cast<uint64_t>(field) << 3 | 2);
        varint(value.size());
        bytes_ += value;
        return *this;
    }
    Message &message(int field, const Message &value) { return text(field, value.bytes_); }
    Message &real(int field, float value) {
        varint(static_cast<uint64_t>(field) << 3 | 5);
        char raw[sizeof value];
        std::memcpy(raw, &value, sizeof value);
        bytes_.append(raw, sizeof value);
        return *this;
    }
    const std::string &bytes() const { return bytes_; }

  private:
    void varint(uint64_t value) {
        for (; value >= 0x80; value >>= 7)
            bytes_ += static_cast<char>(value | 0x80);
        bytes_ += static_cast<char>(value);
    }

    std::string bytes_;
};

// A dimension: a number, a name, or nothing ("").
struct Dim {
    Dim(int64_t size) : size_(size) {}
    Dim(int size) : size_(size) {}
    Dim(const char *name) : name_(name) {}

    Message message() const {
        Message dim;
        if (size_ >= 0)
            dim.number(1, size_);
        else if (!name_.empty())
            dim.text(2, name_);
        return dim;
    }

  private:
    int64_t size_ = -1;
    std::string name_;
};

inline Message value(const std::string &name, Element element, const std::vector<Dim> &dims) {
    Message shape, tensor, type;
    for (const Dim &dim : dims)
        shape.message(1, dim.message());
    tensor.number(1, element).message(2, shape);
    type.message(1, tensor);
    return Message().text(1, name).message(2, type);
}

// Without data: it lies in another file, which does not exist.
inline Message weights(const std::string &name, Element element, const std::vector<int64_t> &dims) {
    Message tensor;
    for (const int64_t dim : dims)
        tensor.number(1, dim);
    tensor.number(2, element).text(8, name).number(14, 1);
    return tensor.message(13, Message().text(1, "location").text(2, "nowhere.bin"));
}

inline Message integers(const std::string &name, const std::vector<int64_t> &numbers,
                        bool scalar = false) {
    Message tensor;
    if (!scalar)
        tensor.number(1, static_cast<int64_t>(numbers.size()));
    std::string raw;
    for (const int64_t number : numbers)
        raw.append(reinterpret_cast<const char *>(&number), sizeof number);
    return tensor.number(2, INT64).text(8, name).text(9, raw);
}

inline Message attribute(const std::string &name, int64_t number) {
    return Message().text(1, name).number(3, number).number(20, 2);
}
inline Message list_attribute(const std::string &name, const std::vector<int64_t> &numbers) {
    Message made;
    made.text(1, name);
    for (const int64_t number : numbers)
        made.number(8, number);
    return made.number(20, 7);
}
inline Message text_attribute(const std::string &name, const std::string &text) {
    return Message().text(1, name).text(4, text).number(20, 3);
}
inline Message tensor_attribute(const std::string &name, const Message &tensor) {
    return Message().text(1, name).message(5, tensor).number(20, 4);
}
inline Message graph_attribute(const std::string &name, const Message &graph) {
    return Message().text(1, name).message(6, graph).number(20, 5);
}
// Of a function's node: what the call gives for this attribute.
inline Message attribute_reference(const std::string &name, const std::string &of) {
    return Message().text(1, name).text(21, of).number(20, 2);
}

struct Node {
    std::string kind;
    std::vector<std::string> inputs, outputs;
    std::vector<Message> attributes = {};
    std::string name = "", domain = "";

    Message message() const {
        Message node;
        for (const std::string &input : inputs)
            node.text(1, input);
        for (const std::string &output : outputs)
            node.text(2, output);
        if (!name.empty())
            node.text(3, name);
        node.text(4, kind);
        for (const Message &attribute : attributes)
            node.message(5, attribute);
        if (!domain.empty())
            node.text(7, domain);
        return node;
    }
};

struct Graph {
    std::vector<Node> nodes;
    std::vector<Message> inputs, outputs, initializers, infos;
    std::vector<Message> sparse_initializers;
    std::string name = "g";

    Message message() const {
        Message graph;
        for (const Node &node : nodes)
            graph.message(1, node.message());
        graph.text(2, name);
        for (const Message &initializer : initializers)
            graph.message(5, initializer);
        for (const Message &input : inputs)
            graph.message(11, input);
        for (const Message &output : outputs)
            graph.message(12, output);
        for (const Message &info : infos)
            graph.message(13, info);
        for (const Message &initializer : sparse_initializers)
            graph.message(15, initializer);
        return graph;
    }
};

inline Message function(const std::string &domain, const std::string &name,
                        const std::vector<std::string> &inputs,
                        const std::vector<std::string> &outputs, const std::vector<Node> &nodes) {
    Message made;
    made.text(1, name);
    for (const std::string &input : inputs)
        made.text(4, input);
    for (const std::string &output : outputs)
        made.text(5, output);
    for (const Node &node : nodes)
        made.message(7, node.message());
    return made.text(10, domain);
}

struct Model {
    Graph graph;
    int64_t opset = 13, version = 8;
    std::vector<Message> functions = {};
    std::vector<std::pair<std::string, int64_t>> domains = {};

    std::string bytes() const {
        Message model;
        model.number(1, version).text(2, "test").message(7, graph.message());
        model.message(8, Message().number(2, opset));
        for (const auto &[domain, number] : domains)
            model.message(8, Message().text(1, domain).number(2, number));
        for (const Message &function : functions)
            model.message(25, function);
        return model.bytes();
    }
};

} // namespace onnx_file

#endif

// GraphDef text made in a line for each node, and read into a graph whose parts have names.
#ifndef REGAL_TESTS_GRAPH_DEF_READING_H
#define REGAL_TESTS_GRAPH_DEF_READING_H

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "io/reader.h"
#include "io/tensorflow/tensorflow_module.h"
#include "support/regal_objects.h"

namespace pbtxt {

using Texts = std::vector<std::string>;

inline std::string dims(const std::vector<int64_t> &sizes) {
    std::string text = "{ ";
    for (const int64_t size : sizes)
        text += "dim { size: " + std::to_string(size) + " } ";
    return text + "}";
}

inline std::string attr(const std::string &key, const std::string &value) {
    return "attr { key: \"" + key + "\" value { " + value + " } } ";
}
inline std::string type(const std::string &key, const std::string &word) {
    return attr(key, "type: " + word);
}
inline std::string text(const std::string &key, const std::string &word) {
    return attr(key, "s: \"" + word + "\"");
}
inline std::string flag(const std::string &key) {
    return attr(key, "b: true");
}
inline std::string shape(const std::string &key, const std::vector<int64_t> &sizes) {
    return attr(key, "shape " + dims(sizes));
}
inline std::string integers(const std::string &key, const std::vector<int64_t> &numbers) {
    std::string list = "list { ";
    for (const int64_t number : numbers)
        list += "i: " + std::to_string(number) + " ";
    return attr(key, list + "}");
}
inline std::string shapes(const std::vector<std::vector<int64_t>> &all) {
    std::string list = "list { ";
    for (const auto &one : all)
        list += "shape " + dims(one) + " ";
    return attr("_output_shapes", list + "}");
}
inline std::string function(const std::string &key, const std::string &name) {
    return attr(key, "func { name: \"" + name + "\" }");
}

inline std::string body(const std::string &name, const std::string &op, const Texts &inputs,
                        const std::string &rest) {
    std::string made = "{ name: \"" + name + "\" op: \"" + op + "\" ";
    for (const std::string &input : inputs)
        made += "input: \"" + input + "\" ";
    return made + rest + "}\n";
}
// rest: attributes and whatever else a node has.
inline std::string node(const std::string &name, const std::string &op, const Texts &inputs = {},
                        const std::string &rest = type("T", "DT_FLOAT")) {
    return "node " + body(name, op, inputs, rest);
}
inline std::string placeholder(const std::string &name, const std::vector<int64_t> &sizes,
                               const std::string &element = "DT_FLOAT") {
    return node(name, "Placeholder", {}, type("dtype", element) + shape("shape", sizes));
}
inline std::string variable(const std::string &name, const std::vector<int64_t> &sizes,
                            const std::string &op = "VariableV2") {
    return node(name, op, {}, type("dtype", "DT_FLOAT") + shape("shape", sizes));
}
// A vector of numbers; with `scalar` its only one.
inline std::string constant(const std::string &name, const std::vector<int64_t> &numbers,
                            bool scalar = false, const Texts &inputs = {}) {
    std::string tensor = "tensor { dtype: DT_INT32 tensor_shape ";
    tensor += scalar ? "{ }" : dims({static_cast<int64_t>(numbers.size())});
    for (const int64_t number : numbers)
        tensor += " int_val: " + std::to_string(number);
    return node(name, "Const", inputs, type("dtype", "DT_INT32") + attr("value", tensor + " }"));
}

} // namespace pbtxt

class GraphDefGraph {
  public:
    explicit GraphDefGraph(const std::string &content, const regal_read_options &options = {}) {
        // On the heap and with no terminator, so that a sanitizer sees reading too far.
        const std::vector<char> bytes(content.begin(), content.end());
        regal_graph *made = nullptr;
        if (regal_read_graph_def(bytes.data(), bytes.size(), "g.pb", &options, &made) != REGAL_OK)
            throw std::runtime_error(regal_error_message());
        graph_.reset(made);
    }

    const regal_graph *get() const { return graph_.get(); }
    std::vector<std::string> op_names() const {
        std::vector<std::string> names;
        for (int64_t i = 0; i < regal_graph_op_count(get()); ++i)
            names.push_back(regal_graph_op(get(), i).name);
        return names;
    }
    regal_op op(const std::string &name) const {
        for (int64_t i = 0; i < regal_graph_op_count(get()); ++i)
            if (regal_graph_op(get(), i).name == name)
                return regal_graph_op(get(), i);
        throw std::runtime_error("no op " + name);
    }
    regal_tensor tensor(const std::string &name) const {
        for (int64_t i = 0; i < regal_graph_tensor_count(get()); ++i)
            if (regal_graph_tensor(get(), i).name == name)
                return regal_graph_tensor(get(), i);
        throw std::runtime_error("no tensor " + name);
    }
    int64_t bytes(const std::string &name) const { return tensor(name).bytes; }
    std::set<std::string> consumers(const std::string &name) const {
        const regal_tensor view = tensor(name);
        return op_set(view.consumers, view.consumer_count);
    }
    // "name bytes"
    std::set<std::string> parameters() const {
        std::set<std::string> all;
        for (int64_t i = 0; i < regal_graph_parameter_count(get()); ++i) {
            const regal_parameter view = regal_graph_parameter(get(), i);
            all.insert(std::string(view.name) + " " + std::to_string(view.bytes));
        }
        return all;
    }
    std::set<std::string> users(const std::string &name) const {
        for (int64_t i = 0; i < regal_graph_parameter_count(get()); ++i) {
            const regal_parameter view = regal_graph_parameter(get(), i);
            if (view.name == name)
                return op_set(view.ops, view.op_count);
        }
        throw std::runtime_error("no parameter " + name);
    }
    // "before>after"
    std::set<std::string> controls() const {
        std::set<std::string> edges;
        for (int64_t i = 0; i < regal_graph_control_count(get()); ++i) {
            const regal_control_edge edge = regal_graph_control(get(), i);
            edges.insert(std::string(regal_graph_op(get(), edge.before).name) + ">" +
                         regal_graph_op(get(), edge.after).name);
        }
        return edges;
    }
    // Device numbers and patterns; "any" where every device is allowed.
    std::vector<std::string> allowed(const std::string &name) const {
        const regal_op view = op(name);
        if (view.allowed == nullptr)
            return {"any"};
        std::vector<std::string> all;
        for (int64_t i = 0; i < view.allowed_count; ++i)
            all.push_back(view.allowed[i].pattern != nullptr
                              ? view.allowed[i].pattern
                              : std::to_string(view.allowed[i].device));
        return all;
    }

  private:
    std::set<std::string> op_set(const int64_t *ops, int64_t count) const {
        std::set<std::string> names;
        for (int64_t i = 0; i < count; ++i)
            names.insert(regal_graph_op(get(), ops[i]).name);
        return names;
    }
    GraphPtr graph_;
};

// Reading fails so; else what was read is a failure of the test.
inline void expect_refused(const std::string &content, const std::string &part,
                           const regal_read_options &options = {}) {
    try {
        GraphDefGraph graph(content, options);
        ADD_FAILURE() << "was read: " << content;
    } catch (const std::runtime_error &error) {
        EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
}

// Skipped where the build has no TensorFlow.
class WithTensorFlow : public testing::Test {
  protected:
    void SetUp() override {
        const regal_tensorflow_module *module;
        if (regal_tensorflow_load(&module) == REGAL_UNAVAILABLE)
            GTEST_SKIP() << regal_error_message();
    }
};

#endif

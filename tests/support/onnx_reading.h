// Reads ONNX models that tests make, and finds things in the graphs.
#ifndef REGAL_TESTS_ONNX_READING_H
#define REGAL_TESTS_ONNX_READING_H

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "io/reader.h"
#include "support/onnx_file.h"
#include "support/refusal.h"
#include "support/regal_objects.h"
#include "support/warning_list.h"

class OnnxGraph {
  public:
    explicit OnnxGraph(const std::string &bytes, const std::vector<std::string> &dimensions = {},
                       std::optional<int64_t> assumed = {}) {
        std::vector<const char *> texts;
        for (const std::string &dimension : dimensions)
            texts.push_back(dimension.c_str());
        regal_read_options options = {};
        options.dimensions = texts.data();
        options.dimension_count = static_cast<int64_t>(texts.size());
        options.assume_bytes = assumed.has_value();
        options.assumed_bytes = assumed.value_or(0);
        WarningList warnings;
        regal_graph *graph = nullptr;
        status = regal_read_onnx(bytes.data(), bytes.size(), "model.onnx", &options, &graph);
        if (status != REGAL_OK)
            message = regal_error_message();
        graph_.reset(graph);
        for (const std::string &warning : warnings.list)
            warned += warning + "\n";
    }
    explicit OnnxGraph(const onnx_file::Model &model,
                       const std::vector<std::string> &dimensions = {},
                       std::optional<int64_t> assumed = {})
        : OnnxGraph(model.bytes(), dimensions, assumed) {}

    const regal_graph *get() const { return graph_.get(); }

    // Its name is not there: an op whose name is NULL.
    regal_op op(const std::string &name) const {
        for (int64_t v = 0; graph_ != nullptr && v < regal_graph_op_count(get()); ++v)
            if (regal_graph_op(get(), v).name == name)
                return regal_graph_op(get(), v);
        return {};
    }
    bool has_op(const std::string &name) const { return op(name).name != nullptr; }
    std::string ops() const {
        std::string names;
        for (int64_t v = 0; graph_ != nullptr && v < regal_graph_op_count(get()); ++v)
            names += (v > 0 ? " " : "") + std::string(regal_graph_op(get(), v).name);
        return names;
    }
    // -1: there is none.
    int64_t bytes(const std::string &tensor) const {
        for (int64_t t = 0; graph_ != nullptr && t < regal_graph_tensor_count(get()); ++t)
            if (regal_graph_tensor(get(), t).name == tensor)
                return regal_graph_tensor(get(), t).bytes;
        return -1;
    }
    int64_t parameter(const std::string &name) const {
        for (int64_t p = 0; graph_ != nullptr && p < regal_graph_parameter_count(get()); ++p)
            if (regal_graph_parameter(get(), p).name == name)
                return regal_graph_parameter(get(), p).bytes;
        return -1;
    }
    // The ops that use a parameter, by name.
    std::string users(const std::string &parameter) const {
        std::string names;
        for (int64_t p = 0; graph_ != nullptr && p < regal_graph_parameter_count(get()); ++p) {
            const regal_parameter found = regal_graph_parameter(get(), p);
            for (int64_t u = 0; found.name == parameter && u < found.op_count; ++u)
                names += (u > 0 ? " " : "") + std::string(regal_graph_op(get(), found.ops[u]).name);
        }
        return names;
    }
    testing::AssertionResult ok() const {
        if (status == REGAL_OK)
            return testing::AssertionSuccess();
        return testing::AssertionFailure() << message << "\n" << warned;
    }
    testing::AssertionResult refused(regal_status expected, const std::string &part) const {
        if (status != expected || message.find(part) == std::string::npos)
            return testing::AssertionFailure()
                   << regal_status_name(status) << ": '" << message << "'";
        return testing::AssertionSuccess();
    }
    bool warned_of(const std::string &part) const { return warned.find(part) != std::string::npos; }

    regal_status status;
    std::string message, warned;

  private:
    GraphPtr graph_;
};

#endif

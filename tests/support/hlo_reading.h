// HLO text read into a graph, and its parts by name.
#ifndef REGAL_TESTS_HLO_READING_H
#define REGAL_TESTS_HLO_READING_H

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "io/reader.h"
#include "support/regal_objects.h"

// The graph has the classes of these profiles (none: the default).
class HloGraph {
  public:
    explicit HloGraph(const std::string &text, const std::vector<const char *> &profiles = {}) {
        // On the heap and with no terminator, so that a sanitizer sees reading too far.
        const std::vector<char> bytes(text.begin(), text.end());
        const regal_read_options options = {.profiles = profiles.data(),
                                            .profile_count = (int64_t)profiles.size()};
        regal_graph *made = nullptr;
        if (regal_read_hlo(bytes.data(), bytes.size(), "file.hlo", &options, &made) != REGAL_OK)
            throw std::runtime_error(regal_error_message());
        graph_.reset(made);
    }

    const regal_graph *get() const { return graph_.get(); }
    int64_t op_count() const { return regal_graph_op_count(get()); }
    int64_t tensor_count() const { return regal_graph_tensor_count(get()); }
    int64_t parameter_count() const { return regal_graph_parameter_count(get()); }

    std::vector<std::string> op_names() const {
        std::vector<std::string> names;
        for (int64_t i = 0; i < op_count(); ++i)
            names.push_back(regal_graph_op(get(), i).name);
        return names;
    }
    regal_op op(const std::string &name) const { return regal_graph_op(get(), op_index(name)); }
    int64_t op_index(const std::string &name) const {
        for (int64_t i = 0; i < op_count(); ++i)
            if (regal_graph_op(get(), i).name == name)
                return i;
        throw std::runtime_error("no op " + name);
    }
    regal_tensor tensor(const std::string &name) const {
        return regal_graph_tensor(get(), tensor_index(name));
    }
    int64_t tensor_index(const std::string &name) const {
        for (int64_t i = 0; i < tensor_count(); ++i)
            if (regal_graph_tensor(get(), i).name == name)
                return i;
        throw std::runtime_error("no tensor " + name);
    }
    bool has_tensor(const std::string &name) const {
        for (int64_t i = 0; i < tensor_count(); ++i)
            if (regal_graph_tensor(get(), i).name == name)
                return true;
        return false;
    }
    regal_parameter parameter(const std::string &name) const {
        for (int64_t i = 0; i < parameter_count(); ++i)
            if (regal_graph_parameter(get(), i).name == name)
                return regal_graph_parameter(get(), i);
        throw std::runtime_error("no parameter " + name);
    }

    std::set<std::string> consumers(const std::string &tensor_name) const {
        const regal_tensor view = tensor(tensor_name);
        return op_set(view.consumers, view.consumer_count);
    }
    std::set<std::string> users(const std::string &parameter_name) const {
        const regal_parameter view = parameter(parameter_name);
        return op_set(view.ops, view.op_count);
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

  private:
    std::set<std::string> op_set(const int64_t *ops, int64_t count) const {
        std::set<std::string> names;
        for (int64_t i = 0; i < count; ++i)
            names.insert(regal_graph_op(get(), ops[i]).name);
        return names;
    }
    GraphPtr graph_;
};

// The folder of the shared HLO files; "" where it is missing.
inline std::string hlo_folder() {
    const char *shared = getenv("REGAL_SHARED");
    const std::string folder =
        std::string(shared != nullptr ? shared : REGAL_SOURCE_DIR "/../shared") + "/graphs/hlo";
    return std::filesystem::is_directory(folder) ? folder : "";
}

inline std::string file_text(const std::string &path) {
    std::ifstream in(path, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

#endif

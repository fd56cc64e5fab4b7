#include "cli/program_files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace fs = std::filesystem;

JsonPtr parse_json(const std::string &text) {
    return JsonPtr(json_loadb(text.data(), text.size(), 0, nullptr));
}

json_t *json_at(const JsonPtr &json, const std::string &path) {
    json_t *value = json.get();
    std::istringstream names(path);
    std::string name;
    while (value && std::getline(names, name, '/'))
        value = json_object_get(value, name.c_str());
    return value;
}

int64_t json_number(const JsonPtr &json, const std::string &path) {
    json_t *value = json_at(json, path);
    return json_is_integer(value) ? json_integer_value(value) : -1;
}

std::string json_string_at(const JsonPtr &json, const std::string &path) {
    json_t *value = json_at(json, path);
    return json_is_string(value) ? json_string_value(value) : "";
}

std::string read_text(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

void write_text(const std::string &path, const std::string &text) {
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file)
        throw std::runtime_error("cannot write " + path);
}

std::vector<std::string> lines_of(const std::string &text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

namespace {

std::string graph_text(const std::string &name, const std::string &ops, const std::string &tensors,
                       const std::string &control = "") {
    return R"({"format": "regal-graph", "version": 1, "name": ")" + name +
           R"(", "device_classes": ["a"], "ops": [)" + ops + R"(], "tensors": [)" + tensors +
           R"(], "control": [)" + control + R"(], "parameters": []})";
}

std::string op_text(int64_t i, int64_t cost) {
    return (i ? ", " : "") + std::string(R"({"name": "op)") + std::to_string(i) +
           R"(", "kind": "Add", "cost": [)" + std::to_string(cost) + "]}";
}

std::string tensor_text(int64_t i, int64_t producer, int64_t consumer) {
    return (i ? ", " : "") + std::string(R"({"name": "t)") + std::to_string(i) +
           R"(", "producer": )" + std::to_string(producer) + R"(, "bytes": 4000, "consumers": [)" +
           std::to_string(consumer) + "]}";
}

} // namespace

std::string small_graph() {
    std::string ops, tensors;
    for (int64_t i = 0; i < 9; ++i)
        ops += op_text(i, 50000 + 1000 * i);
    for (int64_t i = 0; i < 8; ++i)
        tensors += tensor_text(i, i, i == 3 || i == 7 ? 8 : i + 1);
    return graph_text("small", ops, tensors);
}

std::string chain_graph(int64_t n) {
    std::string ops, tensors;
    for (int64_t i = 0; i < n; ++i)
        ops += op_text(i, 1000 + i % 7);
    for (int64_t i = 0; i + 1 < n; ++i)
        tensors += tensor_text(i, i, i + 1);
    return graph_text("chain", ops, tensors);
}

std::string hard_graph(int64_t n) {
    std::string ops, tensors;
    std::vector<std::string> consumers(size_t(n), "");
    uint32_t state = 1;
    const auto draw = [&](int64_t below) {
        state = state * 1664525 + 1013904223;
        return int64_t(state >> 8) % below;
    };
    for (int64_t i = 0; i < n; ++i) {
        ops += op_text(i, 1000 + draw(100000));
        for (int k = 0; i > 0 && k < 2; ++k) {
            std::string &list = consumers[size_t(i - 1 - draw(std::min<int64_t>(i, 20)))];
            list += (list.empty() ? "" : ", ") + std::to_string(i);
        }
    }
    for (int64_t i = 0; i < n; ++i)
        tensors += (i ? ", " : "") + std::string(R"({"name": "t)") + std::to_string(i) +
                   R"(", "producer": )" + std::to_string(i) + R"(, "bytes": )" +
                   std::to_string(1000 + draw(2000000)) + R"(, "consumers": [)" +
                   consumers[size_t(i)] + "]}";
    return graph_text("hard", ops, tensors);
}

namespace {

std::vector<std::string> files_in(const fs::path &folder, const std::string &extensions) {
    std::vector<std::string> files;
    std::error_code ignored;
    for (const auto &entry : fs::directory_iterator(folder, ignored))
        if (extensions.find(entry.path().extension().string() + " ") != std::string::npos)
            files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
    return files;
}

fs::path shared_folder() {
    const char *chosen = getenv("REGAL_SHARED");
    return chosen ? fs::path(chosen) : fs::path(REGAL_SOURCE_DIR) / ".." / "shared";
}

} // namespace

std::vector<std::string> sample_graphs() {
    return files_in(fs::path(REGAL_SOURCE_DIR) / "models" / "graphs", ".json .pbtxt .hlo ");
}

std::vector<std::string> shared_graphs() {
    std::vector<std::string> files = files_in(shared_folder() / "graphs" / "hlo", ".hlo ");
    for (const std::string &file :
         files_in(shared_folder() / "graphs" / "costgraph", ".pbtxt .pb "))
        files.push_back(file);
    return files;
}

std::vector<std::string> shared_models() {
    std::vector<std::string> files = shared_graphs();
    for (const auto &[folder, extensions] :
         {std::pair{"onnx", ".onnx "}, std::pair{"graphdef", ".pb .pbtxt "}})
        for (const std::string &file : files_in(shared_folder() / "graphs" / folder, extensions))
            files.push_back(file);
    return files;
}

std::string shared_file(const std::string &name) {
    const fs::path path = shared_folder() / name;
    return fs::exists(path) ? path.string() : "";
}

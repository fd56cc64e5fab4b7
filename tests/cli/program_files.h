// Files that tests of the program read and write.
#ifndef REGAL_TESTS_PROGRAM_FILES_H
#define REGAL_TESTS_PROGRAM_FILES_H

#include <jansson.h>

#include <memory>
#include <string>
#include <vector>

struct JsonRelease {
    void operator()(json_t *json) const { json_decref(json); }
};
using JsonPtr = std::unique_ptr<json_t, JsonRelease>;

// Empty where the text is no JSON.
JsonPtr parse_json(const std::string &text);
// The value at a path such as "made/seed", or nullptr.
json_t *json_at(const JsonPtr &json, const std::string &path);
int64_t json_number(const JsonPtr &json, const std::string &path); // -1 where there is none
std::string json_string_at(const JsonPtr &json, const std::string &path);

std::string read_text(const std::string &path);
void write_text(const std::string &path, const std::string &text);
std::vector<std::string> lines_of(const std::string &text);

// Two chains of four ops that meet: a plan for it is found in milliseconds.
std::string small_graph();
// n ops in a chain, each with a tensor.
std::string chain_graph(int64_t n);

// n ops, each of two earlier ones: nobody finds its best plan.
std::string hard_graph(int64_t n);

// The sample graphs of the project.
std::vector<std::string> sample_graphs();
// The HLO and CostGraphDef files of the shared folder; none where it is missing.
std::vector<std::string> shared_graphs();
// Those, and its ONNX and GraphDef files, which may lack sizes.
std::vector<std::string> shared_models();
// A file of the shared folder, or "" where it is missing.
std::string shared_file(const std::string &name);

#endif

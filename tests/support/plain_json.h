// Files of decode cases (the shape of the golden file): {"about", "cases": [{"graph", "cluster",
// "chromosome", "plan"}, ...]}. Shares nothing with the library's readers and writers.
#ifndef REGAL_TESTS_PLAIN_JSON_H
#define REGAL_TESTS_PLAIN_JSON_H

#include <string>
#include <vector>

#include "support/plain_case.h"

namespace plain {

// Throws std::runtime_error where the file cannot be read or is not of this shape.
std::vector<Case> read_cases(const std::string &path);
void write_cases(const std::string &path, const std::string &about, const std::vector<Case> &cases);

// One part of a case as compact JSON text, as the library reads it.
std::string to_json(const Graph &graph);
std::string to_json(const Cluster &cluster);
std::string to_json(const Chromosome &chromosome);

// The golden file of the shared folder; "" where that folder is missing.
std::string golden_path();

} // namespace plain

#endif

// Finds in CUDA sources what the stand-in does not model, and so would not test.
#ifndef SIMT_LINT_H
#define SIMT_LINT_H

#include <string>
#include <vector>

// One line for each finding: NAME:LINE: what is wrong.
std::vector<std::string> lint(const std::string &name, const std::string &source);

#endif

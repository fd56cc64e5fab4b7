// The library's decoder, asked with plain data.
#ifndef REGAL_TESTS_DECODED_H
#define REGAL_TESTS_DECODED_H

#include <optional>

#include "support/plain_case.h"
#include "support/regal_objects.h"

struct Decoded {
    GraphPtr graph;
    ClusterPtr cluster;
    ProblemPtr problem; // empty where the problem is infeasible
    PlanPtr plan;
};

// Throws std::runtime_error for any failure other than REGAL_INFEASIBLE.
Decoded decode_with_library(const plain::Case &one);

// The plan of the case's chromosome; nothing where the problem is infeasible.
std::optional<plain::Plan> library_plan(const plain::Case &one);
// The same with everything handed over as JSON text, through the library's readers.
std::optional<plain::Plan> library_plan_from_json(const plain::Case &one);

#endif

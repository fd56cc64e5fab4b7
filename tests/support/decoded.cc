#include "support/decoded.h"

#include <stdexcept>

Decoded decode_with_library(const plain::Case &one) {
    Decoded made;
    made.graph = make_graph(one.graph);
    made.cluster = make_cluster(one.cluster);
    if (regal_graph_validate(made.graph.get()) != REGAL_OK)
        throw std::runtime_error(regal_error_message());
    regal_problem *problem = nullptr;
    const regal_status status =
        regal_problem_create(made.graph.get(), made.cluster.get(), &problem);
    if (status == REGAL_INFEASIBLE)
        return made;
    if (status != REGAL_OK)
        throw std::runtime_error(regal_error_message());
    made.problem.reset(problem);
    const ChromosomePtr keys =
        make_chromosome(one.chromosome, static_cast<int64_t>(one.cluster.devices.size()));
    regal_plan *plan = nullptr;
    if (regal_chromosome_decode(problem, keys.get(), &plan) != REGAL_OK)
        throw std::runtime_error(regal_error_message());
    made.plan.reset(plan);
    return made;
}

std::optional<plain::Plan> library_plan(const plain::Case &one) {
    const Decoded decoded = decode_with_library(one);
    return decoded.plan ? std::optional(read_plan(decoded.plan.get())) : std::nullopt;
}

#include "support/decoded.h"

#include <stdexcept>

#include "support/plain_json.h"

static void require(regal_status status) {
    if (status != REGAL_OK)
        throw std::runtime_error(regal_error_message());
}

// Fills in problem and plan.
static void decode(Decoded &made, const regal_chromosome *keys) {
    regal_problem *problem = nullptr;
    const regal_status status =
        regal_problem_create(made.graph.get(), made.cluster.get(), &problem);
    if (status == REGAL_INFEASIBLE)
        return;
    require(status);
    made.problem.reset(problem);
    regal_plan *plan = nullptr;
    require(regal_chromosome_decode(problem, keys, &plan));
    made.plan.reset(plan);
}

static std::optional<plain::Plan> plan_of(const Decoded &decoded) {
    return decoded.plan ? std::optional(read_plan(decoded.plan.get())) : std::nullopt;
}

Decoded decode_with_library(const plain::Case &one) {
    Decoded made;
    made.graph = make_graph(one.graph);
    made.cluster = make_cluster(one.cluster);
    require(regal_graph_validate(made.graph.get()));
    const ChromosomePtr keys =
        make_chromosome(one.chromosome, static_cast<int64_t>(one.cluster.devices.size()));
    decode(made, keys.get());
    return made;
}

std::optional<plain::Plan> library_plan(const plain::Case &one) {
    return plan_of(decode_with_library(one));
}

std::optional<plain::Plan> library_plan_from_json(const plain::Case &one) {
    Decoded made;
    const std::string graph_text = plain::to_json(one.graph);
    regal_graph *graph = nullptr;
    require(regal_graph_parse(graph_text.data(), graph_text.size(), "graph.json", nullptr, &graph));
    made.graph.reset(graph);
    const std::string cluster_text = plain::to_json(one.cluster);
    regal_cluster *cluster = nullptr;
    require(regal_cluster_parse_json(cluster_text.data(), cluster_text.size(), "cluster.json",
                                     &cluster));
    made.cluster.reset(cluster);
    const std::string keys_text = plain::to_json(one.chromosome);
    regal_chromosome *keys = nullptr;
    require(regal_chromosome_parse(keys_text.data(), keys_text.size(), "keys.json", &keys));
    const ChromosomePtr owned(keys);
    decode(made, keys);
    return plan_of(made);
}

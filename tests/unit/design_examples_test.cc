// The examples in the design are files that REGAL reads, and they fit together.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "policy/graph_set.h"
#include "support/refusal.h"
#include "support/regal_objects.h"

namespace {

std::vector<std::string> examples() {
    std::ifstream file(REGAL_SOURCE_DIR "/include/regal/core/DESIGN.md");
    std::stringstream text;
    text << file.rdbuf();
    const std::string all = text.str(), open = "```json\n";
    std::vector<std::string> found;
    for (size_t at = all.find(open); at != std::string::npos; at = all.find(open, at)) {
        const size_t begin = at + open.size();
        at = all.find("```", begin);
        found.push_back(all.substr(begin, at - begin));
    }
    return found;
}

TEST(Design, ExamplesOfFormatsCanBeRead) {
    const std::vector<std::string> text = examples();
    ASSERT_EQ(text.size(), 5u); // graph, cluster, chromosome, proposals, set
    regal_graph *graph;
    regal_cluster *cluster;
    regal_chromosome *keys;
    ASSERT_EQ(regal_graph_parse(text[0].data(), text[0].size(), "graph", nullptr, &graph), REGAL_OK)
        << regal_error_message();
    const GraphPtr own_graph(graph);
    ASSERT_EQ(regal_cluster_parse_json(text[1].data(), text[1].size(), "cluster", &cluster),
              REGAL_OK)
        << regal_error_message();
    const ClusterPtr own_cluster(cluster);
    ASSERT_EQ(regal_chromosome_parse(text[2].data(), text[2].size(), "keys", &keys), REGAL_OK)
        << regal_error_message();
    const ChromosomePtr own_keys(keys);
    regal_problem *problem;
    ASSERT_EQ(regal_problem_create(graph, cluster, &problem), REGAL_OK) << regal_error_message();
    const ProblemPtr own_problem(problem);
    regal_plan *plan;
    ASSERT_EQ(regal_chromosome_decode(problem, keys, &plan), REGAL_OK) << regal_error_message();
    EXPECT_EQ(plan->makespan, 120);
    regal_plan_destroy(plan);
    regal_graph_set *set; // all is well but for the file, which is an example, too
    EXPECT_TRUE(refused_with(regal_graph_set_parse(text[4].data(), text[4].size(), "set", &set),
                             REGAL_INVALID_INPUT, "graphs/x.json: cannot open"));
}

} // namespace

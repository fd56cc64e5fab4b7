// Controls: which words name them, and what they propose.
#include "policy/controls.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "regal/core/proposal.h"
#include "regal/regal.h"
#include "support/refusal.h"
#include "support/regal_objects.h"

namespace {

regal_control Control(const std::string &word) {
    regal_control control{};
    EXPECT_EQ(regal_control_read(word.c_str(), &control), REGAL_OK) << regal_error_message();
    return control;
}

struct Setting {
    GraphPtr graph;
    ClusterPtr cluster;
    ProblemPtr problem;
};

Setting Made(regal_graph *graph, const char *devices) {
    regal_cluster *cluster = nullptr;
    regal_problem *problem = nullptr;
    EXPECT_EQ(regal_cluster_parse(devices, "free", &cluster), REGAL_OK);
    EXPECT_EQ(regal_problem_create(graph, cluster, &problem), REGAL_OK);
    return {GraphPtr(graph), ClusterPtr(cluster), ProblemPtr(problem)};
}

// 0 -> 1 -> 2, and 0 -> 3; costs 10, 100, 10, 20; bytes 40, 10, 10, 90.
Setting Fork() {
    regal_graph *graph = nullptr;
    const char *classes[] = {"default"};
    EXPECT_EQ(regal_graph_create("fork", 1, classes, &graph), REGAL_OK);
    const int64_t costs[] = {10, 100, 10, 20}, bytes[] = {40, 10, 10, 90};
    const int64_t first[] = {1, 3}, second[] = {2};
    for (int64_t v = 0; v < 4; ++v) {
        regal_op op{};
        op.cost = &costs[v];
        EXPECT_EQ(regal_graph_add_op(graph, &op, nullptr), REGAL_OK);
    }
    for (int64_t v = 0; v < 4; ++v) {
        const int64_t count = v == 0 ? 2 : v == 1 ? 1 : 0;
        const regal_tensor tensor{nullptr, v, bytes[v], v == 0 ? first : second, count, false, -1};
        EXPECT_EQ(regal_graph_add_tensor(graph, &tensor, nullptr), REGAL_OK);
    }
    return Made(graph, "2");
}

std::vector<uint16_t> Proposed(const Setting &setting, const std::string &word,
                               regal_encoding encoding, int64_t *rows) {
    const regal_control control = Control(word);
    uint16_t *genes = nullptr;
    EXPECT_EQ(regal_control_propose(&control, setting.problem.get(), REGAL_MEMORY, encoding, 1,
                                    &genes, rows),
              REGAL_OK)
        << regal_error_message();
    const regal_graph *graph = setting.graph.get();
    const int64_t count = regal_gene_count(encoding, regal_graph_op_count(graph), 2);
    const std::vector<uint16_t> list(genes, genes + (genes != nullptr ? *rows * count : 0));
    free(genes);
    return list;
}

int Mean(uint16_t proposal) {
    return (proposal - 1) / REGAL_CONCENTRATION_BINS;
}
int Concentration(uint16_t proposal) {
    return (proposal - 1) % REGAL_CONCENTRATION_BINS;
}

TEST(Controls, AreKnownByTheirWords) {
    EXPECT_EQ(Control("none").kind, REGAL_CONTROL_NONE);
    EXPECT_EQ(Control("upward-rank").kind, REGAL_CONTROL_UPWARD_RANK);
    EXPECT_EQ(Control("heft-seed").kind, REGAL_CONTROL_HEFT_SEED);
    EXPECT_EQ(Control("untrained").kind, REGAL_CONTROL_UNTRAINED);
    EXPECT_EQ(Control("auto").kind, REGAL_NO_CONTROL);
    EXPECT_EQ(Control("none.safetensors").kind, REGAL_NO_CONTROL);
    const regal_control beta = Control("beta:0.25,30");
    EXPECT_EQ(beta.kind, REGAL_CONTROL_BETA);
    EXPECT_EQ(beta.mean, 0.25);
    EXPECT_EQ(beta.concentration, 30);
    for (const char *word : {"beta:", "beta:0.5", "beta:2,3", "beta:0.5,0.1", "beta:0.5,10x",
                             "beta:nan,10", "beta:0.5,2000"}) {
        regal_control control{};
        EXPECT_TRUE(refused_with(regal_control_read(word, &control), REGAL_INVALID_ARGUMENT,
                                 "such as beta:0.5,10"))
            << word;
    }
}

TEST(Controls, ProposeNothingWhereTheyOnlyChangeTheSearch) {
    int64_t rows = 7;
    for (const char *word : {"none", "heft-seed", "a policy"}) {
        EXPECT_TRUE(Proposed(Fork(), word, REGAL_AFFINITY, &rows).empty());
        EXPECT_EQ(rows, 0);
    }
}

TEST(Controls, ProposeUpwardRanks) {
    int64_t rows = 0;
    const std::vector<uint16_t> genes = Proposed(Fork(), "upward-rank", REGAL_AFFINITY, &rows);
    ASSERT_EQ(rows, 1);
    ASSERT_EQ(genes.size(), 16u);
    /* Ranks 122 (two transfers of a tick), 111, 10, 20. */
    EXPECT_EQ(Mean(genes[0]), REGAL_MEAN_BINS - 1);
    EXPECT_EQ(Mean(genes[2]), 0);
    EXPECT_LT(Mean(genes[1]), Mean(genes[0]));
    EXPECT_GT(Mean(genes[1]), Mean(genes[3]));
    EXPECT_GT(Mean(genes[3]), 0);
    for (int v = 0; v < 4; ++v)
        EXPECT_EQ(Concentration(genes[v]), 3); /* 10 */
    for (int g = 4; g < 12; ++g)
        EXPECT_EQ(genes[g], 0);
    EXPECT_EQ(genes[12], genes[1]); /* the transfer is as urgent as its best consumer */
    EXPECT_EQ(genes[13], genes[2]);
    EXPECT_EQ(genes[14], 0);
    const std::vector<uint16_t> inherit = Proposed(Fork(), "upward-rank", REGAL_INHERIT, &rows);
    ASSERT_EQ(inherit.size(), 8u);
    EXPECT_EQ(inherit[0], genes[0]);
    EXPECT_EQ(inherit[7], 0);
}

TEST(Controls, ProposeBytesFreedLessThoseDefined) {
    int64_t rows = 0;
    const std::vector<uint16_t> genes = Proposed(Fork(), "bytes-freed", REGAL_AFFINITY, &rows);
    ASSERT_EQ(genes.size(), 16u);
    /* -40, 20 - 10, 10 - 10, 20 - 90: shares 30 / 80, 1, 70 / 80, 0. */
    const int means[] = {Mean(genes[0]), Mean(genes[1]), Mean(genes[2]), Mean(genes[3])};
    EXPECT_NEAR(means[0], 0.375 * 40, 1);
    EXPECT_EQ(means[1], 40);
    EXPECT_NEAR(means[2], 0.875 * 40, 1);
    EXPECT_EQ(means[3], 0);
}

TEST(Controls, ProposeOneBetaForAllKeys) {
    int64_t rows = 0;
    const std::vector<uint16_t> genes = Proposed(Fork(), "beta:0.5,100", REGAL_AFFINITY, &rows);
    ASSERT_EQ(genes.size(), 16u);
    EXPECT_EQ(std::set<uint16_t>(genes.begin(), genes.end()).size(), 1u);
    EXPECT_EQ(Mean(genes[0]), 20);
    EXPECT_EQ(Concentration(genes[0]), 6);
}

TEST(Controls, ProposeRowsOfUntrainedRollOuts) {
    int64_t rows = 0;
    const std::vector<uint16_t> genes = Proposed(Fork(), "untrained", REGAL_AFFINITY, &rows);
    EXPECT_EQ(rows, 16);
    EXPECT_EQ(genes.size(), 16u * 16);
    EXPECT_EQ(genes, Proposed(Fork(), "untrained", REGAL_AFFINITY, &rows));
}

} // namespace

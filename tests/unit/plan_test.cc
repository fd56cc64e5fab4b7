#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "regal/plan.h"

namespace {

struct Release {
    void operator()(regal_graph *graph) const { regal_graph_destroy(graph); }
    void operator()(regal_cluster *cluster) const { regal_cluster_destroy(cluster); }
    void operator()(regal_plan *plan) const { regal_plan_destroy(plan); }
};
using Graph = std::unique_ptr<regal_graph, Release>;
using Cluster = std::unique_ptr<regal_cluster, Release>;
using Plan = std::unique_ptr<regal_plan, Release>;

/* Ops "first" (costs 0 and 4) and "op1" (5 and 6) on classes "slow" and "fast". */
Graph two_ops() {
    const char *classes[] = {"slow", "fast"};
    regal_graph *graph = nullptr;
    EXPECT_EQ(regal_graph_create("g", 2, classes, &graph), REGAL_OK);
    const int64_t costs[2][2] = {{0, 4}, {5, 6}};
    regal_op op = {};
    op.name = "first";
    op.cost = costs[0];
    EXPECT_EQ(regal_graph_add_op(graph, &op, nullptr), REGAL_OK);
    op.name = nullptr;
    op.cost = costs[1];
    EXPECT_EQ(regal_graph_add_op(graph, &op, nullptr), REGAL_OK);
    EXPECT_EQ(regal_graph_set_option(graph, "profile", "h100"), REGAL_OK);
    return Graph(graph);
}

Cluster devices_of(const std::vector<const char *> &classes) {
    regal_cluster *cluster = nullptr;
    EXPECT_EQ(regal_cluster_create(&cluster), REGAL_OK);
    for (const char *name : classes) {
        const regal_device device = {nullptr, 0, name, 0};
        EXPECT_EQ(regal_cluster_add_device(cluster, &device), REGAL_OK);
    }
    return Cluster(cluster);
}

Plan empty_plan(int64_t ops, int64_t devices, int64_t transfers = 0) {
    regal_plan *plan = nullptr;
    EXPECT_EQ(regal_plan_create(ops, devices, transfers, &plan), REGAL_OK);
    return Plan(plan);
}

void expect_message(const char *part) {
    const std::string message = regal_error_message();
    EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(Plan, StartsZeroedAndUnknown) {
    const Plan plan = empty_plan(2, 3, 1);
    EXPECT_EQ(plan->placement[1], 0);
    EXPECT_EQ(plan->transfers[0].start, 0);
    EXPECT_EQ(plan->peak[2], 0);
    EXPECT_EQ(plan->finish, nullptr);
    EXPECT_EQ(plan->cluster, nullptr);
    EXPECT_EQ(plan->op_names, nullptr);
    EXPECT_EQ(plan->bound_time, -1);
    EXPECT_EQ(plan->made.version, nullptr);
    EXPECT_EQ(plan->made.evaluations, -1);
    EXPECT_STREQ(plan->graph_digest, "");
}

TEST(Plan, RefusesSizesThatCannotBe) {
    regal_plan *plan = nullptr;
    EXPECT_EQ(regal_plan_create(-1, 1, 0, &plan), REGAL_INVALID_ARGUMENT);
    EXPECT_EQ(regal_plan_create(INT64_MAX, 1, 0, &plan), REGAL_OUT_OF_MEMORY);
    EXPECT_EQ(regal_plan_create(1, 1, INT64_MAX, &plan), REGAL_OUT_OF_MEMORY);
    EXPECT_EQ(plan, nullptr);
}

TEST(Plan, AttachedIsSelfContained) {
    Plan plan = empty_plan(2, 2);
    plan->placement[1] = 1;
    plan->start[1] = 10;
    {
        const Graph graph = two_ops();
        const Cluster cluster = devices_of({"slow", "fast"});
        ASSERT_EQ(regal_plan_attach(plan.get(), graph.get(), cluster.get()), REGAL_OK);
        char digest[17];
        regal_graph_digest(graph.get(), digest);
        EXPECT_STREQ(plan->graph_digest, digest);
    }
    EXPECT_EQ(plan->finish[0], 1) << "an op lasts at least one tick";
    EXPECT_EQ(plan->finish[1], 16);
    EXPECT_STREQ(plan->op_names[0], "first");
    EXPECT_STREQ(plan->op_names[1], "op1");
    ASSERT_EQ(plan->option_count, 1);
    EXPECT_STREQ(plan->option_keys[0], "profile");
    EXPECT_STREQ(plan->option_values[0], "h100");
    EXPECT_EQ(regal_cluster_device_count(plan->cluster), 2);
}

TEST(Plan, AttachesAgainToItsOwnCluster) {
    Plan plan = empty_plan(2, 1);
    const Graph graph = two_ops();
    ASSERT_EQ(regal_plan_attach(plan.get(), graph.get(), devices_of({"fast"}).get()), REGAL_OK);
    ASSERT_EQ(regal_plan_attach(plan.get(), graph.get(), plan->cluster), REGAL_OK);
    EXPECT_EQ(regal_cluster_device_count(plan->cluster), 1);
    EXPECT_EQ(plan->finish[0], 4);
}

TEST(Plan, DoesNotAttachToWhatItDoesNotFit) {
    const Graph graph = two_ops();
    const Cluster one = devices_of({"slow"}), other = devices_of({"tpu"});
    Plan plan = empty_plan(3, 1);
    EXPECT_EQ(regal_plan_attach(plan.get(), graph.get(), one.get()), REGAL_INVALID_INPUT);
    expect_message("3 ops");
    plan = empty_plan(2, 2);
    EXPECT_EQ(regal_plan_attach(plan.get(), graph.get(), one.get()), REGAL_INVALID_INPUT);
    expect_message("2 devices");
    plan = empty_plan(2, 1);
    EXPECT_EQ(regal_plan_attach(plan.get(), graph.get(), other.get()), REGAL_INVALID_INPUT);
    expect_message("'tpu'");
    plan->placement[1] = 1;
    EXPECT_EQ(regal_plan_attach(plan.get(), graph.get(), one.get()), REGAL_INVALID_INPUT);
    expect_message("op 1 ('op1') on device 1");
    plan->placement[1] = 0;
    plan->start[1] = INT64_MAX;
    EXPECT_EQ(regal_plan_attach(plan.get(), graph.get(), one.get()), REGAL_INVALID_INPUT);
    EXPECT_EQ(plan->finish, nullptr);
}

TEST(Plan, CopiesHowItWasMade) {
    Plan plan = empty_plan(0, 1);
    std::string origin = "search";
    regal_made made = {};
    made.origin = origin.c_str();
    made.seed = UINT64_MAX;
    made.evaluations = 7;
    ASSERT_EQ(regal_plan_set_made(plan.get(), &made), REGAL_OK);
    origin = "??????";
    EXPECT_STREQ(plan->made.origin, "search");
    EXPECT_EQ(plan->made.seed, UINT64_MAX);
    ASSERT_EQ(regal_plan_set_made(plan.get(), &plan->made), REGAL_OK);
    EXPECT_STREQ(plan->made.origin, "search");
}

TEST(Plan, NamesObjectivesAndComparesLeftToRight) {
    EXPECT_STREQ(regal_objective_name(REGAL_TIME), "time");
    EXPECT_STREQ(regal_objective_name(REGAL_MEMORY), "memory");
    Plan plan = empty_plan(0, 1);
    plan->time = {{0, 5, 9}};
    plan->memory = {{0, 9, 5}};
    EXPECT_EQ(regal_plan_fitness(plan.get(), REGAL_MEMORY).value[1], 9);
    EXPECT_EQ(regal_plan_fitness(plan.get(), REGAL_TIME).value[1], 5);
    EXPECT_LT(regal_fitness_compare({{0, 5, 9}}, {{0, 9, 5}}), 0);
    EXPECT_GT(regal_fitness_compare({{1, 0, 0}}, {{0, 9, 5}}), 0);
    EXPECT_LT(regal_fitness_compare({{1, 2, 3}}, {{1, 2, 4}}), 0);
    EXPECT_EQ(regal_fitness_compare({{1, 2, 3}}, {{1, 2, 3}}), 0);
}

} // namespace

// The classical methods: as baselines through the public API, and as seeds of the search.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "baselines/methods.h"
#include "support/random_problem.h"
#include "support/topological.h"

namespace {

using Ticks = std::vector<int64_t>;

struct HeuristicList {
    HeuristicList(const regal_problem *problem, regal_objective objective,
                  regal_heuristic_stop *stop = nullptr, void *context = nullptr) {
        EXPECT_EQ(regal_heuristics_create(problem, objective, stop, context, &items, &count),
                  REGAL_OK)
            << regal_error_message();
    }
    ~HeuristicList() { regal_heuristics_destroy(items, count); }
    HeuristicList(const HeuristicList &) = delete;
    HeuristicList &operator=(const HeuristicList &) = delete;

    std::vector<std::string> names() const {
        std::vector<std::string> list;
        for (int64_t i = 0; i < count; ++i)
            list.push_back(items[i].name);
        return list;
    }

    regal_heuristic *items = nullptr;
    int64_t count = 0;
};

PlanPtr baseline(const WholeProblem &whole, regal_baseline method) {
    regal_plan *plan = nullptr;
    EXPECT_EQ(regal_baseline_plan(whole.get(), method, REGAL_TIME, 0, &plan), REGAL_OK)
        << regal_error_message();
    return PlanPtr(plan);
}

bool has_common_device(const regal_problem_view &view) {
    uint64_t common = ~uint64_t{0} >> (64 - view.device_count);
    for (regal_id op = 0; op < view.op_count; ++op)
        common &= view.allowed[view.leader[op]];
    return common != 0;
}

bool needs_one_device(regal_baseline method) {
    switch (method) {
    case REGAL_ONE_DEVICE:
    case REGAL_DEPTH_FIRST:
    case REGAL_GREEDY_MEMORY:
    case REGAL_BREADTH_FIRST:
    case REGAL_XLA_LIST:
    case REGAL_XLA_DFS:
    case REGAL_XLA_POST_ORDER:
    case REGAL_XLA_DEFAULT:
        return true;
    default:
        return false;
    }
}

std::string broken(const WholeProblem &whole, const regal_plan *plan) {
    regal_measure measure;
    const bool valid =
        regal_plan_check(whole.graph.get(), whole.cluster.get(), plan, &measure) == REGAL_OK;
    return valid ? "" : regal_error_message();
}

// ---- every method on every feature ----

TEST(Baselines, MakeValidPlansOrSayThatNoOneDeviceServesAll) {
    int64_t infeasible = 0;
    for (int64_t seed = 0; seed < 400; ++seed) {
        const plain::Case one = random_case(seed);
        const WholeProblem whole(one.graph, one.cluster);
        if (!whole.problem)
            continue;
        const regal_objective objective = seed % 2 == 0 ? REGAL_TIME : REGAL_MEMORY;
        for (int method = 0; method < REGAL_BASELINE_COUNT; ++method) {
            SCOPED_TRACE("seed " + std::to_string(seed) + " method " + std::to_string(method));
            const auto which = static_cast<regal_baseline>(method);
            regal_plan *plan = nullptr;
            const regal_status status =
                regal_baseline_plan(whole.get(), which, objective, seed, &plan);
            const PlanPtr owned(plan);
            if (needs_one_device(which) && !has_common_device(whole.view())) {
                ASSERT_EQ(status, REGAL_INFEASIBLE);
                ASSERT_EQ(plan, nullptr);
                ASSERT_NE(std::string(regal_error_message()).find("allowed devices"),
                          std::string::npos);
                ++infeasible;
                continue;
            }
            if (status == REGAL_UNAVAILABLE) // a build without METIS
                continue;
            ASSERT_EQ(status, REGAL_OK) << regal_error_message();
            ASSERT_EQ(broken(whole, plan), "");
            ASSERT_STREQ(plan->made.origin, regal_baseline_name(which));
            ASSERT_GE(plan->bound_time, 0);
            ASSERT_GE(plan->bound_memory, 0);
        }
    }
    EXPECT_GT(infeasible, 50);
}

TEST(Baselines, AreFoundByTheirWords) {
    for (int method = 0; method < REGAL_BASELINE_COUNT; ++method) {
        const auto which = static_cast<regal_baseline>(method);
        const std::string word = regal_baseline_word(which);
        regal_baseline found = REGAL_BASELINE_COUNT;
        EXPECT_EQ(regal_baseline_find(word.c_str(), &found), REGAL_OK);
        EXPECT_EQ(found, which);
        EXPECT_EQ(word.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"), std::string::npos);
        EXPECT_STRNE(regal_baseline_line(which), "");
    }
    regal_baseline none;
    EXPECT_EQ(regal_baseline_find("hef", &none), REGAL_INVALID_ARGUMENT);
    for (const char *word : {"'hef'", "heft", "xla-list"})
        EXPECT_NE(std::string(regal_error_message()).find(word), std::string::npos);
    const auto last =
        std::string(regal_baseline_word(static_cast<regal_baseline>(REGAL_BASELINE_COUNT - 1)));
    EXPECT_EQ(std::string(regal_error_message()).rfind(last),
              std::string(regal_error_message()).size() - last.size());
    EXPECT_STREQ(regal_baseline_word(REGAL_BASELINE_COUNT), "");
    EXPECT_FALSE(regal_baseline_is_shown(REGAL_BASELINE_COUNT));
}

TEST(Baselines, DrawRandomPlansByTheSeed) {
    const plain::Graph graph = small_graph(std::vector<std::vector<int64_t>>(100, {1}));
    const WholeProblem whole(graph, small_cluster({0, 0, 0, 0}));
    std::vector<plain::Plan> plans;
    for (const uint64_t seed : {1, 1, 2}) {
        regal_plan *plan = nullptr;
        ASSERT_EQ(regal_baseline_plan(whole.get(), REGAL_RANDOM, REGAL_TIME, seed, &plan),
                  REGAL_OK);
        plans.push_back(read_plan(plan));
        regal_plan_destroy(plan);
    }
    EXPECT_EQ(plans[0], plans[1]);
    EXPECT_NE(plans[0].placement, plans[2].placement);
    for (const int64_t device : {0, 1, 2, 3})
        EXPECT_GT(std::count(plans[0].placement.begin(), plans[0].placement.end(), device), 10);
}

TEST(Baselines, SeedsHaveValidPlansAndTopologicalOrders) {
    for (int64_t seed = 0; seed < 700; ++seed) {
        const plain::Case one = random_case(seed);
        const WholeProblem whole(one.graph, one.cluster);
        if (!whole.problem)
            continue;
        for (const regal_objective objective : {REGAL_TIME, REGAL_MEMORY}) {
            const HeuristicList list(whole.get(), objective);
            ASSERT_GE(list.count, 1);
            for (int64_t i = 0; i < list.count; ++i) {
                const regal_heuristic &seeded = list.items[i];
                SCOPED_TRACE("seed " + std::to_string(seed) + " " + seeded.name);
                ASSERT_NE(seeded.plan, nullptr);
                ASSERT_EQ(broken(whole, seeded.plan), "");
                ASSERT_TRUE(is_topological(whole.view(), seeded.sequence));
                ASSERT_TRUE(std::equal(seeded.device, seeded.device + whole.view().op_count,
                                       seeded.plan->placement));
            }
        }
    }
}

TEST(Baselines, GiveTheSameEveryTime) {
    for (int64_t seed = 0; seed < 100; ++seed) {
        const plain::Case one = random_case(seed);
        const WholeProblem whole(one.graph, one.cluster);
        if (!whole.problem)
            continue;
        for (const regal_objective objective : {REGAL_TIME, REGAL_MEMORY}) {
            const HeuristicList first(whole.get(), objective), second(whole.get(), objective);
            ASSERT_EQ(first.names(), second.names());
            for (int64_t i = 0; i < first.count; ++i)
                ASSERT_EQ(read_plan(first.items[i].plan), read_plan(second.items[i].plan))
                    << "seed " << seed << " " << first.items[i].name;
        }
    }
}

void expect_plans_of_all(const WholeProblem &whole, regal_objective objective) {
    for (int method = 0; method < REGAL_BASELINE_COUNT; ++method) {
        const auto which = static_cast<regal_baseline>(method);
        regal_plan *plan = nullptr;
        const regal_status status = regal_baseline_plan(whole.get(), which, objective, 1, &plan);
        const PlanPtr owned(plan);
        if (status == REGAL_UNAVAILABLE)
            continue;
        ASSERT_EQ(status, REGAL_OK) << regal_error_message();
        EXPECT_EQ(broken(whole, plan), "") << regal_baseline_name(which);
    }
}

TEST(Baselines, SurviveLongChainsAndWideFans) {
    const int64_t count = 10000;
    plain::Graph chain = small_graph(std::vector<std::vector<int64_t>>(count, {1})), fan = chain;
    for (int64_t op = 1; op < count; ++op)
        add_tensor(chain, op - 1, 1, {op});
    for (int64_t op = 1; op < count - 1; ++op) {
        add_tensor(fan, 0, 1, {op});
        add_tensor(fan, op, 1, {count - 1});
    }
    for (const plain::Graph &graph : {chain, fan}) {
        const WholeProblem whole(graph, small_cluster({0, 0, 0}));
        for (const regal_objective objective : {REGAL_TIME, REGAL_MEMORY}) {
            const HeuristicList list(whole.get(), objective);
            for (int64_t i = 0; i < list.count; ++i) {
                EXPECT_EQ(broken(whole, list.items[i].plan), "") << list.items[i].name;
                EXPECT_TRUE(is_topological(whole.view(), list.items[i].sequence));
            }
            expect_plans_of_all(whole, objective);
        }
    }
}

TEST(Baselines, SurviveTheGreatestNumbers) {
    const int64_t greatest = int64_t{1} << 53, count = 40;
    plain::Graph graph = small_graph(std::vector<std::vector<int64_t>>(count, {greatest}));
    for (int64_t op = 1; op < count; ++op)
        add_tensor(graph, op - 1, greatest, {op}, true);
    plain::Cluster cluster = small_cluster({1, greatest, 0, 1});
    cluster.default_link = {greatest, 0};
    const WholeProblem whole(graph, cluster);
    for (const regal_objective objective : {REGAL_TIME, REGAL_MEMORY}) {
        const HeuristicList list(whole.get(), objective);
        for (int64_t i = 0; i < list.count; ++i)
            EXPECT_EQ(broken(whole, list.items[i].plan), "") << list.items[i].name;
        expect_plans_of_all(whole, objective);
    }
}

// ---- which seeds there are ----

TEST(Baselines, SeedTheSearchUntilItIsToStop) {
    plain::Graph graph = small_graph({{1}, {1}});
    add_tensor(graph, 0, 1, {1});
    const WholeProblem two(graph, small_cluster({0, 0}));
    const auto stop = [](void *context) { return --*static_cast<int *>(context) <= 0; };
    for (int asked = 0; asked < 3; ++asked) {
        int left = asked;
        const HeuristicList list(two.get(), REGAL_TIME, stop, &left);
        EXPECT_EQ(list.count, asked < 2 ? 1 : 2);
    }
}

TEST(Baselines, SeedTheSearchByObjective) {
    plain::Graph graph = small_graph({{1}, {1}});
    add_tensor(graph, 0, 1, {1});
    using Names = std::vector<std::string>;
    const WholeProblem two(graph, small_cluster({0, 0})), one(graph, small_cluster({0})),
        capped(graph, small_cluster({0, 9}));
    EXPECT_EQ(HeuristicList(two.get(), REGAL_TIME).names(),
              (Names{"HEFT", "one device", "upward-rank split"}));
    EXPECT_EQ(HeuristicList(capped.get(), REGAL_TIME).names(),
              (Names{"HEFT", "one device", "upward-rank split", "depth first", "greedy memory",
                     "depth-first split", "greedy-memory split", "depth-first fill"}));
    EXPECT_EQ(HeuristicList(one.get(), REGAL_TIME).names(), (Names{"HEFT", "one device"}));
    EXPECT_EQ(HeuristicList(two.get(), REGAL_MEMORY).names(),
              (Names{"depth first", "greedy memory", "depth-first split", "greedy-memory split",
                     "HEFT", "one device"}));
    EXPECT_EQ(HeuristicList(capped.get(), REGAL_MEMORY).names(),
              (Names{"depth first", "greedy memory", "depth-first split", "greedy-memory split",
                     "depth-first fill", "HEFT", "one device"}));
    EXPECT_EQ(HeuristicList(one.get(), REGAL_MEMORY).names(),
              (Names{"depth first", "greedy memory", "HEFT", "one device"}));
}

TEST(Baselines, LeaveOutWhatNoOneDeviceCanServe) {
    plain::Graph graph = small_graph({{1}, {1}});
    graph.ops[0].allowed = std::vector<plain::Allowed>{{0, std::nullopt}};
    graph.ops[1].allowed = std::vector<plain::Allowed>{{1, std::nullopt}};
    const WholeProblem whole(graph, small_cluster({0, 0}));
    using Names = std::vector<std::string>;
    EXPECT_EQ(HeuristicList(whole.get(), REGAL_TIME).names(), (Names{"HEFT", "upward-rank split"}));
    EXPECT_EQ(HeuristicList(whole.get(), REGAL_MEMORY).names(),
              (Names{"depth-first split", "greedy-memory split", "HEFT"}));
}

// ---- one device ----

TEST(OneDevice, IsTheFastestThatServesAllOps) {
    plain::Graph graph = small_graph({{5, 3}, {4, 3}, {1, 2}});
    plain::Cluster cluster = small_cluster({0, 0, 0});
    cluster.devices[1].device_class = cluster.devices[2].device_class = 1;
    const PlanPtr plan = baseline(WholeProblem(graph, cluster), REGAL_ONE_DEVICE);
    EXPECT_EQ(read_plan(plan.get()).placement, (Ticks{1, 1, 1}));
    EXPECT_EQ(plan->makespan, 8);
    graph.ops[2].allowed = std::vector<plain::Allowed>{{0, std::nullopt}, {2, std::nullopt}};
    const PlanPtr other = baseline(WholeProblem(graph, cluster), REGAL_ONE_DEVICE);
    EXPECT_EQ(read_plan(other.get()).placement, (Ticks{2, 2, 2}));
}

TEST(OneDevice, IsTheRoomiestForOrdersThatSaveMemory) {
    const plain::Graph graph = small_graph({{1}});
    const auto placement = [&](const std::vector<int64_t> &capacities) {
        const WholeProblem whole(graph, small_cluster(capacities));
        return baseline(whole, REGAL_DEPTH_FIRST)->placement[0];
    };
    EXPECT_EQ(placement({4, 8, 8}), 1);
    EXPECT_EQ(placement({4, 8, 0}), 2);
    EXPECT_EQ(placement({0, 8, 0}), 0);
}

TEST(Baselines, FillDevicesWithinCapsThatEqualSplitsExceed) {
    plain::Graph graph = small_graph(std::vector<std::vector<int64_t>>(40, {1}));
    for (int64_t op = 1; op < 40; ++op)
        add_tensor(graph, op - 1, 10, {op}, true);
    const WholeProblem whole(graph, small_cluster({1, 10, 0, 1}));
    const HeuristicList list(whole.get(), REGAL_TIME);
    EXPECT_STREQ(list.items[7].name, "depth-first fill");
    EXPECT_EQ(list.items[7].plan->time.value[0], 0);
}

} // namespace

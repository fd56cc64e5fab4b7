// Walks of the placement head.
#include "policy/walk.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "policy/order.h"
#include "policy/placement.h"
#include "support/random_problem.h"
#include "support/topological.h"
#include "support/whole_problem.h"

namespace {

constexpr int64_t CHANNELS = 3, HIDDEN = 8;
constexpr int64_t INPUTS = REGAL_PLACEMENT_INPUT_COUNT + CHANNELS;
constexpr int64_t PARAMETERS = INPUTS * HIDDEN + 2 * HIDDEN + INPUTS;

// A problem, an order of its ops and a head with random parameters.
class Walking {
  public:
    Walking(const regal_problem_view &view, uint32_t seed)
        : view_(view), devices(view.op_count), sequence(view.op_count),
          channel(view.op_count * CHANNELS), parameters(PARAMETERS) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<float> number(-0.5f, 0.5f);
        for (float &p : parameters)
            p = number(random);
        for (float &c : channel)
            c = number(random);
        EXPECT_EQ(regal_walk_graph_create(&view, &graph_), REGAL_OK);
        EXPECT_EQ(regal_walker_create(&graph_, INPUTS, HIDDEN, &walker_), REGAL_OK);
        order();
    }
    ~Walking() {
        regal_walker_destroy(walker_);
        regal_walk_graph_destroy(&graph_);
    }

    double walk(uint32_t rollout = 0, std::vector<float> *gradient = nullptr,
                std::vector<float> *channel_gradient = nullptr, bool greedy = false) {
        regal_walk_question question{};
        question.graph = &graph_;
        question.operators = &regal_placement_operators_plain;
        question.weights = {INPUTS, HIDDEN, parameters.data()};
        question.channel = channel.data();
        question.channels = CHANNELS;
        question.greedy = greedy;
        question.seed = 5;
        question.rollout = rollout;
        const regal_placement_weights into = {INPUTS, HIDDEN,
                                              gradient != nullptr ? gradient->data() : nullptr};
        return regal_walk(&question, walker_, sequence.data(), devices.data(),
                          gradient != nullptr ? &into : nullptr,
                          channel_gradient != nullptr ? channel_gradient->data() : nullptr);
    }

    bool keeps_the_rules() const {
        for (regal_id op = 0; op < view_.op_count; ++op) {
            const regal_id leader = view_.leader[op];
            if (devices[op] != devices[leader] || (view_.allowed[leader] >> devices[op] & 1) == 0)
                return false;
        }
        return true;
    }

    const regal_problem_view &view_;
    std::vector<uint8_t> devices;
    Ids sequence;
    std::vector<float> channel, parameters;

  private:
    void order() {
        regal_order_scratch scratch{};
        const std::vector<float> score(view_.op_count);
        EXPECT_EQ(regal_order_scratch_create(view_.op_count, &scratch), REGAL_OK);
        regal_order_draw(&view_, score.data(), true, 3, 0, 0, &scratch, sequence.data());
        regal_order_scratch_destroy(&scratch);
    }

    regal_walk_graph graph_{};
    regal_walker *walker_ = nullptr;
};

TEST(PolicyWalk, KeepsGroupsAndAllowedSetsOnRandomProblems) {
    int64_t walked = 0;
    for (uint64_t seed = 1; seed <= 300; ++seed) {
        const plain::Case random = random_case(seed);
        const WholeProblem whole(random.graph, random.cluster);
        if (whole.get() == nullptr)
            continue;
        Walking walking(whole.view(), static_cast<uint32_t>(seed));
        for (uint32_t rollout = 0; rollout < 3; ++rollout, ++walked) {
            walking.walk(rollout);
            EXPECT_TRUE(walking.keeps_the_rules()) << seed;
        }
    }
    EXPECT_GT(walked, 500);
}

TEST(PolicyWalk, DrawsAnotherPlacementForAnotherRollOut) {
    plain::Graph graph = small_graph(std::vector<std::vector<int64_t>>(20, {10}));
    const WholeProblem whole(graph, small_cluster({0, 0, 0}));
    Walking walking(whole.view(), 1);
    walking.walk(1);
    const std::vector<uint8_t> first = walking.devices;
    walking.walk(2);
    EXPECT_NE(walking.devices, first);
    walking.walk(1);
    EXPECT_EQ(walking.devices, first);
}

// Twins differ in nothing: whichever name a device has, the same follows.
TEST(PolicyWalk, DevicesAreSymmetric) {
    plain::Graph graph = small_graph({{10}, {20}, {30}, {5}});
    add_tensor(graph, 0, 7, {1, 2});
    add_tensor(graph, 1, 3, {3});
    graph.ops[0].allowed = std::vector<plain::Allowed>{{0, std::nullopt}};
    const WholeProblem here(graph, small_cluster({0, 0, 0}));
    graph.ops[0].allowed = std::vector<plain::Allowed>{{2, std::nullopt}};
    const WholeProblem there(graph, small_cluster({0, 0, 0}));
    Walking one(here.view(), 9), other(there.view(), 9);
    one.walk(0, nullptr, nullptr, true);
    other.walk(0, nullptr, nullptr, true);
    for (int op = 0; op < 4; ++op)
        EXPECT_EQ(one.devices[op] == one.devices[0], other.devices[op] == other.devices[0]) << op;
}

TEST(PolicyWalk, GradientAgreesWithFiniteDifferences) {
    int64_t compared = 0;
    for (uint64_t seed = 1; seed <= 12; ++seed) {
        const plain::Case random = random_case(seed);
        const WholeProblem whole(random.graph, random.cluster);
        if (whole.get() == nullptr || whole.view().op_count == 0)
            continue;
        Walking walking(whole.view(), static_cast<uint32_t>(seed));
        std::vector<float> gradient(PARAMETERS), of_channel(walking.channel.size());
        walking.walk(0, &gradient, &of_channel);
        const std::vector<uint8_t> devices = walking.devices;
        const auto slope = [&](float &number) {
            std::vector<float> ignored(PARAMETERS), ignored_channel(walking.channel.size());
            const float kept = number, step = 1e-2f;
            number = kept + step;
            const double more = walking.walk(0, &ignored, &ignored_channel);
            const bool same = walking.devices == devices;
            number = kept - step;
            const double less = walking.walk(0, &ignored, &ignored_channel);
            number = kept;
            compared += same && walking.devices == devices;
            return same && walking.devices == devices ? (more - less) / (2 * step) : NAN;
        };
        for (size_t i = 0; i < gradient.size(); i += 7) {
            const double expected = slope(walking.parameters[i]);
            if (expected == expected) {
                EXPECT_NEAR(gradient[i], expected, 2e-2 + 1e-2 * std::abs(expected)) << i;
            }
        }
        for (size_t i = 0; i < of_channel.size(); i += 3) {
            const double expected = slope(walking.channel[i]);
            if (expected == expected) {
                EXPECT_NEAR(of_channel[i], expected, 2e-2 + 1e-2 * std::abs(expected)) << i;
            }
        }
    }
    EXPECT_GT(compared, 300);
}

} // namespace

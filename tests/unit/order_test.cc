// Orders drawn by Plackett-Luce over ready ops.
#include "policy/order.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

#include "support/random_problem.h"
#include "support/topological.h"
#include "support/whole_problem.h"

namespace {

struct Scratch {
    explicit Scratch(int64_t ops) { EXPECT_EQ(regal_order_scratch_create(ops, &it), REGAL_OK); }
    ~Scratch() { regal_order_scratch_destroy(&it); }
    regal_order_scratch it{};
};

Ids draw(const regal_problem_view &view, const std::vector<float> &score, uint32_t rollout,
         bool noise = true) {
    Scratch scratch(view.op_count);
    Ids sequence(view.op_count);
    regal_order_draw(&view, score.data(), noise, 1, 0, rollout, &scratch.it, sequence.data());
    return sequence;
}

std::vector<float> scores(Dice &dice, int64_t count) {
    std::vector<float> made;
    for (int64_t i = 0; i < count; ++i)
        made.push_back(static_cast<float>(dice.between(-200, 200)) / 100);
    return made;
}

// log P of a sequence, from the definition, in double.
double log_probability(const regal_problem_view &view, const std::vector<double> &score,
                       const Ids &sequence) {
    std::vector<bool> done(view.op_count);
    const auto ready = [&](regal_id op) {
        for (regal_id e = 0; e < view.edge_count; ++e)
            if (view.consumer[e] == op && !done[view.tensors[view.edge_tensor[e]].producer])
                return false;
        for (regal_id before = 0; before < view.op_count; ++before)
            for (regal_id c = view.ops[before].control_begin;
                 c < view.ops[before + 1].control_begin; ++c)
                if (view.control_successor[c] == op && !done[before])
                    return false;
        return !done[op];
    };
    double sum = 0;
    for (const regal_id op : sequence) {
        double all = 0;
        for (regal_id other = 0; other < view.op_count; ++other)
            all += ready(other) ? std::exp(score[other]) : 0;
        sum += score[op] - std::log(all);
        done[op] = true;
    }
    return sum;
}

TEST(PolicyOrder, IsTopologicalOnRandomProblems) {
    for (uint64_t seed = 1; seed <= 100; ++seed) {
        const plain::Case random = random_case(seed);
        const WholeProblem whole(random.graph, random.cluster);
        if (whole.get() == nullptr)
            continue;
        Dice dice(seed);
        const std::vector<float> score = scores(dice, whole.view().op_count);
        EXPECT_TRUE(is_topological(whole.view(), draw(whole.view(), score, 0).data()));
        EXPECT_TRUE(is_topological(whole.view(), draw(whole.view(), score, 0, false).data()));
    }
}

TEST(PolicyOrder, WithoutNoiseTheGreatestReadyScoreGoesFirst) {
    plain::Graph graph = small_graph({{1}, {1}, {1}, {1}});
    add_tensor(graph, 0, 1, {3});
    const WholeProblem whole(graph, small_cluster({0}));
    EXPECT_EQ(draw(whole.view(), {0, 2, 1, 9}, 0, false), (Ids{1, 2, 0, 3}));
}

TEST(PolicyOrder, DrawsReadyOpsByTheirScores) {
    const WholeProblem whole(small_graph({{1}, {1}, {1}}), small_cluster({0}));
    const std::vector<float> score = {0, 1, 2};
    std::map<Ids, int> seen;
    const int draws = 20000;
    for (int i = 0; i < draws; ++i)
        ++seen[draw(whole.view(), score, static_cast<uint32_t>(i))];
    EXPECT_EQ(seen.size(), 6u);
    for (const auto &[sequence, count] : seen)
        EXPECT_NEAR(count, draws * std::exp(log_probability(whole.view(), {0, 1, 2}, sequence)),
                    4 * std::sqrt(draws * 0.25))
            << sequence[0] << sequence[1] << sequence[2];
}

TEST(PolicyOrder, GradientAgreesWithFiniteDifferences) {
    int64_t compared = 0;
    for (uint64_t seed = 1; seed <= 30; ++seed) {
        const plain::Case random = random_case(seed);
        const WholeProblem whole(random.graph, random.cluster);
        if (whole.get() == nullptr)
            continue;
        const regal_problem_view &view = whole.view();
        Dice dice(seed);
        const std::vector<float> score = scores(dice, view.op_count);
        const Ids sequence = draw(view, score, 3);
        Scratch scratch(view.op_count);
        std::vector<float> gradient(view.op_count);
        regal_order_learn(&view, score.data(), sequence.data(), 2, &scratch.it, gradient.data());
        for (regal_id op = 0; op < view.op_count; ++op, ++compared) {
            std::vector<double> more(score.begin(), score.end()), less = more;
            more[op] += 1e-5;
            less[op] -= 1e-5;
            EXPECT_NEAR(gradient[op],
                        2 *
                            (log_probability(view, more, sequence) -
                             log_probability(view, less, sequence)) /
                            2e-5,
                        1e-4);
        }
    }
    EXPECT_GT(compared, 100);
}

} // namespace

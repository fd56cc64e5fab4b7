// Why everything in a plan is when it is.
#include "regal/explain.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "regal/check.h"
#include "support/decoded.h"
#include "support/random_problem.h"
#include "support/whole_problem.h"

namespace {

struct Destroy {
    void operator()(regal_explanation *explanation) const {
        regal_explanation_destroy(explanation);
    }
};

class Explained {
  public:
    explicit Explained(const plain::Case &one) : decoded_(decode_with_library(one)) {
        if (decoded_.plan == nullptr)
            return;
        regal_explanation *made = nullptr;
        EXPECT_EQ(regal_explanation_create(graph(), cluster(), plan(), &made), REGAL_OK)
            << regal_error_message();
        explanation_.reset(made);
    }

    explicit operator bool() const { return explanation_ != nullptr; }
    const regal_graph *graph() const { return decoded_.graph.get(); }
    const regal_cluster *cluster() const { return decoded_.cluster.get(); }
    const regal_plan *plan() const { return decoded_.plan.get(); }
    const regal_explanation *get() const { return explanation_.get(); }

    // Ops, then transfers.
    int64_t events() const { return plan()->op_count + plan()->transfer_count; }
    regal_event_reason event(int64_t e) const {
        const int64_t ops = plan()->op_count;
        return e < ops ? regal_explanation_op(get(), e)
                       : regal_explanation_transfer(get(), e - ops);
    }
    int64_t transfer_of(int64_t tensor, int64_t device) const {
        for (int64_t i = 0; i < plan()->transfer_count; ++i)
            if (plan()->transfers[i].tensor == tensor && plan()->transfers[i].to == device)
                return plan()->op_count + i;
        ADD_FAILURE() << "no transfer";
        return -1;
    }

  private:
    Decoded decoded_;
    std::unique_ptr<regal_explanation, Destroy> explanation_;
};

// What must come before what: data, transfers, control edges, the orders on devices and links.
std::vector<std::pair<int64_t, int64_t>> edges_of(const Explained &it) {
    std::vector<std::pair<int64_t, int64_t>> edges;
    const regal_plan *plan = it.plan();
    for (int64_t t = 0; t < regal_graph_tensor_count(it.graph()); ++t) {
        const regal_tensor tensor = regal_graph_tensor(it.graph(), t);
        for (int64_t i = 0; i < tensor.consumer_count; ++i) {
            const int64_t consumer = tensor.consumers[i], to = plan->placement[consumer];
            const bool local = to == plan->placement[tensor.producer];
            edges.emplace_back(local ? tensor.producer : it.transfer_of(t, to), consumer);
        }
    }
    for (int64_t i = 0; i < plan->transfer_count; ++i)
        edges.emplace_back(regal_graph_tensor(it.graph(), plan->transfers[i].tensor).producer,
                           plan->op_count + i);
    for (int64_t c = 0; c < regal_graph_control_count(it.graph()); ++c) {
        const regal_control_edge edge = regal_graph_control(it.graph(), c);
        edges.emplace_back(edge.before, edge.after);
    }
    for (int64_t e = 0; e < it.events(); ++e) {
        const int64_t before = it.event(e).before, ops = plan->op_count;
        if (before >= 0)
            edges.emplace_back(e < ops ? before : ops + before, e);
    }
    return edges;
}

// The makespan if one event ends so much later and all that follows is pushed.
int64_t makespan_if_late(const Explained &it, const std::vector<std::pair<int64_t, int64_t>> &edges,
                         int64_t late, int64_t by) {
    std::vector<int64_t> order(it.events()), finish(it.events());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int64_t a, int64_t b) { return it.event(a).start < it.event(b).start; });
    int64_t makespan = 0;
    for (const int64_t e : order) {
        int64_t start = it.event(e).start;
        for (const auto &[before, after] : edges)
            if (after == e)
                start = std::max(start, finish[before]);
        finish[e] = start + it.event(e).finish - it.event(e).start + (e == late ? by : 0);
        makespan = std::max(makespan, e < it.plan()->op_count ? finish[e] : 0);
    }
    return makespan;
}

TEST(Explanation, SlackIsHowMuchLaterAnEventCanEnd) {
    int64_t critical = 0, free = 0;
    for (uint64_t seed = 0; seed < 60; ++seed) {
        const Explained it(random_case(seed));
        if (!it)
            continue;
        const auto edges = edges_of(it);
        for (int64_t e = 0; e < it.events(); ++e) {
            const int64_t slack = it.event(e).slack, makespan = it.plan()->makespan;
            ASSERT_GE(slack, 0);
            ASSERT_EQ(makespan_if_late(it, edges, e, slack), makespan) << seed << " " << e;
            ASSERT_GT(makespan_if_late(it, edges, e, slack + 1), makespan) << seed << " " << e;
            (slack == 0 ? critical : free)++;
        }
    }
    EXPECT_GT(critical, 0);
    EXPECT_GT(free, 0);
}

TEST(Explanation, NamesWhatEachEventBeganBehind) {
    std::vector<int64_t> seen(REGAL_WAIT_CHOICE + 1);
    for (uint64_t seed = 0; seed < 300; ++seed) {
        const Explained it(random_case(seed));
        if (!it)
            continue;
        const auto edges = edges_of(it);
        for (int64_t e = 0; e < it.events(); ++e) {
            const regal_event_reason reason = it.event(e);
            int64_t last = 0;
            for (const auto &[before, after] : edges)
                if (after == e)
                    last = std::max(last, it.event(before).finish);
            ASSERT_EQ(std::max(reason.ready, reason.free), last);
            seen[reason.wait]++;
            if (reason.wait == REGAL_WAIT_NOTHING) {
                ASSERT_EQ(reason.start, 0);
            } else if (reason.wait == REGAL_WAIT_CHOICE) {
                ASSERT_GT(reason.start, last);
            } else {
                ASSERT_EQ(reason.start, last);
                ASSERT_TRUE((reason.op >= 0) != (reason.transfer >= 0));
                const int64_t cause =
                    reason.op >= 0 ? reason.op : it.plan()->op_count + reason.transfer;
                ASSERT_EQ(it.event(cause).finish, reason.start);
                ASSERT_NE(std::find(edges.begin(), edges.end(), std::make_pair(cause, e)),
                          edges.end());
            }
        }
    }
    for (int wait = 0; wait <= REGAL_WAIT_CHOICE; ++wait)
        EXPECT_GT(seen[wait], 0) << regal_wait_name(static_cast<regal_wait>(wait));
}

TEST(Explanation, FollowsTheCriticalPathWithoutAGap) {
    for (uint64_t seed = 0; seed < 300; ++seed) {
        const Explained it(random_case(seed));
        if (!it || it.plan()->op_count == 0)
            continue;
        const int64_t count = regal_explanation_critical_count(it.get());
        ASSERT_GT(count, 0);
        int64_t end = -1;
        for (int64_t i = 0; i < count; ++i) {
            const regal_critical_step step = regal_explanation_critical(it.get(), i);
            ASSERT_TRUE((step.op >= 0) != (step.transfer >= 0));
            const regal_event_reason reason =
                it.event(step.op >= 0 ? step.op : it.plan()->op_count + step.transfer);
            ASSERT_EQ(reason.slack, 0);
            if (i == 0)
                ASSERT_TRUE(reason.start == 0 || reason.wait == REGAL_WAIT_CHOICE);
            else
                ASSERT_EQ(reason.start, end);
            end = reason.finish;
        }
        ASSERT_EQ(end, it.plan()->makespan);
    }
}

TEST(Explanation, AccountsForEveryTickOfADevice) {
    for (uint64_t seed = 0; seed < 300; ++seed) {
        const Explained it(random_case(seed));
        if (!it)
            continue;
        for (int64_t d = 0; d < it.plan()->device_count; ++d) {
            const regal_device_use use = regal_explanation_device(it.get(), d);
            int64_t idle = use.idle_end;
            for (const int64_t part : use.idle_for)
                idle += part;
            ASSERT_EQ(use.busy + idle, it.plan()->makespan);
            ASSERT_EQ(use.idle, idle);
            ASSERT_EQ(use.worst_idle > 0, use.idle_for[REGAL_WAIT_TRANSFER] > 0);
        }
        int64_t transfers = 0, busy = INT64_MAX;
        for (int64_t l = 0; l < regal_explanation_link_count(it.get()); ++l) {
            const regal_link_use use = regal_explanation_link(it.get(), l);
            ASSERT_LE(use.busy, busy);
            busy = use.busy;
            transfers += use.transfers;
        }
        ASSERT_EQ(transfers, it.plan()->transfer_count);
    }
}

TEST(Explanation, HasTheCheckersPeaksAndWhatMakesThem) {
    for (uint64_t seed = 0; seed < 500; ++seed) {
        const Explained it(random_case(seed));
        if (!it)
            continue;
        regal_measure measure;
        ASSERT_EQ(regal_plan_measure(it.graph(), it.cluster(), it.plan(), &measure), REGAL_OK);
        for (int64_t d = 0; d < it.plan()->device_count; ++d) {
            int64_t count, tick, held_count;
            const int64_t *ticks, *bytes;
            const regal_held *held;
            regal_explanation_memory(it.get(), d, &count, &ticks, &bytes);
            regal_explanation_peak(it.get(), d, &tick, &held_count, &held);
            ASSERT_EQ(*std::max_element(bytes, bytes + count), measure.peak[d]);
            for (int64_t i = 1; i < count; ++i)
                ASSERT_TRUE(ticks[i - 1] < ticks[i] && bytes[i - 1] != bytes[i]);
            int64_t sum = 0;
            for (int64_t i = 0; i < held_count; ++i) {
                sum += held[i].bytes;
                ASSERT_TRUE(held[i].from <= tick && tick < held[i].to);
                ASSERT_TRUE(i == 0 || held[i].bytes <= held[i - 1].bytes);
            }
            ASSERT_EQ(sum, measure.peak[d]);
        }
    }
}

TEST(Explanation, NamesTheSmallestOfSeveralControlEdges) {
    // 0, 1 and 2 end at tick 2 on devices of their own; 3 follows them all, on a fourth.
    plain::Case one;
    one.graph = small_graph({{2}, {2}, {2}, {1}});
    one.graph.control = {{2, 3}, {1, 3}, {0, 3}};
    one.cluster = small_cluster({0, 0, 0, 0});
    plain::Plan plan;
    plan.placement = {0, 1, 2, 3};
    plan.start = {0, 0, 0, 2};
    plan.makespan = 3;
    plan.peak = {0, 0, 0, 0};
    Decoded parts = {make_graph(one.graph), make_cluster(one.cluster), nullptr, nullptr};
    PlanPtr made = make_plan(plan);
    ASSERT_EQ(regal_plan_attach(made.get(), parts.graph.get(), parts.cluster.get()), REGAL_OK);
    regal_explanation *explanation = nullptr;
    ASSERT_EQ(
        regal_explanation_create(parts.graph.get(), parts.cluster.get(), made.get(), &explanation),
        REGAL_OK);
    EXPECT_EQ(regal_explanation_op(explanation, 3).wait, REGAL_WAIT_CONTROL);
    EXPECT_EQ(regal_explanation_op(explanation, 3).op, 0);
    regal_explanation_destroy(explanation);
}

TEST(Explanation, TellsAWaitForATransferFromOneForTheDevice) {
    // a on d0 sends to b on d1, where c runs first; a takes 2 ticks, its 5 bytes 5 ticks.
    plain::Case one;
    one.graph = small_graph({{2}, {3}, {4}});
    add_tensor(one.graph, 0, 5, {1});
    one.cluster = small_cluster({0, 0});
    Decoded parts = {make_graph(one.graph), make_cluster(one.cluster), nullptr, nullptr};
    plain::Plan plan;
    plan.placement = {0, 1, 1};
    plan.start = {0, 7, 0};
    plan.transfers = {{0, 1, 2}};
    plan.makespan = 10;
    plan.peak = {5, 5};
    PlanPtr made = make_plan(plan);
    ASSERT_EQ(regal_plan_attach(made.get(), parts.graph.get(), parts.cluster.get()), REGAL_OK);
    regal_explanation *explanation = nullptr;
    ASSERT_EQ(
        regal_explanation_create(parts.graph.get(), parts.cluster.get(), made.get(), &explanation),
        REGAL_OK);
    const regal_event_reason b = regal_explanation_op(explanation, 1);
    EXPECT_EQ(b.wait, REGAL_WAIT_TRANSFER);
    EXPECT_EQ(b.transfer, 0);
    EXPECT_EQ(b.free, 4);
    EXPECT_EQ(regal_explanation_op(explanation, 2).slack, 3);
    const regal_device_use use = regal_explanation_device(explanation, 1);
    EXPECT_EQ(use.idle_for[REGAL_WAIT_TRANSFER], 3);
    EXPECT_EQ(use.worst_tensor, 0);
    EXPECT_EQ(use.worst_from, 0);
    ASSERT_EQ(regal_explanation_critical_count(explanation), 3);
    EXPECT_EQ(regal_explanation_critical(explanation, 1).transfer, 0);
    regal_explanation_destroy(explanation);
}

} // namespace

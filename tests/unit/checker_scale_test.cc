// The checker on shapes that a quadratic step or a deep recursion would not survive.
#include <gtest/gtest.h>

#include "support/judged.h"

namespace {

const int64_t OPS = 200000;

plain::Case ops_in_a_row(int64_t devices) {
    plain::Case made;
    made.graph.classes = {"c"};
    for (int64_t i = 0; i < OPS; ++i) {
        made.graph.ops.push_back({"op" + std::to_string(i), "", {1}, 1, {}, {}});
        made.plan.placement.push_back(i % devices);
        made.plan.start.push_back(2 * i);
    }
    for (int64_t d = 0; d < devices; ++d)
        made.cluster.devices.push_back({"d" + std::to_string(d), 0, {}, 0});
    return made;
}

TEST(CheckerScale, FollowsALongChainOfAliases) {
    plain::Case one = ops_in_a_row(1); // the last alias points at the one before, and so on
    for (int64_t i = 0; i < OPS; ++i) {
        one.graph.tensors.push_back({"t" + std::to_string(i), OPS - 1 - i, 8, {}, false, -1});
    }
    for (int64_t i = 0; i + 1 < OPS; ++i) { // tensor i, of op OPS - 1 - i, aliases tensor i + 1
        one.graph.tensors[i].alias_of = i + 1;
        one.graph.tensors[i + 1].consumers = {OPS - 1 - i};
    }
    Judged judged(one.graph, one.cluster);
    EXPECT_EQ(judged.measure(one.plan), "");
    EXPECT_EQ(judged.found().peak[0], 8 + 1);
}

TEST(CheckerScale, TakesFansAndManyTransfers) {
    const int64_t devices = 64;
    plain::Case one = ops_in_a_row(devices); // op 0 feeds all, all feed the last
    std::vector<int64_t> others;
    for (int64_t i = 1; i < OPS; ++i)
        others.push_back(i);
    one.graph.tensors.push_back({"fan-out", 0, 8, others, false, -1});
    for (int64_t d = 1; d < devices; ++d)
        one.plan.transfers.push_back({0, d, 1});
    for (int64_t i = 1; i + 1 < OPS; ++i) {
        one.graph.tensors.push_back({"t" + std::to_string(i), i, 4, {OPS - 1}, false, -1});
        one.graph.control.push_back({i, OPS - 1});
        if (i % devices != (OPS - 1) % devices)
            one.plan.transfers.push_back({i, (OPS - 1) % devices, 2 * i + 1});
    }
    one.graph.parameters.push_back({"w", 100, others});
    Judged judged(one.graph, one.cluster);
    EXPECT_EQ(judged.measure(one.plan), "");
    EXPECT_EQ(judged.found().makespan, 2 * OPS - 1);
    EXPECT_EQ(judged.found().peak[(OPS - 1) % devices], 100 + 1 + 8 + 4 * (OPS - 2));
}

} // namespace

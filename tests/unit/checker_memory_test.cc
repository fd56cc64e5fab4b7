// What the checker finds of memory, on cases small enough to be worked by hand.
#include <gtest/gtest.h>

#include "support/judged.h"

namespace {

using Numbers = std::vector<int64_t>;

plain::Op op(const char *name, int64_t ticks) {
    return {name, "", {ticks}, 0, {}, {}};
}

// Ops a, b, c, ... of one tick each, one after the other on one device.
plain::Case chain(int64_t count) {
    plain::Case made;
    made.graph.classes = {"c"};
    for (int64_t i = 0; i < count; ++i) {
        made.graph.ops.push_back(op(std::string(1, static_cast<char>('a' + i)).c_str(), 1));
        made.plan.placement.push_back(0);
        made.plan.start.push_back(i);
    }
    made.cluster.devices = {{"d0", 0, {}, 0}, {"d1", 0, {}, 0}};
    return made;
}

Numbers peaks(const plain::Case &one) {
    Judged judged(one.graph, one.cluster);
    EXPECT_EQ(judged.measure(one.plan), "");
    return {judged.found().peak, judged.found().peak + one.cluster.devices.size()};
}

TEST(CheckerMemory, FreesAtTheTickAtWhichTheNextIsMade) {
    plain::Case one = chain(3); // x is gone at 1, when b begins; y is made at 1 and gone at 2
    one.graph.tensors = {{"x", 0, 5, {}, false, -1}, {"y", 1, 7, {}, false, -1}};
    EXPECT_EQ(peaks(one), (Numbers{7, 0}));
}

TEST(CheckerMemory, HoldsAnInputWhileItsLastConsumerRuns) {
    plain::Case one = chain(3); // [0, 3) and [2, 3)
    one.graph.tensors = {{"x", 0, 5, {1, 2}, false, -1}, {"y", 2, 7, {}, false, -1}};
    EXPECT_EQ(peaks(one), (Numbers{12, 0}));
}

TEST(CheckerMemory, HoldsOutputsToTheEnd) {
    plain::Case one = chain(3);
    one.graph.tensors = {{"x", 0, 5, {}, false, -1}, {"y", 2, 7, {}, false, -1}};
    EXPECT_EQ(peaks(one), (Numbers{7, 0}));
    one.graph.tensors[0].output = true;
    EXPECT_EQ(peaks(one), (Numbers{12, 0}));
}

TEST(CheckerMemory, HoldsTheSourceUntilItsTransferEnds) {
    plain::Case one = chain(3); // x [0, 6) on d0, since it travels over [1, 6); z [3, 4) beside it
    one.cluster.default_link = {5, 0};
    one.plan.placement = {0, 1, 0};
    one.plan.start = {0, 6, 3};
    one.graph.tensors = {{"x", 0, 5, {1}, false, -1}, {"z", 2, 7, {}, false, -1}};
    one.plan.transfers = {{0, 1, 1}};
    EXPECT_EQ(peaks(one), (Numbers{12, 5}));
    one.plan.start[2] = 6;
    EXPECT_EQ(peaks(one), (Numbers{7, 5}));
}

TEST(CheckerMemory, HoldsACopyFromItsTransferToItsLastConsumerThere) {
    plain::Case one = chain(4); // the copy [2, 8) on d1; d, with w of 7 bytes, ends at 2 or later
    one.plan.placement = {0, 1, 1, 1};
    one.plan.start = {0, 4, 7, 1};
    one.graph.tensors = {{"x", 0, 5, {1, 2}, true, -1}, {"w", 3, 7, {}, false, -1}};
    one.plan.transfers = {{0, 1, 2}};
    EXPECT_EQ(peaks(one), (Numbers{5, 7}));
    one.plan.start[3] = 3;
    EXPECT_EQ(peaks(one), (Numbers{5, 12}));
    one.plan.start[3] = 8; // and a copy of an output is not kept
    EXPECT_EQ(peaks(one), (Numbers{5, 7}));
}

TEST(CheckerMemory, GivesAFamilyOfAliasesTheRootsBytesOnce) {
    plain::Case one = chain(4); // x, its alias y by b, and its alias z by c: 5 bytes over [0, 4)
    one.graph.tensors = {{"x", 0, 5, {1}, false, -1},
                         {"y", 1, 100, {2}, false, 0},
                         {"z", 2, 200, {3}, false, 1},
                         {"w", 3, 7, {}, false, -1}};
    EXPECT_EQ(peaks(one), (Numbers{12, 0}));
    one.graph.tensors[2].consumers = {}; // now over [0, 3)
    EXPECT_EQ(peaks(one), (Numbers{7, 0}));
}

TEST(CheckerMemory, HoldsAFamilyToTheEndForAnOutputAlias) {
    plain::Case one = chain(4);
    one.graph.tensors = {
        {"x", 0, 5, {1}, false, -1}, {"y", 1, 1, {}, true, 0}, {"w", 3, 7, {}, false, -1}};
    EXPECT_EQ(peaks(one), (Numbers{12, 0}));
}

TEST(CheckerMemory, GivesCopiesOfAliasesBytesOfTheirOwn) {
    plain::Case one = chain(3); // c on d1 gets both x (5) and its alias y (6), held together
    one.plan.placement = {0, 0, 1};
    one.plan.start = {0, 1, 4};
    one.graph.tensors = {{"x", 0, 5, {1, 2}, false, -1}, {"y", 1, 6, {2}, false, 0}};
    one.plan.transfers = {{0, 1, 1}, {1, 1, 2}};
    EXPECT_EQ(peaks(one), (Numbers{5, 11}));
}

TEST(CheckerMemory, HoldsWorkspaceWhileItsOpRuns) {
    plain::Case one = chain(3);
    one.graph.ops[0].workspace = 4;
    one.graph.ops[1].workspace = 6;
    one.graph.tensors = {{"x", 0, 5, {1}, false, -1}};
    EXPECT_EQ(peaks(one), (Numbers{11, 0}));
}

TEST(CheckerMemory, CountsAParameterOncePerDeviceThatUsesIt) {
    plain::Case one = chain(3);
    one.plan.placement = {0, 0, 1};
    one.graph.parameters = {{"w", 100, {0, 1, 1}}, {"v", 1000, {1, 2}}, {"unused", 10000, {}}};
    EXPECT_EQ(peaks(one), (Numbers{1100, 1000}));
}

TEST(CheckerMemory, RanksExcessFirst) {
    plain::Case one = chain(3);
    one.plan.placement = {0, 0, 1};
    one.plan.start = {0, 1, 0};
    one.graph.parameters = {{"w", 100, {0}}, {"v", 50, {2}}};
    Judged judged(one.graph, one.cluster);
    EXPECT_EQ(judged.measure(one.plan), "");
    EXPECT_EQ(judged.with_found_figures({}).time, (std::array<int64_t, 3>{0, 2, 100}));

    one.cluster.devices[0].memory = 90;
    one.cluster.devices[1].memory = 43;
    Judged capped(one.graph, one.cluster);
    EXPECT_EQ(capped.measure(one.plan), "");
    EXPECT_EQ(capped.with_found_figures({}).time, (std::array<int64_t, 3>{17, 2, 100}));
    EXPECT_EQ(capped.with_found_figures({}).memory, (std::array<int64_t, 3>{17, 100, 2}));
}

TEST(CheckerMemory, RefusesSumsThatOverflow) {
    plain::Case one = chain(2); // 20 tensors of 2^53 bytes, each to 63 devices
    one.cluster.devices.clear();
    std::vector<int64_t> consumers;
    for (int64_t d = 0; d < 64; ++d) {
        one.cluster.devices.push_back({"d" + std::to_string(d), 0, {}, 0});
        if (d >= 2)
            one.graph.ops.push_back(op(("op" + std::to_string(d)).c_str(), 1));
        consumers.push_back(d);
    }
    consumers.erase(consumers.begin());
    one.plan.placement.clear();
    one.plan.start.assign(64, 100);
    one.plan.start[0] = 0;
    for (int64_t d = 0; d < 64; ++d)
        one.plan.placement.push_back(d);
    for (int64_t t = 0; t < 20; ++t) {
        one.graph.tensors.push_back(
            {"t" + std::to_string(t), 0, int64_t{1} << 53, consumers, false, -1});
        for (int64_t d = 1; d < 64; ++d)
            one.plan.transfers.push_back({t, d, 1 + t});
    }
    Judged judged(one.graph, one.cluster);
    EXPECT_EQ(judged.measure(one.plan), "the transfers sum up to more than 2^63 bytes");
    EXPECT_EQ(judged.found().peak[0], 0);
    one.graph.tensors.resize(10);
    one.plan.transfers.resize(10 * 63);
    EXPECT_EQ(peaks(one)[0], 10 * (int64_t{1} << 53));
}

} // namespace

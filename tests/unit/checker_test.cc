// The checker's rules, each on a case small enough to be worked by hand.
#include <gtest/gtest.h>

#include "support/judged.h"

namespace {

// a (2 ticks) makes x (10 bytes) for b (3) and c (4). Devices d0 and d1, links of 1 tick latency
// and 10 bytes a tick: x is on its way for 2 ticks.
plain::Case two_devices() {
    plain::Case made;
    made.graph.classes = {"slow", "fast"};
    made.graph.ops = {
        {"a", "", {2, 1}, 0, {}, {}}, {"b", "", {3, 1}, 0, {}, {}}, {"c", "", {4, 1}, 0, {}, {}}};
    made.graph.tensors = {{"x", 0, 10, {1, 2}, false, -1}};
    made.cluster.devices = {{"d0", 0, {}, 0}, {"d1", 0, {}, 0}};
    made.cluster.default_link = {1, 10000};
    made.plan.placement = {0, 0, 1};
    made.plan.start = {0, 2, 4};
    made.plan.transfers = {{0, 1, 2}};
    return made;
}

std::string verdict(const plain::Case &one) {
    return Judged(one.graph, one.cluster).measure(one.plan);
}

TEST(Checker, AcceptsAPlanWhoseEndsTouch) {
    const plain::Case one = two_devices(); // b starts as a finishes, c as x arrives
    Judged judged(one.graph, one.cluster);
    EXPECT_EQ(judged.measure(one.plan), "");
    EXPECT_EQ(judged.found().makespan, 8);
    EXPECT_EQ(judged.found().transfer_bytes, 10);
}

TEST(Checker, AcceptsTheEmptyPlanOfAnEmptyGraph) {
    plain::Case one = two_devices();
    one.graph.ops.clear();
    one.graph.tensors.clear();
    one.plan = {};
    Judged judged(one.graph, one.cluster);
    EXPECT_EQ(judged.measure(one.plan), "");
    EXPECT_EQ(judged.found().makespan, 0);
    EXPECT_EQ(judged.found().peak[0], 0);
}

TEST(Checker, AcceptsTransfersInAnyOrder) {
    plain::Case one = two_devices();
    one.graph.tensors.push_back({"y", 0, 10, {2}, false, -1});
    one.plan.transfers = {{1, 1, 4}, {0, 1, 2}};
    one.plan.start[2] = 6;
    EXPECT_EQ(verdict(one), "");
}

TEST(Checker, CountsADurationOfZeroAsOneTick) {
    plain::Case one = two_devices();
    one.graph.ops[0].cost = {0, 0};
    one.plan.start = {0, 1, 3};
    one.plan.transfers[0].start = 1;
    EXPECT_EQ(verdict(one), "");
    one.plan.start[1] = 0;
    EXPECT_EQ(verdict(one), "op 'b' starts at 0 on d0 before its input 'x' is ready at 1");
}

TEST(Checker, ReadsClassesByIndexAndByName) {
    plain::Case one = two_devices();
    one.cluster.devices[0].device_class = 1;    // a takes 1 tick, b 1
    one.cluster.devices[1].class_name = "slow"; // c takes 4
    one.plan.start = {0, 1, 3};
    one.plan.transfers[0].start = 1;
    Judged judged(one.graph, one.cluster);
    EXPECT_EQ(judged.measure(one.plan), "");
    EXPECT_EQ(judged.found().makespan, 7);
}

TEST(Checker, NamesAClassThatTheGraphLacks) {
    plain::Case one = two_devices();
    one.cluster.devices[1].class_name = "swift";
    EXPECT_EQ(verdict(one), "device 'd1' is of class 'swift', which the graph does not have");
    one.cluster.devices[1].class_name.reset();
    one.cluster.devices[1].device_class = 2;
    EXPECT_EQ(verdict(one), "device 'd1' is of class 2, but the graph has 2 device classes");
}

TEST(Checker, RefusesAnUnsoundGraph) {
    plain::Case one = two_devices();
    one.graph.tensors[0].consumers = {1, 9};
    EXPECT_NE(verdict(one), "");
}

TEST(Checker, RefusesAClusterWithoutDevices) {
    plain::Case one = two_devices();
    one.cluster.devices.clear();
    EXPECT_EQ(verdict(one), "the cluster has no devices");
}

TEST(Checker, NamesAPlanOfAnotherSize) {
    plain::Case one = two_devices();
    one.plan.placement.pop_back();
    one.plan.start.pop_back();
    EXPECT_EQ(verdict(one), "the plan places 2 ops, but the graph has 3");
}

TEST(Checker, NamesADeviceThatIsNotThere) {
    for (const int64_t device : {int64_t{2}, int64_t{-1}, INT64_MIN, INT64_MAX}) {
        plain::Case one = two_devices();
        one.plan.placement[1] = device;
        EXPECT_EQ(verdict(one), "op 'b' is on device " + std::to_string(device) +
                                    ", but the cluster has devices 0..1");
    }
}

TEST(Checker, KeepsToAllowedIndicesAndPatterns) {
    plain::Case one = two_devices();
    using List = std::vector<plain::Allowed>;
    const auto by = [](const char *pattern) { return plain::Allowed{-1, pattern}; };
    const std::string refused = "op 'c' is on d1, which it does not allow";
    for (const List &list : {List{{1, {}}}, List{{0, {}}, {1, {}}}, List{by("d[1-3]")},
                             List{by("*")}, List{by("none"), {1, {}}}}) {
        one.graph.ops[2].allowed = list;
        EXPECT_EQ(verdict(one), "");
    }
    for (const List &list :
         {List{}, List{{0, {}}}, List{by("d0")}, List{by("D1")}, List{by("d")}}) {
        one.graph.ops[2].allowed = list;
        EXPECT_EQ(verdict(one), refused);
    }
    one.graph.ops[2].allowed = List{{1, {}}, {2, {}}};
    EXPECT_EQ(verdict(one), "op 'c' allows device 2, but the cluster has devices 0..1");
}

TEST(Checker, KeepsGroupsTogether) {
    plain::Case one = two_devices();
    one.graph.ops[0].group = one.graph.ops[1].group = "g";
    EXPECT_EQ(verdict(one), "");
    one.graph.ops[2].group = "g";
    EXPECT_EQ(verdict(one), "ops 'a' on d0 and 'c' on d1 are of one colocation group, 'g'");
}

TEST(Checker, KeepsAliasesWithTheirTargets) {
    plain::Case one = two_devices();
    one.graph.tensors.push_back({"y", 1, 10, {}, false, 0});
    EXPECT_EQ(verdict(one), "");
    one.graph.tensors[1].producer = 2;
    EXPECT_EQ(verdict(one), "ops 'a' on d0 and 'c' on d1 must share a device, since tensor 'y' is "
                            "an alias of 'x'");
}

TEST(Checker, ClosesGroupsUnderAliases) {
    plain::Case one = two_devices(); // b by its alias with a, c by its group with b
    one.graph.tensors.push_back({"y", 1, 10, {}, false, 0});
    one.graph.ops[1].group = one.graph.ops[2].group = "g";
    EXPECT_EQ(verdict(one), "ops 'b' on d0 and 'c' on d1 are of one colocation group, 'g'");
}

TEST(Checker, NamesStartsThatCannotBe) {
    plain::Case one = two_devices();
    one.plan.start[0] = -1;
    EXPECT_EQ(verdict(one), "op 'a' starts at -1, before tick 0");
    one.plan.start[0] = INT64_MAX - 1;
    EXPECT_EQ(verdict(one), "op 'a' starts at 9223372036854775806 and finishes past the last tick");
    one = two_devices();
    one.plan.transfers[0].start = INT64_MIN;
    EXPECT_EQ(verdict(one), "the transfer of tensor 'x' to d1 starts at -9223372036854775808 "
                            "before its producer 'a' finishes at 2");
    one.plan.transfers[0].start = INT64_MAX - 1;
    EXPECT_EQ(verdict(one), "the transfer of tensor 'x' to d1 starts at 9223372036854775806 and "
                            "finishes past the last tick");
}

TEST(Checker, AcceptsTheLatestStartOfAll) {
    plain::Case one = two_devices();
    one.plan.start[2] = INT64_MAX - 4;
    Judged judged(one.graph, one.cluster);
    EXPECT_EQ(judged.measure(one.plan), "");
    EXPECT_EQ(judged.found().makespan, INT64_MAX);
}

TEST(Checker, NamesWhatATransferPointsAt) {
    plain::Case one = two_devices();
    one.plan.transfers[0].tensor = 1;
    EXPECT_EQ(verdict(one), "transfers[0] is of tensor 1, but the graph has 1 tensors");
    one.plan.transfers[0] = {0, 2, 2};
    EXPECT_EQ(verdict(one), "transfers[0] takes tensor 'x' to device 2, but the cluster has "
                            "devices 0..1");
    one.plan.transfers[0] = {-1, 1, 2};
    EXPECT_EQ(verdict(one), "transfers[0] is of tensor -1, but the graph has 1 tensors");
    one.plan.transfers[0] = {0, -1, 2};
    EXPECT_EQ(verdict(one), "transfers[0] takes tensor 'x' to device -1, but the cluster has "
                            "devices 0..1");
}

TEST(Checker, WantsExactlyTheNeededTransfers) {
    plain::Case one = two_devices();
    one.plan.transfers.clear();
    EXPECT_EQ(verdict(one), "tensor 'x' is not transferred to d1, where op 'c' consumes it");
    one = two_devices();
    one.plan.transfers.push_back({0, 1, 7});
    EXPECT_EQ(verdict(one), "tensor 'x' is transferred to d1 twice, at 2 and at 7");
    one = two_devices();
    one.plan.transfers.push_back({0, 0, 2});
    EXPECT_EQ(verdict(one), "tensor 'x' is transferred to d0, where it is produced");
    one = two_devices();
    one.cluster.devices.push_back({"d2", 0, {}, 0});
    one.plan.transfers.push_back({0, 2, 2});
    EXPECT_EQ(verdict(one), "tensor 'x' is transferred to d2, where no op consumes it");
}

TEST(Checker, SendsATensorOnceToSeveralConsumersOfADevice) {
    plain::Case one = two_devices();
    one.graph.tensors[0].consumers = {1, 2, 1, 2};
    one.plan.placement[1] = 1;
    one.plan.start = {0, 8, 4};
    EXPECT_EQ(verdict(one), "");
    one.plan.start[1] = 3;
    EXPECT_EQ(verdict(one), "op 'b' starts at 3 on d1 before its input 'x' arrives at 4");
}

TEST(Checker, KeepsAnOpBehindItsInputs) {
    plain::Case one = two_devices();
    one.plan.start[1] = 1;
    EXPECT_EQ(verdict(one), "op 'b' starts at 1 on d0 before its input 'x' is ready at 2");
    one = two_devices();
    one.plan.start[2] = 3;
    EXPECT_EQ(verdict(one), "op 'c' starts at 3 on d1 before its input 'x' arrives at 4");
    one = two_devices();
    one.plan.transfers[0].start = 1;
    EXPECT_EQ(verdict(one), "the transfer of tensor 'x' to d1 starts at 1 before its producer 'a' "
                            "finishes at 2");
}

TEST(Checker, KeepsControlEdgesAcrossDevicesToo) {
    plain::Case one = two_devices();
    one.graph.control = {{1, 2}, {1, 2}};
    EXPECT_EQ(verdict(one), "op 'c' starts at 4 before its control predecessor 'b' finishes at 5");
    one.plan.start[2] = 5;
    EXPECT_EQ(verdict(one), "");
}

TEST(Checker, FindsOpsThatOverlapOnADevice) {
    plain::Case one = two_devices();
    one.plan.placement = {0, 0, 0};
    one.plan.transfers.clear();
    one.plan.start = {0, 2, 4};
    EXPECT_EQ(verdict(one), "ops 'b' (2 to 5) and 'c' (4 to 8) overlap on d0");
    one.plan.start = {0, 2, 2};
    EXPECT_EQ(verdict(one), "ops 'b' (2 to 5) and 'c' (2 to 6) overlap on d0");
    one.plan.start = {0, 6, 2};
    EXPECT_EQ(verdict(one), "");
}

TEST(Checker, FindsTransfersThatOverlapOnALink) {
    plain::Case one = two_devices();
    one.graph.tensors.push_back({"y", 0, 10, {2}, false, -1});
    one.plan.transfers = {{0, 1, 2}, {1, 1, 3}};
    one.plan.start[2] = 6;
    EXPECT_EQ(verdict(one), "the transfers of tensors 'x' (2 to 4) and 'y' (3 to 5) overlap on the "
                            "link from d0 to d1");
    one.plan.transfers[1].start = 4;
    EXPECT_EQ(verdict(one), "");
}

TEST(Checker, TakesTheTwoDirectionsForTwoLinks) {
    plain::Case one = two_devices(); // y goes to d0 while z comes from there
    one.graph.ops.push_back({"d", "", {1, 1}, 0, {}, {}});
    one.graph.tensors.push_back({"y", 2, 10, {3}, false, -1});
    one.graph.ops.push_back({"e", "", {1, 1}, 0, {}, {}});
    one.graph.tensors.push_back({"z", 0, 10, {4}, false, -1});
    one.plan.placement = {0, 0, 1, 0, 1};
    one.plan.start = {0, 2, 4, 10, 10};
    one.plan.transfers = {{0, 1, 2}, {1, 0, 8}, {2, 1, 8}};
    EXPECT_EQ(verdict(one), "");
}

TEST(Checker, UsesThePairsOwnLinkInItsDirection) {
    plain::Case one = two_devices();
    one.cluster.pairs[{1, 0}] = {100, 1};
    EXPECT_EQ(verdict(one), "");
    one.cluster.pairs[{0, 1}] = {0, 3000}; // ceil(10 * 1000 / 3000) = 4
    EXPECT_EQ(verdict(one), "op 'c' starts at 4 on d1 before its input 'x' arrives at 6");
    one.cluster.pairs[{0, 1}] = {0, 0}; // infinite, but never below one tick
    one.plan.start[2] = 3;
    EXPECT_EQ(verdict(one), "");
    one.plan.start[2] = 2;
    EXPECT_EQ(verdict(one), "op 'c' starts at 2 on d1 before its input 'x' arrives at 3");
}

TEST(Checker, SurvivesTheLongestTransfer) {
    plain::Case one = two_devices();
    one.graph.tensors[0].bytes = int64_t{1} << 53;
    one.cluster.default_link = {int64_t{1} << 53, 1}; // 2^53 + 1000 * 2^53 ticks
    const int64_t ticks = 1001 * (int64_t{1} << 53);
    one.plan.start[2] = 2 + ticks;
    EXPECT_EQ(verdict(one), "");
    one.plan.start[2] = 1 + ticks;
    EXPECT_NE(verdict(one), "");
}

} // namespace

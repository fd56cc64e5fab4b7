// The checker against the oracle: on decoded plans, on plans that no decoder makes, and on plans
// with something wrong.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "support/judged.h"
#include "support/oracle.h"
#include "support/random_problem.h"

namespace {

int64_t size(const plain::Plan &plan) {
    return static_cast<int64_t>(plan.start.size());
}

// A decoded random problem; false where it is infeasible.
bool decoded_case(uint64_t seed, plain::Case *made) {
    *made = random_case(seed);
    const auto plan = oracle::decode(made->graph, made->cluster, made->chromosome);
    if (plan)
        made->plan = *plan;
    return plan.has_value();
}

TEST(CheckerOracle, AcceptsDecodedPlansWithEqualFigures) {
    for (uint64_t seed = 0; seed < 4000; ++seed) {
        plain::Case one;
        if (!decoded_case(seed, &one))
            continue;
        Judged judged(one.graph, one.cluster);
        ASSERT_EQ(judged.check(one.plan), "") << one.graph.name;
        int64_t bytes = 0;
        for (const plain::Transfer &transfer : one.plan.transfers)
            bytes += one.graph.tensors[transfer.tensor].bytes;
        ASSERT_EQ(judged.found().transfer_bytes, bytes) << one.graph.name;
    }
}

// ---- changes of placement, starts and transfers

using Change = void (*)(Dice &, const plain::Case &, plain::Plan &);

int64_t &any_start(Dice &dice, plain::Plan &plan) {
    const int64_t which = dice.below(size(plan) + static_cast<int64_t>(plan.transfers.size()));
    return which < size(plan) ? plan.start[which] : plan.transfers[which - size(plan)].start;
}

// Changes may come two at a time: an extreme start stays as it is.
void shift(int64_t &start, int64_t by) {
    if (start >= 0 && start < INT64_MAX / 2)
        start += by;
}

void shift_by_one(Dice &dice, const plain::Case &, plain::Plan &plan) {
    shift(any_start(dice, plan), dice.chance(50) ? 1 : -1);
}

void shift_far(Dice &dice, const plain::Case &, plain::Plan &plan) {
    any_start(dice, plan) = dice.below(2 * plan.makespan + 2);
}

void shift_out_of_bounds(Dice &dice, const plain::Case &, plain::Plan &plan) {
    any_start(dice, plan) = dice.pick(std::vector<int64_t>{-1, INT64_MIN, INT64_MAX});
}

void swap_starts(Dice &dice, const plain::Case &, plain::Plan &plan) {
    std::swap(plan.start[dice.below(size(plan))], plan.start[dice.below(size(plan))]);
}

void delay_the_rest(Dice &dice, const plain::Case &, plain::Plan &plan) {
    const int64_t from = dice.below(plan.makespan + 1), by = dice.between(1, 5);
    for (int64_t &start : plan.start)
        shift(start, start >= from ? by : 0);
    for (plain::Transfer &transfer : plan.transfers)
        shift(transfer.start, transfer.start >= from ? by : 0);
}

void move_op(Dice &dice, const plain::Case &one, plain::Plan &plan) {
    plan.placement[dice.below(size(plan))] =
        dice.below(static_cast<int64_t>(one.cluster.devices.size()));
}

void move_op_out_of_bounds(Dice &dice, const plain::Case &one, plain::Plan &plan) {
    const int64_t count = static_cast<int64_t>(one.cluster.devices.size());
    plan.placement[dice.below(size(plan))] =
        dice.pick(std::vector<int64_t>{-1, count, 64, 4096, INT64_MIN, INT64_MAX});
}

void drop_transfer(Dice &dice, const plain::Case &, plain::Plan &plan) {
    if (!plan.transfers.empty())
        plan.transfers.erase(plan.transfers.begin() +
                             dice.below(static_cast<int64_t>(plan.transfers.size())));
}

void repeat_transfer(Dice &dice, const plain::Case &, plain::Plan &plan) {
    if (plan.transfers.empty())
        return;
    plain::Transfer copy = dice.pick(plan.transfers);
    shift(copy.start, dice.chance(50) ? 0 : plan.makespan);
    plan.transfers.push_back(copy);
}

void retarget_transfer(Dice &dice, const plain::Case &one, plain::Plan &plan) {
    if (plan.transfers.empty())
        return;
    plain::Transfer &transfer =
        plan.transfers[dice.below(static_cast<int64_t>(plan.transfers.size()))];
    const int64_t devices = static_cast<int64_t>(one.cluster.devices.size());
    const int64_t tensors = static_cast<int64_t>(one.graph.tensors.size());
    if (dice.chance(50))
        transfer.to = dice.chance(80) ? dice.below(devices)
                                      : dice.pick(std::vector<int64_t>{-1, devices, INT64_MAX});
    else
        transfer.tensor = dice.chance(80) ? dice.below(tensors)
                                          : dice.pick(std::vector<int64_t>{-1, tensors, INT64_MIN});
}

void add_transfer(Dice &dice, const plain::Case &one, plain::Plan &plan) {
    if (!one.graph.tensors.empty())
        plan.transfers.push_back({dice.below(static_cast<int64_t>(one.graph.tensors.size())),
                                  dice.below(static_cast<int64_t>(one.cluster.devices.size())),
                                  dice.below(plan.makespan + 1)});
}

void reorder_transfers(Dice &dice, const plain::Case &, plain::Plan &plan) {
    if (!plan.transfers.empty())
        std::swap(plan.transfers.front(),
                  plan.transfers[dice.below(static_cast<int64_t>(plan.transfers.size()))]);
}

const Change CHANGES[] = {shift_by_one,     shift_by_one,          shift_far,
                          swap_starts,      shift_out_of_bounds,   delay_the_rest,
                          move_op,          move_op_out_of_bounds, drop_transfer,
                          repeat_transfer,  retarget_transfer,     add_transfer,
                          reorder_transfers};

TEST(CheckerOracle, AgreesOnChangedPlans) {
    std::map<std::string, int> seen; // what the oracle said
    for (uint64_t seed = 0; seed < 1500; ++seed) {
        plain::Case one;
        if (!decoded_case(seed, &one) || one.graph.ops.empty())
            continue;
        Judged judged(one.graph, one.cluster);
        Dice dice(seed);
        for (int i = 0; i < 20; ++i) {
            plain::Plan plan = one.plan;
            if (dice.chance(50)) // make room, so that small changes may be valid ones
                delay_the_rest(dice, one, plan);
            for (int64_t changes = dice.chance(70) ? 1 : 2; changes > 0; --changes)
                dice.pick(std::vector<Change>(std::begin(CHANGES), std::end(CHANGES)))(dice, one,
                                                                                       plan);
            const std::string broken = oracle::broken_rule(one.graph, one.cluster, plan);
            ++seen[broken];
            const std::string said = judged.measure(plan);
            ASSERT_EQ(said.empty(), broken.empty())
                << one.graph.name << ", change " << i << "\nthe oracle: " << broken
                << "\nthe checker: " << said << "\n"
                << describe(plan);
            if (!broken.empty()) {
                ASSERT_EQ(judged.found().makespan, 0);
                continue;
            }
            oracle::measure(one.graph, one.cluster, plan);
            ASSERT_TRUE(judged.with_found_figures(plan) == plan)
                << one.graph.name << ", change " << i << "\nis    "
                << describe(judged.with_found_figures(plan)) << "\nnot   " << describe(plan);
        }
    }
    EXPECT_EQ(seen.size(), 14u); // every rule was broken, and some changes were valid
    for (const auto &[rule, count] : seen)
        EXPECT_GE(count, 20) << rule;
}

// ---- changes of what the plan claims

struct Claimant {
    plain::Case one;
    std::unique_ptr<Judged> judged;
    PlanPtr plan;

    explicit Claimant(uint64_t seed) {
        while (!decoded_case(seed, &one) || one.graph.ops.size() < 3)
            ++seed;
        judged = std::make_unique<Judged>(one.graph, one.cluster);
        plan = make_plan(one.plan);
        if (regal_plan_attach(plan.get(), judged->graph(), judged->cluster()) != REGAL_OK)
            ADD_FAILURE() << regal_error_message();
    }
    std::string check() { return judged->check(plan.get()); }
};

TEST(CheckerClaims, HoldForAnAttachedPlan) {
    for (uint64_t seed = 0; seed < 50; ++seed)
        EXPECT_EQ(Claimant(seed).check(), "");
}

TEST(CheckerClaims, AreEachComparedToTheTick) {
    Dice dice(7);
    for (uint64_t seed = 0; seed < 100; ++seed) {
        Claimant claimant(seed);
        regal_plan *plan = claimant.plan.get();
        std::vector<std::pair<const char *, int64_t *>> figures = {
            {"makespan", &plan->makespan},
            {"finishes", &plan->finish[dice.below(plan->op_count)]},
            {"peak", &plan->peak[dice.below(plan->device_count)]},
            {"fitness for time", &plan->time.value[dice.below(3)]},
            {"fitness for memory", &plan->memory.value[dice.below(3)]}};
        for (const auto &[name, figure] : figures) {
            const int64_t right = *figure;
            for (const int64_t wrong : {right + 1, right - 1, INT64_MAX, INT64_MIN}) {
                *figure = wrong;
                EXPECT_NE(claimant.check().find(name), std::string::npos) << name;
                EXPECT_EQ(claimant.judged->found().makespan, 0);
            }
            *figure = right;
        }
        EXPECT_EQ(claimant.check(), "");
    }
}

TEST(CheckerClaims, NameAnotherGraph) {
    Claimant claimant(3);
    claimant.plan->graph_digest[15] ^= 1;
    EXPECT_NE(claimant.check().find("digest"), std::string::npos);
    claimant.plan->graph_digest[0] = '\0'; // unknown
    EXPECT_EQ(claimant.check(), "");
    std::swap(claimant.plan->op_names[0], claimant.plan->op_names[2]);
    EXPECT_EQ(claimant.check(),
              "the plan is for another graph: op 0 is 'op2' there, but 'op0' in the graph");
}

TEST(CheckerClaims, NameAnotherNumberOfDevices) {
    Claimant claimant(3);
    --claimant.plan->device_count;
    EXPECT_NE(claimant.check().find("the plan has the peaks of "), std::string::npos);
    ++claimant.plan->device_count;
}

TEST(CheckerClaims, KeepBoundsBelowWhatWasReached) {
    Claimant claimant(3);
    const auto greatest = [](const regal_plan *plan) { return plan->time.value[2]; };
    claimant.plan->bound_time = claimant.plan->makespan;
    claimant.plan->bound_memory = greatest(claimant.plan.get());
    EXPECT_EQ(claimant.check(), "");
    ++claimant.plan->bound_time;
    EXPECT_NE(claimant.check().find("no makespan is below"), std::string::npos);
    --claimant.plan->bound_time;
    ++claimant.plan->bound_memory;
    EXPECT_NE(claimant.check().find("no greatest peak is below"), std::string::npos);
}

TEST(CheckerClaims, AreNotReadByMeasure) {
    Claimant claimant(3);
    claimant.plan->makespan += 5;
    claimant.plan->graph_digest[3] ^= 1;
    regal_measure measure;
    EXPECT_EQ(regal_plan_measure(claimant.judged->graph(), claimant.judged->cluster(),
                                 claimant.plan.get(), &measure),
              REGAL_OK);
    EXPECT_EQ(measure.makespan, claimant.one.plan.makespan);
}

} // namespace

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

#include "cost/cost_model.h"
#include "cost/device_profile.h"

namespace {

// Round numbers: what takes what can be told by hand.
regal_device_profile plain_profile() {
    regal_device_profile profile{};
    profile.name = "plain";
    profile.line = "";
    profile.launch = 5;
    for (int64_t &rate : profile.operations)
        rate = 10;
    profile.memory_bytes = 100;
    profile.collective_bytes = 20;
    profile.matrix_permille = profile.vector_permille = 1000;
    profile.memory_permille = profile.collective_permille = 1000;
    return profile;
}

int64_t ticks(const regal_work &work, const regal_device_profile &profile = plain_profile()) {
    return regal_work_ticks(&profile, &work);
}

TEST(CostModel, FindsEveryTypeByItsName) {
    for (int t = 0; t < REGAL_TYPE_COUNT; ++t) {
        const char *name = regal_type_name((regal_type)t);
        EXPECT_EQ(regal_type_find(name, strlen(name)), t) << name;
    }
    EXPECT_EQ(regal_type_find("f3", 2), REGAL_TYPE_COUNT);
    EXPECT_EQ(regal_type_find("f322", 4), REGAL_TYPE_COUNT);
    EXPECT_EQ(regal_type_find("", 0), REGAL_TYPE_COUNT);
}

TEST(CostModel, PacksNarrowTypesIntoWholeBytes) {
    EXPECT_EQ(regal_type_bytes(REGAL_TYPE_U4, 0), 0);
    EXPECT_EQ(regal_type_bytes(REGAL_TYPE_U4, 1), 1);
    EXPECT_EQ(regal_type_bytes(REGAL_TYPE_S4, 2), 1);
    EXPECT_EQ(regal_type_bytes(REGAL_TYPE_F4E2M1FN, 3), 2);
    EXPECT_EQ(regal_type_bytes(REGAL_TYPE_U2, 5), 2);
    EXPECT_EQ(regal_type_bytes(REGAL_TYPE_U1, 9), 2);
    EXPECT_EQ(regal_type_bytes(REGAL_TYPE_S4, INT64_MAX), INT64_MAX / 2 + 1);
}

TEST(CostModel, CountsBytesOfEveryWidth) {
    EXPECT_EQ(regal_type_bytes(REGAL_TYPE_PRED, 7), 7);
    EXPECT_EQ(regal_type_bytes(REGAL_TYPE_F8E8M0FNU, 7), 7);
    EXPECT_EQ(regal_type_bytes(REGAL_TYPE_BF16, 7), 14);
    EXPECT_EQ(regal_type_bytes(REGAL_TYPE_C128, 7), 112);
    EXPECT_EQ(regal_type_bytes(REGAL_TYPE_TOKEN, 7), 0);
    EXPECT_EQ(regal_type_bytes(REGAL_TYPE_F64, INT64_MAX / 4), INT64_MAX);
    EXPECT_EQ(regal_type_bytes(REGAL_TYPE_F64, -1), 0);
}

TEST(CostModel, CountsAMatrixProduct) {
    const regal_work work = regal_work_matrix_product(REGAL_TYPE_BF16, 2, 3, 5, 7);
    EXPECT_EQ(work.flops, 2 * 2 * 3 * 5 * 7);
    EXPECT_EQ(work.bytes, 2 * 2 * (3 * 7 + 7 * 5 + 3 * 5));
}

TEST(CostModel, CountsAConvolution) {
    const regal_work work = regal_work_convolution(REGAL_TYPE_F32, 100, 27, 64, 9);
    EXPECT_EQ(work.flops, 2 * 64 * 9);
    EXPECT_EQ(work.bytes, 4 * (100 + 27 + 64));
}

TEST(CostModel, CountsElementwiseAndReducingWork) {
    const regal_work add = regal_work_elementwise(REGAL_TYPE_F32, 10, 2, 1);
    EXPECT_EQ(add.flops, 10);
    EXPECT_EQ(add.bytes, 3 * 40);
    const regal_work sum = regal_work_reduction(REGAL_TYPE_F32, 100, 10);
    EXPECT_EQ(sum.flops, 100);
    EXPECT_EQ(sum.bytes, 440);
    EXPECT_EQ(regal_work_movement(30, 12).bytes, 42);
    EXPECT_EQ(regal_work_gather(REGAL_TYPE_F32, 8, 16).bytes, 2 * 32 + 16);
    EXPECT_EQ(regal_work_random(REGAL_TYPE_U32, 8).bytes, 32);
}

TEST(CostModel, CountsASort) {
    const regal_work work = regal_work_sort(REGAL_TYPE_F32, 3, 1000);
    EXPECT_EQ(work.flops, 3 * 1000 * 10); // 2^10 > 1000
    EXPECT_EQ(work.bytes, 2 * 4 * 3000 * 4);
}

TEST(CostModel, SaturatesInPlaceOfOverflowing) {
    const regal_work work = regal_work_matrix_product(REGAL_TYPE_F32, INT64_MAX, INT64_MAX, 2, 2);
    EXPECT_EQ(work.flops, INT64_MAX);
    EXPECT_EQ(work.bytes, INT64_MAX);
    regal_device_profile profile = plain_profile();
    profile.operations[REGAL_UNIT_MATRIX_TF32] = 1;
    profile.matrix_permille = 1;
    EXPECT_EQ(ticks(work, profile), INT64_MAX);
    EXPECT_EQ(regal_work_matrix_product(REGAL_TYPE_F32, INT64_MAX, INT64_MAX, 0, 2).flops, 0);
}

TEST(CostModel, TakesTheLongerOfArithmeticAndTraffic) {
    // 100 operations at 10 a ns, 400 bytes at 100 a ns
    EXPECT_EQ(ticks({REGAL_WORK_ELEMENTWISE, REGAL_TYPE_F32, false, 100, 400}), 5 + 10);
    EXPECT_EQ(ticks({REGAL_WORK_ELEMENTWISE, REGAL_TYPE_F32, false, 100, 4000}), 5 + 40);
}

TEST(CostModel, RoundsUp) {
    EXPECT_EQ(ticks({REGAL_WORK_MOVEMENT, REGAL_TYPE_F32, false, 0, 100}), 6);
    EXPECT_EQ(ticks({REGAL_WORK_MOVEMENT, REGAL_TYPE_F32, false, 0, 101}), 7);
    regal_device_profile half = plain_profile();
    half.memory_permille = 500;
    EXPECT_EQ(ticks({REGAL_WORK_MOVEMENT, REGAL_TYPE_F32, false, 0, 101}, half), 5 + 3);
}

TEST(CostModel, LastsAtLeastOneTickUnlessFree) {
    regal_device_profile instant = plain_profile();
    instant.launch = 0;
    EXPECT_EQ(ticks({REGAL_WORK_CUSTOM, REGAL_TYPE_F32, false, 0, 0}, instant), 1);
    EXPECT_EQ(ticks({REGAL_WORK_FREE, REGAL_TYPE_F32, false, 100, 100}), 0);
}

TEST(CostModel, SendsCollectivesOverTheirOwnRate) {
    EXPECT_EQ(ticks(regal_work_collective(200)), 5 + 10);
}

struct UnitCase {
    regal_work_kind kind;
    regal_type type;
    bool full_precision;
    regal_unit unit;
    int64_t per_flop;
};

TEST(CostModel, RunsEachTypeOnItsUnits) {
    const UnitCase cases[] = {
        {REGAL_WORK_MATRIX_PRODUCT, REGAL_TYPE_F64, false, REGAL_UNIT_MATRIX_F64, 1},
        {REGAL_WORK_MATRIX_PRODUCT, REGAL_TYPE_F32, false, REGAL_UNIT_MATRIX_TF32, 1},
        {REGAL_WORK_MATRIX_PRODUCT, REGAL_TYPE_F32, true, REGAL_UNIT_MATRIX_F32, 1},
        {REGAL_WORK_CONVOLUTION, REGAL_TYPE_BF16, true, REGAL_UNIT_MATRIX_F16, 1},
        {REGAL_WORK_MATRIX_PRODUCT, REGAL_TYPE_F8E5M2, false, REGAL_UNIT_MATRIX_F8, 1},
        {REGAL_WORK_MATRIX_PRODUCT, REGAL_TYPE_S4, false, REGAL_UNIT_MATRIX_S8, 1},
        {REGAL_WORK_MATRIX_PRODUCT, REGAL_TYPE_S32, false, REGAL_UNIT_VECTOR_INTEGER, 1},
        {REGAL_WORK_MATRIX_PRODUCT, REGAL_TYPE_C64, false, REGAL_UNIT_MATRIX_TF32, 4},
        {REGAL_WORK_ELEMENTWISE, REGAL_TYPE_F64, false, REGAL_UNIT_VECTOR_F64, 1},
        {REGAL_WORK_ELEMENTWISE, REGAL_TYPE_F32, false, REGAL_UNIT_VECTOR_F32, 1},
        {REGAL_WORK_REDUCTION, REGAL_TYPE_F16, false, REGAL_UNIT_VECTOR_F16, 1},
        {REGAL_WORK_ELEMENTWISE, REGAL_TYPE_PRED, false, REGAL_UNIT_VECTOR_INTEGER, 1},
        {REGAL_WORK_ELEMENTWISE, REGAL_TYPE_U64, false, REGAL_UNIT_VECTOR_INTEGER, 2},
        {REGAL_WORK_TRANSCENDENTAL, REGAL_TYPE_BF16, false, REGAL_UNIT_SPECIAL, 1},
        {REGAL_WORK_TRANSCENDENTAL, REGAL_TYPE_F64, false, REGAL_UNIT_VECTOR_F64, 20},
        {REGAL_WORK_RANDOM, REGAL_TYPE_F32, false, REGAL_UNIT_VECTOR_INTEGER, 1},
    };
    for (const UnitCase &one : cases) {
        const regal_work work = {one.kind, one.type, one.full_precision, 1000, 0};
        regal_load load{};
        regal_load_add(&load, &work);
        for (int u = 0; u < REGAL_UNIT_COUNT; ++u)
            EXPECT_EQ(load.flops[u], u == one.unit ? 1000 * one.per_flop : 0)
                << regal_work_kind_name(one.kind) << " of " << regal_type_name(one.type)
                << " on unit " << u;
    }
}

TEST(CostModel, CountsFlopsAsPeopleDo) {
    const struct {
        regal_work_kind kind;
        regal_type type;
        int64_t flops;
    } cases[] = {{REGAL_WORK_MATRIX_PRODUCT, REGAL_TYPE_F32, 1000},
                 {REGAL_WORK_MATRIX_PRODUCT, REGAL_TYPE_S8, 1000},
                 {REGAL_WORK_CONVOLUTION, REGAL_TYPE_C64, 4000},
                 {REGAL_WORK_TRANSCENDENTAL, REGAL_TYPE_F64, 1000}, // not what they cost
                 {REGAL_WORK_ELEMENTWISE, REGAL_TYPE_BF16, 1000},
                 {REGAL_WORK_ELEMENTWISE, REGAL_TYPE_S64, 0},
                 {REGAL_WORK_RANDOM, REGAL_TYPE_F32, 0},
                 {REGAL_WORK_FREE, REGAL_TYPE_F32, 0}};
    regal_load all{};
    for (const auto &one : cases) {
        const regal_work work = {one.kind, one.type, false, 1000, 0};
        EXPECT_EQ(regal_work_flops(&work), one.flops)
            << regal_work_kind_name(one.kind) << " of " << regal_type_name(one.type);
        regal_load_add(&all, &work);
    }
    regal_load twice{};
    regal_load_merge_times(&twice, &all, 2);
    EXPECT_EQ(twice.counted, 2 * 8000);
}

TEST(CostModel, LaunchesFusedWorkOnce) {
    const regal_work multiply = {REGAL_WORK_MATRIX_PRODUCT, REGAL_TYPE_F32, false, 100, 0};
    const regal_work add = {REGAL_WORK_ELEMENTWISE, REGAL_TYPE_F32, false, 50, 0};
    regal_load load{};
    regal_load_add(&load, &multiply);
    regal_load_add(&load, &add);
    load.bytes = 1;
    const regal_device_profile profile = plain_profile();
    EXPECT_EQ(regal_load_ticks(&profile, &load), 5 + 10 + 5);
}

TEST(CostModel, RepeatsLoads) {
    regal_load once{};
    once.flops[REGAL_UNIT_SPECIAL] = 3;
    once.bytes = 4;
    once.collective_bytes = INT64_MAX / 2;
    regal_load all{};
    regal_load_merge_times(&all, &once, 5);
    EXPECT_EQ(all.flops[REGAL_UNIT_SPECIAL], 15);
    EXPECT_EQ(all.bytes, 20);
    EXPECT_EQ(all.collective_bytes, INT64_MAX);
}

} // namespace

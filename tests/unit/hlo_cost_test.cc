// What the instructions of an HLO module cost.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "support/hlo_costs.h"
#include "support/hlo_reading.h"
#include "support/warning_list.h"

namespace {

TEST(HloCost, CountsProducts) {
    const HloGraph graph(R"(ENTRY e {
  a = bf16[2,300,500] parameter(0)
  b = bf16[2,500,700] parameter(1)
  c = f32[300,500] parameter(2)
  d = f32[500,700] parameter(3)
  x = bf16[2,300,700] dot(a, b), lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, rhs_contracting_dims={1}
  y = f32[300,700] dot(c, d), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  z = f32[300,700] dot(c, d), lhs_contracting_dims={1}, rhs_contracting_dims={0}, operand_precision={highest,highest}
})");
    EXPECT_EQ(graph.op("x").cost[0],
              ticks(regal_work_matrix_product(REGAL_TYPE_BF16, 2, 300, 700, 500)));
    regal_work work = regal_work_matrix_product(REGAL_TYPE_F32, 1, 300, 700, 500);
    EXPECT_EQ(graph.op("y").cost[0], ticks(work));
    work.full_precision = true;
    EXPECT_EQ(graph.op("z").cost[0], ticks(work));
    EXPECT_GT(graph.op("z").cost[0], graph.op("y").cost[0]);
}

TEST(HloCost, CountsConvolutions) {
    const HloGraph graph(R"(ENTRY e {
  i = f32[8,224,224,64] parameter(0)
  k = f32[7,7,64,128] parameter(1)
  g = f32[7,7,4,128] parameter(2)
  x = f32[8,112,112,128] convolution(i, k), window={size=7x7 stride=2x2}, dim_labels=b01f_01io->b01f
  y = f32[8,112,112,128] convolution(i, g), window={size=7x7 stride=2x2}, dim_labels=b01f_01io->b01f, feature_group_count=16
  z = f32[8,112,112,128] convolution(i, k), window={size=7x7 lhs_dilate=2x2}, dim_labels=b01f_01io->b01f
})");
    const int64_t input = 8LL * 224 * 224 * 64, output = 8LL * 112 * 112 * 128;
    const int64_t kernel = 7 * 7 * 64 * 128, taps = 7 * 7 * 64;
    EXPECT_EQ(graph.op("x").cost[0],
              ticks(regal_work_convolution(REGAL_TYPE_F32, input, kernel, output, taps)));
    EXPECT_EQ(graph.op("y").cost[0],
              ticks(regal_work_convolution(REGAL_TYPE_F32, input, kernel / 16, output, taps / 16)));
    EXPECT_EQ(graph.op("z").cost[0], load_ticks(REGAL_UNIT_MATRIX_TF32, 2 * output * taps / 4,
                                                4 * (input + kernel + output)));
}

TEST(HloCost, CountsElementsOnce) {
    const HloGraph graph(R"(ENTRY e {
  a = f32[1000000] parameter(0)
  b = f32[1000000] parameter(1)
  add = f32[1000000] add(a, b)
  square = f32[1000000] multiply(a, a)
  exp = f64[1000000] exponential(a)
  less = pred[1000000] compare(a, b), direction=LT
})");
    EXPECT_EQ(graph.op("add").cost[0],
              ticks(regal_work_elementwise(REGAL_TYPE_F32, 1000000, 2, 1)));
    EXPECT_EQ(graph.op("square").cost[0],
              ticks(regal_work_elementwise(REGAL_TYPE_F32, 1000000, 1, 1)));
    EXPECT_EQ(graph.op("exp").cost[0], load_ticks(REGAL_UNIT_VECTOR_F64, 20000000, 12000000));
    EXPECT_EQ(graph.op("less").cost[0], load_ticks(REGAL_UNIT_VECTOR_F32, 1000000, 9000000));
}

TEST(HloCost, RunsTheFunctionOfAReductionForEachElement) {
    const HloGraph graph(std::string(sum) + R"(ENTRY e {
  a = f32[10000,10000] parameter(0)
  c = f32[] constant(0)
  r = f32[10000] reduce(a, c), dimensions={1}, to_apply=sum
  w = f32[5000,5000] reduce-window(a, c), window={size=100x100 stride=2x2}, to_apply=sum
  m = f32[10000,10000] map(a, a), to_apply=sum
})");
    EXPECT_EQ(graph.op("r").cost[0],
              load_ticks(REGAL_UNIT_VECTOR_F32, 100000000, 4 * (100000000 + 10000 + 1)));
    EXPECT_EQ(graph.op("w").cost[0],
              load_ticks(REGAL_UNIT_VECTOR_F32, 250000000000, 4 * (100000000 + 25000000 + 1)));
    EXPECT_EQ(graph.op("m").cost[0],
              load_ticks(REGAL_UNIT_VECTOR_F32, 100000000, 2 * 4 * 100000000));
}

TEST(HloCost, MovesNoMoreThanItTakes) {
    const HloGraph graph(std::string(sum) + R"(ENTRY e {
  a = f32[1000000] parameter(0)
  i = s32[] parameter(1)
  n = s32[100,1] parameter(2)
  u = f32[1000] parameter(3)
  s = f32[1000] slice(a), slice={[0:1000]}
  d = f32[1000] dynamic-slice(a, i), dynamic_slice_sizes={1000}
  g = f32[100,10] gather(a, n), offset_dims={1}, slice_sizes={10}
  p = f32[1000000] dynamic-update-slice(a, u, i)
  q = f32[1000000] negate(a)
  r = f32[1000000] dynamic-update-slice(q, u, i)
})");
    EXPECT_EQ(graph.op("s").cost[0], movement(2 * 4000));
    EXPECT_EQ(graph.op("d").cost[0], movement(2 * 4000));
    EXPECT_EQ(graph.op("g").cost[0], movement(2 * 4000 + 400));
    EXPECT_EQ(graph.op("p").cost[0], movement(2 * 4000 + 2 * 4000000)) << "a stays: copied";
    EXPECT_EQ(graph.op("r").cost[0], movement(2 * 4000)) << "q is overwritten";
}

TEST(HloCost, SendsCollectivesOverTheirRate) {
    const HloGraph graph("e { a = u4[1024,512]{1,0:E(4)} parameter(0)\n"
                         " b = u4[1024,4096]{1,0:E(4)} all-gather(a), dimensions={1} }");
    EXPECT_EQ(graph.op("b").cost[0], ticks(regal_work_collective(1024 * 4096 / 2)));
    EXPECT_EQ(graph.tensor("b").bytes, 1024 * 4096 / 2);
}

TEST(HloCost, LaunchesAFusionOnce) {
    const HloGraph graph(R"(f {
  x = f32[1000000] parameter(0)
  y = f32[1000000] parameter(1)
  a = f32[1000000] add(x, y)
  b = f32[1000000] multiply(a, y)
  ROOT c = f32[1000000] tanh(b)
}
ENTRY e {
  p = f32[1000000] parameter(0)
  q = f32[1000000] parameter(1)
  ROOT r = f32[1000000] fusion(p, q), kind=kLoop, calls=f
})");
    regal_load load{};
    load.flops[REGAL_UNIT_VECTOR_F32] = 2000000;
    load.flops[REGAL_UNIT_SPECIAL] = 1000000;
    load.bytes = 3 * 4000000;
    EXPECT_EQ(graph.op("r").cost[0], regal_load_ticks(&profile(), &load));
    EXPECT_EQ(graph.op("r").workspace, 0);
}

TEST(HloCost, ReadsOnlyTheSlicesThatAFusionTakes) {
    const HloGraph graph(R"(f {
  x = f32[1000,1000] parameter(0)
  i = s32[] parameter(1)
  z = s32[] constant(0)
  s = f32[1,1000] dynamic-slice(x, i, z), dynamic_slice_sizes={1,1000}
  ROOT n = f32[1,1000] negate(s)
}
ENTRY e {
  p = f32[1000,1000] parameter(0)
  i = s32[] parameter(1)
  ROOT r = f32[1,1000] fusion(p, i), kind=kLoop, calls=f
})");
    EXPECT_EQ(graph.op("r").cost[0], load_ticks(REGAL_UNIT_VECTOR_F32, 1000, 4000 + 4 + 4000));
}

TEST(HloCost, KnowsLibraryCalls) {
    const HloGraph graph(R"(ENTRY e {
  a = f16[1024,512] parameter(0)
  b = f16[512,2048] parameter(1)
  q = bf16[2,4096,16,128] parameter(2)
  k = bf16[2,4096,4,128] parameter(3)
  i = f16[8,32,32,64] parameter(4)
  w = f16[3,3,64,64] parameter(5)
  g = (f16[1024,2048], s8[100]) custom-call(a, b), custom_call_target="__cublas$gemm", backend_config={"gemm_backend_config":{"dot_dimension_numbers":{"lhs_contracting_dimensions":["1"],"rhs_contracting_dimensions":["0"]}}}
  f = bf16[2,4096,16,128] custom-call(q, k, k), custom_call_target="te_fused_attn_forward_ffi"
  h = bf16[2,4096,16,128] custom-call(q, k, k), custom_call_target="te_fused_attn_backward_ffi"
  c = (f16[8,32,32,64], u8[0]) custom-call(i, w), custom_call_target="__cudnn$convForward", window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f
  u = f16[8] custom-call(a), custom_call_target="unheard of"
})");
    EXPECT_EQ(graph.op("g").cost[0], load_ticks(REGAL_UNIT_MATRIX_F16, 2LL * 1024 * 2048 * 512,
                                                2 * (1024 * 512 + 512 * 2048 + 1024 * 2048) + 100));
    const int64_t query = 2LL * 4096 * 16 * 128, key = 2LL * 4096 * 4 * 128;
    EXPECT_EQ(graph.op("f").cost[0],
              load_ticks(REGAL_UNIT_MATRIX_F16, 4 * query * 4096, 2 * (2 * query + key)));
    EXPECT_EQ(graph.op("h").cost[0],
              load_ticks(REGAL_UNIT_MATRIX_F16, 10 * query * 4096, 2 * (2 * query + key)));
    EXPECT_EQ(graph.op("c").cost[0],
              load_ticks(REGAL_UNIT_MATRIX_F16, 2LL * 8 * 32 * 32 * 64 * 9 * 64,
                         2 * (2 * 8 * 32 * 32 * 64 + 9 * 64 * 64)));
    EXPECT_EQ(graph.op("u").cost[0], movement(2 * 1024 * 512 + 16));
}

} // namespace

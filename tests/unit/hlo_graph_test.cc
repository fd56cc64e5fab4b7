// What the instructions of an HLO module become in the graph.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "cost/device_profile.h"
#include "support/hlo_reading.h"
#include "support/warning_list.h"

namespace {

using Names = std::vector<std::string>;
using Set = std::set<std::string>;

const regal_device_profile &profile(const char *name = "h100") {
    const regal_device_profile *found = nullptr;
    if (regal_device_profile_find(name, &found) != REGAL_OK)
        throw std::runtime_error(regal_error_message());
    return *found;
}

int64_t ticks(const regal_work &work) {
    return regal_work_ticks(&profile(), &work);
}

int64_t movement(int64_t bytes) {
    return ticks(regal_work_movement(bytes, 0));
}

// Launch, arithmetic on one unit, traffic.
int64_t load_ticks(regal_unit unit, int64_t flops, int64_t bytes) {
    regal_load load{};
    load.flops[unit] = flops;
    load.bytes = bytes;
    return regal_load_ticks(&profile(), &load);
}

const char *const sum = "sum { x = f32[] parameter(0)\n y = f32[] parameter(1)\n"
                        " ROOT z = f32[] add(x, y) }\n";

TEST(HloGraph, HasAnOpForEachInstructionThatDoesWork) {
    const HloGraph graph(R"(HloModule m
ENTRY e {
  p = f32[8] parameter(0)
  c = f32[] constant(2)
  b = f32[8] broadcast(c), dimensions={}
  m = f32[8] multiply(p, b)
  t = (f32[8], f32[8]) tuple(m, b)
  g = f32[8] get-tuple-element(t), index=0
  v = s32[8] bitcast(g)
  o = s32[8] opt-barrier(v)
  n = s32[8] negate(o)
  ROOT r = (s32[8], f32[8]) tuple(n, g)
})");
    EXPECT_STREQ(regal_graph_name(graph.get()), "m");
    EXPECT_EQ(graph.op_names(), (Names{"b", "m", "n"}));
    EXPECT_STREQ(graph.op("m").kind, "multiply");
    EXPECT_EQ(graph.tensor_count(), 3);
    EXPECT_EQ(graph.consumers("b"), Set{"m"});
    EXPECT_EQ(graph.consumers("m"), Set{"n"});
    EXPECT_EQ(graph.tensor("m").bytes, 32);
    EXPECT_TRUE(graph.tensor("m").output);
    EXPECT_TRUE(graph.tensor("n").output);
    EXPECT_FALSE(graph.tensor("b").output);
}

TEST(HloGraph, KeepsParametersAndArraysOfConstantsResident) {
    const HloGraph graph(R"(ENTRY e {
  w = f32[8] parameter(0)
  unused = f32[100] parameter(1)
  t = (f32[2], (f32[3], f32[8])) parameter(2)
  c = f32[8] constant({...})
  s = f32[] constant(1)
  g = (f32[3], f32[8]) get-tuple-element(t), index=1
  h = f32[8] get-tuple-element(g), index=1
  a = f32[8] add(w, h)
  b = f32[8] clamp(s, a, c)
  d = f32[8] add(w, b)
})");
    EXPECT_EQ(graph.parameter_count(), 3);
    EXPECT_EQ(graph.users("w"), (Set{"a", "d"}));
    EXPECT_EQ(graph.users("t{2}"), Set{"a"});
    EXPECT_EQ(graph.users("c"), Set{"b"});
    EXPECT_EQ(graph.parameter("c").bytes, 32);
}

TEST(HloGraph, HasATensorForEachArrayOfATuple) {
    const HloGraph graph(R"(ENTRY e {
  p = f32[8] parameter(0)
  c.1 = f32[8] negate(p)
  c = (f32[2], (s8[3], token[])) custom-call(c.1), custom_call_target="x"
  i = (s8[3], token[]) get-tuple-element(c), index=1
  j = s8[3] get-tuple-element(i), index=0
  ROOT r = s8[3] negate(j)
})");
    EXPECT_EQ(graph.tensor("c{0}").bytes, 8);
    EXPECT_EQ(graph.tensor("c{1}").bytes, 3);
    EXPECT_EQ(graph.tensor("c{2}").bytes, 0);
    EXPECT_EQ(graph.consumers("c{1}"), Set{"r"});
    EXPECT_EQ(graph.consumers("c{0}"), Set{});
    EXPECT_EQ(graph.consumers("c.1"), Set{"c"});
}

TEST(HloGraph, LooksThroughReshapesAndTransposesThatMoveNothing) {
    const HloGraph graph(R"(ENTRY e {
  p = f32[2,3,4] parameter(0)
  a = f32[2,3,4] negate(p)
  flat = f32[6,4]{1,0} reshape(a)
  turned = f32[4,2,3]{0,2,1} transpose(a), dimensions={2,0,1}
  b = f32[6,4] negate(flat)
  c = f32[4,2,3]{0,2,1} negate(turned)
  tuple = (f32[6,4], f32[4,2,3]) tuple(b, c)
})");
    EXPECT_EQ(graph.op_names(), (Names{"a", "b", "c"}));
    EXPECT_EQ(graph.consumers("a"), (Set{"b", "c"}));
}

TEST(HloGraph, CountsReshapesAndTransposesThatMoveSomething) {
    const HloGraph graph(R"(ENTRY e {
  p = f32[2,3,4] parameter(0)
  columns = f32[6,4]{0,1} reshape(p)
  tiles = f32[6,4]{1,0:T(8,128)} reshape(p)
  turned = f32[4,2,3]{2,1,0} transpose(p), dimensions={2,0,1}
  copied = f32[2,3,4] copy(p)
})");
    EXPECT_EQ(graph.op_names(), (Names{"columns", "tiles", "turned", "copied"}));
    EXPECT_EQ(graph.op("turned").cost[0], movement(2 * 96));
}

TEST(HloGraph, TakesControlPredecessorsAndTokensForEdges) {
    const HloGraph graph(R"(ENTRY e {
  p = f32[8] parameter(0)
  a = f32[8] negate(p)
  b = f32[8] abs(p), control-predecessors={a, p}
  t = (f32[8], f32[8]) tuple(a, b)
  c = f32[8] floor(p), control-predecessors={t}
  k = token[] after-all()
  s = token[] custom-call(a, k), custom_call_target="signal"
  o = token[] after-all(s)
  d = f32[8] add-dependency(p, o)
  ROOT r = f32[8] ceil(d)
})");
    EXPECT_EQ(graph.controls(), (Set{"a>b", "a>c", "b>c", "s>r"}));
    EXPECT_EQ(graph.users("p"), (Set{"a", "b", "c", "r"}));
}

TEST(HloGraph, JoinsSeveralTokensInAnOp) {
    const HloGraph graph(R"(ENTRY e {
  a = token[] after-all()
  s = token[] custom-call(a), custom_call_target="s"
  t = token[] custom-call(a), custom_call_target="t"
  ROOT j = token[] after-all(s, t)
})");
    EXPECT_EQ(graph.op_names(), (Names{"s", "t", "j"}));
    EXPECT_EQ(graph.consumers("s"), Set{"j"});
    EXPECT_EQ(graph.op("j").cost[0], 1);
}

// ---- costs

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

// ---- control flow

// A loop of `trips`: state (counter, x), each round x = x + x.
std::string loop(const std::string &condition, const std::string &change,
                 const std::string &start = "constant(0)", const std::string &config = "") {
    return "body { s = (s32[], f32[1000]) parameter(0)\n"
           " i = s32[] get-tuple-element(s), index=0\n x = f32[1000] get-tuple-element(s), "
           "index=1\n"
           " one = s32[] constant(1)\n three = s32[] constant(3)\n j = s32[] " +
           change +
           "\n"
           " y = f32[1000] add(x, x)\n z = f32[1000] negate(y)\n"
           " ROOT n = (s32[], f32[1000]) tuple(j, z) }\n"
           "test { s = (s32[], f32[1000]) parameter(0)\n"
           " i = s32[] get-tuple-element(s), index=0\n bound = s32[] constant(10)\n"
           " ROOT c = pred[] " +
           condition +
           " }\n"
           "ENTRY e { x = f32[1000] parameter(0)\n p = s32[] parameter(1)\n i = s32[] " +
           start +
           "\n s = (s32[], f32[1000]) tuple(i, x)\n"
           " ROOT w = (s32[], f32[1000]) while(s), condition=test, body=body" +
           config + " }";
}

int64_t trips_of(const std::string &text) {
    const int64_t scalar = load_ticks(REGAL_UNIT_VECTOR_INTEGER, 1, 12);
    const int64_t body = scalar + 2 * load_ticks(REGAL_UNIT_VECTOR_F32, 1000, 8000);
    const int64_t test = load_ticks(REGAL_UNIT_VECTOR_INTEGER, 1, 9);
    const int64_t cost = HloGraph(text).op("w").cost[0];
    return cost % (body + test) == 0 ? cost / (body + test) : -1;
}

TEST(HloLoop, CountsTripsOfACounter) {
    const struct {
        const char *condition, *change, *start;
        int64_t trips;
    } cases[] = {
        {"compare(i, bound), direction=LT", "add(i, one)", "constant(0)", 10},
        {"compare(i, bound), direction=LT", "add(one, i)", "constant(4)", 6},
        {"compare(i, bound), direction=LT", "add(i, three)", "constant(0)", 4},
        {"compare(i, bound), direction=LE", "add(i, three)", "constant(1)", 4},
        {"compare(bound, i), direction=GT", "add(i, one)", "constant(0)", 10},
        {"compare(bound, i), direction=GE", "add(i, one)", "constant(0)", 11},
        {"compare(i, bound), direction=GT", "subtract(i, three)", "constant(20)", 4},
        {"compare(i, bound), direction=GE", "subtract(i, one)", "constant(20)", 11},
        {"compare(i, bound), direction=NE", "add(i, three)", "constant(1)", 3},
        {"compare(bound, i), direction=NE", "subtract(i, one)", "constant(13)", 3},
    };
    for (const auto &one : cases)
        EXPECT_EQ(trips_of(loop(one.condition, one.change, one.start)), one.trips)
            << one.condition << " " << one.change << " " << one.start;
}

TEST(HloLoop, LastsATickWhereItNeverRuns) {
    EXPECT_EQ(HloGraph(loop("compare(i, bound), direction=LT", "add(i, one)", "constant(10)"))
                  .op("w")
                  .cost[0],
              1);
}

TEST(HloLoop, BelievesTheNotedTripCount) {
    const std::string condition = "compare(i, bound), direction=LT", change = "add(i, one)";
    EXPECT_EQ(trips_of(loop(condition, change, "constant(0)",
                            ", backend_config={\"known_trip_count\":{\"n\":\"80\"},\"x\":1}")),
              80);
    EXPECT_EQ(
        trips_of(loop(condition, change, "negate(p)",
                      ", backend_config=\"{\\\"known_trip_count\\\":{\\\"n\\\":\\\"7\\\"}}\"")),
        7);
}

TEST(HloLoop, WarnsOfUnknownTripCountsAndTakesOne) {
    for (const std::string &text :
         {loop("compare(i, bound), direction=LT", "add(i, one)", "abs(p)"),
          loop("compare(i, bound), direction=LT", "multiply(i, three)"),
          loop("compare(i, bound), direction=LT", "subtract(i, one)"),
          loop("compare(i, bound), direction=NE", "add(i, three)"),
          loop("compare(i, bound), direction=EQ", "add(i, one)"), loop("not(i)", "add(i, one)")}) {
        const WarningList warnings;
        const HloGraph graph(text);
        ASSERT_EQ(warnings.list.size(), 1u) << text;
        EXPECT_EQ(warnings.list[0],
                  "file.hlo:18: the trip count of loop 'w' is unknown: it counts as 1");
    }
    EXPECT_EQ(trips_of(loop("compare(i, bound), direction=LT", "add(i, one)", "abs(p)")), 1);
}

TEST(HloLoop, CountsItsInnerPeakAsWorkspace) {
    // y lives beside the state; j and z are results
    EXPECT_EQ(HloGraph(loop("compare(i, bound), direction=LT", "add(i, one)")).op("w").workspace,
              4000);
}

TEST(HloLoop, HandsInvariantStateThrough) {
    const HloGraph graph(R"(body {
  s = (s32[], f32[1000], f32[500]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  one = s32[] constant(1)
  j = s32[] add(i, one)
  w = f32[1000] get-tuple-element(s), index=1
  x = f32[500] get-tuple-element(s), index=2
  y = f32[500] slice(w), slice={[0:500]}
  ROOT n = (s32[], f32[1000], f32[500]) tuple(j, w, y)
}
test {
  s = (s32[], f32[1000], f32[500]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  b = s32[] constant(4)
  ROOT c = pred[] compare(i, b), direction=LT
}
ENTRY e {
  p = f32[1000] parameter(0)
  w = f32[1000] negate(p)
  x = f32[500] parameter(1)
  z = s32[] constant(0)
  s = (s32[], f32[1000], f32[500]) tuple(z, w, x)
  loop = (s32[], f32[1000], f32[500]) while(s), condition=test, body=body
  same = f32[1000] get-tuple-element(loop), index=1
  new = f32[500] get-tuple-element(loop), index=2
  ROOT r = (f32[1000], f32[500]) tuple(same, new)
})");
    EXPECT_EQ(graph.op_names(), (Names{"w", "loop"}));
    EXPECT_FALSE(graph.has_tensor("loop{1}"));
    EXPECT_TRUE(graph.tensor("w").output);
    EXPECT_TRUE(graph.tensor("loop{2}").output);
    EXPECT_EQ(graph.consumers("w"), Set{"loop"});
}

// A scan: each round writes a row into the accumulator, state leaf 1. `init` defines acc.
std::string scan(const std::string &init, const std::string &more = "") {
    return R"(body {
  s = (s32[], f32[10,100]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  acc = f32[10,100] get-tuple-element(s), index=1
  one = s32[] constant(1)
  zero = s32[] constant(0)
  j = s32[] add(i, one)
  row = f32[1,100] dynamic-slice(acc, i, zero), dynamic_slice_sizes={1,100}
  new = f32[1,100] negate(row)
  put = f32[10,100] dynamic-update-slice(acc, new, i, zero)
  ROOT n = (s32[], f32[10,100]) tuple(j, put)
}
test {
  s = (s32[], f32[10,100]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  b = s32[] constant(10)
  ROOT c = pred[] compare(i, b), direction=LT
}
ENTRY e {
  p = f32[10,100] parameter(0)
  zero = s32[] constant(0)
  fill = f32[] constant(0)
  acc = f32[10,100] )" +
           init + R"(
  s = (s32[], f32[10,100]) tuple(zero, acc)
  w = (s32[], f32[10,100]) while(s), condition=test, body=body
  out = f32[10,100] get-tuple-element(w), index=1
)" + more + "}";
}

TEST(HloLoop, AccumulatesInPlace) {
    const HloGraph graph(scan("broadcast(fill), dimensions={}"));
    EXPECT_EQ(graph.tensor("w{1}").alias_of, graph.tensor_index("acc"));
    EXPECT_EQ(graph.tensor("w{0}").alias_of, -1);
    EXPECT_EQ(graph.op("w").workspace, 400 + 400 + 4) << "row, new, zero";
    const int64_t scalar = load_ticks(REGAL_UNIT_VECTOR_INTEGER, 1, 12);
    EXPECT_EQ(graph.op("w").cost[0],
              10 * (scalar + 2 * movement(800) + load_ticks(REGAL_UNIT_VECTOR_F32, 100, 800) +
                    load_ticks(REGAL_UNIT_VECTOR_INTEGER, 1, 9)));
}

TEST(HloLoop, AccumulatesElsewhereWhereTheStartIsStillNeeded) {
    EXPECT_EQ(
        HloGraph(scan("broadcast(fill), dimensions={}", "  ROOT r = f32[10,100] add(acc, out)"))
            .tensor("w{1}")
            .alias_of,
        -1);
    EXPECT_EQ(HloGraph(scan("broadcast(fill), dimensions={}",
                            "  ROOT r = (f32[10,100], f32[10,100]) tuple(acc, out)"))
                  .tensor("w{1}")
                  .alias_of,
              -1);
    EXPECT_EQ(HloGraph(scan("bitcast(p)")).tensor("w{1}").alias_of, -1) << "the caller's";
}

TEST(HloControl, TakesTheDearestBranch) {
    const HloGraph graph(R"(small { x = f32[1000] parameter(0)
  ROOT y = f32[1000] negate(x) }
large { x = f32[1000] parameter(0)
  a = f32[1000] negate(x)
  b = f32[1000] abs(a)
  ROOT y = f32[1000] ceil(b) }
ENTRY e {
  c = pred[] parameter(0)
  p = f32[1000] parameter(1)
  i = f32[1000] conditional(c, p, p), true_computation=small, false_computation=large
  ROOT j = f32[1000] conditional(c, i, p), branch_computations={large, small}
})");
    const int64_t one = load_ticks(REGAL_UNIT_VECTOR_F32, 1000, 8000);
    for (const char *name : {"i", "j"}) {
        EXPECT_EQ(graph.op(name).cost[0], 3 * one);
        EXPECT_EQ(graph.op(name).workspace, 2 * 4000);
    }
    EXPECT_EQ(graph.consumers("i"), Set{"j"});
}

TEST(HloControl, RunsACallOpByOpAndHandsThrough) {
    const HloGraph graph(R"(inner { x = f32[1000] parameter(0)
  a = f32[1000] negate(x)
  ROOT b = f32[1000] abs(a) }
outer { x = f32[1000] parameter(0)
  y = f32[1000] parameter(1)
  c = f32[1000] call(x), to_apply=inner
  d = f32[1000] ceil(c)
  ROOT t = (f32[1000], f32[1000]) tuple(d, y) }
ENTRY e {
  p = f32[1000] parameter(0)
  q = f32[1000] floor(p)
  c = (f32[1000], f32[1000]) call(p, q), to_apply=outer
  g = f32[1000] get-tuple-element(c), index=1
  ROOT r = f32[1000] sign(g)
})");
    EXPECT_EQ(graph.op("c").cost[0], 3 * load_ticks(REGAL_UNIT_VECTOR_F32, 1000, 8000));
    EXPECT_EQ(graph.op("c").workspace, 4000 + 4000) << "c, and a inside it";
    EXPECT_EQ(graph.consumers("q"), (Set{"c", "r"}));
    EXPECT_FALSE(graph.has_tensor("c{1}"));
}

TEST(HloControl, LooksThroughTheEndsOfAsynchronousPairs) {
    const HloGraph graph(std::string(sum) + R"(wrapped { x = f32[1000] parameter(0)
  ROOT y = f32[1000] tanh(x) }
ENTRY e {
  p = f32[1000] parameter(0)
  a = f32[1000] negate(p)
  s = ((f32[1000]), f32[1000], u32[]) async-start(a), calls=wrapped
  u = ((f32[1000]), f32[1000], u32[]) async-update(s)
  d = f32[1000] async-done(u)
  rs = f32[1000] all-reduce-start(d), to_apply=sum
  rd = f32[1000] all-reduce-done(rs)
  gs = (f32[1000], f32[4000]) all-gather-start(rd), dimensions={0}
  gd = f32[4000] all-gather-done(gs)
  cs = (f32[4000], f32[4000], u32[]) copy-start(gd)
  cd = f32[4000] copy-done(cs)
  ts = ((f32[4000]), f32[4000], s32[]) tanh-start(cd)
  td = f32[4000] tanh-done(ts)
  ROOT r = f32[4000] negate(td)
})");
    EXPECT_EQ(graph.op_names(), (Names{"a", "s", "rs", "gs", "cs", "ts", "r"}));
    EXPECT_EQ(graph.consumers("a"), Set{"s"});
    EXPECT_EQ(graph.consumers("s{1}"), Set{"rs"});
    EXPECT_EQ(graph.consumers("rs"), Set{"gs"});
    EXPECT_EQ(graph.consumers("gs{1}"), Set{"cs"});
    EXPECT_EQ(graph.consumers("cs{0}"), Set{"ts"});
    EXPECT_EQ(graph.consumers("ts{1}"), Set{"r"});
    EXPECT_FALSE(graph.has_tensor("s{0}")) << "the operand itself";
    EXPECT_EQ(graph.op("s").cost[0], load_ticks(REGAL_UNIT_SPECIAL, 1000, 8000));
    EXPECT_EQ(graph.op("ts").cost[0], load_ticks(REGAL_UNIT_SPECIAL, 4000, 32000));
    EXPECT_EQ(graph.op("gs").cost[0], ticks(regal_work_collective(16000)));
}

TEST(HloControl, PairsSendsAndReceives) {
    const HloGraph graph(R"(ENTRY e {
  p = f32[1000] parameter(0)
  k = token[] after-all()
  s = (f32[1000], u32[], token[]) send(p, k), channel_id=1
  sd = token[] send-done(s)
  v = (f32[1000], u32[], token[]) recv(sd), channel_id=1
  vd = (f32[1000], token[]) recv-done(v)
  x = f32[1000] get-tuple-element(vd), index=0
  ROOT n = f32[1000] negate(x)
})");
    EXPECT_EQ(graph.op_names(), (Names{"s", "v", "n"}));
    EXPECT_EQ(graph.consumers("s{2}"), Set{"v"});
    EXPECT_EQ(graph.consumers("v{0}"), Set{"n"});
}

// ---- storage

TEST(HloAlias, WritesInPlaceWhereNothingElseNeedsTheOldValue) {
    const HloGraph graph(std::string(sum) + R"(ENTRY e {
  p = f32[1000] parameter(0)
  i = s32[] parameter(1)
  u = f32[10] parameter(2)
  n = s32[10,1] parameter(3)
  a = f32[1000] negate(p)
  b = f32[1000] dynamic-update-slice(a, u, i)
  c = f32[1000] scatter(b, n, u), to_apply=sum
  d = f32[1000] dynamic-update-slice(c, u, i)
  ROOT r = f32[1000] add(c, d)
})");
    EXPECT_EQ(graph.tensor("b").alias_of, graph.tensor_index("a"));
    EXPECT_EQ(graph.tensor("c").alias_of, graph.tensor_index("b"));
    EXPECT_EQ(graph.tensor("d").alias_of, -1) << "c is needed afterwards";
}

TEST(HloAlias, NeverOverwritesWhatItReadsBesides) {
    const HloGraph graph(R"(ENTRY e {
  p = f32[10] parameter(0)
  i = s32[] parameter(1)
  a = f32[10] negate(p)
  ROOT b = f32[10] dynamic-update-slice(a, a, i)
})");
    EXPECT_EQ(graph.tensor("b").alias_of, -1);
}

TEST(HloAlias, TakesDeclaredAliases) {
    const HloGraph graph(R"(ENTRY e {
  p = f32[1000] parameter(0)
  a = f32[1000] negate(p)
  b = f32[1000] abs(p)
  ROOT c = (f32[1000], f32[1000]) custom-call(a, b), custom_call_target="x", output_to_operand_aliasing={{1}: (0, {}), {0}: (1, {})}
})");
    EXPECT_EQ(graph.tensor("c{1}").alias_of, graph.tensor_index("a"));
    EXPECT_EQ(graph.tensor("c{0}").alias_of, graph.tensor_index("b"));
}

TEST(HloAlias, FollowsUpdatesInsideFusions) {
    const HloGraph graph(R"(f {
  x = f32[1000] parameter(0)
  u = f32[10] parameter(1)
  i = s32[] parameter(2)
  n = f32[10] negate(u)
  ROOT d = f32[1000] dynamic-update-slice(x, n, i)
}
ENTRY e {
  p = f32[1000] parameter(0)
  u = f32[10] parameter(1)
  i = s32[] parameter(2)
  a = f32[1000] negate(p)
  ROOT r = f32[1000] fusion(a, u, i), kind=kLoop, calls=f
})");
    EXPECT_EQ(graph.tensor("r").alias_of, graph.tensor_index("a"));
    EXPECT_EQ(graph.op("r").cost[0], load_ticks(REGAL_UNIT_VECTOR_F32, 10, 40 + 4 + 40));
}

std::string step(const std::string &lines) {
    return "HloModule m, input_output_alias={ {0}: (0, {}, may-alias), {1}: (1, {0}, must-alias) "
           "}\nENTRY e {\n w = f32[1000] parameter(0)\n"
           " t = (f32[1000], f32[7]) parameter(1)\n v = f32[1000] get-tuple-element(t), index=0\n"
           " g = f32[1000] negate(w)\n" +
           lines + "}";
}

TEST(HloAlias, KeepsUpdatedParametersInTheirBuffers) {
    const HloGraph graph(step(" x = f32[1000] add(w, g)\n y = f32[1000] abs(g)\n"
                              " ROOT r = (f32[1000], f32[1000]) tuple(x, y)\n"));
    EXPECT_EQ(graph.tensor("x").bytes, 0);
    EXPECT_TRUE(graph.tensor("x").output);
    EXPECT_EQ(graph.users("w"), (Set{"g", "x"}));
    EXPECT_EQ(graph.tensor("y").bytes, 0);
    EXPECT_EQ(graph.users("t{0}"), Set{"y"});
    EXPECT_EQ(graph.controls(), Set{"g>x"});
}

TEST(HloAlias, SendsUpdatedParametersInFull) {
    const HloGraph graph(step(" x = f32[1000] add(w, g)\n y = f32[1000] abs(x)\n"
                              " ROOT r = (f32[1000], f32[1000]) tuple(x, y)\n"));
    EXPECT_EQ(graph.tensor("x").bytes, 4000);
    EXPECT_FALSE(graph.tensor("x").output) << "kept as the parameter";
    EXPECT_EQ(graph.consumers("x"), Set{"y"});
}

TEST(HloAlias, CopiesWhereTheOldParameterIsStillNeeded) {
    const HloGraph later(step(" x = f32[1000] add(w, g)\n z = f32[1000] abs(w)\n"
                              " y = f32[1000] add(z, z)\n"
                              " ROOT r = (f32[1000], f32[1000]) tuple(x, y)\n"));
    EXPECT_EQ(later.tensor("x").bytes, 4000);
    EXPECT_TRUE(later.tensor("x").output);
    EXPECT_EQ(later.controls(), Set{});
    const HloGraph returned(step(" x = f32[1000] add(w, g)\n"
                                 " ROOT r = (f32[1000], f32[1000]) tuple(x, w)\n"));
    EXPECT_EQ(returned.tensor("x").bytes, 4000);
    const HloGraph twice(step(" x = f32[1000] add(w, g)\n"
                              " ROOT r = (f32[1000], f32[1000]) tuple(x, x)\n"));
    EXPECT_EQ(twice.tensor("x").bytes, 4000);
}

TEST(HloAlias, TakesParametersHandedBackAsTheyAre) {
    const HloGraph graph(step(" ROOT r = (f32[1000], f32[1000]) tuple(w, v)\n"));
    EXPECT_EQ(graph.op_names(), Names{"g"});
    EXPECT_FALSE(graph.tensor("g").output);
    EXPECT_EQ(graph.parameter_count(), 1);
}

TEST(HloGraph, MayHaveNoOps) {
    EXPECT_EQ(HloGraph("e { p = f32[4] parameter(0) }").op_count(), 0);
}

TEST(HloGraph, CarriesTheProfilesAsClassesAndOption) {
    const HloGraph graph("ENTRY e { p = f32[1000000] parameter(0)\n n = f32[1000000] negate(p) }",
                         {"a100", "h200"});
    EXPECT_EQ(regal_graph_class_count(graph.get()), 2);
    EXPECT_STREQ(regal_graph_class_name(graph.get(), 0), "a100");
    EXPECT_STREQ(regal_graph_option(graph.get(), "profile"), "a100,h200");
    EXPECT_GT(graph.op("n").cost[0], graph.op("n").cost[1]);
}

} // namespace

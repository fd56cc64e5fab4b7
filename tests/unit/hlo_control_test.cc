// Loops, branches, calls and asynchronous pairs of HLO.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "support/hlo_costs.h"
#include "support/hlo_reading.h"
#include "support/warning_list.h"

namespace {

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

} // namespace

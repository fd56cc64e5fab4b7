// What the instructions of an HLO module become in the graph.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "support/hlo_costs.h"
#include "support/hlo_reading.h"
#include "support/warning_list.h"

namespace {

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

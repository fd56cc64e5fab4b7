// What the nodes of a TensorFlow graph become: ops, views, parameters, edges, groups.
#include "support/graph_def_reading.h"
#include "support/warning_list.h"

namespace {

using namespace pbtxt;
using Set = std::set<std::string>;
using Names = std::vector<std::string>;

class GraphDef : public WithTensorFlow {};

TEST_F(GraphDef, HasAnOpForEachNodeThatDoesWork) {
    const GraphDefGraph graph(placeholder("x", {8, 4}) + variable("w", {4, 2}) +
                              node("i", "Identity", {"w"}) + node("m", "MatMul", {"x", "i"}) +
                              node("r", "Relu", {"m:0"}) + node("n", "NoOp", {"^r"}, ""));
    EXPECT_EQ(graph.op_names(), (Names{"m", "r", "n"}));
    EXPECT_STREQ(graph.op("m").kind, "MatMul");
    EXPECT_EQ(graph.op("m").flops, 2 * 8 * 4 * 2);
    EXPECT_EQ(graph.op("n").cost[0], 0);
    EXPECT_EQ(graph.parameters(), (Set{"x 128", "w 32"}));
    EXPECT_EQ(graph.users("w"), Set{"m"});
    EXPECT_EQ(graph.bytes("m:0"), 64);
    EXPECT_EQ(graph.consumers("m:0"), Set{"r"});
    EXPECT_EQ(graph.controls(), Set{"r>n"});
    const regal_source *source = regal_graph_source(graph.get());
    ASSERT_NE(source, nullptr);
    EXPECT_EQ(source->nodes, 6);
    EXPECT_EQ(source->ops, 3);
    EXPECT_EQ(source->parameters, 2);
    EXPECT_EQ(source->nothing, 1);
}

TEST_F(GraphDef, ReadsControlInputsInAnyOrderAndDoubled) {
    const GraphDefGraph graph(node("c", "Add", {"^a", "x", "^b", "x", "^a"}) +
                              node("b", "Abs", {"x"}) + node("a", "Abs", {"x"}) +
                              placeholder("x", {4}));
    EXPECT_EQ(graph.controls(), (Set{"a>c", "b>c"}));
    EXPECT_EQ(graph.users("x"), (Set{"a", "b", "c"}));
}

TEST_F(GraphDef, KeepsLargeConstantsAndForgetsScalars) {
    const GraphDefGraph graph(placeholder("x", {3}, "DT_INT32") + constant("small", {0, 0}) +
                              constant("large", {1, 2, 3}) +
                              node("a", "Mul", {"x", "large"}, type("T", "DT_INT32")) +
                              node("b", "Sum", {"a", "small"}, type("T", "DT_INT32")));
    EXPECT_EQ(graph.parameters(), (Set{"x 12", "large 12"}));
}

TEST_F(GraphDef, TakesAHandleForItsVariable) {
    const GraphDefGraph graph(variable("v", {10}, "VarHandleOp") + placeholder("g", {10}) +
                              node("read", "ReadVariableOp", {"v"}, type("dtype", "DT_FLOAT")) +
                              node("e", "Exp", {"read"}) + constant("rate", {1}, true) +
                              node("u", "ResourceApplyGradientDescent", {"v", "rate", "g"}));
    EXPECT_EQ(graph.parameters(), (Set{"v 40", "g 40"}));
    EXPECT_EQ(graph.users("v"), (Set{"e", "u"}));
    EXPECT_EQ(graph.bytes("e:0"), 40);
    EXPECT_EQ(graph.op("u").flops, 20);
}

TEST_F(GraphDef, TakesViewsThatWaitForMoreForOpsThatCostNothing) {
    const GraphDefGraph graph(
        placeholder("x", {6}) + node("a", "Abs", {"x"}) + node("b", "Abs", {"x"}) +
        node("s", "Shape", {"b"}, type("T", "DT_FLOAT")) + constant("two", {2, 3}) +
        node("still", "Reshape", {"a", "two"}) + node("late", "Reshape", {"a", "s"}) +
        node("after", "Identity", {"a", "^b"}) + node("end", "AddN", {"still", "late", "after"}));
    EXPECT_EQ(graph.op_names(), (Names{"a", "b", "s", "late", "after", "end"}));
    EXPECT_EQ(graph.consumers("s:0"), Set{"late"});
    EXPECT_EQ(graph.op("late").cost[0], 0);
    EXPECT_EQ(graph.tensor("late:0").alias_of, 0);
    EXPECT_EQ(graph.tensor("after:0").alias_of, 0);
    EXPECT_EQ(graph.consumers("a:0"), (Set{"late", "after", "end"}));
}

TEST_F(GraphDef, SharesTheStorageOfWhatIdentityNPassesOn) {
    const GraphDefGraph graph(
        placeholder("x", {6}) + node("a", "Abs", {"x"}) + node("b", "Exp", {"x"}) +
        node("i", "IdentityN", {"a", "b"}, attr("T", "list { type: DT_FLOAT type: DT_FLOAT }")) +
        node("c", "Neg", {"i:1"}));
    EXPECT_EQ(graph.tensor("i:0").alias_of, graph.tensor("i:1").alias_of - 1);
    EXPECT_EQ(graph.op("i").cost[0], 0);
}

TEST_F(GraphDef, GroupsByClassTransitively) {
    const GraphDefGraph graph(
        placeholder("x", {6}) + variable("w", {6}) +
        node("a", "Abs", {"x"}, type("T", "DT_FLOAT") + attr("_class", "list { s: \"loc:@w\" }")) +
        node("b", "Abs", {"x"}, type("T", "DT_FLOAT") + attr("_class", "list { s: \"loc:@a\" }")) +
        node("c", "Add", {"x", "w"}) +
        node("d", "Abs", {"x"},
             type("T", "DT_FLOAT") + attr("_class", "list { s: \"loc:@gone\" }")) +
        node("e", "Abs", {"x"},
             type("T", "DT_FLOAT") + attr("_class", "list { s: \"loc:@gone\" s: \"else\" }")));
    EXPECT_STREQ(graph.op("a").group, "w");
    EXPECT_STREQ(graph.op("b").group, "w");
    EXPECT_EQ(graph.op("c").group, nullptr);
    EXPECT_STREQ(graph.op("d").group, "d");
    EXPECT_STREQ(graph.op("e").group, "d");
}

TEST_F(GraphDef, KeepsWhatIsReturnedAndNothingElse) {
    const GraphDefGraph graph(placeholder("x", {6}) + node("a", "Abs", {"x"}) +
                              node("i", "Identity", {"a"}) + node("b", "Exp", {"x"}) +
                              node("r", "_Retval", {"i"}));
    EXPECT_TRUE(graph.tensor("a:0").output);
    EXPECT_FALSE(graph.tensor("b:0").output);
}

TEST_F(GraphDef, KeepsWhatASignatureOfAMetaGraphNames) {
    const std::string nodes =
        placeholder("x", {6}) + node("a", "Abs", {"x"}) + node("b", "Exp", {"x"});
    const std::string signature = "signature_def { key: \"s\" value { outputs { key: \"o\" value { "
                                  "name: \"b:0\" dtype: DT_FLOAT } } } } ";
    const GraphDefGraph graph("meta_info_def { tags: \"serve\" } graph_def { " + nodes + "} " +
                              signature);
    EXPECT_FALSE(graph.tensor("a:0").output);
    EXPECT_TRUE(graph.tensor("b:0").output);
    expect_refused("graph_def { " + placeholder("x", {6}) + "} " + signature,
                   "a signature names the output 'b:0', which no node makes");
}

TEST_F(GraphDef, ChoosesTheServedGraphOfASavedModel) {
    const auto meta = [](const std::string &tags, const std::string &op) {
        return "meta_graphs { meta_info_def { " + tags + "} graph_def { " + placeholder("x", {6}) +
               node(op, "Abs", {"x"}) + "} } ";
    };
    WarningList warnings;
    const GraphDefGraph served("saved_model_schema_version: 1 " + meta("tags: \"train\" ", "t") +
                               meta("tags: \"serve\" ", "s") +
                               meta("tags: \"a\" tags: \"b\" ", "u"));
    EXPECT_EQ(served.op_names(), Names{"s"});
    ASSERT_EQ(warnings.list.size(), 1u);
    EXPECT_NE(warnings.list[0].find("'train', 'a,b'"), std::string::npos) << warnings.list[0];
    const GraphDefGraph first(meta("tags: \"train\" ", "t") + meta("", "s"));
    EXPECT_EQ(first.op_names(), Names{"t"});
    const GraphDefGraph only(meta("", "s"));
    EXPECT_EQ(only.op_names(), Names{"s"});
    EXPECT_EQ(warnings.list.size(), 2u);
    expect_refused("saved_model_schema_version: 1", "a SavedModel without a graph");
}

TEST_F(GraphDef, NamesWhatIsWrongWithNodes) {
    expect_refused(node("a", "Abs", {"b:1"}), "g.pb: node 'a': input[0] comes from 'b', which");
    expect_refused(node("a", "Abs", {"^b"}), "comes from 'b'");
    expect_refused(node("b", "Abs") + node("a", "Abs", {"b:x"}), "input[0] 'b:x' is malformed");
    expect_refused(node("b", "Abs") + node("a", "Abs", {"b:-1"}), "malformed");
    expect_refused(node("b", "Abs") + node("b", "Exp"),
                   "node[0] and node[1] have the same name 'b'");
    expect_refused(node("", "Abs"), "node[0]: '' is no name of a node");
    expect_refused(node("a:0", "Abs"), "'a:0' is no name");
    expect_refused(node("\\377", "Abs"), "the name holds bytes that are not UTF-8");
    expect_refused(node("a\\000b", "Abs"), "the name holds a NUL at byte 1");
}

TEST_F(GraphDef, NamesACycleNodeByNode) {
    expect_refused(placeholder("x", {1}) + node("a", "Add", {"x", "c"}) +
                       node("b", "Identity", {"a"}) + node("c", "Abs", {"b"}) +
                       node("d", "Abs", {"c"}),
                   "g.pb: a cycle of nodes: ");
    expect_refused(node("a", "Abs", {"a"}), "a cycle of nodes: a -> a");
    expect_refused(node("b", "NoOp", {"^d", "^c"}) + node("c", "NoOp", {"^b"}) + node("d", "NoOp"),
                   "c -> b -> c");
}

TEST_F(GraphDef, SaysWhereTextIsMalformed) {
    expect_refused("node {\n name: \"a\"\n op: 3\n}", "g.pb:3:6: ");
    expect_refused("node { op: \"x\" ", "g.pb:1:");
    WarningList warnings;
    const GraphDefGraph graph("node { name: \"a\" op: \"NoOp\" what: 3 }\nnode { name: \"b\" op: "
                              "\"NoOp\" what: 3 }");
    EXPECT_EQ(warnings.list, (Names{"g.pb:1:33: unknown field \"what\" is left out"}));
}

TEST_F(GraphDef, ListsWhatHasNoSize) {
    const std::string content =
        node("a", "Mystery") + node("b", "Identity", {"a:3"}) + node("c", "Abs", {"b"});
    WarningList warnings;
    expect_refused(content, "the sizes of 2 tensors are unknown (the first is 'a:3')");
    EXPECT_EQ(warnings.list.size(), 2u);
    const GraphDefGraph assumed(content, {.assume_bytes = true, .assumed_bytes = 40});
    EXPECT_EQ(assumed.bytes("a:3"), 40);
    EXPECT_STREQ(regal_graph_option(assumed.get(), "assume-bytes"), "40");
}

TEST_F(GraphDef, BindsTheOpenFirstDimensionOfPlaceholders) {
    const std::string content = placeholder("x", {-1, 3}) +
                                node("a", "Abs", {"x"}, type("T", "DT_FLOAT") + shapes({{-1, 3}}));
    const char *batch[] = {"batch=8"}, *other[] = {"N=8"}, *bad[] = {"batch=x"};
    const GraphDefGraph graph(content, {.dimensions = batch, .dimension_count = 1});
    EXPECT_EQ(graph.bytes("a:0"), 96);
    EXPECT_STREQ(regal_graph_option(graph.get(), "dim"), "batch=8");
    expect_refused(content, "unknown");
    expect_refused(content, "has no dimension 'N'", {.dimensions = other, .dimension_count = 1});
    expect_refused(content, "is no size", {.dimensions = bad, .dimension_count = 1});
    expect_refused(placeholder("x", {3}) + node("a", "Abs", {"x"}), "has no dimension 'batch'",
                   {.dimensions = batch, .dimension_count = 1});
}

} // namespace

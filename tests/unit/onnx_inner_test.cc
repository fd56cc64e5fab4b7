// Subgraphs and functions of ONNX models: one op with what is inside.
#include "support/onnx_reading.h"

namespace {

using namespace onnx_file;

// in [10] -> Exp -> Exp -> out: at most two tensors of 40 bytes at a time.
Graph TwoExp(const std::string &in, const std::string &prefix) {
    Graph graph;
    graph.nodes = {{"Exp", {in}, {prefix + "a"}}, {"Exp", {prefix + "a"}, {prefix + "b"}}};
    graph.outputs = {Message().text(1, prefix + "b")};
    return graph;
}

Model Choice() {
    Model model;
    Graph small;
    small.nodes = {{"Neg", {"x"}, {"small"}}};
    small.outputs = {Message().text(1, "small")};
    model.graph.inputs = {value("x", FLOAT, {10}), value("flag", BOOL, {})};
    model.graph.outputs = {Message().text(1, "z")};
    model.graph.nodes = {{"If",
                          {"flag"},
                          {"z"},
                          {graph_attribute("then_branch", TwoExp("x", "t").message()),
                           graph_attribute("else_branch", small.message())},
                          "if"}};
    return model;
}

TEST(OnnxInner, IfIsItsDearestBranchWithTheMostThatItHolds) {
    const OnnxGraph graph(Choice());
    ASSERT_TRUE(graph.ok());
    EXPECT_EQ(graph.ops(), "if");
    EXPECT_EQ(graph.op("if").flops, 20);
    EXPECT_EQ(graph.op("if").workspace, 80);
    EXPECT_EQ(graph.bytes("z"), 40);
    EXPECT_EQ(graph.users("x"), "if"); // captured
}

TEST(OnnxInner, IfWhoseConditionIsKnownIsTheBranchThatIsTaken) {
    Model model = Choice();
    model.graph.initializers = {
        Message().number(2, BOOL).text(8, "flag").text(9, std::string(1, '\0'))};
    model.graph.inputs.pop_back();
    const OnnxGraph graph(model);
    ASSERT_TRUE(graph.ok());
    EXPECT_EQ(graph.op("if").flops, 10);
    EXPECT_EQ(graph.op("if").workspace, 40);
}

// A body of (i, condition, state) -> (condition, state, each).
Model Repeated(std::vector<Message> initializers) {
    Model model;
    Graph body;
    body.inputs = {value("i", INT64, {}), value("c", BOOL, {}), value("s", FLOAT, {10})};
    body.nodes = {
        {"Exp", {"s"}, {"s2"}}, {"Identity", {"c"}, {"c2"}}, {"Add", {"s2", "w"}, {"each"}}};
    body.initializers = {weights("w", FLOAT, {10})};
    body.outputs = {value("c2", BOOL, {}), value("s2", FLOAT, {10}), value("each", FLOAT, {10})};
    model.graph.inputs = {value("x", FLOAT, {10}), value("n", INT64, {})};
    model.graph.initializers = std::move(initializers);
    model.graph.outputs = {Message().text(1, "last"), Message().text(1, "all")};
    model.graph.nodes = {{"Loop",
                          {"n", "", "x"},
                          {"last", "all"},
                          {graph_attribute("body", body.message())},
                          "loop"}};
    return model;
}

TEST(OnnxInner, LoopIsItsBodyAsOftenAsItRuns) {
    const OnnxGraph graph(Repeated({integers("n", {7}, true)}));
    ASSERT_TRUE(graph.ok());
    EXPECT_EQ(graph.op("loop").flops, 7 * 20);
    EXPECT_EQ(graph.op("loop").workspace, 80);
    EXPECT_EQ(graph.bytes("last"), 40);
    EXPECT_EQ(graph.bytes("all"), 7 * 40);
    EXPECT_EQ(graph.parameter("loop/w"), 40); // weights stay for the whole run
    EXPECT_EQ(graph.warned, "");
}

TEST(OnnxInner, LoopOfUnknownLengthCountsOnceAndIsTold) {
    const OnnxGraph graph(Repeated({}), {}, 1000);
    ASSERT_TRUE(graph.ok());
    EXPECT_EQ(graph.op("loop").flops, 20);
    EXPECT_TRUE(graph.warned_of("count as one run")) << graph.warned;
    EXPECT_EQ(graph.bytes("all"), 1000);
}

TEST(OnnxInner, ScanRunsAlongItsInput) {
    Model model;
    Graph body;
    body.inputs = {value("s", FLOAT, {10}), value("e", FLOAT, {10})};
    body.nodes = {{"Add", {"s", "e"}, {"s2"}}, {"Exp", {"s2"}, {"o"}}};
    body.outputs = {value("s2", FLOAT, {10}), value("o", FLOAT, {10})};
    model.graph.inputs = {value("x", FLOAT, {10}), value("xs", FLOAT, {6, 10})};
    model.graph.outputs = {Message().text(1, "last"), Message().text(1, "all")};
    model.graph.nodes = {
        {"Scan",
         {"x", "xs"},
         {"last", "all"},
         {attribute("num_scan_inputs", 1), graph_attribute("body", body.message())},
         "scan"}};
    const OnnxGraph graph(model);
    ASSERT_TRUE(graph.ok());
    EXPECT_EQ(graph.op("scan").flops, 6 * 20);
    EXPECT_EQ(graph.bytes("all"), 240);
}

TEST(OnnxInner, HoldsWhatAViewSeesUntilItIsUsed) {
    Model model = Choice();
    Graph branch;
    branch.nodes = {{"Exp", {"x"}, {"p"}},
                    {"Identity", {"p"}, {"view"}},
                    {"Exp", {"x"}, {"q"}},
                    {"Add", {"view", "q"}, {"out"}}};
    branch.outputs = {Message().text(1, "out")};
    model.graph.nodes[0].attributes[0] = graph_attribute("then_branch", branch.message());
    const OnnxGraph graph(model);
    ASSERT_TRUE(graph.ok());
    EXPECT_EQ(graph.op("if").workspace, 120); // p, q and out
}

TEST(OnnxInner, RefusesUnknownSizesInSubgraphsToo) {
    Model model = Choice();
    model.graph.inputs[0] = value("x", FLOAT, {"N"});
    model.graph.outputs = {value("z", FLOAT, {10})};
    EXPECT_TRUE(OnnxGraph(model).refused(REGAL_INVALID_INPUT, "in subgraphs"));
    const OnnxGraph assumed(model, {}, 8);
    ASSERT_TRUE(assumed.ok());
    EXPECT_EQ(assumed.op("if").workspace, 16);
    EXPECT_STREQ(regal_graph_option(assumed.get(), "assume-bytes"), "8");
}

TEST(OnnxInner, CallsFunctionsWithTheirAttributes) {
    Model model;
    model.domains = {{"own", 1}};
    model.functions = {
        function("own", "Double", {"in"}, {"out"},
                 {{"Concat", {"in", "in"}, {"wide"}, {attribute_reference("axis", "along")}},
                  {"Exp", {"wide"}, {"out"}}})};
    model.graph.inputs = {value("x", FLOAT, {3, 5})};
    model.graph.outputs = {Message().text(1, "a"), Message().text(1, "b")};
    model.graph.nodes = {{"Double", {"x"}, {"a"}, {attribute("along", 0)}, "rows", "own"},
                         {"Double", {"a"}, {"b"}, {attribute("along", 1)}, "columns", "own"}};
    const OnnxGraph graph(model);
    ASSERT_TRUE(graph.ok());
    EXPECT_EQ(graph.ops(), "rows columns");
    EXPECT_EQ(graph.bytes("a"), 6 * 5 * 4);
    EXPECT_EQ(graph.bytes("b"), 6 * 10 * 4);
    EXPECT_EQ(graph.op("columns").flops, 60);
    EXPECT_EQ(graph.op("columns").workspace, 480);
    EXPECT_EQ(graph.warned, "");
}

TEST(OnnxInner, SurvivesFunctionsThatCallThemselvesOrEachOtherALot) {
    Model model;
    model.domains = {{"own", 1}};
    model.graph.inputs = {value("x", FLOAT, {3})};
    model.graph.outputs = {value("z", FLOAT, {3})};
    model.graph.nodes = {{"F0", {"x"}, {"z"}, {}, "call", "own"}};
    model.functions = {function("own", "F0", {"x"}, {"y"}, {{"F0", {"x"}, {"y"}, {}, "", "own"}})};
    const OnnxGraph endless(model, {}, 1);
    ASSERT_TRUE(endless.ok());
    EXPECT_TRUE(endless.warned_of("too deep")) << endless.warned;
    model.functions.clear();
    for (int f = 0; f < 40; ++f) {
        const std::string next = "F" + std::to_string(f + 1);
        model.functions.push_back(
            function("own", "F" + std::to_string(f), {"x"}, {"y"},
                     {{next, {"x"}, {"m"}, {}, "", "own"}, {next, {"m"}, {"y"}, {}, "", "own"}}));
    }
    const OnnxGraph vast(model, {}, 1);
    ASSERT_TRUE(vast.ok());
    EXPECT_TRUE(vast.warned_of("too often")) << vast.warned;
}

} // namespace

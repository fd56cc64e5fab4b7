// Function calls, choices and loops of TensorFlow graphs: each is one op.
#include "support/graph_def_reading.h"
#include "support/hlo_costs.h"
#include "support/warning_list.h"

namespace {

using namespace pbtxt;
using Set = std::set<std::string>;
using Names = std::vector<std::string>;

class GraphDefCall : public WithTensorFlow {};

// arguments and results: of type float; results: "name=node:out:index".
std::string define(const std::string &name, const Texts &arguments, const Texts &results,
                   const Texts &nodes) {
    std::string text = "function { signature { name: \"" + name + "\" ";
    for (const std::string &argument : arguments)
        text += "input_arg { name: \"" + argument + "\" type: DT_FLOAT } ";
    for (const std::string &result : results)
        text +=
            "output_arg { name: \"" + result.substr(0, result.find('=')) + "\" type: DT_FLOAT } ";
    text += "} ";
    for (const std::string &one : nodes)
        text += "node_def " + one;
    for (const std::string &result : results)
        text += "ret { key: \"" + result.substr(0, result.find('=')) + "\" value: \"" +
                result.substr(result.find('=') + 1) + "\" } ";
    return text + "} ";
}

std::string library(const Texts &functions) {
    std::string text = "library { ";
    for (const std::string &one : functions)
        text += one;
    return text + "}\n";
}

const std::string f = type("T", "DT_FLOAT");

TEST_F(GraphDefCall, IsOneOpWithTheWorkAndPeakOfItsBody) {
    const std::string two =
        define("two", {"a"}, {"r=c:z:0"},
               {body("b", "Mul", {"a", "a"}, f), body("c", "Sub", {"b:z:0", "a"}, f)});
    for (const std::string &call :
         {node("n", "two", {"x"}, ""), node("n", "PartitionedCall", {"x"}, function("f", "two")),
          node("n", "StatefulPartitionedCall", {"x"}, function("f", "two"))}) {
        const GraphDefGraph graph(placeholder("x", {100}) + call + node("y", "Neg", {"n"}) +
                                  library({two}));
        EXPECT_EQ(graph.op_names(), (Names{"n", "y"}));
        EXPECT_EQ(graph.bytes("n:0"), 400);
        EXPECT_EQ(graph.op("n").flops, 200);
        EXPECT_EQ(graph.op("n").workspace, 400) << "b is inside, c is the result";
        EXPECT_EQ(graph.op("n").cost[0], load_ticks(REGAL_UNIT_VECTOR_F32, 200, 2 * 400 + 3 * 400));
    }
}

TEST_F(GraphDefCall, ShapesABodyForEachSetOfArguments) {
    const std::string twice = define("twice", {"a"}, {"r=b:y:0"}, {body("b", "Abs", {"a"}, f)});
    const GraphDefGraph graph(placeholder("x", {10}) + placeholder("y", {20}) +
                              node("n", "twice", {"x"}, "") + node("m", "twice", {"y"}, "") +
                              node("end", "Add", {"n", "m"}, f + shapes({{1}})) + library({twice}));
    EXPECT_EQ(graph.bytes("n:0"), 40);
    EXPECT_EQ(graph.bytes("m:0"), 80);
    EXPECT_EQ(graph.op("m").flops, 20);
}

TEST_F(GraphDefCall, TakesTheDearestBranch) {
    const std::string cheap = define("cheap", {"a"}, {"r=a"}, {});
    const std::string dear =
        define("dear", {"a"}, {"r=b:product:0"}, {body("b", "MatMul", {"a", "a"}, f)});
    const std::string choose = function("then_branch", "cheap") + function("else_branch", "dear");
    const std::string list =
        attr("branches", "list { func { name: \"cheap\" } func { name: \"dear\" } }");
    for (const std::string &call :
         {node("n", "If", {"p", "x"}, choose), node("n", "StatelessIf", {"p", "x"}, choose),
          node("n", "Case", {"p", "x"}, list)}) {
        const GraphDefGraph graph(placeholder("x", {64, 64}) + placeholder("p", {}) + call +
                                  node("y", "Neg", {"n"}) + library({cheap, dear}));
        EXPECT_EQ(graph.op("n").flops, 2 * 64 * 64 * 64);
        EXPECT_EQ(graph.bytes("n:0"), 64 * 64 * 4);
        EXPECT_EQ(graph.op("n").workspace, 0);
    }
}

TEST_F(GraphDefCall, CountsALoopAsOneRunAndSaysSo) {
    const std::string cond = define("cond", {"a"}, {"r=l:y:0"}, {body("l", "Sum", {"a", "a"}, f)});
    const std::string step = define("step", {"a"}, {"r=b:y:0"}, {body("b", "Exp", {"a"}, f)});
    WarningList warnings;
    const GraphDefGraph graph(
        placeholder("x", {64}) +
            node("n", "While", {"x"}, function("cond", "cond") + function("body", "step")) +
            node("y", "Neg", {"n"}) + library({cond, step}),
        {.assume_bytes = true, .assumed_bytes = 4});
    EXPECT_EQ(graph.op("n").flops, 64 + 64);
    EXPECT_EQ(graph.bytes("n:0"), 256);
    ASSERT_EQ(warnings.list.size(), 1u);
    EXPECT_NE(warnings.list[0].find("no trip count"), std::string::npos);
}

TEST_F(GraphDefCall, NestsAsDeeplyAsAFileLikes) {
    const int depth = 5000;
    Texts functions;
    for (int i = 0; i < depth; ++i)
        functions.push_back(define("f" + std::to_string(i), {"a"}, {"r=b:r:0"},
                                   {body("b", "f" + std::to_string(i + 1), {"a"}, "")}));
    functions.push_back(
        define("f" + std::to_string(depth), {"a"}, {"r=b:y:0"}, {body("b", "Abs", {"a"}, f)}));
    const GraphDefGraph graph(placeholder("x", {10}) + node("n", "f0", {"x"}, "") +
                              node("y", "Neg", {"n"}) + library(functions));
    EXPECT_EQ(graph.op("n").flops, 10);
    EXPECT_EQ(graph.bytes("n:0"), 40);
}

// Each function calls the next one twice: 2^60 calls, of which one for each function is worked out.
TEST_F(GraphDefCall, WorksABodyOutOnce) {
    Texts functions;
    for (int i = 0; i < 60; ++i) {
        const std::string next = "f" + std::to_string(i + 1);
        functions.push_back(define("f" + std::to_string(i), {"a"}, {"r=c:r:0"},
                                   {body("b", next, {"a"}, ""), body("c", next, {"b:r:0"}, "")}));
    }
    functions.push_back(define("f60", {"a"}, {"r=b:y:0"}, {body("b", "Abs", {"a"}, f)}));
    const std::string text =
        placeholder("x", {1}) + node("n", "f40", {"x"}, "") + library(functions);
    EXPECT_EQ(GraphDefGraph(text).op("n").flops, int64_t(1) << 20);
}

TEST_F(GraphDefCall, NamesAFunctionThatCallsItself) {
    const std::string a = define("a", {"x"}, {"r=b:r:0"}, {body("b", "b", {"x"}, "")});
    const std::string b = define("b", {"x"}, {"r=c:r:0"}, {body("c", "a", {"x"}, "")});
    expect_refused(placeholder("x", {1}) + node("n", "a", {"x"}, "") + library({a, b}),
                   "function 'a' calls itself, through node 'c' of function 'b'");
}

TEST_F(GraphDefCall, NamesWhatDanglesInABody) {
    const auto call = [](const std::string &one) {
        return placeholder("x", {1}) + node("n", "PartitionedCall", {"x"}, function("f", "g")) +
               library({one});
    };
    expect_refused(call(define("other", {"a"}, {"r=a"}, {})),
                   "node 'n' calls 'g', which no function of the library is called");
    expect_refused(call(define("g", {"a"}, {"r=b:y:0"}, {body("b", "Abs", {"c:y:0"}, f)})),
                   "node 'b' of function 'g': input[0] comes from 'c'");
    expect_refused(call(define("g", {"a"}, {"r=b:y:0"},
                               {body("b", "Abs", {"c:y:0"}, f), body("c", "Abs", {"b:y:0"}, f)})),
                   "a cycle of nodes in a function: ");
}

TEST_F(GraphDefCall, ListsSizesThatABodyLeavesOpen) {
    const std::string g = define("g", {"a"}, {"r=c:y:0"},
                                 {body("b", "Mystery", {"a"}, f),
                                  body("c", "Sum", {"b:what:0", "b:other:1"}, f + shapes({{}}))});
    const std::string text = placeholder("x", {1}) + node("n", "g", {"x"}, "") + library({g});
    WarningList warnings;
    expect_refused(text, "the sizes of 2 values within functions and loops are unknown");
    EXPECT_EQ(warnings.list.size(), 2u);
    const GraphDefGraph assumed(text, {.assume_bytes = true, .assumed_bytes = 40});
    EXPECT_EQ(assumed.op("n").workspace, 80);
    EXPECT_STREQ(regal_graph_option(assumed.get(), "assume-bytes"), "40");
}

// ---- while loops of Enter and Exit

std::string enter(const std::string &name, const std::string &input, const std::string &frame) {
    return node(name, "Enter", {input}, f + text("frame_name", frame));
}

// One that computes the exponential of `input`; its result is NAME/exit.
std::string loop(const std::string &name, const std::string &input) {
    const auto at = [&](const std::string &part) { return name + "/" + part; };
    return enter(at("enter"), input, name) + node(at("merge"), "Merge", {at("enter"), at("next")}) +
           constant(at("limit"), {1}, true, {"^" + at("merge")}) +
           node(at("test"), "Mystery", {at("merge"), at("limit")}, shapes({{}}) + f) +
           node(at("cond"), "LoopCond", {at("test")}, "") +
           node(at("switch"), "Switch", {at("merge"), at("cond")}) +
           node(at("work"), "Exp", {at("switch") + ":1"}) +
           node(at("next"), "NextIteration", {at("work")}) +
           node(at("exit"), "Exit", {at("switch")});
}

TEST_F(GraphDefCall, MakesAFrameOneOp) {
    WarningList warnings;
    const GraphDefGraph graph(placeholder("x", {100}) + node("a", "Abs", {"x"}) + loop("l", "a") +
                              node("b", "Neg", {"l/exit"}) + node("c", "NoOp", {"^l/exit"}, "") +
                              loop("m", "b") + node("r", "_Retval", {"m/exit"}));
    EXPECT_EQ(graph.op_names(), (Names{"a", "l", "b", "c", "m"}));
    EXPECT_EQ(graph.consumers("a:0"), Set{"l"});
    EXPECT_EQ(graph.consumers("l/exit:0"), Set{"b"});
    EXPECT_EQ(graph.controls(), Set{"l>c"});
    EXPECT_EQ(graph.bytes("l/exit:0"), 400);
    EXPECT_TRUE(graph.tensor("m/exit:0").output);
    EXPECT_EQ(graph.op("l").flops, 100);
    EXPECT_STREQ(graph.op("l").kind, "While");
    EXPECT_EQ(warnings.list.size(), 1u) << "one for all loops";
    EXPECT_EQ(regal_graph_source(graph.get())->nodes, 5 + 2 * 9);
}

TEST_F(GraphDefCall, MakesNestedFramesTheOutermostOne) {
    const GraphDefGraph graph(placeholder("x", {100}) + node("a", "Abs", {"x"}) +
                              enter("e", "a", "outer") + node("m", "Merge", {"e", "n"}) +
                              node("t", "Mystery", {"m"}, shapes({{}}) + f) +
                              node("lc", "LoopCond", {"t"}, "") + node("s", "Switch", {"m", "lc"}) +
                              loop("in", "s:1") + node("n", "NextIteration", {"in/exit"}) +
                              node("x1", "Exit", {"s"}) + node("b", "Neg", {"x1"}));
    EXPECT_EQ(graph.op_names(), (Names{"a", "outer", "b"}));
}

TEST_F(GraphDefCall, RefusesANodeOfTwoFrames) {
    expect_refused(placeholder("x", {1}) + enter("a", "x", "one") + enter("b", "x", "two") +
                       node("c", "Add", {"a", "b"}),
                   "node 'c' has inputs from two loops, 'one' and 'two'");
}

TEST_F(GraphDefCall, GivesALoopANameThatNoNodeHas) {
    const GraphDefGraph graph(placeholder("x", {1}) + node("l", "Abs", {"x"}) + loop("l", "l"));
    EXPECT_EQ(graph.op_names(), (Names{"l", "l/loop"}));
}

TEST_F(GraphDefCall, KeepsBranchesOfSwitchAndMergeAsOps) {
    const GraphDefGraph graph(placeholder("x", {10}) + placeholder("p", {}) +
                              node("a", "Abs", {"x"}) + node("s", "Switch", {"a", "p"}) +
                              node("t", "Exp", {"s:1"}) + node("e", "Neg", {"s"}) +
                              node("m", "Merge", {"t", "e"}) + node("z", "Abs", {"m"}));
    EXPECT_EQ(graph.op_names(), (Names{"a", "s", "t", "e", "m", "z"}));
    EXPECT_EQ(graph.tensor("s:1").alias_of, 0);
    EXPECT_EQ(graph.op("m").cost[0], 0);
    EXPECT_EQ(graph.bytes("m:0"), 40);
}

} // namespace

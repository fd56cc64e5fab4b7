// Arithmetic on shapes, done beforehand.
#include "support/onnx_reading.h"

namespace {

using namespace onnx_file;

// x [2, 3, 4] is reshaped to what the nodes make of it ("shape"); its copy is z.
OnnxGraph Reshaped(std::vector<Node> nodes, std::vector<Message> initializers, int64_t opset = 13) {
    Model model;
    model.opset = opset;
    model.graph.inputs = {value("x", FLOAT, {2, 3, 4})};
    model.graph.outputs = {Message().text(1, "z")};
    model.graph.initializers = std::move(initializers);
    model.graph.nodes = std::move(nodes);
    model.graph.nodes.push_back({"Expand", {"one", "shape"}, {"z"}, {}, "expand"});
    model.graph.initializers.push_back(weights("one", UINT8, {1}));
    return OnnxGraph(model);
}

testing::AssertionResult Gives(const OnnxGraph &graph, int64_t bytes) {
    if (!graph.ok())
        return graph.ok();
    if (graph.ops() != "expand" || graph.bytes("z") != bytes)
        return testing::AssertionFailure()
               << "ops " << graph.ops() << ", bytes " << graph.bytes("z");
    return testing::AssertionSuccess();
}

TEST(OnnxFold, ComputesShapesFromShapes) {
    // [-1, 3 * 4] of x: [2, 12]
    EXPECT_TRUE(Gives(Reshaped({{"Shape", {"x"}, {"dims"}},
                                {"Gather", {"dims", "zero"}, {"n"}},
                                {"Gather", {"dims", "one_index"}, {"a"}},
                                {"Gather", {"dims", "minus"}, {"b"}},
                                {"Mul", {"a", "b"}, {"ab"}},
                                {"Unsqueeze", {"n", "axis"}, {"n1"}},
                                {"Unsqueeze", {"ab", "axis"}, {"ab1"}},
                                {"Concat", {"n1", "ab1"}, {"shape"}, {attribute("axis", 0)}}},
                               {integers("zero", {0}, true), integers("one_index", {1}, true),
                                integers("minus", {-1}, true), integers("axis", {0})}),
                      24));
}

TEST(OnnxFold, SlicesForwardsAndBackwards) {
    const auto slice = [](std::vector<int64_t> start, std::vector<int64_t> end,
                          std::vector<int64_t> step) {
        return Reshaped({{"Slice", {"list", "start", "end", "axes", "step"}, {"shape"}}},
                        {integers("list", {2, 3, 5, 7}), integers("start", start),
                         integers("end", end), integers("axes", {0}), integers("step", step)});
    };
    EXPECT_TRUE(Gives(slice({1}, {3}, {1}), 15));
    EXPECT_TRUE(Gives(slice({-2}, {INT64_MAX}, {1}), 35));
    EXPECT_TRUE(Gives(slice({-1}, {INT64_MIN}, {-1}), 210));
    EXPECT_TRUE(Gives(slice({-1}, {INT64_MIN}, {-2}), 21));
    EXPECT_TRUE(Gives(slice({3}, {0}, {-2}), 21));
    EXPECT_TRUE(Gives(slice({2}, {1}, {1}), 1)); // empty: a scalar
}

TEST(OnnxFold, KnowsOlderFormsWithAttributes) {
    EXPECT_TRUE(Gives(Reshaped({{"Shape", {"x"}, {"dims"}},
                                {"Slice",
                                 {"dims"},
                                 {"part"},
                                 {list_attribute("starts", {1}), list_attribute("ends", {3})}},
                                {"Unsqueeze", {"part"}, {"wide"}, {list_attribute("axes", {0})}},
                                {"Squeeze", {"wide"}, {"shape"}, {list_attribute("axes", {0})}}},
                               {}, 9),
                      12));
}

TEST(OnnxFold, ComparesChoosesAndCasts) {
    // Where(shape == -1, 7, shape) of [-1, 3]
    EXPECT_TRUE(
        Gives(Reshaped({{"Equal", {"given", "minus"}, {"open"}},
                        {"Where", {"open", "seven", "given"}, {"chosen"}},
                        {"Cast", {"chosen"}, {"real"}, {attribute("to", FLOAT)}},
                        {"Div", {"real", "half"}, {"double"}},
                        {"Floor", {"double"}, {"floor"}},
                        {"Cast", {"floor"}, {"shape"}, {attribute("to", INT64)}}},
                       {integers("given", {-1, 3}), integers("minus", {-1}), integers("seven", {7}),
                        Message().number(2, FLOAT).text(8, "half").real(4, 0.5f)}),
              14 * 6));
}

TEST(OnnxFold, DividesTowardsZeroAndNeverByZero) {
    const auto divided = [](int64_t a, int64_t b) {
        return Reshaped({{"Div", {"a", "b"}, {"shape"}}}, {integers("a", {a}), integers("b", {b})});
    };
    EXPECT_TRUE(Gives(divided(17, 5), 3));
    EXPECT_EQ(divided(17, 0).status, REGAL_INVALID_INPUT);         // unknown
    EXPECT_EQ(divided(INT64_MIN, -1).status, REGAL_INVALID_INPUT); // unknown
}

TEST(OnnxFold, FollowsPartsOfAShapeWhoseRestIsUnknown) {
    Model model;
    model.graph.inputs = {value("x", FLOAT, {"N", 3, 4}), value("y", FLOAT, {12})};
    model.graph.outputs = {Message().text(1, "z")};
    model.graph.initializers = {integers("last", {1, 2})};
    model.graph.nodes = {{"Shape", {"x"}, {"dims"}},
                         {"Gather", {"dims", "last"}, {"shape"}},
                         {"Expand", {"y2", "shape"}, {"z"}},
                         {"Cast", {"y"}, {"yc"}, {attribute("to", UINT8)}},
                         {"ReduceSum", {"yc"}, {"y2"}}};
    const OnnxGraph graph(model, {}, 1000);
    ASSERT_TRUE(graph.ok());
    EXPECT_EQ(graph.bytes("z"), 12);
}

TEST(OnnxFold, TakesConstantsForWeightsUnlessTheyAreSmall) {
    Model model;
    model.graph.inputs = {value("x", FLOAT, {100})};
    model.graph.outputs = {value("z", FLOAT, {100})};
    model.graph.initializers = {integers("hundred", {100}), integers("one", {1})};
    model.graph.nodes = {
        {"Constant", {}, {"big"}, {tensor_attribute("value", weights("", FLOAT, {100}))}},
        {"ConstantOfShape", {"hundred"}, {"zeros"}},
        {"ConstantOfShape", {"one"}, {"single"}},
        {"Add", {"x", "big"}, {"a"}, {}, "first"},
        {"Add", {"a", "zeros"}, {"b"}, {}, "second"},
        {"Add", {"b", "single"}, {"z"}, {}, "third"}};
    const OnnxGraph graph(model);
    ASSERT_TRUE(graph.ok());
    EXPECT_EQ(graph.ops(), "first second third");
    EXPECT_EQ(graph.parameter("big"), 400);
    EXPECT_EQ(graph.parameter("zeros"), 400);
    EXPECT_EQ(graph.parameter("single"), -1);
    EXPECT_EQ(regal_graph_source(graph.get())->parameters, 2);
    EXPECT_EQ(regal_graph_source(graph.get())->nothing, 1);
}

} // namespace

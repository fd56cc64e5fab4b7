// ONNX models become graphs: names, sizes, parameters, dimensions.
#include "support/onnx_reading.h"

#include <climits>

namespace {

using namespace onnx_file;

// x [2, 3] -> Relu -> y -> Sigmoid -> z
Model Chain() {
    Model model;
    model.graph.inputs = {value("x", FLOAT, {2, 3})};
    model.graph.outputs = {value("z", FLOAT, {2, 3})};
    model.graph.nodes = {{"Relu", {"x"}, {"y"}, {}, "relu"},
                         {"Sigmoid", {"y"}, {"z"}, {}, "sigmoid"}};
    return model;
}

TEST(OnnxGraph, InfersSizesAndKeepsOutputs) {
    const OnnxGraph graph(Chain());
    ASSERT_TRUE(graph.ok());
    EXPECT_EQ(graph.ops(), "relu sigmoid");
    EXPECT_EQ(graph.bytes("y"), 24);
    EXPECT_EQ(graph.bytes("z"), 24);
    EXPECT_TRUE(regal_graph_tensor(graph.get(), 1).output);
    EXPECT_FALSE(regal_graph_tensor(graph.get(), 0).output);
    EXPECT_EQ(graph.parameter("x"), 24); // the caller holds it
    EXPECT_EQ(graph.warned, "");
    const regal_source *source = regal_graph_source(graph.get());
    ASSERT_NE(source, nullptr);
    EXPECT_EQ(std::string(source->format) + " " + source->unit, "onnx nodes");
    EXPECT_EQ(source->nodes, 2);
    EXPECT_EQ(source->ops, 2);
}

TEST(OnnxGraph, ReadsNodesInAnyOrder) {
    Model model = Chain();
    std::swap(model.graph.nodes[0], model.graph.nodes[1]);
    const OnnxGraph graph(model);
    ASSERT_TRUE(graph.ok());
    EXPECT_EQ(graph.ops(), "sigmoid relu");
    EXPECT_EQ(graph.bytes("z"), 24);
}

TEST(OnnxGraph, NamesNodesAfterTheirFirstOutputAndNoneTwice) {
    Model model = Chain();
    model.graph.nodes = {{"Relu", {"x"}, {"y"}},
                         {"Relu", {"y"}, {"a"}, {}, "y"},
                         {"Relu", {"a"}, {"z"}, {}, "y"},
                         {"Relu", {"a"}, {""}}};
    const OnnxGraph graph(model);
    ASSERT_TRUE(graph.ok());
    EXPECT_EQ(graph.ops(), "y#2 y y#1 Relu#3");
}

TEST(OnnxGraph, NeverReadsExternalData) {
    Model model = Chain();
    model.graph.initializers = {weights("w", FLOAT, {300, 200})};
    model.graph.inputs = {value("x", FLOAT, {2, 300})};
    model.graph.outputs = {value("z", FLOAT, {2, 200})};
    model.graph.nodes = {{"MatMul", {"x", "w"}, {"z"}, {}, "product"}};
    const OnnxGraph graph(model);
    ASSERT_TRUE(graph.ok());
    EXPECT_EQ(graph.parameter("w"), 300 * 200 * 4);
    EXPECT_EQ(graph.bytes("z"), 2 * 200 * 4);
}

TEST(OnnxGraph, CountsTiedInitializersAndThoseThatAreInputsOnce) {
    Model model;
    model.graph.inputs = {value("x", FLOAT, {4, 4}), value("w", FLOAT, {4, 4})};
    model.graph.initializers = {weights("w", FLOAT, {4, 4})};
    model.graph.outputs = {value("z", FLOAT, {4, 4})};
    model.graph.nodes = {{"MatMul", {"x", "w"}, {"y"}, {}, "first"},
                         {"MatMul", {"y", "w"}, {"z"}, {}, "second"}};
    const OnnxGraph graph(model);
    ASSERT_TRUE(graph.ok());
    EXPECT_EQ(regal_graph_parameter_count(graph.get()), 2);
    EXPECT_EQ(graph.users("w"), "first second");
}

TEST(OnnxGraph, TakesASparseInitializerForItsElementsAndTheirPlaces) {
    Model model = Chain();
    Message places;
    places.number(1, 5).number(2, INT64);
    const Message sparse = Message()
                               .message(1, weights("w", FLOAT, {5}))
                               .message(2, places)
                               .number(3, 100)
                               .number(3, 3);
    model.graph.sparse_initializers = {sparse};
    model.graph.inputs = {value("x", FLOAT, {2, 100})};
    model.graph.outputs = {value("z", FLOAT, {2, 3})};
    model.graph.nodes = {{"MatMul", {"x", "w"}, {"z"}}};
    const OnnxGraph graph(model);
    ASSERT_TRUE(graph.ok());
    EXPECT_EQ(graph.parameter("w"), 5 * (4 + 8));
}

TEST(OnnxGraph, MakesViewsOfWhatMovesNothing) {
    Model model;
    model.graph.inputs = {value("x", FLOAT, {2, 3})};
    model.graph.outputs = {value("z", FLOAT, {1, 6})};
    model.graph.initializers = {integers("shape", {1, 6})};
    model.graph.nodes = {{"Relu", {"x"}, {"a"}, {}, "relu"}, {"Identity", {"a"}, {"b"}},
                         {"Dropout", {"b"}, {"c", "mask"}},  {"Flatten", {"c"}, {"d"}},
                         {"Reshape", {"d", "shape"}, {"e"}}, {"Relu", {"e"}, {"z"}, {}, "last"}};
    const OnnxGraph graph(model);
    ASSERT_TRUE(graph.ok());
    EXPECT_EQ(graph.ops(), "relu last");
    EXPECT_EQ(regal_graph_tensor(graph.get(), 0).consumer_count, 1);
    EXPECT_EQ(graph.parameter("shape"), -1); // a list of sizes is nothing
    EXPECT_EQ(regal_graph_source(graph.get())->nothing, 4);
}

TEST(OnnxGraph, MakesAnOpOfDropoutWhoseMaskIsUsed) {
    Model model = Chain();
    model.graph.nodes = {{"Dropout", {"x"}, {"y", "mask"}, {}, "drop"},
                         {"Not", {"mask"}, {"other"}, {}, "not"},
                         {"Relu", {"y"}, {"z"}, {}, "relu"}};
    const OnnxGraph graph(model);
    ASSERT_TRUE(graph.ok());
    EXPECT_EQ(graph.ops(), "drop not relu");
    EXPECT_EQ(graph.bytes("mask"), 6);
}

TEST(OnnxGraph, BindsDimensionsWhereverTheyAreNamed) {
    Model model = Chain();
    model.graph.inputs = {value("x", FLOAT, {"N", "M"})};
    model.graph.outputs = {value("z", FLOAT, {"N", "M"})};
    const OnnxGraph graph(model, {"N=8", "M=5"});
    ASSERT_TRUE(graph.ok());
    EXPECT_EQ(graph.bytes("z"), 8 * 5 * 4);
    EXPECT_STREQ(regal_graph_option(graph.get(), "dim"), "N=8,M=5");
}

TEST(OnnxGraph, RefusesDimensionsThatTheModelDoesNotHave) {
    Model model = Chain();
    model.graph.inputs = {value("x", FLOAT, {"batch", "length"})};
    EXPECT_TRUE(OnnxGraph(model, {"N=8"}).refused(REGAL_INVALID_ARGUMENT, "are batch, length"));
    EXPECT_TRUE(OnnxGraph(Chain(), {"N=8"}).refused(REGAL_INVALID_ARGUMENT, "'N'"));
    for (const char *broken : {"N", "=8", "N=", "N=-1", "N=x", "N=99999999999999999999"})
        EXPECT_TRUE(OnnxGraph(model, {broken}).refused(REGAL_INVALID_ARGUMENT, "NAME=SIZE"));
    EXPECT_TRUE(
        OnnxGraph(model, {"batch=1", "batch=2"}).refused(REGAL_INVALID_ARGUMENT, "two sizes"));
}

TEST(OnnxGraph, ListsSizesThatStayUnknownAndTakesAssumedOnes) {
    Model model = Chain();
    model.graph.inputs = {value("x", FLOAT, {"N", 3, ""})};
    model.graph.outputs = {value("z", FLOAT, {"N", 3, ""})};
    const OnnxGraph refused(model);
    EXPECT_TRUE(refused.refused(REGAL_INVALID_INPUT, "3 tensors are unknown"));
    EXPECT_TRUE(refused.warned_of("f32 [N, 3, ?]")) << refused.warned;
    const OnnxGraph assumed(model, {}, 77);
    ASSERT_TRUE(assumed.ok());
    EXPECT_EQ(assumed.bytes("y"), 77);
    EXPECT_STREQ(regal_graph_option(assumed.get(), "assume-bytes"), "77");
}

TEST(OnnxGraph, ReadsNewerVersionsThanItKnows) {
    Model model = Chain();
    model.opset = 23;
    model.version = 12;
    model.graph.initializers = {integers("axes", {1})};
    model.graph.outputs = {value("z", FLOAT, {2, 1}), value("last", FLOAT, {"", ""})};
    model.graph.nodes = {
        {"Gelu", {"x"}, {"y"}, {}, "gelu"},
        {"ReduceMax", {"y", "axes"}, {"z"}, {}, "reduce"},
        {"Split", {"y"}, {"a", "b"}, {attribute("num_outputs", 2), attribute("axis", 1)}},
        {"Relu", {"b"}, {"last"}}};
    const OnnxGraph graph(model);
    ASSERT_TRUE(graph.ok());
    EXPECT_EQ(graph.bytes("y"), 24);
    EXPECT_EQ(graph.bytes("z"), 8);
    EXPECT_EQ(graph.bytes("a"), 16);
    EXPECT_EQ(graph.bytes("last"), 8);
    EXPECT_EQ(graph.warned, "");
}

TEST(OnnxGraph, ListsKindsThatItCannotInferOnceAndTakesTheirSizesFromTheFile) {
    Model model = Chain();
    model.opset = 30;
    model.domains = {{"com.example", 1}};
    model.graph.nodes = {{"Future", {"x"}, {"y"}, {}, "future"},
                         {"Future", {"x"}, {"y2"}, {}, "again"},
                         {"Gelu", {"y"}, {"z"}, {}, "other", "com.example"}};
    const OnnxGraph refused(model, {}, 5);
    EXPECT_TRUE(refused.warned_of("Future (opset 30, known to 17)")) << refused.warned;
    EXPECT_EQ(refused.bytes("y"), 5);
    EXPECT_EQ(refused.warned.find("Future (opset"), refused.warned.rfind("Future (opset"));
    model.graph.infos = {value("y", FLOAT, {2, 3}), value("y2", UINT8, {5})};
    const OnnxGraph graph(model);
    ASSERT_TRUE(graph.ok());
    EXPECT_EQ(graph.bytes("y"), 24);
    EXPECT_EQ(graph.bytes("y2"), 5);
    EXPECT_EQ(graph.bytes("z"), 24);
    EXPECT_FALSE(graph.warned_of("com.example"));
}

TEST(OnnxGraph, RefusesWhatIsNoModel) {
    const std::string whole = Chain().bytes();
    for (size_t size = whole.size() - 12; size < whole.size() - 4; size += 3)
        EXPECT_TRUE(OnnxGraph(whole.substr(0, size)).refused(REGAL_INVALID_INPUT, "cut short"));
    EXPECT_TRUE(OnnxGraph(std::string("\x08\x08", 2)).refused(REGAL_INVALID_INPUT, "no graph"));
    Model cycle = Chain();
    cycle.graph.nodes[0].inputs = {"z"};
    EXPECT_TRUE(OnnxGraph(cycle).refused(REGAL_INVALID_INPUT, "cycle"));
    Model dangling = Chain();
    dangling.graph.nodes[1].inputs = {"nowhere"};
    EXPECT_TRUE(OnnxGraph(dangling).refused(REGAL_INVALID_INPUT, "'nowhere'"));
    Model twice = Chain();
    twice.graph.nodes[1].outputs = {"y"};
    EXPECT_EQ(OnnxGraph(twice).status, REGAL_INVALID_INPUT);
    Model overwritten = Chain();
    overwritten.graph.outputs = {value("y", FLOAT, {2, 3})};
    overwritten.graph.nodes[1].outputs = {"x"};
    EXPECT_TRUE(OnnxGraph(overwritten).refused(REGAL_INVALID_INPUT, "is an input"));
}

// Other formats could not keep them, and a plan's names would be others.
TEST(OnnxGraph, RefusesNamesThatAreNoText) {
    for (const std::string &bad : {std::string("a\xff"), std::string("a\0b", 3)}) {
        const std::string says = bad.size() == 2 ? "not UTF-8 at byte 1" : "a NUL at byte 1";
        Model names[5] = {Chain(), Chain(), Chain(), Chain(), Chain()};
        names[0].graph.nodes[0].name = bad;
        names[1].graph.nodes[0].kind = bad;
        names[2].graph.nodes[0].outputs = names[2].graph.nodes[1].inputs = {bad};
        names[3].graph.name = bad;
        names[4].graph.inputs.push_back(value(bad, FLOAT, {1}));
        for (const Model &model : names)
            EXPECT_TRUE(OnnxGraph(model).refused(REGAL_INVALID_INPUT, says));
    }
}

TEST(OnnxGraph, SaysWhatToDoAboutFilesBeyondProtobufsLimit) {
    const regal_read_options options = {};
    regal_graph *graph = nullptr;
    const char none = 0; // nothing of it is read
    EXPECT_TRUE(refused_with(
        regal_read_onnx(&none, static_cast<size_t>(INT_MAX) + 1, "big.onnx", &options, &graph),
        REGAL_INVALID_INPUT, "save_as_external_data=True"));
}

TEST(OnnxGraph, IsRecognizedByContent) {
    const std::string model = Chain().bytes();
    EXPECT_TRUE(regal_is_onnx(model.data(), model.size()));
    EXPECT_TRUE(regal_is_onnx(model.data(), model.size() - 20)); // cut in its graph
    EXPECT_FALSE(regal_is_cost_graph(model.data(), model.size()));
    EXPECT_FALSE(regal_is_json(model.data(), model.size()));
    EXPECT_FALSE(regal_is_hlo(model.data(), model.size()));
    for (const char *other : {"{\"a\": 1}", "node { op: \"x\" }", "HloModule m", ": text",
                              "\n\003xyz", "\010\001\022\002ab"})
        EXPECT_FALSE(regal_is_onnx(other, strlen(other))) << other;
}

// Both modules hold protobuf's registry at once.
TEST(OnnxGraph, LivesInOneProcessWithTensorFlow) {
    const regal_read_options options = {};
    const std::string text = "node { name: \"a\" id: 0 compute_cost: 5 }";
    for (int round = 0; round < 2; ++round) {
        regal_graph *graph = nullptr;
        ASSERT_EQ(regal_read_cost_graph(text.data(), text.size(), "a", &options, &graph), REGAL_OK)
            << regal_error_message();
        regal_graph_destroy(graph);
        EXPECT_TRUE(OnnxGraph(Chain()).ok());
    }
}

} // namespace

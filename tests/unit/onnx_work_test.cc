// What nodes of ONNX models compute, from their shapes.
#include "support/onnx_reading.h"

namespace {

using namespace onnx_file;

// One node "op" whose inputs are weights of these shapes.
struct Single {
    std::string kind;
    std::vector<std::vector<int64_t>> shapes;
    std::vector<Message> attributes = {};
    int64_t outputs = 1;
    int64_t opset = 17;
    Element element = FLOAT;
};

OnnxGraph Read(const Single &single) {
    Model model;
    model.opset = single.opset;
    Node node = {single.kind, {}, {}, single.attributes, "op"};
    for (size_t i = 0; i < single.shapes.size(); ++i) {
        node.inputs.push_back("in" + std::to_string(i));
        model.graph.initializers.push_back(
            weights(node.inputs.back(), single.element, single.shapes[i]));
    }
    for (int64_t k = 0; k < single.outputs; ++k) {
        node.outputs.push_back("out" + std::to_string(k));
        model.graph.outputs.push_back(Message().text(1, node.outputs.back()));
    }
    model.graph.nodes = {node};
    return OnnxGraph(model);
}

int64_t Flops(const Single &single) {
    const OnnxGraph graph = Read(single);
    EXPECT_TRUE(graph.ok()) << single.kind;
    return graph.op("op").flops;
}

TEST(OnnxWork, CountsMultiplyAddsOfConvolutionsTwice) {
    const Message strides = list_attribute("strides", {2, 2}),
                  pads = list_attribute("pads", {1, 1, 1, 1});
    // 8 -> 4 by strides: 1 x 16 x 4 x 4 outputs of 3 x 3 x 3 taps
    EXPECT_EQ(Flops({"Conv", {{1, 3, 8, 8}, {16, 3, 3, 3}}, {strides, pads}}), 2 * 16 * 4 * 4 * 27);
    // two groups: half the taps
    EXPECT_EQ(Flops({"Conv", {{1, 4, 8, 8}, {16, 2, 3, 3}}, {pads, attribute("group", 2)}}),
              2 * 16 * 8 * 8 * 18);
    // each input element is spread over 5 x 2 x 2
    EXPECT_EQ(Flops({"ConvTranspose", {{1, 3, 8, 8}, {3, 5, 2, 2}}, {strides}}),
              2 * 3 * 8 * 8 * 20);
    EXPECT_EQ(Flops({"ConvInteger", {{1, 3, 8, 8}, {16, 3, 3, 3}}, {pads}, 1, 17, UINT8}),
              2 * 16 * 8 * 8 * 27);
}

TEST(OnnxWork, CountsProducts) {
    EXPECT_EQ(Flops({"MatMul", {{5, 2, 3, 7}, {5, 2, 7, 4}}}), 2 * 5 * 2 * 3 * 4 * 7);
    EXPECT_EQ(Flops({"MatMul", {{7}, {7, 4}}}), 2 * 4 * 7);
    EXPECT_EQ(Flops({"Gemm", {{7, 3}, {7, 4}, {4}}, {attribute("transA", 1)}}), 2 * 3 * 4 * 7);
    EXPECT_EQ(Flops({"Gemm", {{3, 7}, {7, 4}}}), 2 * 3 * 4 * 7);
    EXPECT_EQ(Flops({"MatMulInteger", {{3, 7}, {7, 4}}, {}, 1, 17, UINT8}), 2 * 3 * 4 * 7);
}

TEST(OnnxWork, ContractsWhatAnEinsumSays) {
    const auto einsum = [](const char *equation, std::vector<std::vector<int64_t>> shapes) {
        return Flops({"Einsum", std::move(shapes), {text_attribute("equation", equation)}});
    };
    EXPECT_EQ(einsum("bij,bjk->bik", {{2, 3, 4}, {2, 4, 5}}), 2 * 2 * 3 * 4 * 5);
    EXPECT_EQ(einsum("ij,jk", {{3, 4}, {4, 5}}), 2 * 3 * 4 * 5);
    EXPECT_EQ(einsum("...ij,...jk->...ik", {{2, 3, 4}, {2, 4, 5}}), 2 * 2 * 3 * 4 * 5);
    // first two, and then j is gone
    EXPECT_EQ(einsum("ij,jk,kl->il", {{3, 4}, {4, 5}, {5, 6}}), 2 * (3 * 4 * 5 + 3 * 5 * 6));
    EXPECT_EQ(einsum("i->i", {{9}}), 0);
}

TEST(OnnxWork, CountsGatesOfRecurrentLayers) {
    const Message hidden = attribute("hidden_size", 8);
    // 5 steps of 2: W [1, 32, 3], R [1, 32, 8]; and a gate for each row of W
    EXPECT_EQ(Flops({"LSTM", {{5, 2, 3}, {1, 32, 3}, {1, 32, 8}}, {hidden}}),
              2 * 10 * (96 + 256) + 10 * 32);
    EXPECT_EQ(Flops({"GRU", {{5, 2, 3}, {1, 24, 3}, {1, 24, 8}}, {hidden}}),
              2 * 10 * (72 + 192) + 10 * 24);
}

TEST(OnnxWork, CountsElementsOfTheRest) {
    EXPECT_EQ(Flops({"Relu", {{3, 4}}}), 12);
    EXPECT_EQ(Flops({"Exp", {{3, 4}}}), 12);
    EXPECT_EQ(Flops({"Sum", {{3, 4}, {3, 4}, {3, 4}}}), 24);
    EXPECT_EQ(Flops({"MaxPool", {{1, 2, 8, 8}}, {list_attribute("kernel_shape", {3, 3})}}),
              2 * 6 * 6 * 9);
    EXPECT_EQ(Flops({"ReduceMean", {{3, 4}}}), 12);
    EXPECT_EQ(Flops({"Softmax", {{3, 4}}}), 12 + 48);
    EXPECT_EQ(Flops({"BatchNormalization", {{1, 3, 2, 2}, {3}, {3}, {3}, {3}}}), 24);
    EXPECT_EQ(Flops({"LayerNormalization", {{3, 4}, {4}}}), 96);
    EXPECT_EQ(Flops({"Transpose", {{3, 4}}}), 0);
}

TEST(OnnxWork, GatherReadsWhatItPicksOnly) {
    Model model;
    model.graph.initializers = {weights("table", FLOAT, {1000000, 64})};
    model.graph.inputs = {value("places", INT64, {4})};
    model.graph.outputs = {value("z", FLOAT, {4, 64})};
    model.graph.nodes = {{"Gather", {"table", "places"}, {"z"}, {}, "pick"}};
    const OnnxGraph graph(model);
    ASSERT_TRUE(graph.ok());
    model.graph.nodes = {{"Transpose", {"table"}, {"z"}, {}, "all"}};
    model.graph.outputs = {value("z", FLOAT, {64, 1000000})};
    const OnnxGraph moved(model);
    EXPECT_LT(graph.op("pick").cost[0] * 10, moved.op("all").cost[0]);
}

TEST(OnnxWork, TakesWhatItDoesNotKnowForMovement) {
    Model model;
    model.domains = {{"com.example", 1}};
    model.graph.inputs = {value("x", FLOAT, {1000, 1000})};
    model.graph.outputs = {value("z", FLOAT, {1000, 1000})};
    model.graph.nodes = {{"Conv", {"x"}, {"z"}, {}, "own", "com.example"}};
    const OnnxGraph own(model);
    model.graph.nodes = {{"Transpose", {"x"}, {"z"}, {}, "own"}};
    const OnnxGraph moved(model);
    ASSERT_TRUE(own.ok());
    EXPECT_EQ(own.op("own").flops, 0);
    EXPECT_EQ(own.op("own").cost[0], moved.op("own").cost[0]);
}

TEST(OnnxWork, SurvivesAttributesThatNoOperatorCanHave) {
    for (const int64_t odd : {int64_t{0}, int64_t{-1}, INT64_MIN, INT64_MAX})
        for (const char *name : {"strides", "dilations", "kernel_shape", "pads"}) {
            const OnnxGraph graph =
                Read({"Conv", {{1, 3, 8, 8}, {16, 3, 3, 3}}, {list_attribute(name, {odd, odd})}});
            EXPECT_TRUE(graph.status == REGAL_OK || graph.status == REGAL_INVALID_INPUT);
        }
}

// libonnx looks for these into lists that are shorter.
TEST(OnnxWork, SurvivesRanksThatNoOperatorCanHave) {
    const Single singles[] = {{"Gemm", {{3}, {3}}, {}, 1, 6},
                              {"LSTM", {{}, {1, 8, 2}, {1, 8, 2}}, {}, 1, 7},
                              {"RNN", {{2}, {1, 8, 2}, {1, 8, 2}}, {}, 1, 1},
                              {"GRU", {{2}, {1, 6, 2}, {1, 6, 2}}, {}, 1, 3},
                              {"LayerNormalization", {{}, {}}, {}, 1, 17},
                              {"STFT", {{}, {2}, {}, {}}, {}, 1, 17},
                              {"TopK", {{}, {1}}, {}, 2, 10},
                              {"GatherND", {{3}, {}}, {}, 1, 13},
                              {"ConvTranspose", {{1}, {1}}, {}, 1, 11},
                              {"Unique", {{3}}, {attribute("axis", INT64_MIN)}, 4, 11},
                              {"Split", {{3}}, {}, 0, 13}};
    for (const Single &single : singles) {
        const OnnxGraph graph = Read(single);
        EXPECT_TRUE(graph.status == REGAL_OK || graph.status == REGAL_INVALID_INPUT) << single.kind;
    }
}

} // namespace

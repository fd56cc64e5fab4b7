// Sizes of tensors where a GraphDef does not state them.
#include "support/graph_def_reading.h"

namespace {

using namespace pbtxt;

class GraphDefShape : public WithTensorFlow {
  protected:
    // The bytes of "n:0" (or another output), where n is of this kind and has these inputs.
    static int64_t bytes_of(const std::string &others, const std::string &op, const Texts &inputs,
                            const std::string &attributes = type("T", "DT_FLOAT"),
                            const std::string &output = "n:0") {
        std::string all = others + node("n", op, inputs, attributes);
        const size_t port = output.find(':') + 1;
        for (char c = '0'; c <= output[port]; ++c)
            all += node(std::string("use") + c, "Mystery", {std::string("n:") + c}, "");
        return GraphDefGraph(all, {.assume_bytes = true, .assumed_bytes = 7}).bytes(output);
    }
    const std::string f = type("T", "DT_FLOAT");
};

TEST_F(GraphDefShape, FollowsElementwiseKinds) {
    const std::string in = placeholder("a", {2, 1, 5}) + placeholder("b", {3, 1});
    EXPECT_EQ(bytes_of(in, "Add", {"a", "b"}), 2 * 3 * 5 * 4);
    EXPECT_EQ(bytes_of(in, "Less", {"a", "b"}), 2 * 3 * 5);
    EXPECT_EQ(bytes_of(in, "Cast", {"a"}, type("SrcT", "DT_FLOAT") + type("DstT", "DT_HALF")), 20);
    EXPECT_EQ(bytes_of(in, "ReluGrad", {"a", "a"}), 40);
    EXPECT_EQ(bytes_of(in, "AddN", {"a", "a", "a"}), 40);
    EXPECT_EQ(bytes_of(in, "Softmax", {"a"}), 40);
    EXPECT_EQ(bytes_of(in, "BiasAdd", {"a", "b"}), 40);
}

TEST_F(GraphDefShape, FollowsProducts) {
    const std::string in = placeholder("a", {2, 3}) + placeholder("b", {5, 3}) +
                           placeholder("c", {7, 1, 2, 3}) + placeholder("d", {4, 3, 6});
    EXPECT_EQ(bytes_of(in, "MatMul", {"a", "b"}, f + flag("transpose_b")), 2 * 5 * 4);
    EXPECT_EQ(bytes_of(in, "MatMul", {"a", "a"}, f + flag("transpose_a")), 3 * 3 * 4);
    EXPECT_EQ(bytes_of(in, "BatchMatMulV2", {"c", "d"}), 7 * 4 * 2 * 6 * 4);
}

TEST_F(GraphDefShape, FollowsConvolutionsAndPools) {
    const std::string in = placeholder("i", {2, 9, 9, 3}) + placeholder("k", {3, 3, 3, 8}) +
                           placeholder("j", {2, 3, 9, 9});
    const std::string steps = f + integers("strides", {1, 2, 2, 1});
    EXPECT_EQ(bytes_of(in, "Conv2D", {"i", "k"}, steps + text("padding", "SAME")),
              2 * 5 * 5 * 8 * 4);
    EXPECT_EQ(bytes_of(in, "Conv2D", {"i", "k"}, steps + text("padding", "VALID")),
              2 * 4 * 4 * 8 * 4);
    EXPECT_EQ(bytes_of(in, "Conv2D", {"i", "k"},
                       steps + text("padding", "EXPLICIT") +
                           integers("explicit_paddings", {0, 0, 2, 2, 0, 1, 0, 0})),
              2 * 6 * 4 * 8 * 4);
    EXPECT_EQ(bytes_of(in, "Conv2D", {"j", "k"},
                       f + integers("strides", {1, 1, 3, 3}) + text("padding", "SAME") +
                           text("data_format", "NCHW")),
              2 * 8 * 3 * 3 * 4);
    EXPECT_EQ(bytes_of(in, "MaxPool", {"i"},
                       steps + integers("ksize", {1, 3, 3, 1}) + text("padding", "VALID")),
              2 * 4 * 4 * 3 * 4);
    EXPECT_EQ(bytes_of(in, "DepthwiseConv2dNative", {"i", "k"},
                       f + integers("strides", {1, 1, 1, 1}) + text("padding", "SAME")),
              2 * 9 * 9 * 24 * 4);
}

TEST_F(GraphDefShape, FollowsReductions) {
    const std::string in =
        placeholder("a", {2, 3, 5}) + constant("axes", {0, -1}) + constant("one", {1}, true);
    EXPECT_EQ(bytes_of(in, "Sum", {"a", "axes"}), 3 * 4);
    EXPECT_EQ(bytes_of(in, "Mean", {"a", "axes"}, f + flag("keep_dims")), 3 * 4);
    EXPECT_EQ(bytes_of(in, "ArgMax", {"a", "one"}), 2 * 5 * 8);
    EXPECT_EQ(bytes_of(in, "BiasAddGrad", {"a"}), 5 * 4);
    EXPECT_EQ(bytes_of(in, "L2Loss", {"a"}), 4);
}

TEST_F(GraphDefShape, FollowsMovements) {
    const std::string in = placeholder("a", {2, 3}) + placeholder("b", {4, 3}) +
                           constant("zero", {0}, true) + constant("turn", {1, 0}) +
                           constant("pads", {1, 1}) + constant("sizes", {3, -1});
    EXPECT_EQ(bytes_of(in, "ConcatV2", {"a", "b", "zero"}), 6 * 3 * 4);
    EXPECT_EQ(bytes_of(in, "Pack", {"a", "a", "a"}, f + attr("axis", "i: -1")), 3 * 6 * 4);
    EXPECT_EQ(bytes_of(in, "Unpack", {"b"}, f + attr("num", "i: 4"), "n:3"), 3 * 4);
    EXPECT_EQ(bytes_of(in, "Split", {"zero", "b"}, f + attr("num_split", "i: 2"), "n:1"), 24);
    EXPECT_EQ(bytes_of(in, "SplitV", {"b", "sizes", "zero"}, f, "n:1"), 12);
    EXPECT_EQ(bytes_of(in, "Transpose", {"a", "turn"}), 24);
    EXPECT_EQ(bytes_of(in, "Tile", {"a", "turn"}), 0);
    EXPECT_EQ(bytes_of(in, "Fill", {"sizes", "a"}), 7) << "a negative size is unknown";
    EXPECT_EQ(bytes_of(in, "GatherV2", {"b", "turn", "zero"}, type("Tparams", "DT_FLOAT")), 24);
    EXPECT_EQ(bytes_of(in, "Slice", {"b", "turn", "sizes"}), 36);
    EXPECT_EQ(bytes_of(in, "Slice", {"b", "turn", "pads"}), 4);
    EXPECT_EQ(bytes_of(in, "OneHot", {"turn", "zero", "a", "a"}), 0);
}

TEST_F(GraphDefShape, FollowsNormalizationAndLosses) {
    const std::string in =
        placeholder("x", {2, 4, 4, 3}) + placeholder("s", {3}) + placeholder("l", {5, 10});
    EXPECT_EQ(bytes_of(in, "FusedBatchNormV3", {"x", "s", "s", "s", "s"}), 2 * 16 * 3 * 4);
    EXPECT_EQ(bytes_of(in, "FusedBatchNormV3", {"x", "s", "s", "s", "s"}, f, "n:2"), 12);
    EXPECT_EQ(bytes_of(in, "SoftmaxCrossEntropyWithLogits", {"l", "l"}), 20);
    EXPECT_EQ(bytes_of(in, "SoftmaxCrossEntropyWithLogits", {"l", "l"}, f, "n:1"), 200);
}

// The way in which Keras flattens: shape, its first entry, and that packed with numbers.
TEST_F(GraphDefShape, ComputesShapesFromShapes) {
    const std::string in = placeholder("x", {6, 4, 5}) + node("s", "Shape", {"x"}) +
                           constant("b", {0}) + constant("e", {1}) + constant("st", {1}) +
                           node("first", "StridedSlice", {"s", "b", "e", "st"},
                                type("T", "DT_INT32") + attr("shrink_axis_mask", "i: 1")) +
                           constant("rest", {20}, true) +
                           node("p", "Pack", {"first", "rest"}, type("T", "DT_INT32")) +
                           placeholder("y", {1});
    const GraphDefGraph graph(in + node("r", "Reshape", {"x", "p"}) + node("z", "Sum", {"r", "e"}) +
                              node("f", "Fill", {"p", "y"}));
    EXPECT_EQ(graph.bytes("z:0"), 6 * 4);
    EXPECT_EQ(graph.bytes("f:0"), 480);
    EXPECT_EQ(graph.op_names(), (std::vector<std::string>{"z", "f"}))
        << "what follows from the shape of an input is there before anything runs";
}

TEST_F(GraphDefShape, SlicesWithMasks) {
    const std::string in = placeholder("x", {6, 4, 5}) + constant("b", {1, 0}) +
                           constant("e", {5, -1}) + constant("s", {2, 1});
    EXPECT_EQ(bytes_of(in, "StridedSlice", {"x", "b", "e", "s"}), 2 * 3 * 5 * 4);
    EXPECT_EQ(bytes_of(in, "StridedSlice", {"x", "b", "e", "s"}, f + attr("end_mask", "i: 3")),
              3 * 4 * 5 * 4);
    EXPECT_EQ(
        bytes_of(in, "StridedSlice", {"x", "b", "e", "s"}, f + attr("shrink_axis_mask", "i: 1")),
        3 * 5 * 4);
    EXPECT_EQ(bytes_of(in, "StridedSlice", {"x", "b", "e", "s"}, f + attr("ellipsis_mask", "i: 1")),
              6 * 4 * 4 * 4);
    EXPECT_EQ(bytes_of(in, "StridedSlice", {"x", "b", "e", "s"}, f + attr("new_axis_mask", "i: 1")),
              5 * 4 * 5 * 4);
}

TEST_F(GraphDefShape, TrustsWhatTheFileStatesFirst) {
    const std::string in = placeholder("x", {6, 4});
    EXPECT_EQ(bytes_of(in, "Mystery", {"x"}, f + shapes({{3}, {5}}), "n:1"), 20);
    EXPECT_EQ(bytes_of(in, "Abs", {"x"}, f + shapes({{3, -1}})), 3 * 4 * 4);
    EXPECT_EQ(bytes_of(in, "IteratorGetNext", {"x"},
                       attr("output_types", "list { type: DT_INT64 type: DT_UINT8 }") +
                           attr("output_shapes",
                                "list { shape " + dims({9}) + " shape " + dims({2, 2}) + " }"),
                       "n:1"),
              4);
}

TEST_F(GraphDefShape, CountsManyDimensionsAndHugeOnes) {
    EXPECT_EQ(bytes_of(placeholder("x", {2, 1, 1, 1, 1, 1, 1, 1, 1, 3}), "Abs", {"x"}), 24);
    expect_refused(placeholder("x", {INT64_MAX, INT64_MAX}) + node("a", "Abs", {"x"}), "2^53");
}

} // namespace

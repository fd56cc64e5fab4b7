// What readers of whole models share.
#include "io/model_graph.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/regal_objects.h"
#include "support/warning_list.h"

namespace {

class Model {
  public:
    explicit Model(regal_read_options options = {}) : options_(options) {
        EXPECT_EQ(regal_model_create("m.onnx", "m", &options_, &model_), REGAL_OK);
    }
    ~Model() { regal_model_destroy(model_); }
    Model(const Model &) = delete;
    Model &operator=(const Model &) = delete;

    int64_t Value(const char *name, int64_t bytes, bool output = false) {
        const regal_model_value value = {name, bytes, bytes < 0 ? "f32 [N]" : nullptr, output};
        int64_t id = -1;
        EXPECT_EQ(regal_model_add_value(model_, &value, &id), REGAL_OK);
        return id;
    }

    int64_t Node(const char *name, regal_node_role role, std::vector<int64_t> inputs,
                 std::vector<int64_t> outputs, std::vector<int64_t> alias = {}) {
        regal_model_node node = {};
        node.name = name;
        node.kind = "Kind";
        node.role = role;
        node.inputs = inputs.data();
        node.input_count = (int64_t)inputs.size();
        node.outputs = outputs.data();
        node.output_count = (int64_t)outputs.size();
        node.alias = alias.empty() ? nullptr : alias.data();
        int64_t id = -1;
        EXPECT_EQ(regal_model_add_node(model_, &node, &id), REGAL_OK);
        return id;
    }

    void Control(int64_t before, int64_t after) {
        EXPECT_EQ(regal_model_add_control(model_, before, after), REGAL_OK);
    }
    void SetNothing(int64_t value) { regal_model_set_nothing(model_, value); }

    regal_status Finish() {
        regal_graph *graph = nullptr;
        const regal_status status = regal_model_finish(model_, "onnx", "nodes", &graph);
        graph_.reset(graph);
        return status;
    }
    const regal_graph *graph() const { return graph_.get(); }

  private:
    regal_read_options options_;
    regal_model *model_ = nullptr;
    GraphPtr graph_;
};

TEST(ModelGraph, JoinsUsersOfAViewToWhatComputesIt) {
    Model model;
    const int64_t x = model.Value("x", 4), a = model.Value("a", 8), seen = model.Value("seen", 8),
                  again = model.Value("again", 8, true), b = model.Value("b", 4);
    model.Node("use", REGAL_NODE_OP, {again}, {b}); // before what it uses
    model.Node("view2", REGAL_NODE_VIEW, {seen}, {again});
    model.Node("view1", REGAL_NODE_VIEW, {a}, {seen});
    model.Node("make", REGAL_NODE_OP, {x}, {a});
    ASSERT_EQ(model.Finish(), REGAL_OK) << regal_error_message();
    ASSERT_EQ(regal_graph_op_count(model.graph()), 2);
    ASSERT_EQ(regal_graph_tensor_count(model.graph()), 2);
    const regal_tensor made = regal_graph_tensor(model.graph(), 1);
    EXPECT_STREQ(made.name, "a");
    EXPECT_TRUE(made.output); // a view of it is one
    ASSERT_EQ(made.consumer_count, 1);
    EXPECT_EQ(made.consumers[0], 0);
    ASSERT_EQ(regal_graph_parameter_count(model.graph()), 1);
    EXPECT_STREQ(regal_graph_parameter(model.graph(), 0).name, "x");
    const regal_source *source = regal_graph_source(model.graph());
    ASSERT_NE(source, nullptr);
    EXPECT_EQ(source->nodes, 4);
    EXPECT_EQ(source->ops, 2);
    EXPECT_EQ(source->nothing, 2);
}

TEST(ModelGraph, CountsATiedWeightOnceAndAnUnusedOneNever) {
    Model model;
    const int64_t w = model.Value("w", 100), unused = model.Value("unused", 100),
                  scalar = model.Value("scalar", 4), a = model.Value("a", 1),
                  b = model.Value("b", 1);
    model.SetNothing(scalar);
    model.Node("first", REGAL_NODE_OP, {w, w, scalar}, {a});
    model.Node("second", REGAL_NODE_OP, {a, -1, w}, {b});
    model.Node("spare", REGAL_NODE_WEIGHT, {}, {unused});
    ASSERT_EQ(model.Finish(), REGAL_OK) << regal_error_message();
    ASSERT_EQ(regal_graph_parameter_count(model.graph()), 1);
    const regal_parameter weight = regal_graph_parameter(model.graph(), 0);
    EXPECT_EQ(weight.bytes, 100);
    EXPECT_EQ(weight.op_count, 2);
    EXPECT_EQ(regal_graph_source(model.graph())->nothing, 1);
}

TEST(ModelGraph, WaitsForWhatAViewSeesAndMakesAnOpOfAViewThatWaits) {
    Model model;
    const int64_t a = model.Value("a", 8), seen = model.Value("seen", 8),
                  held = model.Value("held", 8), b = model.Value("b", 8);
    const int64_t make = model.Node("make", REGAL_NODE_OP, {}, {a});
    const int64_t view = model.Node("view", REGAL_NODE_VIEW, {a}, {seen});
    const int64_t other = model.Node("other", REGAL_NODE_OP, {}, {b});
    const int64_t wait = model.Node("wait", REGAL_NODE_VIEW, {a}, {held});
    model.Control(view, other);
    model.Control(view, other);
    model.Control(other, wait);
    ASSERT_EQ(model.Finish(), REGAL_OK) << regal_error_message();
    ASSERT_EQ(regal_graph_op_count(model.graph()), 3);
    ASSERT_EQ(regal_graph_control_count(model.graph()), 2);
    EXPECT_EQ(regal_graph_control(model.graph(), 0).before, make);
    EXPECT_EQ(regal_graph_control(model.graph(), 0).after, 1);
    EXPECT_EQ(regal_graph_op(model.graph(), 2).cost[0], 0);
    EXPECT_EQ(regal_graph_tensor(model.graph(), 2).alias_of, 0);
}

TEST(ModelGraph, RefusesUnknownSizesUnlessToldWhatToAssume) {
    for (const bool assume : {false, true}) {
        regal_read_options options = {};
        options.assume_bytes = assume;
        options.assumed_bytes = 77;
        Model model(options);
        const WarningList warnings;
        const int64_t a = model.Value("a", -1), b = model.Value("b", 4), w = model.Value("w", -1),
                      spare = model.Value("spare", -1);
        model.Node("make", REGAL_NODE_OP, {w}, {a});
        model.Node("use", REGAL_NODE_OP, {a}, {b});
        model.Node("weight", REGAL_NODE_WEIGHT, {}, {spare});
        EXPECT_EQ(model.Finish(), assume ? REGAL_OK : REGAL_INVALID_INPUT);
        ASSERT_EQ(warnings.list.size(), 2u); // not the weight that nothing uses
        EXPECT_NE(warnings.list[0].find("'a'"), std::string::npos);
        if (!assume)
            continue;
        EXPECT_EQ(regal_graph_tensor(model.graph(), 0).bytes, 77);
        EXPECT_EQ(regal_graph_parameter(model.graph(), 0).bytes, 77);
        EXPECT_STREQ(regal_graph_option(model.graph(), "assume-bytes"), "77");
    }
}

TEST(ModelGraph, RefusesCyclesAndValuesMadeTwice) {
    Model views;
    const int64_t a = views.Value("a", 1), b = views.Value("b", 1);
    views.Node("one", REGAL_NODE_VIEW, {b}, {a});
    views.Node("two", REGAL_NODE_VIEW, {a}, {b});
    EXPECT_EQ(views.Finish(), REGAL_INVALID_INPUT);
    EXPECT_NE(std::string(regal_error_message()).find("cycle"), std::string::npos);

    Model ops; // sizes come after: they may be unknown for the cycle
    const int64_t c = ops.Value("c", -1), d = ops.Value("d", -1);
    ops.Node("one", REGAL_NODE_OP, {d}, {c});
    ops.Node("two", REGAL_NODE_OP, {c}, {d});
    EXPECT_EQ(ops.Finish(), REGAL_INVALID_INPUT);
    EXPECT_NE(std::string(regal_error_message()).find("cycle"), std::string::npos);

    Model twice;
    const int64_t e = twice.Value("e", 1);
    twice.Node("one", REGAL_NODE_OP, {}, {e});
    twice.Node("two", REGAL_NODE_OP, {}, {e});
    EXPECT_EQ(twice.Finish(), REGAL_INVALID_INPUT);
    EXPECT_NE(std::string(regal_error_message()).find("twice"), std::string::npos);
}

} // namespace

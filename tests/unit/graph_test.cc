// Building and validating graphs.
#include <gtest/gtest.h>

#include "support/regal_objects.h"

namespace {

const int64_t ONE[] = {1};

struct Builder {
    GraphPtr graph;
    Builder() {
        const char *classes[] = {"c"};
        regal_graph *made;
        EXPECT_EQ(regal_graph_create("test", 1, classes, &made), REGAL_OK);
        graph.reset(made);
    }
    int64_t op(const char *name = nullptr, int64_t cost = 1, int64_t workspace = 0) {
        int64_t id;
        const regal_op op = {name, "K", &cost, workspace, nullptr, nullptr, 0, 0};
        EXPECT_EQ(regal_graph_add_op(graph.get(), &op, &id), REGAL_OK);
        return id;
    }
    int64_t tensor(int64_t producer, std::vector<int64_t> consumers, int64_t bytes = 1,
                   int64_t alias_of = -1, const char *name = nullptr) {
        int64_t id;
        const regal_tensor tensor = {
            name,  producer, bytes, consumers.data(), static_cast<int64_t>(consumers.size()),
            false, alias_of};
        EXPECT_EQ(regal_graph_add_tensor(graph.get(), &tensor, &id), REGAL_OK);
        return id;
    }
    void control(int64_t before, int64_t after) {
        EXPECT_EQ(regal_graph_add_control(graph.get(), before, after), REGAL_OK);
    }
    void expect_refused(const std::string &part) {
        EXPECT_EQ(regal_graph_validate(graph.get()), REGAL_INVALID_INPUT) << part;
        EXPECT_NE(std::string(regal_error_message()).find(part), std::string::npos)
            << "is '" << regal_error_message() << "', should hold '" << part << "'";
    }
    void expect_valid() {
        EXPECT_EQ(regal_graph_validate(graph.get()), REGAL_OK) << regal_error_message();
    }
    std::string digest() {
        char text[17];
        regal_graph_digest(graph.get(), text);
        return text;
    }
};

TEST(Graph, NamesWhatHasNone) {
    Builder b;
    b.op();
    b.tensor(0, {});
    const regal_parameter parameter = {nullptr, 4, ONE, 0};
    ASSERT_EQ(regal_graph_add_parameter(b.graph.get(), &parameter, nullptr), REGAL_OK);
    EXPECT_STREQ(regal_graph_op(b.graph.get(), 0).name, "op0");
    EXPECT_STREQ(regal_graph_tensor(b.graph.get(), 0).name, "tensor0");
    EXPECT_STREQ(regal_graph_parameter(b.graph.get(), 0).name, "parameter0");
    b.expect_valid();
}

TEST(Graph, AnEmptyListOfDevicesIsNotEveryDevice) {
    Builder b;
    const regal_allowed none = {};
    const regal_op op = {"a", "K", ONE, 0, nullptr, &none, 0, 0};
    ASSERT_EQ(regal_graph_add_op(b.graph.get(), &op, nullptr), REGAL_OK);
    EXPECT_NE(regal_graph_op(b.graph.get(), 0).allowed, nullptr);
    EXPECT_EQ(regal_graph_op(b.graph.get(), 0).allowed_count, 0);
    b.op("b");
    EXPECT_EQ(regal_graph_op(b.graph.get(), 1).allowed, nullptr);
}

TEST(Graph, AddsConsumersToTheLastTensor) {
    Builder b;
    EXPECT_EQ(regal_graph_add_consumer(b.graph.get(), 0), REGAL_INVALID_ARGUMENT);
    b.op(), b.op(), b.op();
    b.tensor(0, {1});
    ASSERT_EQ(regal_graph_add_consumer(b.graph.get(), 2), REGAL_OK);
    const regal_tensor tensor = regal_graph_tensor(b.graph.get(), 0);
    ASSERT_EQ(tensor.consumer_count, 2);
    EXPECT_EQ(tensor.consumers[1], 2);
}

TEST(GraphValidate, PrintsACycleOpByOp) {
    Builder b;
    b.op("before"), b.op("a"), b.op("b"), b.op("c"), b.op("after");
    b.tensor(0, {1});
    b.tensor(1, {2});
    b.tensor(2, {3, 4});
    b.control(3, 1);
    b.expect_refused("a -> b -> c -> a");
}

TEST(GraphValidate, ShortensALongCycle) {
    Builder b;
    for (int i = 0; i < 1000; ++i)
        b.op();
    for (int i = 0; i < 1000; ++i)
        b.control(i, (i + 1) % 1000);
    b.expect_refused("1000 in all");
}

TEST(GraphValidate, FindsLoopsOfOneOp) {
    Builder own;
    own.op("a");
    own.tensor(0, {0});
    own.expect_refused("a -> a");
    Builder control;
    control.op("a");
    control.control(0, 0);
    control.expect_refused("'a' waits for itself");
}

TEST(GraphValidate, FindsCyclesOfAliases) {
    Builder b;
    b.op("x"), b.op("y");
    b.tensor(0, {1}, 1, 1, "t");
    b.tensor(1, {0}, 1, 0, "u");
    b.expect_refused("a cycle of aliases: t -> u -> t");
    Builder self;
    self.op("x");
    self.tensor(0, {}, 1, 0, "t");
    self.expect_refused("a cycle of aliases: t -> t");
}

TEST(GraphValidate, AnAliasMustConsumeItsTarget) {
    Builder b;
    b.op("x"), b.op("y");
    b.tensor(0, {}, 1, -1, "t");
    b.tensor(1, {}, 1, 0, "u");
    b.expect_refused("'u': it is an alias of 't', but its producer 'y'");
    Builder fine;
    fine.op(), fine.op();
    fine.tensor(0, {1});
    fine.tensor(1, {}, 1, 0);
    fine.expect_valid();
}

TEST(GraphValidate, NamesBadReferences) {
    Builder producer;
    producer.op();
    producer.tensor(1, {});
    producer.expect_refused("producer is op 1");
    Builder consumer;
    consumer.op();
    consumer.tensor(0, {-1});
    consumer.expect_refused("a consumer is op -1");
    Builder alias;
    alias.op();
    alias.tensor(0, {}, 1, 5);
    alias.expect_refused("alias_of is tensor 5");
    Builder control;
    control.op();
    control.control(0, 7);
    control.expect_refused("op 7");
}

TEST(GraphValidate, NamesDuplicates) {
    Builder ops;
    ops.op("a"), ops.op("b"), ops.op("a");
    ops.expect_refused("ops[0] and ops[2] have the same name 'a'");
    Builder tensors;
    tensors.op();
    tensors.tensor(0, {}, 1, -1, "t");
    tensors.tensor(0, {}, 1, -1, "t");
    tensors.expect_refused("tensors[0] and tensors[1]");
}

TEST(GraphValidate, KeepsNumbersInTheirLimits) {
    Builder negative;
    negative.op("a", -1);
    negative.expect_refused("'a': cost is negative");
    Builder most;
    most.op("a", int64_t(1) << 53);
    most.expect_valid();
    Builder more;
    more.op("a", (int64_t(1) << 53) + 1);
    more.expect_refused("2^53");
    Builder bytes;
    bytes.op("a");
    bytes.tensor(0, {}, INT64_MAX);
    bytes.expect_refused("2^53");
    Builder workspace;
    workspace.op("a", 1, -5);
    workspace.expect_refused("workspace is negative");
}

TEST(GraphValidate, RefusesSumsAboveTheirLimit) {
    Builder ticks;
    for (int i = 0; i < 512; ++i)
        ticks.op(nullptr, int64_t(1) << 53);
    ticks.expect_valid();
    ticks.op();
    ticks.expect_refused("exceed 2^62 ticks");
    Builder bytes;
    bytes.op();
    for (int i = 0; i < 513; ++i)
        bytes.tensor(0, {}, int64_t(1) << 53);
    bytes.expect_refused("tensors[512]");
}

TEST(GraphValidate, ManyAliasesOfOneTensorTakeLinearTime) {
    Builder b;
    const int64_t count = 100000;
    for (int64_t i = 0; i <= count; ++i)
        b.op();
    std::vector<int64_t> all(count);
    for (int64_t i = 0; i < count; ++i)
        all[i] = i + 1;
    b.tensor(0, all);
    for (int64_t i = 0; i < count; ++i)
        b.tensor(i + 1, {}, 1, 0);
    b.expect_valid();
}

TEST(GraphDigest, ChangesWithWhatPlansDependOn) {
    Builder a, b;
    EXPECT_EQ(a.digest(), b.digest());
    a.op("x"), b.op("x");
    a.tensor(0, {}, 1, -1, "t"), b.tensor(0, {}, 1, -1, "another name");
    EXPECT_EQ(a.digest(), b.digest());
    b.control(0, 0);
    EXPECT_NE(a.digest(), b.digest());
    Builder cost;
    cost.op("x", 2);
    cost.tensor(0, {});
    EXPECT_NE(a.digest(), cost.digest());
}

TEST(Graph, KeepsOptions) {
    Builder b;
    EXPECT_EQ(regal_graph_option(b.graph.get(), "profile"), nullptr);
    regal_graph_set_option(b.graph.get(), "profile", "a");
    regal_graph_set_option(b.graph.get(), "profile", "b");
    EXPECT_STREQ(regal_graph_option(b.graph.get(), "profile"), "b");
    EXPECT_EQ(regal_graph_option_count(b.graph.get()), 1);
}

} // namespace

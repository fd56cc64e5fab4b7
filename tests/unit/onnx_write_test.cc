// ONNX models out: the plan in the model that was read, and any graph as a model.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "io/reader.h"
#include "support/onnx_reading.h"
#include "support/random_problem.h"
#include "support/scratch_folder.h"

namespace {

using namespace onnx_file;

std::string Content(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void Save(const std::string &path, const std::string &bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

std::string Digest(const regal_graph *graph) {
    char digest[17];
    regal_graph_digest(graph, digest);
    return digest;
}

GraphPtr Load(const std::string &path) {
    regal_graph *graph = nullptr;
    EXPECT_EQ(regal_graph_read(path.c_str(), nullptr, &graph), REGAL_OK) << regal_error_message();
    return GraphPtr(graph);
}

// Two branches; the file has them before what they need, and "left" before "right".
Model Branches() {
    Model model;
    model.graph.inputs = {value("x", FLOAT, {8})};
    model.graph.initializers = {weights("w", FLOAT, {8})};
    model.graph.outputs = {value("z", FLOAT, {8})};
    model.graph.nodes = {{"Add", {"l", "r"}, {"z"}, {}, "join"},
                         {"Exp", {"s"}, {"l"}, {}, "left"},
                         {"Mul", {"v", "w"}, {"r"}, {}, "right"},
                         {"Identity", {"s"}, {"v"}, {}, "view"},
                         {"Neg", {"x"}, {"s"}, {}, "start"}};
    return model;
}

// One device; starts in the order of these names.
PlanPtr PlanOf(const regal_graph *graph, const std::vector<std::string> &order) {
    regal_plan *plan = nullptr;
    regal_cluster *cluster = nullptr;
    const int64_t ops = regal_graph_op_count(graph);
    EXPECT_EQ(regal_cluster_parse("1", "free", &cluster), REGAL_OK);
    EXPECT_EQ(regal_plan_create(ops, 1, 0, &plan), REGAL_OK);
    int64_t tick = 0;
    for (const std::string &name : order)
        for (int64_t v = 0; v < ops; ++v)
            if (regal_graph_op(graph, v).name == name) {
                plan->start[v] = tick;
                tick += std::max<int64_t>(1, regal_graph_op(graph, v).cost[0]);
            }
    EXPECT_EQ(regal_plan_attach(plan, graph, cluster), REGAL_OK) << regal_error_message();
    regal_cluster_destroy(cluster);
    return PlanPtr(plan);
}

std::string Entry(const std::string &key, const std::string &value) {
    return Message().message(9, Message().text(1, key).text(2, value)).bytes();
}

regal_status Write(const regal_graph *graph, const regal_plan *plan, const std::string &source,
                   const std::string &path) {
    regal_write_options options = {};
    options.plan = plan;
    options.source = source.empty() ? nullptr : source.c_str();
    return regal_graph_write_as(graph, &options, path.c_str());
}

TEST(OnnxWrite, PutsThePlanIntoTheNodesInItsOrder) {
    const ScratchFolder folder;
    Save(folder / "in.onnx", Branches().bytes());
    const GraphPtr graph = Load(folder / "in.onnx");
    const PlanPtr plan = PlanOf(graph.get(), {"start", "right", "left", "join"});
    ASSERT_EQ(Write(graph.get(), plan.get(), folder / "in.onnx", folder / "out.onnx"), REGAL_OK)
        << regal_error_message();
    const std::string out = Content(folder / "out.onnx");
    size_t last = 0;
    for (const char *name : {"start", "view", "right", "left", "join"}) {
        const size_t place = out.find(name, last);
        EXPECT_NE(place, std::string::npos) << name;
        last = place == std::string::npos ? last : place;
    }
    EXPECT_NE(out.find(Entry("regal.device", "d0") + Entry("regal.start", "0") +
                       Entry("regal.order", "0")),
              std::string::npos);
    EXPECT_NE(out.find(Entry("regal.order", "3")), std::string::npos);
    EXPECT_EQ(out.find(Entry("regal.order", "4")), std::string::npos); // the view is no op
    EXPECT_NE(out.find("nowhere.bin"), std::string::npos);
    const GraphPtr again = Load(folder / "out.onnx");
    EXPECT_EQ(regal_graph_op_count(again.get()), 4);
    EXPECT_STREQ(regal_graph_op(again.get(), 0).name, "start");
}

TEST(OnnxWrite, ReplacesAnOldPlanAndKeepsWhatItDoesNotKnow) {
    const ScratchFolder folder;
    std::string node = Branches().graph.nodes[4].message().bytes();
    node += Entry("regal.start", "77") + Entry("other", "kept");
    node += Message().text(50, "unknown field").bytes();
    Model model = Branches();
    model.graph.nodes.pop_back();
    const std::string whole = model.graph.message().text(1, node).bytes();
    const std::string file = Message()
                                 .number(1, 12)
                                 .text(7, whole)
                                 .message(8, Message().number(2, 13))
                                 .text(60, "future")
                                 .bytes();
    Save(folder / "in.onnx", file);
    const GraphPtr graph = Load(folder / "in.onnx");
    const PlanPtr plan = PlanOf(graph.get(), {"start", "left", "right", "join"});
    ASSERT_EQ(Write(graph.get(), plan.get(), folder / "in.onnx", folder / "out.onnx"), REGAL_OK)
        << regal_error_message();
    const std::string out = Content(folder / "out.onnx");
    EXPECT_EQ(out.find(Entry("regal.start", "77")), std::string::npos);
    EXPECT_NE(out.find(Entry("other", "kept")), std::string::npos);
    EXPECT_NE(out.find(Message().text(50, "unknown field").bytes()), std::string::npos);
    EXPECT_NE(out.find(Message().text(60, "future").bytes()), std::string::npos);
    // The plan of a model that has one already gives the same file.
    ASSERT_EQ(Write(graph.get(), plan.get(), folder / "out.onnx", folder / "twice.onnx"), REGAL_OK);
    EXPECT_EQ(Content(folder / "twice.onnx"), out);
}

TEST(OnnxWrite, RefusesAModelThatTheGraphIsNotFrom) {
    const ScratchFolder folder;
    Save(folder / "in.onnx", Branches().bytes());
    const GraphPtr graph = Load(folder / "in.onnx");
    Model other = Branches();
    other.graph.nodes[1].name = "renamed";
    Save(folder / "other.onnx", other.bytes());
    EXPECT_TRUE(refused_with(Write(graph.get(), nullptr, folder / "other.onnx", folder / "o.onnx"),
                             REGAL_INVALID_INPUT, "1 are not in it"));
    EXPECT_FALSE(std::filesystem::exists(folder / "o.onnx"));
}

TEST(OnnxWrite, AnyGraphComesBackAsItWas) {
    const ScratchFolder folder;
    for (uint64_t seed = 0; seed < 300; ++seed) {
        const GraphPtr graph = make_graph(random_case(seed).graph);
        regal_graph_set_option(graph.get(), "profile", "some,thing");
        ASSERT_EQ(Write(graph.get(), nullptr, "", folder / "g.onnx"), REGAL_OK)
            << regal_error_message();
        const GraphPtr again = Load(folder / "g.onnx");
        ASSERT_NE(again, nullptr) << seed;
        ASSERT_EQ(Digest(again.get()), Digest(graph.get())) << seed;
        EXPECT_STREQ(regal_graph_option(again.get(), "profile"), "some,thing");
        for (int64_t v = 0; v < regal_graph_op_count(graph.get()); ++v)
            ASSERT_STREQ(regal_graph_op(again.get(), v).kind, regal_graph_op(graph.get(), v).kind);
    }
}

// As in REGAL's own format: what they are to be would go unheard.
TEST(OnnxWrite, SizesOfAModelOfItsOwnAreSettled) {
    const ScratchFolder folder;
    Model model = Branches();
    model.graph.inputs = {value("x", FLOAT, {"N", "M"})};
    model.graph.initializers = {weights("w", FLOAT, {3})};
    model.graph.outputs = {value("z", FLOAT, {2, 3})};
    Save(folder / "in.onnx", model.bytes());
    const std::vector<const char *> given = {"N=2", "M=3"};
    regal_read_options options = {.dimensions = given.data(), .dimension_count = 2};
    regal_graph *graph = nullptr;
    ASSERT_EQ(regal_graph_read((folder / "in.onnx").c_str(), &options, &graph), REGAL_OK)
        << regal_error_message();
    const GraphPtr owner(graph);
    for (const char *file : {"g.onnx", "g.json"}) {
        const std::string path = folder / file;
        ASSERT_EQ(Write(graph, nullptr, "", path), REGAL_OK) << regal_error_message();
        for (const auto &[dimension, fits] :
             {std::pair{"M=3", true}, std::pair{"N=02", true}, std::pair{"N=3", false},
              std::pair{"N=23", false}, std::pair{"K=2", false}, std::pair{"=3", false}}) {
            regal_graph *again = nullptr;
            options.dimensions = &dimension;
            options.dimension_count = 1;
            const regal_status status = regal_graph_read(path.c_str(), &options, &again);
            regal_graph_destroy(again);
            if (fits)
                EXPECT_EQ(status, REGAL_OK) << regal_error_message();
            else
                EXPECT_TRUE(refused_with(status, REGAL_INVALID_ARGUMENT, "settled: N=2,M=3"))
                    << file << dimension;
        }
    }
}

TEST(OnnxWrite, TensorsAndParametersOfOneNameStayApart) {
    const ScratchFolder folder;
    plain::Graph plain;
    plain.classes = {"a", "b"};
    plain.ops.resize(2);
    for (size_t v = 0; v < 2; ++v) {
        plain.ops[v].name = v == 0 ? "one" : "two";
        plain.ops[v].cost = {1, 2};
    }
    plain.tensors.resize(1);
    plain.tensors[0].name = "same";
    plain.tensors[0].bytes = 5;
    plain.tensors[0].consumers = {1};
    plain.parameters = {{"same", 9, {0, 1}}};
    const GraphPtr graph = make_graph(plain);
    ASSERT_EQ(Write(graph.get(), nullptr, "", folder / "g.onnx"), REGAL_OK)
        << regal_error_message();
    EXPECT_EQ(Digest(Load(folder / "g.onnx").get()), Digest(graph.get()));
}

TEST(OnnxWrite, SaysWhatIsWrongWithAModelOfItsOwnThatWasChanged) {
    const ScratchFolder folder;
    const GraphPtr graph = make_graph(random_case(3).graph);
    ASSERT_EQ(Write(graph.get(), nullptr, "", folder / "g.onnx"), REGAL_OK);
    const std::string bytes = Content(folder / "g.onnx");
    const std::string name = Message().text(1, "index").bytes();
    for (size_t at = bytes.find(name); at != std::string::npos; at = bytes.find(name, at + 1)) {
        std::string changed = bytes;
        changed[at + 2] = 'X';
        EXPECT_TRUE(OnnxGraph(changed).refused(REGAL_INVALID_INPUT, "\"index\""));
    }
}

} // namespace

// CostGraphDef text, out: what is written reads back as the same graph.
#include "io/tensorflow/cost_graph_write.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "support/regal_objects.h"
#include "support/scratch_folder.h"

namespace {

std::string Digest(const regal_graph *graph) {
    char digest[17];
    regal_graph_digest(graph, digest);
    return digest;
}

GraphPtr Read(const std::string &path) {
    regal_graph *graph = nullptr;
    EXPECT_EQ(regal_graph_read(path.c_str(), nullptr, &graph), REGAL_OK) << regal_error_message();
    return GraphPtr(graph);
}

std::string Content(const std::string &path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

// One of everything that the format has room for.
plain::Graph Everything() {
    plain::Graph graph;
    graph.classes = {"default"};
    const char *names[] = {"a \"quoted\\name\"\n\xc3\xa9", "b", "c", "d"};
    for (const char *name : names) {
        plain::Op op;
        op.name = name;
        op.cost = {5000};
        graph.ops.push_back(op);
    }
    graph.ops[1].cost = {0};
    graph.ops[1].workspace = 7;
    const auto tensor = [](int64_t producer, int64_t bytes, std::vector<int64_t> consumers) {
        plain::Tensor made;
        made.name = "t" + std::to_string(producer) + std::to_string(bytes);
        made.producer = producer;
        made.bytes = bytes;
        made.consumers = std::move(consumers);
        return made;
    };
    graph.tensors = {tensor(0, 10, {1, 2}), tensor(0, 0, {2}), tensor(1, 30, {3}),
                     tensor(2, 40, {})};
    graph.tensors[2].alias_of = 0;
    graph.tensors[3].output = true;
    graph.control = {{0, 3}, {2, 3}};
    graph.parameters = {{"weights", 99, {2}}};
    return graph;
}

TEST(CostGraphWrite, ReadsBackAsTheSameGraph) {
    ScratchFolder folder;
    for (const char *family :
         {"erdos-renyi", "watts-strogatz", "barabasi-albert", "stochastic-block"}) {
        regal_graph *made = nullptr;
        ASSERT_EQ(regal_graph_generate(family, nullptr, 0, 5, nullptr, &made), REGAL_OK);
        const GraphPtr graph(made);
        const std::string path = folder / "graph.pbtxt";
        ASSERT_EQ(regal_cost_graph_write(graph.get(), path.c_str()), REGAL_OK)
            << regal_error_message();
        const GraphPtr read = Read(path);
        ASSERT_NE(read, nullptr);
        EXPECT_EQ(Digest(read.get()), Digest(graph.get())) << family;
    }
}

TEST(CostGraphWrite, HasRoomForAliasesOutputsWeightsAndControls) {
    ScratchFolder folder;
    const GraphPtr graph = make_graph(Everything());
    const std::string path = folder / "graph.pbtxt";
    ASSERT_EQ(regal_cost_graph_write(graph.get(), path.c_str()), REGAL_OK) << regal_error_message();
    const GraphPtr read = Read(path);
    ASSERT_NE(read, nullptr);
    EXPECT_EQ(Digest(read.get()), Digest(graph.get()));
    EXPECT_STREQ(regal_graph_op(read.get(), 0).name, "a \"quoted\\name\"\n\xc3\xa9");
}

TEST(CostGraphWrite, LooksLikeTheOriginal) {
    ScratchFolder folder;
    plain::Graph plain = Everything();
    plain.ops.erase(plain.ops.begin());
    plain.ops.pop_back();
    plain.tensors = {plain.tensors[0]};
    plain.tensors[0].consumers = {1};
    plain.control.clear();
    plain.parameters.clear();
    const std::string path = folder / "graph.pbtxt";
    ASSERT_EQ(regal_cost_graph_write(make_graph(plain).get(), path.c_str()), REGAL_OK);
    EXPECT_EQ(Content(path), "node {\n"
                             "  name: \"b\"\n"
                             "  output_info {\n"
                             "    size: 10\n"
                             "    alias_input_port: -1\n"
                             "  }\n"
                             "  temporary_memory_size: 7\n"
                             "}\n"
                             "node {\n"
                             "  name: \"c\"\n"
                             "  id: 1\n"
                             "  input_info {\n"
                             "  }\n"
                             "  compute_cost: 5\n"
                             "}\n");
}

TEST(CostGraphWrite, SaysWhatItHasNoRoomFor) {
    ScratchFolder folder;
    const auto refused = [&](const plain::Graph &plain, const std::string &part) {
        const std::string path = folder / "graph.pbtxt";
        EXPECT_EQ(regal_cost_graph_write(make_graph(plain).get(), path.c_str()),
                  REGAL_INVALID_ARGUMENT);
        EXPECT_NE(std::string(regal_error_message()).find(part), std::string::npos)
            << regal_error_message();
        EXPECT_EQ(folder.file_count(), 0);
    };
    plain::Graph graph = Everything();
    graph.ops[2].cost = {1234};
    refused(graph, "op 'c', which is of parts of a unit of cost");
    graph = Everything();
    graph.ops[1].group = "g";
    refused(graph, "op 'b', which is in a colocation group");
    graph = Everything();
    graph.parameters[0].ops = {1, 2};
    refused(graph, "parameter 'weights', which is not of one op");
    graph = Everything();
    graph.tensors[0].output = true;
    refused(graph, "some outputs are kept to the end");
    graph = Everything();
    graph.classes = {"x", "y"};
    for (auto &op : graph.ops)
        op.cost = {1000, 1000};
    refused(graph, "2 device classes");
}

} // namespace

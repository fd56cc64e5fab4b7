// TensorFlow's CostGraphDef, text and binary, against hand-made files.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "io/reader.h"
#include "io/tensorflow/tensorflow_module.h"
#include "regal/regal.h"

namespace {

using Graph = std::unique_ptr<regal_graph, decltype(&regal_graph_destroy)>;

class CostGraph : public ::testing::Test {
  protected:
    void SetUp() override {
        const regal_tensorflow_module *module;
        if (regal_tensorflow_load(&module) == REGAL_UNAVAILABLE)
            GTEST_SKIP() << regal_error_message();
    }
};

void Collect(const char *message, void *context) {
    static_cast<std::vector<std::string> *>(context)->push_back(message);
}

struct Reading {
    regal_status status;
    Graph graph{nullptr, regal_graph_destroy};
    std::string message;
    std::vector<std::string> warnings;
};

Reading Read(const std::string &content) {
    Reading reading;
    regal_warning_handler_set(Collect, &reading.warnings);
    const regal_read_options options = {};
    regal_graph *graph = nullptr;
    reading.status =
        regal_read_cost_graph(content.data(), content.size(), "test.pb", &options, &graph);
    regal_warning_handler_set(nullptr, nullptr);
    reading.graph.reset(graph);
    if (reading.status != REGAL_OK) {
        reading.message = regal_error_message();
        EXPECT_EQ(graph, nullptr);
    }
    return reading;
}

void ExpectRefused(const std::string &content, const std::string &part) {
    const Reading reading = Read(content);
    EXPECT_EQ(reading.status, REGAL_INVALID_INPUT) << content;
    EXPECT_NE(reading.message.find(part), std::string::npos) << reading.message;
    EXPECT_EQ(reading.message.rfind("test.pb:", 0), 0u) << reading.message;
}

// Protobuf's wire format, as far as these tests need it.
std::string Varint(uint64_t value) {
    std::string bytes;
    for (; value >= 0x80; value >>= 7)
        bytes += static_cast<char>(value | 0x80);
    return bytes + static_cast<char>(value);
}
std::string Number(int field, int64_t value) {
    return Varint(static_cast<uint64_t>(field) << 3) + Varint(static_cast<uint64_t>(value));
}
std::string Block(int field, const std::string &content) {
    return Varint(static_cast<uint64_t>(field) << 3 | 2) + Varint(content.size()) + content;
}

std::vector<int64_t> Consumers(const regal_tensor &tensor) {
    return {tensor.consumers, tensor.consumers + tensor.consumer_count};
}

const char kPair[] = R"(
# a comment
node { name: "a" id: 7 output_info { size: 10 alias_input_port: -1 } compute_cost: 3 }
node: < name: 'b' id: 2 input_info { preceding_node: 7 }
        output_info { size: 20 alias_input_port: -1 } is_final: true
        temporary_memory_size: 5 device_temp_memory_size: 6
        persistent_memory_size: 100 device_persistent_memory_size: 11 >
)";

TEST_F(CostGraph, MapsNodesToOpsAndOutputsToTensors) {
    const Reading reading = Read(kPair);
    ASSERT_EQ(reading.status, REGAL_OK) << reading.message;
    const regal_graph *graph = reading.graph.get();
    ASSERT_EQ(regal_graph_op_count(graph), 2);
    EXPECT_STREQ(regal_graph_op(graph, 0).name, "a");
    EXPECT_EQ(regal_graph_op(graph, 0).cost[0], 3000);
    EXPECT_EQ(regal_graph_op(graph, 1).workspace, 11);
    ASSERT_EQ(regal_graph_tensor_count(graph), 2);
    const regal_tensor first = regal_graph_tensor(graph, 0);
    EXPECT_STREQ(first.name, "a:0");
    EXPECT_EQ(first.bytes, 10);
    EXPECT_EQ(Consumers(first), std::vector<int64_t>{1});
    EXPECT_FALSE(first.output);
    EXPECT_TRUE(regal_graph_tensor(graph, 1).output);
    ASSERT_EQ(regal_graph_parameter_count(graph), 1);
    EXPECT_EQ(regal_graph_parameter(graph, 0).bytes, 111);
    EXPECT_EQ(regal_graph_parameter(graph, 0).ops[0], 1);
    EXPECT_STREQ(regal_graph_class_name(graph, 0), "default");
    EXPECT_TRUE(reading.warnings.empty());
}

TEST_F(CostGraph, ReadsTheBinaryFormToTheSameGraph) {
    const std::string none = Number(2, -1);
    const std::string a = Block(1, "a") + Number(3, 7) + Block(5, Number(1, 10) + none) +
                          Number(9, 3) + Block(2, "/device:CPU:0");
    const std::string b = Block(1, "b") + Number(3, 2) + Block(4, Number(1, 7)) +
                          Block(5, Number(1, 20) + none) + Number(7, 1) + Number(6, 5) +
                          Number(11, 6) + Number(12, 100) + Number(16, 11) + Number(99, 5);
    const Reading binary = Read(Block(1, a) + Block(1, b) + Block(2, "costs"));
    const Reading text = Read(kPair);
    ASSERT_EQ(binary.status, REGAL_OK) << binary.message;
    char left[17], right[17];
    regal_graph_digest(binary.graph.get(), left);
    regal_graph_digest(text.graph.get(), right);
    EXPECT_STREQ(left, right);
}

TEST_F(CostGraph, ReadsBinaryFilesThatStartLikeText) {
    // Tag and lengths are all white space: "\n\r\n\v" and a name of eleven letters.
    const Reading reading = Read(Block(1, Block(1, "abcdefghijk")));
    ASSERT_EQ(reading.status, REGAL_OK) << reading.message;
    EXPECT_STREQ(regal_graph_op(reading.graph.get(), 0).name, "abcdefghijk");
    // Letters and then ":", "<" or "{", as a field's name and its value begin.
    for (size_t size = 1; size < 126; ++size)
        for (const char *device : {"", "/cpu:0"}) {
            const std::string name(size, 'n');
            const Reading one = Read(Block(1, Block(1, name) + Block(2, device)));
            ASSERT_EQ(one.status, REGAL_OK) << one.message;
            EXPECT_EQ(regal_graph_op(one.graph.get(), 0).name, name);
        }
}

TEST_F(CostGraph, TakesAnAbsentAliasPortAsInputZeroWhereThereIsOne) {
    const Reading reading = Read(R"(
        node { name: "a" output_info { size: 10 } }
        node { name: "b" id: 1 input_info { } output_info { size: 10 } }
        node { name: "c" id: 2 input_info { preceding_node: 1 } output_info { size: 4 alias_input_port: -1 } })");
    ASSERT_EQ(reading.status, REGAL_OK) << reading.message;
    EXPECT_EQ(regal_graph_tensor(reading.graph.get(), 0).alias_of, -1);
    EXPECT_EQ(regal_graph_tensor(reading.graph.get(), 1).alias_of, 0);
    EXPECT_EQ(regal_graph_tensor(reading.graph.get(), 2).alias_of, -1);
}

TEST_F(CostGraph, FollowsAliasPortsToTheRightInput) {
    const Reading reading = Read(R"(
        node { name: "a" output_info { size: 1 } output_info { size: 2 } }
        node { name: "b" id: 1 input_info { } input_info { preceding_port: 1 }
               output_info { alias_input_port: 1 } })");
    ASSERT_EQ(reading.status, REGAL_OK) << reading.message;
    EXPECT_EQ(regal_graph_tensor(reading.graph.get(), 2).alias_of, 1);
}

TEST_F(CostGraph, KeepsControlInputs) {
    const Reading reading = Read(R"(
        node { name: "_SOURCE" }
        node { name: "a" id: 1 control_input: 0 control_input: [0, 0] }
        node { name: "b" id: 2 control_input: 1 input_info { preceding_node: 0 preceding_port: -1 } })");
    ASSERT_EQ(reading.status, REGAL_OK) << reading.message;
    const regal_graph *graph = reading.graph.get();
    EXPECT_EQ(regal_graph_control_count(graph), 5);
    EXPECT_EQ(regal_graph_control(graph, 0).before, 0);
    EXPECT_EQ(regal_graph_control(graph, 0).after, 1);
    EXPECT_EQ(regal_graph_tensor_count(graph), 0);
}

TEST_F(CostGraph, NamesNodesWithoutANameAfterTheirId) {
    const Reading reading = Read("node { id: 5 } node { id: -3 }");
    ASSERT_EQ(reading.status, REGAL_OK) << reading.message;
    EXPECT_STREQ(regal_graph_op(reading.graph.get(), 0).name, "#5");
    EXPECT_STREQ(regal_graph_op(reading.graph.get(), 1).name, "#-3");
}

TEST_F(CostGraph, CountsUnknownSizesAsZeroWithOneWarning) {
    const Reading reading =
        Read("node { name: 'a' output_info { size: -1 } output_info { size: -1 } }");
    ASSERT_EQ(reading.status, REGAL_OK) << reading.message;
    EXPECT_EQ(regal_graph_tensor(reading.graph.get(), 0).bytes, 0);
    ASSERT_EQ(reading.warnings.size(), 1u);
    EXPECT_NE(reading.warnings[0].find("2 outputs of unknown size"), std::string::npos);
}

TEST_F(CostGraph, WarnsOnceOfEachUnknownFieldWithItsPlace) {
    const Reading reading =
        Read("node { name: 'a' odd: 1 }\nnode { id: 1 odd { x: 2 } even: 'z' }");
    ASSERT_EQ(reading.status, REGAL_OK) << reading.message;
    ASSERT_EQ(reading.warnings.size(), 2u);
    EXPECT_EQ(reading.warnings[0].rfind("test.pb:1:", 0), 0u) << reading.warnings[0];
    EXPECT_NE(reading.warnings[0].find("unknown field \"odd\" is left out"), std::string::npos);
    EXPECT_EQ(reading.warnings[1].rfind("test.pb:2:", 0), 0u) << reading.warnings[1];
}

TEST_F(CostGraph, PassesSilentlyOverFieldsOfTheFormatThatPlansDoNotNeed) {
    const Reading reading = Read(R"(
        node { name: "a" device: "/cpu:0" compute_time: 3 memory_time: 4 inaccurate: true
               host_temp_memory_size: 9
               output_info { size: 4 dtype: DT_FLOAT shape { dim { size: 2 } unknown_rank: false } } }
        cost { cost: 1.5 dimension: "x" })");
    EXPECT_EQ(reading.status, REGAL_OK) << reading.message;
    EXPECT_TRUE(reading.warnings.empty()) << reading.warnings[0];
}

TEST_F(CostGraph, NamesTheNodeAtFault) {
    ExpectRefused("node { name: 'a' id: 3 } node { name: 'b' id: 3 }",
                  "node[0] 'a' and node[1] 'b' have the same id 3");
    ExpectRefused("node { name: 'a' } node { name: 'a' id: 1 }", "the same name 'a'");
    ExpectRefused("node { name: 'a' input_info { preceding_node: 4 } }",
                  "node[0] 'a': input_info[0] comes from node id 4, which no node has");
    ExpectRefused("node { name: 'a' } node { name: 'b' id: 1 input_info { preceding_port: 2 } }",
                  "input_info[0] is output 2 of node 'a', which has 0");
    ExpectRefused("node { name: 'a' control_input: 9 }", "control_input[0] is node id 9");
    ExpectRefused("node { name: 'a' compute_cost: -1 }", "node[0] 'a': compute_cost is -1");
    ExpectRefused("node { name: 'a' compute_cost: 9223372036854775807 }", "compute_cost is 9223");
    ExpectRefused("node { name: 'a' compute_cost: 9007199254741 }", "above 2^53 ticks");
    ExpectRefused("node { name: 'a' temporary_memory_size: -5 }", "temporary_memory_size is -5");
    ExpectRefused("node { name: 'a' persistent_memory_size: -5 }", "persistent_memory_size is -5");
    ExpectRefused("node { name: 'a' output_info { size: 9223372036854775807 } }", "size");
    ExpectRefused("node { name: 'a' output_info { alias_input_port: 1 } }",
                  "output_info[0] is an alias of input 1, which is not there");
    ExpectRefused("node { name: 'a' control_input: 0 }", "waits for itself");
    ExpectRefused(
        "node { name: 'a' id: 1 control_input: 2 } node { name: 'b' id: 2 control_input: 1 }",
        "a -> b -> a");
    ExpectRefused("node { name: 'a\\000b' }", "a NUL at byte 1");
    ExpectRefused("node { name: 'a\\377' }", "not UTF-8 at byte 1");
}

TEST_F(CostGraph, GivesLineAndColumnOfTextThatIsWrong) {
    ExpectRefused("node {\n  name: 5\n}", "test.pb:2:9: ");
    ExpectRefused("node {\n  id: 1\n  id: 2\n}", "test.pb:3:5: ");
    ExpectRefused("node {\n  name: \"a\"\n", "test.pb:3:1: ");
    ExpectRefused("node {\n  id: 99999999999\n}", "test.pb:2:7: ");
}

TEST_F(CostGraph, SaysWhereABinaryFileIsBroken) {
    const std::string node = Block(1, Block(1, "a") + Number(3, 1));
    ExpectRefused(node + node.substr(0, 4), "node[1] at byte 7");
    ExpectRefused(node + node.substr(0, 4), "cut short");
    ExpectRefused(node + Block(1, Number(3, 1) + Block(5, "\x08")),
                  "node[1] at byte 7 is malformed");
    ExpectRefused(node + "\x0b", "byte 7");
    ExpectRefused(Block(1, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), "node[0]");
}

TEST_F(CostGraph, RefusesDeepNesting) {
    std::string text = "node { ";
    for (int i = 0; i < 100000; ++i)
        text += "x { ";
    ExpectRefused(text, "test.pb:1:");
    std::string binary;
    for (int i = 0; i < 3000; ++i)
        binary += "\x4b"; // the start of group 9, over and over
    EXPECT_EQ(Read(Block(1, binary)).status, REGAL_INVALID_INPUT);
}

TEST_F(CostGraph, SurvivesEveryTruncation) {
    const std::string text = kPair;
    for (size_t size = 1; size < text.size(); ++size)
        Read(text.substr(0, size));
    const std::string binary = Block(1, Block(1, "a") + Block(5, Number(1, 10) + Number(2, -1))) +
                               Block(1, Block(1, "b") + Number(3, 1) + Block(4, ""));
    ASSERT_EQ(Read(binary).status, REGAL_OK);
    for (size_t size = 1; size < binary.size(); ++size)
        Read(binary.substr(0, size));
}

TEST_F(CostGraph, ReadsTheDatasetsExample) {
    const char *shared = std::getenv("REGAL_SHARED");
    const std::string folder = shared != nullptr ? shared : REGAL_SOURCE_DIR "/../shared";
    std::ifstream file(folder + "/graphs/costgraph/example_5node.pbtxt");
    if (!file)
        GTEST_SKIP() << "no " << folder;
    std::stringstream content;
    content << file.rdbuf();
    const Reading reading = Read(content.str());
    ASSERT_EQ(reading.status, REGAL_OK) << reading.message;
    EXPECT_TRUE(reading.warnings.empty());
    const regal_graph *graph = reading.graph.get();
    EXPECT_EQ(regal_graph_op_count(graph), 5);
    EXPECT_EQ(regal_graph_tensor_count(graph), 3);
    EXPECT_EQ(regal_graph_control_count(graph), 4);
    EXPECT_EQ(regal_graph_tensor(graph, 0).bytes, 70);
    EXPECT_EQ(Consumers(regal_graph_tensor(graph, 0)), std::vector<int64_t>{4});
    EXPECT_EQ(regal_graph_op(graph, 4).cost[0], 58000);
}

} // namespace

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "io/reader.h"
#include "support/refusal.h"
#include "support/regal_objects.h"
#include "support/scratch_folder.h"

namespace {

/* "json", "cost-graph", "hlo", all that claim it, or "". */
std::string recognized(const std::string &text) {
    std::string found;
    if (regal_is_json(text.data(), text.size()))
        found += "json";
    if (regal_is_cost_graph(text.data(), text.size()))
        found += "cost-graph";
    if (regal_is_hlo(text.data(), text.size()))
        found += "hlo";
    return found;
}

std::string bytes(const char *text, size_t size) {
    return std::string(text, size);
}

regal_status parse(const std::string &text) {
    regal_graph *graph = nullptr;
    const regal_status status =
        regal_graph_parse(text.data(), text.size(), "file", nullptr, &graph);
    regal_graph_destroy(graph);
    return status;
}

TEST(Recognize, JsonByItsBrace) {
    EXPECT_EQ(recognized("{}"), "json");
    EXPECT_EQ(recognized(" \r\n\t{"), "json");
    EXPECT_EQ(recognized("\n{\n  \"format\": \"regal-graph\", \"version\": 1, \"ops\": []\n}"),
              "json");
    EXPECT_EQ(recognized("[1]"), "");
}

TEST(Recognize, HloByItsFirstWords) {
    EXPECT_EQ(recognized("HloModule m"), "hlo");
    EXPECT_EQ(recognized("// comment\n/* more\n */ HloModule m, x={}\n"), "hlo");
    EXPECT_EQ(recognized("ENTRY %main (p: f32[]) -> f32[] {"), "hlo");
    EXPECT_EQ(recognized("%region_0.1 (a: f32[]) -> f32[] {\n"), "hlo");
    EXPECT_EQ(recognized("e {\n  a = u4[1024,512]{1,0:E(4)} parameter(0)\n"), "hlo");
    EXPECT_EQ(recognized("node {\n  a = f32[] parameter(0)\n}"), "hlo");
    EXPECT_EQ(recognized("node {\n  ROOT a = f32[] parameter(0)\n}"), "hlo");
}

TEST(Recognize, ProtobufTextByItsFields) {
    EXPECT_EQ(recognized("node {\n  name: \"_SOURCE\"\n}\n"), "cost-graph");
    EXPECT_EQ(recognized("# comment\nnode: <name: 'a'>"), "cost-graph");
    EXPECT_EQ(recognized("node {}"), "cost-graph");
    EXPECT_EQ(recognized("node { # none\n input_info { preceding_node: 1 }"), "cost-graph");
    EXPECT_EQ(recognized("node {"), "cost-graph");
    EXPECT_EQ(recognized("cost { dimension: \"a\" }"), "cost-graph");
}

// Tags and lengths may all be characters: "\n" and, from 32 on, letters and punctuation.
TEST(Recognize, ProtobufBinaryWithoutControlBytes) {
    const auto node = [](size_t name) {
        const std::string fields = "\n" + std::string(1, char(name)) + std::string(name, 'n');
        return "\n" + std::string(1, char(fields.size())) + fields;
    };
    std::string nodes;
    for (size_t name = 32; name < 126; ++name) {
        EXPECT_EQ(recognized(node(name)), "cost-graph") << name;
        nodes += node(name);
    }
    EXPECT_EQ(recognized(nodes), "cost-graph");
    EXPECT_EQ(recognized(nodes + "\x12\x21" + std::string(33, 'c')), "cost-graph") << "costs";
    EXPECT_EQ(recognized(nodes.substr(0, nodes.size() - 1)), "") << "may be any text";
    EXPECT_EQ(recognized(nodes + "\n"), "");
    EXPECT_EQ(recognized("\n" + std::string(33, ' ')), "") << "a field 4 of 32, over and over";
    const std::string longer = "\n\xaf\x20\n\xac\x20" + std::string(0x20 << 7 | 0x2c, 'n');
    EXPECT_EQ(recognized(longer + longer), "cost-graph");
}

TEST(Recognize, ProtobufBinaryByItsTags) {
    const std::string node = bytes("\x0a\x07\x0a\x03"
                                   "abc"
                                   "\x18\x01",
                                   9);
    EXPECT_EQ(recognized(node), "cost-graph");
    EXPECT_EQ(recognized(node + node), "cost-graph");
    EXPECT_EQ(recognized(node.substr(0, 5)), "cost-graph") << "cut off";
    EXPECT_EQ(recognized(bytes("\x0a\x07\x0b\x03"
                               "abc"
                               "\x18\x01",
                               9)),
              "");
    /* A node of 123 bytes starts like a JSON file with an empty first line. */
    const std::string large =
        bytes("\n{\n", 3) + bytes("\x77", 1) + std::string(119, 'x') + bytes("\x18\x01", 2);
    EXPECT_EQ(recognized(large + node), "cost-graph");
    EXPECT_EQ(recognized(large + "}"), "cost-graph");
    EXPECT_EQ(recognized("\n{" + large), "json") << "what follows is no node";
}

TEST(Recognize, NothingInAnythingElse) {
    for (const std::string &text : {std::string("hello"), std::string("hello, world"),
                                    std::string("<xml/>"), std::string("\x08\x07onnx"),
                                    std::string("\x7f"
                                                "ELF\x02\x01\x01\0\0",
                                                9),
                                    std::string(1000, '\0'), std::string(" \n # only a comment"),
                                    std::string("/* open"), std::string("\xff\xfe{\0}\0", 6)})
        EXPECT_EQ(recognized(text), "") << text;
}

TEST(GraphRead, ListsTheFormatsWhereNoneFits) {
    EXPECT_TRUE(refused_with(parse("hello"), REGAL_INVALID_INPUT,
                             "file: is of no known graph format; those known are regal-graph ("));
    for (const char *name : {"regal-graph", "cost-graph", "hlo"})
        EXPECT_TRUE(refused_with(parse(std::string(100, '\0')), REGAL_INVALID_INPUT, name));
    EXPECT_TRUE(refused_with(parse(""), REGAL_INVALID_INPUT, "file: is empty"));
    EXPECT_TRUE(refused_with(parse("\xef\xbb\xbf"), REGAL_INVALID_INPUT, "file: is empty"));
    EXPECT_TRUE(refused_with(parse(" \n"), REGAL_INVALID_INPUT, "no known graph format"));
}

TEST(GraphRead, TellsAGraphDefFromACostGraphDef) {
    for (const std::string text : {"node {\n  name: \"a\"\n  op: \"Const\"\n}",
                                   "node { name: 'it\\'s }' attr { key: 'x' } }",
                                   "# c\nnode: < id: 3 output_info {} input: \"op\" >"})
        EXPECT_TRUE(regal_is_graph_def(text.data(), text.size())) << text;
    for (const std::string text : {"node { name: \"op\" input_info { op: 1 } } node { op: 3 }",
                                   "node { name: \"op: ", "node { name: \"\\", "node { } op"})
        EXPECT_FALSE(regal_is_graph_def(text.data(), text.size())) << text;
}

TEST(GraphRead, SaysWhichOtherFileOfOursItWasGiven) {
    EXPECT_TRUE(refused_with(parse(R"({"format": "regal-cluster", "version": 1})"),
                             REGAL_INVALID_INPUT,
                             "file: format: expected 'regal-graph', found 'regal-cluster'"));
}

TEST(GraphRead, LooksAtTheContentNotTheName) {
    ScratchFolder folder;
    const std::string text = R"({"format": "regal-graph", "version": 1,
                                 "device_classes": ["a"], "ops": [{"cost": [1]}]})";
    const std::string path = folder / "graph.pbtxt";
    ASSERT_EQ(regal_text_write(path.c_str(), text.data(), text.size()), REGAL_OK);
    regal_graph *graph = nullptr;
    ASSERT_EQ(regal_graph_read(path.c_str(), nullptr, &graph), REGAL_OK) << regal_error_message();
    const GraphPtr owner(graph);
    EXPECT_EQ(regal_graph_op_count(graph), 1);
}

TEST(GraphRead, SaysWhyAFileCannotBeRead) {
    regal_graph *graph = nullptr;
    EXPECT_TRUE(refused_with(regal_graph_read("/nowhere/g", nullptr, &graph), REGAL_INVALID_INPUT,
                             "/nowhere/g: cannot open: No such file or directory"));
    EXPECT_TRUE(refused_with(regal_graph_read("/", nullptr, &graph), REGAL_INVALID_INPUT,
                             "/: is a folder"));
    EXPECT_EQ(graph, nullptr);
}

TEST(GraphRead, DescribesItsFormats) {
    regal_format_info info;
    ASSERT_TRUE(regal_format_describe(0, &info));
    EXPECT_STREQ(info.name, "regal-graph");
    EXPECT_TRUE(info.reads && info.writes);
    std::set<std::string> names;
    for (int64_t i = 0; regal_format_describe(i, &info); ++i) {
        EXPECT_EQ(info.reads || info.writes, info.reason[0] == '\0') << info.name;
        EXPECT_FALSE(info.of_plan && info.reads) << info.name;
        EXPECT_TRUE(names.insert(info.name).second) << info.name;
    }
    for (const char *name :
         {"cost-graph", "csv", "dot", "graph-def", "hlo", "html", "minimalloc", "onnx", "trace"})
        EXPECT_EQ(names.count(name), 1u) << name;
    EXPECT_FALSE(regal_format_describe(-1, &info));
}

} // namespace

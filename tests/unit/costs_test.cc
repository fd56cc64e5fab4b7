// Measured times: their sources, and what they do to a graph.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "io/costs/costs_apply.h"
#include "support/refusal.h"
#include "support/regal_objects.h"
#include "support/warning_list.h"

namespace {

struct CostsDelete {
    void operator()(regal_costs *costs) const { regal_costs_destroy(costs); }
};
using CostsPtr = std::unique_ptr<regal_costs, CostsDelete>;

CostsPtr parse(const std::string &text) {
    // On the heap and with no terminator, so that a sanitizer sees reading too far.
    const std::vector<char> bytes(text.begin(), text.end());
    regal_costs *costs = nullptr;
    if (regal_costs_parse(bytes.data(), bytes.size(), "costs", &costs) != REGAL_OK)
        return nullptr;
    return CostsPtr(costs);
}

// The times as CSV, or the message.
std::string read(const std::string &text) {
    const CostsPtr costs = parse(text);
    return costs ? regal_costs_text(costs.get()) : regal_error_message();
}

testing::AssertionResult refuses(const std::string &text, const std::string &message) {
    regal_costs *costs = nullptr;
    const auto status = regal_costs_parse(text.data(), text.size(), "costs", &costs);
    regal_costs_destroy(costs);
    return refused_with(status, REGAL_INVALID_INPUT, message);
}

// ---- CSV

TEST(CostsCsv, LeavesOutHeaderCommentsAndBlankLines) {
    EXPECT_EQ(read("\xef\xbb\xbf# measured today\r\nop,class,microseconds\r\n\r\na,h100,12\r\n"
                   " \n#b,h100,1\nb , h100 ,3.5"),
              "a,h100,12\nb,h100,3.5\n");
    EXPECT_EQ(read("Op,Class,Microseconds\na,,1\n"), "a,,1\n");
}

TEST(CostsCsv, TakesNamesInQuotes) {
    const std::string csv =
        "\"a,b\",\"x\"\"y\",1\n\"two\r\nlines\",\"\",2\n\"#c\",,3\n\" d \",,4\n";
    EXPECT_EQ(read(csv), "\"a,b\",\"x\"\"y\",1\n\"two\r\nlines\",,2\n\"#c\",,3\n\" d \",,4\n");
    EXPECT_EQ(read(read(csv)), read(csv));
    EXPECT_TRUE(refuses("\"two\nlines\",,1\nb,,x\n", "costs:3: \"x\" is no number"));
}

TEST(CostsCsv, AreReadBackWhateverOpsAreCalled) {
    for (const char *name : {"[]", "{}", "[{", "{\\\"a\\\"", "step_stats {", "step_stats:", "#",
                             " ", "\\n", "\\u0001", "\xef\xbb\xbf", "op", "a,b", "\\r", "\\\""}) {
        const std::string csv =
            read(std::string(R"([{"ph": "X", "dur": 1.25, "name": ")") + name + "\"}]");
        EXPECT_EQ(csv.substr(csv.size() - 7), ",,1.25\n") << name;
        EXPECT_EQ(read(csv), csv) << name;
    }
}

TEST(CostsCsv, RoundsToTicksExactly) {
    for (const auto &[text, ticks] :
         std::map<std::string, std::string>{{"0", "0"},
                                            {"0.0004", "0"},
                                            {"0.0005", "0.001"},
                                            {"0.00049999999999999999999999", "0"},
                                            {"1.2345", "1.235"},
                                            {"2.6755", "2.676"}, // as a double it is a little less
                                            {"00012.500", "12.5"},
                                            {".25", "0.25"},
                                            {"7.", "7"},
                                            {"1e3", "1000"},
                                            {"15e-4", "0.002"},
                                            {"1E-400", "0"},
                                            {"9007199254740.992", "9007199254740.992"}})
        EXPECT_EQ(read("a,," + text), "a,," + ticks + "\n") << text;
}

TEST(CostsCsv, RefusesWhatIsNoTime) {
    EXPECT_TRUE(refuses("a,,1\nb,,-2\n", "costs:2: a time cannot be negative: -2"));
    for (const char *text : {"", "nan", "inf", "0x10", "1 2", "1e", "1.2.3", "+1", "--1", "."})
        EXPECT_TRUE(refuses(std::string("a,,") + text, "costs:1: ")) << text;
    EXPECT_TRUE(refuses("a,,9007199254740.993", "more than 2^53 ticks"));
    EXPECT_TRUE(refuses("a,,1e99999999999999999999", "more than 2^53 ticks"));
}

TEST(CostsCsv, RefusesLinesOfAnotherShape) {
    EXPECT_TRUE(refuses("a,1", "costs:1: has 2 fields"));
    EXPECT_TRUE(refuses("a,b,1,2", "costs:1: has more than three fields"));
    EXPECT_TRUE(refuses(",b,1", "costs:1: names no op"));
    EXPECT_TRUE(refuses("\"a,,1\n", "costs:1: a quote is not closed"));
    EXPECT_TRUE(refuses("\"a\"b,,1\n", "costs:1: expected a comma"));
    EXPECT_TRUE(refuses("a\xff,,1\n", "costs:1: is no text"));
    EXPECT_TRUE(refuses(std::string("a\0b,,1", 6), "neither CSV"));
    EXPECT_TRUE(refuses("# nothing\n", "holds no times"));
    EXPECT_TRUE(refuses("", "is empty"));
}

TEST(CostsCsv, RefusesATimeGivenTwice) {
    EXPECT_TRUE(
        refuses("a,x,1\nb,x,1\n\na,y,1\na,x,1\n", "costs:5: \"a\" has a time already, in line 1"));
    EXPECT_EQ(read("a,,1\na,x,2\n"), "a,,1\na,x,2\n");
}

// ---- traces

TEST(CostsTrace, TakesTheMeanOfCompleteEvents) {
    EXPECT_EQ(read(R"({"traceEvents": [
        {"ph": "X", "name": "b", "ts": 5, "dur": 2},
        {"ph": "X", "name": "a", "ts": 1, "dur": 1.5},
        {"ph": "X", "name": "b", "ts": 9, "dur": 2.003},
        {"ph": "X", "name": "open", "ts": 9},
        {"ph": "M", "name": "process_name", "args": {"name": "x"}}, {"name": "none"}]})"),
              "b,,2.002\na,,1.5\n");
}

TEST(CostsTrace, PairsEndsOfEachThreadInTheOrderOfTime) {
    EXPECT_EQ(read(R"([
        {"ph": "E", "ts": 30, "pid": 1, "tid": 1},
        {"ph": "B", "ts": 10, "pid": 1, "tid": 1, "name": "outer"},
        {"ph": "B", "ts": 12, "pid": 1, "tid": 1, "name": "inner"},
        {"ph": "B", "ts": 13, "pid": 1, "tid": "1", "name": "other"},
        {"ph": "E", "ts": 14, "pid": 2, "tid": 1},
        {"ph": "E", "ts": 15, "pid": 1, "tid": 1},
        {"ph": "E", "ts": 16.25, "pid": 1, "tid": "1"},
        {"ph": "B", "ts": 40, "pid": 1, "tid": 1, "name": "open"}])"),
              "inner,,3\nouter,,20\nother,,3.25\n");
}

TEST(CostsTrace, TakesTheNameInTheArgumentsFirst) {
    EXPECT_EQ(
        read(R"([{"ph": "X", "name": "MatMul", "dur": 1, "args": {"name": "dense/MatMul"}}])"),
        "dense/MatMul,,1\n");
}

TEST(CostsTrace, MayEndWithoutItsBracket) {
    EXPECT_EQ(read("[{\"ph\": \"X\", \"name\": \"a\", \"dur\": 1},\n"), "a,,1\n");
    EXPECT_EQ(read("[{\"ph\": \"X\", \"name\": \"a\", \"dur\": 1}"), "a,,1\n");
    EXPECT_TRUE(refuses("[", "no times"));
    EXPECT_TRUE(refuses("[{\"ph\": \"X\", ", "costs:1:"));
}

TEST(CostsTrace, RefusesWhatIsNoTime) {
    EXPECT_TRUE(refuses(R"([{"ph": "X", "name": "a", "dur": -1}])", "[0].dur: a time cannot be"));
    EXPECT_TRUE(refuses(R"([{"ph": "X", "name": "a", "dur": "1"}])", "[0].dur: expected a number"));
    EXPECT_TRUE(refuses(R"([{"ph": "X", "name": "a", "dur": 1e300}])", "too many"));
    EXPECT_TRUE(refuses(R"([{"ph": "B", "name": "a", "ts": 1e300}])", "too many"));
    EXPECT_TRUE(refuses(R"([{"ph": "B", "name": "a", "ts": -9e15, "pid": 1, "tid": 1},
                            {"ph": "E", "ts": 9000000000000000, "pid": 1, "tid": 1}])",
                        "more than 2^53 ticks"));
    EXPECT_TRUE(refuses(R"([{"ph": "X"}, 5])", "[1]: expected an event"));
    EXPECT_TRUE(refuses(R"({"format": "regal-graph"})", "has no \"traceEvents\""));
}

// ---- TensorFlow's step stats

std::string varint(uint64_t number) {
    std::string bytes;
    for (; number >= 0x80; number >>= 7)
        bytes += static_cast<char>((number & 0x7f) | 0x80);
    return bytes + static_cast<char>(number);
}
std::string field(int number, const std::string &content) {
    return varint(number << 3 | 2) + varint(content.size()) + content;
}
std::string field(int number, uint64_t value) {
    return varint(number << 3) + varint(value);
}
std::string run_metadata(const std::string &nodes) {
    return field(1, field(1, field(1, std::string("/device:CPU:0")) + nodes));
}

TEST(CostsRunMetadata, TakesTheMeanOfTheOpsOwnTimes) {
    const std::string node = field(1, std::string("a")) + field(2, UINT64_C(1700000000000000));
    const std::string binary = run_metadata(
        field(2, node + field(3, 5) + field(4, 15) + field(5, 99)) +
        field(2, node + field(3, 5) + field(4, 16)) +
        field(2, field(1, std::string("b")) + field(5, 7)) +
        field(2, field(1, std::string("c")) + field(4, 7) + field(14, 1000) + field(15, 1123)));
    EXPECT_EQ(read(binary), "a,,10.5\nb,,7\nc,,0.123\n");
    EXPECT_TRUE(refuses(binary.substr(0, binary.size() / 2), "cut short"));
}

TEST(CostsRunMetadata, ReadsTheTextFormToo) {
    EXPECT_EQ(read("# proto-message\nstep_stats { dev_stats { device: 'x' unknown: 3\n"
                   " node_stats { node_name: 'a/b' op_start_rel_micros: 1 op_end_rel_micros: 4\n"
                   "  memory { allocator_name: 'cpu' } } } }\ncost_graph { }\n"),
              "a/b,,3\n");
    EXPECT_TRUE(refuses("step_stats {\n dev_stats { node_stats: 5 } }", "costs:2:"));
}

TEST(CostsRunMetadata, RefusesTimesThatRunBackwards) {
    EXPECT_TRUE(
        refuses(run_metadata(field(2, field(1, std::string("a")) + field(3, 9) + field(4, 5))),
                "node_stats 0 (a): ends before it begins"));
    EXPECT_TRUE(
        refuses(run_metadata(field(2, field(1, std::string("a")) + field(4, UINT64_C(1) << 62))),
                "lasts more than 2^53 ns"));
    EXPECT_TRUE(refuses(run_metadata(field(2, field(1, std::string("a\0", 2)) + field(4, 5))),
                        "its name is no text"));
}

// ---- in a graph

GraphPtr two_ops(const std::string &more = "") {
    const std::string text = R"({"format": "regal-graph", "version": 1, "name": "g",
        "device_classes": ["a", "b"], "ops": [{"name": "x", "cost": [1, 2]},
        {"name": "y", "cost": [3, 4]}])" +
                             more + "}";
    regal_graph *graph = nullptr;
    EXPECT_EQ(regal_graph_parse(text.data(), text.size(), "g", nullptr, &graph), REGAL_OK)
        << regal_error_message();
    return GraphPtr(graph);
}

std::vector<int64_t> costs_of(const regal_graph *graph) {
    std::vector<int64_t> costs;
    for (int64_t i = 0; i < regal_graph_op_count(graph); ++i)
        for (int64_t c = 0; c < regal_graph_class_count(graph); ++c)
            costs.push_back(regal_graph_op(graph, i).cost[c]);
    return costs;
}

using Costs = std::vector<int64_t>;

TEST(CostsApply, OverridesTheClassOrAllOfThem) {
    const GraphPtr graph = two_ops();
    ASSERT_EQ(regal_costs_apply(parse("x,B,7\ny,,9\nx,,8\n").get(), graph.get()), REGAL_OK);
    EXPECT_EQ(costs_of(graph.get()), (Costs{8000, 7000, 9000, 9000}));
}

TEST(CostsApply, KeepsTheLinesThatWereUsed) {
    const GraphPtr graph = two_ops();
    const WarningList warnings;
    ASSERT_EQ(regal_costs_apply(parse("q,,1\nx,a,7.5\nr,,2\n").get(), graph.get()), REGAL_OK);
    EXPECT_STREQ(regal_graph_option(graph.get(), "costs"), "x,a,7.5\n");
    ASSERT_EQ(warnings.list.size(), 1u);
    EXPECT_EQ(warnings.list[0], "costs: 2 of 3 times are of no op of the graph and left out (the "
                                "first is of \"q\")");
}

TEST(CostsApply, RefusesForeignOpsAndClasses) {
    const GraphPtr graph = two_ops();
    EXPECT_TRUE(refused_with(regal_costs_apply(parse("q,,1\n").get(), graph.get()),
                             REGAL_INVALID_INPUT, "none of its 1 times is of an op"));
    EXPECT_TRUE(refused_with(regal_costs_apply(parse("x,,1\ny,c,1\n").get(), graph.get()),
                             REGAL_INVALID_INPUT, "costs:2: the graph has no device class \"c\""));
}

TEST(CostsApply, IsPartOfReadingAnyGraph) {
    const CostsPtr costs = parse("x,,7\n");
    const regal_read_options options = {.costs = costs.get()};
    const std::string hlo = "ENTRY e {\n p = f32[8] parameter(0)\n ROOT x = f32[8] negate(p)\n}";
    regal_graph *graph = nullptr;
    ASSERT_EQ(regal_graph_parse(hlo.data(), hlo.size(), "h", &options, &graph), REGAL_OK);
    const GraphPtr made(graph);
    EXPECT_EQ(costs_of(graph), Costs{7000});
    EXPECT_STREQ(regal_graph_option(graph, "costs"), "x,,7\n");
}

TEST(CostsApply, LeavesAGraphAloneThatSaysThatItHasThem) {
    const std::string text = R"({"format": "regal-graph", "version": 1, "device_classes": ["a"],
        "ops": [{"name": "x", "cost": [5]}], "options": {"costs": "x,,7\n", "dim": "N=8,M=2"}})";
    const CostsPtr costs = parse("x,,7\n"), others = parse("x,,8\n");
    const char *const dimensions[] = {"N=8", "M=2"};
    regal_read_options options = {
        .dimensions = dimensions, .dimension_count = 2, .costs = costs.get()};
    regal_graph *graph = nullptr;
    ASSERT_EQ(regal_graph_parse(text.data(), text.size(), "g", &options, &graph), REGAL_OK);
    EXPECT_EQ(costs_of(GraphPtr(graph).get()), Costs{5}) << "changed since";
    options.costs = others.get();
    ASSERT_EQ(regal_graph_parse(text.data(), text.size(), "g", &options, &graph), REGAL_OK);
    EXPECT_EQ(costs_of(GraphPtr(graph).get()), Costs{8000});
    options.dimension_count = 1;
    options.dimensions = dimensions + 1; // some of them, in any order
    ASSERT_EQ(regal_graph_parse(text.data(), text.size(), "g", &options, &graph), REGAL_OK);
    regal_graph_destroy(graph);
    const char *const other[] = {"M=3"};
    options.dimensions = other;
    EXPECT_TRUE(refused_with(regal_graph_parse(text.data(), text.size(), "g", &options, &graph),
                             REGAL_INVALID_ARGUMENT, "its sizes are settled: N=8,M=2"));
}

TEST(CostsApply, RefusesSumsThatAreTooLarge) {
    std::string text =
        R"({"format": "regal-graph", "version": 1, "device_classes": ["a"], "ops": [)";
    std::string csv;
    for (int i = 0; i < 600; ++i) {
        text += (i > 0 ? "," : "") + std::string("{\"name\": \"o") + std::to_string(i) +
                "\", \"cost\": [1]}";
        csv += "o" + std::to_string(i) + ",,9007199254740.992\n";
    }
    text += "]}";
    const CostsPtr costs = parse(csv);
    const regal_read_options options = {.costs = costs.get()};
    regal_graph *graph = nullptr;
    EXPECT_TRUE(refused_with(regal_graph_parse(text.data(), text.size(), "g", &options, &graph),
                             REGAL_INVALID_INPUT, "2^62"));
    EXPECT_EQ(graph, nullptr);
}

} // namespace

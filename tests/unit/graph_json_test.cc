#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "regal/io.h"
#include "support/scratch_folder.h"
#include "support/warning_list.h"

namespace {

struct Release {
    void operator()(regal_graph *graph) const { regal_graph_destroy(graph); }
};
using Graph = std::unique_ptr<regal_graph, Release>;

/* Null where it cannot be read. */
Graph parse(const std::string &text) {
    regal_graph *graph = nullptr;
    const regal_status status =
        regal_graph_parse(text.data(), text.size(), "g.json", nullptr, &graph);
    EXPECT_EQ(status == REGAL_OK, graph != nullptr);
    EXPECT_TRUE(status == REGAL_OK || status == REGAL_INVALID_INPUT) << status;
    return Graph(graph);
}

/* A graph file of these members. */
std::string file_of(const std::string &members) {
    return R"({"format": "regal-graph", "version": 1, "device_classes": ["a", "b"], )" + members +
           "}";
}

void expect_refused(const std::string &text, const std::string &message) {
    EXPECT_EQ(parse(text), nullptr) << text;
    EXPECT_NE(std::string(regal_error_message()).find(message), std::string::npos)
        << regal_error_message() << "\nexpected: " << message;
}

const char *const FULL = R"({
 "format": "regal-graph", "version": 1, "name": "full", "device_classes": ["a", "b"],
 "ops": [
  {"name": "x", "kind": "MatMul", "cost": [1, 2], "workspace": 7, "group": "g"},
  {"cost": [3, 4], "allowed": [1, "gpu*"]},
  {"name": "z", "cost": [0, 0], "allowed": []}],
 "tensors": [
  {"name": "t", "producer": "x", "bytes": 10, "consumers": [1, "z"], "output": true},
  {"producer": "op1", "bytes": 20, "consumers": ["z"], "alias_of": "t"},
  {"producer": 2, "bytes": 0, "alias_of": null}],
 "control": [["x", 2]],
 "parameters": [{"name": "w", "bytes": 5, "ops": ["z", 0]}],
 "options": {"profile": "h100"}
})";

void expect_full(const regal_graph *graph) {
    EXPECT_STREQ(regal_graph_name(graph), "full");
    EXPECT_EQ(regal_graph_class_count(graph), 2);
    EXPECT_STREQ(regal_graph_class_name(graph, 1), "b");
    ASSERT_EQ(regal_graph_op_count(graph), 3);
    const regal_op x = regal_graph_op(graph, 0), y = regal_graph_op(graph, 1),
                   z = regal_graph_op(graph, 2);
    EXPECT_STREQ(x.kind, "MatMul");
    EXPECT_EQ(x.cost[1], 2);
    EXPECT_EQ(x.workspace, 7);
    EXPECT_STREQ(x.group, "g");
    EXPECT_EQ(x.allowed, nullptr);
    EXPECT_STREQ(y.name, "op1");
    EXPECT_EQ(y.group, nullptr);
    ASSERT_EQ(y.allowed_count, 2);
    EXPECT_EQ(y.allowed[0].device, 1);
    EXPECT_STREQ(y.allowed[1].pattern, "gpu*");
    EXPECT_NE(z.allowed, nullptr) << "an empty list allows nothing";
    EXPECT_EQ(z.allowed_count, 0);
    ASSERT_EQ(regal_graph_tensor_count(graph), 3);
    const regal_tensor t = regal_graph_tensor(graph, 0), alias = regal_graph_tensor(graph, 1);
    EXPECT_EQ(t.producer, 0);
    EXPECT_EQ(t.bytes, 10);
    ASSERT_EQ(t.consumer_count, 2);
    EXPECT_EQ(t.consumers[1], 2);
    EXPECT_TRUE(t.output);
    EXPECT_EQ(t.alias_of, -1);
    EXPECT_EQ(alias.alias_of, 0);
    EXPECT_EQ(alias.producer, 1);
    EXPECT_EQ(regal_graph_tensor(graph, 2).consumer_count, 0);
    ASSERT_EQ(regal_graph_control_count(graph), 1);
    EXPECT_EQ(regal_graph_control(graph, 0).before, 0);
    EXPECT_EQ(regal_graph_control(graph, 0).after, 2);
    ASSERT_EQ(regal_graph_parameter_count(graph), 1);
    EXPECT_EQ(regal_graph_parameter(graph, 0).ops[0], 2);
    EXPECT_STREQ(regal_graph_option(graph, "profile"), "h100");
}

TEST(GraphJson, ReadsEveryKey) {
    const Graph graph = parse(FULL);
    ASSERT_NE(graph, nullptr) << regal_error_message();
    expect_full(graph.get());
}

TEST(GraphJson, WritesWhatItReads) {
    ScratchFolder folder;
    const Graph graph = parse(FULL);
    ASSERT_NE(graph, nullptr);
    ASSERT_EQ(regal_graph_write(graph.get(), (folder / "g").c_str()), REGAL_OK);
    regal_graph *again = nullptr;
    ASSERT_EQ(regal_graph_read((folder / "g").c_str(), nullptr, &again), REGAL_OK)
        << regal_error_message();
    const Graph owner(again);
    expect_full(again);
    char before[17], after[17];
    regal_graph_digest(graph.get(), before);
    regal_graph_digest(again, after);
    EXPECT_STREQ(before, after);
}

TEST(GraphJson, ReadsTheEmptyGraph) {
    EXPECT_NE(parse(file_of(R"("ops": [])")), nullptr) << regal_error_message();
    EXPECT_NE(parse("\xef\xbb\xbf\n " + file_of(R"("ops": [], "tensors": null)")), nullptr)
        << regal_error_message();
}

TEST(GraphJson, NamesLineAndColumnOfSyntaxErrors) {
    expect_refused("{\n\"format\": \"regal-graph\",\n,}", "g.json:3:1: ");
    expect_refused("{\"format\": \"regal-graph\"", "g.json:1:25: ");
    expect_refused("{\"ops\": [], \"ops\": []}", "duplicate");
    expect_refused("{\"format\": \"regal-\xff\"}", "g.json:1:");
    expect_refused(std::string("{\"a\0b\": 1}", 10), "g.json:1:");
    expect_refused(file_of("\"ops\": []") + "x", "g.json:1:");
    expect_refused(file_of("\"ops\": [{\"cost\": [9223372036854775808, 0]}]"), "too big integer");
    expect_refused("{\"a\":" + std::string(100000, '['), "maximum parsing depth");
}

TEST(GraphJson, ChecksFormatAndVersionFirst) {
    expect_refused("{}", "g.json: the key 'format' is missing; it would say 'regal-graph'");
    expect_refused(R"({"format": "regal-graph"})", "g.json: the key 'version' is missing");
    expect_refused(R"({"format": "regal-plan", "version": 1})",
                   "format: expected 'regal-graph', found 'regal-plan'");
    expect_refused(R"({"format": "regal-graph", "version": 2})", "version: 2 is not supported");
    expect_refused(R"({"format": "regal-graph", "version": 1.0})",
                   "version: expected an integer, found a number with a fraction");
    expect_refused(R"({"format": 5, "version": 1})", "format: expected a string, found an integer");
}

TEST(GraphJson, NamesThePlaceOfEachWrongValue) {
    const std::string op = R"({"cost": [1, 1]})", ops = "\"ops\": [" + op + ", " + op + "], ";
    const struct {
        std::string members, message;
    } cases[] = {
        {R"("ops": 5)", "g.json: ops: expected an array, found an integer"},
        {R"("tensors": [])", "g.json: the key 'ops' is missing"},
        {R"("ops": null)", "g.json: ops: expected an array, found null"},
        {R"("ops": [5])", "g.json: ops[0]: expected an object, found an integer"},
        {R"("ops": [{}])", "g.json: ops[0]: the key 'cost' is missing"},
        {R"("ops": [{"cost": 1}])", "ops[0].cost: expected an array, found an integer"},
        {R"("ops": [{"cost": [1]}])", "ops[0].cost: has 1 entries, but there are 2 device_classes"},
        {R"("ops": [{"cost": [1, 1.0]}])", "ops[0].cost[1]: expected an integer, found a number"},
        {R"("ops": [{"cost": [1, -1]}])", "ops[0].cost[1]: -1 is not from 0 to"},
        {R"("ops": [{"cost": [1, 9007199254740993]}])", "9007199254740993 is not from 0"},
        {R"("ops": [{"cost": [1, 1], "name": 5}])", "ops[0].name: expected a string"},
        {R"("ops": [{"cost": [1, 1], "kind": []}])", "ops[0].kind: expected a string"},
        {R"("ops": [{"cost": [1, 1], "group": 1}])", "ops[0].group: expected a string"},
        {R"("ops": [{"cost": [1, 1], "workspace": -1}])", "ops[0].workspace: -1"},
        {R"("ops": [{"cost": [1, 1], "allowed": 1}])", "ops[0].allowed: expected an array"},
        {R"("ops": [{"cost": [1, 1], "allowed": [true]}])", "ops[0].allowed[0]: expected the"},
        {R"("ops": [{"cost": [1, 1], "allowed": [-1]}])", "ops[0].allowed[0]: -1"},
        {ops + R"("tensors": [{"bytes": 1}])", "tensors[0]: the key 'producer' is missing"},
        {ops + R"("tensors": [{"producer": 0}])", "tensors[0]: the key 'bytes' is missing"},
        {ops + R"("tensors": [{"producer": 2, "bytes": 1}])",
         "tensors[0].producer: there is no op 2: the graph has 2"},
        {ops + R"("tensors": [{"producer": -1, "bytes": 1}])", "there is no op -1"},
        {ops + R"("tensors": [{"producer": "x", "bytes": 1}])",
         "tensors[0].producer: there is no op named 'x'"},
        {ops + R"("tensors": [{"producer": {}, "bytes": 1}])",
         "tensors[0].producer: expected the number or the name of an op, found an object"},
        {ops + R"("tensors": [{"producer": 0, "bytes": 1, "consumers": [1, 1, "q"]}])",
         "tensors[0].consumers[2]: there is no op named 'q'"},
        {ops + R"("tensors": [{"producer": 0, "bytes": 1, "output": 1}])",
         "tensors[0].output: expected true or false, found an integer"},
        {ops + R"("tensors": [{"producer": 0, "bytes": 1, "alias_of": "t"}])",
         "tensors[0].alias_of: there is no tensor named 't'"},
        {ops + R"("tensors": [{"producer": 0, "bytes": 1, "alias_of": 1}])",
         "tensors[0].alias_of: there is no tensor 1"},
        {ops + R"("control": [[0]])", "control[0]: expected two ops"},
        {ops + R"("control": [[0, 1, 0]])", "control[0]: expected two ops"},
        {ops + R"("control": [[0, 7]])", "control[0][1]: there is no op 7"},
        {ops + R"("parameters": [{"bytes": 1}])", "parameters[0]: the key 'ops' is missing"},
        {ops + R"("parameters": [{"ops": [], "bytes": "1"}])", "parameters[0].bytes: expected"},
        {ops + R"("options": [])", "options: expected an object"},
        {ops + R"("options": {"a": 1})", "options.a: expected a string"},
        {R"("ops": [], "name": 1)", "name: expected a string"},
        {R"("ops": [{"cost": [1, 1], "name": "n"}, {"cost": [1, 1], "name": "n"}],
            "control": [["n", 1]])",
         "ops[1]: is named 'n', as is number 0"},
    };
    for (const auto &one : cases)
        expect_refused(file_of(one.members), one.message);
    expect_refused(R"({"format": "regal-graph", "version": 1, "device_classes": [], "ops": []})",
                   "device_classes: is empty");
    expect_refused(R"({"format": "regal-graph", "version": 1, "device_classes": [1], "ops": []})",
                   "device_classes[0]: expected a string");
}

TEST(GraphJson, NamesTheFileInErrorsOfTheWholeGraph) {
    expect_refused(file_of(R"("ops": [{"name": "p", "cost": [1, 1]}, {"name": "q", "cost": [1, 1]}],
                              "control": [[0, 1], [1, 0]])"),
                   "g.json: a cycle of ops: ");
}

TEST(GraphJson, WarnsOfAnUnknownKeyOnceForItsKind) {
    WarningList warnings;
    const std::string op = R"({"cost": [1, 1], "colour": 3})";
    EXPECT_NE(parse(file_of("\"extra\": 1, \"ops\": [" + op + ", " + op +
                            "], \"parameters\": "
                            R"([{"bytes": 1, "ops": [], "colour": 1}])")),
              nullptr);
    EXPECT_EQ(warnings.list,
              (std::vector<std::string>{"g.json: extra: unknown key, left out",
                                        "g.json: ops[0].colour: unknown key, left out",
                                        "g.json: parameters[0].colour: unknown key, left out"}));
}

TEST(GraphJson, StopsWarningOfThousandsOfKeys) {
    WarningList warnings;
    std::string members = "\"ops\": []";
    for (int i = 0; i < 1000; ++i)
        members += ", \"k" + std::to_string(i) + "\": 0";
    EXPECT_NE(parse(file_of(members)), nullptr);
    EXPECT_EQ(warnings.list.size(), 33u);
    EXPECT_EQ(warnings.list.back(), "g.json: further unknown keys are left out too");
}

TEST(GraphJson, WritesAnyNameAsValidJson) {
    ScratchFolder folder;
    const std::string names[] = {"quote\" back\\ tab\t line\n bell\a del\x7f",
                                 "caf\xc3\xa9 \xf0\x9f\x98\x80",
                                 "bad \xff end",
                                 "cut \xe2\x82",
                                 "surrogate \xed\xa0\x80",
                                 "overlong \xc0\x80"};
    const std::string written[] = {names[0],
                                   names[1],
                                   "bad \xef\xbf\xbd end",
                                   "cut \xef\xbf\xbd\xef\xbf\xbd",
                                   "surrogate \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd",
                                   "overlong \xef\xbf\xbd\xef\xbf\xbd"};
    const char *classes[] = {"a"};
    regal_graph *made = nullptr;
    ASSERT_EQ(regal_graph_create("g", 1, classes, &made), REGAL_OK);
    const Graph graph(made);
    const int64_t cost = 1;
    for (const std::string &name : names) {
        regal_op op = {};
        op.name = name.c_str();
        op.cost = &cost;
        ASSERT_EQ(regal_graph_add_op(made, &op, nullptr), REGAL_OK);
    }
    ASSERT_EQ(regal_graph_write(made, (folder / "g").c_str()), REGAL_OK);
    regal_graph *again = nullptr;
    ASSERT_EQ(regal_graph_read((folder / "g").c_str(), nullptr, &again), REGAL_OK)
        << regal_error_message();
    const Graph owner(again);
    for (int64_t i = 0; i < 6; ++i)
        EXPECT_EQ(regal_graph_op(again, i).name, written[i]);
}

TEST(GraphJson, SaysWhyItCannotWrite) {
    const Graph graph = parse(FULL);
    EXPECT_EQ(regal_graph_write(graph.get(), "/dev/full"), REGAL_OUTPUT_FAILED);
    EXPECT_NE(std::string(regal_error_message()).find("/dev/full: cannot write: No space"),
              std::string::npos);
}

/* Linear search for names would take minutes here. */
TEST(GraphJson, FindsAHundredThousandNamesQuickly) {
    const int n = 100000;
    std::string ops = "\"ops\": [", tensors = "\"tensors\": [";
    for (int i = 0; i < n; ++i) {
        const std::string name = "\"layer/op_" + std::to_string(i) + "\"";
        ops += (i > 0 ? ", " : "") + ("{\"name\": " + name + ", \"cost\": [1, 2]}");
        tensors += (i > 0 ? ", " : "") + ("{\"producer\": " + name + ", \"bytes\": 8}");
    }
    const auto start = std::chrono::steady_clock::now();
    const Graph graph = parse(file_of(ops + "], " + tensors + "]"));
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    ASSERT_NE(graph, nullptr) << regal_error_message();
    EXPECT_EQ(regal_graph_tensor(graph.get(), n - 1).producer, n - 1);
    EXPECT_LT(taken.count(), 20);
}

} // namespace

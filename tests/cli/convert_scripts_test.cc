// The scripts of bench/convert: published graphs in other formats become regal-graphs.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/program_files.h"
#include "cli/run_program.h"
#include "support/run_python.h"
#include "support/scratch_folder.h"

namespace {

PythonRun convert(const std::string &script, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), REGAL_SOURCE_DIR "/bench/convert/" + script);
    return run_python(arguments);
}

class ConvertScripts : public testing::Test {
  protected:
    void SetUp() override {
        if (!has_python())
            GTEST_SKIP() << "no python3";
    }

    // Both objectives, on the cluster in c.json or on four devices.
    void expect_plans(bool has_cluster) {
        for (const char *objective : {"time", "memory"}) {
            std::vector<std::string> arguments = {
                "optimize", folder_ / "g.json", "--objective", objective, "-q",
                "--json",   "--evaluations",    "100",         "-o",      folder_ / "p.json"};
            for (const char *word : {"--cluster", "--devices"})
                if ((std::string(word) == "--cluster") == has_cluster) {
                    arguments.push_back(word);
                    arguments.push_back(has_cluster ? folder_ / "c.json" : "4x16GB");
                }
            const ProgramRun run = run_program(arguments);
            EXPECT_EQ(run.exit_code, 0) << run.err;
            EXPECT_EQ(run_program({"check", folder_ / "g.json", folder_ / "p.json"}).exit_code, 0);
        }
    }
    int64_t count(const char *what) {
        return json_number(parse_json(run_program({"inspect", folder_ / "g.json", "--json"}).out),
                           what);
    }

    ScratchFolder folder_;
};

TEST_F(ConvertScripts, ReadDnnPartitioning) {
    write_text(folder_ / "in.json", R"({"maxSizePerFPGA": 4096.0, "maxFPGAs": 2, "maxCPUs": 2,
      "nodes": [
        {"id": 7, "name": "w", "supportedOnFpga": true, "cpuLatency": 0, "fpgaLatency": 0,
         "size": 1000.5, "colorClass": 3},
        {"id": 9, "name": "a", "supportedOnFpga": true, "cpuLatency": 2.0000005,
         "fpgaLatency": 1.5, "size": 300, "colorClass": 3},
        {"id": 8, "name": "b", "supportedOnFpga": false, "cpuLatency": 0.5, "fpgaLatency": 0,
         "size": 0, "isBackwardNode": false}],
      "edges": [{"sourceId": 7, "destId": 9, "size": 1000.5, "cost": 0.0010005},
                {"sourceId": 9, "destId": 8, "size": 200, "cost": 0.0002}]})");
    const PythonRun run = convert("dnn_partitioning.py",
                                  {folder_ / "in.json", folder_ / "g.json", folder_ / "c.json"});
    ASSERT_EQ(run.exit_code, 0) << run.out;
    EXPECT_EQ(read_text(folder_ / "g.json"), R"({
"format": "regal-graph",
"version": 1,
"name": "in",
"device_classes": ["accelerator", "cpu"],
"ops": [
{"name": "9:a", "cost": [1500000, 2000001], "workspace": 100, "group": "color 3"},
{"name": "8:b", "cost": [0, 500000], "allowed": ["cpu*"]}
],
"tensors": [
{"name": "9:a:0", "producer": 0, "bytes": 200, "consumers": [1]}
],
"parameters": [
{"name": "7:w", "bytes": 1001, "ops": [0]}
]
}
)");
    const JsonPtr cluster = parse_json(read_text(folder_ / "c.json"));
    EXPECT_EQ(json_number(cluster, "links/default/bytes_per_1000_ticks"), 500);
    EXPECT_EQ(json_array_size(json_at(cluster, "devices")), 4u);
    EXPECT_EQ(json_array_size(json_at(cluster, "links/pairs")), 10u);
    expect_plans(true);
}

TEST_F(ConvertScripts, ReadPipedream) {
    write_text(folder_ / "in.txt",
               "node2 -- Linear(in=5, out=6) -- forward_compute_time=0.5, "
               "backward_compute_time=1.25, activation_size=[100.0; 20.5], parameter_size=30.0\n"
               "node1 -- Input0 -- forward_compute_time=0.000, backward_compute_time=0.000, "
               "activation_size=40.0, parameter_size=0.000\n"
               "\tnode1 -- node2\n\tnode1 -- node2\n");
    ASSERT_EQ(convert("pipedream.py", {folder_ / "in.txt", folder_ / "g.json"}).exit_code, 0);
    EXPECT_EQ(read_text(folder_ / "g.json"), R"({
"format": "regal-graph",
"version": 1,
"name": "in.txt",
"device_classes": ["gpu"],
"ops": [
{"name": "node2", "kind": "Linear", "cost": [500000], "group": "node2"},
{"name": "node1", "kind": "Input0", "cost": [0], "group": "node1"},
{"name": "node2/backward", "kind": "Linear backward", "cost": [1250000], "group": "node2"},
{"name": "node1/backward", "kind": "Input0 backward", "cost": [0], "group": "node1"}
],
"tensors": [
{"name": "node2:0", "producer": 0, "bytes": 121, "consumers": [2]},
{"name": "node2/backward:node1", "producer": 2, "bytes": 40, "consumers": [3]},
{"name": "node1:0", "producer": 1, "bytes": 40, "consumers": [0, 2]}
],
"parameters": [
{"name": "node2/weights", "bytes": 30, "ops": [0, 2]}
]
}
)");
    expect_plans(false);
    ASSERT_EQ(
        convert("pipedream.py", {"--forward", folder_ / "in.txt", folder_ / "g.json"}).exit_code,
        0);
    EXPECT_EQ(count("ops"), 2);
    EXPECT_EQ(count("outputs"), 1);
}

TEST_F(ConvertScripts, RefuseWithThePlace) {
    struct Case {
        const char *script, *content, *says;
    };
    const std::string node = "node1 -- A -- forward_compute_time=";
    for (const Case &one : std::vector<Case>{
             {"pipedream.py", "node1 -- A\n", "line 1: neither a node nor an edge"},
             {"pipedream.py", "\tnode1 -- node2\n", "line 1: there is no node1"},
             {"pipedream.py", "node1 -- A -- forward_compute_time=1\n", "line 1: lacks backward"},
             {"pipedream.py",
              "node1 -- A -- forward_compute_time=-1, backward_compute_time=1, "
              "activation_size=1, parameter_size=1\n",
              "line 1: expected a number from 0 on, found -1"},
             {"heft.py", "{", "is no JSON"},
             {"heft.py", R"({"nodes": [{"id": 1, "cost": [1.5]}], "edges": []})",
              "nodes[0].cost: expected a whole number"},
             {"heft.py",
              R"({"nodes": [{"id": 1, "cost": [1]}], "edges": [{"src": 1, "dst": 2, "comm": 1}]})",
              "edges[0]: there is no node 2"},
             {"dnn_partitioning.py", R"({"nodes": []})", "lacks 'edges'"},
             {"dnn_partitioning.py",
              R"({"maxFPGAs": 1, "maxCPUs": 1, "nodes": [{"id": 1}, {"id": 2}], "edges": [
                  {"sourceId": 1, "destId": 2, "size": 10, "cost": 1},
                  {"sourceId": 1, "destId": 2, "size": 10, "cost": 2}]})",
              "no one rate of links"}}) {
        write_text(folder_ / "in", one.content);
        std::vector<std::string> arguments = {folder_ / "in", folder_ / "g.json"};
        if (std::string(one.script) != "pipedream.py")
            arguments.push_back(folder_ / "c.json");
        const PythonRun run = convert(one.script, arguments);
        EXPECT_EQ(run.exit_code, 1) << one.says;
        EXPECT_NE(run.out.find(one.says), std::string::npos) << run.out;
        EXPECT_EQ(lines_of(run.out).size(), 1u) << run.out;
        EXPECT_EQ(folder_.file_count(), 1);
    }
}

struct Published {
    const char *script, *file;
    int64_t ops;
};

// HEFT's own plan for the example takes 80; its graph has 10 tasks.
TEST_F(ConvertScripts, TurnThePublishedGraphsIntoProblems) {
    for (const Published &one : std::vector<Published>{
             {"dnn_partitioning.py", "dnn-partitioning/bert_l-3_inference.json", 235 - 62},
             {"dnn_partitioning.py", "dnn-partitioning/bert_l-3_training.json", 600 - 62},
             {"dnn_partitioning.py", "dnn-partitioning/resnet50_inference.json", 604 - 161},
             {"pipedream.py", "pipedream/nasnetamobile/graph.txt", 2 * 921},
             {"pipedream.py", "pipedream/resnet101/graph.txt", 2 * 347},
             {"heft.py", "heft/topcuoglu2002.json", 10}}) {
        SCOPED_TRACE(one.file);
        const std::string file = shared_file(std::string("graphs/") + one.file);
        if (file.empty())
            GTEST_SKIP() << "no shared graphs";
        const bool has_cluster = std::string(one.script) != "pipedream.py";
        std::vector<std::string> arguments = {file, folder_ / "g.json"};
        if (has_cluster)
            arguments.push_back(folder_ / "c.json");
        const PythonRun run = convert(one.script, arguments);
        ASSERT_EQ(run.exit_code, 0) << run.out;
        EXPECT_EQ(count("ops"), one.ops);
        expect_plans(has_cluster);
    }
}

} // namespace

// The exporter for PyTorch modules: its costs are the library's, its files are read.
#include <gtest/gtest.h>

#include <sstream>

#include "support/hlo_costs.h"
#include "support/hlo_reading.h"
#include "support/run_python.h"
#include "support/scratch_folder.h"

namespace {

const char FOLDER[] = REGAL_SOURCE_DIR "/host/io/pytorch";
const char RECORDED[] = REGAL_SOURCE_DIR "/tests/data/torch_mlp.json";

PythonRun run_script(const std::string &text) {
    const ScratchFolder folder;
    const std::string path = folder / "script.py";
    FILE *file = fopen(path.c_str(), "w");
    fprintf(file, "import sys\nsys.path.insert(0, \"%s\")\n%s", FOLDER, text.c_str());
    fclose(file);
    return run_python({path});
}

GraphPtr read(const std::string &path) {
    regal_graph *graph = nullptr;
    EXPECT_EQ(regal_graph_read(path.c_str(), nullptr, &graph), REGAL_OK) << regal_error_message();
    return GraphPtr(graph);
}

int64_t cost_on(const char *name, const regal_work &work) {
    return regal_work_ticks(&profile(name), &work);
}

// Written by the exporter from the model below: an embedding (1000, 64), layers of 256 and 64
// with GELU, a normalization, two halves joined the other way round, and an output layer that
// shares its weights with the embedding.
TEST(TorchExport, GivesGraphsWithTheCostsOfTheModel) {
    const GraphPtr graph = read(RECORDED);
    ASSERT_EQ(regal_graph_op_count(graph.get()), 9);
    const regal_op up = regal_graph_op(graph.get(), 1), head = regal_graph_op(graph.get(), 7);
    regal_work work = regal_work_matrix_product(REGAL_TYPE_F32, 1, 64, 256, 64);
    EXPECT_EQ(up.flops, 2 * 64 * 64 * 256);
    EXPECT_EQ(up.flops, regal_work_flops(&work));
    work.bytes += 256 * 4; // the bias
    EXPECT_EQ(up.cost[0], cost_on("h100", work));
    EXPECT_EQ(up.cost[1], cost_on("cpu", work));
    work = regal_work_matrix_product(REGAL_TYPE_F32, 1, 64, 1000, 64);
    EXPECT_EQ(head.cost[0], cost_on("h100", work));
    EXPECT_EQ(regal_graph_op(graph.get(), 0).cost[1],
              cost_on("cpu", regal_work_gather(REGAL_TYPE_F32, 64 * 64, 64 * 8)));
    EXPECT_EQ(regal_graph_op(graph.get(), 2).cost[1],
              cost_on("cpu", regal_work_transcendental(REGAL_TYPE_F32, 64 * 256, 1)));
    EXPECT_STREQ(head.kind, "linear");
    EXPECT_STREQ(regal_graph_option(graph.get(), "profile"), "h100,cpu");
}

TEST(TorchExport, SeesThroughViewsAndTiesWeights) {
    const GraphPtr graph = read(RECORDED);
    ASSERT_EQ(regal_graph_parameter_count(graph.get()), 8);
    const regal_parameter shared = regal_graph_parameter(graph.get(), 0);
    EXPECT_STREQ(shared.name, "embed.weight");
    EXPECT_EQ(shared.bytes, 1000 * 64 * 4);
    EXPECT_EQ((std::vector<int64_t>(shared.ops, shared.ops + shared.op_count)),
              (std::vector<int64_t>{0, 7}));
    const regal_tensor normalized = regal_graph_tensor(graph.get(), 5);
    EXPECT_STREQ(normalized.name, "layer_norm:0");
    ASSERT_EQ(normalized.consumer_count, 1) << "both halves are views of it";
    EXPECT_STREQ(regal_graph_op(graph.get(), normalized.consumers[0]).kind, "cat");
    EXPECT_TRUE(regal_graph_tensor(graph.get(), 8).output);
}

TEST(TorchExport, CountsTicksAsTheLibraryDoes) {
    if (!has_python())
        GTEST_SKIP() << "no python3";
    const PythonRun run = run_script(R"(
from export_graph import Load, load_profiles, TYPES
for profile in load_profiles(["a100", "h100", "h200", "cpu"]):
    for dtype in ["bool", "int8", "int64", "float8_e5m2", "bfloat16", "float32", "float64", "complex64"]:
        for work in ["matrix", "plain", "special", "random"]:
            for count, size in [(0, 0), (1, 1), (123456789, 1000), (12345, 987654321), (10**12, 10**11)]:
                load = Load(size).add(work, dtype, count)
                print(profile["name"], dtype, work, count, size, load.ticks(profile), load.counted)
)");
    ASSERT_EQ(run.exit_code, 0) << run.out;
    const std::map<std::string, regal_type> types = {
        {"bool", REGAL_TYPE_PRED},     {"int8", REGAL_TYPE_S8},
        {"int64", REGAL_TYPE_S64},     {"float8_e5m2", REGAL_TYPE_F8E5M2},
        {"bfloat16", REGAL_TYPE_BF16}, {"float32", REGAL_TYPE_F32},
        {"float64", REGAL_TYPE_F64},   {"complex64", REGAL_TYPE_C64}};
    const std::map<std::string, regal_work_kind> works = {{"matrix", REGAL_WORK_MATRIX_PRODUCT},
                                                          {"plain", REGAL_WORK_ELEMENTWISE},
                                                          {"special", REGAL_WORK_TRANSCENDENTAL},
                                                          {"random", REGAL_WORK_RANDOM}};
    std::stringstream lines(run.out);
    std::string name, type, word;
    int64_t count, bytes, expected, counted;
    int compared = 0;
    while (lines >> name >> type >> word >> count >> bytes >> expected >> counted) {
        regal_work work = {};
        work.kind = works.at(word);
        work.type = types.at(type);
        work.flops = count;
        work.bytes = bytes;
        EXPECT_EQ(expected, cost_on(name.c_str(), work)) << name << " " << type << " " << word;
        EXPECT_EQ(counted, regal_work_flops(&work)) << type << " " << word;
        ++compared;
    }
    EXPECT_EQ(compared, 4 * 8 * 4 * 5);
}

// What the exporter asks of torch.fx, in a few lines.
const char STAND_IN[] = R"(
from types import SimpleNamespace as Any
from export_graph import graph_to_regal, write

class Node:
    def __init__(self, op, name, target=None, args=(), shape=None, dtype="torch.float32"):
        self.op, self.name, self.target, self.args = op, name, target, args
        self.all_input_nodes = [a for a in args if isinstance(a, Node)]
        self.meta = {"val": None if shape is None else Any(shape=shape, dtype=dtype)}

def operator(name, view=False):
    returns = [Any(alias_info=Any(is_write=False) if view else None)]
    return Any(_schema=Any(name="aten::" + name, returns=returns, is_mutable=False))
)";

TEST(TorchExport, WalksAGraphOfNodes) {
    if (!has_python())
        GTEST_SKIP() << "no python3";
    const ScratchFolder folder;
    const std::string path = folder / "g.json";
    const PythonRun run = run_script(STAND_IN + std::string(R"(
x = Node("placeholder", "x", shape=(2, 8))
n = Node("placeholder", "n", shape=(), dtype="torch.int64")
w = Node("placeholder", "w", shape=(4, 8))
u = Node("placeholder", "u", shape=(4, 8))
a = Node("call_function", "a", operator("linear"), (x, w), (2, 4))
t = Node("call_function", "t", operator("transpose", view=True), (a, 0, 1), (4, 2))
b = Node("call_function", "b", operator("mm"), (t, a), (4, 4))
c = Node("call_function", "c", operator("linear"), (x, u), (2, 4))
v = Node("call_function", "v", operator("view", view=True), (c,), (8,))
o = Node("output", "output", args=(v, b, n))
graph = graph_to_regal([x, n, w, u, a, t, b, c, v, o], "g", ["h100"],
                       {"w": ("tied", 1), "u": ("again", 1)})
write(graph, ")") + path + "\")\n");
    ASSERT_EQ(run.exit_code, 0) << run.out;
    const GraphPtr graph = read(path);
    ASSERT_EQ(regal_graph_op_count(graph.get()), 3);
    ASSERT_EQ(regal_graph_tensor_count(graph.get()), 3);
    ASSERT_EQ(regal_graph_parameter_count(graph.get()), 2);
    EXPECT_EQ(regal_graph_parameter(graph.get(), 0).op_count, 2);
    EXPECT_STREQ(regal_graph_parameter(graph.get(), 1).name, "tied");
    EXPECT_EQ(regal_graph_parameter(graph.get(), 1).op_count, 2);
    EXPECT_EQ(regal_graph_tensor(graph.get(), 0).consumer_count, 1);
    EXPECT_TRUE(regal_graph_tensor(graph.get(), 1).output);
    EXPECT_TRUE(regal_graph_tensor(graph.get(), 2).output) << "through the view";
    EXPECT_EQ(regal_graph_op(graph.get(), 1).flops, 2 * 4 * 4 * 2);
}

TEST(TorchExport, RefusesSizesThatAreOpen) {
    if (!has_python())
        GTEST_SKIP() << "no python3";
    const PythonRun run = run_script(STAND_IN + std::string(R"(
x = Node("placeholder", "x", shape=("s0", 8))
graph_to_regal([x], "g")
)"));
    EXPECT_NE(run.exit_code, 0);
    EXPECT_NE(run.out.find("x: a size is not known: s0"), std::string::npos) << run.out;
}

TEST(TorchExport, ExportsAModuleWhereTorchIsThere) {
    if (run_python({"-c", "import torch"}).exit_code != 0)
        GTEST_SKIP() << "no torch (REGAL_PYTHON names a python that has it)";
    const ScratchFolder folder;
    const std::string path = folder / "g.json";
    const PythonRun run = run_script(R"(
import torch
from export_graph import export

class TinyModel(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = torch.nn.Embedding(1000, 64)
        self.up = torch.nn.Linear(64, 256)
        self.down = torch.nn.Linear(256, 64)
        self.norm = torch.nn.LayerNorm(64)
        self.head = torch.nn.Linear(64, 1000, bias=False)
        self.head.weight = self.embed.weight

    def forward(self, words):
        h = self.embed(words)
        h = self.norm(h + self.down(torch.nn.functional.gelu(self.up(h))))
        first, second = h.split(8, 1)
        return self.head(torch.cat([second, first], 1)).softmax(-1)

words = torch.zeros(4, 16, dtype=torch.long)
export(TinyModel().eval(), (words,), ")" +
                                     path +
                                     R"(", profiles=("h100", "cpu"))
)");
    ASSERT_EQ(run.exit_code, 0) << run.out;
    char made[17], recorded[17];
    regal_graph_digest(read(path).get(), made);
    regal_graph_digest(read(RECORDED).get(), recorded);
    EXPECT_STREQ(made, recorded);
}

} // namespace

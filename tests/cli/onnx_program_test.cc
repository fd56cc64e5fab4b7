// The program on ONNX models of other projects, where they are there.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "program_files.h"
#include "regal/regal.h"
#include "run_program.h"
#include "support/regal_objects.h"
#include "support/scratch_folder.h"

namespace {

struct Sample {
    const char *file;
    int64_t nodes;
};
const Sample kSamples[] = {
    {"light_resnet50.onnx", 415}, {"light_squeezenet.onnx", 105}, {"light_inception_v1.onnx", 237}};

std::string Folder() {
    const char *shared = std::getenv("REGAL_SHARED");
    const std::string folder =
        std::string(shared != nullptr ? shared : REGAL_SOURCE_DIR "/../shared") + "/graphs/onnx/";
    return std::filesystem::is_directory(folder) ? folder : "";
}

GraphPtr Load(const std::string &path) {
    regal_graph *graph = nullptr;
    EXPECT_EQ(regal_graph_read(path.c_str(), nullptr, &graph), REGAL_OK) << regal_error_message();
    return GraphPtr(graph);
}

TEST(OnnxProgram, CountsEveryNodeOfTheSamples) {
    if (Folder().empty())
        GTEST_SKIP() << "no sample models here";
    for (const Sample &sample : kSamples) {
        const GraphPtr graph = Load(Folder() + sample.file);
        ASSERT_NE(graph, nullptr);
        const regal_source *source = regal_graph_source(graph.get());
        ASSERT_NE(source, nullptr);
        EXPECT_EQ(source->nodes, sample.nodes);
        EXPECT_EQ(source->ops + source->parameters + source->nothing, sample.nodes);
        EXPECT_EQ(source->ops, regal_graph_op_count(graph.get()));
        const ProgramRun run = run_program({"inspect", Folder() + sample.file});
        EXPECT_EQ(run.exit_code, 0) << run.err;
        EXPECT_EQ(run.err, "");
        EXPECT_NE(run.out.find(std::to_string(sample.nodes) + " nodes"), std::string::npos);
    }
}

// Published: 4.1 G multiply-adds and 11.1 M activations of convolutions (version 1.5, which has the
// stride in the 3 x 3 convolutions).
TEST(OnnxProgram, FindsThePublishedWorkOfResnet50) {
    if (Folder().empty())
        GTEST_SKIP() << "no sample models here";
    const GraphPtr graph = Load(Folder() + "light_resnet50.onnx");
    ASSERT_NE(graph, nullptr);
    int64_t flops = 0, activations = 0;
    for (int64_t v = 0; v < regal_graph_op_count(graph.get()); ++v)
        flops += regal_graph_op(graph.get(), v).flops;
    for (int64_t t = 0; t < regal_graph_tensor_count(graph.get()); ++t) {
        const regal_tensor tensor = regal_graph_tensor(graph.get(), t);
        if (std::string(regal_graph_op(graph.get(), tensor.producer).kind) == "Conv")
            activations += tensor.bytes / 4;
    }
    EXPECT_NEAR(static_cast<double>(flops), 2 * 4.1e9, 0.05 * 2 * 4.1e9);
    EXPECT_NEAR(static_cast<double>(activations), 11.1e6, 0.05 * 11.1e6);
}

TEST(OnnxProgram, OptimizesAndChecksASample) {
    if (Folder().empty())
        GTEST_SKIP() << "no sample models here";
    const ScratchFolder folder;
    const std::string model = Folder() + "light_squeezenet.onnx", plan = folder / "plan.json";
    for (const char *objective : {"time", "memory"}) {
        const ProgramRun run = run_program({"optimize", model, "--devices", "2", "--evaluations",
                                            "200", "--objective", objective, "-o", plan});
        EXPECT_EQ(run.exit_code, 0) << run.err;
        EXPECT_EQ(run_program({"check", model, plan}).exit_code, 0);
    }
}

} // namespace

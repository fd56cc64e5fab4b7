// The graphs of other projects, as far as they are there: each is read, whichever the format, and
// optimized for both objectives.
#include <gtest/gtest.h>

#include <cctype>

#include "cli/program_files.h"
#include "cli/run_program.h"

namespace {

// "resnet50.onnx" -> "resnet50_onnx"
std::string word_of(const std::string &path) {
    std::string word = path.substr(path.rfind('/') + 1);
    for (char &c : word)
        c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    return word;
}

class RealGraphs : public testing::TestWithParam<std::string> {};

TEST_P(RealGraphs, AreOptimizedOrLackWhatOneLineNames) {
    for (const char *objective : {"time", "memory"}) {
        const ProgramRun run = run_program({"optimize", GetParam(), "--devices", "2", "--objective",
                                            objective, "--evaluations", "30", "--json", "--quiet"});
        if (run.exit_code == 0) {
            EXPECT_GT(json_number(parse_json(run.out), "makespan"), 0);
            continue;
        }
        EXPECT_EQ(run.exit_code, 2) << run.err;
        EXPECT_EQ(lines_of(run.err).size(), 1u) << run.err;
        const ProgramRun assumed =
            run_program({"optimize", GetParam(), "--devices", "2", "--objective", objective,
                         "--evaluations", "30", "--assume-bytes", "4KB", "--json", "--quiet"});
        EXPECT_EQ(assumed.exit_code, 0) << run.err << assumed.err;
    }
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(RealGraphs);
INSTANTIATE_TEST_SUITE_P(Shared, RealGraphs, testing::ValuesIn(shared_models()),
                         [](const auto &graph) { return word_of(graph.param); });

// Nodes in the file, as its own tools count them.
struct Count {
    const char *file;
    int64_t nodes;
};

class SourceCounts : public testing::TestWithParam<Count> {};

TEST_P(SourceCounts, AreThoseOfTheSource) {
    const std::string file = shared_file(std::string("graphs/") + GetParam().file);
    if (file.empty())
        GTEST_SKIP() << "the shared graphs are not there";
    const ProgramRun run = run_program({"inspect", file, "--json", "--quiet"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const JsonPtr facts = parse_json(run.out);
    EXPECT_EQ(json_number(facts, "source/nodes"), GetParam().nodes);
    EXPECT_EQ(json_number(facts, "source/ops") + json_number(facts, "source/parameters") +
                  json_number(facts, "source/nothing"),
              GetParam().nodes);
}

INSTANTIATE_TEST_SUITE_P(Shared, SourceCounts,
                         testing::Values(Count{"onnx/light_resnet50.onnx", 415},
                                         Count{"onnx/light_squeezenet.onnx", 105},
                                         Count{"onnx/light_inception_v1.onnx", 237},
                                         Count{"hlo/dlrm_keras_jax_f32_train_step.hlo", 1012},
                                         Count{"hlo/resnet50_keras_jax_f32.hlo", 1699},
                                         Count{"hlo/hlo_llama31_70b_bf16_16x8.hlo", 807},
                                         Count{"costgraph/example_5node.pbtxt", 5}),
                         [](const auto &count) { return word_of(count.param.file); });

} // namespace

// What `inspect` tells of a graph.
#include <gtest/gtest.h>

#include <regex>

#include "cli/program_files.h"
#include "cli/run_program.h"
#include "support/scratch_folder.h"

namespace {

std::string graph_of(const std::string &ops, const std::string &rest) {
    return R"({"format": "regal-graph", "version": 1, "name": "g", "device_classes": ["x", "y"],
               "ops": [)" +
           ops + "], " + rest + "}";
}

// a and b feed c; b2 is b's alias.
const char OPS[] = R"({"name": "a", "kind": "Conv", "cost": [300, 30], "flops": 4000},
                      {"name": "b", "kind": "Relu", "cost": [100, 10], "flops": 10},
                      {"name": "c", "kind": "Conv", "cost": [200, 0], "flops": 990})";
const char REST[] = R"("tensors": [
    {"name": "a", "producer": 0, "bytes": 5000, "consumers": [2]},
    {"name": "b", "producer": 1, "bytes": 3000, "consumers": [2]},
    {"name": "c", "producer": 2, "bytes": 3000, "consumers": [], "output": true, "alias_of": "b"},
    {"name": "d", "producer": 2, "bytes": 0, "consumers": []}],
    "parameters": [{"name": "w", "bytes": 700, "ops": [0, 2]}, {"name": "u", "bytes": 900, "ops": []}])";

class Inspection : public testing::Test {
  protected:
    ProgramRun inspect(const std::string &text, std::vector<std::string> options = {}) {
        write_text(file, text);
        options.insert(options.begin(), {"inspect", file});
        return run_program(options);
    }
    JsonPtr inspect_json(const std::string &text, std::vector<std::string> options = {}) {
        options.push_back("--json");
        const ProgramRun run = inspect(text, options);
        EXPECT_EQ(run.exit_code, 0) << run.err;
        return parse_json(run.out);
    }
    static json_t *item(const JsonPtr &json, const std::string &list, size_t index) {
        return json_array_get(json_at(json, list), index);
    }
    static int64_t number(json_t *object, const char *name) {
        return json_integer_value(json_object_get(object, name));
    }
    static std::string text(json_t *object, const char *name) {
        const char *value = json_string_value(json_object_get(object, name));
        return value ? value : "";
    }

    const ScratchFolder folder;
    const std::string file = folder / "g.json";
};

TEST_F(Inspection, SumsWorkBytesAndFlops) {
    const JsonPtr json = inspect_json(graph_of(OPS, REST));
    EXPECT_EQ(json_number(json, "flops"), 5000);
    EXPECT_EQ(json_number(json, "tensor_bytes"), 11000);
    EXPECT_EQ(json_number(json, "activation_bytes"), 8000);
    EXPECT_EQ(json_number(json, "parameter_bytes"), 1600);
    EXPECT_EQ(json_number(json, "largest_tensor_bytes"), 5000);
    EXPECT_EQ(json_number(json, "depth"), 2);
    EXPECT_EQ(json_number(json, "width"), 2);
    EXPECT_EQ(json_number(json, "parts"), 1);
    EXPECT_EQ(json_number(json, "zero_tensors"), 1);
    EXPECT_EQ(json_number(json, "unused_tensors"), 1);
    EXPECT_EQ(json_number(json, "unused_parameters"), 1);
    EXPECT_TRUE(json_is_null(json_at(json, "source")));
    json_t *x = item(json, "classes", 0), *y = item(json, "classes", 1);
    EXPECT_EQ(number(x, "work"), 600);
    EXPECT_EQ(number(x, "critical_path"), 500);
    EXPECT_EQ(json_real_value(json_object_get(x, "parallelism")), 1.2);
    EXPECT_EQ(number(y, "work"), 41);
}

TEST_F(Inspection, SplitsThemByKind) {
    const JsonPtr json = inspect_json(graph_of(OPS, REST));
    ASSERT_EQ(json_array_size(json_at(json, "kinds")), 2u);
    json_t *conv = item(json, "kinds", 0), *relu = item(json, "kinds", 1);
    EXPECT_EQ(text(conv, "kind"), "Conv");
    EXPECT_EQ(number(conv, "ops"), 2);
    EXPECT_EQ(number(conv, "work"), 500);
    EXPECT_EQ(number(conv, "output_bytes"), 5000); // c is b's storage
    EXPECT_EQ(number(conv, "flops"), 4990);
    EXPECT_EQ(number(relu, "output_bytes"), 3000);
    EXPECT_NEAR(json_real_value(json_object_get(relu, "work_share")), 1.0 / 6, 1e-9);
}

TEST_F(Inspection, NamesTheGreatestOfEachSort) {
    std::string ops, tensors, parameters;
    for (int i = 0; i < 9; ++i) {
        const std::string name = std::to_string(i), comma = i > 0 ? "," : "";
        const std::string size = std::to_string(i == 4 ? 9 : 1 + i % 4); // 1 2 3 4 9 2 3 4 1
        ops += comma + R"({"name": "o)" + name + R"(", "kind": "k", "cost": [)" + size + "," +
               size + "]}";
        tensors += comma + R"({"name": "t)" + name + R"(", "producer": )" + name +
                   R"(, "bytes": )" + size + R"(, "consumers": [], "output": true})";
        parameters += comma + R"({"name": "p)" + name + R"(", "bytes": )" + size + R"(, "ops": [)" +
                      name + "]}";
    }
    const JsonPtr json = inspect_json(
        graph_of(ops, "\"tensors\": [" + tensors + "], \"parameters\": [" + parameters + "]"));
    const struct {
        const char *list, *key, *prefix;
    } lists[] = {{"largest_tensors", "tensor", "t"},
                 {"largest_parameters", "parameter", "p"},
                 {"costliest_ops", "op", "o"}};
    for (const auto &each : lists) {
        std::string names;
        for (size_t i = 0; i < json_array_size(json_at(json, each.list)); ++i)
            names += text(item(json, each.list, i), each.key) + " ";
        std::string wanted;
        for (const char *number : {"4", "3", "7", "2", "6"}) // of equals the first
            wanted += std::string(each.prefix) + number + " ";
        EXPECT_EQ(names, wanted) << each.list;
    }
}

TEST_F(Inspection, ComparesCommunicationWithWork) {
    // a and b, over 1 byte a tick and 100 ticks: 5100 + 3100.
    JsonPtr json = inspect_json(graph_of(OPS, REST), {"--link", "1GB/s,100ns"});
    EXPECT_EQ(json_number(json, "communication/tensors"), 2);
    EXPECT_EQ(json_number(json, "communication/bytes"), 8000);
    EXPECT_EQ(json_real_value(json_at(json, "communication/ticks")), 8200);
    EXPECT_NEAR(json_real_value(json_at(json, "communication/to_work")), 8200.0 / 600, 1e-9);
    // The mean of 0>1 (free: one tick at least) and 1>0.
    write_text(folder / "c.json", R"({"format": "regal-cluster", "version": 1, "devices": [{}, {}],
        "links": {"default": {"latency": 0, "bytes_per_1000_ticks": null},
                  "pairs": [{"from": 1, "to": 0, "latency": 200, "bytes_per_1000_ticks": 1000}]}})");
    json = inspect_json(graph_of(OPS, REST), {"--cluster", folder / "c.json"});
    EXPECT_EQ(json_real_value(json_at(json, "communication/ticks")), 4200);
}

TEST_F(Inspection, TellsWhatIsOdd) {
    const auto odd = [&](const std::string &graph, std::vector<std::string> options = {}) {
        return inspect(graph, options).out;
    };
    const auto expect = [](const std::string &out, const std::string &words) {
        EXPECT_NE(out.find("\n  odd: " + words), std::string::npos) << out << "lacks " << words;
    };
    const std::string out = odd(graph_of(OPS, REST));
    expect(out, "1 of 4 tensors has 0 bytes\n");
    expect(out, "1 tensor is neither read nor an output\n");
    expect(out, "1 parameter is used by no op\n");
    const std::string ops = R"({"name": "p", "kind": "k", "cost": [9, 9]},
        {"name": "q", "kind": "k", "cost": [1, 1], "allowed": ["gpu*"]},
        {"name": "r", "kind": "k", "cost": [1, 1], "allowed": [7, "d1"]},
        {"name": "s", "kind": "k", "cost": [1, 1], "allowed": [4]})";
    const std::string parts = odd(graph_of(ops, "\"tensors\": []"));
    expect(parts, "op p is 75.0 % of all work\n");
    expect(parts, "the graph falls into 4 parts that no edge joins\n");
    expect(parts, "2 ops may run on none of the devices, the first: q\n");
    expect(parts, "no op hands data to another\n");
    std::string many, controls;
    for (int i = 0; i <= 1000; ++i)
        many += (i > 0 ? "," : "") + std::string(R"({"cost": [1, 1]})");
    for (int i = 0; i < 1000; ++i)
        controls += (i > 0 ? ",[" : "[") + std::to_string(i) + ",1000]";
    expect(odd(graph_of(many, "\"tensors\": [], \"control\": [" + controls + "]")),
           "op op1000 waits for 1,000 control edges: it is a barrier\n");
    EXPECT_EQ(odd(small_graph()).find("odd:"), std::string::npos) << odd(small_graph());
}

TEST_F(Inspection, TellsWhatBecameOfTheFile) {
    const std::string hlo = R"(HloModule m
ENTRY e {
  x = f32[4,8] parameter(0)
  w = f32[8,16] parameter(1)
  unused = f32[3] parameter(2)
  c = f32[4,16] constant({...})
  d = f32[4,16] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  t = (f32[4,16]) tuple(d)
  g = f32[4,16] get-tuple-element(t), index=0
  ROOT a = f32[4,16] add(g, c)
})";
    const ProgramRun run = inspect(hlo);
    EXPECT_NE(run.out.find("\n  hlo: 8 instructions: 2 ops, 3 parameters, 3 folded away\n"),
              std::string::npos)
        << run.out << run.err;
    const JsonPtr json = inspect_json(hlo);
    EXPECT_EQ(json_string_at(json, "source/format"), "hlo");
    EXPECT_EQ(json_string_at(json, "source/unit"), "instructions");
    EXPECT_EQ(json_number(json, "source/nodes"), 8);
    EXPECT_EQ(json_number(json, "source/parameters"), 3);
    EXPECT_EQ(json_number(json, "flops"), 2 * 4 * 8 * 16 + 4 * 16);
}

TEST_F(Inspection, CountsTheInstructionsOfSharedFiles) {
    const struct {
        const char *name;
        int64_t instructions;
    } files[] = {{"graphs/hlo/dlrm_keras_jax_f32_train_step.hlo", 1012},
                 {"graphs/hlo/resnet50_keras_jax_f32.hlo", 1699},
                 {"graphs/hlo/hlo_llama31_70b_bf16_16x8.hlo", 807}};
    for (const auto &each : files) {
        const std::string path = shared_file(each.name);
        if (path.empty())
            GTEST_SKIP() << "no shared graphs";
        const JsonPtr json = parse_json(run_program({"inspect", path, "--json"}).out);
        EXPECT_EQ(json_number(json, "source/nodes"), each.instructions) << each.name;
        EXPECT_EQ(json_number(json, "source/ops"), json_number(json, "ops"));
        EXPECT_EQ(json_number(json, "source/ops") + json_number(json, "source/parameters") +
                      json_number(json, "source/nothing"),
                  each.instructions);
    }
    // 3.87 billion multiply-adds.
    const JsonPtr resnet =
        parse_json(run_program({"inspect", shared_file(files[1].name), "--json"}).out);
    EXPECT_NEAR(double(json_number(resnet, "flops")), 2 * 3.87e9, 0.02 * 2 * 3.87e9);
}

// 4.09 billion multiply-adds in convolutions and the classifier.
TEST_F(Inspection, ArchitecturesHaveTheFlopsOfTheirPapers) {
    ASSERT_EQ(run_program({"generate", "resnet", "batch=1", "microbatches=1", "training=0",
                           "depth=50", "-o", file})
                  .exit_code,
              0);
    const JsonPtr json = parse_json(run_program({"inspect", file, "--json"}).out);
    EXPECT_NEAR(double(json_number(json, "flops")), 2 * 4.09e9, 0.02 * 2 * 4.09e9);
}

TEST_F(Inspection, LongNamesKeepTheirEnd) {
    const std::string name = std::string(100, 'x') + "/end";
    const ProgramRun run = inspect(graph_of(
        R"({"name": ")" + name + R"(", "cost": [5, 5]}, {"cost": [5, 5]})", R"("tensors": [])"));
    EXPECT_NE(run.out.find("  ...x"), std::string::npos) << run.out;
    EXPECT_NE(run.out.find("x/end "), std::string::npos) << run.out;
    EXPECT_EQ(run.out.find(name), std::string::npos) << run.out;
}

} // namespace

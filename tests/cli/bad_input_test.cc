// Inputs that break a rule, odd ones that do not, and outputs that fail.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/program_files.h"
#include "cli/run_program.h"
#include "support/scratch_folder.h"

namespace {

std::string graph_with(const std::string &ops, const std::string &tensors = "",
                       const std::string &control = "", const std::string &parameters = "") {
    return R"({"format": "regal-graph", "version": 1, "name": "g", "device_classes": ["a"],)"
           R"( "ops": [)" +
           ops + R"(], "tensors": [)" + tensors + R"(], "control": [)" + control +
           R"(], "parameters": [)" + parameters + "]}";
}

std::string op(const std::string &name, const std::string &more = R"("cost": [5])") {
    return R"({"name": ")" + name + R"(", "kind": "k", )" + more + "}";
}

const std::string TWO_OPS = op("first") + ", " + op("second");

// One line that names the file and says `says`; nothing on standard output, no file left.
void expect_refused(const std::string &content, const std::string &says) {
    const ScratchFolder folder;
    const std::string graph = folder / "bad.json", plan = folder / "plan.json";
    write_text(graph, content);
    for (const char *command : {"optimize", "inspect", "convert"}) {
        SCOPED_TRACE(command);
        std::vector<std::string> arguments = {command, graph, "-o", plan};
        if (std::string(command) == "inspect")
            arguments = {command, graph, "--devices", "2"};
        else if (std::string(command) == "convert")
            arguments = {command, graph, plan};
        const ProgramRun run = run_program(arguments);
        EXPECT_EQ(run.exit_code, 2) << run.err;
        EXPECT_EQ(run.out, "");
        EXPECT_EQ(lines_of(run.err).size(), 1u) << run.err;
        EXPECT_EQ(run.err.rfind("regal: " + graph, 0), 0u) << run.err;
        EXPECT_NE(run.err.find(says), std::string::npos) << run.err << " lacks " << says;
        EXPECT_EQ(folder.file_count(), 1);
    }
}

struct BadGraph {
    const char *what;
    std::string content, says;
};

TEST(BadInput, EveryBrokenGraphIsNamedInOneLine) {
    const std::string good = graph_with(TWO_OPS);
    const std::vector<BadGraph> graphs = {
        {"empty file", "", "empty"},
        {"truncated", good.substr(0, good.size() / 2), ""},
        {"binary junk", std::string("\x7f\x45\x4c\x46\0\0\xff\xfe\x01", 9), ""},
        {"a NUL inside", good.substr(0, 30) + std::string(1, '\0') + good.substr(30), ""},
        {"no UTF-8", graph_with(op("\xff\xfe")), ""},
        {"not an object", "[1, 2]", ""},
        {"one brace", "{", ":1:2: "},
        {"two lines, cut off", "{\n\"n\u00e9e\": [", ":2:9: "},
        {"a line, cut off", "{\"ops\":\n", ":2:1: "},
        {"a comma too many", "{\n \"ops\": 1,}", ":2:11: "},
        {"another format", R"({"format": "regal-plan", "version": 1})", "format"},
        {"another version", R"({"format": "regal-graph", "version": 99, "ops": []})", "version"},
        {"ops no list", R"({"format": "regal-graph", "version": 1, "name": "g",
           "device_classes": ["a"], "ops": 5, "tensors": []})",
         "ops"},
        {"cost a string", graph_with(op("x", R"("cost": ["5"])")), "cost"},
        {"cost a real", graph_with(op("x", R"("cost": [1.5])")), "cost"},
        {"cost missing", graph_with(op("x", R"("workspace": 5)")), "cost"},
        {"cost of the wrong length", graph_with(op("x", R"("cost": [1, 2])")), "cost"},
        {"negative cost", graph_with(op("x", R"("cost": [-1])")), "-1"},
        {"2^63 cost", graph_with(op("x", R"("cost": [9223372036854775808])")), ""},
        {"2^62 bytes",
         graph_with(TWO_OPS, R"({"name": "t", "producer": 0, "bytes": 4611686018427387904,
           "consumers": [1]})"),
         "4611686018427387904"},
        {"duplicate name", graph_with(op("same") + ", " + op("same")), "same"},
        {"dangling producer",
         graph_with(TWO_OPS, R"({"name": "t", "producer": 7, "bytes": 1, "consumers": []})"), "7"},
        {"dangling consumer",
         graph_with(TWO_OPS, R"({"name": "t", "producer": 0, "bytes": 1, "consumers": [-1]})"), ""},
        {"dangling control", graph_with(TWO_OPS, "", "[0, 2]"), "2"},
        {"cycle of ops", graph_with(TWO_OPS, "", "[0, 1], [1, 0]"), "first"},
        {"control on itself", graph_with(TWO_OPS, "", "[0, 0]"), "first"},
        {"cycle of aliases", graph_with(TWO_OPS, R"(
           {"name": "t", "producer": 0, "bytes": 1, "consumers": [1], "alias_of": 1},
           {"name": "u", "producer": 1, "bytes": 1, "consumers": [0], "alias_of": 0})"),
         ""},
        {"alias that is not consumed", graph_with(TWO_OPS, R"(
           {"name": "t", "producer": 0, "bytes": 1, "consumers": []},
           {"name": "u", "producer": 1, "bytes": 1, "consumers": [], "alias_of": 0})"),
         "u"},
        {"unterminated HLO", "HloModule m\n\nENTRY main {\n  a = f32[2] parameter(0)\n", ""},
        {"text", "This is no graph.\n", ""},
    };
    for (const BadGraph &bad : graphs) {
        SCOPED_TRACE(bad.what);
        expect_refused(bad.content, bad.says);
    }
}

TEST(BadInput, DeepNestingIsRefused) {
    expect_refused(std::string(1000000, '['), "");
    expect_refused(R"({"format": "regal-graph", "x": )" + std::string(1000000, '['), "");
}

void expect_line(const std::vector<std::string> &arguments, int exit_code,
                 const std::string &says) {
    const ProgramRun run = run_program(arguments);
    EXPECT_EQ(run.exit_code, exit_code) << run.err;
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(lines_of(run.err).size(), 1u) << run.err;
    EXPECT_NE(run.err.find(says), std::string::npos) << run.err << " lacks " << says;
}

// Done, with one line on standard error.
void expect_warning(const std::vector<std::string> &arguments, const std::string &says) {
    const ProgramRun run = run_program(arguments);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(lines_of(run.err).size(), 1u) << run.err;
    EXPECT_EQ(run.err.rfind("regal: warning: ", 0), 0u) << run.err;
    EXPECT_NE(run.err.find(says), std::string::npos) << run.err << " lacks " << says;
}

TEST(BadInput, UnreadableFilesAreNamed) {
    const ScratchFolder folder;
    const std::string file = folder / "g.json";
    write_text(file, small_graph());
    for (const std::string &path : {folder / "missing.json", folder.path(), file + "/inside"})
        for (const char *command : {"optimize", "inspect"})
            expect_line({command, path}, 2, "regal: " + path + ": ");
    expect_line({"optimize", file, "--cluster", folder.path()}, 2, "regal: " + folder.path());
    expect_line({"check", file, folder / "no-plan.json"}, 2, folder / "no-plan.json");
    expect_line({"check", file, file}, 2, "regal: " + file);
}

TEST(BadInput, UnknownDevicesAreRefused) {
    const ScratchFolder folder;
    const std::string file = folder / "g.json";
    write_text(file, graph_with(op("x", R"("cost": [1], "allowed": [3])")));
    expect_line({"optimize", file, "--devices", "2"}, 2, "regal: " + file + ": ");
    const ProgramRun run = run_program({"optimize", file, "--devices", "4"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
}

TEST(BadInput, GroupsWithoutADeviceAreInfeasible) {
    const ScratchFolder folder;
    const std::string file = folder / "g.json";
    write_text(file, graph_with(op("x", R"("cost": [1], "group": "g", "allowed": [0])") + ", " +
                                op("y", R"("cost": [1], "group": "g", "allowed": [1])")));
    expect_line({"optimize", file, "-o", folder / "plan.json"}, 3, "regal: " + file + ": ");
    EXPECT_EQ(folder.file_count(), 1);
}

TEST(BadInput, UnknownProfilesAreRefused) {
    const ScratchFolder folder;
    const std::string file = folder / "g.hlo";
    write_text(file, "HloModule m\n\nENTRY main {\n  a = f32[2] parameter(0)\n"
                     "  ROOT b = f32[2] add(a, a)\n}\n");
    expect_line({"inspect", file, "--profile", "abacus"}, 2, "abacus");
    write_text(file, small_graph()); // which has costs of its own
    const std::string out = folder / "out.json";
    for (const auto &arguments :
         std::vector<std::vector<std::string>>{{"inspect", file},
                                               {"optimize", file},
                                               {"convert", file, out},
                                               {"check", file, file},
                                               {"decode", file, file, file},
                                               {"generate", "layered", "-o", out}})
        for (const char *names : {"abacus", "a100,abacus", "a100,", ",h100", "h10"}) {
            std::vector<std::string> all = arguments;
            all.insert(all.end(), {"--profile", names});
            expect_line(all, 2, "there are ");
        }
    EXPECT_EQ(folder.file_count(), 1);
}

TEST(OddInput, ProfilesInVainAreToldOnce) {
    const ScratchFolder folder;
    const std::string hlo = folder / "g.hlo", graph = folder / "g.json", plan = folder / "p.json";
    write_text(hlo, "HloModule m\n\nENTRY main {\n  a = f32[2] parameter(0)\n"
                    "  ROOT b = f32[2] add(a, a)\n}\n");
    ASSERT_EQ(run_program({"convert", hlo, graph, "--profile", "a100"}).exit_code, 0);
    for (const char *names : {"a100", "A100", "a100,a100"})
        EXPECT_EQ(run_program({"inspect", graph, "--profile", names}).err, "") << names;
    EXPECT_EQ(run_program({"inspect", hlo, "--profile", "h100,a100,H100"}).err, "");
    for (const char *names : {"h100", "a100,h100", "h100,a100"})
        expect_warning({"inspect", graph, "--profile", names}, "--profile changes nothing");
    expect_warning({"optimize", graph, "--profile", "h100", "-o", plan, "--evaluations", "20"},
                   "--profile changes nothing");
    expect_warning({"check", graph, plan, "--profile", "h100"}, "--profile changes nothing");
    EXPECT_EQ(run_program({"check", graph, plan}).err, "");
    expect_warning({"generate", "layered", "--count", "3", "-o", folder.path(), "--profile", "cpu"},
                   "--profile changes nothing");
}

TEST(OddInput, EmptyGraphHasAnEmptyPlan) {
    const ScratchFolder folder;
    const std::string file = folder / "g.json", plan = folder / "plan.json";
    write_text(file, graph_with(""));
    for (const char *objective : {"time", "memory"}) {
        const ProgramRun run =
            run_program({"optimize", file, "--objective", objective, "-o", plan, "--json"});
        EXPECT_EQ(run.exit_code, 0) << run.err;
        EXPECT_EQ(json_number(parse_json(run.out), "makespan"), 0);
        EXPECT_EQ(run_program({"check", file, plan}).exit_code, 0);
    }
    EXPECT_EQ(run_program({"inspect", file}).exit_code, 0);
}

// Optimizes, checks and inspects the graph; the summary as JSON.
JsonPtr expect_fine(const std::string &content, const std::string &evaluations) {
    const ScratchFolder folder;
    const std::string file = folder / "g.json", plan = folder / "plan.json";
    write_text(file, content);
    const ProgramRun run =
        run_program({"optimize", file, "-o", plan, "--json", "--evaluations", evaluations});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const ProgramRun check = run_program({"check", file, plan});
    EXPECT_EQ(check.exit_code, 0) << check.err;
    const ProgramRun inspect = run_program({"inspect", file});
    EXPECT_EQ(inspect.exit_code, 0) << inspect.err;
    return parse_json(run.out);
}

TEST(OddInput, OneOpRunsAlone) {
    const JsonPtr json = expect_fine(graph_with(op("only")), "50");
    EXPECT_EQ(json_number(json, "makespan"), 5);
    EXPECT_EQ(json_number(json, "bound"), 5);
}

TEST(OddInput, OneOfEachIsNoPlural) {
    const ScratchFolder folder;
    const std::string file = folder / "g.json";
    write_text(file, graph_with(op("x"), R"({"name": "t", "producer": 0, "bytes": 1,
                                             "consumers": []})",
                                "", R"({"name": "w", "bytes": 1, "ops": [0]})"));
    const ProgramRun run =
        run_program({"optimize", file, "--devices", "1", "--evaluations", "1", "--threads", "1"});
    EXPECT_NE(run.out.find("  1 op, 1 tensor, 0 control edges, 1 parameter on 1 device\n"),
              std::string::npos)
        << run.out;
    EXPECT_NE(run.out.find("0 transfers of"), std::string::npos) << run.out;
    EXPECT_NE(run.out.find("  1 evaluation in"), std::string::npos) << run.out;
    EXPECT_NE(run.out.find(", 1 thread\n"), std::string::npos) << run.out;
    const ProgramRun inspect = run_program({"inspect", file, "--devices", "1"});
    EXPECT_NE(inspect.out.find("on 1 device:"), std::string::npos) << inspect.out;
    EXPECT_NE(inspect.out.find("1 tensor is neither"), std::string::npos) << inspect.out;
}

TEST(OddInput, ZeroBytesAndZeroCostsEverywhere) {
    const JsonPtr json =
        expect_fine(graph_with(op("x", R"("cost": [0])") + ", " + op("y", R"("cost": [0])"),
                               R"({"name": "t", "producer": 0, "bytes": 0, "consumers": [1]})", "",
                               R"({"name": "w", "bytes": 0, "ops": [0, 0]})"),
                    "50");
    EXPECT_EQ(json_number(json, "makespan"), 2);
    EXPECT_EQ(json_number(json, "max_peak"), 0);
}

TEST(OddInput, MillionControlEdges) {
    std::string ops, control;
    for (int i = 0; i < 2000; ++i)
        ops += (i ? ", " : "") + op("op" + std::to_string(i));
    for (int i = 0; i < 1000; ++i)
        for (int k = 1000; k < 2000; ++k)
            control +=
                (i || k > 1000 ? ",[" : "[") + std::to_string(i) + "," + std::to_string(k) + "]";
    expect_fine(graph_with(ops, "", control), "20");
}

TEST(OddInput, StandardInputIsAGraph) {
    ProgramSetting setting;
    setting.input = small_graph();
    const ProgramRun run = run_program({"inspect", "-", "--json"}, setting);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(json_number(parse_json(run.out), "ops"), 9);
    setting.input = "junk";
    const ProgramRun junk = run_program({"inspect", "-"}, setting);
    EXPECT_EQ(junk.exit_code, 2);
    EXPECT_EQ(junk.err.rfind("regal: <stdin>: ", 0), 0u) << junk.err;
}

TEST(FailingOutput, FullDiskIsAnError) {
    const ScratchFolder folder;
    const std::string graph = folder / "g.json", plan = folder / "p.json";
    write_text(graph, small_graph());
    ASSERT_EQ(run_program({"optimize", graph, "-o", plan, "--evaluations", "50"}).exit_code, 0);
    ProgramSetting full;
    full.out_path = "/dev/full";
    for (const auto &arguments : std::vector<std::vector<std::string>>{
             {"inspect", graph},
             {"check", graph, plan},
             {"optimize", graph, "--evaluations", "50"},
             {"optimize", graph, "--evaluations", "50", "-o", "-"},
             {"convert", graph, "-"},
             {"backends"},
             {"help"},
             {"--version"},
         }) {
        const ProgramRun run = run_program(arguments, full);
        EXPECT_EQ(run.exit_code, 1) << arguments[0] << run.err;
        EXPECT_NE(run.err.find("No space left"), std::string::npos) << run.err;
    }
    for (const char *option : {"-o", "--trace"}) {
        const ProgramRun run =
            run_program({"optimize", graph, "--evaluations", "50", option, "/dev/full"});
        EXPECT_EQ(run.exit_code, 1);
        EXPECT_NE(run.err.find("/dev/full"), std::string::npos) << run.err;
    }
}

TEST(FailingOutput, ClosedPipeIsAnError) {
    const ScratchFolder folder;
    const std::string graph = folder / "g.json";
    write_text(graph, chain_graph(100));
    ProgramSetting closed;
    closed.closed_output = true;
    for (const auto &arguments :
         std::vector<std::vector<std::string>>{{"inspect", graph}, {"convert", graph, "-"}}) {
        const ProgramRun run = run_program(arguments, closed);
        EXPECT_EQ(run.exit_code, 1) << run.signal;
        EXPECT_NE(run.err.find("roken pipe"), std::string::npos) << run.err;
    }
}

TEST(FailingOutput, MissingFolderIsFoundBeforeTheSearch) {
    const ScratchFolder folder;
    const std::string graph = folder / "g.json";
    write_text(graph, small_graph());
    for (const char *option : {"-o", "--trace"})
        expect_line({"optimize", graph, option, folder / "missing/plan.json"}, 1,
                    folder / "missing/plan.json: cannot write: No such file or directory");
    expect_line({"convert", graph, folder / "missing/g.json"}, 1, folder / "missing/g.json");
    expect_line({"optimize", graph, graph, "-o", folder / "missing/deep"}, 1,
                folder / "missing/deep");
    expect_line({"optimize", graph, graph, "-o", graph}, 1, graph + ": cannot write there: Not a");
    EXPECT_EQ(folder.file_count(), 1);
}

// The sanitizers reserve more than any such limit.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(BadInput, MemoryThatRunsOutIsToldAsTheLibraryTellsIt) {
    const ScratchFolder folder;
    const std::string file = folder / "large.json";
    write_text(file, "{");
    std::filesystem::resize_file(file, 900 << 20);
    ProgramSetting setting;
    setting.limits = {{RLIMIT_AS, 600 << 20}};
    const ProgramRun run = run_program({"inspect", file}, setting);
    EXPECT_EQ(run.exit_code, 1) << run.err;
    EXPECT_EQ(run.err.rfind("regal: " + file + ": too large", 0), 0u) << run.err;
}

TEST(BadInput, MemoryThatRunsOutInProtobufIsTold) {
    const ScratchFolder folder;
    const std::string file = folder / "many.pb";
    std::string nodes;
    for (int i = 0; i < 1 << 20; ++i)
        nodes += std::string("\x0a\x06\x0a\x02op\x18\x00", 8);
    write_text(file, nodes);
    ProgramSetting setting;
    setting.limits = {{RLIMIT_AS, 200 << 20}};
    setting.environment = {{"MALLOC_ARENA_MAX", "1"}};
    const ProgramRun run = run_program({"inspect", file}, setting);
    if (run.err.find("this build") != std::string::npos)
        GTEST_SKIP() << "this build reads no TensorFlow graphs";
    EXPECT_EQ(run.exit_code, 1) << run.err;
    EXPECT_EQ(run.err, "regal: " + file + ": memory ran out\n");
}
#endif

} // namespace

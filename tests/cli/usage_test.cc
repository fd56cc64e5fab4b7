// How the program takes its words: commands, options, values.
#include <gtest/gtest.h>

#include <algorithm>

#include "cli/program_files.h"
#include "cli/run_program.h"
#include "regal/version.h"
#include "support/scratch_folder.h"

namespace {

const std::vector<std::string> COMMANDS = {"optimize", "check",    "decode", "inspect", "convert",
                                           "generate", "backends", "help",   "version"};

void expect_usage_error(const std::vector<std::string> &arguments, const std::string &says) {
    const ProgramRun run = run_program(arguments);
    EXPECT_EQ(run.exit_code, 2) << run.err;
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(lines_of(run.err).size(), 1u) << run.err;
    EXPECT_EQ(run.err.rfind("regal: ", 0), 0u) << run.err;
    EXPECT_NE(run.err.find(says), std::string::npos) << run.err << "lacks " << says;
    EXPECT_NE(run.err.find("--help`"), std::string::npos) << run.err;
}

void expect_help(const std::vector<std::string> &arguments, const std::string &says) {
    const ProgramRun run = run_program(arguments);
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_EQ(run.err, "");
    EXPECT_NE(run.out.find(says), std::string::npos) << run.out;
    for (const std::string &line : lines_of(run.out))
        EXPECT_LE(line.size(), 90u) << line;
}

TEST(Usage, EveryCommandExplainsItself) {
    for (const std::string &command : COMMANDS) {
        expect_help({command, "--help"}, "regal " + command);
        expect_help({command, "-h"}, "regal " + command);
        expect_help({"help", command}, "regal " + command);
        expect_help({"help"}, "  " + command);
    }
    expect_help({"--help"}, "regal COMMAND");
    expect_help({"optimize", "--help"}, "--evaluations N");
}

TEST(Usage, PrintsItsVersion) {
    for (const char *word : {"--version", "-V", "version"}) {
        const ProgramRun run = run_program({word});
        EXPECT_EQ(run.exit_code, 0);
        EXPECT_EQ(run.out, "regal " REGAL_VERSION "\n");
    }
}

TEST(Usage, WithoutACommandIsExplained) {
    const ProgramRun run = run_program({});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(run.err, run_program({"--help"}).out);
}

TEST(Usage, HelpOfGenerateEndsWithTheGenerators) {
    const std::string help = run_program({"generate", "--help"}).out;
    size_t at = help.find("\nGenerators\n");
    for (const std::string &line : lines_of(run_program({"generate", "--list", "--json"}).out)) {
        ASSERT_NE(at, std::string::npos) << help;
        at = help.find("\n  " + json_string_at(parse_json(line), "name") + " ", at);
    }
    EXPECT_NE(at, std::string::npos) << help;
}

// Each command's help speaks of that command alone.
TEST(Usage, HelpCarriesNoWordsForOtherCommands) {
    const std::string decode = run_program({"decode", "--help"}).out;
    EXPECT_EQ(decode.find("older"), std::string::npos) << decode;
    EXPECT_EQ(decode.find("graph goes"), std::string::npos) << decode;
    const std::string optimize = run_program({"optimize", "--help"}).out;
    EXPECT_EQ(optimize.find("check:"), std::string::npos) << optimize;
    EXPECT_NE(optimize.find("NAME.plan.json"), std::string::npos) << optimize;
    EXPECT_NE(optimize.find("RATE[,LATENCY]"), std::string::npos) << optimize;
    EXPECT_EQ(run_program({"convert", "--help"}).out.find("the cluster's"), std::string::npos);
}

TEST(Usage, ManualPageNamesEveryCommandAndOption) {
    const ProgramRun run = run_program({"help", "--man"});
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_EQ(run.out.rfind(".TH REGAL 1", 0), 0u);
    for (const std::string &command : COMMANDS)
        EXPECT_NE(run.out.find(".SS regal " + command), std::string::npos) << command;
    EXPECT_NE(run.out.find("\\-\\-time\\-limit"), std::string::npos);
}

TEST(Usage, SuggestsTheNearestWord) {
    expect_usage_error({"optimise", "x"}, "did you mean optimize?");
    expect_usage_error({"help", "optimise"}, "did you mean optimize?");
    expect_usage_error({"optimize", "x", "--thread", "2"}, "did you mean --threads?");
    expect_usage_error({"optimize", "x", "--eval", "2"}, "did you mean --evaluations?");
    expect_usage_error({"optimize", "x", "--qqqqqqqqqq"}, "unknown option --qqqqqqqqqq (");
    expect_usage_error({"inspect", "x", "--rho", "0.5"}, "takes no --rho");
}

TEST(Usage, RefusesWrongCounts) {
    expect_usage_error({"optimize"}, "GRAPH");
    expect_usage_error({"check", "a"}, "GRAPH PLAN");
    expect_usage_error({"check", "a", "b", "c"}, "\"c\"");
    expect_usage_error({"backends", "a"}, "\"a\"");
    expect_usage_error({"optimize", "x", "-o"}, "--output");
    expect_usage_error({"optimize", "x", "--seed", "--json"}, "--seed needs a value");
    expect_usage_error({"optimize", "x", "--json=yes"}, "--json takes no value");
    expect_usage_error({"optimize", "-", "-"}, "only once");
    expect_usage_error({"optimize", "x", "-o", "-", "--trace", "-"}, "standard output");
    expect_usage_error({"optimize", "x", "y", "-o", "-"}, "folder");
    expect_usage_error({"optimize", "x", "--cluster", "c", "--devices", "2"}, "--cluster");
}

struct BadValue {
    const char *option, *value, *says;
};

TEST(Usage, RefusesValuesOutOfRange) {
    const std::vector<BadValue> values = {
        {"--evaluations", "-2", "from 1 to"},
        {"--evaluations", "1e5", "\"1e5\""},
        {"--evaluations", "10x", "\"10x\""},
        {"--evaluations", "", "\"\""},
        {"--evaluations", " 5", "\" 5\""},
        {"--evaluations", "9223372036854775808", "whole number"},
        {"--generations", "4294967296", "from 0 to 4294967295"},
        {"--time-limit", "nan", "from 0 to"},
        {"--time-limit", "inf", "from 0 to"},
        {"--time-limit", "-0.5", "from 0 to"},
        {"--time-limit", "5s", "\"5s\""},
        {"--time-limit", "1e999", "from 0 to"},
        {"--seed", "-1", "from 0 to 18446744073709551615"},
        {"--seed", "18446744073709551616", "18446744073709551615"},
        {"--seed", "auto", "whole number"},
        {"--population", "3", "from 4 to"},
        {"--elites", "1.5", "from 0 to 1"},
        {"--mutants", "x", "from 0 to 1"},
        {"--rho", "", "from 0 to 1"},
        {"--rho", "0x", "from 0 to 1"},
        {"--islands", "0", "from 1 to"},
        {"--exchange", "0", "from 1 to"},
        {"--stall", "0", "from 1 to"},
        {"--threads", "4097", "from 0 to 4096"},
        {"--threads", "auto", "from 0 to 4096"},
        {"--window", "-5", "or auto"},
        {"--objective", "speed", "time|memory"},
        {"--objective", "time|memory", "time|memory"},
        {"--objective", "", "time|memory"},
        {"--encoding", "inheri", "inherit|affinity"},
        {"--backend", "gpu", "auto|cpu|cuda"},
        {"--gpu", "-1", "from 0 to 2147483647"},
        {"--devices", "0", "--devices: '0'"},
        {"--devices", "65", "--devices: '65'"},
        {"--devices", "4x", "--devices: '4x'"},
        {"--devices", "four", "--devices: 'four'"},
        {"--devices", "2x16", "--devices: '16'"},
        {"--link", "fast", "--link: 'fast'"},
        {"--link", "25GB/s,5", "--link: '5'"},
        {"--link", "free,5us", "--link: 'free' stands alone"},
        {"--profile", "abacus", "--profile: "},
        {"--output", "", "--output"},
    };
    for (const BadValue &bad : values) {
        SCOPED_TRACE(std::string(bad.option) + "=" + bad.value);
        expect_usage_error({"optimize", "missing.json", std::string(bad.option) + "=" + bad.value},
                           bad.says);
        if (*bad.value != '-')
            expect_usage_error({"optimize", bad.option, bad.value, "missing.json"}, bad.says);
    }
}

TEST(Usage, TakesOptionsInEveryForm) {
    const ScratchFolder folder;
    const std::string graph = folder / "g.json", plan = folder / "p.json";
    write_text(graph, small_graph());
    for (const auto &arguments : std::vector<std::vector<std::string>>{
             {"optimize", graph, "-o", plan, "--evaluations", "100", "--seed", "7"},
             {"optimize", "--seed=7", "-o" + plan, "--evaluations=100", graph},
             {"optimize", "--output=" + plan, "--evaluations=100", "--seed=7", "--", graph},
             {"optimize", "--seed", "3", "--seed", "7", graph, "-o", plan, "--evaluations", "100"},
         }) {
        std::filesystem::remove(plan);
        const ProgramRun run = run_program(arguments);
        EXPECT_EQ(run.exit_code, 0) << run.err;
        EXPECT_EQ(json_number(parse_json(read_text(plan)), "made/seed"), 7);
    }
}

TEST(Usage, TakesWhatFollowsTwoHyphensAsAFile) {
    const ProgramRun run = run_program({"inspect", "--", "--json"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_NE(run.err.find("regal: --json: "), std::string::npos) << run.err;
}

TEST(Usage, ListsBackendsFormatsAndProfiles) {
    const ProgramRun text = run_program({"backends"});
    EXPECT_EQ(text.exit_code, 0);
    for (const char *word : {"cpu", "regal-graph", "hlo", "h100"})
        EXPECT_NE(text.out.find(word), std::string::npos) << word;
    const JsonPtr json = parse_json(run_program({"backends", "--json"}).out);
    EXPECT_GE(json_array_size(json_at(json, "backends")), 1u);
    EXPECT_GE(json_array_size(json_at(json, "formats")), 3u);
    EXPECT_GE(json_array_size(json_at(json, "profiles")), 4u);
}

TEST(Usage, NumbersArePlainDecimals) {
    const std::vector<std::string> odd = {"0x10", "0X1p3", "nan", "inf", "",    " 9",
                                          "9 ",   "1.5.2", "--1", "+9",  "9e0", "9E0",
                                          "\t9",  ".",     "1,5", "9\n"};
    const std::vector<std::string> flags = {"evaluations", "generations", "target",  "seed",
                                            "window",      "population",  "islands", "exchange",
                                            "stall",       "threads",     "devices", "time-limit",
                                            "elites",      "rho",         "gpu"};
    for (const std::string &value : odd) {
        for (const std::string &flag : flags) {
            SCOPED_TRACE(flag + " " + value);
            expect_usage_error({"optimize", "missing.json", "--" + flag + "=" + value}, "");
        }
        expect_usage_error({"generate", "layered", "ops=" + value}, "");
        expect_usage_error({"generate", "layered", "--count=" + value, "-o", "."}, "");
        expect_usage_error({"optimize", "missing.json", "--devices=4x" + value + "GB"}, "");
        expect_usage_error({"optimize", "missing.json", "--link=" + value + "GB/s"}, "");
        if (value != " 9") // a blank may follow the comma
            expect_usage_error({"optimize", "missing.json", "--link=1GB/s," + value + "us"}, "");
    }
    for (const char *flag : {"evaluations", "seed", "window", "threads", "devices"})
        expect_usage_error({"optimize", "missing.json", std::string("--") + flag + "=4.0"}, "4.0");
    for (const char *value : {"1", "01", "1.5", ".5", "2."})
        EXPECT_NE(run_program({"optimize", "missing.json", std::string("--time-limit=") + value})
                      .err.find("missing.json"),
                  std::string::npos);
}

} // namespace

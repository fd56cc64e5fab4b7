// Topics of the help, and the manual page that has them too.
#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>

#include "cli/program_files.h"
#include "cli/run_program.h"
#include "support/scratch_folder.h"

namespace {

// As `regal help` lists them.
std::vector<std::string> topics() {
    const std::string help = run_program({"help"}).out;
    const size_t begin = help.find("regal help TOPIC\n"), end = help.find("\n\n", begin);
    std::vector<std::string> names;
    for (const std::string &line : lines_of(help.substr(begin, end - begin)))
        if (line.rfind("  ", 0) == 0)
            names.push_back(line.substr(2, line.find(' ', 2) - 2));
    return names;
}

bool has(const std::string &text, const std::string &words) {
    return text.find(words) != std::string::npos;
}

TEST(Help, EveryTopicIsAScreenWithAnExample) {
    const std::vector<std::string> names = topics();
    EXPECT_GE(names.size(), 8u);
    for (const std::string &name : names) {
        const ProgramRun run = run_program({"help", name});
        EXPECT_EQ(run.exit_code, 0) << name;
        EXPECT_EQ(run.err, "");
        const std::vector<std::string> lines = lines_of(run.out);
        EXPECT_LE(lines.size(), 60u) << name;
        for (const std::string &line : lines)
            EXPECT_LE(line.size(), 90u) << line;
        EXPECT_FALSE(has(run.out, "\n\n\n")) << run.out;
        EXPECT_TRUE(has(run.out, "\n  regal ") || has(run.out, "\n  REGAL_") ||
                    has(run.out, "\"format\""))
            << run.out;
    }
}

TEST(Help, FormatsAndProfilesAreThoseOfThisBuild) {
    const JsonPtr json = parse_json(run_program({"backends", "--json"}).out);
    const std::string formats = run_program({"help", "formats"}).out;
    size_t i;
    json_t *item;
    json_array_foreach(json_at(json, "formats"), i, item) {
        EXPECT_TRUE(has(formats, std::string("\n  ") +
                                     json_string_value(json_object_get(item, "name")) + " "))
            << formats;
    }
    for (const char *topic : {"clusters", "costs"}) {
        const std::string text = run_program({"help", topic}).out;
        json_array_foreach(json_at(json, "profiles"), i, item) {
            EXPECT_TRUE(has(text, std::string("\n  ") +
                                      json_string_value(json_object_get(item, "name")) + " "))
                << text;
        }
    }
}

// The text between the outermost braces is a file that the program takes.
TEST(Help, TheExampleOfAClusterIsOne) {
    const ScratchFolder folder;
    const std::string text = run_program({"help", "clusters"}).out;
    const size_t begin = text.find('{'), end = text.rfind('}');
    ASSERT_NE(begin, std::string::npos);
    std::string cluster = text.substr(begin, end + 1 - begin);
    write_text(folder / "c.json", cluster);
    write_text(folder / "g.hlo", "HloModule m\nENTRY e {\n  p = f32[8] parameter(0)\n"
                                 "  ROOT n = f32[8] negate(p)\n}\n");
    const ProgramRun run =
        run_program({"inspect", folder / "g.hlo", "--cluster", folder / "c.json", "--json"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const JsonPtr json = parse_json(run.out);
    EXPECT_EQ(json_number(json, "devices"), 2);
    EXPECT_EQ(json_array_size(json_at(json, "classes")), 2u);
}

TEST(Help, UnknownWordsGetTheNearestCommandOrTopic) {
    for (const auto &[word, near] : std::vector<std::pair<std::string, std::string>>{
             {"cluster", "clusters"}, {"objektives", "objectives"}, {"inspekt", "inspect"}}) {
        const ProgramRun run = run_program({"help", word});
        EXPECT_EQ(run.exit_code, 2);
        EXPECT_TRUE(has(run.err, "did you mean " + near + "?")) << run.err;
    }
    EXPECT_FALSE(has(run_program({"help", "qqqqqqqqqqqq"}).err, "did you mean"));
}

TEST(ManualPage, HasTheTopicsInSections) {
    const std::string page = run_program({"help", "--man"}).out;
    for (const char *section :
         {"NAME", "SYNOPSIS", "COMMANDS", "TOPICS", "ENVIRONMENT", "EXIT STATUS"})
        EXPECT_TRUE(has(page, std::string(".SH ") + section + "\n")) << section;
    for (const std::string &name : topics()) {
        if (name != "exit-codes" && name != "environment") {
            EXPECT_TRUE(has(page, ".SS " + name + "\n")) << name;
        }
    }
    EXPECT_TRUE(has(page, "REGAL_SIMD"));
    // A line that begins with a dot and is none of troff's would be lost.
    EXPECT_FALSE(std::regex_search(page, std::regex("\n\\.(?!TH|SH|SS|PP|TP|RS|RE|nf|fi)")));
}

TEST(ManualPage, IsRightForGroff) {
    if (std::system("command -v groff > /dev/null 2>&1") != 0)
        GTEST_SKIP() << "no groff";
    const ScratchFolder folder;
    write_text(folder / "regal.1", run_program({"help", "--man"}).out);
    const std::string run = "groff -man -Tutf8 -ww -z '" + folder / "regal.1" + "' > '" +
                            folder / "warnings" + "' 2>&1";
    EXPECT_EQ(std::system(run.c_str()), 0);
    EXPECT_EQ(read_text(folder / "warnings"), "");
}

} // namespace

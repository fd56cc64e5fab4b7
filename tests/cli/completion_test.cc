// The scripts with which shells complete the command line.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>

#include "cli/program_files.h"
#include "cli/run_program.h"
#include "support/scratch_folder.h"

namespace {

using Words = std::vector<std::string>;

bool is_installed(const std::string &program) {
    return std::system(("command -v " + program + " > /dev/null 2>&1").c_str()) == 0;
}

std::string script_of(const std::string &shell) {
    const ProgramRun run = run_program({"help", "--completions", shell});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_NE(run.out.find("--completions " + shell), std::string::npos);
    return run.out;
}

class Completion : public testing::Test {
  protected:
    void SetUp() override {
        for (const char *shell : {"bash", "zsh", "fish"})
            write_text(folder / shell, script_of(shell));
    }
    bool is_right_for(const std::string &shell, const std::string &options) {
        return std::system((shell + " " + options + " '" + folder / shell + "'").c_str()) == 0;
    }
    // What bash offers for the last of the words, which come as its readline would split them.
    Words offers(const Words &words) {
        std::string line =
            "source '" + folder / "bash" + "'; cd '" + folder.path() + "'; COMP_WORDS=(";
        for (const std::string &word : words)
            line += " '" + word + "'";
        line += "); COMP_CWORD=" + std::to_string(words.size() - 1) +
                "; _regal; printf '%s\\n' \"${COMPREPLY[@]}\" > '" + folder / "reply" + "'";
        write_text(folder / "run", line);
        EXPECT_EQ(std::system(("bash '" + folder / "run" + "'").c_str()), 0);
        Words reply = lines_of(read_text(folder / "reply"));
        if (reply == Words{""})
            reply.clear();
        std::sort(reply.begin(), reply.end());
        return reply;
    }
    bool offers_word(const Words &words, const std::string &word) {
        const Words reply = offers(words);
        return std::count(reply.begin(), reply.end(), word) == 1;
    }

    const ScratchFolder folder;
};

TEST_F(Completion, BashKnowsCommandsOptionsAndValues) {
    if (!is_installed("bash"))
        GTEST_SKIP() << "no bash";
    EXPECT_EQ(offers({"regal", "op"}), Words{"optimize"});
    EXPECT_TRUE(offers_word({"regal", ""}, "inspect"));
    EXPECT_EQ(offers({"regal", "optimize", "--objec"}), Words{"--objective"});
    EXPECT_EQ(offers({"regal", "inspect", "--rh"}), Words{});
    EXPECT_EQ(offers({"regal", "optimize", "--objective", ""}), (Words{"memory", "time"}));
    EXPECT_EQ(offers({"regal", "optimize", "--objective", "=", "m"}), Words{"memory"});
    EXPECT_EQ(offers({"regal", "optimize", "--objective", "="}), (Words{"memory", "time"}));
    EXPECT_EQ(offers({"regal", "optimize", "--objective=m"}), Words{"--objective=memory"});
    EXPECT_EQ(offers({"regal", "optimize", "--profile", "h100,a1"}), Words{"h100,a100"});
    EXPECT_EQ(offers({"regal", "optimize", "--evaluations", ""}), Words{});
    EXPECT_EQ(offers({"regal", "help", "--completions", ""}), (Words{"bash", "fish", "zsh"}));
    EXPECT_EQ(offers({"regal", "help", "clus"}), Words{"clusters"});
    EXPECT_TRUE(offers_word({"regal", "compare", "--methods", "heft,pe"}, "heft,peft"));
    EXPECT_TRUE(offers_word({"regal", "convert", "--to", ""}, "cost-graph"));
    EXPECT_EQ(offers({"regal", "backends", ""}), Words{});
}

TEST_F(Completion, BashKnowsGeneratorsAndTheirParameters) {
    if (!is_installed("bash"))
        GTEST_SKIP() << "no bash";
    EXPECT_EQ(offers({"regal", "generate", "resn"}), Words{"resnet"});
    EXPECT_EQ(offers({"regal", "generate", "resnet", "dep"}), Words{"depth="});
    EXPECT_EQ(offers({"regal", "generate", "-o", "x", "resnet", "depth", "=", "18", "im"}),
              Words{"image="});
    EXPECT_EQ(offers({"regal", "generate", "resnet", "depth", "=", "1"}), Words{});
    EXPECT_TRUE(offers_word({"regal", "generate", "dataset", ""}, "zoo"));
    EXPECT_TRUE(offers_word({"regal", "generate", "dataset", "zoo", ""}, "graphs="));
}

TEST_F(Completion, BashOffersFilesWhereTheyAreMeant) {
    if (!is_installed("bash"))
        GTEST_SKIP() << "no bash";
    write_text(folder / "graph one.json", "");
    const std::string file = "graph one.json";
    for (const Words &words : std::vector<Words>{{"regal", "optimize", "gra"},
                                                 {"regal", "check", "x", "gra"},
                                                 {"regal", "optimize", "-o", "gra"},
                                                 {"regal", "optimize", "--cluster", "=", "gra"},
                                                 {"regal", "optimize", "--", "gra"},
                                                 {"regal", "optimize", "--policy", "gra"}})
        EXPECT_EQ(offers(words), Words{file}) << words.back();
    EXPECT_EQ(offers({"regal", "optimize", "--cluster=gra"}), Words{"--cluster=" + file});
    EXPECT_TRUE(offers_word({"regal", "optimize", "--policy", ""}, "auto"));
    for (const Words &words : std::vector<Words>{{"regal", "help", "gra"},
                                                 {"regal", "generate", "gra"},
                                                 {"regal", "optimize", "--seed", "gra"}})
        EXPECT_NE(offers(words), Words{file});
}

// Every option of every command, as the help tells it, is in each script.
TEST_F(Completion, ScriptsHaveEveryOption) {
    const std::string bash = read_text(folder / "bash"), zsh = read_text(folder / "zsh"),
                      fish = read_text(folder / "fish");
    for (const char *command : {"optimize", "check", "inspect", "compare", "train", "help"}) {
        const std::string help = run_program({command, "--help"}).out;
        const size_t zsh_begin = zsh.find("    " + std::string(command) + ")\n");
        const std::string zsh_part =
            zsh.substr(zsh_begin, zsh.find("\n        ;;", zsh_begin) - zsh_begin);
        size_t count = 0;
        for (const std::string &line : lines_of(help)) {
            const size_t at = line.find("--");
            if (line.rfind("  ", 0) != 0 || at != 6)
                continue;
            const std::string flag = line.substr(8, line.find_first_of(" \n", 8) - 8);
            ++count;
            EXPECT_NE(zsh_part.find("--" + flag), std::string::npos) << command << " " << flag;
            EXPECT_NE(fish.find("'__regal_command " + std::string(command) + "' -l " + flag),
                      std::string::npos)
                << command << " " << flag;
            EXPECT_NE(bash.find(" --" + flag), std::string::npos) << command << " " << flag;
        }
        EXPECT_GE(count, 2u) << command;
    }
}

TEST_F(Completion, ScriptsAreRightForTheirShells) {
    if (is_installed("bash")) {
        EXPECT_TRUE(is_right_for("bash", "-n"));
    }
    if (is_installed("zsh")) {
        EXPECT_TRUE(is_right_for("zsh", "-f -n"));
    }
    if (is_installed("fish")) {
        EXPECT_TRUE(is_right_for("fish", "--no-execute"));
    }
    EXPECT_EQ(read_text(folder / "zsh").rfind("#compdef regal\n", 0), 0u);
}

TEST_F(Completion, OtherShellsAreRefused) {
    const ProgramRun run = run_program({"help", "--completions", "csh"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_NE(run.err.find("bash|zsh|fish"), std::string::npos) << run.err;
}

} // namespace

// What a search shows while it runs: on a terminal, and where there is none.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <regex>

#include "cli/program_files.h"
#include "cli/run_program.h"
#include "support/scratch_folder.h"

namespace {

using std::chrono::milliseconds;

const char BLOCK_BEGIN[] = "\xe2\x96"; // of the blocks of a spark line

bool starts_character(char byte) {
    return (byte & 0xc0) != 0x80;
}

size_t columns_of(const std::string &text) {
    return size_t(std::count_if(text.begin(), text.end(), starts_character));
}

// As much of a terminal as the program asks for. Its rows are the text that is seen.
class Screen {
  public:
    explicit Screen(size_t columns) : columns_(columns), rows_(1) {}

    void feed(const std::string &text) {
        for (size_t i = 0; i < text.size(); i += length(text, i))
            put(text.substr(i, length(text, i)));
    }
    size_t wraps() const { return wraps_; }
    size_t widest() const { return widest_; }
    // What is left to see, line by line.
    std::vector<std::string> lines() const {
        std::vector<std::string> lines;
        for (const auto &row : rows_) {
            std::string line;
            for (const std::string &cell : row)
                line += cell;
            lines.push_back(line);
        }
        while (!lines.empty() && lines.back().empty())
            lines.pop_back();
        return lines;
    }

  private:
    // Of an escape sequence, or of a character.
    static size_t length(const std::string &text, size_t at) {
        size_t end = at + 1;
        if (text[at] == '\033') {
            while (end < text.size() && !isalpha((unsigned char)text[end]))
                ++end;
            return end + 1 - at;
        }
        while (end < text.size() && !starts_character(text[end]))
            ++end;
        return end - at;
    }
    void put(const std::string &piece) {
        if (piece == "\r") {
            x_ = 0;
        } else if (piece == "\n") {
            if (++y_ == rows_.size())
                rows_.emplace_back();
        } else if (piece == "\033[J") {
            rows_.resize(y_ + 1);
            rows_[y_].resize(std::min(rows_[y_].size(), x_));
        } else if (piece[0] == '\033') {
            EXPECT_EQ(piece.back(), 'm') << "an unknown sequence";
        } else {
            put_character(piece);
        }
    }
    void put_character(const std::string &character) {
        if (x_ == columns_) {
            ++wraps_;
            put("\r");
            put("\n");
        }
        if (rows_[y_].size() <= x_)
            rows_[y_].resize(x_ + 1, " ");
        rows_[y_][x_++] = character;
        widest_ = std::max(widest_, x_);
    }

    size_t columns_, x_ = 0, y_ = 0, wraps_ = 0, widest_ = 0;
    std::vector<std::vector<std::string>> rows_;
};

class Progress : public testing::Test {
  protected:
    void SetUp() override { write_text(graph, hard_graph(300)); }

    ProgramRun search(const ProgramSetting &setting, const char *seconds,
                      const std::vector<std::string> &more = {}) {
        std::vector<std::string> arguments = {"optimize",   graph,          "--evaluations",
                                              "1000000000", "--time-limit", seconds};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run_program(arguments, setting);
    }
    static ProgramSetting terminal(unsigned short columns, const char *locale = "C.UTF-8") {
        ProgramSetting setting;
        setting.terminal = true;
        setting.columns = columns;
        setting.environment = {{"TERM", "xterm"}, {"NO_COLOR", ""}, {"LC_ALL", locale}};
        return setting;
    }

    const ScratchFolder folder;
    const std::string graph = folder / "g.json";
};

// The states of the status line.
std::vector<std::string> frames_of(const std::string &text) {
    static const std::regex end("\r|\n|\033\\[J"), colour("\033\\[[0-9]*m");
    std::vector<std::string> frames;
    for (std::sregex_token_iterator at(text.begin(), text.end(), end, -1), last; at != last; ++at)
        if (at->length() > 0 && at->str().find("best ") != std::string::npos)
            frames.push_back(std::regex_replace(at->str(), colour, ""));
    return frames;
}

TEST_F(Progress, FitsATerminalOfAnyWidthAndIsGoneAtTheEnd) {
    for (const unsigned short columns : {1, 9, 33, 80, 132}) {
        const ProgramRun run = search(terminal(columns), "0.4");
        Screen screen(columns);
        screen.feed(run.err);
        EXPECT_EQ(run.exit_code, 0);
        EXPECT_EQ(screen.wraps(), 0u) << columns;
        EXPECT_LT(screen.widest(), columns);
        EXPECT_EQ(screen.lines(), std::vector<std::string>{}) << columns;
    }
}

TEST_F(Progress, TellsWhatThereIsToTell) {
    const std::vector<std::string> frames = frames_of(search(terminal(160), "1").err);
    ASSERT_GE(frames.size(), 5u);
    const std::regex all(
        "\\[#+\\.*\\] +\\d+ %  anneal [0-9,]+  best \\S+ \\S+  (\xe2\x96[\x81-\x88])+  "
        "bound \\S+ \\S+  (gap \\S+ %|\\S+ x bound)  \\S+/s  \\S+ \\S+ left");
    EXPECT_TRUE(std::any_of(frames.begin(), frames.end(), [&](const std::string &frame) {
        return std::regex_match(frame, all);
    })) << frames.back();
    EXPECT_TRUE(std::any_of(frames.begin(), frames.end(), [&](const std::string &frame) {
        return std::regex_search(frame, std::regex(" %  brkga [0-9,]+  best "));
    })) << frames[1];
}

TEST_F(Progress, NarrowTerminalsLoseTheLeastImportantFirst) {
    for (const unsigned short columns : {100, 70, 40, 20}) {
        const std::vector<std::string> frames = frames_of(search(terminal(columns), "0.4").err);
        ASSERT_FALSE(frames.empty());
        for (const std::string &frame : frames) {
            const auto has = [&](const char *word) {
                return frame.find(word) != std::string::npos;
            };
            EXPECT_TRUE(has("best ")) << frame;
            EXPECT_TRUE(!has(BLOCK_BEGIN) || has("[")) << frame;
            EXPECT_TRUE(!has("bound ") || has("gap ") || has(" x bound")) << frame;
            EXPECT_EQ(has(" %"), columns > 20) << frame;
        }
    }
}

TEST_F(Progress, HasBlocksOnlyInAUtf8Locale) {
    for (const char *locale : {"C.UTF-8", "C"}) {
        const std::string text = search(terminal(160, locale), "0.4").err;
        EXPECT_EQ(text.find(BLOCK_BEGIN) != std::string::npos, std::string(locale) == "C.UTF-8")
            << text;
    }
}

TEST_F(Progress, HasNoColourWhereNoneIsWanted) {
    ProgramSetting setting = terminal(100);
    EXPECT_NE(search(setting, "0.3").err.find("\033[36m"), std::string::npos);
    setting.environment["NO_COLOR"] = "1";
    const std::string text = search(setting, "0.3").err;
    EXPECT_NE(text.find("["), std::string::npos);
    EXPECT_EQ(text.find('m', text.find("\033[3")), std::string::npos) << text;
}

// The cursor waits above all that a narrower terminal makes of the line, so that the next "erase
// what is below" takes all of it.
TEST_F(Progress, FollowsATerminalThatIsResized) {
    ProgramSetting setting = terminal(140);
    setting.resize = {milliseconds(500), 50};
    const std::string text = search(setting, "1").err;
    const std::vector<std::string> frames = frames_of(text);
    ASSERT_GE(frames.size(), 4u);
    EXPECT_GT(columns_of(frames.front()), 50u);
    EXPECT_LT(columns_of(frames.back()), 50u);
    size_t erased = 0;
    for (size_t at = text.find("\033[J"); at != std::string::npos; at = text.find("\033[J", at + 1))
        if (at + 3 < text.size()) {
            EXPECT_EQ(text[at + 3], '\r');
            ++erased;
        }
    EXPECT_GE(erased, frames.size());
}

TEST_F(Progress, MakesWayForMessages) {
    ProgramSetting setting = terminal(100);
    setting.signals = {{milliseconds(500), SIGINT}};
    const ProgramRun run = search(setting, "10");
    EXPECT_EQ(run.exit_code, 4);
    Screen screen(100);
    screen.feed(run.err);
    const std::vector<std::string> lines = screen.lines();
    ASSERT_EQ(lines.size(), 2u) << run.err;
    EXPECT_EQ(lines[0], "regal: stopping with the best plan so far; another signal ends at once");
    EXPECT_NE(lines[1].find("this is the best plan so far"), std::string::npos) << lines[1];
}

TEST_F(Progress, IsALineNowAndThenWhereThereIsNoTerminal) {
    const std::regex line(" *\\d+ %  anneal [0-9,]+  best \\S+ \\S+  bound \\S+ \\S+  (gap \\S+ %|"
                          "\\S+ x bound)  \\S+/s  \\S+ \\S+ left\r?");
    ProgramSetting dumb = terminal(100);
    dumb.environment["TERM"] = "dumb";
    for (const ProgramSetting &setting : {ProgramSetting(), dumb}) {
        const std::vector<std::string> lines = lines_of(search(setting, "1.5").err);
        ASSERT_EQ(lines.size(), 1u);
        EXPECT_TRUE(std::regex_match(lines[0], line)) << lines[0];
    }
}

TEST_F(Progress, QuietShowsNothing) {
    EXPECT_EQ(search(terminal(100), "0.3", {"-q"}).err, "");
    EXPECT_EQ(search({}, "1.2", {"-q"}).err, "");
}

} // namespace

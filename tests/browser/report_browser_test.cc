// Reports in a real browser: they load without a complaint, and what they show is the plan.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "browser/browser.h"
#include "cli/program_files.h"
#include "cli/run_program.h"

namespace {

class ReportInBrowser : public testing::Test {
  protected:
    void SetUp() override {
        if (!Browser::is_there())
            GTEST_SKIP() << "no chromium on this machine";
    }

    void make_report(const std::vector<std::string> &generator, const std::string &evaluations) {
        std::vector<std::string> words = {"generate"};
        words.insert(words.end(), generator.begin(), generator.end());
        words.insert(words.end(), {"-o", graph});
        ASSERT_EQ(run_program(words).exit_code, 0);
        optimize({"--devices", "4x16GB", "--evaluations", evaluations, "--policy", "none"});
    }
    void optimize(const std::vector<std::string> &more) {
        std::vector<std::string> words = {"optimize", graph, "-o", plan, "--report", page, "-q"};
        words.insert(words.end(), more.begin(), more.end());
        const ProgramRun run = run_program(words);
        ASSERT_TRUE(run.exit_code == 0 || run.exit_code == 3) << run.err;
    }
    static void expect_sound(const LoadedPage &loaded) {
        EXPECT_EQ(loaded.attribute("data-error"), "");
        EXPECT_EQ(loaded.attribute("data-loaded"), "true");
        EXPECT_EQ(loaded.console, "");
    }
    void expect_figures_of_check(const LoadedPage &loaded);
    void note_speed(const LoadedPage &loaded, int64_t most_bytes, double most_seconds);

    const ScratchFolder folder;
    const std::string graph = folder / "graph.json", plan = folder / "plan.json",
                      page = folder / "page.html";
    Browser browser;
};

// All elements <span data-figure="KEY" data-value="VALUE" ...>.
std::map<std::string, std::string> shown_figures(const std::string &document) {
    std::map<std::string, std::string> figures;
    const std::string open = "data-figure=\"", then = "\" data-value=\"";
    for (size_t at = document.find(open); at != std::string::npos;
         at = document.find(open, at + 1)) {
        const size_t key = at + open.size(), end = document.find('"', key);
        if (document.compare(end, then.size(), then) != 0)
            continue;
        const size_t value = end + then.size();
        figures[document.substr(key, end - key)] =
            document.substr(value, document.find('"', value) - value);
    }
    return figures;
}

// The text of each finding, without its tags.
std::vector<std::string> shown_findings(const std::string &document) {
    std::vector<std::string> findings;
    const size_t begin = document.find("id=\"finding-list\"");
    const size_t end = document.find("</section>", begin);
    for (size_t at = document.find("<li", begin); at < end; at = document.find("<li", at + 1)) {
        std::string text;
        bool tag = false;
        for (const char c : document.substr(at, document.find("</li>", at) - at)) {
            if (c == '<' || c == '>')
                tag = c == '<';
            else if (!tag)
                text += c;
        }
        findings.push_back(text);
    }
    return findings;
}

void ReportInBrowser::expect_figures_of_check(const LoadedPage &loaded) {
    const ProgramRun run = run_program({"check", graph, plan, "--json"});
    const JsonPtr check = parse_json(run.out);
    ASSERT_TRUE(check) << run.err;
    std::map<std::string, std::string> shown = shown_figures(loaded.document);
    for (const char *key :
         {"makespan", "max_peak", "ops", "tensors", "control_edges", "parameters", "devices"})
        EXPECT_EQ(shown[key], std::to_string(json_number(check, key))) << key;
    EXPECT_EQ(shown["bounds.time"], std::to_string(json_number(check, "bounds/time")));
    EXPECT_EQ(shown["bounds.memory"], std::to_string(json_number(check, "bounds/memory")));
    EXPECT_EQ(shown["transfers.count"], std::to_string(json_number(check, "transfers/count")));
    EXPECT_EQ(shown["transfers.bytes"], std::to_string(json_number(check, "transfers/bytes")));
    const int64_t devices = json_number(check, "devices");
    const double makespan =
        static_cast<double>(std::max<int64_t>(1, json_number(check, "makespan")));
    for (int64_t d = 0; d < devices; ++d) {
        const std::string at = "[" + std::to_string(d) + "]";
        for (const char *key : {"peak", "device_ops"})
            EXPECT_EQ(shown[key + at],
                      std::to_string(json_integer_value(json_array_get(json_at(check, key), d))))
                << key << at;
        EXPECT_NEAR(atof(shown["busy" + at].c_str()) / makespan,
                    json_number_value(json_array_get(json_at(check, "busy"), d)), 1e-9);
    }
}

void ReportInBrowser::note_speed(const LoadedPage &loaded, int64_t most_bytes,
                                 double most_seconds) {
    const auto bytes = static_cast<int64_t>(std::filesystem::file_size(page));
    EXPECT_LT(bytes, most_bytes);
    const double load = atof(loaded.attribute("data-load-ms").c_str());
    EXPECT_GT(load, 0);
    EXPECT_LT(load, 1000 * most_seconds) << "with " << loaded.seconds << " s in all";
    RecordProperty("bytes", std::to_string(bytes));
    RecordProperty("load_ms", std::to_string(load));
}

TEST_F(ReportInBrowser, ShowsAThousandOpsAsCheckMeasuresThem) {
    make_report({"layered-large", "ops=1000"}, "300");
    const LoadedPage loaded = browser.load(page);
    expect_sound(loaded);
    expect_figures_of_check(loaded);
    note_speed(loaded, 400000, 10);
}

TEST_F(ReportInBrowser, ShowsTwentyThousandOpsAsCheckMeasuresThem) {
    make_report({"layered-large", "ops=20000"}, "20");
    const LoadedPage loaded = browser.load(page, "bench");
    expect_sound(loaded);
    expect_figures_of_check(loaded);
    note_speed(loaded, 3000000, 20);
    const double frame = atof(loaded.attribute("data-bench-ms").c_str());
    EXPECT_GT(frame, 0);
    EXPECT_LT(frame, 200) << "drawn without a GPU, while other tests run";
    RecordProperty("frame_ms", std::to_string(frame));
}

TEST_F(ReportInBrowser, IsDarkWhereAskedAndPrints) {
    write_text(graph, small_graph());
    optimize({"--evaluations", "200"});
    EXPECT_EQ(browser.load(page, "dark").attribute("data-theme"), "dark");
    const std::string png = folder / "page.png", pdf = folder / "page.pdf";
    ASSERT_TRUE(browser.screenshot(page, "dark", png));
    EXPECT_GT(std::filesystem::file_size(png), 40000u) << "an empty page is smaller";
    ASSERT_TRUE(browser.print(page, pdf));
    EXPECT_EQ(read_text(pdf).rfind("%PDF", 0), 0u);
}

// Events as a user makes them, on a plan with waits, links and a search; then what the page tells.
TEST_F(ReportInBrowser, AnswersPointerKeysAndSearch) {
    write_text(graph, hard_graph(60));
    optimize({"--evaluations", "200", "--devices", "3"});
    write_text(page, read_text(page) + R"(<script nonce="regal">
        const tell = (name, text) => document.documentElement.dataset[name] = text;
        const canvas = document.getElementById("timeline-canvas");
        const box = canvas.getBoundingClientRect();
        canvas.setPointerCapture = () => {}; // there is no real pointer
        const point = (type, x, y) => canvas.dispatchEvent(new PointerEvent(type,
            {clientX: box.left + x, clientY: box.top + y, pointerId: 1, bubbles: true}));
        const press = (key, shiftKey) =>
            canvas.dispatchEvent(new KeyboardEvent("keydown", {key, shiftKey, bubbles: true}));
        press("ArrowRight", true);
        tell("first", document.querySelector("#pinned .facts-name").textContent);
        press("ArrowRight", true);
        tell("second", document.querySelector("#pinned .facts-name").textContent);
        for (const key of ["ArrowDown", "ArrowUp", "ArrowLeft"])
            press(key, true);
        press("Escape");
        tell("freed", document.getElementById("pinned").hidden);
        for (const key of ["+", "+", "-", "ArrowLeft", "ArrowRight", "Home"])
            press(key);
        canvas.dispatchEvent(new WheelEvent("wheel", {deltaY: -300, ctrlKey: true,
            clientX: box.left + 700, clientY: box.top + 40, cancelable: true}));
        for (let x = 140; x < 1200; x += 7)
            for (let y = 0; y < box.height; y += 9)
                point("pointermove", x, y);
        point("pointerdown", 600, 40);
        point("pointermove", 500, 40);
        point("pointerup", 500, 40);
        document.getElementById("memory-canvas").dispatchEvent(
            new PointerEvent("pointermove", {clientX: box.left + 500, clientY: 0}));
        const search = document.getElementById("search");
        search.value = "OP5";
        search.dispatchEvent(new Event("input"));
        tell("hits", document.getElementById("search-count").textContent);
        search.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter"}));
        tell("hit", document.querySelector("#pinned .facts-name").textContent);
        document.querySelector("#critical-table button").click();
        document.getElementById("show-critical").click();
        document.getElementById("log-scale").click();
        document.getElementById("theme").click();
        window.dispatchEvent(new Event("beforeprint"));
        tell("paper", document.documentElement.dataset.theme);
        window.dispatchEvent(new Event("afterprint"));
    </script>)");
    const LoadedPage loaded = browser.load(page);
    expect_sound(loaded);
    EXPECT_NE(loaded.attribute("data-first"), "");
    EXPECT_NE(loaded.attribute("data-second"), loaded.attribute("data-first"));
    EXPECT_EQ(loaded.attribute("data-freed"), "true");
    EXPECT_EQ(loaded.attribute("data-hits"), "11 ops") << "op5, op50 to op59";
    EXPECT_EQ(loaded.attribute("data-hit").rfind("op5", 0), 0u);
    EXPECT_EQ(loaded.attribute("data-theme"), "dark");
    EXPECT_EQ(loaded.attribute("data-paper"), "light");
}

// The checks of this file see what goes wrong.
TEST_F(ReportInBrowser, TellsWhereItIsBroken) {
    write_text(graph, small_graph());
    optimize({"--evaluations", "200"});
    std::string text = read_text(page);
    const size_t at = text.find("\"transfers\":{\"begin\"");
    ASSERT_NE(at, std::string::npos);
    write_text(page, text.replace(at, 12, "\"xxxxxxxxx\":"));
    const LoadedPage loaded = browser.load(page);
    EXPECT_NE(loaded.attribute("data-error"), "");
    EXPECT_NE(loaded.console, "");
    EXPECT_EQ(loaded.attribute("data-loaded"), "");
}

TEST_F(ReportInBrowser, HoldsAnyNameAndNumber) {
    write_text(graph, R"({"format": "regal-graph", "version": 1, "device_classes": ["x"],
        "ops": [{"name": "</script><script>document.documentElement.dataset.error='in'</script>",
                 "kind": "<img src=x onerror=\"document.documentElement.dataset.error='in'\">",
                 "cost": [9007199254740992]},
                {"name": "<!-- __proto__", "kind": "constructor", "cost": [1]}],
        "tensors": [{"name": "<b>", "producer": 0, "bytes": 5,
                     "consumers": [1]}]})");
    optimize({"--evaluations", "20", "--link", "free"});
    const LoadedPage loaded = browser.load(page);
    expect_sound(loaded);
    expect_figures_of_check(loaded);
    EXPECT_EQ(shown_figures(loaded.document)["makespan"], "9007199254740993") << "2^53 + 1";
}

TEST_F(ReportInBrowser, ShowsThePlanOfNothing) {
    write_text(
        graph,
        R"({"format": "regal-graph", "version": 1, "device_classes": ["x"], "ops": [], "tensors": []})");
    optimize({"--evaluations", "20"});
    const LoadedPage loaded = browser.load(page);
    expect_sound(loaded);
    expect_figures_of_check(loaded);
    EXPECT_TRUE(shown_findings(loaded.document).empty());
}

TEST_F(ReportInBrowser, FindsNoFaultWhereThereIsNone) {
    write_text(graph, R"({"format": "regal-graph", "version": 1, "device_classes": ["x"],
        "ops": [{"name": "a", "cost": [7]}],
        "tensors": [{"producer": 0, "bytes": 5, "output": true}],
        "parameters": [{"name": "w", "bytes": 5, "ops": [0]}]})");
    optimize({"--evaluations", "20", "--devices", "2"});
    const LoadedPage loaded = browser.load(page);
    expect_sound(loaded);
    EXPECT_EQ(shown_findings(loaded.document),
              (std::vector<std::string>{
                  "The makespan cannot be better: it equals its lower bound, 7 ns.",
                  "The best of the others, one device, needs just as much time (7 ns).",
                  "The critical path is 100.0 % computing: 1 op.",
                  "Memory peaks on d0 at 10 B at 0 ns while a runs.", "d1 runs nothing."}));
    EXPECT_EQ(loaded.document.find("<li class=\"warn\""), std::string::npos);
}

TEST_F(ReportInBrowser, TellsOfCapsThatNoPlanKeeps) {
    write_text(graph, small_graph());
    optimize({"--evaluations", "20", "--devices", "2x1B"});
    const std::vector<std::string> findings = shown_findings(browser.load(page).document);
    ASSERT_FALSE(findings.empty());
    EXPECT_NE(findings[0].find("no plan fits, as some device needs at least"), std::string::npos)
        << findings[0];
}

// Each device has an op of its own, a little shorter than that of the one before it.
TEST_F(ReportInBrowser, NamesTheIdlestOfManyDevices) {
    std::string ops = R"({"name": "longest", "cost": [10000], "allowed": [0]})";
    for (int device = 1; device < 30; ++device)
        ops += R"(, {"name": "op)" + std::to_string(device) + R"(", "cost": [)" +
               std::to_string(7000 - 5 * device) + R"(], "allowed": [)" + std::to_string(device) +
               "]}";
    write_text(graph, R"({"format": "regal-graph", "version": 1, "device_classes": ["x"],
        "tensors": [], "ops": [)" +
                          ops + "]}");
    optimize({"--evaluations", "20", "--devices", "30"});
    std::vector<std::string> idle;
    for (const std::string &text : shown_findings(browser.load(page).document))
        if (text.find(" idles ") != std::string::npos)
            idle.push_back(text.substr(0, text.find(' ')));
    EXPECT_EQ(idle, (std::vector<std::string>{"d29", "d28", "d27", "d26"}));
}

} // namespace

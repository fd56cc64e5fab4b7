#include <gtest/gtest.h>

#include <jansson.h>

#include <cinttypes>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "io/file.h"
#include "support/decoded.h"
#include "support/random_problem.h"
#include "support/refusal.h"
#include "support/report_page.h"
#include "support/scratch_folder.h"

namespace {

struct JsonDelete {
    void operator()(json_t *json) const { json_decref(json); }
};
using Json = std::unique_ptr<json_t, JsonDelete>;

std::string written_page(const regal_report &report) {
    ScratchFolder folder;
    EXPECT_EQ(regal_report_write(&report, (folder / "r.html").c_str()), REGAL_OK)
        << regal_error_message();
    char *data = nullptr;
    size_t size = 0;
    EXPECT_EQ(regal_file_read((folder / "r.html").c_str(), &data, &size), REGAL_OK);
    const std::string text(data ? data : "", size);
    free(data);
    return text;
}

std::string written_page(const Decoded &decoded) {
    regal_report report{};
    report.problem = decoded.problem.get();
    report.plan = decoded.plan.get();
    return written_page(report);
}

Json part_of(const std::string &page, const char *id) {
    json_error_t error;
    Json json(json_loads(embedded_json(page, id).c_str(), 0, &error));
    EXPECT_TRUE(json) << id << ": " << error.text;
    return json;
}

/* Beyond 2^53 they are strings. */
int64_t integer(const json_t *json) {
    return json_is_string(json) ? strtoll(json_string_value(json), nullptr, 10)
                                : json_integer_value(json);
}

std::vector<int64_t> integers(const json_t *object, const char *key) {
    std::vector<int64_t> numbers;
    size_t i;
    json_t *item;
    json_array_foreach(json_object_get(object, key), i, item) numbers.push_back(integer(item));
    return numbers;
}

std::string text(const json_t *array, size_t i) {
    return json_string_value(json_array_get(array, i));
}

/* Two ops on two devices: a runs 3 ticks, its tensor moves for 4, b runs 2. */
plain::Case pair() {
    plain::Case one;
    one.graph.name = "pair";
    one.graph.classes = {"x"};
    for (const char *name : {"a", "b"}) {
        plain::Op op;
        op.name = name;
        op.kind = "Kind";
        op.cost = {name[0] == 'a' ? 3 : 2};
        op.allowed = {{plain::Allowed{name[0] == 'a' ? 0 : 1, {}}}};
        one.graph.ops.push_back(op);
    }
    plain::Tensor tensor;
    tensor.name = "a:0";
    tensor.bytes = 100;
    tensor.consumers = {1};
    one.graph.tensors = {tensor};
    one.cluster.devices = {{"d0", 0, {}, 0}, {"d1", 0, {}, 0}};
    one.cluster.default_link = {4, 0};
    one.chromosome.priority = one.chromosome.placement = {1, 0};
    return one;
}

TEST(Report, TellsThePlansFigures) {
    const std::string page = written_page(decode_with_library(pair()));
    const Json figures = part_of(page, "figures");
    EXPECT_EQ(integer(json_object_get(figures.get(), "makespan")), 9);
    EXPECT_EQ(integer(json_object_get(figures.get(), "max_peak")), 100);
    EXPECT_EQ(integers(figures.get(), "busy"), (std::vector<int64_t>{3, 2}));
    EXPECT_EQ(integers(figures.get(), "peak"), (std::vector<int64_t>{100, 100}));
    const json_t *transfers = json_object_get(figures.get(), "transfers");
    EXPECT_EQ(integer(json_object_get(transfers, "count")), 1);
    EXPECT_EQ(integer(json_object_get(transfers, "bytes")), 100);
}

TEST(Report, NeedsNothingElse) {
    const std::string page = written_page(decode_with_library(pair()));
    EXPECT_EQ(page.rfind("<!doctype html>", 0), 0u);
    EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
    for (const char *loader : {"src=\"", "@import", "url(", "fetch(", "XMLHttpRequest"})
        EXPECT_EQ(page.find(loader), std::string::npos) << loader;
    EXPECT_EQ(page.find("{{"), std::string::npos) << "a part that was not filled in";
    size_t addresses = 0;
    for (size_t at = page.find("://"); at != std::string::npos; at = page.find("://", at + 1))
        addresses += page.compare(at - 4, 27, "http://www.w3.org/2000/svg\"") != 0;
    EXPECT_EQ(addresses, 0u);
}

/* Starts, finishes and names stand in the page as differences. */
void expect_same_ops(const regal_graph *graph, const regal_plan &plan, const json_t *ops) {
    const std::vector<int64_t> begin = integers(ops, "begin"), gap = integers(ops, "gap"),
                               time = integers(ops, "time"), share = integers(ops, "share");
    const json_t *rest = json_object_get(ops, "rest");
    ASSERT_EQ(begin.size(), static_cast<size_t>(plan.device_count) + 1);
    ASSERT_EQ(static_cast<int64_t>(gap.size()), plan.op_count);
    std::map<std::string, int64_t> index;
    for (int64_t i = 0; i < plan.op_count; ++i)
        index[regal_graph_op(graph, i).name] = i;
    std::string name;
    for (int64_t d = 0; d < plan.device_count; ++d) {
        int64_t tick = 0;
        for (int64_t row = begin[d]; row < begin[d + 1]; ++row) {
            name = name.substr(0, share[row]) + text(rest, row);
            ASSERT_EQ(index.count(name), 1u) << name;
            const int64_t op = index[name];
            EXPECT_EQ(plan.placement[op], d);
            EXPECT_EQ(plan.start[op], tick + gap[row]);
            tick += gap[row] + time[row];
            EXPECT_EQ(plan.finish[op], tick);
        }
    }
}

TEST(Report, HoldsTheWholePlan) {
    int reported = 0;
    for (uint64_t seed = 0; seed < 150; ++seed) {
        const Decoded decoded = decode_with_library(random_case(seed));
        if (!decoded.plan)
            continue;
        ++reported;
        SCOPED_TRACE(seed);
        const std::string page = written_page(decoded);
        const Json data = part_of(page, "data");
        expect_same_ops(decoded.graph.get(), *decoded.plan, json_object_get(data.get(), "ops"));
        const Json figures = part_of(page, "figures");
        EXPECT_EQ(integer(json_object_get(figures.get(), "makespan")), decoded.plan->makespan);
        const std::vector<int64_t> peak = integers(figures.get(), "peak");
        for (int64_t d = 0; d < decoded.plan->device_count; ++d)
            EXPECT_EQ(peak[d], decoded.plan->peak[d]);
        if (HasFatalFailure())
            return;
    }
    EXPECT_GT(reported, 100);
}

TEST(Report, IsTheSameEachTime) {
    const Decoded decoded = decode_with_library(random_case(3));
    EXPECT_EQ(written_page(decoded), written_page(decoded));
}

TEST(Report, NamesCannotLeaveTheData) {
    plain::Case one = pair();
    const std::string bad = "</script><script>alert(1)</script><!-- \xff\xfe \xe2\x82\xac";
    one.graph.ops[0].name = bad;
    one.graph.ops[0].kind = bad + "kind";
    one.graph.tensors[0].name = bad + ":0";
    one.cluster.devices[0].name = "<b>\"d0\"";
    const std::string page = written_page(decode_with_library(one));
    for (const char *id : {"figures", "data"})
        EXPECT_EQ(embedded_json(page, id).find('<'), std::string::npos) << id;
    const Json data = part_of(page, "data");
    const json_t *rest = json_object_get(json_object_get(data.get(), "ops"), "rest");
    EXPECT_EQ(text(rest, 0), "</script><script>alert(1)</script><!-- \xef\xbf\xbd\xef\xbf\xbd "
                             "\xe2\x82\xac");
    EXPECT_EQ(page.find("alert(1)</script>"), std::string::npos);
}

TEST(Report, LargeIntegersAreExact) {
    plain::Case one = pair();
    const int64_t long_time = INT64_C(1) << 53; /* the most that an op may take */
    one.graph.ops[1].cost = {long_time};
    const Json figures = part_of(written_page(decode_with_library(one)), "figures");
    const json_t *makespan = json_object_get(figures.get(), "makespan");
    ASSERT_TRUE(json_is_string(makespan)) << "JavaScript would round a number";
    EXPECT_EQ(integer(makespan), long_time + 7);
}

TEST(Report, TellsOfTheSearchAndItsRivals) {
    const Decoded decoded = decode_with_library(pair());
    const regal_report_point points[] = {{0.5, 10, 40, 7}, {1.5, 20, 9, 0}};
    const regal_report_rival rivals[] = {{"HEFT <1>", 11, 100, 0}};
    const regal_report report = {
        decoded.problem.get(), decoded.plan.get(), "some/graph.json", points, 2, rivals, 1};
    const Json data = part_of(written_page(report), "data");
    const json_t *first = json_array_get(json_object_get(data.get(), "points"), 0);
    EXPECT_EQ(integer(json_object_get(first, "excess")), 7);
    EXPECT_EQ(json_real_value(json_object_get(first, "seconds")), 0.5);
    const json_t *rival = json_array_get(json_object_get(data.get(), "rivals"), 0);
    EXPECT_STREQ(json_string_value(json_object_get(rival, "name")), "HEFT <1>");
    EXPECT_STREQ(json_string_value(json_object_get(data.get(), "title")), "some/graph.json");
}

TEST(Report, ReportsTheEmptyPlan) {
    plain::Case one;
    one.graph.classes = {"x"};
    one.cluster.devices = {{"d0", 0, {}, 0}};
    const std::string page = written_page(decode_with_library(one));
    EXPECT_EQ(integer(json_object_get(part_of(page, "figures").get(), "makespan")), 0);
    EXPECT_TRUE(part_of(page, "data"));
}

TEST(Report, IsAFormatOfPlans) {
    const Decoded decoded = decode_with_library(pair());
    ScratchFolder folder;
    regal_write_options options{};
    options.plan = decoded.plan.get();
    const std::string path = folder / "plan.html";
    ASSERT_EQ(regal_graph_write_as(decoded.graph.get(), &options, path.c_str()), REGAL_OK)
        << regal_error_message();
    char *data = nullptr;
    size_t size = 0;
    ASSERT_EQ(regal_file_read(path.c_str(), &data, &size), REGAL_OK);
    EXPECT_EQ(std::string(data, size), written_page(decoded));
    free(data);
}

TEST(Report, RefusesWhatItCannotReportOrWrite) {
    Decoded decoded = decode_with_library(pair());
    regal_report report{};
    report.problem = decoded.problem.get();
    report.plan = decoded.plan.get();
    EXPECT_TRUE(refused_with(regal_report_write(&report, "/dev/full"), REGAL_OUTPUT_FAILED,
                             "/dev/full: cannot write: No space left"));
    ScratchFolder folder;
    const std::string path = folder / "r.html";
    decoded.plan->makespan++;
    EXPECT_TRUE(
        refused_with(regal_report_write(&report, path.c_str()), REGAL_INVALID_INPUT, "makespan"));
    decoded.plan->makespan--;
    decoded.plan->graph_digest[0] = 'x';
    EXPECT_TRUE(refused_with(regal_report_write(&report, path.c_str()), REGAL_INVALID_ARGUMENT,
                             "not attached"));
    EXPECT_EQ(folder.file_count(), 0);
}

} // namespace

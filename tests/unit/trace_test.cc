#include <gtest/gtest.h>

#include <jansson.h>

#include <cinttypes>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "io/file.h"
#include "support/decoded.h"
#include "support/random_problem.h"
#include "support/refusal.h"
#include "support/scratch_folder.h"

namespace {

struct JsonDelete {
    void operator()(json_t *json) const { json_decref(json); }
};
using Json = std::unique_ptr<json_t, JsonDelete>;

std::string written_trace(const Decoded &decoded) {
    ScratchFolder folder;
    EXPECT_EQ(regal_trace_write(decoded.graph.get(), decoded.plan.get(), (folder / "t").c_str()),
              REGAL_OK)
        << regal_error_message();
    char *data = nullptr;
    size_t size = 0;
    EXPECT_EQ(regal_file_read((folder / "t").c_str(), &data, &size), REGAL_OK);
    const std::string text(data, size);
    free(data);
    return text;
}

/* "1.234" microseconds as 1234 ticks. */
int64_t ticks(const json_t *event, const char *key) {
    return static_cast<int64_t>(json_real_value(json_object_get(event, key)) * 1000 + 0.5);
}

std::string text_of(const json_t *event, const char *key) {
    const char *text = json_string_value(json_object_get(event, key));
    return text != nullptr ? text : "";
}

using Row = std::pair<int64_t, int64_t>; // process, thread

Row row_of(const json_t *event) {
    return {json_integer_value(json_object_get(event, "pid")),
            json_integer_value(json_object_get(event, "tid"))};
}

/* A trace taken apart. */
struct Trace {
    struct Slice {
        std::string name, category;
        Row row;
        int64_t start, finish;
    };
    struct End {
        Row row;
        int64_t tick;
    };
    std::map<Row, std::string> rows;
    std::vector<Slice> slices;
    std::map<int64_t, End> flow_starts, flow_ends;
    std::map<std::string, std::vector<std::pair<int64_t, int64_t>>> counters; // tick, bytes

    explicit Trace(const std::string &text) {
        json_error_t error;
        const Json root(json_loads(text.c_str(), JSON_REJECT_DUPLICATES, &error));
        EXPECT_TRUE(root) << error.text;
        size_t i;
        const json_t *event;
        json_array_foreach(json_object_get(root.get(), "traceEvents"), i, event) {
            add(event, text_of(event, "ph"));
        }
    }

    void add(const json_t *event, const std::string &phase) {
        const json_t *arguments = json_object_get(event, "args");
        const int64_t start = ticks(event, "ts");
        const int64_t id = json_integer_value(json_object_get(event, "id"));
        if (phase == "M" && text_of(event, "name") == "thread_name")
            rows[row_of(event)] = text_of(arguments, "name");
        else if (phase == "X")
            slices.push_back({text_of(event, "name"), text_of(event, "cat"), row_of(event), start,
                              start + ticks(event, "dur")});
        else if (phase == "s")
            EXPECT_TRUE(flow_starts.insert({id, {row_of(event), start}}).second);
        else if (phase == "f")
            EXPECT_TRUE(flow_ends.insert({id, {row_of(event), start}}).second);
        else if (phase == "C")
            counters[text_of(event, "name")].push_back(
                {start, json_integer_value(json_object_get(arguments, "bytes"))});
        else
            EXPECT_EQ(phase, "M");
    }

    /* The slice around a tick of a row. */
    std::string slice_at(const End &end) const {
        for (const Slice &slice : slices)
            if (slice.row == end.row && slice.start <= end.tick && end.tick < slice.finish)
                return slice.name;
        return "none";
    }
};

/* Op a (3 ticks) on d0 feeds b and c (each 2 ticks) on d1 over a link of 4 ticks. */
Decoded fan() {
    plain::Case one;
    one.graph.classes = {"x"};
    for (const char *name : {"a", "b", "c"}) {
        plain::Op op;
        op.name = name;
        op.kind = "Kind";
        op.cost = {name[0] == 'a' ? 3 : 2};
        op.allowed = {{plain::Allowed{name[0] == 'a' ? 0 : 1, {}}}};
        one.graph.ops.push_back(op);
    }
    plain::Tensor tensor;
    tensor.name = "t\"";
    tensor.bytes = 100;
    tensor.consumers = {1, 2, 1};
    one.graph.tensors = {tensor};
    one.cluster.devices = {{"d0", 0, {}, 0}, {"d1", 0, {}, 0}};
    one.cluster.default_link = {4, 0};
    one.chromosome.priority = one.chromosome.placement = {2, 1, 0};
    return decode_with_library(one);
}

TEST(Trace, ShowsOpsTransfersAndArrows) {
    const Trace trace(written_trace(fan()));
    ASSERT_EQ(trace.slices.size(), 4u);
    std::map<std::string, Trace::Slice> slices;
    for (const Trace::Slice &slice : trace.slices)
        slices[slice.name] = slice;
    EXPECT_EQ(trace.rows.at(slices["a"].row), "d0");
    EXPECT_EQ(trace.rows.at(slices["c"].row), "d1");
    EXPECT_EQ(trace.rows.at(slices["t\""].row), "d0 > d1");
    EXPECT_EQ(trace.rows.size(), 3u) << "no row for the idle link";
    EXPECT_EQ(slices["a"].finish, 3);
    EXPECT_EQ(slices["t\""].start, 3);
    EXPECT_EQ(slices["t\""].finish, 7);
    EXPECT_EQ(slices["t\""].category, "transfer");
    EXPECT_EQ(slices["b"].start, 7);
    EXPECT_EQ(slices["c"].finish, 11);
    std::vector<std::string> arrows;
    for (const auto &[id, start] : trace.flow_starts)
        arrows.push_back(trace.slice_at(start) + ">" + trace.slice_at(trace.flow_ends.at(id)));
    EXPECT_EQ(arrows, (std::vector<std::string>{"a>t\"", "t\">b", "t\">c"}));
}

TEST(Trace, CountsLiveBytes) {
    const Trace trace(written_trace(fan()));
    using Steps = std::vector<std::pair<int64_t, int64_t>>;
    EXPECT_EQ(trace.counters.at("d0 memory"), (Steps{{0, 100}, {7, 0}}));
    EXPECT_EQ(trace.counters.at("d1 memory"), (Steps{{0, 0}, {3, 100}, {11, 0}}));
}

TEST(Trace, PrintsTicksExactly) {
    Decoded decoded = fan();
    const int64_t late = (INT64_C(1) << 60) + 1;
    for (int64_t i = 0; i < 3; ++i)
        decoded.plan->start[i] += late;
    const int64_t tick = decoded.plan->start[2];
    char exact[64];
    snprintf(exact, sizeof exact, "\"ts\": %" PRId64 ".%03d,", tick / 1000,
             static_cast<int>(tick % 1000));
    EXPECT_NE(written_trace(decoded).find(exact), std::string::npos) << exact;
}

/* Aliases, outputs, parameters, workspaces, copies: everything that a random case has. */
TEST(Trace, ReachesThePlansPeaks) {
    int traced = 0;
    for (uint64_t seed = 0; seed < 300; ++seed) {
        const Decoded decoded = decode_with_library(random_case(seed));
        if (!decoded.plan)
            continue;
        ++traced;
        const regal_plan &plan = *decoded.plan;
        const Trace trace(written_trace(decoded));
        EXPECT_EQ(static_cast<int64_t>(trace.slices.size()), plan.op_count + plan.transfer_count);
        EXPECT_EQ(trace.flow_starts.size(), trace.flow_ends.size());
        for (int64_t d = 0; d < plan.device_count; ++d) {
            int64_t most = 0, last = -1;
            const std::string name = regal_cluster_device(plan.cluster, d).name;
            for (const auto &[tick, bytes] : trace.counters.at(name + " memory")) {
                EXPECT_GT(tick, last) << "one value a tick";
                last = tick;
                most = std::max(most, bytes);
            }
            EXPECT_EQ(most, plan.peak[d]) << "seed " << seed << " device " << d;
        }
    }
    EXPECT_GT(traced, 200);
}

TEST(Trace, TracesTheEmptyPlan) {
    plain::Case one;
    one.graph.classes = {"x"};
    one.cluster.devices = {{"d0", 0, {}, 0}};
    const Trace trace(written_trace(decode_with_library(one)));
    EXPECT_TRUE(trace.slices.empty());
    EXPECT_EQ(trace.rows.size(), 1u);
}

TEST(Trace, RefusesWhatItCannotTraceOrWrite) {
    const Decoded decoded = fan();
    EXPECT_TRUE(
        refused_with(regal_trace_write(decoded.graph.get(), decoded.plan.get(), "/dev/full"),
                     REGAL_OUTPUT_FAILED, "/dev/full: cannot write: No space left"));
    plain::Case other = random_case(1);
    const GraphPtr graph = make_graph(other.graph);
    EXPECT_TRUE(refused_with(regal_trace_write(graph.get(), decoded.plan.get(), "/dev/null"),
                             REGAL_INVALID_ARGUMENT, "not attached to this graph"));
}

} // namespace

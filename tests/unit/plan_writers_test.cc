// Plans as CSV, as problems for minimalloc and as drawings; graphs in other formats.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <sstream>

#include "support/decoded.h"
#include "support/hlo_reading.h"
#include "support/random_problem.h"
#include "support/refusal.h"
#include "support/scratch_folder.h"

namespace {

using Lines = std::vector<std::string>;

Lines split(const std::string &text, char at) {
    std::stringstream stream(text);
    Lines parts;
    for (std::string part; std::getline(stream, part, at);)
        parts.push_back(part);
    return parts;
}

regal_status write(const Decoded &decoded, const char *format, const std::string &path,
                   bool with_plan = true) {
    const regal_write_options options = {.format = format,
                                         .plan = with_plan ? decoded.plan.get() : nullptr};
    return regal_graph_write_as(decoded.graph.get(), &options, path.c_str());
}

std::string written(const Decoded &decoded, const char *format, bool with_plan = true) {
    const ScratchFolder folder;
    EXPECT_EQ(write(decoded, format, folder / "f", with_plan), REGAL_OK) << regal_error_message();
    return file_text(folder / "f");
}

// "odd, (name)" on d0 (3 ticks, 7 bytes of workspace) feeds b on the other device over a link of 4
// ticks, and c, which takes over its storage, at home; b waits for c, too.
Decoded odd_names() {
    plain::Case one;
    one.graph.name = "a \"graph\"";
    one.graph.classes = {"x"};
    const char *const names[] = {"odd, \"name\"", "b", "c"};
    for (int i = 0; i < 3; ++i) {
        plain::Op op;
        op.name = names[i];
        op.kind = i == 0 ? "Mat\\Mul" : "";
        op.cost = {3 - (i > 0)};
        op.workspace = i == 0 ? 7 : 0;
        op.allowed = {{plain::Allowed{i == 1 ? 1 : 0, {}}}};
        one.graph.ops.push_back(op);
    }
    one.graph.ops[0].group = one.graph.ops[2].group = "g";
    plain::Tensor tensor;
    tensor.name = "t";
    tensor.bytes = 100;
    tensor.consumers = {1, 2, 1};
    one.graph.tensors = {tensor};
    tensor.name = "u";
    tensor.producer = 2;
    tensor.consumers = {};
    tensor.alias_of = 0;
    tensor.output = true;
    one.graph.tensors.push_back(tensor);
    one.graph.control = {{2, 1}};
    one.graph.parameters = {{"w", 50, {1, 2}}};
    one.cluster.devices = {{"dev_0", 0, {}, 0}, {"dev/0", 0, {}, 0}};
    one.cluster.default_link = {4, 0};
    one.chromosome.priority = one.chromosome.placement = {2, 1, 0};
    return decode_with_library(one);
}

TEST(PlanCsv, HasALineForEachOpAndTransferAsTheyStart) {
    EXPECT_EQ(written(odd_names(), "csv"),
              "what,index,name,kind,device,from,start,finish,bytes,workspace\n"
              "op,0,\"odd, \"\"name\"\"\",Mat\\Mul,dev_0,,0,3,100,7\n"
              "op,2,c,,dev_0,,3,5,100,0\n"
              "transfer,0,t,,dev/0,dev_0,3,7,100,0\n"
              "op,1,b,,dev/0,,7,9,0,0\n");
}

TEST(Minimalloc, HasAFileForEachDevice) {
    const ScratchFolder folder;
    ASSERT_EQ(write(odd_names(), "minimalloc", folder / "m"), REGAL_OK) << regal_error_message();
    EXPECT_EQ(file_text(folder / "m/dev_0#0.csv"), "id,lower,upper,size\n"
                                                   "tensor0,0,9,100\n"
                                                   "workspace0,0,3,7\n"
                                                   "parameter0,0,9,50\n");
    EXPECT_EQ(file_text(folder / "m/dev_0#1.csv"), "id,lower,upper,size\n"
                                                   "copy0,3,9,100\n"
                                                   "parameter0,0,9,50\n");
    EXPECT_TRUE(refused_with(write(odd_names(), "minimalloc", "-"), REGAL_INVALID_ARGUMENT,
                             "need a folder"));
    EXPECT_TRUE(refused_with(write(odd_names(), "minimalloc", folder / "m/dev_0#1.csv"),
                             REGAL_OUTPUT_FAILED, "cannot make the folder"));
}

int64_t greatest_sum(const std::string &csv) {
    std::map<int64_t, int64_t> changes;
    const Lines lines = split(csv, '\n');
    for (size_t i = 1; i < lines.size(); ++i) {
        const Lines fields = split(lines[i], ',');
        EXPECT_EQ(fields.size(), 4u);
        const int64_t lower = std::stoll(fields[1]), upper = std::stoll(fields[2]);
        EXPECT_LT(lower, upper);
        EXPECT_GT(std::stoll(fields[3]), 0);
        changes[lower] += std::stoll(fields[3]);
        changes[upper] -= std::stoll(fields[3]);
    }
    int64_t sum = 0, most = 0;
    for (const auto &[tick, change] : changes)
        most = std::max(most, sum += change);
    EXPECT_EQ(sum, 0);
    return most;
}

// Aliases, outputs, parameters, workspaces, copies: everything that a random case has.
TEST(Minimalloc, LiveBytesReachTheCheckersPeak) {
    const ScratchFolder folder;
    int written = 0;
    for (uint64_t seed = 0; seed < 300; ++seed) {
        const Decoded decoded = decode_with_library(random_case(seed));
        if (!decoded.plan)
            continue;
        regal_measure measure;
        const std::string place = folder / std::to_string(seed);
        ASSERT_EQ(regal_plan_check(decoded.graph.get(), decoded.cluster.get(), decoded.plan.get(),
                                   &measure),
                  REGAL_OK);
        ASSERT_EQ(write(decoded, "minimalloc", place), REGAL_OK) << regal_error_message();
        for (int64_t d = 0; d < decoded.plan->device_count; ++d) {
            const std::string name = regal_cluster_device(decoded.cluster.get(), d).name;
            const std::string file = place + "/" + name + ".csv";
            ASSERT_TRUE(std::filesystem::exists(file)) << file;
            EXPECT_EQ(greatest_sum(file_text(file)), measure.peak[d]) << "seed " << seed;
        }
        ++written;
    }
    EXPECT_GT(written, 200);
}

TEST(Dot, DrawsDevicesAsClusters) {
    EXPECT_EQ(written(odd_names(), "dot"), R"(digraph "a \"graph\"" {
node [shape=box];
subgraph cluster_0 {
  label="dev_0";
  op0 [label="odd, \"name\"\nMat\\Mul\n0 to 3"];
  op2 [label="c\n3 to 5"];
}
subgraph cluster_1 {
  label="dev/0";
  op1 [label="b\n7 to 9"];
}
op0 -> op1 [label="100 B", style=bold];
op0 -> op2 [label="100 B"];
op2 -> op1 [style=dashed];
}
)");
}

TEST(Dot, DrawsAGraphWithoutAPlan) {
    EXPECT_EQ(written(odd_names(), "dot", false), R"(digraph "a \"graph\"" {
node [shape=box];
  op0 [label="odd, \"name\"\nMat\\Mul"];
  op1 [label="b"];
  op2 [label="c"];
op0 -> op1 [label="100 B"];
op0 -> op2 [label="100 B"];
op2 -> op1 [style=dashed];
}
)");
}

TEST(Dot, RefusesWhatNobodyCouldRead) {
    const char *const classes[] = {"a"};
    const int64_t cost = 1;
    regal_graph *graph = nullptr;
    ASSERT_EQ(regal_graph_create("g", 1, classes, &graph), REGAL_OK);
    Decoded decoded;
    decoded.graph.reset(graph);
    regal_op op = {};
    op.cost = &cost;
    for (int i = 0; i < 2000; ++i)
        ASSERT_EQ(regal_graph_add_op(graph, &op, nullptr), REGAL_OK);
    EXPECT_NE(written(decoded, "dot"), "");
    ASSERT_EQ(regal_graph_add_op(graph, &op, nullptr), REGAL_OK);
    const ScratchFolder folder;
    EXPECT_TRUE(refused_with(write(decoded, "dot", folder / "f"), REGAL_INVALID_ARGUMENT,
                             "2001 ops could not be read: dot takes at most 2000"));
    EXPECT_EQ(folder.file_count(), 0);
}

TEST(WriteAs, FollowsTheEndingOfTheName) {
    const ScratchFolder folder;
    const Decoded decoded = odd_names();
    for (const auto &[name, start] : std::map<std::string, std::string>{
             {"a.gv", "digraph"}, {"a.dot", "digraph"}, {"a.csv", "what,"}}) {
        const std::string path = folder / name;
        ASSERT_EQ(write(decoded, nullptr, path), REGAL_OK) << regal_error_message();
        EXPECT_EQ(file_text(path).rfind(start, 0), 0u) << name;
    }
    ASSERT_EQ(write(decoded, nullptr, folder / "a", false), REGAL_OK);
    EXPECT_EQ(file_text(folder / "a").rfind("{\n\"format\": \"regal-graph\"", 0), 0u);
}

TEST(WriteAs, RefusesPlansWhereThereIsNoRoomAndTheOtherWayRound) {
    const ScratchFolder folder;
    const Decoded decoded = odd_names();
    const std::string path = folder / "f";
    EXPECT_TRUE(refused_with(write(decoded, "regal-graph", path), REGAL_INVALID_ARGUMENT,
                             "regal-graph has no room for a plan"));
    for (const char *format : {"csv", "minimalloc", "trace"})
        EXPECT_TRUE(refused_with(write(decoded, format, path, false), REGAL_INVALID_ARGUMENT,
                                 "describes a plan"));
    EXPECT_TRUE(
        refused_with(write(decoded, "hlo", path, false), REGAL_INVALID_ARGUMENT, "read only"));
    EXPECT_TRUE(refused_with(write(decoded, nullptr, folder / "a.hlo", false),
                             REGAL_INVALID_ARGUMENT, "a.hlo says hlo, which is read only"));
    EXPECT_TRUE(refused_with(write(decoded, "word", path, false), REGAL_INVALID_ARGUMENT,
                             "no format is named \"word\""));
    decoded.plan->graph_digest[0] ^= 1;
    EXPECT_TRUE(refused_with(write(decoded, "csv", path), REGAL_INVALID_ARGUMENT, "not attached"));
    EXPECT_EQ(folder.file_count(), 0);
}

TEST(WriteAs, KeepsEverythingInARegalGraph) {
    const ScratchFolder folder;
    for (uint64_t seed = 0; seed < 100; ++seed) {
        const Decoded decoded = decode_with_library(random_case(seed));
        const std::string path = folder / "g.json", again = folder / "h.json";
        ASSERT_EQ(write(decoded, "regal-graph", path, false), REGAL_OK) << regal_error_message();
        regal_graph *copy = nullptr;
        ASSERT_EQ(regal_graph_read(path.c_str(), nullptr, &copy), REGAL_OK);
        char digest[17], copied[17];
        regal_graph_digest(decoded.graph.get(), digest);
        regal_graph_digest(copy, copied);
        EXPECT_STREQ(copied, digest) << seed;
        ASSERT_EQ(regal_graph_write(copy, again.c_str()), REGAL_OK);
        EXPECT_EQ(file_text(again), file_text(path)) << seed;
        regal_graph_destroy(copy);
    }
}

} // namespace

#include <gtest/gtest.h>

#include <string>

#include "support/refusal.h"
#include "support/regal_objects.h"
#include "support/scratch_folder.h"
#include "support/warning_list.h"

namespace {

const char *const FULL = R"({"format": "regal-cluster", "version": 1,
 "devices": [{"name": "gpu", "class": 1, "memory": 80}, {"class": "h100"}, {"class": 0}],
 "links": {"default": {"latency": 3, "bytes_per_1000_ticks": 25000},
  "pairs": [{"from": 0, "to": 2, "latency": 0, "bytes_per_1000_ticks": null}]}})";

ClusterPtr parse(const std::string &text) {
    regal_cluster *cluster = nullptr;
    EXPECT_EQ(regal_cluster_parse_json(text.data(), text.size(), "c.json", &cluster), REGAL_OK)
        << regal_error_message();
    return ClusterPtr(cluster);
}

testing::AssertionResult refused(const std::string &text, const std::string &part) {
    regal_cluster *cluster = nullptr;
    const regal_status status =
        regal_cluster_parse_json(text.data(), text.size(), "c.json", &cluster);
    const ClusterPtr owner(cluster);
    return refused_with(status, REGAL_INVALID_INPUT, part);
}

/* A cluster file of these devices and links. */
std::string file_of(const std::string &devices, const std::string &links) {
    return R"({"format": "regal-cluster", "version": 1, "devices": )" + devices +
           ", \"links\": " + links + "}";
}

void expect_full(const regal_cluster *cluster) {
    ASSERT_EQ(regal_cluster_device_count(cluster), 3);
    const regal_device gpu = regal_cluster_device(cluster, 0),
                       named = regal_cluster_device(cluster, 1);
    EXPECT_STREQ(gpu.name, "gpu");
    EXPECT_EQ(gpu.class_index, 1);
    EXPECT_EQ(gpu.class_name, nullptr);
    EXPECT_EQ(gpu.memory, 80);
    EXPECT_STREQ(named.name, "d1");
    EXPECT_STREQ(named.class_name, "h100");
    EXPECT_EQ(named.memory, 0);
    EXPECT_EQ(regal_cluster_default_link(cluster).latency, 3);
    EXPECT_EQ(regal_cluster_default_link(cluster).bytes_per_1000_ticks, 25000);
    int listed = 0;
    EXPECT_EQ(regal_cluster_link(cluster, 0, 2, &listed).bytes_per_1000_ticks, 0);
    EXPECT_EQ(listed, 1);
    regal_cluster_link(cluster, 2, 0, &listed);
    EXPECT_EQ(listed, 0);
}

TEST(ClusterJson, ReadsEveryKey) {
    expect_full(parse(FULL).get());
}

TEST(ClusterJson, WritesWhatItReads) {
    ScratchFolder folder;
    ASSERT_EQ(regal_cluster_write(parse(FULL).get(), (folder / "c").c_str()), REGAL_OK);
    regal_cluster *again = nullptr;
    ASSERT_EQ(regal_cluster_read((folder / "c").c_str(), &again), REGAL_OK)
        << regal_error_message();
    const ClusterPtr owner(again);
    expect_full(again);
}

TEST(ClusterJson, NamesThePlaceOfEachWrongValue) {
    const std::string one = R"([{"class": 0}])", two = R"([{"class": 0}, {"class": 0}])",
                      link = R"({"default": {"latency": 0, "bytes_per_1000_ticks": null}})",
                      pair = R"({"default": {"latency": 0, "bytes_per_1000_ticks": null}, )"
                             R"("pairs": [{"latency": 0, "bytes_per_1000_ticks": 1, )";
    EXPECT_TRUE(refused("", "c.json: is empty"));
    EXPECT_TRUE(refused("[]", "c.json: expected an object, found an array"));
    EXPECT_TRUE(refused("{", "c.json:1:"));
    EXPECT_TRUE(refused(R"({"format": "regal-graph", "version": 1})",
                        "format: expected 'regal-cluster', found 'regal-graph'"));
    EXPECT_TRUE(refused(R"({"format": "regal-cluster", "version": "1"})", "version: expected an"));
    EXPECT_TRUE(refused(file_of("[]", link), "c.json: devices: a cluster has 1..64 devices"));
    EXPECT_TRUE(refused(file_of("{}", link), "c.json: devices: expected an array"));
    std::string many = "[{\"class\": 0}";
    for (int i = 1; i < 65; ++i)
        many += ", {\"class\": 0}";
    EXPECT_TRUE(refused(file_of(many + "]", link), "here are 65"));
    EXPECT_TRUE(refused(file_of(R"([{"class": -1}])", link), "devices[0].class: -1"));
    EXPECT_TRUE(refused(file_of(R"([{"class": []}])", link), "devices[0].class: expected the"));
    EXPECT_TRUE(refused(file_of(R"([{"class": 0, "memory": 1.5}])", link), "devices[0].memory"));
    EXPECT_TRUE(refused(file_of(R"([{"class": 0, "memory": -1}])", link), "devices[0].memory: -1"));
    EXPECT_TRUE(refused(file_of(R"([{"class": 0, "name": 1}])", link), "devices[0].name"));
    EXPECT_TRUE(refused(file_of(R"([{"class": 0, "name": "d1"}, {"class": 0}])", link),
                        "devices[1]: devices 0 and 1 are both named 'd1'"));
    EXPECT_TRUE(refused(file_of(one, "{}"), "links: the key 'default' is missing"));
    EXPECT_TRUE(refused(file_of(one, R"({"default": {"latency": 0}})"),
                        "links.default: the key 'bytes_per_1000_ticks' is missing"));
    for (const std::string rate : {"0", "-5", "1.0"})
        EXPECT_TRUE(refused(
            file_of(one, R"({"default": {"latency": 0, "bytes_per_1000_ticks": )" + rate + "}}"),
            "links.default.bytes_per_1000_ticks: "));
    EXPECT_TRUE(
        refused(file_of(one, R"({"default": {"latency": -1, "bytes_per_1000_ticks": null}})"),
                "links.default.latency: -1"));
    EXPECT_TRUE(refused(file_of(two, pair + R"("from": 0, "to": 2}]})"),
                        "links.pairs[0]: link 0 > 2: there is no device 2"));
    EXPECT_TRUE(refused(file_of(two, pair + R"("from": 1, "to": 1}]})"),
                        "links.pairs[0]: link 1 > 1: a link joins two different devices"));
    EXPECT_TRUE(refused(file_of(two, pair + R"("from": 0, "to": 1}, {"latency": 0, )"
                                            R"("bytes_per_1000_ticks": 1, "from": 0, "to": 1}]})"),
                        "links.pairs[1]: link 0 > 1 is listed twice"));
    EXPECT_TRUE(refused(file_of(two, pair + R"("to": 1}]})"), "links.pairs[0]: the key 'from'"));
}

TEST(ClusterJson, WarnsOfUnknownKeys) {
    WarningList warnings;
    parse(file_of(R"([{"class": 0, "speed": 3}])",
                  R"({"default": {"latency": 0, "bytes_per_1000_ticks": 1}})"));
    ASSERT_EQ(warnings.list.size(), 1u);
    EXPECT_EQ(warnings.list[0], "c.json: devices[0].speed: unknown key, left out");
}

TEST(ClusterJson, SaysWhyFilesFail) {
    regal_cluster *cluster = nullptr;
    EXPECT_TRUE(refused_with(regal_cluster_read("/nowhere/c.json", &cluster), REGAL_INVALID_INPUT,
                             "/nowhere/c.json: cannot open: No such file"));
    EXPECT_TRUE(
        refused_with(regal_cluster_read("/", &cluster), REGAL_INVALID_INPUT, "/: is a folder"));
    const ClusterPtr full = parse(FULL);
    EXPECT_TRUE(refused_with(regal_cluster_write(full.get(), "/dev/full"), REGAL_OUTPUT_FAILED,
                             "/dev/full: cannot write: No space left"));
    EXPECT_TRUE(refused_with(regal_cluster_write(full.get(), "/nowhere/c"), REGAL_OUTPUT_FAILED,
                             "/nowhere/c: cannot create"));
    EXPECT_TRUE(refused_with(regal_cluster_write(full.get(), "/"), REGAL_OUTPUT_FAILED,
                             "/: cannot write: Is a directory"));
}

TEST(ClusterJson, DevicesAreOfTheFirstClassUnlessTold) {
    const std::string text =
        R"({"format": "regal-cluster", "version": 1, "devices": [{}, {"class": null}],
        "links": {"default": {"latency": 0, "bytes_per_1000_ticks": null}, "pairs": []}})";
    regal_cluster *cluster;
    ASSERT_EQ(regal_cluster_parse_json(text.data(), text.size(), "c.json", &cluster), REGAL_OK);
    for (int64_t d : {0, 1}) {
        EXPECT_EQ(regal_cluster_device(cluster, d).class_index, 0);
        EXPECT_EQ(regal_cluster_device(cluster, d).class_name, nullptr);
    }
    regal_cluster_destroy(cluster);
}

} // namespace

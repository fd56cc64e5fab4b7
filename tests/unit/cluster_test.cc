#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "regal/cluster.h"

namespace {

/* A cluster of n devices named d0, d1, ... */
struct Cluster {
    explicit Cluster(int devices = 0) {
        EXPECT_EQ(regal_cluster_create(&it), REGAL_OK);
        for (int i = 0; i < devices; ++i)
            EXPECT_EQ(add({}), REGAL_OK);
    }
    explicit Cluster(regal_cluster *owned) : it(owned) {}
    ~Cluster() { regal_cluster_destroy(it); }
    Cluster(const Cluster &) = delete;
    Cluster &operator=(const Cluster &) = delete;
    regal_status add(regal_device device) { return regal_cluster_add_device(it, &device); }
    regal_cluster *it = nullptr;
};

std::string message() {
    return regal_error_message();
}

void expect_message(const char *part) {
    EXPECT_NE(message().find(part), std::string::npos) << message();
}

TEST(Cluster, StartsWithFreeLinksAndNoDevices) {
    Cluster cluster;
    EXPECT_EQ(regal_cluster_device_count(cluster.it), 0);
    EXPECT_EQ(regal_cluster_default_link(cluster.it).latency, 0);
    EXPECT_EQ(regal_cluster_default_link(cluster.it).bytes_per_1000_ticks, 0);
}

TEST(Cluster, NamesDevicesByIndexUnlessTold) {
    Cluster cluster;
    ASSERT_EQ(cluster.add({nullptr, 2, nullptr, 7}), REGAL_OK);
    ASSERT_EQ(cluster.add({"gpu", 0, "h100", 0}), REGAL_OK);
    const regal_device first = regal_cluster_device(cluster.it, 0);
    EXPECT_STREQ(first.name, "d0");
    EXPECT_EQ(first.class_index, 2);
    EXPECT_EQ(first.class_name, nullptr);
    EXPECT_EQ(first.memory, 7);
    EXPECT_STREQ(regal_cluster_device(cluster.it, 1).name, "gpu");
    EXPECT_STREQ(regal_cluster_device(cluster.it, 1).class_name, "h100");
}

TEST(Cluster, CopiesNames) {
    Cluster cluster;
    std::string name = "first";
    ASSERT_EQ(cluster.add({name.c_str(), 0, nullptr, 0}), REGAL_OK);
    name = "other";
    EXPECT_STREQ(regal_cluster_device(cluster.it, 0).name, "first");
}

TEST(Cluster, RefusesTheSixtyFifthDevice) {
    Cluster cluster(64);
    EXPECT_EQ(cluster.add({}), REGAL_INVALID_INPUT);
    expect_message("64");
    EXPECT_EQ(regal_cluster_device_count(cluster.it), 64);
}

TEST(Cluster, RefusesEqualNamesAndNegativeNumbers) {
    Cluster cluster(2);
    EXPECT_EQ(cluster.add({"d1", 0, nullptr, 0}), REGAL_INVALID_INPUT);
    expect_message("'d1'");
    EXPECT_EQ(cluster.add({"a", -1, nullptr, 0}), REGAL_INVALID_INPUT);
    expect_message("class is negative");
    EXPECT_EQ(cluster.add({"a", 0, nullptr, -5}), REGAL_INVALID_INPUT);
    expect_message("memory is negative (-5)");
    EXPECT_EQ(cluster.add({"a", 0, nullptr, INT64_MAX}), REGAL_INVALID_INPUT);
    expect_message("2^53");
    EXPECT_EQ(regal_cluster_device_count(cluster.it), 2);
}

TEST(Cluster, KeepsTheTwoDirectionsOfAPairApart) {
    Cluster cluster(3);
    ASSERT_EQ(regal_cluster_set_default_link(cluster.it, {5, 100}), REGAL_OK);
    ASSERT_EQ(regal_cluster_set_link(cluster.it, 2, 1, {7, 0}), REGAL_OK);
    int listed = -1;
    EXPECT_EQ(regal_cluster_link(cluster.it, 2, 1, &listed).latency, 7);
    EXPECT_EQ(listed, 1);
    EXPECT_EQ(regal_cluster_link(cluster.it, 1, 2, &listed).latency, 5);
    EXPECT_EQ(listed, 0);
    EXPECT_EQ(regal_cluster_link(cluster.it, 1, 2, nullptr).bytes_per_1000_ticks, 100);
}

TEST(Cluster, RefusesWrongLinks) {
    Cluster cluster(2);
    EXPECT_EQ(regal_cluster_set_link(cluster.it, 0, 2, {}), REGAL_INVALID_INPUT);
    expect_message("no device 2");
    EXPECT_EQ(regal_cluster_set_link(cluster.it, -1, 0, {}), REGAL_INVALID_INPUT);
    expect_message("no device -1");
    EXPECT_EQ(regal_cluster_set_link(cluster.it, 1, 1, {}), REGAL_INVALID_INPUT);
    expect_message("with itself");
    EXPECT_EQ(regal_cluster_set_link(cluster.it, 0, 1, {-1, 0}), REGAL_INVALID_INPUT);
    expect_message("latency is negative");
    EXPECT_EQ(regal_cluster_set_link(cluster.it, 0, 1, {0, -1}), REGAL_INVALID_INPUT);
    expect_message("rate is negative");
    EXPECT_EQ(regal_cluster_set_default_link(cluster.it, {0, -1}), REGAL_INVALID_INPUT);
    EXPECT_EQ(regal_cluster_set_link(cluster.it, 0, 1, {1, 1}), REGAL_OK);
    EXPECT_EQ(regal_cluster_set_link(cluster.it, 0, 1, {1, 1}), REGAL_INVALID_INPUT);
    expect_message("link 0 > 1 is listed twice");
}

TEST(Cluster, ClonesWhole) {
    Cluster cluster(2);
    ASSERT_EQ(cluster.add({"x", 0, "a100", 9}), REGAL_OK);
    ASSERT_EQ(regal_cluster_set_default_link(cluster.it, {1, 2}), REGAL_OK);
    ASSERT_EQ(regal_cluster_set_link(cluster.it, 0, 2, {3, 4}), REGAL_OK);
    regal_cluster *copied = nullptr;
    ASSERT_EQ(regal_cluster_clone(cluster.it, &copied), REGAL_OK);
    Cluster copy(copied);
    ASSERT_EQ(regal_cluster_set_link(cluster.it, 1, 2, {9, 9}), REGAL_OK);
    EXPECT_EQ(regal_cluster_device_count(copy.it), 3);
    EXPECT_STREQ(regal_cluster_device(copy.it, 2).class_name, "a100");
    EXPECT_EQ(regal_cluster_device(copy.it, 2).memory, 9);
    EXPECT_EQ(regal_cluster_link(copy.it, 0, 2, nullptr).latency, 3);
    EXPECT_EQ(regal_cluster_link(copy.it, 1, 2, nullptr).latency, 1);
}

/* The default link of "1" with the given link words. */
regal_link parsed_link(const char *words) {
    Cluster cluster(static_cast<regal_cluster *>(nullptr));
    EXPECT_EQ(regal_cluster_parse("1", words, &cluster.it), REGAL_OK) << words << message();
    return cluster.it != nullptr ? regal_cluster_default_link(cluster.it) : regal_link{-1, -1};
}

int64_t parsed_memory(const char *words) {
    Cluster cluster(static_cast<regal_cluster *>(nullptr));
    EXPECT_EQ(regal_cluster_parse(words, "free", &cluster.it), REGAL_OK) << words << message();
    return cluster.it != nullptr ? regal_cluster_device(cluster.it, 0).memory : -1;
}

TEST(ClusterWords, CountDevices) {
    Cluster cluster(static_cast<regal_cluster *>(nullptr));
    ASSERT_EQ(regal_cluster_parse("4x16GB", REGAL_DEFAULT_LINK, &cluster.it), REGAL_OK);
    EXPECT_EQ(regal_cluster_device_count(cluster.it), 4);
    EXPECT_EQ(regal_cluster_device(cluster.it, 3).memory, INT64_C(16000000000));
    EXPECT_EQ(regal_cluster_device(cluster.it, 3).class_index, 0);
    EXPECT_EQ(regal_cluster_default_link(cluster.it).bytes_per_1000_ticks, 25000);
    EXPECT_EQ(regal_cluster_default_link(cluster.it).latency, 5000);
}

TEST(ClusterWords, KnowDecimalAndBinarySizes) {
    EXPECT_EQ(parsed_memory("3"), 0);
    EXPECT_EQ(parsed_memory("1x7B"), 7);
    EXPECT_EQ(parsed_memory("1x1KB"), 1000);
    EXPECT_EQ(parsed_memory("1x1.5GB"), INT64_C(1500000000));
    EXPECT_EQ(parsed_memory("1x0.1GB"), INT64_C(100000000));
    EXPECT_EQ(parsed_memory("1x.5KiB"), 512);
    EXPECT_EQ(parsed_memory("1x80GiB"), INT64_C(80) << 30);
    EXPECT_EQ(parsed_memory("1x2TiB"), INT64_C(2) << 40);
    EXPECT_EQ(parsed_memory("1x9007.199254740992TB"), INT64_C(1) << 53);
}

TEST(ClusterWords, KnowRatesAndTimes) {
    EXPECT_EQ(parsed_link("free").bytes_per_1000_ticks, 0);
    EXPECT_EQ(parsed_link("free").latency, 0);
    EXPECT_EQ(parsed_link("1MB/s").bytes_per_1000_ticks, 1);
    EXPECT_EQ(parsed_link("1GiB/s").bytes_per_1000_ticks, 1074);
    EXPECT_EQ(parsed_link("0.5TB/s,0ns").bytes_per_1000_ticks, 500000);
    EXPECT_EQ(parsed_link("1GB/s,1.5us").latency, 1500);
    EXPECT_EQ(parsed_link("1GB/s, 2ms").latency, 2000000);
    EXPECT_EQ(parsed_link("1GB/s,1s").latency, 1000000000);
}

TEST(ClusterWords, RefuseEachWrongWordByName) {
    const struct {
        const char *devices, *link, *part;
    } cases[] = {
        {"", "free", "'' describes no devices"},
        {"four", "free", "'four'"},
        {"-1", "free", "'-1'"},
        {"0", "free", "1..64"},
        {"65", "free", "1..64"},
        {"99999999999999999999999", "free", "1..64"},
        {"4y16GB", "free", "'4y16GB'"},
        {"4x", "free", "'4x' lacks a memory size"},
        {"4x16", "free", "'16' is no memory size"},
        {"4x16Gb", "free", "GB"},
        {"4x0GB", "free", "at least one byte"},
        {"4x-1GB", "free", "'-1GB'"},
        {"4x9008TB", "free", "2^53"},
        {"4x1.2.3GB", "free", "'1.2.3GB'"},
        {"4x9999999999999999999GB", "free", "no memory size"},
        {"4", "", "no rate"},
        {"4", "25", "'25' is no rate"},
        {"4", "free,5us", "'free' stands alone"},
        {"4", "freely", "'freely' is no rate"},
        {"4", "25GB", "/s"},
        {"4", "25Gb/s", "'25Gb/s'"},
        {"4", "0GB/s", "too slow"},
        {"4", "1KB/s", "too slow"},
        {"4", "25GB/s,", "'' is no latency"},
        {"4", "25GB/s,5", "'5' is no latency"},
        {"4", "25GB/s,5us,7", "'5us,7'"},
        {"4", "25GB/s,-5us", "'-5us'"},
        {"4", "25GB/s,9999999s", "no latency"},
        {"4", "nan", "'nan'"},
    };
    for (const auto &one : cases) {
        regal_cluster *cluster = nullptr;
        EXPECT_EQ(regal_cluster_parse(one.devices, one.link, &cluster), REGAL_INVALID_ARGUMENT)
            << one.devices << " " << one.link;
        EXPECT_EQ(cluster, nullptr);
        expect_message(one.part);
    }
}

} // namespace

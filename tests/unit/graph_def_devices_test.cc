// What the device strings of a GraphDef mean on a cluster.
#include "support/graph_def_reading.h"
#include "support/warning_list.h"

namespace {

using namespace pbtxt;
using Names = std::vector<std::string>;

class GraphDefDevices : public WithTensorFlow {
  protected:
    struct Device {
        std::string name, device_class;
    };
    static ClusterPtr cluster_of(const std::vector<Device> &devices) {
        regal_cluster *made = nullptr;
        EXPECT_EQ(regal_cluster_create(&made), REGAL_OK);
        for (const Device &one : devices) {
            const regal_device device = {
                .name = one.name.c_str(),
                .class_name = one.device_class.empty() ? nullptr : one.device_class.c_str()};
            EXPECT_EQ(regal_cluster_add_device(made, &device), REGAL_OK);
        }
        return ClusterPtr(made);
    }
    static std::string on(const std::string &name, const std::string &device) {
        return node(name, "Abs", {"x"},
                    type("T", "DT_FLOAT") + (device.empty() ? "" : "device: \"" + device + "\" "));
    }
    static GraphDefGraph read(const std::string &nodes, const std::vector<Device> &devices,
                              regal_stated_devices meaning = REGAL_DEVICES_ALLOWED) {
        const ClusterPtr cluster = cluster_of(devices);
        return GraphDefGraph(placeholder("x", {1}) + nodes,
                             {.stated_devices = meaning, .cluster = cluster.get()});
    }
    static void refuse(const std::string &nodes, const std::vector<Device> &devices,
                       const std::string &part,
                       regal_stated_devices meaning = REGAL_DEVICES_ALLOWED) {
        const ClusterPtr cluster = cluster_of(devices);
        expect_refused(placeholder("x", {1}) + nodes, part,
                       {.stated_devices = meaning, .cluster = cluster.get()});
    }
};

TEST_F(GraphDefDevices, AreThoseOfTheSameNameInAnySpelling) {
    for (const char *name : {"/job:a/replica:0/task:0/device:GPU:1", "/gpu:1", "GPU:1",
                             "/device:GPU:1", "/job:a/gpu:1"})
        for (const char *wanted : {"/job:a/task:0/device:GPU:1", "/device:gpu:1", "GPU:1"})
            EXPECT_EQ(read(on("a", wanted), {{"/device:GPU:0", ""}, {name, ""}}).allowed("a"),
                      Names{"1"})
                << name << " " << wanted;
}

TEST_F(GraphDefDevices, DifferByWhatBothSay) {
    const std::vector<Device> devices = {{"/job:a/task:0/device:GPU:0", ""},
                                         {"/job:a/task:1/device:GPU:0", ""},
                                         {"/job:b/task:0/device:GPU:0", ""}};
    EXPECT_EQ(read(on("a", "/job:a/task:1/device:GPU:0"), devices).allowed("a"), Names{"1"});
    EXPECT_EQ(read(on("a", "/job:a"), devices).allowed("a"), (Names{"0", "1"}));
    EXPECT_EQ(read(on("a", "/device:GPU:*"), devices).allowed("a"), (Names{"0", "1", "2"}));
    EXPECT_EQ(read(on("a", ""), devices).allowed("a"), Names{"any"});
}

TEST_F(GraphDefDevices, CountByKindWhereNoDeviceHasSuchAName) {
    const std::vector<Device> devices = {
        {"d0", "cpu"}, {"d1", "h100"}, {"d2", "h100"}, {"d3", "cpu"}};
    EXPECT_EQ(read(on("a", "/gpu:1"), devices).allowed("a"), Names{"2"});
    EXPECT_EQ(read(on("a", "/device:TPU:0"), devices).allowed("a"), Names{"1"});
    EXPECT_EQ(read(on("a", "/cpu:1"), devices).allowed("a"), Names{"3"});
    EXPECT_EQ(read(on("a", "/job:w/device:CPU:0"), {{"d0", ""}, {"d1", ""}}).allowed("a"),
              Names{"any"})
        << "a cluster without CPUs";
    EXPECT_EQ(read(on("a", "d2"), devices).allowed("a"), Names{"2"}) << "a name as it is";
}

TEST_F(GraphDefDevices, AreLeftOutWhereNoneCanBeHad) {
    WarningList warnings;
    EXPECT_EQ(read(on("a", "/gpu:4") + on("b", "/gpu:5"), {{"d0", ""}}).allowed("b"), Names{"any"});
    ASSERT_EQ(warnings.list.size(), 1u);
    EXPECT_NE(warnings.list[0].find("'/gpu:4'"), std::string::npos);
    refuse(on("a", "/gpu:0") + on("b", "/gpu:5"), {{"d0", ""}, {"d1", ""}},
           "g.pb: node 'b' is placed on '/gpu:5', which is none of the cluster's devices: d0, d1");
}

TEST_F(GraphDefDevices, DoNotCountForWhatIsNoOp) {
    const std::string view = node("v", "Identity", {"x"}, "device: \"/gpu:9\" ");
    const auto graph = read(view + node("a", "Abs", {"v"}, "device: \"/gpu:0\" "), {{"d0", ""}});
    EXPECT_EQ(graph.allowed("a"), Names{"0"});
}

TEST_F(GraphDefDevices, AreThePlanWhereThatIsAsked) {
    const std::vector<Device> devices = {{"d0", ""}, {"d1", ""}};
    const std::string colocated = node("c", "Abs", {"x"}, attr("_class", "list { s: \"loc:@a\" }"));
    const auto graph =
        read(on("a", "/gpu:1") + on("b", "") + colocated, devices, REGAL_DEVICES_PLAN);
    EXPECT_EQ(graph.allowed("a"), Names{"1"});
    EXPECT_EQ(graph.allowed("b"), Names{"0"}) << "the first device";
    EXPECT_EQ(graph.allowed("c"), Names{"1"}) << "that of its group";
    EXPECT_STREQ(regal_graph_option(graph.get(), "stated-devices"), "plan");
    refuse(on("a", "/gpu:2"), devices, "'/gpu:2'", REGAL_DEVICES_PLAN);
    refuse(on("a", "/cpu:0"), devices, "'/cpu:0'", REGAL_DEVICES_PLAN);
}

TEST_F(GraphDefDevices, AreForgottenWhereThatIsAsked) {
    const auto graph = read(on("a", "/gpu:9"), {{"d0", ""}}, REGAL_DEVICES_IGNORED);
    EXPECT_EQ(graph.allowed("a"), Names{"any"});
    EXPECT_STREQ(regal_graph_option(graph.get(), "stated-devices"), "ignore");
}

TEST_F(GraphDefDevices, ArePatternsWithoutACluster) {
    const GraphDefGraph graph(placeholder("x", {1}) + on("a", "/job:w/device:GPU:1") +
                              on("b", "/job:w"));
    EXPECT_EQ(graph.allowed("a"), (Names{"/job:w/device:GPU:1", "GPU:1", "*[:/]GPU:1"}));
    EXPECT_EQ(graph.allowed("b"), Names{"/job:w"});
}

} // namespace

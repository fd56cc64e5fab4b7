// Datasets: what they promise, and that they come out the same however they are made.
#include "regal/dataset.h"

#include <gtest/gtest.h>
#include <jansson.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "dataset/topology.h"
#include "policy/graph_set.h"
#include "support/regal_objects.h"
#include "support/scratch_folder.h"

namespace {

using Values = std::vector<regal_parameter_value>;
using Files = std::map<std::string, std::string>;

const char *const splits[] = {"train", "validation", "test"};

void Make(const std::string &dataset, const Values &values, const std::string &folder) {
    regal_dataset_made made = {};
    ASSERT_EQ(regal_dataset_generate(dataset.c_str(), values.data(), (int64_t)values.size(),
                                     folder.c_str(), nullptr, nullptr, &made),
              REGAL_OK)
        << regal_error_message();
    ASSERT_TRUE(made.complete);
    EXPECT_GT(made.train + made.validation + made.test, 0);
}

void ExpectRefused(const std::string &dataset, const Values &values, const std::string &folder,
                   const std::string &part) {
    EXPECT_EQ(regal_dataset_generate(dataset.c_str(), values.data(), (int64_t)values.size(),
                                     folder.c_str(), nullptr, nullptr, nullptr),
              REGAL_INVALID_ARGUMENT);
    EXPECT_NE(std::string(regal_error_message()).find(part), std::string::npos)
        << regal_error_message();
}

Files ReadAll(const std::string &folder) {
    Files files;
    for (const auto &entry : std::filesystem::recursive_directory_iterator(folder))
        if (entry.is_regular_file()) {
            std::ifstream file(entry.path());
            std::stringstream text;
            text << file.rdbuf();
            files[std::filesystem::relative(entry.path(), folder).string()] = text.str();
        }
    return files;
}

struct Entry {
    std::string generator;
    std::map<std::string, double> values;
    uint64_t seed = 1;
    int64_t count = 1;
    double weight = 1;
    bool unseen = false;
};

std::vector<Entry> ReadEntries(const std::string &path) {
    std::vector<Entry> entries;
    json_t *root = json_load_file(path.c_str(), 0, nullptr);
    EXPECT_NE(root, nullptr) << path;
    size_t i;
    json_t *item, *value;
    json_array_foreach(json_object_get(root, "graphs"), i, item) {
        Entry entry;
        entry.generator = json_string_value(json_object_get(item, "generator"));
        const char *key;
        json_object_foreach(json_object_get(item, "values"), key, value) entry.values[key] =
            json_number_value(value);
        if (json_object_get(item, "seed") != nullptr)
            entry.seed = (uint64_t)json_integer_value(json_object_get(item, "seed"));
        if (json_object_get(item, "count") != nullptr)
            entry.count = json_integer_value(json_object_get(item, "count"));
        if (json_object_get(item, "weight") != nullptr)
            entry.weight = json_number_value(json_object_get(item, "weight"));
        entry.unseen = json_is_true(json_object_get(item, "unseen"));
        entries.push_back(entry);
    }
    json_decref(root);
    return entries;
}

GraphPtr Generate(const Entry &entry, int64_t index = 0) {
    Values values;
    for (const auto &value : entry.values)
        values.push_back({value.first.c_str(), value.second});
    regal_graph *graph = nullptr;
    EXPECT_EQ(regal_graph_generate(entry.generator.c_str(), values.data(), (int64_t)values.size(),
                                   entry.seed + (uint64_t)index, nullptr, &graph),
              REGAL_OK)
        << regal_error_message();
    return GraphPtr(graph);
}

uint64_t Topology(const regal_graph *graph) {
    uint64_t digest = 0;
    EXPECT_EQ(regal_topology_digest(graph, &digest), REGAL_OK);
    return digest;
}

int64_t CountProblems(const std::string &path) {
    regal_graph_set *set = nullptr;
    EXPECT_EQ(regal_graph_set_read(path.c_str(), &set), REGAL_OK) << regal_error_message();
    const int64_t count = set != nullptr ? regal_graph_set_count(set) : 0;
    regal_graph_set_destroy(set);
    return count;
}

// ---- topologies

plain::Graph Diamond(const std::vector<int64_t> &number) {
    plain::Graph graph;
    graph.classes = {"default"};
    for (int64_t v = 0; v < 4; ++v) {
        plain::Op op;
        op.name = "op" + std::to_string(v);
        op.cost = {10 + v};
        graph.ops.push_back(op);
    }
    const auto add = [&](int64_t producer, std::vector<int64_t> consumers) {
        plain::Tensor tensor;
        tensor.name = "t" + std::to_string(producer);
        tensor.producer = number[(size_t)producer];
        tensor.bytes = producer;
        for (const int64_t consumer : consumers)
            tensor.consumers.push_back(number[(size_t)consumer]);
        graph.tensors.push_back(tensor);
    };
    add(0, {1, 2});
    add(1, {3});
    add(2, {3});
    return graph;
}

TEST(Topology, DoesNotDependOnNumbersCostsAndBytes) {
    const plain::Graph graph = Diamond({0, 1, 2, 3});
    plain::Graph other = Diamond({2, 0, 3, 1});
    other.ops[0].cost = {99};
    other.tensors[1].bytes = 77;
    EXPECT_EQ(Topology(make_graph(graph).get()), Topology(make_graph(other).get()));
}

TEST(Topology, ChangesWithAnEdge) {
    const uint64_t digest = Topology(make_graph(Diamond({0, 1, 2, 3})).get());
    plain::Graph graph = Diamond({0, 1, 2, 3});
    graph.tensors[1].consumers.clear();
    EXPECT_NE(Topology(make_graph(graph).get()), digest);
    graph = Diamond({0, 1, 2, 3});
    graph.control = {{1, 2}};
    EXPECT_NE(Topology(make_graph(graph).get()), digest);
    graph = Diamond({0, 1, 2, 3});
    graph.ops.push_back(graph.ops[0]);
    EXPECT_NE(Topology(make_graph(graph).get()), digest);
}

// ---- the zoo

struct ZooDataset : testing::Test {
    static void SetUpTestSuite() {
        folder = std::make_unique<ScratchFolder>();
        Make("zoo", {}, folder->path());
    }
    static void TearDownTestSuite() { folder.reset(); }
    static std::vector<Entry> Entries(const std::string &split) {
        return ReadEntries(*folder / ("time/" + split + ".json"));
    }
    static std::unique_ptr<ScratchFolder> folder;
};
std::unique_ptr<ScratchFolder> ZooDataset::folder;

TEST_F(ZooDataset, HasEveryTopologyOnceAndFiftyToTenThousandOps) {
    std::set<uint64_t> topologies;
    std::set<std::string> families;
    for (const char *split : splits)
        for (const Entry &entry : Entries(split)) {
            const GraphPtr graph = Generate(entry);
            ASSERT_NE(graph, nullptr);
            EXPECT_TRUE(topologies.insert(Topology(graph.get())).second)
                << split << " " << regal_graph_name(graph.get());
            EXPECT_GE(regal_graph_op_count(graph.get()), 50);
            EXPECT_LE(regal_graph_op_count(graph.get()), 10000);
            families.insert(entry.generator);
        }
    EXPECT_GE(topologies.size(), 370u);
    EXPECT_GE(families.size(), 12u);
}

TEST_F(ZooDataset, IsSplitSixtyTwentyTwenty) {
    const double train = (double)Entries("train").size(), test = (double)Entries("test").size();
    const double validation = (double)Entries("validation").size();
    const double all = train + validation + test;
    EXPECT_NEAR(train / all, 0.6, 0.01);
    EXPECT_NEAR(validation / all, 0.2, 0.01);
    EXPECT_NEAR(test / all, 0.2, 0.01);
}

TEST_F(ZooDataset, TestsFamiliesThatNeitherTrainingNorValidationMeets) {
    std::set<std::string> trained, validated, only_tested;
    for (const Entry &entry : Entries("train")) {
        trained.insert(entry.generator);
        EXPECT_FALSE(entry.unseen);
    }
    for (const Entry &entry : Entries("validation")) {
        validated.insert(entry.generator);
        EXPECT_EQ(entry.unseen, trained.count(entry.generator) == 0);
    }
    bool seen = false;
    for (const Entry &entry : Entries("test")) {
        EXPECT_EQ(entry.unseen, trained.count(entry.generator) == 0) << entry.generator;
        seen = seen || !entry.unseen;
        if (entry.unseen) {
            EXPECT_EQ(validated.count(entry.generator), 0u) << entry.generator;
            only_tested.insert(entry.generator);
        }
    }
    EXPECT_TRUE(seen); // unseen topologies of seen families too
    EXPECT_EQ(only_tested, (std::set<std::string>{"seq2seq", "nasnet", "diffusion"}));
}

TEST_F(ZooDataset, DrawsFamiliesAlike) {
    std::map<std::string, double> weights;
    for (const Entry &entry : Entries("train"))
        weights[entry.generator] += entry.weight;
    for (const auto &weight : weights)
        EXPECT_NEAR(weight.second, 1, 1e-4) << weight.first;
}

TEST_F(ZooDataset, IsReadAsSets) {
    for (const std::string objective : {"time", "memory"}) {
        EXPECT_EQ(CountProblems(*folder / (objective + "/train.json")),
                  6 * (int64_t)Entries("train").size());
        EXPECT_EQ(CountProblems(*folder / (objective + "/test.json")),
                  (int64_t)Entries("test").size());
    }
}

TEST(Dataset, OfTheZooIsTheSameForAnyThreadsAndHasItsGraphs) {
    ScratchFolder one, other;
    Make("zoo", {{"greatest_ops", 130}, {"threads", 1}, {"graphs", 1}}, one.path());
    Make("zoo", {{"greatest_ops", 130}, {"threads", 3}, {"graphs", 1}}, other.path());
    const Files files = ReadAll(one.path());
    EXPECT_EQ(files, ReadAll(other.path()));
    size_t graphs = 0;
    for (const auto &file : files)
        graphs += file.first.rfind("graphs/", 0) == 0;
    size_t entries = 0;
    for (const char *split : splits)
        entries += ReadEntries(one / (std::string("time/") + split + ".json")).size();
    EXPECT_EQ(graphs, entries);
}

// ---- the synthetic graphs

int64_t CountGraphs(const std::vector<Entry> &entries) {
    int64_t count = 0;
    for (const Entry &entry : entries)
        count += entry.count;
    return count;
}

TEST(Dataset, OfSyntheticGraphsHasNoTopologyTwice) {
    ScratchFolder folder;
    Make("synthetic", {{"train", 401}, {"validation", 102}, {"test", 63}, {"graphs", 0}},
         folder.path());
    std::set<uint64_t> topologies;
    std::map<std::string, int64_t> families;
    const std::map<std::string, int64_t> counts = {
        {"train", 401}, {"validation", 102}, {"test", 63}};
    for (const auto &split : counts) {
        const auto entries = ReadEntries(folder / ("time/" + split.first + ".json"));
        EXPECT_EQ(CountGraphs(entries), split.second);
        for (const Entry &entry : entries)
            for (int64_t i = 0; i < entry.count; ++i) {
                families[entry.generator]++;
                EXPECT_TRUE(topologies.insert(Topology(Generate(entry, i).get())).second);
            }
        EXPECT_EQ(CountProblems(folder / ("memory/" + split.first + ".json")), split.second);
    }
    ASSERT_EQ(families.size(), 4u);
    for (const auto &family : families)
        EXPECT_NEAR((double)family.second, 566 / 4.0, 2) << family.first;
}

TEST(Dataset, OfSyntheticGraphsIsWrittenAsItIsListed) {
    ScratchFolder folder;
    Make("synthetic", {{"train", 8}, {"validation", 0}, {"test", 0}}, folder.path());
    int64_t read = 0;
    for (const Entry &entry : ReadEntries(folder / "time/train.json"))
        for (int64_t i = 0; i < entry.count; ++i) {
            const std::string path = folder / ("graphs/train/" + entry.generator + "-" +
                                               std::to_string(entry.seed + (uint64_t)i) + ".pbtxt");
            regal_graph *file = nullptr;
            ASSERT_EQ(regal_graph_read(path.c_str(), nullptr, &file), REGAL_OK)
                << regal_error_message();
            char from_file[17], from_recipe[17];
            regal_graph_digest(file, from_file);
            regal_graph_digest(Generate(entry, i).get(), from_recipe);
            EXPECT_STREQ(from_file, from_recipe);
            regal_graph_destroy(file);
            ++read;
        }
    EXPECT_EQ(read, 8);
    EXPECT_FALSE(std::filesystem::exists(folder / "time/test.json"));
}

// A smaller training set has the same test, and its graphs are those that the larger one begins
// with.
TEST(Dataset, OfSyntheticGraphsGrowsAtItsEnd) {
    ScratchFolder small, large;
    Make("synthetic", {{"train", 8}, {"validation", 4}, {"test", 4}}, small.path());
    Make("synthetic", {{"train", 12}, {"validation", 4}, {"test", 4}}, large.path());
    const Files files = ReadAll(large.path());
    for (const auto &file : ReadAll(small.path()))
        if (file.first.rfind("graphs/", 0) == 0) {
            EXPECT_EQ(files.count(file.first), 1u) << file.first;
        }
}

// ---- the filter, with budgets of tests

const Values filtered = {{"train", 5}, {"validation", 2}, {"test", 2},  {"filter", 1},
                         {"low", 50},  {"high", 200},     {"faster", 5}};

Values With(Values values, const char *name, double value) {
    values.push_back({name, value});
    return values;
}

TEST(Dataset, WithRoomForImprovementIsTheSameForAnyThreads) {
    ScratchFolder one, other;
    Make("synthetic", With(filtered, "threads", 1), one.path());
    Make("synthetic", With(filtered, "threads", 3), other.path());
    EXPECT_EQ(ReadAll(one.path()), ReadAll(other.path()));
}

TEST(Dataset, WithRoomForImprovementLeavesGraphsOut) {
    ScratchFolder folder;
    Make("synthetic", filtered, folder.path());
    const std::string verdicts = ReadAll(folder.path()).at("verdicts.txt");
    EXPECT_NE(verdicts.find('-'), std::string::npos);
    EXPECT_EQ(std::count(verdicts.begin(), verdicts.end(), '+'), 9);
}

struct StopAfter {
    int64_t calls;
    static bool Tell(const regal_dataset_progress *, void *context) {
        return --static_cast<StopAfter *>(context)->calls < 0;
    }
};

TEST(Dataset, GoesOnFromWhereItWasStopped) {
    ScratchFolder whole, stopped;
    Make("synthetic", With(filtered, "threads", 1), whole.path());
    const Values values = With(filtered, "threads", 1);
    int64_t stops = 0;
    for (regal_dataset_made made = {}; !made.complete; ++stops) {
        StopAfter stop = {2 + 3 * stops};
        ASSERT_EQ(regal_dataset_generate("synthetic", values.data(), (int64_t)values.size(),
                                         stopped.path().c_str(), StopAfter::Tell, &stop, &made),
                  REGAL_OK)
            << regal_error_message();
        ASSERT_LT(stops, 100);
        if (stops == 0) {
            EXPECT_FALSE(std::filesystem::exists(stopped / "time"));
        }
    }
    EXPECT_GT(stops, 1);
    EXPECT_EQ(ReadAll(stopped.path()), ReadAll(whole.path()));
}

TEST(Dataset, GivesUpAFilterThatNothingPasses) {
    ScratchFolder folder;
    const Values hopeless = {{"train", 1}, {"validation", 0}, {"test", 0},     {"filter", 1},
                             {"low", 1},   {"high", 1},       {"faster", 100}, {"threads", 2}};
    const std::string made = folder / "made";
    EXPECT_EQ(regal_dataset_generate("synthetic", hopeless.data(), (int64_t)hopeless.size(),
                                     made.c_str(), nullptr, nullptr, nullptr),
              REGAL_INFEASIBLE);
    EXPECT_NE(std::string(regal_error_message()).find("choose another cap_erdos_renyi"),
              std::string::npos)
        << regal_error_message();
    EXPECT_EQ(folder.file_count(), 0);
}

TEST(Dataset, IsOfSomeGraphs) {
    ScratchFolder folder;
    const std::string made = folder / "made";
    ExpectRefused("synthetic", {{"train", 0}, {"validation", 0}, {"test", 0}}, made, "no graphs");
    ExpectRefused("zoo", {{"least_ops", 30}, {"greatest_ops", 3}}, made, "no graphs");
    EXPECT_EQ(folder.file_count(), 0);
}

TEST(Dataset, RefusesVerdictsThatItDidNotWrite) {
    const std::string title = "regal-verdicts 1\n";
    const std::string eleven(11, '\n');
    for (const std::string &text :
         {std::string(), std::string("x"), title, title + eleven, title + "+x\n" + eleven}) {
        ScratchFolder folder;
        const Values small = With(With(With(filtered, "train", 1), "validation", 0), "test", 0);
        Make("synthetic", small, folder.path());
        std::ofstream(folder / "verdicts.txt") << text;
        EXPECT_EQ(regal_dataset_generate("synthetic", filtered.data(), 0, folder.path().c_str(),
                                         nullptr, nullptr, nullptr),
                  REGAL_INVALID_ARGUMENT); // other values
        EXPECT_EQ(regal_dataset_generate("synthetic", small.data(), (int64_t)small.size(),
                                         folder.path().c_str(), nullptr, nullptr, nullptr),
                  REGAL_INVALID_INPUT)
            << text;
        EXPECT_NE(std::string(regal_error_message()).find("remove it to begin anew"),
                  std::string::npos);
    }
}

TEST(Dataset, SaysWhatIsWrong) {
    ScratchFolder folder;
    ExpectRefused("nothing", {}, folder.path(), "there is no dataset 'nothing'; there are: ");
    ExpectRefused("zoo", {{"wings", 2}}, folder.path(), "has no parameter 'wings'");
    ExpectRefused("zoo", {{"graphs", 2}}, folder.path(), "graphs is 2");
    Make("zoo", {{"greatest_ops", 60}}, folder.path());
    ExpectRefused("zoo", {{"greatest_ops", 61}}, folder.path(), "made with other values");
}

} // namespace

// Plans in TensorFlow graphs: devices and an order that is the only one, and nothing else changed.
#include <algorithm>
#include <fstream>
#include <iterator>

#include "regal/baseline.h"
#include "regal/optimize.h"
#include "regal/problem.h"
#include "support/graph_def_reading.h"
#include "support/random_problem.h"
#include "support/refusal.h"
#include "support/scratch_folder.h"
#include "support/warning_list.h"

namespace {

using namespace pbtxt;

const std::string f = type("T", "DT_FLOAT");

class GraphDefWrite : public WithTensorFlow {
  protected:
    static std::string content(const std::string &path) {
        std::ifstream file(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    static void save(const std::string &path, const std::string &bytes) {
        std::ofstream(path, std::ios::binary) << bytes;
    }
    static std::string digest(const regal_graph *graph) {
        char text[17];
        regal_graph_digest(graph, text);
        return text;
    }
    static GraphPtr load(const std::string &path, const regal_read_options &options = {}) {
        regal_graph *graph = nullptr;
        EXPECT_EQ(regal_graph_read(path.c_str(), &options, &graph), REGAL_OK)
            << regal_error_message();
        return GraphPtr(graph);
    }
    static regal_status write(const regal_graph *graph, const regal_plan *plan,
                              const std::string &source, const std::string &path,
                              bool drop = false) {
        const regal_write_options options = {.format = "graph-def",
                                             .plan = plan,
                                             .source = source.empty() ? nullptr : source.c_str(),
                                             .drop_unknown = drop};
        return regal_graph_write_as(graph, &options, path.c_str());
    }
    static ClusterPtr cluster_of(const std::string &words) {
        regal_cluster *made = nullptr;
        EXPECT_EQ(regal_cluster_parse(words.c_str(), "25GB/s,1us", &made), REGAL_OK);
        return ClusterPtr(made);
    }
    static PlanPtr plan_of(const regal_graph *graph, const regal_cluster *cluster,
                           regal_baseline method, uint64_t seed) {
        regal_problem *problem = nullptr;
        regal_plan *plan = nullptr;
        EXPECT_EQ(regal_problem_create(graph, cluster, &problem), REGAL_OK)
            << regal_error_message();
        const ProblemPtr owner(problem);
        if (problem == nullptr)
            return nullptr;
        EXPECT_EQ(regal_baseline_plan(problem, method, REGAL_TIME, seed, &plan), REGAL_OK)
            << regal_error_message();
        return PlanPtr(plan);
    }
    ScratchFolder folder;
};

// ---- whether an order is the only one

class Reach {
  public:
    explicit Reach(const regal_graph *graph) : successors_(regal_graph_op_count(graph)) {
        for (int64_t t = 0; t < regal_graph_tensor_count(graph); ++t) {
            const regal_tensor tensor = regal_graph_tensor(graph, t);
            for (int64_t i = 0; i < tensor.consumer_count; ++i)
                successors_[tensor.producer].push_back(tensor.consumers[i]);
        }
        for (int64_t i = 0; i < regal_graph_control_count(graph); ++i) {
            const regal_control_edge edge = regal_graph_control(graph, i);
            successors_[edge.before].push_back(edge.after);
        }
    }
    bool path(int64_t from, int64_t to) const {
        std::vector<bool> seen(successors_.size());
        std::vector<int64_t> open = {from};
        while (!open.empty()) {
            const int64_t op = open.back();
            open.pop_back();
            for (const int64_t next : successors_[op]) {
                if (next == to)
                    return true;
                if (!seen[next]) {
                    seen[next] = true;
                    open.push_back(next);
                }
            }
        }
        return false;
    }

  private:
    std::vector<std::vector<int64_t>> successors_;
};

std::vector<int64_t> order_on(const regal_plan *plan, int64_t device) {
    std::vector<int64_t> ops;
    for (int64_t v = 0; v < plan->op_count; ++v)
        if (plan->placement[v] == device)
            ops.push_back(v);
    std::sort(ops.begin(), ops.end(),
              [&](int64_t a, int64_t b) { return plan->start[a] < plan->start[b]; });
    return ops;
}

// A graph of some 25 nodes of every role.
std::string random_graph(Dice &dice) {
    std::string text =
        placeholder("x", {64, 64}) + variable("w", {64, 64}) + constant("k", {64, 64});
    Texts values = {"x", "w"}, names = {"x", "w", "k"};
    const int64_t count = 10 + dice.below(20);
    for (int64_t i = 0; i < count; ++i) {
        const std::string name = "n" + std::to_string(i);
        Texts inputs = {dice.pick(values)};
        std::string op = dice.pick(Texts{"Abs", "Add", "MatMul", "Identity", "Reshape", "Late"});
        if (op == "Add" || op == "MatMul")
            inputs.push_back(dice.pick(values));
        if (op == "Reshape")
            inputs.push_back("k");
        if (op == "Late") { // a reshape that waits for a shape that is computed
            text += node(name + "s", "Shape", {dice.pick(values)});
            inputs.push_back(name + "s");
            op = "Reshape";
        }
        while (dice.chance(15))
            inputs.push_back("^" + dice.pick(names));
        text += node(name, op, inputs);
        values.push_back(name);
        names.push_back(name);
    }
    return text;
}

TEST_F(GraphDefWrite, MakesThePlansOrderTheOnlyOne) {
    const ClusterPtr cluster = cluster_of("3");
    for (uint64_t seed = 0; seed < 60; ++seed) {
        Dice dice(seed);
        const std::string from = folder / "from.pbtxt",
                          to = folder / (seed % 2 ? "to.pb" : "to.pbtxt");
        save(from, random_graph(dice));
        const GraphPtr graph = load(from);
        const PlanPtr plan = plan_of(graph.get(), cluster.get(), REGAL_RANDOM, seed);
        ASSERT_EQ(write(graph.get(), plan.get(), from, to), REGAL_OK) << regal_error_message();

        const GraphPtr again =
            load(to, {.stated_devices = REGAL_DEVICES_PLAN, .cluster = cluster.get()});
        ASSERT_EQ(regal_graph_op_count(again.get()), plan->op_count);
        for (int64_t v = 0; v < plan->op_count; ++v) {
            const regal_op op = regal_graph_op(again.get(), v);
            ASSERT_STREQ(op.name, regal_graph_op(graph.get(), v).name);
            ASSERT_EQ(op.allowed_count, 1);
            ASSERT_EQ(op.allowed[0].device, plan->placement[v]) << op.name;
        }
        const Reach reach(again.get());
        for (int64_t d = 0; d < plan->device_count; ++d) {
            const std::vector<int64_t> order = order_on(plan.get(), d);
            for (size_t i = 1; i < order.size(); ++i)
                ASSERT_TRUE(reach.path(order[i - 1], order[i])) << seed;
        }
    }
}

TEST_F(GraphDefWrite, GivesAPlanThatIsAsGoodWhenItIsReadBack) {
    const ClusterPtr cluster = cluster_of("2");
    for (uint64_t seed = 0; seed < 10; ++seed) {
        Dice dice(seed);
        save(folder / "from.pbtxt", random_graph(dice));
        const GraphPtr graph = load(folder / "from.pbtxt");
        const PlanPtr plan = plan_of(graph.get(), cluster.get(), REGAL_HEFT, seed);
        ASSERT_EQ(write(graph.get(), plan.get(), folder / "from.pbtxt", folder / "to.pb"),
                  REGAL_OK);
        const GraphPtr again = load(
            folder / "to.pb", {.stated_devices = REGAL_DEVICES_PLAN, .cluster = cluster.get()});
        regal_problem *problem = nullptr;
        ASSERT_EQ(regal_problem_create(again.get(), cluster.get(), &problem), REGAL_OK);
        const ProblemPtr owner(problem);
        regal_options options;
        regal_options_init(&options);
        options.evaluations = 300;
        regal_plan *best = nullptr;
        ASSERT_EQ(regal_optimize(problem, &options, nullptr, nullptr, &best, nullptr), REGAL_OK);
        const PlanPtr held(best);
        EXPECT_LE(best->makespan, plan->makespan) << seed;
    }
}

// ---- loops and branches

std::string loop(const std::string &input) {
    return node("e", "Enter", {input}, f + text("frame_name", "loop")) +
           node("m", "Merge", {"e", "n"}) + node("t", "Mystery", {"m"}, shapes({{}}) + f) +
           node("c", "LoopCond", {"t"}, "") + node("s", "Switch", {"m", "c"}) +
           node("w", "Exp", {"s:1"}) + node("n", "NextIteration", {"w"}) + node("q", "Exit", {"s"});
}

TEST_F(GraphDefWrite, OrdersLoopsByTheirEntersAndExits) {
    save(folder / "from.pbtxt",
         placeholder("x", {64}) + loop("x") + node("a", "Abs", {"x"}) + node("b", "Neg", {"x"}));
    const GraphPtr graph = load(folder / "from.pbtxt");
    const ClusterPtr cluster = cluster_of("1");
    regal_plan *plan = nullptr;
    ASSERT_EQ(regal_plan_create(3, 1, 0, &plan), REGAL_OK);
    const PlanPtr owner(plan);
    // Ops are loop, a, b: first a, then the loop, then b.
    plan->start[0] = 1000000;
    plan->start[1] = 0;
    plan->start[2] = 9000000;
    ASSERT_EQ(regal_plan_attach(plan, graph.get(), cluster.get()), REGAL_OK);
    ASSERT_EQ(write(graph.get(), plan, folder / "from.pbtxt", folder / "to.pbtxt"), REGAL_OK);
    const GraphDefGraph again(content(folder / "to.pbtxt"));
    EXPECT_EQ(again.controls(), (std::set<std::string>{"a>loop", "loop>b"}));
    const std::string written = content(folder / "to.pbtxt");
    size_t devices = 0;
    for (size_t at = written.find("\n  device:"); at != std::string::npos;
         at = written.find("\n  device:", at + 1))
        ++devices;
    EXPECT_EQ(devices, 11u) << "each node has one, those of the loop and the placeholder too";
}

TEST_F(GraphDefWrite, PutsNothingBehindABranchThatMayNotBeTaken) {
    save(folder / "from.pbtxt", placeholder("x", {64}) + placeholder("p", {}) +
                                    node("s", "Switch", {"x", "p"}) + node("t", "Exp", {"s:1"}) +
                                    node("u", "Neg", {"s"}) + node("m", "Merge", {"t", "u"}) +
                                    node("a", "Abs", {"x"}));
    const GraphPtr graph = load(folder / "from.pbtxt");
    const ClusterPtr cluster = cluster_of("1");
    regal_plan *plan = nullptr;
    ASSERT_EQ(regal_plan_create(5, 1, 0, &plan), REGAL_OK);
    const PlanPtr owner(plan);
    const int64_t starts[] = {0, 10000, 20000, 40000, 30000}; // s t u m a
    std::copy(starts, starts + 5, plan->start);
    ASSERT_EQ(regal_plan_attach(plan, graph.get(), cluster.get()), REGAL_OK);
    WarningList warnings;
    ASSERT_EQ(write(graph.get(), plan, folder / "from.pbtxt", folder / "to.pbtxt"), REGAL_OK);
    ASSERT_EQ(warnings.list.size(), 1u);
    EXPECT_NE(warnings.list[0].find("2 ops are in branches"), std::string::npos);
    EXPECT_EQ(GraphDefGraph(content(folder / "to.pbtxt")).controls(),
              (std::set<std::string>{"s>a", "a>m"}));
}

// ---- what is kept

TEST_F(GraphDefWrite, KeepsUnknownFieldsOfBinaryFiles) {
    // node { name: "a" op: "NoOp" 90: "kept" } versions { producer: 27 } 77: "too"
    const std::string binary = std::string("\x0a\x10\x0a\x01"
                                           "a\x12\x04NoOp\xd2\x05\x04kept",
                                           18) +
                               std::string("\x22\x02\x08\x1b\xea\x04\x03too", 10);
    save(folder / "from.pb", binary);
    const GraphPtr graph = load(folder / "from.pb");
    const ClusterPtr cluster = cluster_of("1");
    const PlanPtr plan = plan_of(graph.get(), cluster.get(), REGAL_HEFT, 1);
    ASSERT_EQ(write(graph.get(), plan.get(), folder / "from.pb", folder / "to.pb"), REGAL_OK);
    const std::string written = content(folder / "to.pb");
    EXPECT_NE(written.find("\xd2\x05\x04kept"), std::string::npos);
    EXPECT_NE(written.find("\xea\x04\x03too"), std::string::npos);
    EXPECT_NE(written.find("/device:GPU:0"), std::string::npos);
    EXPECT_TRUE(
        refused_with(write(graph.get(), plan.get(), folder / "from.pb", folder / "to.pbtxt"),
                     REGAL_INVALID_INPUT, "field 77 of a Graph cannot be kept in the text form"));
    EXPECT_EQ(write(graph.get(), plan.get(), folder / "from.pb", folder / "to.pbtxt", true),
              REGAL_OK);
    EXPECT_EQ(content(folder / "to.pbtxt").find("kept"), std::string::npos);
}

TEST_F(GraphDefWrite, NamesUnknownFieldsOfText) {
    save(folder / "from.pbtxt", "node { name: \"a\" op: \"NoOp\" }\nversions {\n  producer: 27\n  "
                                "colour: 3\n}\n");
    const GraphPtr graph = load(folder / "from.pbtxt");
    EXPECT_TRUE(refused_with(write(graph.get(), nullptr, folder / "from.pbtxt", folder / "to.pb"),
                             REGAL_INVALID_INPUT, "from.pbtxt:4:9: unknown field \"colour\""));
    EXPECT_EQ(write(graph.get(), nullptr, folder / "from.pbtxt", folder / "to.pb", true), REGAL_OK);
    EXPECT_EQ(digest(load(folder / "to.pb").get()), digest(graph.get()));
}

TEST_F(GraphDefWrite, WritesAMetaGraphAsOne) {
    const std::string meta = "meta_info_def { tags: \"serve\" } graph_def { " +
                             placeholder("x", {64}) + node("a", "Abs", {"x"}) +
                             "} signature_def { key: \"s\" value { outputs { key: \"o\" value { "
                             "name: \"a:0\" } } } } ";
    for (const std::string &whole :
         {meta, "saved_model_schema_version: 1 meta_graphs { " + meta + "}"}) {
        save(folder / "from.pbtxt", whole);
        const GraphPtr graph = load(folder / "from.pbtxt");
        const ClusterPtr cluster = cluster_of("1");
        const PlanPtr plan = plan_of(graph.get(), cluster.get(), REGAL_HEFT, 1);
        ASSERT_EQ(write(graph.get(), plan.get(), folder / "from.pbtxt", folder / "to.pb"),
                  REGAL_OK);
        const regal_read_options bare = {.stated_devices = REGAL_DEVICES_IGNORED};
        EXPECT_EQ(digest(load(folder / "to.pb", bare).get()), digest(graph.get()));
        const std::string written = content(folder / "to.pb");
        EXPECT_NE(written.find("serve"), std::string::npos);
        EXPECT_NE(written.find("/device:GPU:0"), std::string::npos);
    }
}

TEST_F(GraphDefWrite, RefusesThePlanOfAnotherGraph) {
    save(folder / "one.pbtxt", placeholder("x", {64}) + node("a", "Abs", {"x"}));
    save(folder / "two.pbtxt", placeholder("x", {64}) + node("b", "Abs", {"x"}));
    const GraphPtr graph = load(folder / "one.pbtxt");
    const ClusterPtr cluster = cluster_of("1");
    const PlanPtr plan = plan_of(graph.get(), cluster.get(), REGAL_HEFT, 1);
    EXPECT_TRUE(refused_with(write(graph.get(), plan.get(), folder / "two.pbtxt", folder / "to.pb"),
                             REGAL_INVALID_ARGUMENT, "has no node 'a', which the plan has"));
}

TEST_F(GraphDefWrite, CallsADeviceByWhatLeadsBackToIt) {
    save(folder / "from.pbtxt", placeholder("x", {64}) + node("a", "Abs", {"x"}) +
                                    node("b", "Neg", {"x"}) + node("c", "Exp", {"x"}));
    const char *const clusters[][3] = {{"d0", "d1", "d2"},
                                       {"GPU:0", "d1", "/job:w/device:GPU:0"},
                                       {"/job:a/gpu:0", "/job:b/gpu:0", "/cpu:0"}};
    for (const auto &names : clusters)
        for (const char *first : {"h100", "cpu"}) {
            regal_cluster *made = nullptr;
            ASSERT_EQ(regal_cluster_create(&made), REGAL_OK);
            const ClusterPtr cluster(made);
            const char *profiles[] = {"h100", "cpu"};
            for (int d = 0; d < 3; ++d) {
                const regal_device device = {.name = names[d],
                                             .class_name = d == 0   ? first
                                                           : d == 1 ? "cpu"
                                                                    : "h100"};
                ASSERT_EQ(regal_cluster_add_device(made, &device), REGAL_OK);
            }
            const regal_read_options options = {.profiles = profiles,
                                                .profile_count = 2,
                                                .stated_devices = REGAL_DEVICES_PLAN,
                                                .cluster = made};
            const regal_read_options plain = {.profiles = profiles, .profile_count = 2};
            const GraphPtr graph = load(folder / "from.pbtxt", plain);
            regal_plan *plan = nullptr;
            ASSERT_EQ(regal_plan_create(3, 3, 0, &plan), REGAL_OK);
            const PlanPtr owner(plan);
            for (int64_t v = 0; v < 3; ++v)
                plan->placement[v] = 2 - v;
            ASSERT_EQ(regal_plan_attach(plan, graph.get(), made), REGAL_OK);
            ASSERT_EQ(write(graph.get(), plan, folder / "from.pbtxt", folder / "to.pbtxt"),
                      REGAL_OK);
            const GraphPtr again = load(folder / "to.pbtxt", options);
            ASSERT_NE(again, nullptr);
            for (int64_t v = 0; v < 3; ++v)
                EXPECT_EQ(regal_graph_op(again.get(), v).allowed[0].device, 2 - v) << names[0];
        }
}

// ---- graphs of other formats

TEST_F(GraphDefWrite, AnyGraphComesBackAsItWas) {
    for (uint64_t seed = 0; seed < 300; ++seed) {
        const GraphPtr graph = make_graph(random_case(seed).graph);
        if (regal_graph_validate(graph.get()) != REGAL_OK)
            continue;
        regal_graph_set_option(graph.get(), "profile", "some,thing");
        const std::string path = folder / (seed % 2 ? "g.pb" : "g.pbtxt");
        ASSERT_EQ(write(graph.get(), nullptr, "", path), REGAL_OK) << regal_error_message();
        const GraphPtr again = load(path);
        ASSERT_NE(again, nullptr) << seed;
        ASSERT_EQ(digest(again.get()), digest(graph.get())) << seed;
        EXPECT_STREQ(regal_graph_option(again.get(), "profile"), "some,thing");
        EXPECT_STREQ(regal_graph_name(again.get()), regal_graph_name(graph.get()));
        for (int64_t v = 0; v < regal_graph_op_count(graph.get()); ++v)
            ASSERT_STREQ(regal_graph_op(again.get(), v).kind, regal_graph_op(graph.get(), v).kind);
        for (int64_t t = 0; t < regal_graph_tensor_count(graph.get()); ++t)
            ASSERT_STREQ(regal_graph_tensor(again.get(), t).name,
                         regal_graph_tensor(graph.get(), t).name);
        for (int64_t p = 0; p < regal_graph_parameter_count(graph.get()); ++p)
            ASSERT_STREQ(regal_graph_parameter(again.get(), p).name,
                         regal_graph_parameter(graph.get(), p).name);
    }
}

TEST_F(GraphDefWrite, GivesNodesNamesAndKindsThatTensorFlowHas) {
    plain::Graph plain;
    plain.classes = {"a"};
    for (const char *name : {"a b", "a_b", "^x:0", "regal_graph", "\xc3\xa9"}) {
        plain::Op op;
        op.name = name;
        op.kind = plain.ops.empty() ? "RegalGraph" : plain.ops.size() == 1 ? "x y" : "";
        op.cost = {1};
        plain.ops.push_back(op);
    }
    plain::Parameter parameter;
    parameter.name = "a b";
    parameter.ops = {0};
    plain.parameters.push_back(parameter);
    const GraphPtr graph = make_graph(plain);
    ASSERT_EQ(write(graph.get(), nullptr, "", folder / "g.pbtxt"), REGAL_OK);
    const GraphPtr again = load(folder / "g.pbtxt");
    EXPECT_EQ(digest(again.get()), digest(graph.get()));
    const std::string text = content(folder / "g.pbtxt");
    EXPECT_EQ(text.find("name: \"a b"), std::string::npos);
    EXPECT_EQ(text.find("op: \"x y"), std::string::npos);
    EXPECT_STREQ(regal_graph_op(again.get(), 0).kind, "RegalGraph");
}

TEST_F(GraphDefWrite, PutsAPlanIntoAGraphOfAnotherFormat) {
    const plain::Case one = random_case(7);
    const GraphPtr graph = make_graph(one.graph);
    const ClusterPtr cluster = make_cluster(one.cluster);
    const PlanPtr plan = plan_of(graph.get(), cluster.get(), REGAL_RANDOM, 1);
    ASSERT_NE(plan, nullptr);
    ASSERT_EQ(write(graph.get(), plan.get(), "", folder / "g.pb"), REGAL_OK);
    const GraphPtr bare = load(folder / "g.pb", {.stated_devices = REGAL_DEVICES_IGNORED});
    EXPECT_EQ(digest(bare.get()), digest(graph.get())) << "the order stands beside the graph";
    const GraphPtr placed =
        load(folder / "g.pb", {.stated_devices = REGAL_DEVICES_PLAN, .cluster = cluster.get()});
    ASSERT_NE(placed, nullptr);
    for (int64_t v = 0; v < plan->op_count; ++v)
        EXPECT_EQ(regal_graph_op(placed.get(), v).allowed[0].device, plan->placement[v]);
}

TEST_F(GraphDefWrite, SaysWhatIsWrongWithAGraphOfItsOwnThatWasChanged) {
    const GraphPtr graph = make_graph(random_case(3).graph);
    ASSERT_EQ(write(graph.get(), nullptr, "", folder / "g.pbtxt"), REGAL_OK);
    const std::string text = content(folder / "g.pbtxt");
    for (const char *key : {"_regal_cost", "_regal_tensors", "_regal_tensor_names",
                            "_regal_classes", "_regal_version"}) {
        std::string changed = text;
        const size_t at = changed.find(key);
        ASSERT_NE(at, std::string::npos) << key;
        changed[at + 1] = 'R';
        expect_refused(changed, std::string(key) == "_regal_tensor_names" ? "_regal_tensors" : key);
    }
}

// ---- the graphs of other projects

TEST_F(GraphDefWrite, TakesPlansForTheSharedGraphs) {
    const char *shared = getenv("REGAL_SHARED");
    const std::string graphs =
        std::string(shared != nullptr ? shared : REGAL_SOURCE_DIR "/../shared") +
        "/graphs/graphdef";
    if (!std::filesystem::is_directory(graphs))
        GTEST_SKIP() << "the shared graphs are not there";
    const ClusterPtr cluster = cluster_of("2");
    for (const auto &entry : std::filesystem::directory_iterator(graphs)) {
        const std::string path = entry.path().string();
        WarningList warnings;
        const regal_read_options options = {
            .assume_bytes = true, .assumed_bytes = 4000, .stated_devices = REGAL_DEVICES_IGNORED};
        regal_read_options placed = options;
        placed.stated_devices = REGAL_DEVICES_PLAN;
        placed.cluster = cluster.get();
        const GraphPtr graph = load(path, options);
        ASSERT_NE(graph, nullptr);
        const PlanPtr plan = plan_of(graph.get(), cluster.get(), REGAL_RANDOM, 1);
        for (const char *to : {"to.pb", "to.pbtxt"}) {
            ASSERT_EQ(write(graph.get(), plan.get(), path, folder / to), REGAL_OK)
                << regal_error_message();
            const GraphPtr again = load(folder / to, placed);
            ASSERT_NE(again, nullptr);
            for (int64_t v = 0; v < plan->op_count; ++v)
                ASSERT_EQ(regal_graph_op(again.get(), v).allowed[0].device, plan->placement[v]);
        }
    }
}

} // namespace

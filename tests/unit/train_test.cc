// Training: the whole loop on small graphs.
#include "regal/train.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "policy/policy.h"
#include "policy/train/lesson.h"
#include "regal/generate.h"
#include "support/scratch_folder.h"

namespace {

using Watch = std::function<bool(const regal_train_progress &)>;

bool call_watch(const regal_train_progress *progress, void *context) {
    return (*static_cast<Watch *>(context))(*progress);
}

class Training : public testing::Test {
  protected:
    Training() {
        regal_train_options_init(&options);
        options.validation_count = 8;
        options.validate_every = 1000;
        options.batch = 4;
        options.samples = 16;
        write_set("memory", 2, "[40, 60]");
    }

    void write_set(const std::string &objective, int devices, const std::string &ops) {
        std::ofstream file(set);
        file << R"({"format": "regal-set", "version": 1, "name": "small", "objective": ")"
             << objective << R"(", "clusters": [{"devices": )" << devices << R"(, "ccr": 2}],)"
             << R"("graphs": [{"generator": "watts-strogatz", "values": {"ops": )" << ops
             << R"(}, "seed": 1, "count": 4}, {"generator": "erdos-renyi", "values": {"ops": )"
             << ops << R"(}, "seed": 1, "count": 4}]})";
    }

    // Trains to `name`; returns the last that was reported.
    regal_train_progress train(const std::string &name, Watch watch = nullptr) {
        regal_train_progress last{};
        Watch all = [&](const regal_train_progress &progress) {
            last = progress;
            return watch != nullptr && watch(progress);
        };
        EXPECT_EQ(
            regal_train(set.c_str(), path(name).c_str(), &options, call_watch, &all, &stopped),
            REGAL_OK)
            << regal_error_message();
        return last;
    }

    std::string path(const std::string &name) const { return folder.path() + "/" + name; }

    std::vector<float> parameters_of(const std::string &name) const {
        regal_policy *policy;
        if (regal_policy_read(path(name).c_str(), &policy) != REGAL_OK) {
            ADD_FAILURE() << regal_error_message();
            return {};
        }
        const std::vector<float> parameters(policy->parameters,
                                            policy->parameters + policy->parameter_count);
        regal_policy_destroy(policy);
        return parameters;
    }

    bool exists(const std::string &name) const { return std::ifstream(path(name)).good(); }

    ScratchFolder folder;
    const std::string set = folder.path() + "/set.json";
    regal_train_options options;
    bool stopped = false;
};

TEST_F(Training, LiftsTheSearchAboveTheUniformOne) {
#ifdef __SANITIZE_THREAD__
    GTEST_SKIP() << "takes minutes there; the other tests run the same code";
#endif
    write_set("memory", 2, "[90, 130]");
    options.batch = 8;
    options.samples = 32;
    options.order_steps = 60;
    options.plan_steps = 20;
    options.search_steps = 2;
    options.search_batch = 2;
    double first = NAN;
    const regal_train_progress last = train("policy", [&](const regal_train_progress &progress) {
        if (std::isnan(first))
            first = progress.gain_5000; // untrained
        return false;
    });
    EXPECT_GT(last.best, first + 1);
    EXPECT_GT(last.best, 1);
    EXPECT_GT(last.gain_1000, 2);
    EXPECT_EQ(last.step, 82);
    EXPECT_TRUE(exists("policy"));
}

TEST_F(Training, GoesOnFromACheckpointAsIfItHadNeverStopped) {
    options.order_steps = options.plan_steps = options.search_steps = 4;
    options.search_batch = 1;
    options.search_samples = 4;
    options.validate_every = 3;
    options.validation_count = 1;
    options.threads = 2;
    train("whole");
    for (const int64_t stop : {3, 6, 10}) {
        const std::string name = "parts" + std::to_string(stop);
        options.threads = 1;
        train(name, [&](const regal_train_progress &progress) { return progress.step == stop; });
        EXPECT_TRUE(stopped);
        EXPECT_FALSE(exists(name));
        options.threads = 3;
        train(name);
        EXPECT_FALSE(stopped);
        EXPECT_EQ(parameters_of(name), parameters_of("whole")) << stop;
    }
}

// The callback comes during set-up and validation, too.
TEST_F(Training, CanBeStoppedAtAnyCall) {
    options.order_steps = 3;
    options.plan_steps = 2;
    options.search_steps = 0;
    options.validate_every = 2;
    options.validation_count = 2;
    options.checkpoint_every = 100;
    options.threads = 1;
    train("whole");
    int64_t runs = 0, calls = 0;
    do {
        const int64_t stop = 2 + 3 * runs++;
        calls = 0;
        train("parts", [&](const regal_train_progress &) { return ++calls == stop; });
    } while (stopped);
    EXPECT_GT(runs, 3);
    EXPECT_EQ(parameters_of("parts"), parameters_of("whole"));
}

TEST_F(Training, LearnsForTimeOnFourDevices) {
    write_set("time", 4, "[40, 60]");
    options.order_steps = options.search_steps = 0;
    options.plan_steps = 60;
    double first = NAN;
    const regal_train_progress last = train("policy", [&](const regal_train_progress &progress) {
        if (std::isnan(first))
            first = progress.gain_1000;
        return false;
    });
    EXPECT_GT(last.gain_1000, first);
}

TEST_F(Training, LogsEachStepOnce) {
    options.order_steps = 5;
    options.plan_steps = options.search_steps = 0;
    train("policy", [](const regal_train_progress &progress) { return progress.step == 2; });
    std::ofstream(path("policy.log"), std::ios::app) << "what came after the checkpoint\n";
    train("policy");
    std::ifstream log(path("policy.log"));
    int64_t step = 0;
    for (std::string line; std::getline(log, line);)
        EXPECT_NE(line.find("\"step\":" + std::to_string(++step) + ","), std::string::npos) << line;
    EXPECT_EQ(step, 5);
}

TEST_F(Training, GoesOnWithoutItsLog) {
    options.order_steps = 4;
    options.plan_steps = options.search_steps = 0;
    train("policy", [](const regal_train_progress &progress) { return progress.step == 2; });
    std::filesystem::remove(path("policy.log"));
    train("policy");
    std::ifstream log(path("policy.log"));
    std::string first;
    std::getline(log, first);
    EXPECT_NE(first.find("\"step\":3,"), std::string::npos) << first;
}

TEST_F(Training, RefusesToGoOnWithOtherGraphs) {
    const auto write_graph = [&](double ops) {
        const regal_parameter_value value = {"ops", ops};
        regal_graph *graph;
        ASSERT_EQ(regal_graph_generate("layered", &value, 1, 1, nullptr, &graph), REGAL_OK);
        EXPECT_EQ(regal_graph_write(graph, path("graph.json").c_str()), REGAL_OK);
        regal_graph_destroy(graph);
    };
    std::ofstream(set) << R"({"format": "regal-set", "version": 1, "name": "small",
        "objective": "memory", "clusters": [{"devices": 2, "link": "free"}],
        "graphs": [{"file": "graph.json"}]})";
    write_graph(20);
    options.order_steps = 2;
    options.plan_steps = options.search_steps = 0;
    train("policy", [](const regal_train_progress &progress) { return progress.step == 1; });
    write_graph(21);
    EXPECT_EQ(
        regal_train(set.c_str(), path("policy").c_str(), &options, nullptr, nullptr, &stopped),
        REGAL_INVALID_INPUT);
}

TEST_F(Training, RefusesTheCheckpointOfAnother) {
    options.order_steps = 2;
    options.plan_steps = options.search_steps = 0;
    train("policy", [](const regal_train_progress &progress) { return progress.step == 1; });
    options.seed = 2;
    EXPECT_EQ(
        regal_train(set.c_str(), path("policy").c_str(), &options, nullptr, nullptr, &stopped),
        REGAL_INVALID_INPUT);
    EXPECT_NE(std::string(regal_error_message()).find("policy.checkpoint"), std::string::npos)
        << regal_error_message();
}

TEST_F(Training, RefusesATruncatedCheckpoint) {
    options.order_steps = 2;
    options.plan_steps = options.search_steps = 0;
    train("policy", [](const regal_train_progress &progress) { return progress.step == 1; });
    std::ofstream(path("policy.checkpoint"), std::ios::trunc) << "nothing";
    EXPECT_EQ(
        regal_train(set.c_str(), path("policy").c_str(), &options, nullptr, nullptr, &stopped),
        REGAL_INVALID_INPUT);
}

TEST(Advantages, AreTakenAgainstTheOthersOfTheGroup) {
    const double cost[] = {1, 3, 10, 20};
    double advantage[4];
    regal_advantages(cost, 4, 2, advantage);
    EXPECT_GT(advantage[0], 0);
    EXPECT_DOUBLE_EQ(advantage[0], -advantage[1]);
    EXPECT_DOUBLE_EQ(advantage[2], -advantage[3]);
    EXPECT_DOUBLE_EQ(advantage[2] / advantage[0], 5);
    const double squares = advantage[0] * advantage[0] + advantage[1] * advantage[1] +
                           advantage[2] * advantage[2] + advantage[3] * advantage[3];
    EXPECT_NEAR(squares / 4, 1, 1e-12);
}

TEST(Advantages, AreZeroWhereAllCostTheSame) {
    const double cost[] = {2, 2, 2};
    double advantage[3];
    regal_advantages(cost, 3, 3, advantage);
    for (const double a : advantage)
        EXPECT_EQ(a, 0);
}

} // namespace

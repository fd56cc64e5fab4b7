// Evaluation: what is compared, the figures made of it, and that nothing depends on threads.
#include "regal/evaluate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <memory>
#include <random>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "policy/evaluate_statistics.h"
#include "regal/regal.h"
#include "support/refusal.h"
#include "support/scratch_folder.h"

namespace {

struct EvaluationDelete {
    void operator()(regal_evaluation *evaluation) const { regal_evaluation_destroy(evaluation); }
};
using EvaluationPtr = std::unique_ptr<regal_evaluation, EvaluationDelete>;
using Rows = std::vector<regal_evaluation_row>;

Rows RowsOf(const EvaluationPtr &evaluation) {
    Rows rows;
    regal_evaluation_row row;
    for (int64_t i = 0; regal_evaluation_summary(evaluation.get(), i, &row); ++i)
        rows.push_back(row);
    return rows;
}

std::string Content(const std::string &path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

class Evaluate : public testing::Test {
  protected:
    Evaluate() {
        regal_evaluate_options_init(&options);
        options.search.policy = "none";
        options.budgets = budgets;
        options.budget_count = 2;
        options.repeats = 2;
        options.threads = 2;
        WriteSet("memory", R"({"devices": 2, "link": "free"})");
    }

    void WriteSet(const std::string &objective, const std::string &cluster) {
        std::ofstream(set()) << R"({"format": "regal-set", "version": 1, "name": "small",
            "objective": ")" << objective
                             << R"(", "clusters": [)" << cluster << R"(], "graphs": [
            {"generator": "erdos-renyi", "values": {"ops": 25, "cost_unit": 500}, "count": 2},
            {"generator": "layered", "values": {"ops": 25, "cost_unit": 500}, "count": 2,
             "unseen": true}]})";
    }

    regal_status Try(EvaluationPtr *evaluation) {
        regal_evaluation *made = nullptr;
        const regal_status status =
            regal_evaluate(set().c_str(), &options, callback, context, &made);
        evaluation->reset(made);
        return status;
    }
    EvaluationPtr Run() {
        EvaluationPtr evaluation;
        EXPECT_EQ(Try(&evaluation), REGAL_OK) << regal_error_message();
        return evaluation;
    }
    void ExpectRefused(regal_status expected, const std::string &part) {
        EvaluationPtr evaluation;
        EXPECT_TRUE(refused_with(Try(&evaluation), expected, part));
        EXPECT_EQ(evaluation, nullptr);
    }
    std::string Written(const EvaluationPtr &evaluation, const std::string &name) {
        EXPECT_EQ(regal_evaluation_write(evaluation.get(), (folder / name).c_str()), REGAL_OK);
        return Content(folder / name);
    }
    // Without what depends on the clock.
    std::string Timeless(const EvaluationPtr &evaluation) {
        const std::string text = Written(evaluation, "timeless.json");
        return std::regex_replace(text, std::regex(R"(seconds": (\[[^\]]*\]|[^,}]*))"), "");
    }
    std::string set() const { return folder / "set.json"; }

    ScratchFolder folder;
    const int64_t budgets[2] = {200, 600};
    regal_evaluate_options options;
    regal_evaluate_callback *callback = nullptr;
    void *context = nullptr;
};

TEST(Sample, KnowsMeanAndStandardError) {
    const double values[] = {1, 2, 3, 4, 5};
    regal_sample sample;
    regal_sample_describe(values, 5, &sample);
    EXPECT_DOUBLE_EQ(sample.mean, 3);
    EXPECT_DOUBLE_EQ(sample.error, std::sqrt(2.5 / 5));
    /* By hand: the mean of five draws has a deviation of sqrt(2 / 5); its 2.5 % point is 1.8. */
    EXPECT_NEAR(sample.low, 1.8, 0.2);
    EXPECT_NEAR(sample.high, 4.2, 0.2);
}

TEST(Sample, CoversTheMeanNineteenTimesOfTwenty) {
    std::mt19937 random(5);
    int covered = 0;
    for (int trial = 0; trial < 100; ++trial) {
        std::vector<double> values;
        for (int i = 0; i < 40; ++i) /* of mean 6 and deviation 1, nearly normal */
            values.push_back([&] {
                double sum = 0;
                for (int k = 0; k < 12; ++k)
                    sum += (double)random() / 4294967296.0;
                return sum;
            }());
        regal_sample sample;
        regal_sample_describe(values.data(), 40, &sample);
        EXPECT_NEAR(sample.high - sample.low, 2 * 1.96 * sample.error, 0.12 * sample.error * 3.92);
        covered += sample.low <= 6 && 6 <= sample.high;
    }
    EXPECT_NEAR(covered, 93, 9); /* of forty, the percentiles lie a little too close */
}

TEST(Sample, OfOneValueOrNone) {
    const double value = 7;
    regal_sample sample;
    regal_sample_describe(&value, 1, &sample);
    EXPECT_EQ(sample.mean, 7);
    EXPECT_TRUE(std::isnan(sample.error)) << "one value does not say how far off it is";
    EXPECT_TRUE(std::isnan(sample.low) && std::isnan(sample.high));
    regal_sample_describe(&value, 0, &sample);
    EXPECT_TRUE(std::isnan(sample.mean));
}

TEST_F(Evaluate, OfNoPolicyGainsNothing) {
    const EvaluationPtr evaluation = Run();
    const Rows rows = RowsOf(evaluation);
    const std::vector<std::string> groups = {"all", "seen", "unseen", "erdos-renyi", "layered"};
    ASSERT_EQ(rows.size(), 13u);
    for (size_t i = 0; i < 10; ++i) {
        EXPECT_EQ(rows[i].group, groups[i % 5]);
        EXPECT_EQ(rows[i].budget, budgets[i / 5]);
        EXPECT_EQ(rows[i].reference_budget, rows[i].budget);
        EXPECT_EQ(rows[i].problems, i % 5 == 0 ? 4 : 2);
        EXPECT_EQ(rows[i].compared, rows[i].problems);
        EXPECT_EQ(rows[i].gain, 0);
        EXPECT_EQ(rows[i].low, 0);
        EXPECT_EQ(rows[i].high, 0);
        EXPECT_EQ(rows[i].won, 0);
        EXPECT_EQ(rows[i].feasible, 1);
        EXPECT_GT(rows[i].seconds, 0);
        EXPECT_TRUE(std::isnan(rows[i].captured));
    }
    for (size_t i = 10; i < 13; ++i) {
        EXPECT_EQ(rows[i].group, groups[i - 10]);
        EXPECT_EQ(rows[i].budget, 200);
        EXPECT_EQ(rows[i].reference_budget, 600);
        EXPECT_LE(rows[i].gain, 0);
    }
    EXPECT_LT(rows[10].gain, 0);
    const regal_evaluation_facts facts = regal_evaluation_describe(evaluation.get());
    EXPECT_STREQ(facts.set, "small");
    EXPECT_STREQ(facts.policy, "none");
    EXPECT_EQ(facts.problems, 4);
    EXPECT_EQ(facts.finished, 4);
    EXPECT_FALSE(facts.capped);
    EXPECT_FALSE(facts.stopped);
}

TEST_F(Evaluate, GivesTheSameForAnyThreads) {
    options.search.policy = "untrained";
    options.threads = 1;
    const std::string one = Timeless(Run());
    options.threads = 3;
    EXPECT_EQ(Timeless(Run()), one);
}

TEST_F(Evaluate, RunsWhatRegalOptimizeWould) {
    options.budget_count = 1;
    options.repeats = 1;
    const std::string text = Written(Run(), "raw.json");
    const regal_parameter_value values[] = {{"ops", 25}, {"cost_unit", 500}};
    regal_graph *graph = nullptr;
    regal_cluster *cluster = nullptr;
    regal_problem *problem = nullptr;
    regal_plan *plan = nullptr;
    ASSERT_EQ(regal_graph_generate("erdos-renyi", values, 2, 1, nullptr, &graph), REGAL_OK);
    ASSERT_EQ(regal_cluster_parse("2", "free", &cluster), REGAL_OK);
    ASSERT_EQ(regal_problem_create(graph, cluster, &problem), REGAL_OK);
    regal_options search;
    regal_evaluate_search_init(&search);
    search.objective = "memory";
    search.evaluations = 200;
    search.seed = 1;
    ASSERT_EQ(regal_optimize(problem, &search, nullptr, nullptr, &plan, nullptr), REGAL_OK);
    const std::string value = std::to_string(regal_plan_fitness(plan, REGAL_MEMORY).value[1]);
    std::smatch found;
    ASSERT_TRUE(std::regex_search(text, found, std::regex(R"("values": \[(\d+)\])")));
    EXPECT_EQ(found[1], value);
    regal_plan_destroy(plan);
    regal_problem_destroy(problem);
    regal_cluster_destroy(cluster);
    regal_graph_destroy(graph);
}

TEST_F(Evaluate, FindsThatSeedsHelpAgainstTime) {
    WriteSet("time", R"({"devices": 4, "ccr": 2})");
    options.search.policy = "heft-seed";
    const Rows rows = RowsOf(Run());
    EXPECT_GT(rows[0].gain, 3);
    EXPECT_GT(rows[0].won, 0.9);
    EXPECT_LE(rows[0].low, rows[0].gain);
    EXPECT_GE(rows[0].high, rows[0].gain);
    EXPECT_GT(rows[0].error, 0);
}

TEST_F(Evaluate, ReusesTheReferenceOfAnEarlierRun) {
    const std::string earlier = Written(Run(), "earlier.json");
    /* Twice the values: a reference that was run anew would not show this gain. */
    std::string changed;
    const std::regex number(R"("reference": \{"values": \[(\d+), (\d+)\])");
    std::sregex_iterator at(earlier.begin(), earlier.end(), number), end;
    size_t copied = 0;
    for (; at != end; ++at) {
        changed += earlier.substr(copied, (size_t)at->position() - copied);
        changed += R"("reference": {"values": [)" + std::to_string(2 * std::stoll((*at)[1])) +
                   ", " + std::to_string(2 * std::stoll((*at)[2])) + "]";
        copied = (size_t)(at->position() + at->length());
    }
    changed += earlier.substr(copied);
    std::ofstream(folder / "changed.json") << changed;
    const std::string path = folder / "changed.json";
    options.baseline = path.c_str();
    for (const regal_evaluation_row &row : RowsOf(Run()))
        if (row.budget == row.reference_budget) {
            EXPECT_NEAR(row.gain, 50, 1e-9);
            EXPECT_EQ(row.won, 1);
        }
    options.repeats = 3; /* the third is not there */
    const Rows rows = RowsOf(Run());
    EXPECT_GT(rows[0].gain, 30);
    EXPECT_LT(rows[0].gain, 49);
}

TEST_F(Evaluate, RoundTripsAsABaseline) {
    options.search.policy = "bytes-freed";
    const EvaluationPtr first = Run();
    Written(first, "first.json");
    const std::string path = folder / "first.json";
    options.baseline = path.c_str();
    EXPECT_EQ(Timeless(Run()), Timeless(first));
}

TEST_F(Evaluate, RefusesABaselineOfSomethingElse) {
    Written(Run(), "earlier.json");
    const std::string path = folder / "earlier.json";
    options.baseline = path.c_str();
    options.reference.population = 50;
    ExpectRefused(REGAL_INVALID_INPUT,
                  "reference_search: the reference there was run with another --population");
    options.reference.population = -1;
    WriteSet("time", R"({"devices": 2, "link": "free"})");
    ExpectRefused(REGAL_INVALID_INPUT, "the objective is 'memory' there, but 'time' here");
    WriteSet("memory", R"({"devices": 3, "link": "free"})");
    ExpectRefused(REGAL_INVALID_INPUT, "holds no search that this evaluation needs");
    std::ofstream(folder / "cut.json") << Content(path).substr(0, 900);
    const std::string cut = folder / "cut.json";
    options.baseline = cut.c_str();
    ExpectRefused(REGAL_INVALID_INPUT, "cut.json:");
    std::ofstream(folder / "other.json") << R"({"format": "regal-set", "version": 1})";
    const std::string other = folder / "other.json";
    options.baseline = other.c_str();
    ExpectRefused(REGAL_INVALID_INPUT, "expected 'regal-evaluation'");
}

TEST_F(Evaluate, RemembersTheBestPlansKnown) {
    const std::string path = folder / "best.json";
    options.best = path.c_str();
    options.search.policy = "heft-seed";
    const Rows first = RowsOf(Run());
    EXPECT_GT(first[5].captured, 0); /* at 600 evaluations */
    EXPECT_LE(first[5].captured, 1);
    const std::string known = Content(path);
    EXPECT_NE(known.find("erdos-renyi ops=25 cost_unit=500 seed=1, 2 devices, link free ("),
              std::string::npos);
    /* Better plans known from elsewhere leave less captured, and stay. */
    const std::string better = std::regex_replace(known, std::regex(R"x(\)": \d+)x"), R"x()": 1)x");
    std::ofstream(path) << better;
    const Rows second = RowsOf(Run());
    EXPECT_LT(second[5].captured, first[5].captured);
    EXPECT_EQ(Content(path), better);
    std::ofstream(path) << "{}";
    ExpectRefused(REGAL_INVALID_INPUT, "best.json: the key 'format' is missing");
}

TEST_F(Evaluate, SaysWhatIsFeasibleUnderCaps) {
    WriteSet("time", R"({"devices": 4, "ccr": 0.5, "cap": 0.02})");
    const EvaluationPtr evaluation = Run();
    EXPECT_TRUE(regal_evaluation_describe(evaluation.get()).capped);
    const Rows rows = RowsOf(evaluation);
    EXPECT_EQ(rows[0].feasible, 0);
    EXPECT_EQ(rows[0].compared, 0);
    EXPECT_TRUE(std::isnan(rows[0].gain));
    EXPECT_NE(Written(evaluation, "raw.json").find(R"("gain": null)"), std::string::npos);
    WriteSet("time", R"({"devices": 4, "ccr": 0.5, "cap": 0.9})");
    EXPECT_GT(RowsOf(Run())[5].feasible, 0);
}

TEST_F(Evaluate, TakesProblemsEvenlyOverTheSet) {
    options.problems = 2;
    const Rows rows = RowsOf(Run());
    EXPECT_EQ(rows[0].problems, 2);
    EXPECT_EQ(rows[1].problems, 1); /* seen */
    options.problems = 50;
    EXPECT_EQ(RowsOf(Run())[0].problems, 4);
}

TEST_F(Evaluate, ComparesAtEqualTime) {
    options.budget_count = 0;
    options.search.time_limit = options.reference.time_limit = 0.02;
    options.problems = 1;
    options.search.policy = "untrained";
    const Rows rows = RowsOf(Run());
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].budget, 0);
    EXPECT_GT(rows[0].reference_seconds, 0.015);
}

TEST_F(Evaluate, StopsWithWhatIsFinished) {
    options.budget_count = 1;
    options.threads = 1;
    callback = [](const regal_evaluate_progress *progress, void *) {
        EXPECT_EQ(progress->count, 16);
        return progress->done >= 5;
    };
    const EvaluationPtr evaluation = Run();
    const regal_evaluation_facts facts = regal_evaluation_describe(evaluation.get());
    EXPECT_TRUE(facts.stopped);
    EXPECT_EQ(facts.finished, 1); /* of four searches */
    EXPECT_EQ(RowsOf(evaluation)[0].problems, facts.finished);
    const std::string path = folder / "part.json";
    Written(evaluation, "part.json");
    callback = nullptr;
    options.baseline = path.c_str();
    options.problems = 1;
    EXPECT_EQ(RowsOf(Run())[0].gain, 0);
}

TEST_F(Evaluate, RefusesWhatItCannotDo) {
    const regal_evaluate_options good = options;
    options.search.time_limit = 1;
    ExpectRefused(REGAL_INVALID_ARGUMENT, "not by both");
    options = good;
    options.budget_count = 0;
    ExpectRefused(REGAL_INVALID_ARGUMENT, "neither");
    const int64_t falling[] = {500, 500};
    options = good;
    options.budgets = falling;
    ExpectRefused(REGAL_INVALID_ARGUMENT, "each above the one before");
    options = good;
    options.repeats = 0;
    ExpectRefused(REGAL_INVALID_ARGUMENT, "0 search seeds");
    options = good;
    options.search.proposals = "file.json";
    ExpectRefused(REGAL_INVALID_ARGUMENT, "of one graph");
    options = good;
    options.reference.evaluations = 100;
    ExpectRefused(REGAL_INVALID_ARGUMENT, "leave out evaluations");
    options = good;
    options.search.policy = "beta:7,1";
    ExpectRefused(REGAL_INVALID_ARGUMENT, "beta:0.5,10");
    options.search.policy = "/nowhere/policy";
    ExpectRefused(REGAL_INVALID_INPUT, "/nowhere/policy");
    options = good;
    WriteSet("memory", R"({"devices": 64, "link": "paper"})");
    ExpectRefused(REGAL_INVALID_INPUT, "clusters[0].link");
}

} // namespace

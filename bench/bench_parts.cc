// The parts of a search, one thread each: decode + simulate, and what makes new individuals.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "base/embedded.h"
#include "graph/problem_data.h"
#include "regal/backend/backend.h"
#include "regal/core/decode.h"
#include "regal/core/evolve.h"
#include "regal/regal.h"
#include "search/decoder.h"
#include "simd/evaluator.h"
#include "simd/gene_operators.h"

namespace {

void require(regal_status status) {
    if (status != REGAL_OK) {
        std::cerr << regal_error_message() << "\n";
        std::exit(1);
    }
}

// A generated graph in ticks of 100 ns on `devices` devices with links of 25 GB/s and 10 us.
struct Subject {
    regal_graph *graph;
    regal_cluster *cluster;
    regal_problem *problem;

    Subject(const char *generator, int64_t ops, int64_t devices) {
        const regal_parameter_value values[] = {{"ops", static_cast<double>(ops)}, {"tick", 100}};
        require(regal_graph_generate(generator, values, 2, 1, nullptr, &graph));
        require(regal_cluster_create(&cluster));
        for (int64_t d = 0; d < devices; ++d) {
            const regal_device device = {};
            require(regal_cluster_add_device(cluster, &device));
        }
        require(regal_cluster_set_default_link(cluster, {100, 2500000}));
        require(regal_problem_create(graph, cluster, &problem));
    }
    ~Subject() {
        regal_problem_destroy(problem);
        regal_cluster_destroy(cluster);
        regal_graph_destroy(graph);
    }
    Subject(const Subject &) = delete;
};

// Enough different chromosomes that the branch predictor cannot learn them.
std::vector<uint16_t> random_keys(int64_t genes, int64_t individuals) {
    std::vector<uint16_t> keys(genes * individuals);
    for (int64_t i = 0; i < individuals; ++i) {
        const regal_stream stream =
            regal_stream_make(1, REGAL_STAGE_SEED, 0, 0, static_cast<uint32_t>(i));
        regal_draw_genes(&stream, nullptr, nullptr, genes, keys.data() + i * genes);
    }
    return keys;
}

// The time of an iteration over its `things`.
void count_nanoseconds(benchmark::State &state, const char *name, int64_t things) {
    state.counters[name] = benchmark::Counter(static_cast<double>(things) * 1e-9,
                                              benchmark::Counter::kIsIterationInvariantRate |
                                                  benchmark::Counter::kInvert);
}

// What is decoded: a graph, its cluster and the way its keys are read.
struct Setting {
    const char *generator;
    int64_t ops, devices, window;
    regal_encoding encoding;

    std::string name() const {
        return std::string(generator) + "/" + regal_encoding_name(encoding) +
               "/ops:" + std::to_string(ops) + "/D:" + std::to_string(devices) +
               "/window:" + std::to_string(window);
    }
};

void report_per_op(benchmark::State &state, int64_t ops) {
    state.counters["ns/op"] = benchmark::Counter(static_cast<double>(ops) * 1e-9,
                                                 benchmark::Counter::kIsIterationInvariantRate |
                                                     benchmark::Counter::kInvert);
    state.SetItemsProcessed(state.iterations());
}

// Calls `evaluate` with one random chromosome after the other.
template <typename Evaluate>
void decode_all(benchmark::State &state, const Setting &setting, const regal_problem_view *view,
                Evaluate evaluate) {
    const int64_t genes = regal_gene_count(setting.encoding, view->op_count, view->device_count);
    const int64_t individuals = std::max<int64_t>(20, std::min<int64_t>(1000, 20000000 / genes));
    const std::vector<uint16_t> keys = random_keys(genes, individuals);
    int64_t i = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(evaluate(keys.data() + i * genes));
        i = (i + 1) % individuals;
    }
    report_per_op(state, view->op_count);
}

void decode_fast(benchmark::State &state, const Setting &setting, regal_simd_level level) {
    const Subject subject(setting.generator, setting.ops, setting.devices);
    regal_evaluators evaluators;
    require(
        regal_evaluators_create(regal_problem_get_view(subject.problem), level, 1, &evaluators));
    if (evaluators.refusal != nullptr)
        state.SetLabel(std::string("by the rules: ") + evaluators.refusal);
    decode_all(state, setting, evaluators.view, [&](const uint16_t *genes) {
        return regal_evaluator_decode(evaluators.items, setting.encoding, setting.window, genes);
    });
    regal_evaluators_destroy(&evaluators);
}

void decode_by_rules(benchmark::State &state, const Setting &setting) {
    const Subject subject(setting.generator, setting.ops, setting.devices);
    const regal_problem_view *view = regal_problem_get_view(subject.problem);
    regal_decoder decoder;
    require(regal_decoder_create(view, &decoder));
    decode_all(state, setting, view, [&](const uint16_t *genes) {
        return regal_decode(view, &decoder.simulation, setting.encoding, setting.window, genes,
                            decoder.sequence, decoder.scratch);
    });
    regal_decoder_destroy(&decoder);
}

void register_decode(const Setting &setting, regal_simd_level level) {
    const std::string name = std::string("decode/") + regal_simd_level_name(level) + "/";
    benchmark::RegisterBenchmark((name + setting.name()).c_str(), decode_fast, setting, level);
}

void register_decodes() {
    regal_simd_level best;
    require(regal_simd_level_find(&best));
    const char *const generators[] = {"transformer-step", "layered-large"};
    for (const char *generator : generators)
        for (const int64_t ops : {150, 1012, 10000, 50000})
            for (const int64_t devices : {2, 4})
                for (const regal_encoding encoding : {REGAL_INHERIT, REGAL_AFFINITY})
                    register_decode({generator, ops, devices, 0, encoding}, best);
    register_decode({"layered-large", 100000, 4, 0, REGAL_INHERIT}, best);
    for (const int64_t devices : {1, 8, 16})
        register_decode({"transformer-step", 1012, devices, 0, REGAL_INHERIT}, best);
    for (const int64_t window : {1, 16})
        register_decode({"transformer-step", 1012, 4, window, REGAL_INHERIT}, best);
    const Setting common = {"transformer-step", 1012, 4, 0, REGAL_INHERIT};
    for (int level = REGAL_SIMD_PLAIN; level < static_cast<int>(best); ++level)
        register_decode(common, static_cast<regal_simd_level>(level));
    benchmark::RegisterBenchmark(("decode/rules/" + common.name()).c_str(), decode_by_rules,
                                 common);
}

void draw(benchmark::State &state, const regal_gene_operators *operators, uint16_t proposal) {
    size_t count;
    const uint16_t *table = regal_embedded_beta(&count);
    const std::vector<uint16_t> proposals(state.range(0), proposal);
    std::vector<uint16_t> genes(state.range(0));
    uint32_t individual = 0;
    for (auto _ : state) {
        const regal_stream stream = regal_stream_make(1, REGAL_STAGE_MUTANT, 0, 0, ++individual);
        operators->draw(&stream, table, proposal != 0 ? proposals.data() : nullptr, state.range(0),
                        genes.data());
        benchmark::ClobberMemory();
    }
    count_nanoseconds(state, "ns/gene", state.range(0));
}

// Parents and offspring of a population of 1,000, so that the caches hold what they do in a search.
void cross(benchmark::State &state, const regal_gene_operators *operators) {
    const int64_t genes = state.range(0), parents = 1000;
    const std::vector<uint16_t> from = random_keys(genes, parents);
    std::vector<uint16_t> to(from.size());
    uint32_t individual = 0;
    for (auto _ : state) {
        const regal_stream stream = regal_stream_make(1, REGAL_STAGE_CROSSOVER, 0, 0, ++individual);
        const int64_t elite = individual * 7919 % 100, other = 100 + individual * 7919 % 900;
        operators->cross(&stream, 179, from.data() + elite * genes, from.data() + other * genes,
                         genes, to.data() + individual % parents * genes);
        benchmark::ClobberMemory();
    }
    count_nanoseconds(state, "ns/gene", genes);
}

// A generation of a population of 1,000 without its evaluation: elites copied, offspring, mutants.
void evolve(benchmark::State &state, regal_simd_level level) {
    const Subject subject("transformer-step", state.range(0) / 2, 4);
    const regal_problem_view *view = regal_problem_get_view(subject.problem);
    const regal_backend_problem problem = {view, nullptr, 0};
    regal_population_shape shape = {};
    shape.encoding = REGAL_INHERIT;
    shape.islands = shape.threads = 1;
    shape.population = 1000;
    shape.elites = 200;
    shape.mutants = 150;
    shape.rho = 179;
    const regal_backend *backend;
    regal_backend_instance *instance;
    require(regal_backend_find("cpu", 0, &backend));
    setenv("REGAL_SIMD", regal_simd_level_name(level), 1);
    require(backend->create(&shape, &problem, 1, &instance));
    unsetenv("REGAL_SIMD");
    const regal_island_range island = {0, 1};
    require(backend->seed(instance, island, 0, 0, shape.population, nullptr, 0));
    require(backend->evaluate(instance, island, 0, shape.population));
    require(backend->rank(instance, island, shape.population));
    uint32_t generation = 0;
    for (auto _ : state)
        require(backend->evolve(instance, island, ++generation));
    backend->destroy(instance);
    count_nanoseconds(state, "ns/gene",
                      shape.population *
                          regal_gene_count(REGAL_INHERIT, view->op_count, view->device_count));
}

// With each instruction set that this machine has.
bool register_gene_operators() {
    for (int i = REGAL_SIMD_PLAIN; i < REGAL_SIMD_LEVEL_COUNT; ++i) {
        const auto level = static_cast<regal_simd_level>(i);
        if (!regal_simd_level_available(level))
            continue;
        const auto *operators = regal_gene_operators_for(level);
        const std::string name = regal_simd_level_name(level);
        const auto add = [](const std::string &row, auto function, auto... arguments) {
            benchmark::RegisterBenchmark(row.c_str(), function, arguments...)
                ->ArgName("genes")
                ->Arg(2000);
        };
        add("draw/uniform/" + name, draw, operators, uint16_t{0});
        add("draw/beta/" + name, draw, operators, uint16_t{205});
        add("cross/" + name, cross, operators);
        add("evolve/" + name, evolve, level);
    }
    return true;
}
const bool gene_operators_registered = register_gene_operators();

} // namespace

int main(int argc, char **argv) {
    register_decodes();
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv))
        return 1;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
}

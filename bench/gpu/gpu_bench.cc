// The CUDA backend beside the CPU's: evaluations per second, and where a generation's time goes.
// Prints a table; writes JSON to the file that is named.
#include <jansson.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "graph/problem_data.h"
#include "regal/backend/backend.h"
#include "regal/regal.h"

namespace {

void require(regal_status status) {
    if (status == REGAL_OK)
        return;
    std::fprintf(stderr, "%s\n", regal_error_message());
    std::exit(regal_status_exit_code(status));
}

double seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

// A generated training step in ticks of 100 ns on four devices with links of 25 GB/s and 10 us.
struct Subject {
    regal_graph *graph;
    regal_cluster *cluster;
    regal_problem *problem;

    explicit Subject(int64_t ops) {
        const regal_parameter_value values[] = {{"ops", static_cast<double>(ops)}, {"tick", 100}};
        require(regal_graph_generate("transformer-step", values, 2, 1, nullptr, &graph));
        require(regal_cluster_create(&cluster));
        for (int d = 0; d < 4; ++d) {
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

// One population on a backend, asked for whole stages.
class Population {
  public:
    Population(const regal_backend *backend, const Subject &subject, int64_t size, int64_t threads)
        : backend_(backend) {
        shape_.encoding = REGAL_INHERIT;
        shape_.objective = REGAL_TIME;
        shape_.seed = 1;
        shape_.islands = 1;
        shape_.population = size;
        shape_.elites = size / 5;
        shape_.mutants = size / 7;
        shape_.rho = 180;
        shape_.threads = threads;
        shape_.exact = true;
        const regal_backend_problem problem = {regal_problem_get_view(subject.problem), nullptr, 0};
        require(backend_->create(&shape_, &problem, 1, &instance_));
    }
    ~Population() { backend_->destroy(instance_); }
    Population(const Population &) = delete;

    void seed() { require(backend_->seed(instance_, one_, 0, 0, shape_.population, nullptr, 0)); }
    void evaluate() { require(backend_->evaluate(instance_, one_, 0, shape_.population)); }
    void rank() {
        require(backend_->rank(instance_, one_, shape_.population));
        wait();
    }
    void evolve() {
        require(backend_->evolve(instance_, one_, ++generation_));
        wait();
    }
    void start_chains(int64_t chains) {
        require(backend_->start_chains(instance_, one_, chains, shape_.elites));
        wait_for_chains();
    }
    void move_chains(int64_t chains, int64_t rounds) {
        const uint64_t heat = 1 << 20;
        const regal_chain_rounds all = {0, chains, round_, rounds, &heat};
        require(backend_->move_chains(instance_, one_, &all));
        round_ += rounds;
    }
    void select_chains(int64_t chains) {
        require(backend_->select_chains(instance_, one_, chains / 4));
        wait_for_chains();
    }

  private:
    void wait() {
        regal_fitness fitness;
        require(backend_->fetch_best(instance_, one_, &fitness));
    }
    void wait_for_chains() {
        regal_chain_best best;
        require(backend_->fetch_best_chains(instance_, one_, &best));
    }

    const regal_backend *backend_;
    regal_population_shape shape_ = {};
    regal_backend_instance *instance_ = nullptr;
    const regal_island_range one_ = {0, 1};
    uint32_t generation_ = 0;
    int64_t round_ = 0;
};

// The median time of some calls after a first one.
template <class Call> double median_seconds(int times, Call call) {
    std::vector<double> taken;
    call();
    for (int i = 0; i < times; ++i) {
        const double begin = seconds();
        call();
        taken.push_back(seconds() - begin);
    }
    std::sort(taken.begin(), taken.end());
    return taken[taken.size() / 2];
}

double evaluations_per_second(const regal_backend *backend, const Subject &subject, int64_t size,
                              int64_t threads, int times) {
    Population population(backend, subject, size, threads);
    population.seed();
    return (double)size / median_seconds(times, [&] { population.evaluate(); });
}

// Individuals for one evaluation of about this many ops in all.
int64_t individuals_for(int64_t ops_in_all, int64_t ops, int64_t most) {
    return std::max<int64_t>(8, std::min(most, ops_in_all / ops));
}

// What was estimated of an H200 beforehand, in evaluations a second; 0: nothing.
double estimate(int64_t ops) {
    return ops == 1000 ? 2.4e6 : ops == 10000 ? 150e3 : 0;
}

json_t *rates(const regal_backend *cpu, const regal_backend *gpu, int64_t ops, int64_t scale) {
    const Subject subject(ops);
    const int64_t threads = std::max(1u, std::thread::hardware_concurrency());
    const int64_t few = individuals_for(4000000 / scale, ops, 20000);
    const int64_t many = individuals_for(64000000 / scale, ops, 32768);
    const double one = evaluations_per_second(cpu, subject, few, 1, 3);
    const double all = evaluations_per_second(cpu, subject, few * 2, threads, 3);
    const double on_gpu = evaluations_per_second(gpu, subject, many, 0, 3);
    std::printf("%8lld %12.0f %12.0f %12.0f %9.1f %9.1f", (long long)ops, one, all, on_gpu,
                on_gpu / one, on_gpu / all);
    if (estimate(ops) > 0)
        std::printf(" %8.2f\n", on_gpu / estimate(ops));
    else
        std::printf(" %8s\n", "-");
    std::fflush(stdout);
    return json_pack("{s:I,s:I,s:I,s:f,s:f,s:f}", "ops", (json_int_t)ops, "population",
                     (json_int_t)many, "threads", (json_int_t)threads, "cpu_one_thread", one,
                     "cpu_all_threads", all, "gpu", on_gpu);
}

json_t *stages(const regal_backend *gpu, int64_t ops, int64_t scale) {
    enum { TIMES = 5, ROUNDS = 4 };
    const Subject subject(ops);
    const int64_t size = individuals_for(16000000 / scale, ops, 16000);
    const int64_t chains = std::min<int64_t>(size, 4096);
    Population population(gpu, subject, size, 0);
    const double seed = median_seconds(TIMES, [&] { population.seed(); });
    const double evaluate = median_seconds(TIMES, [&] { population.evaluate(); });
    const double rank = median_seconds(TIMES, [&] { population.rank(); });
    const double evolve = median_seconds(TIMES, [&] { population.evolve(); });
    population.evaluate();
    population.rank();
    population.start_chains(chains);
    const double move =
        median_seconds(TIMES, [&] { population.move_chains(chains, ROUNDS); }) / ROUNDS;
    const double select = median_seconds(TIMES, [&] { population.select_chains(chains); });
    std::printf("%8lld %8lld %9.3f %9.3f %9.3f %9.3f %8lld %9.3f %9.3f\n", (long long)ops,
                (long long)size, seed * 1e3, evaluate * 1e3, rank * 1e3, evolve * 1e3,
                (long long)chains, move * 1e3, select * 1e3);
    std::fflush(stdout);
    return json_pack("{s:I,s:I,s:f,s:f,s:f,s:f,s:I,s:f,s:f}", "ops", (json_int_t)ops, "population",
                     (json_int_t)size, "seed", seed, "evaluate", evaluate, "rank", rank, "evolve",
                     evolve, "chains", (json_int_t)chains, "round", move, "select", select);
}

} // namespace

int main(int argc, char **argv) {
    const char *path = argc > 1 ? argv[1] : nullptr;
    // A second argument shrinks everything so many times: to try the program itself.
    const int64_t scale = argc > 2 ? std::max(1ll, std::atoll(argv[2])) : 1;
    const regal_backend *cpu, *gpu;
    require(regal_backend_find("cpu", 0, &cpu));
    require(regal_backend_find("cuda", 0, &gpu));
    regal_backend_info info;
    require(gpu->probe(0, &info) ? REGAL_OK : REGAL_INTERNAL);
    std::printf("%s, %lld multiprocessors\n\n", info.device, (long long)info.multiprocessors);
    json_t *result = json_pack("{s:s,s:I,s:[],s:[]}", "device", info.device, "multiprocessors",
                               (json_int_t)info.multiprocessors, "rates", "stages");
    std::printf("evaluations per second, transformer step, D = 4, inherit, with peak memory\n"
                "%8s %12s %12s %12s %9s %9s %8s\n",
                "ops", "cpu, 1", "cpu, all", "gpu", "x 1", "x all", "of est.");
    for (const int64_t ops : {150, 1000, 10000, 50000})
        if (scale == 1 || ops <= 1000)
            json_array_append_new(json_object_get(result, "rates"), rates(cpu, gpu, ops, scale));
    std::printf("\nmilliseconds per stage on the GPU\n%8s %8s %9s %9s %9s %9s %8s %9s %9s\n", "ops",
                "individ.", "seed", "evaluate", "rank", "evolve", "chains", "round", "select");
    for (const int64_t ops : {150, 1000, 10000, 50000})
        if (scale == 1 || ops <= 150)
            json_array_append_new(json_object_get(result, "stages"), stages(gpu, ops, scale));
    if (path != nullptr && json_dump_file(result, path, JSON_INDENT(2)) != 0) {
        std::fprintf(stderr, "%s: cannot write\n", path);
        return 1;
    }
    json_decref(result);
    return 0;
}

// The arithmetic of the policy's network on the CPU, at the sizes of a graph of 10,000 ops and
// 20,000 edges: one thread, and two.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "regal/backend/backend.h"
#include "regal/regal.h"

namespace {

constexpr int64_t kOps = 10000, kEdges = 20000;

void require(regal_status status) {
    if (status != REGAL_OK) {
        std::cerr << regal_error_message() << "\n";
        std::exit(1);
    }
}

struct Context {
    const regal_math *math;
    regal_math_context *self;

    explicit Context(int64_t threads) {
        const regal_backend *backend;
        require(regal_backend_find("cpu", 0, &backend));
        math = backend->math;
        require(math->create(threads, 0, &self));
    }
    ~Context() { math->destroy(self); }
    Context(const Context &) = delete;

    template <class T> T *put(const std::vector<T> &values) {
        void *memory;
        const auto count = static_cast<int64_t>(values.size());
        require(math->allocate(self, count, &memory));
        require(math->upload(self, memory, values.data(), count));
        return static_cast<T *>(memory);
    }
    regal_matrix matrix(int64_t rows, int64_t columns) {
        return {put(std::vector<float>(rows * columns, 0.5f)), rows, columns, columns};
    }
};

regal_rows rows_of(const regal_matrix &m) {
    return {m.at, m.stride};
}

void count(benchmark::State &state, const char *name, double things) {
    state.counters[name] =
        benchmark::Counter(things * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
}

// A layer, forward: [ops][width] x [width][width]; and the gradient of its weights.
void gemm(benchmark::State &state, bool gradient) {
    const int64_t width = state.range(0);
    Context context(state.range(1));
    const regal_matrix x = context.matrix(kOps, width), weights = context.matrix(width, width),
                       y = context.matrix(kOps, width);
    regal_gemm g = {};
    g.columns = g.result_stride = width;
    g.rows = gradient ? width : kOps;
    g.inner = gradient ? kOps : width;
    g.batch = 1;
    g.transpose_a = gradient;
    g.alpha = 1;
    g.a = rows_of(x);
    g.b = rows_of(gradient ? y : weights);
    g.result = gradient ? weights.at : y.at;
    for (auto _ : state)
        require(context.math->gemm(context.self, &g));
    count(state, "GFLOP/s", 2.0 * kOps * static_cast<double>(width * width));
}

// Each op's sum over its inputs, which are scattered as in a graph.
struct Edges {
    std::vector<int32_t> begin, item;
    Edges() {
        for (int64_t op = 0; op <= kOps; ++op)
            begin.push_back(static_cast<int32_t>(op * kEdges / kOps));
        for (int64_t edge = 0; edge < kEdges; ++edge)
            item.push_back(static_cast<int32_t>(edge * 7919 % kOps));
    }
};

void segmented_sum(benchmark::State &state) {
    const int64_t width = state.range(0);
    Context context(state.range(1));
    const Edges edges;
    const regal_matrix from = context.matrix(kOps, width), to = context.matrix(kOps, width);
    const int32_t *begin = context.put(edges.begin), *item = context.put(edges.item);
    for (auto _ : state)
        require(context.math->segmented_sum(context.self, to, rows_of(from), begin, item, false));
    count(state, "GB/s", 4.0 * static_cast<double>(width) * (kEdges + kOps));
}

void gather_pair(benchmark::State &state) {
    const int64_t width = state.range(0);
    Context context(state.range(1));
    const regal_matrix a = context.matrix(kOps, width), b = context.matrix(kOps, width),
                       to = context.matrix(kEdges, width);
    const int32_t *item = context.put(Edges().item);
    for (auto _ : state)
        require(context.math->gather_pair(context.self, REGAL_RELU, to, rows_of(a), item,
                                          rows_of(b), item));
    count(state, "GB/s", 4.0 * static_cast<double>(width) * 3 * kEdges);
}

void activate(benchmark::State &state) {
    const int64_t width = state.range(0);
    Context context(state.range(1));
    const regal_matrix x = context.matrix(kOps, width), y = context.matrix(kOps, width);
    for (auto _ : state)
        require(context.math->activate(context.self, REGAL_TANH, y, rows_of(x), nullptr));
    count(state, "Gnumbers/s", static_cast<double>(kOps * width));
}

bool register_math() {
    const auto add = [](const char *name, auto function, auto... arguments) {
        benchmark::RegisterBenchmark(name, function, arguments...)
            ->ArgNames({"width", "threads"})
            ->ArgsProduct({{64, 128}, {1, 2}})
            ->UseRealTime();
    };
    add("math/gemm", gemm, false);
    add("math/gemm/weights", gemm, true);
    add("math/segmented_sum", segmented_sum);
    add("math/gather_pair", gather_pair);
    add("math/tanh", activate);
    return true;
}
const bool math_registered = register_math();

} // namespace

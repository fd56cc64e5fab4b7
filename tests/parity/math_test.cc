// regal_math: the CPU, with several numbers of threads, and the subject against plain loops in
// double precision. Within 1e-5 x (1 + |value|) of these unless said otherwise.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "parity/math_side_by_side.h"

namespace {

// Columns that are one, just below, at and above a warp, and above a tile.
const int64_t kWidths[] = {1, 31, 32, 33, 70};

size_t cells(int64_t rows, int64_t columns) {
    return static_cast<size_t>(rows * columns);
}

// A dense matrix of what is there.
regal_matrix matrix(float *at, int64_t rows, int64_t columns) {
    return {at, rows, columns, columns};
}

struct Product {
    int64_t rows, columns, inner, batch;
    bool transpose_a, transpose_b;
    float alpha, beta;
};

// Operands that are columns of wider matrices.
void expect_product(const Product &p) {
    const int64_t gap = 3;
    const int64_t a_stride = (p.transpose_a ? p.rows : p.inner) + gap;
    const int64_t b_stride = (p.transpose_b ? p.inner : p.columns) + gap;
    const int64_t c_stride = p.columns + gap;
    const int64_t a_step = a_stride * (p.transpose_a ? p.inner : p.rows);
    const int64_t c_step = c_stride * p.rows; // b serves the whole batch
    const Floats a = random_floats(cells(p.batch, a_step), 1);
    const Floats b = random_floats(cells(p.transpose_b ? p.columns : p.inner, b_stride), 2);
    const Floats c = random_floats(cells(p.batch, c_step), 3);
    std::vector<double> expected(c.begin(), c.end());
    for (int64_t batch = 0; batch < p.batch; ++batch)
        for (int64_t i = 0; i < p.rows; ++i)
            for (int64_t j = 0; j < p.columns; ++j) {
                double sum = 0;
                for (int64_t k = 0; k < p.inner; ++k)
                    sum += static_cast<double>(
                               a[batch * a_step +
                                 (p.transpose_a ? k * a_stride + i : i * a_stride + k)]) *
                           b[p.transpose_b ? j * b_stride + k : k * b_stride + j];
                double &cell = expected[batch * c_step + i * c_stride + j];
                cell = p.alpha * sum + p.beta * cell;
            }
    expect_close(
        [&](Machine &m) {
            float *result = m.put(c);
            const regal_gemm gemm = {p.rows,
                                     p.columns,
                                     p.inner,
                                     p.batch,
                                     p.transpose_a,
                                     p.transpose_b,
                                     p.alpha,
                                     p.beta,
                                     {m.put(a), a_stride},
                                     {m.put(b), b_stride},
                                     result,
                                     c_stride,
                                     a_step,
                                     0,
                                     c_step};
            require(m.math->gemm(m.context, &gemm));
            return m.get(result, c.size());
        },
        expected, 1e-6 * std::sqrt(static_cast<double>(p.inner) + 100));
}

TEST(ParityOfProducts, HoldsForEveryTranspositionAndBatch) {
    for (const bool transpose_a : {false, true})
        for (const bool transpose_b : {false, true})
            for (const int64_t batch : {1, 3})
                expect_product({33, 17, 65, batch, transpose_a, transpose_b, 0.5f, 2.0f});
}

TEST(ParityOfProducts, HoldsAtTheEdges) {
    for (const auto &[rows, columns, inner] :
         {std::tuple<int64_t, int64_t, int64_t>{0, 3, 2}, {3, 0, 2}, {3, 2, 0}, {1, 1, 1}})
        for (const float beta : {0.0f, 1.0f})
            expect_product({rows, columns, inner, 2, false, false, 1.0f, beta});
    expect_product({3, 2, 4, 0, false, false, 1.0f, 0.0f});
}

TEST(ParityOfProducts, HoldsForManyRowsAndLongSums) {
    expect_product({1100, 48, 30, 2, false, false, 1.0f, 1.0f});
    for (const float beta : {0.0f, 0.5f})
        expect_product({24, 40, 5000, 2, true, false, 2.0f, beta});
}

TEST(ParityOfProducts, DoesNotReadAResultWithoutBeta) {
    expect_close(
        [](Machine &m) {
            float *result = m.put(Floats(4, NAN));
            const regal_gemm gemm = {2,
                                     2,
                                     1,
                                     1,
                                     false,
                                     false,
                                     1.0f,
                                     0.0f,
                                     {m.put(Floats{1, 2}), 1},
                                     {m.put(Floats{3, 4}), 2},
                                     result,
                                     2,
                                     0,
                                     0,
                                     0};
            require(m.math->gemm(m.context, &gemm));
            return m.get(result, 4);
        },
        {3, 4, 6, 8});
}

TEST(ParityOfProducts, RefusesNumbersThatTheLibrariesCannotTake) {
    expect_close(
        [](Machine &m) {
            regal_gemm gemm = {};
            gemm.rows = gemm.columns = gemm.batch = 1;
            gemm.inner = int64_t{1} << 31;
            EXPECT_EQ(m.math->gemm(m.context, &gemm), REGAL_INVALID_ARGUMENT);
            return Floats();
        },
        {});
}

// The columns [1, 1 + columns) of a matrix that is wider by three.
struct Slice {
    Slice(int64_t row_count, int64_t column_count, uint64_t seed)
        : rows(row_count), columns(column_count), stride(column_count + 3),
          values(random_floats(cells(rows, stride), seed)) {}
    float operator()(int64_t r, int64_t c) const { return values[r * stride + 1 + c]; }

    regal_rows on(Machine &m) const { return {m.put(values) + 1, stride}; }

    int64_t rows, columns, stride;
    Floats values;
};

using Cell = std::function<double(int64_t r, int64_t c)>;
using Call = std::function<void(Machine &m, regal_matrix to)>;

// A call whose result is a slice, of which cell (r, c) shall be `expected`, and nothing around it
// changed.
void expect_cells(const Slice &to, const Cell &expected, const Call &call,
                  double tolerance = 1e-5) {
    std::vector<double> all(to.values.begin(), to.values.end());
    for (int64_t r = 0; r < to.rows; ++r)
        for (int64_t c = 0; c < to.columns; ++c)
            all[r * to.stride + 1 + c] = expected(r, c);
    expect_same(
        [&](Machine &m) {
            float *memory = m.put(to.values);
            call(m, {memory + 1, to.rows, to.columns, to.stride});
            return m.get(memory, to.values.size());
        },
        all, tolerance);
}

TEST(ParityOfRows, HoldsForGather) {
    for (const int64_t columns : kWidths)
        for (const int64_t rows : {0, 1, 37})
            for (const bool add : {false, true}) {
                const Slice to(rows, columns, 1), from(9, columns, 2);
                const Ids index = random_ids(static_cast<size_t>(rows), from.rows, 3);
                const auto expected = [&](int64_t r, int64_t c) {
                    return (add ? to(r, c) : 0.0) + (index[r] >= 0 ? from(index[r], c) : 0.0);
                };
                expect_cells(to, expected, [&](Machine &m, regal_matrix result) {
                    require(m.math->gather(m.context, result, from.on(m), m.put(index), add));
                });
            }
}

TEST(ParityOfRows, HoldsForGatherOfPairs) {
    for (const int64_t columns : kWidths) {
        const Slice to(41, columns, 1), a(9, columns, 2), b(5, columns, 3);
        const Ids of_a = random_ids(41, a.rows, 4), of_b = random_ids(41, b.rows, 5);
        const auto expected = [&](int64_t r, int64_t c) {
            return std::fmax(0.0, (of_a[r] >= 0 ? static_cast<double>(a(of_a[r], c)) : 0.0) +
                                      (of_b[r] >= 0 ? b(of_b[r], c) : 0.0));
        };
        expect_cells(to, expected, [&](Machine &m, regal_matrix result) {
            require(m.math->gather_pair(m.context, REGAL_RELU, result, a.on(m), m.put(of_a),
                                        b.on(m), m.put(of_b)));
        });
    }
}

void expect_segments(const Ids &begin, int64_t columns, bool with_items, bool add) {
    const Slice to(static_cast<int64_t>(begin.size()) - 1, columns, 1);
    const Slice from(with_items ? 13 : begin.back(), columns, 2);
    Ids item = random_ids(static_cast<size_t>(begin.back()), from.rows, 3);
    for (int32_t &i : item)
        i = i < 0 ? 0 : i;
    const auto expected = [&](int64_t s, int64_t c) {
        double sum = add ? to(s, c) : 0.0;
        for (int32_t i = begin[s]; i < begin[s + 1]; ++i)
            sum += from(with_items ? item[i] : i, c);
        return sum;
    };
    const auto call = [&](Machine &m, regal_matrix result) {
        const int32_t *items = with_items ? m.put(item) : nullptr;
        require(m.math->segmented_sum(m.context, result, from.on(m), m.put(begin), items, add));
    };
    expect_cells(to, expected, call, 1e-4);
}

TEST(ParityOfRows, HoldsForSegmentedSums) {
    for (const int64_t columns : kWidths)
        for (const bool with_items : {false, true})
            for (const bool add : {false, true}) {
                expect_segments({0}, columns, with_items, add);
                expect_segments({0, 0, 3, 3, 4, 50, 50}, columns, with_items, add);
            }
}

TEST(ParityOfRows, HoldsForSegmentsOfThousands) {
    expect_segments({0, 3000, 3001, 7000}, 33, true, false);
    expect_segments({0, 3000}, 129, false, false);
}

TEST(ParityOfRows, HoldsForFactorsProductsAndSums) {
    for (const int64_t columns : kWidths)
        for (const int64_t rows : {0, 1, 19})
            for (const bool add : {false, true}) {
                const Slice to(rows, columns, 1), a(rows, columns, 2), b(rows, columns, 3);
                const Floats factor = random_floats(static_cast<size_t>(rows), 4);
                const double kept = add ? 1 : 0;
                expect_cells(
                    to,
                    [&](int64_t r, int64_t c) {
                        return kept * to(r, c) + static_cast<double>(factor[r]) * a(r, c);
                    },
                    [&](Machine &m, regal_matrix result) {
                        require(m.math->scale_rows(m.context, result, m.put(factor), a.on(m), add));
                    });
                expect_cells(
                    to,
                    [&](int64_t r, int64_t c) {
                        return kept * to(r, c) + static_cast<double>(a(r, c)) * b(r, c);
                    },
                    [&](Machine &m, regal_matrix result) {
                        require(m.math->multiply(m.context, result, a.on(m), b.on(m), add));
                    });
                expect_cells(
                    to,
                    [&](int64_t r, int64_t c) { return kept * 0.25 * to(r, c) - 2.0 * a(r, c); },
                    [&](Machine &m, regal_matrix result) {
                        require(
                            m.math->combine(m.context, result, -2.0f, a.on(m), add ? 0.25f : 0.0f));
                    });
            }
}

TEST(ParityOfRows, FillsNothingButTheMatrix) {
    expect_cells(
        Slice(7, 33, 1), [](int64_t, int64_t) { return 2.5; },
        [](Machine &m, regal_matrix result) { require(m.math->fill(m.context, result, 2.5f)); });
}

double exact(regal_activation activation, double x) {
    switch (activation) {
    case REGAL_IDENTITY:
        return x;
    case REGAL_RELU:
        return x > 0 ? x : 0;
    case REGAL_LEAKY_RELU:
        return x > 0 ? x : static_cast<double>(REGAL_LEAKY_SLOPE) * x;
    case REGAL_TANH:
        return std::tanh(x);
    case REGAL_SIGMOID:
        return 1 / (1 + std::exp(-x));
    case REGAL_EXP:
        return std::exp(x);
    case REGAL_RECIPROCAL:
        return 1 / x;
    }
    return NAN;
}

#define ACTIVATION_NAME(NAME, name) NAME,
const regal_activation kActivations[] = {REGAL_ACTIVATION_LIST(ACTIVATION_NAME)};

// Numbers of every size at which no function has a kink or a pole.
Floats activation_arguments() {
    Floats x;
    for (float size = 1e-6f; size < 30; size *= 1.7f)
        for (const float sign : {-1.0f, 1.0f})
            x.push_back(sign * size);
    return x;
}

TEST(Activations, AreWithinAFewRoundingsOfTheExactFunctions) {
    for (const regal_activation activation : kActivations)
        for (const float x : activation_arguments()) {
            const double expected = exact(activation, x);
            EXPECT_NEAR(regal_activation_of(activation, x), expected,
                        4e-7 * std::fabs(expected) + 1e-37)
                << activation << " of " << x;
        }
}

TEST(Activations, SaturateWhereAFloatEnds) {
    EXPECT_EQ(regal_tanh(1e30f), 1.0f);
    EXPECT_EQ(regal_tanh(-1e30f), -1.0f);
    EXPECT_EQ(regal_sigmoid(1e30f), 1.0f);
    EXPECT_NEAR(regal_sigmoid(-1e30f), 0.0f, 1e-37f);
    EXPECT_EQ(regal_exp(1e30f), regal_exp(88.0f));
    EXPECT_TRUE(std::isfinite(regal_exp(1e30f)));
    EXPECT_NEAR(regal_exp(-1e30f), 0.0f, 1e-37f);
    EXPECT_EQ(regal_exp(0.0f), 1.0f);
}

TEST(Activations, HaveTheSlopesOfFiniteDifferences) {
    for (const regal_activation activation : kActivations)
        for (const float x : activation_arguments()) {
            const double step = std::fmin(1e-5, 1e-3 * std::fabs(x));
            const double slope =
                (exact(activation, x + step) - exact(activation, x - step)) / (2 * step);
            const float y = regal_activation_of(activation, x);
            EXPECT_NEAR(regal_activation_slope(activation, y), slope,
                        1e-5 * std::fabs(slope) + 1e-6)
                << activation << " at " << x;
        }
}

TEST(ParityOfRows, HoldsForActivationsWithAndWithoutBias) {
    for (const regal_activation activation : kActivations)
        for (const int64_t columns : {1, 33, 70})
            for (const bool biased : {false, true}) {
                const Slice to(11, columns, 1), from(11, columns, 2);
                const Floats bias = random_floats(static_cast<size_t>(columns), 3);
                expect_cells(
                    to,
                    [&](int64_t r, int64_t c) {
                        return exact(activation, biased ? from(r, c) + bias[c] : from(r, c));
                    },
                    [&](Machine &m, regal_matrix result) {
                        require(m.math->activate(m.context, activation, result, from.on(m),
                                                 biased ? m.put(bias) : nullptr));
                    });
            }
}

TEST(ParityOfRows, HoldsForGradientsOfActivations) {
    for (const regal_activation activation : kActivations) {
        const Slice to(11, 33, 1), result(11, 33, 2), gradient(11, 33, 3);
        expect_cells(
            to,
            [&](int64_t r, int64_t c) {
                return static_cast<double>(gradient(r, c)) *
                       regal_activation_slope(activation, result(r, c));
            },
            [&](Machine &m, regal_matrix at) {
                require(m.math->activate_gradient(m.context, activation, at, result.on(m),
                                                  gradient.on(m)));
            });
    }
}

TEST(ParityOfRows, HoldsInPlace) {
    const Slice to(11, 33, 1);
    const Floats bias = random_floats(33, 2);
    const auto expected = [&](int64_t r, int64_t c) {
        const double y = std::tanh(to(r, c) + bias[c]);
        return 3 * y * (1 - y * y);
    };
    expect_cells(to, expected, [&](Machine &m, regal_matrix x) {
        const regal_rows rows = {x.at, x.stride};
        require(m.math->activate(m.context, REGAL_TANH, x, rows, m.put(bias)));
        require(m.math->activate_gradient(m.context, REGAL_TANH, x, rows, rows));
        require(m.math->combine(m.context, x, 2.0f, rows, 1.0f));
    });
}

TEST(ParityOfSums, HoldsForColumns) {
    for (const int64_t rows : {0, 1, 255, 256, 257, 1000})
        for (const int64_t columns : {1, 31, 33, 64})
            for (const bool add : {false, true}) {
                const Slice to(1, columns, 1), from(rows, columns, 2);
                const auto expected = [&](int64_t, int64_t c) {
                    double sum = add ? to(0, c) : 0.0;
                    for (int64_t r = 0; r < rows; ++r)
                        sum += from(r, c);
                    return sum;
                };
                expect_cells(to, expected, [&](Machine &m, regal_matrix result) {
                    require(
                        m.math->column_sums(m.context, result.at, from.on(m), rows, columns, add));
                });
            }
}

TEST(ParityOfSums, HoldsForManyColumns) {
    const Slice to(1, 1030, 1), from(3, 1030, 2);
    const auto expected = [&](int64_t, int64_t c) {
        return static_cast<double>(from(0, c)) + from(1, c) + from(2, c);
    };
    expect_cells(to, expected, [&](Machine &m, regal_matrix result) {
        require(m.math->column_sums(m.context, result.at, from.on(m), 3, 1030, false));
    });
}

double mean_of(const Cell &row, int64_t r, int64_t columns) {
    double sum = 0;
    for (int64_t c = 0; c < columns; ++c)
        sum += row(r, c);
    return sum / static_cast<double>(columns);
}

double scale_of(const Cell &row, int64_t r, int64_t columns) {
    const double mean = mean_of(row, r, columns);
    const auto square = [&](int64_t i, int64_t c) { return std::pow(row(i, c) - mean, 2); };
    return 1 / std::sqrt(mean_of(square, r, columns) + REGAL_NORMALIZE_EPSILON);
}

TEST(ParityOfSums, HoldsForNormalizedRows) {
    for (const int64_t columns : {2, 31, 32, 33, 100})
        for (const int64_t rows : {0, 1, 21}) {
            const Slice to(rows, columns, 1), from(rows, columns, 2);
            const auto expected = [&](int64_t r, int64_t c) {
                return (from(r, c) - mean_of(from, r, columns)) * scale_of(from, r, columns);
            };
            expect_cells(to, expected, [&](Machine &m, regal_matrix result) {
                float *scale = m.put(Floats(static_cast<size_t>(rows)));
                require(m.math->normalize(m.context, result, scale, from.on(m)));
                const Floats scales = m.get(scale, static_cast<size_t>(rows));
                for (int64_t r = 0; r < rows; ++r)
                    EXPECT_NEAR(scales[r], scale_of(from, r, columns), 1e-4);
            });
        }
}

// The sum of weight x normalized row, whose gradient is checked.
double weighted(const Slice &x, const Slice &weight, int64_t r, int64_t changed, double by) {
    const auto row = [&](int64_t i, int64_t c) { return x(i, c) + (c == changed ? by : 0.0); };
    const double mean = mean_of(row, r, x.columns), scale = scale_of(row, r, x.columns);
    double sum = 0;
    for (int64_t c = 0; c < x.columns; ++c)
        sum += weight(r, c) * (row(r, c) - mean) * scale;
    return sum;
}

TEST(ParityOfSums, HoldsForGradientsOfNormalizedRows) {
    for (const int64_t columns : {5, 33})
        for (const bool add : {false, true}) {
            const Slice to(9, columns, 1), from(9, columns, 2), weight(9, columns, 3);
            const auto expected = [&](int64_t r, int64_t c) {
                const double step = 1e-5;
                return (add ? to(r, c) : 0.0) +
                       (weighted(from, weight, r, c, step) - weighted(from, weight, r, c, -step)) /
                           (2 * step);
            };
            expect_cells(to, expected, [&](Machine &m, regal_matrix result) {
                float *scale = m.put(Floats(9)), *y = m.put(Floats(cells(9, columns)));
                require(m.math->normalize(m.context, matrix(y, 9, columns), scale, from.on(m)));
                require(m.math->normalize_gradient(m.context, result, scale, {y, columns},
                                                   weight.on(m), add));
            });
        }
}

TEST(ParityOfSums, HoldsForDotProducts) {
    for (const size_t count : {0, 1, 33, 8191, 8193, 20000}) {
        const Floats a = random_floats(count, 1), b = random_floats(count, 2);
        double sum = 0;
        for (size_t i = 0; i < count; ++i)
            sum += static_cast<double>(a[i]) * b[i];
        expect_same(
            [&](Machine &m) {
                float *result = m.put(Floats(1, NAN));
                require(m.math->dot(m.context, result, static_cast<int64_t>(count), m.put(a),
                                    m.put(b)));
                return m.get(result, 1);
            },
            {sum});
    }
}

TEST(ParityOfAdam, HoldsOverSteps) {
    const size_t count = 300;
    const int steps = 5;
    const Floats start = random_floats(count, 1);
    std::vector<double> parameter(start.begin(), start.end()), mean(count), square(count);
    for (int t = 1; t <= steps; ++t) {
        const Floats gradient = random_floats(count, static_cast<uint64_t>(t) + 1);
        for (size_t i = 0; i < count; ++i) {
            const double g = 0.5 * gradient[i];
            mean[i] = 0.9 * mean[i] + 0.1 * g;
            square[i] = 0.999 * square[i] + 0.001 * g * g;
            parameter[i] -= 0.01 * (mean[i] / (1 - std::pow(0.9, t))) /
                            (std::sqrt(square[i] / (1 - std::pow(0.999, t))) + 1e-8);
        }
    }
    expect_same(
        [&](Machine &m) {
            float *at = m.put(start), *first = m.put(Floats(count)), *second = m.put(Floats(count));
            for (int t = 1; t <= steps; ++t) {
                const regal_adam_step step = {
                    count,
                    at,
                    first,
                    second,
                    m.put(random_floats(count, static_cast<uint64_t>(t) + 1)),
                    0.5f,
                    0.01f,
                    0.9f,
                    0.999f,
                    static_cast<float>(1 - std::pow(0.9, t)),
                    static_cast<float>(1 - std::pow(0.999, t)),
                    1e-8f};
                require(m.math->adam(m.context, &step));
            }
            return m.get(at, count);
        },
        parameter);
}

TEST(ParityOfMemory, GivesBackAndTellsWhenItRunsOut) {
    expect_same(
        [](Machine &m) {
            void *memory;
            require(m.math->allocate(m.context, 0, &memory));
            EXPECT_NE(memory, nullptr);
            m.math->release(m.context, memory);
            m.math->release(m.context, nullptr);
            // Beyond any GPU, and beyond any address: sanitizers don't let malloc be asked for the
            // former.
            for (const int64_t count :
                 {int64_t{1} << (m.on_cpu ? 62 : 40), std::numeric_limits<int64_t>::max()}) {
                EXPECT_EQ(m.math->allocate(m.context, count, &memory), REGAL_OUT_OF_MEMORY);
                EXPECT_EQ(memory, nullptr);
            }
            return Floats();
        },
        {});
}

} // namespace

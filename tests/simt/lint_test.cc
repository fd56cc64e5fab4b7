// The kernels hold to what the stand-in models; the lint refuses all else.
#include "lint.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace {

TEST(SimtLint, TheKernelsHoldToWhatIsModelled) {
    const std::filesystem::path folder = REGAL_SOURCE_DIR "/kernels";
    if (!std::filesystem::exists(folder)) {
        GTEST_SKIP() << "no kernels";
    }
    for (const auto &entry : std::filesystem::recursive_directory_iterator(folder)) {
        const std::string extension = entry.path().extension();
        if (extension != ".cu" && extension != ".cuh" && extension != ".h") {
            continue;
        }
        std::ifstream file(entry.path());
        const std::string source{std::istreambuf_iterator<char>(file), {}};
        for (const std::string &finding : lint(entry.path(), source)) {
            ADD_FAILURE() << finding;
        }
    }
}

class SimtLintRefuses : public ::testing::TestWithParam<const char *> {};
TEST_P(SimtLintRefuses, OnItsLine) {
    const std::vector<std::string> findings = lint("k.cu", std::string("\n") + GetParam() + "\n");
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].rfind("k.cu:2: ", 0), 0u) << findings[0];
}
INSTANTIATE_TEST_SUITE_P(
    What, SimtLintRefuses,
    ::testing::Values("k<<<1, 32>>>(x);", "asm(\"ret;\");", "__asm__ (\"\");",
                      "asm volatile_(\"\");", "namespace cg = cooperative_groups;",
                      "#include <cooperative_groups.h>", "m = __activemask();",
                      "extern __shared__ int s[];", "texture t;", "tex1Dfetch(t, 0);",
                      "__nanosleep(5);", "t = clock64();", "t = clock();", "volatile int *p;",
                      "v = __shfl_down(v, 1);", "b = __ballot(p);", "if (__any(p)) x = 1;",
                      "#if __CUDA_ARCH__ > 800",
                      "template <int N> __global__ void k() { __shared__ int s[N]; }",
                      "template <class T> struct A { void f() { if (x) { __shared__ T s; } } };"));

class SimtLintAllows : public ::testing::TestWithParam<const char *> {};
TEST_P(SimtLintAllows, This) {
    EXPECT_EQ(lint("k.cu", GetParam()), std::vector<std::string>{});
}
INSTANTIATE_TEST_SUITE_P(
    What, SimtLintAllows,
    ::testing::Values("#define REGAL_DYNAMIC_SHARED(name) extern __shared__ char name[]",
                      "#define REGAL_DYNAMIC_SHARED(name) \\\n    extern __shared__ char name[]",
                      "// k<<<1, 32>>>() and asm\n/* volatile */ int x;",
                      "const char *s = \"asm \\\" volatile\"; char c = '\"';",
                      "std::vector<std::array<A<int>, 2>> x; y = a >> 3 << 2;",
                      "template <class T> T f(T x);\nvoid k() { __shared__ int s[2]; }",
                      "template <class T> T f(T x) { return x; }\nvoid k() { __shared__ int s; }",
                      "int reclock; v = __shfl_down_sync(m, v, 1); __ballot_sync(m, 1);"));

TEST(SimtLint, CountsLinesThroughComments) {
    const auto findings = lint("k.cu", "/* a\nb */ // c\n\nint y = __activemask();");
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].rfind("k.cu:4:", 0), 0u);
}

} // namespace

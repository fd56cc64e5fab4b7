// libregal_cuda.so, where it was built: that it loads, and on a machine without a GPU says so.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <string>

#include "base/embedded.h"
#include "base/error.h"
#include "regal/backend/plugin.h"

namespace {

class CudaPlugin : public testing::Test {
  protected:
    void SetUp() override {
#ifdef REGAL_CUDA_PLUGIN
        handle_ = dlopen(REGAL_CUDA_PLUGIN, RTLD_NOW | RTLD_LOCAL);
        ASSERT_NE(handle_, nullptr) << dlerror();
        entry_ = reinterpret_cast<regal_plugin_entry *>(dlsym(handle_, REGAL_PLUGIN_ENTRY));
        ASSERT_NE(entry_, nullptr) << dlerror();
#else
        GTEST_SKIP() << "built without nvcc";
#endif
    }

    // The plugin's backend for a host of that version.
    const regal_backend *ask(int32_t version) {
        size_t count;
        services_ = {version, regal_error_set, regal_embedded_beta(&count)};
        return entry_(&services_);
    }

    void *handle_ = nullptr;
    regal_plugin_entry *entry_ = nullptr;

  private:
    regal_plugin_services services_;
};

TEST_F(CudaPlugin, WorksWithItsOwnVersionOnly) {
    EXPECT_EQ(ask(REGAL_PLUGIN_VERSION + 1), nullptr);
    EXPECT_EQ(ask(REGAL_PLUGIN_VERSION - 1), nullptr);
    EXPECT_EQ(ask(0), nullptr);
    const regal_backend *backend = ask(REGAL_PLUGIN_VERSION);
    ASSERT_NE(backend, nullptr);
    EXPECT_STREQ(backend->name, "cuda");
}

TEST_F(CudaPlugin, DescribesItsGpusOrSaysWhyThereIsNone) {
    const regal_backend *backend = ask(REGAL_PLUGIN_VERSION);
    regal_backend_info info;
    ASSERT_TRUE(backend->probe(0, &info));
    EXPECT_STREQ(info.name, "cuda");
    if (info.available) {
        EXPECT_STRNE(info.device, "");
        EXPECT_GT(info.multiprocessors, 0);
        EXPECT_GT(info.memory, 0);
    } else {
        EXPECT_GT(std::string(info.reason).size(), 10u) << info.reason;
        EXPECT_FALSE(backend->probe(1, &info));
    }
    EXPECT_FALSE(backend->probe(1 << 20, &info));
}

TEST_F(CudaPlugin, ShowsNothingButItsEntry) {
    for (const char *name : {"cudaMalloc", "cudaGetDeviceCount", "regal_cuda_services",
                             "regal_cuda_create", "regal_cuda_evaluate"})
        EXPECT_EQ(dlsym(handle_, name), nullptr) << name;
}

} // namespace

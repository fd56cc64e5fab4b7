/* Launching kernels: typed, arguments counted and checked. */
#ifndef SIMT_LAUNCH_H
#define SIMT_LAUNCH_H

#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

struct cudaLaunchAttribute {
    int id;
};

typedef struct cudaLaunchConfig_st {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned numAttrs;
} cudaLaunchConfig_t;

namespace simt {

/* A kernel with its arguments, called once by each thread. */
class Kernel {
  public:
    virtual ~Kernel() = default;
    virtual void call() const = 0;
};

template <class... Parameters> class BoundKernel final : public Kernel {
  public:
    template <class... Arguments>
    explicit BoundKernel(void (*function)(Parameters...), Arguments &&...arguments)
        : function_(function), arguments_(std::forward<Arguments>(arguments)...) {}
    void call() const override { std::apply(function_, arguments_); }

  private:
    void (*function_)(Parameters...);
    std::tuple<std::decay_t<Parameters>...> arguments_;
};

/* What a launch of the function with this configuration gives, without launching it. */
cudaError_t check_launch(const cudaLaunchConfig_t &config, const void *function);
/* For a configuration that passes that check. */
cudaError_t launch(const cudaLaunchConfig_t &config, std::unique_ptr<Kernel> kernel);

cudaError_t set_attribute(const void *function, cudaFuncAttribute attribute, int value);
cudaError_t get_attributes(cudaFuncAttributes *attributes, const void *function);
cudaError_t occupancy(int *blocks, int threads, size_t dynamic_shared);

} // namespace simt

template <class... Parameters, class... Arguments>
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                                             void (*kernel)(Parameters...),
                                             Arguments &&...arguments) {
    static_assert(sizeof...(Parameters) == sizeof...(Arguments), "as many as the kernel takes");
    static_assert((std::is_convertible_v<Arguments &&, Parameters> && ...),
                  "of the types that the kernel takes");
    static_assert((std::is_trivially_copyable_v<std::decay_t<Parameters>> && ...),
                  "a kernel's arguments are copied to the device as bytes");
    const cudaError_t error = simt::check_launch(*config, reinterpret_cast<const void *>(kernel));
    if (error != cudaSuccess) {
        return error;
    }
    return simt::launch(
        *config, std::make_unique<simt::BoundKernel<Parameters...>>(
                     kernel, static_cast<Parameters>(std::forward<Arguments>(arguments))...));
}

template <class... Parameters>
static inline cudaError_t cudaFuncSetAttribute(void (*kernel)(Parameters...),
                                               cudaFuncAttribute attribute, int value) {
    return simt::set_attribute(reinterpret_cast<const void *>(kernel), attribute, value);
}

template <class... Parameters>
static inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes,
                                                void (*kernel)(Parameters...)) {
    return simt::get_attributes(attributes, reinterpret_cast<const void *>(kernel));
}

template <class... Parameters>
static inline cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void (*)(Parameters...), int threads,
                                              size_t dynamic_shared) {
    return simt::occupancy(blocks, threads, dynamic_shared);
}

#endif

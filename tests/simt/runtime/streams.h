// Streams: queues of work that runs when the host waits for it.
#ifndef SIMT_STREAMS_H
#define SIMT_STREAMS_H

#include <memory>

#include "host_state.h"

namespace simt {

class Work {
  public:
    virtual ~Work() = default;
    virtual void run() = 0;
};

template <class Function> class FunctionWork final : public Work {
  public:
    explicit FunctionWork(Function function) : function_(std::move(function)) {}
    void run() override { function_(); }

  private:
    Function function_;
};

cudaError_t enqueue(cudaStream_t stream, std::unique_ptr<Work> work);

template <class Function> cudaError_t enqueue_call(cudaStream_t stream, Function function) {
    return enqueue(stream, std::make_unique<FunctionWork<Function>>(std::move(function)));
}

void count_streams(Usage *usage);
void count_memory(Usage *usage);
void count_work(Usage *usage);

} // namespace simt

#endif

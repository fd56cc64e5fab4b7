// Streams and events. Lazy streams run nothing before the host waits, and then only what that
// needs, so that a missing wait shows.
#include "streams.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <vector>

namespace simt {
namespace {

// All that is enqueued is numbered. An item waits for another by (stream, number): streams that
// are gone have done all.
struct Item {
    uint64_t number;
    std::unique_ptr<Work> work; // null: waits only
    uint64_t awaited_stream, awaited_number;
};

} // namespace
} // namespace simt

struct simt_stream {
    uint64_t id;
    bool blocking; // takes turns with the default stream
    std::deque<simt::Item> queue;
};

struct simt_event {
    // Kept beyond the event's life by the work that sets it.
    struct Recorded {
        std::chrono::steady_clock::time_point time;
    };
    bool timed, recorded = false;
    uint64_t stream = 0, number = 0;
    std::shared_ptr<Recorded> what;
};

namespace simt {
namespace {

constexpr uint64_t kNone = UINT64_MAX;

bool lazy_of_environment() {
    const char *name = getenv("SIMT_STREAMS");
    if (name && strcmp(name, "lazy") != 0 && strcmp(name, "eager") != 0) {
        fail("SIMT_STREAMS is '%s', not lazy or eager", name);
    }
    return !name || strcmp(name, "lazy") == 0;
}

struct Streams {
    simt_stream otherwise{0, true, {}};
    std::map<uint64_t, simt_stream *> all{{0, &otherwise}};
    uint64_t next_id = 1, next_number = 1;
    size_t events = 0;
    bool lazy = lazy_of_environment();
};

Streams &streams() {
    static Streams made;
    return made;
}

simt_stream *stream_of(cudaStream_t stream) {
    return stream ? stream : &streams().otherwise;
}

bool is_alive(cudaStream_t stream) {
    if (!stream) {
        return true;
    }
    for (const auto &[id, other] : streams().all) {
        if (other == stream) {
            return true;
        }
    }
    return false;
}

// Has the stream work up to this number that has not run?
bool is_pending(const simt_stream &stream, uint64_t number) {
    return !stream.queue.empty() && stream.queue.front().number <= number;
}

// The stream that must go on before the first item of this one can run, or null.
simt_stream *held_up_by(const simt_stream &stream) {
    const Item &item = stream.queue.front();
    const auto awaited = streams().all.find(item.awaited_stream);
    if (awaited != streams().all.end() && is_pending(*awaited->second, item.awaited_number)) {
        return awaited->second;
    }
    if (!stream.blocking) {
        return nullptr;
    }
    simt_stream *otherwise = &streams().otherwise;
    if (&stream != otherwise) {
        return is_pending(*otherwise, item.number - 1) ? otherwise : nullptr;
    }
    for (const auto &[id, other] : streams().all) {
        if (other != otherwise && other->blocking && is_pending(*other, item.number - 1)) {
            return other;
        }
    }
    return nullptr;
}

// Runs the first item of a stream, or of one that holds it up. It waits for lower numbers only, so
// this ends.
void step(simt_stream *stream) {
    while (simt_stream *other = held_up_by(*stream)) {
        stream = other;
    }
    const std::unique_ptr<Work> work = std::move(stream->queue.front().work);
    stream->queue.pop_front();
    if (work) {
        const DeviceMemoryOpen open;
        work->run();
    }
}

void run_through(simt_stream *stream, uint64_t number) {
    while (is_pending(*stream, number)) {
        step(stream);
    }
}

uint64_t add(cudaStream_t to, std::unique_ptr<Work> work, uint64_t awaited_stream,
             uint64_t awaited_number) {
    simt_stream *stream = stream_of(to);
    const uint64_t number = streams().next_number++;
    stream->queue.push_back({number, std::move(work), awaited_stream, awaited_number});
    if (!streams().lazy) {
        run_through(stream, number);
    }
    return number;
}

} // namespace

cudaError_t enqueue(cudaStream_t stream, std::unique_ptr<Work> work) {
    if (!is_alive(stream)) {
        return note(cudaErrorInvalidResourceHandle);
    }
    add(stream, std::move(work), kNone, 0);
    return cudaSuccess;
}

void set_lazy_streams(bool lazy) {
    const HostLock lock(host_mutex());
    streams().lazy = lazy;
    if (!lazy) {
        cudaDeviceSynchronize();
    }
}

void count_streams(Usage *usage) {
    usage->streams = streams().all.size() - 1;
    usage->events = streams().events;
}

} // namespace simt

extern "C" cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
    const simt::HostLock lock(simt::host_mutex());
    if (flags > cudaStreamNonBlocking) {
        return simt::note(cudaErrorInvalidValue);
    }
    const uint64_t id = simt::streams().next_id++;
    *stream = new simt_stream{id, flags == cudaStreamDefault, {}};
    simt::streams().all[id] = *stream;
    return cudaSuccess;
}

extern "C" cudaError_t cudaStreamCreate(cudaStream_t *stream) {
    return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

extern "C" cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    const simt::HostLock lock(simt::host_mutex());
    if (!stream || !simt::is_alive(stream)) {
        return simt::note(cudaErrorInvalidResourceHandle);
    }
    simt::run_through(stream, UINT64_MAX);
    simt::streams().all.erase(stream->id);
    delete stream;
    return cudaSuccess;
}

extern "C" cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    const simt::HostLock lock(simt::host_mutex());
    if (!simt::is_alive(stream)) {
        return simt::note(cudaErrorInvalidResourceHandle);
    }
    simt::run_through(simt::stream_of(stream), UINT64_MAX);
    return cudaSuccess;
}

// One item runs at each call, so that a loop around it ends.
extern "C" cudaError_t cudaStreamQuery(cudaStream_t stream) {
    const simt::HostLock lock(simt::host_mutex());
    if (!simt::is_alive(stream)) {
        return simt::note(cudaErrorInvalidResourceHandle);
    }
    simt_stream *queried = simt::stream_of(stream);
    if (queried->queue.empty()) {
        return cudaSuccess;
    }
    simt::step(queried);
    return cudaErrorNotReady;
}

extern "C" cudaError_t cudaDeviceSynchronize() {
    const simt::HostLock lock(simt::host_mutex());
    for (const auto &[id, stream] : simt::streams().all) {
        simt::run_through(stream, UINT64_MAX);
    }
    return cudaSuccess;
}

extern "C" cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
    const simt::HostLock lock(simt::host_mutex());
    *event = new simt_event;
    (*event)->timed = !(flags & cudaEventDisableTiming);
    ++simt::streams().events;
    return cudaSuccess;
}

extern "C" cudaError_t cudaEventCreate(cudaEvent_t *event) {
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

extern "C" cudaError_t cudaEventDestroy(cudaEvent_t event) {
    const simt::HostLock lock(simt::host_mutex());
    if (!event) {
        return simt::note(cudaErrorInvalidResourceHandle);
    }
    --simt::streams().events;
    delete event;
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    const simt::HostLock lock(simt::host_mutex());
    if (!event || !simt::is_alive(stream)) {
        return simt::note(cudaErrorInvalidResourceHandle);
    }
    auto what = std::make_shared<simt_event::Recorded>();
    auto set_time = [what] { what->time = std::chrono::steady_clock::now(); };
    event->what = what;
    event->recorded = true;
    event->stream = simt::stream_of(stream)->id;
    event->number = simt::add(
        stream, std::make_unique<simt::FunctionWork<decltype(set_time)>>(set_time), simt::kNone, 0);
    return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
    const simt::HostLock lock(simt::host_mutex());
    if (!event || !simt::is_alive(stream)) {
        return simt::note(cudaErrorInvalidResourceHandle);
    }
    if (flags != 0) {
        return simt::note(cudaErrorInvalidValue);
    }
    if (event->recorded) {
        simt::add(stream, nullptr, event->stream, event->number);
    }
    return cudaSuccess;
}

namespace {

// The stream where the event is still to come, or null.
simt_stream *pending_stream(const simt_event &event) {
    const auto stream = simt::streams().all.find(event.stream);
    const bool pending = event.recorded && stream != simt::streams().all.end() &&
                         simt::is_pending(*stream->second, event.number);
    return pending ? stream->second : nullptr;
}

} // namespace

extern "C" cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    const simt::HostLock lock(simt::host_mutex());
    if (!event) {
        return simt::note(cudaErrorInvalidResourceHandle);
    }
    if (simt_stream *stream = pending_stream(*event)) {
        simt::run_through(stream, event->number);
    }
    return cudaSuccess;
}

extern "C" cudaError_t cudaEventQuery(cudaEvent_t event) {
    const simt::HostLock lock(simt::host_mutex());
    if (!event) {
        return simt::note(cudaErrorInvalidResourceHandle);
    }
    if (simt_stream *stream = pending_stream(*event)) {
        simt::step(stream);
        return cudaErrorNotReady;
    }
    return cudaSuccess;
}

extern "C" cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t begin,
                                            cudaEvent_t end) {
    const simt::HostLock lock(simt::host_mutex());
    if (!begin || !end || !begin->timed || !end->timed || !begin->recorded || !end->recorded) {
        return simt::note(cudaErrorInvalidResourceHandle);
    }
    if (pending_stream(*begin) || pending_stream(*end)) {
        return cudaErrorNotReady;
    }
    const std::chrono::duration<float, std::milli> elapsed = end->what->time - begin->what->time;
    *milliseconds = elapsed.count();
    return cudaSuccess;
}

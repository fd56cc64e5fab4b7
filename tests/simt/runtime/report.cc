// The message with which a faulty kernel ends.
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "schedule.h"

namespace simt {
namespace {

void report_waiters(unsigned w) {
    const Warp &waiting = block.warp[w];
    for (unsigned i = 0; i < waiting.groups; ++i) {
        const Group &group = waiting.group[i];
        fprintf(stderr, "  warp %u: lanes %08x wait in %s (mask %08x) at %s:%d\n", w, group.arrived,
                name_of(group.site.op), group.mask, group.site.file, group.site.line);
    }
    if (waiting.at_barrier) {
        const Site &site = block.barrier.site;
        fprintf(stderr, "  warp %u: lanes %08x wait in %s at %s:%d\n", w, waiting.at_barrier,
                name_of(site.op), site.file, site.line);
    }
}

} // namespace

const char *name_of(Op op) {
    static const char *const names[] = {
#define SIMT_NAME(op, text) text,
        SIMT_OPS(SIMT_NAME)
#undef SIMT_NAME
    };
    return names[static_cast<int>(op)];
}

void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "simt: ");
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    if (running) {
        fprintf(stderr, "  in block (%u, %u, %u), last to run: thread (%u, %u, %u)\n", blockIdx.x,
                blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z);
        for (unsigned w = 0; w < block.warps; ++w) {
            report_waiters(w);
        }
    }
    fflush(nullptr);
    abort();
}

} // namespace simt

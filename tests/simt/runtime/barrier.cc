// Barriers of the whole block.
#include "sanitizers.h"
#include "schedule.h"

namespace simt {
namespace {

int barrier_result(const Barrier &barrier) {
    switch (barrier.site.op) {
    case Op::barrier_count:
        return static_cast<int>(barrier.agreeing);
    case Op::barrier_and:
        return barrier.agreeing == barrier.waiting;
    default:
        return barrier.agreeing != 0;
    }
}

} // namespace

void settle_barrier() {
    Barrier *barrier = &block.barrier;
    if (barrier->waiting == 0 || barrier->waiting != block.alive) {
        return;
    }
    barrier->result[barrier->turn & 1] = barrier_result(*barrier);
    ++barrier->turn;
    barrier->waiting = barrier->agreeing = 0;
    for (unsigned w = 0; w < block.warps; ++w) {
        Warp *other = &block.warp[w];
        other->ready |= other->at_barrier;
        other->at_barrier = 0;
        block.ready |= (other->ready ? 1u : 0u) << w;
    }
}

int barrier(Op op, bool predicate, const char *file, int line) {
    Barrier *barrier = &block.barrier;
    const Site site = {op, line, file};
    check_not_awaited(name_of(op));
    if (barrier->waiting == 0) {
        barrier->site = site;
    } else if (!same_site(barrier->site, site)) {
        fail("threads of a block meet at different barriers: %s at %s:%d, others wait in %s at "
             "%s:%d",
             name_of(op), file, line, name_of(barrier->site.op), barrier->site.file,
             barrier->site.line);
    }
    const unsigned turn = barrier->turn & 1;
    release(&barrier->passed[turn]);
    warp->ready &= ~(1u << lane);
    warp->at_barrier |= 1u << lane;
    ++barrier->waiting;
    barrier->agreeing += predicate;
    settle_barrier();
    pass_on();
    acquire(&barrier->passed[turn]);
    return barrier->result[turn];
}

} // namespace simt

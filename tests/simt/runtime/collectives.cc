// Warp collectives: the last lane to come works out every lane's result.
#include <cstring>

#include "sanitizers.h"
#include "schedule.h"

namespace simt {
namespace {

[[noreturn]] void fail_to_meet(const Site &site, unsigned mask, const Group &group) {
    fail("%s at %s:%d (mask %08x) by lane %u meets %s at %s:%d (mask %08x)", name_of(site.op),
         site.file, site.line, mask, lane, name_of(group.site.op), group.site.file, group.site.line,
         group.mask);
}

// A new group for the running lane's call, after a look at where the mask's other lanes are.
Group *open_group(const Site &site, unsigned mask) {
    const unsigned first = static_cast<unsigned>(warp - block.warp) * kLanes;
    const unsigned there =
        block.threads - first >= kLanes ? ~0u : (1u << (block.threads - first)) - 1;
    if (!(mask >> lane & 1)) {
        fail("%s at %s:%d: lane %u calls it but is not in mask %08x", name_of(site.op), site.file,
             site.line, lane, mask);
    }
    if (mask & ~there && mask != ~0u) {
        fail("%s at %s:%d: mask %08x names lanes that the block doesn't have", name_of(site.op),
             site.file, site.line, mask);
    }
    if (mask & there & warp->exited) {
        fail("%s at %s:%d: lanes %08x of mask %08x have exited", name_of(site.op), site.file,
             site.line, mask & there & warp->exited, mask);
    }
    if (mask & warp->at_barrier) {
        fail("%s at %s:%d: lanes %08x of mask %08x wait at a barrier of the block",
             name_of(site.op), site.file, site.line, mask & warp->at_barrier, mask);
    }
    for (unsigned i = 0; i < warp->groups; ++i) {
        if (warp->group[i].mask & mask) {
            fail_to_meet(site, mask, warp->group[i]);
        }
    }
    Group *group = &warp->group[warp->groups++];
    group->site = site;
    group->mask = mask;
    group->expected = mask & there;
    group->arrived = 0;
    warp->awaited |= mask & there;
    return group;
}

// The group that the running lane's call joins: where one awaits the lane, that one.
Group *join_group(const Site &site, unsigned mask) {
    if (!(warp->awaited >> lane & 1)) {
        return open_group(site, mask);
    }
    Group *group = warp->group;
    while (!(group->mask >> lane & 1)) {
        ++group;
    }
    if (group->mask != mask || !same_site(group->site, site)) {
        fail_to_meet(site, mask, *group);
    }
    return group;
}

template <class Do> inline void for_each_lane(unsigned lanes, Do &&work) {
    if (lanes == ~0u) { // nearly always
        for (unsigned l = 0; l < kLanes; ++l) {
            work(l);
        }
        return;
    }
    for (; lanes; lanes &= lanes - 1) {
        work(static_cast<unsigned>(__builtin_ctz(lanes)));
    }
}

unsigned source_lane(Op op, unsigned l) {
    const unsigned width = warp->width[l], operand = warp->operand[l], base = l & ~(width - 1);
    const unsigned end = base + width;
    switch (op) {
    case Op::shuffle:
        return base + (operand & (width - 1));
    case Op::shuffle_up:
        return operand <= l - base ? l - operand : l;
    case Op::shuffle_down:
        return operand < end - l ? l + operand : l;
    default: // shuffle_xor
        return (l ^ operand) < end ? l ^ operand : l;
    }
}

void shuffle(const Group &group) {
    for_each_lane(group.expected, [&](unsigned l) {
        const unsigned width = warp->width[l];
        if (width == 0 || width > kLanes || (width & (width - 1)) != 0) {
            fail("%s at %s:%d: a width of %u", name_of(group.site.op), group.site.file,
                 group.site.line, width);
        }
        const unsigned from = source_lane(group.site.op, l);
        if (from >= kLanes || !(group.expected >> from & 1)) {
            fail("%s at %s:%d: lane %u reads lane %u, which is not in mask %08x",
                 name_of(group.site.op), group.site.file, group.site.line, l, from, group.expected);
        }
        warp->result[l] = warp->value[from];
    });
}

unsigned votes(unsigned lanes) {
    unsigned result = 0;
    for_each_lane(lanes, [&](unsigned l) { result |= (warp->value[l] ? 1u : 0u) << l; });
    return result;
}

uint32_t reduce(Op op, unsigned lanes) {
    uint32_t sum = 0, smallest = UINT32_MAX, largest = 0, all = UINT32_MAX, any = 0, odd = 0;
    // Signed numbers in the order of unsigned ones.
    const bool is_signed = op == Op::reduce_min_signed || op == Op::reduce_max_signed;
    const uint32_t flip = is_signed ? 0x80000000u : 0;
    for_each_lane(lanes, [&](unsigned l) {
        const uint32_t value = static_cast<uint32_t>(warp->value[l]), placed = value ^ flip;
        sum += value;
        smallest = placed < smallest ? placed : smallest;
        largest = placed > largest ? placed : largest;
        all &= value;
        any |= value;
        odd ^= value;
    });
    switch (op) {
    case Op::reduce_add:
        return sum;
    case Op::reduce_min:
    case Op::reduce_min_signed:
        return smallest ^ flip;
    case Op::reduce_max:
    case Op::reduce_max_signed:
        return largest ^ flip;
    case Op::reduce_and:
        return all;
    case Op::reduce_or:
        return any;
    default:
        return odd;
    }
}

void match(unsigned lanes) {
    for_each_lane(lanes, [&](unsigned l) {
        unsigned equal = 0;
        for_each_lane(lanes, [&](unsigned other) {
            equal |= (warp->value[other] == warp->value[l] ? 1u : 0u) << other;
        });
        warp->result[l] = equal;
    });
}

void synchronize(unsigned lanes) {
    if (under_tsan()) {
        for_each_lane(lanes, [&](unsigned l) { __tsan_acquire(&warp->arrival[l]); });
        for_each_lane(lanes, [&](unsigned l) { __tsan_release(&warp->departure[l]); });
    }
}

void give(unsigned lanes, uint64_t result) {
    for_each_lane(lanes, [&](unsigned l) { warp->result[l] = result; });
}

// All are there: results for all, who are ready again.
void finish(Group *group) {
    const Op op = group->site.op;
    const unsigned lanes = group->expected;
    switch (op) {
    case Op::syncwarp:
        synchronize(lanes);
        break;
    case Op::shuffle:
    case Op::shuffle_up:
    case Op::shuffle_down:
    case Op::shuffle_xor:
        shuffle(*group);
        break;
    case Op::ballot:
        give(lanes, votes(lanes));
        break;
    case Op::all:
        give(lanes, votes(lanes) == lanes);
        break;
    case Op::any:
        give(lanes, votes(lanes) != 0);
        break;
    case Op::match_any:
        match(lanes);
        break;
    default:
        give(lanes, reduce(op, lanes));
    }
    warp->ready |= lanes;
    warp->awaited &= ~lanes;
    *group = warp->group[--warp->groups];
}

} // namespace

bool same_site(const Site &a, const Site &b) {
    return a.op == b.op && a.line == b.line && (a.file == b.file || strcmp(a.file, b.file) == 0);
}

uint64_t collective(Op op, unsigned mask, uint64_t value, unsigned operand, unsigned width,
                    const char *file, int line) {
    Warp *const own = warp;
    const unsigned own_lane = lane;
    own->value[own_lane] = value;
    own->operand[own_lane] = operand;
    own->width[own_lane] = static_cast<unsigned char>(width <= kLanes ? width : 0);
    const Site site = {op, line, file};
    Group *group = own->group;
    const bool usual = own->groups == 1 && group->mask == mask && (mask >> own_lane & 1) &&
                       group->site.op == op && group->site.line == line && group->site.file == file;
    if (__builtin_expect(!usual, false)) {
        group = join_group(site, mask);
    }
    if (op == Op::syncwarp) {
        release(&own->arrival[own_lane]);
    }
    own->ready &= ~(1u << own_lane);
    group->arrived |= 1u << own_lane;
    if (group->arrived == group->expected) {
        ++collectives_done;
        finish(group);
    }
    pass_on();
    if (op == Op::syncwarp) {
        acquire(&own->departure[own_lane]);
    }
    return own->result[own_lane];
}

} // namespace simt

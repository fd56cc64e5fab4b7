#include "random_order.h"

#include <cstdlib>
#include <cstring>
#include <numeric>

namespace simt {
namespace {

uint64_t state = 1;

Order order_of_environment() {
    const char *seed = getenv("SIMT_SEED");
    set_order(Order::forward, seed ? strtoull(seed, nullptr, 0) : 0);
    const char *name = getenv("SIMT_ORDER");
    if (!name || strcmp(name, "forward") == 0) {
        return Order::forward;
    }
    if (strcmp(name, "reverse") == 0) {
        return Order::reverse;
    }
    if (strcmp(name, "random") == 0) {
        return Order::random;
    }
    fail("SIMT_ORDER is '%s', not forward, reverse or random", name);
}

} // namespace

Order current_order = order_of_environment();

uint64_t random_word() { // xorshift64*
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (state * 0x2545F4914F6CDD1Dull) >> 32;
}

void set_order(Order order, uint64_t seed) {
    current_order = order;
    state = (seed + 1) * 0x9E3779B97F4A7C15ull;
    state = state ? state : 1;
}

BlockOrder::BlockOrder(uint64_t count) : count_(count), step_(1), offset_(0) {
    if (order() == Order::reverse) {
        step_ = offset_ = count - 1;
    } else if (order() == Order::random) {
        offset_ = random_word() % count;
        do {
            step_ = 1 + random_word() % count;
        } while (std::gcd(step_, count) != 1);
    }
}

} // namespace simt

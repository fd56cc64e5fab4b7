// In which order blocks, warps and lanes run.
#ifndef SIMT_RANDOM_ORDER_H
#define SIMT_RANDOM_ORDER_H

#include <cstdint>

#include "simt/runtime.h"

#pragma GCC visibility push(hidden)
namespace simt {

extern Order current_order;
inline Order order() {
    return current_order;
}

uint64_t random_word();

// True once in `out_of` times.
inline bool random_chance(unsigned out_of) {
    return random_word() % out_of == 0;
}

// The number of one of the set bits.
inline unsigned random_bit(unsigned bits) {
    const unsigned turn = static_cast<unsigned>(random_word() & 31);
    const unsigned turned = bits >> turn | bits << (-turn & 31);
    return (static_cast<unsigned>(__builtin_ctz(turned)) + turn) & 31;
}

// A permutation of [0, count): i -> (i * step + offset) mod count.
class BlockOrder {
  public:
    explicit BlockOrder(uint64_t count);
    uint64_t at(uint64_t i) const {
        return static_cast<uint64_t>((static_cast<unsigned __int128>(i) * step_ + offset_) %
                                     count_);
    }

  private:
    uint64_t count_, step_, offset_;
};

} // namespace simt
#pragma GCC visibility pop

#endif

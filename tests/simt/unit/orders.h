// Runs a check in every order that threads can take.
#ifndef SIMT_UNIT_ORDERS_H
#define SIMT_UNIT_ORDERS_H

#include <cuda_runtime.h>

#include <gtest/gtest.h>

template <class Check> void in_every_order(Check check) {
    constexpr uint64_t kSeeds = 8;
    for (const simt::Order order : {simt::Order::forward, simt::Order::reverse}) {
        SCOPED_TRACE(order == simt::Order::forward ? "forward" : "reverse");
        simt::set_order(order);
        check();
    }
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        SCOPED_TRACE("random, seed " + std::to_string(seed));
        simt::set_order(simt::Order::random, seed);
        check();
    }
    simt::set_order(simt::Order::forward);
}

#endif

/* An order cut into one piece for each device. The cuts start from equal shares of the ops' weight;
 * then shares move from the devices that turned out dear to those that turned out cheap. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "baselines/methods.h"
#include "baselines/upward_rank.h"
#include "regal/core/duration.h"
#include "regal/core/fitness.h"
#include "regal/core/placement.h"
#include "regal/core/rank.h"
#include "search/decoder.h"

enum { ROUNDS = 12 };

typedef struct spreader {
    const regal_problem_view *view;
    const regal_id *sequence;
    regal_balance balance;
    int64_t *weight; /* [op] */
    regal_id *rank;  /* [op] */
    bool *decided;   /* [op] of a leader: its group has a device */
    uint8_t *device; /* [op] the placement at hand */
    regal_decoder decoder;
    int64_t makespan;                 /* of the placement at hand */
    int64_t share[REGAL_MAX_DEVICES]; /* of the weight of all ops, relative to each other */
    int64_t price[REGAL_MAX_DEVICES]; /* what the placement at hand costs each device */
} spreader;

static void weigh(spreader *s) {
    for (regal_id op = 0; op < s->view->op_count; ++op)
        s->weight[op] = s->balance == REGAL_BALANCE_WORK ? regal_mean_op_ticks(s->view, op)
                                                         : s->view->ops[op].start_bytes + 1;
    for (int32_t d = 0; d < s->view->device_count; ++d)
        s->share[d] = 1 << 20;
}

static int32_t nearest(uint64_t allowed, int32_t device) {
    const uint64_t below = allowed & (((uint64_t)2 << device) - 1), above = allowed & ~below;
    const int32_t low = below != 0 ? 63 - __builtin_clzll(below) : -1;
    const int32_t high = above != 0 ? regal_set_first(above) : -1;
    return low >= 0 && (high < 0 || device - low <= high - device) ? low : high;
}

/* An op goes to the device in whose share of the weight its middle lies, if its group is free to.
 */
static void place_by_share(spreader *s) {
    const regal_problem_view *view = s->view;
    __int128 total = 0, passed = 0, shares = 0, up_to = s->share[0];
    for (regal_id op = 0; op < view->op_count; ++op)
        total += s->weight[op];
    for (int32_t d = 0; d < view->device_count; ++d)
        shares += s->share[d];
    memset(s->decided, 0, (size_t)view->op_count * sizeof *s->decided);
    int32_t d = 0;
    for (int64_t i = 0; i < view->op_count; ++i) {
        const regal_id op = s->sequence[i], leader = view->leader[op];
        while (d + 1 < view->device_count &&
               (2 * passed + s->weight[op]) * shares >= 2 * up_to * total)
            up_to += s->share[++d];
        passed += s->weight[op];
        if (!s->decided[leader])
            s->device[leader] = (uint8_t)nearest(view->allowed[leader], d);
        s->decided[leader] = true;
        s->device[op] = s->device[leader];
    }
}

static regal_fitness simulate(spreader *s) {
    const regal_problem_view *view = s->view;
    const bool by_work = s->balance == REGAL_BALANCE_WORK;
    regal_simulation *simulation = &s->decoder.simulation;
    memcpy(simulation->device, s->device, (size_t)view->op_count * sizeof *s->device);
    memcpy(simulation->order, s->rank, (size_t)view->op_count * sizeof *s->rank);
    s->makespan = regal_simulate(view, simulation, by_work ? 0 : 1, NULL);
    return regal_fitness_of(by_work ? REGAL_TIME : REGAL_MEMORY, s->makespan, simulation->peak,
                            view->capacity, view->device_count);
}

static void price_work(spreader *s) {
    memset(s->price, 0, sizeof s->price);
    for (regal_id op = 0; op < s->view->op_count; ++op)
        s->price[s->device[op]] += regal_op_ticks(s->view, op, s->device[op]);
}

/* Millionths of the capacity (an unlimited device has room for everything). */
static int64_t used_share(int64_t peak, int64_t capacity, int64_t everything) {
    const __int128 share = (__int128)peak * 1000000 / (capacity > 0 ? capacity : everything + 1);
    return share < INT64_MAX ? (int64_t)share : INT64_MAX;
}

/* Peaks, or, while caps are exceeded, peaks relative to the capacities. */
static void price_memory(spreader *s, bool relative) {
    const int64_t *peak = s->decoder.simulation.peak, *capacity = s->view->capacity;
    int64_t sum = 0;
    for (int32_t d = 0; d < s->view->device_count; ++d)
        sum += peak[d];
    for (int32_t d = 0; d < s->view->device_count; ++d)
        s->price[d] = relative ? used_share(peak[d], capacity[d], sum) : peak[d];
}

/* Half way to the share that would cost the mean price, and at most 2.5 times the share. */
static void move_shares(spreader *s) {
    enum { ONE = 1024, MOST = 4 * ONE };
    const int32_t devices = s->view->device_count;
    __int128 sum = 0;
    for (int32_t d = 0; d < devices; ++d)
        sum += s->price[d];
    for (int32_t d = 0; d < devices; ++d) {
        const __int128 dear = (__int128)s->price[d] * devices;
        const int64_t factor = sum * ONE < dear * MOST ? (int64_t)(sum * ONE / dear) : MOST;
        s->share[d] = s->share[d] * (ONE + factor) / (2 * ONE);
        s->share[d] += s->share[d] == 0;
    }
}

static void spread(spreader *s, uint8_t *device) {
    const size_t size = (size_t)s->view->op_count * sizeof *device;
    regal_fitness best = {{0}};
    weigh(s);
    regal_invert_order(s->sequence, s->view->op_count, s->rank);
    for (int round = 0; round < ROUNDS; ++round) {
        place_by_share(s);
        const regal_fitness fitness = simulate(s);
        if (round == 0 || regal_fitness_less(fitness, best)) {
            best = fitness;
            memcpy(device, s->device, size);
        }
        if (s->balance == REGAL_BALANCE_WORK)
            price_work(s);
        else
            price_memory(s, best.value[0] > 0);
        move_shares(s);
    }
}

regal_status regal_spread_order(const regal_problem_view *view, const regal_id *sequence,
                                regal_balance balance, uint8_t *device) {
    const int64_t n = view->op_count;
    spreader s = {.view = view,
                  .sequence = sequence,
                  .balance = balance,
                  .weight = regal_allocate(n, sizeof *s.weight),
                  .rank = regal_allocate(n, sizeof *s.rank),
                  .decided = regal_allocate(n, sizeof *s.decided),
                  .device = regal_allocate(n, sizeof *s.device)};
    regal_status status = REGAL_OUT_OF_MEMORY;
    if (s.weight != NULL && s.rank != NULL && s.decided != NULL && s.device != NULL)
        status = regal_decoder_create(view, &s.decoder);
    else
        regal_error_set(status, __FILE__, __LINE__, "memory ran out");
    if (status == REGAL_OK)
        spread(&s, device);
    regal_decoder_destroy(&s.decoder);
    free(s.weight);
    free(s.rank);
    free(s.decided);
    free(s.device);
    return status;
}

#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "baselines/methods.h"
#include "baselines/upward_rank.h"
#include "regal/core/placement.h"
#include "regal/core/random.h"

/* The draws of a first population on an island that no search has. */
enum { ISLAND = 0xffffff };

/* Of each op: word 0 its place in the order, word 1 the device of the group that it leads. */
static regal_status draw(const regal_problem_view *view, uint64_t seed, int64_t *rank,
                         regal_heuristic *heuristic) {
    for (int64_t i = 0; i < view->op_count; ++i) {
        const regal_id op = view->canonical[i], leader = view->leader[op];
        const regal_stream stream =
            regal_stream_make(seed, REGAL_STAGE_SEED, ISLAND, 0, (uint32_t)((uint64_t)op >> 32));
        const regal_random_block drawn = regal_draw(&stream, (uint32_t)op);
        const uint64_t devices = view->allowed[leader];
        rank[op] = drawn.word[0];
        heuristic->device[op] =
            op != leader
                ? heuristic->device[leader]
                : (uint8_t)regal_set_member(
                      devices, (int32_t)regal_word_below(drawn.word[1], regal_set_size(devices)));
    }
    return regal_order_ready_by_rank(view, rank, heuristic->sequence);
}

REGAL_MAKE(random) {
    const regal_problem_view *view = regal_problem_get_view(problem);
    REGAL_FORWARD(regal_heuristic_create(view, "random", heuristic));
    heuristic->window = objective == REGAL_TIME ? 0 : 1;
    int64_t *rank = regal_allocate(view->op_count, sizeof *rank);
    REGAL_FAIL_IF_NULL(rank);
    const regal_status status = draw(view, seed, rank, heuristic);
    free(rank);
    return status;
}

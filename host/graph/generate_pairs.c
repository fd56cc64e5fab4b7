#include "graph/generate_pairs.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"

/* More edges than this are taken for a mistake, before memory runs out. */
#define EDGES_EXPECTED_MAX 1e9

static regal_status check_expected(double pairs, double probability) {
    REGAL_FAIL_IF(pairs * probability > EDGES_EXPECTED_MAX, REGAL_INVALID_ARGUMENT,
                  "about %.3g edges are more than 10^9: lower ops or the probability of an edge",
                  pairs * probability);
    return REGAL_OK;
}

regal_status regal_join_within(regal_edge_list *edges, regal_random *random, int64_t first,
                               int64_t count, double probability) {
    REGAL_FORWARD(check_expected((double)count * (double)count / 2, probability));
    int64_t column = regal_random_skip(random, probability);
    for (int64_t row = 0; row < count; ++row) {
        const int64_t width = count - 1 - row;
        for (; column < width; column += 1 + regal_random_skip(random, probability))
            REGAL_FORWARD(regal_edge_list_add(edges, first + row, first + row + 1 + column));
        column -= width;
    }
    return REGAL_OK;
}

regal_status regal_join_between(regal_edge_list *edges, regal_random *random, int64_t first,
                                int64_t count, int64_t other, int64_t other_count,
                                double probability) {
    REGAL_FORWARD(check_expected((double)count * (double)other_count, probability));
    const int64_t pairs = count * other_count;
    for (int64_t pair = regal_random_skip(random, probability); pair < pairs;
         pair += 1 + regal_random_skip(random, probability))
        REGAL_FORWARD(
            regal_edge_list_add(edges, first + pair / other_count, other + pair % other_count));
    return REGAL_OK;
}

regal_status regal_join_band(regal_edge_list *edges, regal_random *random, int64_t count,
                             int64_t band, double probability) {
    REGAL_FORWARD(check_expected((double)count * (double)band, probability));
    int64_t column = regal_random_skip(random, probability);
    for (int64_t row = 0; row < count; ++row) {
        for (; column < band; column += 1 + regal_random_skip(random, probability))
            if (row + 1 + column < count)
                REGAL_FORWARD(regal_edge_list_add(edges, row, row + 1 + column));
        column -= band;
    }
    return REGAL_OK;
}

/* A set of unordered pairs: open addressing, removed ones stay as marks. */
enum { FREE_SLOT = -1, REMOVED_SLOT = -2 };

typedef struct pair_set {
    int64_t *slots, mask, op_count;
} pair_set;

static bool pair_set_create(pair_set *set, int64_t op_count, int64_t capacity) {
    int64_t size = 16;
    while (size < 4 * capacity)
        size *= 2;
    *set = (pair_set){regal_allocate(size, sizeof *set->slots), size - 1, op_count};
    for (int64_t i = 0; set->slots != NULL && i < size; ++i)
        set->slots[i] = FREE_SLOT;
    return set->slots != NULL;
}

/* The slot of the pair, or the free one at which the search for it ends. */
static int64_t *pair_set_find(const pair_set *set, int64_t a, int64_t b) {
    const int64_t key = a < b ? a * set->op_count + b : b * set->op_count + a;
    uint64_t slot = ((uint64_t)key * 0x9e3779b97f4a7c15u) >> 20;
    for (;; ++slot) {
        int64_t *place = &set->slots[slot & (uint64_t)set->mask];
        if (*place == key || *place == FREE_SLOT)
            return place;
    }
}

static bool pair_set_add(pair_set *set, int64_t a, int64_t b) {
    int64_t *place = pair_set_find(set, a, b);
    if (*place != FREE_SLOT)
        return false;
    *place = a < b ? a * set->op_count + b : b * set->op_count + a;
    return true;
}

/* Gives edge (op, *end) another end that op is not joined to yet, unless none turns up. */
static void rewire(pair_set *set, regal_random *random, int64_t count, int64_t op, int64_t *end) {
    enum { TRIES = 100 };
    for (int i = 0; i < TRIES; ++i) {
        const int64_t other = regal_random_below(random, count);
        if (other != op && pair_set_add(set, op, other)) {
            *pair_set_find(set, op, *end) = REMOVED_SLOT;
            *end = other;
            return;
        }
    }
}

/* ends [reach][count]: the far end of the edge from op i to its k-th neighbour, or -1. */
static void draw_small_world(pair_set *set, regal_random *random, int64_t count, int64_t reach,
                             double rewiring, int64_t *ends) {
    for (int64_t k = 0; k < reach; ++k)
        for (int64_t i = 0; i < count; ++i) {
            const int64_t end = (i + k + 1) % count;
            ends[k * count + i] = end != i && pair_set_add(set, i, end) ? end : -1;
        }
    for (int64_t k = 0; k < reach; ++k)
        for (int64_t i = 0; i < count; ++i)
            if (regal_random_chance(random, rewiring) && ends[k * count + i] >= 0)
                rewire(set, random, count, i, &ends[k * count + i]);
}

regal_status regal_join_small_world(regal_edge_list *edges, regal_random *random, int64_t count,
                                    int64_t reach, double rewiring) {
    REGAL_FORWARD(check_expected((double)count * (double)reach, 1));
    int64_t *ends = regal_allocate(count * reach, sizeof *ends);
    pair_set set = {0};
    regal_status status = REGAL_OK;
    /* Twice the edges: a removed one keeps its slot. */
    if (ends == NULL || !pair_set_create(&set, count, 2 * count * reach))
        status = regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out");
    else
        draw_small_world(&set, random, count, reach, rewiring, ends);
    for (int64_t i = 0; status == REGAL_OK && i < count * reach; ++i)
        if (ends[i] >= 0)
            status = regal_edge_list_add(edges, i % count, ends[i]);
    free(set.slots);
    free(ends);
    return status;
}

/* Joins op v to `links` different ends, drawn from `pool`, in which every op stands once for each
 * of its edges. mark[w] == v: already joined. */
static regal_status join_op(regal_edge_list *edges, regal_random *random, int64_t v, int64_t links,
                            const int64_t *pool, int64_t pool_size, int64_t *mark) {
    for (int64_t k = 0; k < links;) {
        const int64_t end = pool_size > 0 ? pool[regal_random_below(random, pool_size)] : k;
        if (mark[end] == v)
            continue;
        mark[end] = v;
        ++k;
        REGAL_FORWARD(regal_edge_list_add(edges, end, v));
    }
    return REGAL_OK;
}

regal_status regal_join_preferentially(regal_edge_list *edges, regal_random *random, int64_t count,
                                       int64_t links) {
    links = links < count - 1 ? links : count - 1;
    REGAL_FORWARD(check_expected((double)count * (double)links, 1));
    int64_t *pool = regal_allocate(2 * count * (links + 1), sizeof *pool), pool_size = 0;
    int64_t *mark = regal_allocate_zeroed(count, sizeof *mark);
    regal_status status = REGAL_OK;
    if (pool == NULL || mark == NULL)
        status = regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out");
    for (int64_t v = links; links > 0 && v < count && status == REGAL_OK; ++v) {
        const int64_t first = edges->count;
        status = join_op(edges, random, v, links, pool, pool_size, mark);
        for (int64_t i = first; status == REGAL_OK && i < edges->count; ++i) {
            pool[pool_size++] = edges->items[i].from;
            pool[pool_size++] = v;
        }
    }
    free(pool);
    free(mark);
    return status;
}

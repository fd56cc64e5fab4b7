/* A problem in the GPU's memory: the view of the seam with pointers of the device, and what the
 * simulation has worked out from it once. Read-only for kernels, shared by all warps. */
#ifndef REGAL_KERNELS_SIMULATION_PROBLEM_CUH
#define REGAL_KERNELS_SIMULATION_PROBLEM_CUH

#include "regal/backend/problem_view.h"
#include "simulation/bit_tree.cuh"

/* Where the parts of a warp's state begin, in bytes. */
typedef struct state_layout {
    int64_t missing;                 /* counters [op] */
    int64_t holds;                   /* counters [tensor] of a root: uses of the storage */
    int64_t copies;                  /* counters [edge] of a copy: uses */
    int64_t device;                  /* uint8_t [op] */
    int64_t rank;                    /* Id [op] */
    int64_t op_at;                   /* Id [op] by rank */
    int64_t buffer;                  /* Id [edge] what the consumer reads */
    int64_t heap;                    /* key [edge] waiting transfers, link by link */
    int64_t heap_begin, heap_size;   /* uint32_t [from][to] */
    int64_t ready;                   /* trees [device] of ranks */
    int64_t unstarted;               /* tree of ranks; windows above 1 */
    int64_t event_tick;              /* int64_t [event_most] */
    int64_t event_item, event_link;  /* uint32_t [event_most] */
    int64_t link_idle, link_waiting; /* uint64_t [from] sets of destinations */
    int64_t memory, peak, load;      /* int64_t [device] */
    int64_t sequence;                /* Id [op] scratch while decoding; shares the heap's place */
    int64_t counts;                  /* uint32_t [256] scratch while sorting; shares buffer's */
    int64_t bytes;                   /* of it all */
} state_layout;

typedef struct device_problem {
    regal_problem_view view;
    /* Places in canonical order: of an op's leader if it is another op, else of its lead; -1: none.
     */
    const int32_t *source;     /* [place] */
    const int64_t *kind_ticks; /* [kind][tensor] ticks of a transfer; NULL: worked out anew */
    const uint16_t *link_kind; /* [from][to] */
    const uint16_t *proposals; /* [row][gene]; NULL: uniform */
    int64_t proposal_rows;
    int64_t gene_count, gene_stride; /* of an individual, between individuals; in keys */
    int32_t event_most;              /* ops and transfers in work at a time */
    bit_tree_shape tree;             /* of sets of ranks */
    state_layout layout;
} device_problem;

#endif

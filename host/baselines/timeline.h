/* Timelines with insertion: each holds the gaps in which a device or a link is still idle. Finding
 * the first gap that fits and taking part of it are logarithmic: the gaps of a timeline form a
 * treap by time that knows the longest gap of each subtree. */
#ifndef REGAL_BASELINES_TIMELINE_H
#define REGAL_BASELINES_TIMELINE_H

#include "graph/problem_data.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct regal_gap {
    int64_t start, end;              /* idle in [start, end); may be empty */
    int64_t longest;                 /* of the subtree */
    regal_id earlier, later, parent; /* -1: none */
} regal_gap;

typedef struct regal_timelines {
    regal_id *root, *last; /* [line] */
    regal_gap *gaps;       /* of all lines */
    int64_t gap_count, gap_capacity;
} regal_timelines;

/* So many lines, idle from 0 on for ever. */
regal_status regal_timelines_create(int64_t line_count, regal_timelines *lines);
void regal_timelines_destroy(regal_timelines *lines);

/* The first tick >= ready (>= 0) from which the line is idle for so many ticks (>= 1). */
int64_t regal_timeline_find(const regal_timelines *lines, int64_t line, int64_t ready,
                            int64_t ticks);

/* The tick from which the line is idle for ever. */
int64_t regal_timeline_end(const regal_timelines *lines, int64_t line);

/* Room for so many calls of regal_timeline_take; false: out of memory. */
bool regal_timelines_reserve(regal_timelines *lines, int64_t calls);

/* The line is busy in [start, start + ticks), which must be idle. */
void regal_timeline_take(regal_timelines *lines, int64_t line, int64_t start, int64_t ticks);

#ifdef __cplusplus
}
#endif
#endif

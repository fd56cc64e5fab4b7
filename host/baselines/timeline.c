#include "baselines/timeline.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"

regal_status regal_timelines_create(int64_t line_count, regal_timelines *lines) {
    *lines = (regal_timelines){.root = regal_allocate(line_count, sizeof *lines->root),
                               .last = regal_allocate(line_count, sizeof *lines->last)};
    if (lines->root == NULL || lines->last == NULL ||
        !regal_array_reserve(&lines->gaps, &lines->gap_capacity, line_count, sizeof *lines->gaps)) {
        regal_timelines_destroy(lines);
        REGAL_FAIL(REGAL_OUT_OF_MEMORY, "memory ran out");
    }
    for (int64_t i = 0; i < line_count; ++i) {
        lines->root[i] = lines->last[i] = i;
        lines->gaps[i] = (regal_gap){0, INT64_MAX, INT64_MAX, -1, -1, -1};
    }
    lines->gap_count = line_count;
    return REGAL_OK;
}

void regal_timelines_destroy(regal_timelines *lines) {
    free(lines->root);
    free(lines->last);
    free(lines->gaps);
    *lines = (regal_timelines){0};
}

bool regal_timelines_reserve(regal_timelines *lines, int64_t calls) {
    return regal_array_reserve(&lines->gaps, &lines->gap_capacity, lines->gap_count + calls,
                               sizeof *lines->gaps);
}

static int64_t length(const regal_gap *gap) {
    return gap->end - gap->start;
}

static bool holds(const regal_gap *gaps, regal_id subtree, int64_t ticks) {
    return subtree >= 0 && gaps[subtree].longest >= ticks;
}

/* The first gap of a subtree, which holds one that long. */
static regal_id first_that_fits(const regal_gap *gaps, regal_id node, int64_t ticks) {
    for (;;) {
        if (holds(gaps, gaps[node].earlier, ticks))
            node = gaps[node].earlier;
        else if (length(&gaps[node]) >= ticks)
            return node;
        else
            node = gaps[node].later;
    }
}

int64_t regal_timeline_find(const regal_timelines *lines, int64_t line, int64_t ready,
                            int64_t ticks) {
    const regal_gap *gaps = lines->gaps;
    if (ready >= gaps[lines->last[line]].start)
        return ready;
    regal_id around = -1; /* the last gap that starts by `ready` */
    regal_id after = -1;  /* the earliest later gap that fits, or has it among its later ones */
    for (regal_id node = lines->root[line]; node >= 0;) {
        if (gaps[node].start <= ready) {
            around = node;
            node = gaps[node].later;
        } else {
            if (length(&gaps[node]) >= ticks || holds(gaps, gaps[node].later, ticks))
                after = node;
            node = gaps[node].earlier;
        }
    }
    if (around >= 0 && gaps[around].end - ready >= ticks)
        return ready;
    if (length(&gaps[after]) >= ticks)
        return gaps[after].start;
    return gaps[first_that_fits(gaps, gaps[after].later, ticks)].start;
}

int64_t regal_timeline_end(const regal_timelines *lines, int64_t line) {
    return lines->gaps[lines->last[line]].start;
}

static void update(regal_gap *gaps, regal_id node) {
    int64_t longest = length(&gaps[node]);
    const regal_id earlier = gaps[node].earlier, later = gaps[node].later;
    if (earlier >= 0 && gaps[earlier].longest > longest)
        longest = gaps[earlier].longest;
    if (later >= 0 && gaps[later].longest > longest)
        longest = gaps[later].longest;
    gaps[node].longest = longest;
}

static void update_upward(regal_gap *gaps, regal_id node) {
    for (; node >= 0; node = gaps[node].parent)
        update(gaps, node);
}

/* The treap's priorities: a fixed mix of the numbers of the gaps (splitmix64's finalizer). */
static uint64_t priority(regal_id node) {
    uint64_t mix = ((uint64_t)node + 1) * 0x9e3779b97f4a7c15u;
    mix = (mix ^ mix >> 30) * 0xbf58476d1ce4e5b9u;
    mix = (mix ^ mix >> 27) * 0x94d049bb133111ebu;
    return mix ^ mix >> 31;
}

/* Lifts node above its parent; the order in time stays. */
static void rotate_up(regal_timelines *lines, int64_t line, regal_id node) {
    regal_gap *gaps = lines->gaps;
    const regal_id parent = gaps[node].parent, grandparent = gaps[parent].parent;
    const bool is_earlier = gaps[parent].earlier == node;
    const regal_id moved = is_earlier ? gaps[node].later : gaps[node].earlier;
    if (is_earlier) {
        gaps[parent].earlier = moved;
        gaps[node].later = parent;
    } else {
        gaps[parent].later = moved;
        gaps[node].earlier = parent;
    }
    if (moved >= 0)
        gaps[moved].parent = parent;
    gaps[parent].parent = node;
    gaps[node].parent = grandparent;
    if (grandparent < 0)
        lines->root[line] = node;
    else if (gaps[grandparent].earlier == parent)
        gaps[grandparent].earlier = node;
    else
        gaps[grandparent].later = node;
    update(gaps, parent);
}

static void insert_after(regal_timelines *lines, int64_t line, regal_id node, int64_t start,
                         int64_t end) {
    regal_gap *gaps = lines->gaps;
    const regal_id added = lines->gap_count++;
    regal_id parent = node;
    if (gaps[node].later < 0) {
        gaps[node].later = added;
    } else {
        for (parent = gaps[node].later; gaps[parent].earlier >= 0;)
            parent = gaps[parent].earlier;
        gaps[parent].earlier = added;
    }
    gaps[added] = (regal_gap){start, end, end - start, -1, -1, parent};
    while (gaps[added].parent >= 0 && priority(added) > priority(gaps[added].parent))
        rotate_up(lines, line, added);
    update_upward(gaps, added);
    if (lines->last[line] == node)
        lines->last[line] = added;
}

void regal_timeline_take(regal_timelines *lines, int64_t line, int64_t start, int64_t ticks) {
    regal_gap *gaps = lines->gaps;
    regal_id around = lines->last[line];
    if (gaps[around].start > start)
        for (regal_id node = lines->root[line]; node >= 0;) {
            const bool starts_by = gaps[node].start <= start;
            around = starts_by ? node : around;
            node = starts_by ? gaps[node].later : gaps[node].earlier;
        }
    const int64_t end = gaps[around].end;
    if (gaps[around].start == start)
        gaps[around].start = start + ticks;
    else
        gaps[around].end = start;
    update_upward(gaps, around);
    if (gaps[around].end == start && start + ticks < end)
        insert_after(lines, line, around, start + ticks, end);
}

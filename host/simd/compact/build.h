/* Makes a compact problem, and the memory of a simulation. */
#ifndef REGAL_SIMD_COMPACT_BUILD_H
#define REGAL_SIMD_COMPACT_BUILD_H

#include <stdlib.h>

#include "base/carver.h"
#include "regal/core/duration.h"
#include "simd/compact/simulator.h"

/* The kinds of link, by the first pair of each; returns their number, or one too many. */
static inline int32_t find_link_kinds(const regal_problem_view *view, regal_link *kind,
                                      int32_t *link_kind) {
    int32_t count = 0;
    for (int32_t from = 0; from < view->device_count; ++from)
        for (int32_t to = 0; to < view->device_count; ++to) {
            const regal_link link = view->link[from * view->device_count + to];
            int32_t k = 0;
            while (k < count && (kind[k].latency != link.latency ||
                                 kind[k].bytes_per_1000_ticks != link.bytes_per_1000_ticks))
                ++k;
            if (from == to)
                continue;
            if (k == COMPACT_MOST_LINK_KINDS)
                return k + 1;
            if (k == count)
                kind[count++] = link;
            if (link_kind != NULL)
                link_kind[from * view->device_count + to] = k;
        }
    return count;
}

static inline bool transfers_fit(const regal_problem_view *view) {
    regal_link kind[COMPACT_MOST_LINK_KINDS];
    const int32_t kinds = find_link_kinds(view, kind, NULL);
    for (int32_t k = 0; k < kinds; ++k)
        for (regal_id t = 0; t < view->tensor_count; ++t)
            if (regal_link_ticks(kind[k], view->tensors[t].bytes) >= COMPACT_MOST_TICKS)
                return false;
    return true;
}

/* Uses of a storage are at most its tensors' consumers, each perhaps through a transfer. */
static inline bool uses_fit(const regal_problem_view *view) {
    uint64_t *uses = calloc((size_t)view->tensor_count + 1, sizeof *uses);
    bool fit = uses != NULL;
    for (regal_id t = 0; fit && t < view->tensor_count; ++t) {
        uint64_t *root = &uses[view->tensors[t].root];
        *root += (uint64_t)(view->tensors[t + 1].consumer_begin - view->tensors[t].consumer_begin);
        fit = *root < NO_PLACE;
    }
    free(uses);
    return fit;
}

static inline const char *compact_refuses(const regal_problem_view *view) {
    regal_link kind[COMPACT_MOST_LINK_KINDS];
    if (view->device_count > COMPACT_MOST_DEVICES)
        return "more than 8 devices";
    if (view->op_count >= COMPACT_MOST_IDS || view->tensor_count >= COMPACT_MOST_IDS)
        return "too many ops or tensors";
    if (view->edge_count > INT32_MAX / 2 || view->control_count > INT32_MAX / 2)
        return "too many edges";
    if (find_link_kinds(view, kind, NULL) > COMPACT_MOST_LINK_KINDS)
        return "more than 16 kinds of link";
    for (regal_id v = 0; v < view->op_count; ++v) {
        if (view->ops[v].predecessor_count > COMPACT_MOST_PREDECESSORS)
            return "an op of too many inputs";
        for (int64_t c = 0; c < view->class_count; ++c)
            if (view->op_ticks[(int64_t)v * view->class_count + c] >= COMPACT_MOST_TICKS)
                return "an op of 2^30 ticks or more";
    }
    if (!transfers_fit(view))
        return "a transfer of 2^30 ticks or more";
    return uses_fit(view) ? NULL : "a tensor of too many uses";
}

static inline void carve_problem(regal_carver *c, compact_problem *g, int64_t kinds) {
    const int64_t n = g->op_count, m = g->tensor_count, e = g->edge_count;
    g->number = regal_carve(c, n + 1, sizeof *g->number);
    g->op_at = regal_carve(c, n + 1, sizeof *g->op_at);
    g->fresh = regal_carve(c, n, sizeof *g->fresh);
    g->ops = regal_carve(c, n + 1, sizeof *g->ops);
    g->op_ticks = regal_carve(c, (n + 1) * g->class_count, sizeof *g->op_ticks);
    g->tail = regal_carve(c, n, sizeof *g->tail);
    g->input = regal_carve(c, e, sizeof *g->input);
    g->control = regal_carve(c, g->control_count, sizeof *g->control);
    g->tensors = regal_carve(c, m + 1, sizeof *g->tensors);
    g->root = regal_carve(c, m, sizeof *g->root);
    g->producer = regal_carve(c, m, sizeof *g->producer);
    g->kept = regal_carve(c, m, sizeof *g->kept);
    g->consumer = regal_carve(c, e, sizeof *g->consumer);
    g->tensor_at = regal_carve(c, m, sizeof *g->tensor_at);
    g->source = regal_carve(c, n, sizeof *g->source);
    g->leader = regal_carve(c, n, sizeof *g->leader);
    g->lead = regal_carve(c, n, sizeof *g->lead);
    g->allowed = regal_carve(c, n, sizeof *g->allowed);
    g->transfer_ticks = regal_carve(c, kinds * m, sizeof *g->transfer_ticks);
    g->slot_ticks = regal_carve(c, g->pitch * g->pitch, sizeof *g->slot_ticks);
}

/* Numbers ops by canonical position, and tensors by producer. */
static inline void number_items(compact_problem *g) {
    const regal_problem_view *view = g->view;
    uint32_t tensors = 0;
    for (uint32_t v = 0; v < g->op_count; ++v) {
        const regal_id op = view->canonical[v];
        g->number[v] = (compact_id)op;
        g->op_at[op] = (compact_id)v;
        g->ops[v].output_begin = tensors;
        for (regal_id o = view->ops[op].output_begin; o < view->ops[op + 1].output_begin; ++o) {
            const regal_id tensor = view->output_tensor[o];
            g->tensors[tensors].number = (uint32_t)tensor;
            g->tensor_at[tensor] = (compact_id)tensors++;
        }
    }
    g->ops[g->op_count].output_begin = tensors;
}

static inline void copy_tensors(compact_problem *g) {
    const regal_problem_view *view = g->view;
    uint32_t edges = 0;
    for (uint32_t t = 0; t < g->tensor_count; ++t) {
        const uint32_t number = g->tensors[t].number;
        const regal_tensor_facts *facts = &view->tensors[number];
        g->tensors[t].bytes = facts->bytes;
        g->tensors[t].consumer_begin = edges;
        g->root[t] = g->tensor_at[facts->root];
        g->producer[t] = g->op_at[facts->producer];
        g->kept[t] = facts->kept && (uint32_t)facts->root == number;
        g->has_aliases |= (uint32_t)facts->root != number;
        for (regal_id e = facts->consumer_begin; e < facts[1].consumer_begin; ++e)
            g->consumer[edges++] = g->op_at[view->consumer[e]];
    }
    g->tensors[g->tensor_count].consumer_begin = edges;
}

static inline void copy_ops(compact_problem *g) {
    const regal_problem_view *view = g->view;
    const size_t classes = (size_t)g->class_count;
    const uint64_t all =
        view->device_count == 64 ? ~(uint64_t)0 : ((uint64_t)1 << view->device_count) - 1;
    uint32_t inputs = 0, controls = 0;
    g->is_free = true;
    for (uint32_t v = 0; v < g->op_count; ++v) {
        const regal_id op = g->number[v], lead = view->lead[op];
        const regal_op_facts *facts = &view->ops[op];
        g->ops[v].start_bytes = facts->start_bytes;
        g->ops[v].workspace = facts->workspace;
        g->ops[v].input_begin = inputs;
        g->ops[v].control_begin = controls;
        for (regal_id i = facts->input_begin; i < facts[1].input_begin; ++i)
            g->input[inputs++] = g->tensor_at[view->inputs[i].tensor];
        for (regal_id c = facts->control_begin; c < facts[1].control_begin; ++c)
            g->control[controls++] = g->op_at[view->control_successor[c]];
        g->fresh[v] = (compact_state)facts->predecessor_count << MISSING_SHIFT;
        if (facts->predecessor_count == 0)
            g->source[g->source_count++] = (compact_id)v;
        for (size_t c = 0; c < classes; ++c)
            g->op_ticks[c * g->op_count + v] = (int32_t)view->op_ticks[(size_t)op * classes + c];
        g->ops[v].ticks = g->op_ticks[v];
        g->tail[v] = view->tail[op];
        g->leader[v] = g->op_at[view->leader[op]];
        g->lead[v] = lead >= 0 ? g->op_at[lead] : (compact_id)g->op_count;
        g->allowed[v] = view->allowed[op];
        g->is_free &= g->leader[v] == v && g->allowed[v] == all;
    }
    g->ops[g->op_count].input_begin = inputs;
    g->ops[g->op_count].control_begin = controls;
}

static inline void copy_links(compact_problem *g, const regal_link *kind, int32_t kinds) {
    for (int32_t k = 0; k < kinds; ++k)
        for (uint32_t t = 0; t < g->tensor_count; ++t)
            g->transfer_ticks[(size_t)k * g->tensor_count + t] =
                (int32_t)regal_link_ticks(kind[k], g->tensors[t].bytes);
}

static inline void point_to_ticks(compact_problem *g, const int32_t *link_kind) {
    const int32_t devices = g->device_count;
    for (int32_t from = 0; from < devices; ++from)
        for (int32_t to = 0; to < devices; ++to)
            g->slot_ticks[from * g->pitch + to] =
                from == to
                    ? g->op_ticks + (size_t)g->view->device_class[from] * g->op_count
                    : g->transfer_ticks + (size_t)link_kind[from * devices + to] * g->tensor_count;
}

static inline int32_t device_pitch(int32_t devices) {
    return devices == 1 ? 1 : devices == 2 ? 2 : devices <= 4 ? 4 : 8;
}

static void compact_problem_destroy(void *problem) {
    compact_problem *g = problem;
    if (g != NULL)
        free(g->memory);
    free(g);
}

static void *compact_problem_create(const regal_problem_view *view) {
    compact_problem *g = calloc(1, sizeof *g);
    if (g == NULL)
        return NULL;
    g->view = view;
    g->op_count = (uint32_t)view->op_count;
    g->tensor_count = (uint32_t)view->tensor_count;
    g->edge_count = (uint32_t)view->edge_count;
    g->control_count = (uint32_t)view->control_count;
    g->device_count = view->device_count;
    g->class_count = view->class_count;
    g->pitch = device_pitch(view->device_count);
    regal_link kind[COMPACT_MOST_LINK_KINDS];
    int32_t link_kind[REGAL_MAX_DEVICES * REGAL_MAX_DEVICES];
    const int32_t kinds = find_link_kinds(view, kind, link_kind);
    regal_carver c = {0};
    carve_problem(&c, g, kinds);
    g->memory = regal_carver_memory(&c);
    if (g->memory == NULL) {
        compact_problem_destroy(g);
        return NULL;
    }
    c = (regal_carver){.base = g->memory};
    carve_problem(&c, g, kinds);
    number_items(g);
    copy_tensors(g);
    copy_ops(g);
    copy_links(g, kind, kinds);
    point_to_ticks(g, link_kind);
    return g;
}

static inline void carve_simulator(regal_carver *c, compact_simulator *s) {
    const compact_problem *g = s->problem;
    const int64_t n = g->op_count, m = g->tensor_count, pitch = g->pitch;
    const int64_t slots = pitch * pitch;
    s->device = regal_carve(c, n + 1, sizeof *s->device);
    s->state = regal_carve(c, n, sizeof *s->state);
    s->order = regal_carve(c, n, sizeof *s->order);
    s->sorted = regal_carve(c, n, sizeof *s->sorted);
    s->holds = regal_carve(c, m * pitch, sizeof *s->holds);
    s->next = regal_carve(c, g->edge_count, sizeof *s->next);
    s->waiting_ranks = regal_carve(c, n / 64 + 1, sizeof(uint64_t));
    ready_sets_shape(&s->ready, g->op_count);
    s->ready.set = regal_carve(c, g->device_count, sizeof *s->ready.set);
    s->ready.latest =
        regal_carve(c, (int64_t)s->ready.room * g->device_count, sizeof *s->ready.latest);
    for (int level = 0; level < READY_LEVELS; ++level)
        s->ready.level[level] =
            regal_carve(c, (int64_t)s->ready.words[level] * g->device_count, sizeof(uint64_t));
    s->queues.queue = regal_carve(c, slots, sizeof *s->queues.queue);
    s->queues.pool = regal_carve(c, link_queue_pool(slots, g->edge_count), sizeof(uint64_t));
}

static void compact_simulator_destroy(void *simulator) {
    free(simulator);
}

static void *compact_simulator_create(const void *problem) {
    compact_simulator shape = {.problem = problem}, *s;
    regal_carver c = {0};
    regal_carve(&c, 1, sizeof shape);
    carve_simulator(&c, &shape);
    c.base = regal_carver_memory(&c);
    if (c.base == NULL)
        return NULL;
    c.used = 0;
    s = regal_carve(&c, 1, sizeof *s);
    *s = shape;
    carve_simulator(&c, s);
    memset(s->device, 0, (size_t)s->problem->op_count + 1);
    return s;
}

#endif

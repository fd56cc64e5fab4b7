/* What follows from the device of an op. */
#ifndef REGAL_POLICY_WALK_SETTLE_H
#define REGAL_POLICY_WALK_SETTLE_H

#include "policy/walk_steps.h"

INLINE void send_inputs(regal_walker *w, regal_id op, int to, const uint8_t *device, const int D) {
    const regal_walk_graph *g = w->graph;
    const regal_problem_view *view = g->view;
    for (regal_id i = view->ops[op].input_begin; i < view->ops[op + 1].input_begin; ++i) {
        const regal_id tensor = view->inputs[i].tensor;
        const int from = device[view->tensors[tensor].producer];
        float *there = w->avail + (int64_t)tensor * D;
        if (there[to] >= 0)
            continue;
        const int link = from * D + to;
        const float begin = larger(w->link_free[link], there[from]);
        there[to] = begin + g->latency[link] + g->pace[link] * g->bytes[tensor];
        w->link_free[link] = there[to];
        w->in_free[to] = larger(w->in_free[to], there[to]);
        w->out_free[from] = larger(w->out_free[from], there[to]);
        w->memory[to] += g->bytes[tensor];
    }
}

INLINE void hold_memory(regal_walker *w, regal_id op, int at) {
    const regal_walk_graph *g = w->graph;
    for (int64_t i = g->weight_begin[op]; i < g->weight_begin[op + 1]; ++i)
        w->hosts[g->weight[i]] |= (uint64_t)1 << at;
    w->memory[at] += w->made + w->weights[at];
    w->peak[at] = larger(w->peak[at] + w->weights[at], w->memory[at]);
    w->greatest_peak = larger(w->greatest_peak, w->peak[at]);
    w->memory[at] -= g->workspace[op];
}

/* A tensor goes with its last reader, wherever it is. */
INLINE void free_inputs(regal_walker *w, regal_id op, const uint8_t *device, const int D) {
    const regal_walk_graph *g = w->graph;
    const regal_problem_view *view = g->view;
    for (regal_id i = view->ops[op].input_begin; i < view->ops[op + 1].input_begin; ++i) {
        const regal_id tensor = view->inputs[i].tensor;
        const regal_tensor_facts *facts = &view->tensors[tensor];
        if (--w->readers[tensor] > 0)
            continue;
        const int home = device[facts->producer];
        const float *there = w->avail + (int64_t)tensor * D;
        EACH(d, D) {
            if (d != home && there[d] >= 0)
                w->memory[d] -= g->bytes[tensor];
        }
        if (!view->tensors[facts->root].kept)
            w->memory[home] -= g->stored[tensor];
    }
}

INLINE void announce_output(regal_walker *w, regal_id tensor, int at, float made, const int D) {
    const regal_walk_graph *g = w->graph;
    const regal_tensor_facts *facts = &g->view->tensors[tensor];
    const float bytes = g->bytes[tensor];
    float *there = w->avail + (int64_t)tensor * D, arrival[REGAL_WALK_DEVICES];
    EACH(d, D) {
        const int link = at * D + d;
        const float begin = d == at ? made : larger(w->link_free[link], made);
        arrival[d] = begin + g->latency[link] + g->pace[link] * bytes;
        there[d] = d == at ? made : -1;
    }
    for (regal_id e = facts[0].consumer_begin; e < facts[1].consumer_begin; ++e) {
        float *ahead = w->ahead + (int64_t)g->view->consumer[e] * D;
        w->near[(int64_t)g->view->consumer[e] * D + at] += bytes;
        EACH(d, D) ahead[d] = larger(ahead[d], arrival[d]);
    }
    w->readers[tensor] = (int32_t)(facts[1].consumer_begin - facts[0].consumer_begin);
    if (w->readers[tensor] == 0 && !g->view->tensors[facts->root].kept)
        w->memory[at] -= g->stored[tensor];
}

INLINE void settle(regal_walker *w, regal_id op, int at, uint8_t *device, const int D) {
    const regal_problem_view *view = w->graph->view;
    const float made = w->finish[at];
    device[op] = (uint8_t)at;
    w->chosen[view->leader[op]] = (uint8_t)at;
    w->load[at] += made - w->start[at];
    w->free[at] = made;
    w->previous = at;
    EACH(d, D) w->recent[d] = 0.85f * w->recent[d] + (d == at ? 0.15f : 0);
    send_inputs(w, op, at, device, D);
    hold_memory(w, op, at);
    free_inputs(w, op, device, D);
    for (regal_id o = view->ops[op].output_begin; o < view->ops[op + 1].output_begin; ++o)
        announce_output(w, view->output_tensor[o], at, made, D);
    for (regal_id c = view->ops[op].control_begin; c < view->ops[op + 1].control_begin; ++c) {
        float *ready = &w->control_ready[view->control_successor[c]];
        *ready = larger(*ready, made);
    }
}

#endif

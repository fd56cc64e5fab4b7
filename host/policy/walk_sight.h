/* What a walk knows of the op that is placed next, on each device. */
#ifndef REGAL_POLICY_WALK_SIGHT_H
#define REGAL_POLICY_WALK_SIGHT_H

#include "policy/walk_steps.h"

/* ---- the op: its inputs */

/* The row of links out of a device, as the inputs seen so far would leave it. */
INLINE float *sent_row(regal_walker *w, int from, const int D) {
    float *row = w->sent + from * D;
    if ((w->touched >> from & 1) == 0) {
        EACH(d, D) row[d] = w->link_free[from * D + d];
        w->touched |= (uint64_t)1 << from;
    }
    return row;
}

INLINE void see_input(regal_walker *w, regal_id tensor, int home, const int D) {
    const regal_walk_graph *g = w->graph;
    const float *there = w->avail + (int64_t)tensor * D;
    const float *latency = g->latency + home * D, *pace = g->pace + home * D;
    const float bytes = g->bytes[tensor], made = there[home];
    const float last = w->readers[tensor] == 1 ? bytes : 0;
    float *row = sent_row(w, home, D);
    EACH(d, D) {
        const bool here = there[d] >= 0;
        const float sent = larger(row[d], made) + latency[d] + pace[d] * bytes;
        const float arrival = here ? there[d] : sent;
        row[d] = here ? row[d] : sent;
        w->arrival[d] = larger(w->arrival[d], arrival);
        w->present[d] += here ? bytes : 0;
        w->missing[d] += here ? 0 : bytes;
        w->fresh[d] += here ? 0 : 1;
        w->freed[d] += here ? last : 0;
    }
    w->input_bytes += bytes;
    w->freed_all += last;
}

INLINE void see_inputs(regal_walker *w, regal_id op, const uint8_t *device, const int D) {
    const regal_problem_view *view = w->graph->view;
    const float ready = w->control_ready[op];
    float heaviest = -1, latest = -1;
    EACH(d, D) {
        w->arrival[d] = ready;
        w->present[d] = w->missing[d] = w->fresh[d] = w->freed[d] = 0;
    }
    w->touched = 0;
    w->input_bytes = w->freed_all = 0;
    w->heavy = w->late = -1;
    for (regal_id i = view->ops[op].input_begin; i < view->ops[op + 1].input_begin; ++i) {
        const regal_id tensor = view->inputs[i].tensor;
        const int home = device[view->tensors[tensor].producer];
        const float made = w->avail[(int64_t)tensor * D + home];
        see_input(w, tensor, home, D);
        if (w->graph->bytes[tensor] > heaviest) {
            heaviest = w->graph->bytes[tensor];
            w->heavy = home;
        }
        if (made > latest) {
            latest = made;
            w->late = home;
        }
    }
    const float *ticks = w->graph->ticks + (int64_t)op * D;
    EACH(d, D) {
        w->start[d] = larger(w->arrival[d], w->free[d]);
        w->finish[d] = w->start[d] + ticks[d];
    }
}

INLINE void see_memory(regal_walker *w, regal_id op, const int D) {
    const regal_walk_graph *g = w->graph;
    const regal_problem_view *view = g->view;
    w->made = g->workspace[op];
    for (regal_id o = view->ops[op].output_begin; o < view->ops[op + 1].output_begin; ++o)
        w->made += g->stored[view->output_tensor[o]];
    EACH(d, D) w->weights[d] = 0;
    for (int64_t i = g->weight_begin[op]; i < g->weight_begin[op + 1]; ++i)
        EACH(d, D)
    w->weights[d] += (w->hosts[g->weight[i]] >> d & 1) != 0 ? 0 : g->weight_bytes[g->weight[i]];
    EACH(d, D) {
        const float with = w->memory[d] + w->made + w->missing[d];
        w->rise[d] = larger(with, w->peak[d]) + w->weights[d];
    }
}

/* ---- the op: its consumers */

/* When a tensor of the op could be read elsewhere, on a device that is free: reach [here][there].
 */
INLINE void see_reach(regal_walker *w, regal_id tensor, const int D) {
    const regal_walk_graph *g = w->graph;
    const float bytes = g->bytes[tensor];
    for (int from = 0; from < D; ++from) {
        const float *latency = g->latency + from * D, *pace = g->pace + from * D;
        const float *link = w->link_free + from * D;
        float *reach = w->reach + from * D;
        EACH(d, D) {
            const float sent = larger(link[d], w->finish[from]) + latency[d] + pace[d] * bytes;
            reach[d] = d == from ? w->finish[from] : larger(sent, w->free[d]);
        }
    }
}

/* How early a consumer could start, and so end the run, at best. */
INLINE void look_ahead(regal_walker *w, regal_id consumer, const int D) {
    const float *ahead = w->ahead + (int64_t)consumer * D;
    const float rank = w->graph->rank[consumer];
    for (int from = 0; from < D; ++from) {
        const float *reach = w->reach + from * D;
        float first = 1e30f;
        EACH(d, D) first = smaller(first, larger(reach[d], ahead[d]));
        w->through[from] = larger(w->through[from], first + rank);
    }
}

INLINE void see_consumer(regal_walker *w, regal_id consumer, const int D) {
    const float *ahead = w->ahead + (int64_t)consumer * D;
    const float *near = w->near + (int64_t)consumer * D;
    const float least = least_of(ahead, D);
    EACH(d, D) {
        w->co_bytes[d] += near[d];
        w->co_late[d] += ahead[d] - least;
        w->co_first[d] += ahead[d] <= least ? 1 : 0;
    }
}

INLINE void see_consumers(regal_walker *w, regal_id op, const int D) {
    const regal_problem_view *view = w->graph->view;
    w->consumers = 0;
    EACH(d, D) {
        w->co_bytes[d] = w->co_late[d] = w->co_first[d] = 0;
        w->through[d] = w->finish[d];
    }
    for (regal_id o = view->ops[op].output_begin; o < view->ops[op + 1].output_begin; ++o) {
        const regal_id tensor = view->output_tensor[o];
        const regal_tensor_facts *facts = &view->tensors[tensor];
        see_reach(w, tensor, D);
        for (regal_id e = facts[0].consumer_begin; e < facts[1].consumer_begin; ++e) {
            see_consumer(w, view->consumer[e], D);
            look_ahead(w, view->consumer[e], D);
            ++w->consumers;
        }
    }
}

#endif

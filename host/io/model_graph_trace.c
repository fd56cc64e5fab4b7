/* What the nodes of a model are, which make which values, and which values are views. */
#include "base/error.h"
#include "io/model_graph_data.h"

static regal_status find_producers(regal_model *model) {
    for (int64_t v = 0; v < model->value_count; ++v)
        model->producer[v] = -1;
    for (int64_t n = 0; n < model->node_count; ++n) {
        const model_node *node = &model->nodes[n];
        const int64_t *outputs = model->ids + node->first + node->input_count;
        for (int64_t k = 0; k < node->output_count; ++k) {
            if (outputs[k] < 0)
                continue;
            int64_t *producer = &model->producer[outputs[k]];
            REGAL_FAIL_IF(*producer >= 0, REGAL_INVALID_INPUT,
                          "%s: '%s' is made twice, by the nodes '%s' and '%s'", model->file,
                          model->values[outputs[k]].name, model->nodes[*producer].name, node->name);
            *producer = n;
        }
    }
    return REGAL_OK;
}

/* Numbers the ops. A view of nothing is an op too. */
static void find_ops(regal_model *model) {
    for (int64_t n = 0; n < model->node_count; ++n)
        model->op[n] = model->nodes[n].role == REGAL_NODE_OP ? 0 : -1;
    for (int64_t c = 0; c < model->control_count; ++c)
        model->op[model->controls[c].after] = 0;
    int64_t count = 0;
    for (int64_t n = 0; n < model->node_count; ++n) {
        const model_node *node = &model->nodes[n];
        const bool blind = node->role == REGAL_NODE_VIEW &&
                           (node->input_count == 0 || model->ids[node->first] < 0);
        if (model->op[n] == 0 || blind)
            model->op[n] = count++;
    }
}

/* The value that v is directly a view of, or -1. */
static int64_t seen_by(const regal_model *model, int64_t v) {
    const int64_t n = model->producer[v];
    if (n < 0 || model->op[n] >= 0 || model->nodes[n].role != REGAL_NODE_VIEW)
        return -1;
    return model->ids[model->nodes[n].first];
}

/* Follows each chain of views once: root[v] is -1 until known, and -2 on the chain that is being
 * followed. */
static regal_status find_roots(regal_model *model) {
    enum { UNKNOWN = -1, ON_CHAIN = -2 };
    for (int64_t v = 0; v < model->value_count; ++v)
        model->root[v] = UNKNOWN;
    for (int64_t v = 0; v < model->value_count; ++v) {
        int64_t end = v;
        while (model->root[end] == UNKNOWN && seen_by(model, end) >= 0) {
            model->root[end] = ON_CHAIN;
            end = seen_by(model, end);
        }
        REGAL_FAIL_IF(model->root[end] == ON_CHAIN, REGAL_INVALID_INPUT,
                      "%s: a cycle: '%s' is a view of itself", model->file,
                      model->nodes[model->producer[end]].name);
        const int64_t root = model->root[end] == UNKNOWN ? end : model->root[end];
        model->root[end] = root;
        for (int64_t at = v; at != end; at = seen_by(model, at))
            model->root[at] = root;
    }
    return REGAL_OK;
}

regal_status regal_model_trace(regal_model *model) {
    REGAL_FORWARD(find_producers(model));
    find_ops(model);
    REGAL_FORWARD(find_roots(model));
    for (int64_t v = 0; v < model->value_count; ++v)
        if (model->values[v].output)
            model->kept[model->root[v]] = true;
    return REGAL_OK;
}

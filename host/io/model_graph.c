/* Building a model, value by value and node by node. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/model_graph_data.h"

regal_status regal_model_create(const char *file, const char *graph_name,
                                const regal_read_options *options, regal_model **model) {
    regal_model *made = calloc(1, sizeof *made);
    *model = NULL;
    REGAL_FAIL_IF_NULL(made);
    made->options = options;
    made->file = regal_arena_copy(&made->strings, file, strlen(file));
    regal_status status =
        regal_device_profiles_select(options, &made->profiles, &made->profile_count);
    if (status == REGAL_OK)
        status = regal_device_profiles_graph(graph_name, made->profiles, made->profile_count,
                                             &made->graph);
    if (status == REGAL_OK && made->file == NULL)
        status = regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out");
    if (status == REGAL_OK)
        *model = made;
    else
        regal_model_destroy(made);
    return status;
}

void regal_model_destroy(regal_model *model) {
    if (model == NULL)
        return;
    regal_graph_destroy(model->graph);
    regal_arena_free(&model->strings);
    free(model->profiles);
    free(model->values);
    free(model->nodes);
    free(model->controls);
    free(model->ids);
    free(model->costs);
    free(model->allowed);
    free(model->producer);
    free(model->root);
    free(model->op);
    free(model->users_begin);
    free(model->users);
    free(model->tensor);
    free(model->kept);
    free(model);
}

/* NULL stays NULL; false where memory ran out. */
static bool copy_text(regal_model *model, const char *text, const char **copy) {
    *copy = text != NULL ? regal_arena_copy(&model->strings, text, strlen(text)) : NULL;
    return text == NULL || *copy != NULL;
}

regal_status regal_model_add_value(regal_model *model, const regal_model_value *value,
                                   int64_t *id) {
    model_value record = {.bytes = value->bytes, .output = value->output};
    const bool ok = regal_array_reserve(&model->values, &model->value_capacity,
                                        model->value_count + 1, sizeof record) &&
                    copy_text(model, value->name, &record.name) &&
                    copy_text(model, value->shape, &record.shape);
    REGAL_FAIL_IF(!ok, REGAL_OUT_OF_MEMORY, "memory ran out");
    *id = model->value_count;
    model->values[model->value_count++] = record;
    return REGAL_OK;
}

void regal_model_set_nothing(regal_model *model, int64_t value) {
    model->values[value].nothing = true;
}

static bool append(int64_t **items, int64_t *count, int64_t *capacity, const int64_t *more,
                   int64_t more_count) {
    /* One more than needed, so that an empty list has an address. */
    if (!regal_array_reserve(items, capacity, *count + more_count + 1, sizeof **items))
        return false;
    if (more_count > 0)
        memcpy(*items + *count, more, (size_t)more_count * sizeof *more);
    *count += more_count;
    return true;
}

static bool append_ids(regal_model *model, const int64_t *ids, int64_t count) {
    return append(&model->ids, &model->id_count, &model->id_capacity, ids, count);
}

static bool append_allowed(regal_model *model, const regal_model_node *node) {
    if (!regal_array_reserve(&model->allowed, &model->allowed_capacity,
                             model->allowed_count + node->allowed_count + 1,
                             sizeof *model->allowed))
        return false;
    for (int64_t i = 0; i < node->allowed_count; ++i) {
        regal_allowed entry = node->allowed[i];
        if (!copy_text(model, entry.pattern, &entry.pattern))
            return false;
        model->allowed[model->allowed_count++] = entry;
    }
    return true;
}

regal_status regal_model_add_node(regal_model *model, const regal_model_node *node, int64_t *id) {
    model_node record = {.role = node->role,
                         .first = model->id_count,
                         .input_count = node->input_count,
                         .output_count = node->output_count,
                         .has_alias = node->alias != NULL,
                         .has_cost = node->cost != NULL,
                         .first_cost = model->cost_count,
                         .load = node->load,
                         .flops = node->flops,
                         .workspace = node->workspace,
                         .nodes = node->nodes > 0 ? node->nodes : 1,
                         .first_allowed = model->allowed_count,
                         .allowed_count = node->allowed != NULL ? node->allowed_count : -1};
    const bool ok =
        regal_array_reserve(&model->nodes, &model->node_capacity, model->node_count + 1,
                            sizeof record) &&
        copy_text(model, node->name, &record.name) && copy_text(model, node->kind, &record.kind) &&
        copy_text(model, node->group, &record.group) &&
        append_ids(model, node->inputs, node->input_count) &&
        append_ids(model, node->outputs, node->output_count) &&
        (node->alias == NULL || append_ids(model, node->alias, node->output_count)) &&
        (node->cost == NULL || append(&model->costs, &model->cost_count, &model->cost_capacity,
                                      node->cost, model->profile_count)) &&
        (node->allowed == NULL || append_allowed(model, node));
    REGAL_FAIL_IF(!ok, REGAL_OUT_OF_MEMORY, "memory ran out");
    if (id != NULL)
        *id = model->node_count;
    model->nodes[model->node_count++] = record;
    return REGAL_OK;
}

regal_status regal_model_add_control(regal_model *model, int64_t before, int64_t after) {
    REGAL_FAIL_IF(!regal_array_reserve(&model->controls, &model->control_capacity,
                                       model->control_count + 1, sizeof *model->controls),
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    model->controls[model->control_count++] = (regal_control_edge){before, after};
    return REGAL_OK;
}

int64_t regal_model_class_count(const regal_model *model) {
    return model->profile_count;
}

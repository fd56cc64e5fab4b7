/* The values of a scope. */
#include <stdlib.h>

#include "base/error.h"
#include "io/tensorflow/graph_def_rules.h"
#include "io/tensorflow/graph_def_scope.h"

static int64_t listed_outputs(const gd_file *file, const gd_node *node) {
    static const char *const LISTS[] = {"Tout", "output_types", "component_types", "Tresults"};
    regal_tf_attribute view;
    file->module->attribute(node->handle, "_output_shapes", &view);
    int64_t count = view.shape_count;
    for (size_t i = 0; i < sizeof LISTS / sizeof *LISTS; ++i) {
        file->module->attribute(node->handle, LISTS[i], &view);
        if (view.type_count > count)
            count = view.type_count;
    }
    return count;
}

static int64_t known_outputs(const gd_file *file, const gd_node *node) {
    const int64_t function = regal_name_table_find(&file->functions, node->op);
    if (function >= 0)
        return file->module->function(file->parsed, function).result_count;
    if (node->kind->outputs < 0)
        return 0;
    if (node->kind->shape == gd_rule_handle) /* its lists are of what it leads to */
        return node->kind->outputs;
    const int64_t listed = listed_outputs(file, node);
    return listed > node->kind->outputs ? listed : node->kind->outputs;
}

static int compare_values(const void *left, const void *right) {
    const gd_value *a = left, *b = right;
    if (a->node != b->node)
        return a->node < b->node ? -1 : 1;
    return (a->port > b->port) - (a->port < b->port);
}

static regal_status collect_values(gd_file *file, gd_scope *scope, const gd_reference *references,
                                   const gd_reference *results) {
    int64_t count = scope->argument_count;
    for (int64_t i = 0; i < scope->count; ++i)
        count += scope->nodes[i].input_count + known_outputs(file, &scope->nodes[i]);
    scope->values = regal_allocate(count + scope->result_count, sizeof *scope->values);
    REGAL_FAIL_IF_NULL(scope->values);
    int64_t used = 0;
    for (int64_t k = 0; k < scope->argument_count; ++k)
        scope->values[used++] = (gd_value){.node = -1, .port = k};
    for (int64_t i = 0; i < scope->count; ++i) {
        const gd_node *node = &scope->nodes[i];
        const int64_t known = known_outputs(file, node);
        for (int64_t k = 0; k < known; ++k)
            scope->values[used++] = (gd_value){.node = i, .port = k};
        for (int64_t k = 0; k < node->input_count; ++k) {
            const gd_reference *from = &references[node->first_input + k];
            scope->values[used++] = (gd_value){.node = from->node, .port = from->port};
        }
    }
    for (int64_t k = 0; k < scope->result_count; ++k)
        if (results[k].node > -2)
            scope->values[used++] = (gd_value){.node = results[k].node, .port = results[k].port};
    if (used > 0)
        qsort(scope->values, (size_t)used, sizeof *scope->values, compare_values);
    for (int64_t i = 0; i < used; ++i)
        if (i == 0 || compare_values(&scope->values[i], &scope->values[i - 1]) != 0)
            scope->values[scope->value_count++] = scope->values[i];
    return REGAL_OK;
}

static int64_t find_value(const gd_scope *scope, gd_reference from) {
    int64_t low = 0, high = scope->value_count;
    const gd_value key = {.node = from.node, .port = from.port};
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (compare_values(&scope->values[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void link_values(gd_scope *scope, const gd_reference *references,
                        const gd_reference *results) {
    int64_t v = scope->argument_count;
    for (int64_t i = 0; i < scope->count; ++i) {
        gd_node *node = &scope->nodes[i];
        node->first_value = v;
        while (v < scope->value_count && scope->values[v].node == i)
            ++v;
        node->value_count = v - node->first_value;
        for (int64_t k = 0; k < node->input_count; ++k)
            scope->inputs[node->first_input + k] =
                find_value(scope, references[node->first_input + k]);
    }
    for (int64_t k = 0; k < scope->result_count; ++k)
        scope->results[k] = results[k].node > -2 ? find_value(scope, results[k]) : -1;
}

regal_status gd_scope_values(gd_file *file, gd_scope *scope, const gd_reference *references,
                             const gd_reference *results) {
    REGAL_FORWARD(collect_values(file, scope, references, results));
    link_values(scope, references, results);
    return REGAL_OK;
}

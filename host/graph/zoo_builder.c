#include "graph/zoo_builder.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "graph/zoo_data.h"

void zoo_fail(zoo *z, regal_status status) {
    if (z->status == REGAL_OK)
        z->status = status;
}

/* Room for one more item; a failure sticks. */
#define ROOM_FOR(z, array, capacity, needed)                                                      \
    ((z)->status == REGAL_OK &&                                                                   \
     (regal_array_reserve(&(array), &(capacity), (needed), sizeof *(array)) ||                    \
      (zoo_fail((z), regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out")), \
       false)))

const char *zoo_text(zoo *z, const char *first, const char *second) {
    const size_t length = strlen(first);
    char *text = NULL;
    char *joined = regal_allocate((int64_t)(length + strlen(second) + 1), 1);
    if (joined != NULL) {
        memcpy(joined, first, length);
        strcpy(joined + length, second);
        text = regal_arena_copy(&z->strings, joined, strlen(joined));
        free(joined);
    }
    if (text == NULL)
        zoo_fail(z, regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out"));
    return text != NULL ? text : "";
}

zoo *zoo_create(const zoo_settings *settings) {
    zoo *z = regal_allocate_zeroed(1, sizeof *z);
    if (z == NULL) {
        regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out");
        return NULL;
    }
    z->settings = *settings;
    z->status = regal_device_profiles_select(settings->options, &z->profiles, &z->profile_count);
    return z;
}

void zoo_enter(zoo *z, const char *part, int64_t index) {
    const size_t end = strlen(z->scope);
    if (z->scope_depth == ZOO_SCOPES || end + strlen(part) + 24 > sizeof z->scope) {
        zoo_fail(z, regal_error_set(REGAL_INTERNAL, __FILE__, __LINE__, "scopes are too deep"));
        return;
    }
    z->scope_end[z->scope_depth++] = end;
    if (index == ZOO_NONE)
        snprintf(z->scope + end, sizeof z->scope - end, "%s.", part);
    else
        snprintf(z->scope + end, sizeof z->scope - end, "%s%" PRId64 ".", part, index);
}

void zoo_leave(zoo *z) {
    if (z->scope_depth > 0)
        z->scope[z->scope_end[--z->scope_depth]] = '\0';
}

void zoo_begin_microbatch(zoo *z, int64_t index, int64_t count) {
    z->scope[0] = '\0';
    z->scope_depth = 0;
    z->weight_cursor = 0;
    z->step_count = 0;
    z->other_count = 0;
    if (count > 1)
        zoo_enter(z, "m", index);
    z->microbatch_end = strlen(z->scope);
}

zoo_weight zoo_weight_use(zoo *z, const char *name, int64_t elements, bool trained) {
    const zoo_weight index = z->weight_cursor;
    if (z->status != REGAL_OK)
        return ZOO_NONE;
    z->weight_cursor++;
    if (index < z->weight_count)
        return index;
    if (!ROOM_FOR(z, z->weights, z->weight_capacity, index + 1))
        return ZOO_NONE;
    const regal_type type = trained ? z->settings.type : REGAL_TYPE_F32;
    z->weights[z->weight_count++] =
        (zoo_weight_record){.name = zoo_text(z, z->scope + z->microbatch_end, name),
                            .elements = elements,
                            .bytes = regal_type_bytes(type, elements),
                            .touched = elements,
                            .trained = trained,
                            .group = index,
                            .gradient = ZOO_NONE};
    if (trained)
        z->totals.weights = regal_count_add(z->totals.weights, elements);
    return index;
}

void zoo_weight_touch(zoo *z, zoo_weight weight, int64_t elements) {
    if (z->status == REGAL_OK && elements < z->weights[weight].touched)
        z->weights[weight].touched = elements;
}

zoo_shape zoo_shape_of(const zoo *z, zoo_value value) {
    return z->status == REGAL_OK && value >= 0 ? z->values[value].shape : (zoo_shape){0};
}

void zoo_reshape(zoo *z, zoo_value value, zoo_shape shape) {
    if (z->status == REGAL_OK)
        z->values[value].shape = shape;
}

int64_t zoo_elements(zoo_shape shape) {
    int64_t elements = 1;
    for (int i = 0; i < shape.rank; ++i)
        elements = regal_count_multiply(elements, shape.size[i]);
    return elements;
}

regal_type zoo_type(const zoo *z) {
    return z->settings.type;
}

int64_t zoo_bytes_of(const zoo *z, zoo_value value) {
    return z->status == REGAL_OK && value >= 0 ? z->values[value].bytes : 0;
}

bool zoo_training(const zoo *z) {
    return z->settings.training;
}

zoo_totals zoo_total(const zoo *z) {
    return z->totals;
}

static void connect(zoo *z, regal_edge_list *list, int64_t from, int64_t to) {
    if (z->status == REGAL_OK)
        z->status = regal_edge_list_add(list, from, to);
}

static zoo_weight find_group(zoo *z, zoo_weight weight) {
    while (z->weights[weight].group != weight)
        weight = z->weights[weight].group = z->weights[z->weights[weight].group].group;
    return weight;
}

static void use_weight(zoo *z, int64_t op, zoo_weight weight) {
    connect(z, &z->users, weight, op);
    if (z->backward)
        connect(z, &z->late, weight, op);
    if (z->ops[op].home == ZOO_NONE)
        z->ops[op].home = weight;
    else
        z->weights[find_group(z, weight)].group = find_group(z, z->ops[op].home);
}

static void count_work(zoo *z, const regal_work *work) {
    if (!z->backward &&
        (work->kind == REGAL_WORK_MATRIX_PRODUCT || work->kind == REGAL_WORK_CONVOLUTION))
        z->totals.forward_multiply_adds =
            regal_count_add(z->totals.forward_multiply_adds, work->flops / 2);
}

int64_t zoo_add_named_op(zoo *z, const char *name, const zoo_op *op) {
    const int64_t index = z->op_count;
    if (!ROOM_FOR(z, z->ops, z->op_capacity, index + 1) ||
        !ROOM_FOR(z, z->costs, z->cost_capacity, (index + 1) * z->profile_count))
        return ZOO_NONE;
    z->ops[z->op_count++] = (zoo_op_record){name, op->kind, ZOO_NONE, regal_work_flops(&op->work)};
    for (int64_t p = 0; p < z->profile_count; ++p)
        z->costs[index * z->profile_count + p] = regal_work_ticks(z->profiles[p], &op->work);
    for (int64_t i = 0; i < op->read_count; ++i)
        connect(z, &z->consumers, op->reads[i], index);
    for (int i = 0; i < 2; ++i)
        if (op->weights[i] != ZOO_NONE)
            use_weight(z, index, op->weights[i]);
    count_work(z, &op->work);
    return index;
}

zoo_op zoo_op_make(const char *kind, regal_work work, const zoo_value *reads, int64_t read_count) {
    return (zoo_op){kind, work, reads, read_count, {ZOO_NONE, ZOO_NONE}};
}

int64_t zoo_add_op(zoo *z, const char *name, const zoo_op *op) {
    return z->layer = zoo_add_named_op(z, zoo_text(z, z->scope, name), op);
}

zoo_value zoo_add_value(zoo *z, int64_t op, const char *suffix, zoo_shape shape, regal_type type) {
    const zoo_value index = z->value_count;
    if (!ROOM_FOR(z, z->values, z->value_capacity, index + 1))
        return ZOO_NONE;
    z->values[z->value_count++] =
        (zoo_value_record){.name = zoo_text(z, z->ops[op].name, suffix),
                           .op = op,
                           .shape = shape,
                           .bytes = regal_type_bytes(type, zoo_elements(shape)),
                           .type = type,
                           .alias_of = ZOO_NONE,
                           .gradient = ZOO_NONE};
    return index;
}

void zoo_set_constant(zoo *z, zoo_value value) {
    if (z->status == REGAL_OK)
        z->values[value].constant = true;
}

bool zoo_is_constant(const zoo *z, zoo_value value) {
    return z->status == REGAL_OK && z->values[value].constant;
}

void zoo_set_output(zoo *z, zoo_value value) {
    if (z->status == REGAL_OK)
        z->values[value].output = true;
}

void zoo_set_alias(zoo *z, zoo_value value, zoo_value target) {
    if (z->status == REGAL_OK)
        z->values[value].alias_of = target;
}

/* ---- the graph */

static regal_status add_ops(zoo *z, regal_graph *graph) {
    for (int64_t v = 0; v < z->op_count; ++v) {
        const zoo_op_record *record = &z->ops[v];
        const bool grouped =
            z->settings.training && z->settings.colocate && record->home != ZOO_NONE;
        const regal_op op = {.name = record->name,
                             .kind = record->kind,
                             .cost = z->costs + v * z->profile_count,
                             .group = grouped ? z->weights[find_group(z, record->home)].name : NULL,
                             .flops = record->flops};
        REGAL_FORWARD(regal_graph_add_op(graph, &op, NULL));
    }
    return REGAL_OK;
}

static regal_status add_tensors(zoo *z, regal_graph *graph) {
    const int64_t most = z->value_count > z->op_count ? z->value_count : z->op_count;
    REGAL_FORWARD(regal_edge_list_sort(&z->consumers, most));
    int64_t next = 0;
    for (int64_t i = 0; i < z->value_count; ++i) {
        const zoo_value_record *record = &z->values[i];
        const regal_tensor tensor = {.name = record->name,
                                     .producer = record->op,
                                     .bytes = record->bytes,
                                     .output = record->output,
                                     .alias_of = record->alias_of};
        REGAL_FORWARD(regal_graph_add_tensor(graph, &tensor, NULL));
        for (; next < z->consumers.count && z->consumers.items[next].from == i; ++next)
            REGAL_FORWARD(regal_graph_add_consumer(graph, z->consumers.items[next].to));
    }
    return REGAL_OK;
}

static regal_status add_parameters(zoo *z, regal_graph *graph) {
    const int64_t most = z->weight_count > z->op_count ? z->weight_count : z->op_count;
    REGAL_FORWARD(regal_edge_list_sort(&z->users, most));
    int64_t *ops = regal_allocate(z->op_count, sizeof *ops);
    REGAL_FAIL_IF_NULL(ops);
    regal_status status = REGAL_OK;
    int64_t next = 0;
    for (int64_t w = 0; w < z->weight_count && status == REGAL_OK; ++w) {
        regal_parameter parameter = {
            .name = z->weights[w].name, .bytes = z->weights[w].bytes, .ops = ops};
        for (; next < z->users.count && z->users.items[next].from == w; ++next)
            ops[parameter.op_count++] = z->users.items[next].to;
        status = regal_graph_add_parameter(graph, &parameter, NULL);
    }
    free(ops);
    return status;
}

static regal_status add_waits(zoo *z, regal_graph *graph) {
    for (int64_t i = 0; i < z->waits.count; ++i)
        REGAL_FORWARD(regal_graph_add_control(graph, z->waits.items[i].from, z->waits.items[i].to));
    return REGAL_OK;
}

static regal_status build(zoo *z, regal_graph **graph) {
    REGAL_FORWARD(z->status);
    if (z->settings.training)
        zoo_add_updates(z);
    REGAL_FORWARD(z->status);
    REGAL_FORWARD(
        regal_device_profiles_graph(z->settings.graph_name, z->profiles, z->profile_count, graph));
    REGAL_FORWARD(add_ops(z, *graph));
    REGAL_FORWARD(add_tensors(z, *graph));
    REGAL_FORWARD(add_parameters(z, *graph));
    return add_waits(z, *graph);
}

regal_status zoo_finish(zoo *z, regal_graph **graph) {
    *graph = NULL;
    REGAL_FAIL_IF_NULL(z);
    const regal_status status = build(z, graph);
    if (status != REGAL_OK) {
        regal_graph_destroy(*graph);
        *graph = NULL;
    }
    regal_arena_free(&z->strings);
    free(z->profiles);
    free(z->ops);
    free(z->costs);
    free(z->values);
    free(z->weights);
    free(z->steps);
    free(z->others);
    regal_edge_list_free(&z->consumers);
    regal_edge_list_free(&z->users);
    regal_edge_list_free(&z->late);
    regal_edge_list_free(&z->waits);
    free(z);
    return status;
}

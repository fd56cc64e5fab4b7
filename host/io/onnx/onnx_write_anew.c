/* Any graph as an ONNX model (onnx_own.h). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "graph/op_order.h"
#include "io/json_out.h"
#include "io/onnx/onnx_own.h"
#include "io/onnx/onnx_writing.h"
#include "regal/version.h"

typedef struct strings {
    const char **items;
    int64_t count, capacity;
} strings;

typedef struct numbers {
    int64_t *items, count, capacity;
} numbers;

/* Things of each op, in order: of op v things[begin[v]..begin[v + 1]). */
typedef struct table {
    int64_t *begin, *things;
} table;

typedef struct making {
    const regal_onnx_module *module;
    const regal_graph *graph;
    const regal_plan *plan; /* or NULL */
    regal_onnx_draft *draft;
    regal_arena arena;
    const char **tensor_names, **parameter_names; /* none twice, none empty */
    table made, read, control, held; /* tensors, tensors, control edges, parameters of each op */
    int64_t *held_place;             /* beside held.things: the place in the parameter's list */
    int64_t *places;                 /* of a plan: regal_onnx_places */
    strings inputs, outputs, allowed;
    numbers tensors, bytes, aliases, kept, counts, consumers, pairs, users;
    regal_onnx_attribute attributes[16];
    int64_t attribute_count;
} making;

static regal_status no_memory(void) {
    return regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out");
}

static bool add_string(strings *list, const char *text) {
    if (!regal_array_reserve(&list->items, &list->capacity, list->count + 1, sizeof *list->items))
        return false;
    list->items[list->count++] = text;
    return true;
}

static bool add_number(numbers *list, int64_t number) {
    if (!regal_array_reserve(&list->items, &list->capacity, list->count + 1, sizeof *list->items))
        return false;
    list->items[list->count++] = number;
    return true;
}

/* ---- what belongs to which op */

typedef void list_items(making *at, table *of, bool count);

/* Counts, or puts one down. */
static void note(table *of, bool count, int64_t op, int64_t thing) {
    if (count)
        ++of->begin[op + 2];
    else
        of->things[of->begin[op + 1]++] = thing;
}

static void list_made(making *at, table *of, bool count) {
    for (int64_t t = 0; t < regal_graph_tensor_count(at->graph); ++t)
        note(of, count, regal_graph_tensor(at->graph, t).producer, t);
}

static void list_read(making *at, table *of, bool count) {
    for (int64_t t = 0; t < regal_graph_tensor_count(at->graph); ++t) {
        const regal_tensor tensor = regal_graph_tensor(at->graph, t);
        for (int64_t c = 0; c < tensor.consumer_count; ++c)
            note(of, count, tensor.consumers[c], t);
    }
}

static void list_control(making *at, table *of, bool count) {
    for (int64_t c = 0; c < regal_graph_control_count(at->graph); ++c)
        note(of, count, regal_graph_control(at->graph, c).before, c);
}

static void list_held(making *at, table *of, bool count) {
    for (int64_t p = 0; p < regal_graph_parameter_count(at->graph); ++p) {
        const regal_parameter parameter = regal_graph_parameter(at->graph, p);
        for (int64_t u = 0; u < parameter.op_count; ++u) {
            if (!count)
                at->held_place[of->begin[parameter.ops[u] + 1]] = u;
            note(of, count, parameter.ops[u], p);
        }
    }
}

static regal_status make_table(making *at, table *of, list_items *list) {
    const int64_t ops = regal_graph_op_count(at->graph);
    of->begin = regal_allocate_zeroed(ops + 2, sizeof *of->begin);
    REGAL_FAIL_IF_NULL(of->begin);
    list(at, of, true);
    for (int64_t v = 0; v < ops; ++v)
        of->begin[v + 2] += of->begin[v + 1];
    of->things = regal_allocate(of->begin[ops + 1], sizeof *of->things);
    REGAL_FAIL_IF_NULL(of->things);
    if (of == &at->held) {
        at->held_place = regal_allocate(of->begin[ops + 1], sizeof *at->held_place);
        REGAL_FAIL_IF_NULL(at->held_place);
    }
    list(at, of, false);
    return REGAL_OK;
}

/* ---- nodes */

static void put(making *at, const char *name, regal_onnx_attribute attribute) {
    attribute.name = name;
    at->attributes[at->attribute_count++] = attribute;
}

static void put_integer(making *at, const char *name, int64_t integer) {
    put(at, name, (regal_onnx_attribute){.type = REGAL_ONNX_INTEGER, .integer = integer});
}

static void put_text(making *at, const char *name, const char *text) {
    put(at, name, (regal_onnx_attribute){.type = REGAL_ONNX_TEXT, .text = text});
}

static void put_list(making *at, const char *name, const int64_t *integers, int64_t count) {
    if (count > 0)
        put(at, name,
            (regal_onnx_attribute){
                .type = REGAL_ONNX_INTEGERS, .integers = integers, .count = count});
}

static void put_numbers(making *at, const char *name, const numbers *list) {
    put_list(at, name, list->items, list->count);
}

static regal_status put_allowed(making *at, const regal_op *op) {
    at->allowed.count = 0;
    for (int64_t i = 0; i < op->allowed_count; ++i) {
        regal_out text = {0};
        if (op->allowed[i].pattern != NULL)
            regal_out_format(&text, ":%s", op->allowed[i].pattern);
        else
            regal_out_format(&text, "%" PRId64, op->allowed[i].device);
        const char *copy = text.failed ? NULL : regal_arena_copy(&at->arena, text.data, text.size);
        free(text.data);
        if (copy == NULL || !add_string(&at->allowed, copy))
            return no_memory();
    }
    if (op->allowed != NULL)
        put(at, ONNX_OWN_ALLOWED,
            (regal_onnx_attribute){
                .type = REGAL_ONNX_TEXTS, .texts = at->allowed.items, .count = at->allowed.count});
    return REGAL_OK;
}

static bool list_outputs(making *at, int64_t v) {
    bool ok = true;
    at->outputs.count = at->tensors.count = at->bytes.count = at->aliases.count = 0;
    at->kept.count = at->counts.count = at->consumers.count = 0;
    for (int64_t i = at->made.begin[v]; ok && i < at->made.begin[v + 1]; ++i) {
        const int64_t t = at->made.things[i];
        const regal_tensor tensor = regal_graph_tensor(at->graph, t);
        ok = add_string(&at->outputs, at->tensor_names[t]) && add_number(&at->tensors, t) &&
             add_number(&at->bytes, tensor.bytes) && add_number(&at->aliases, tensor.alias_of) &&
             add_number(&at->kept, tensor.output) && add_number(&at->counts, tensor.consumer_count);
        for (int64_t c = 0; ok && c < tensor.consumer_count; ++c)
            ok = add_number(&at->consumers, tensor.consumers[c]);
    }
    return ok;
}

static bool list_inputs(making *at, int64_t v) {
    bool ok = true;
    at->inputs.count = at->pairs.count = at->users.count = 0;
    for (int64_t i = at->read.begin[v]; ok && i < at->read.begin[v + 1]; ++i)
        ok = add_string(&at->inputs, at->tensor_names[at->read.things[i]]);
    for (int64_t i = at->held.begin[v]; ok && i < at->held.begin[v + 1]; ++i)
        ok = add_string(&at->inputs, at->parameter_names[at->held.things[i]]) &&
             add_number(&at->users, at->held.things[i]) &&
             add_number(&at->users, at->held_place[i]);
    for (int64_t i = at->control.begin[v]; ok && i < at->control.begin[v + 1]; ++i)
        ok = add_number(&at->pairs, at->control.things[i]) &&
             add_number(&at->pairs, regal_graph_control(at->graph, at->control.things[i]).after);
    return ok;
}

static regal_status add_node(making *at, int64_t v) {
    const regal_op op = regal_graph_op(at->graph, v);
    at->attribute_count = 0;
    if (!list_outputs(at, v) || !list_inputs(at, v))
        return no_memory();
    put_integer(at, ONNX_OWN_INDEX, v);
    put_list(at, ONNX_OWN_COST, op.cost, regal_graph_class_count(at->graph));
    if (op.name[0] == '\0')
        put_text(at, ONNX_OWN_NAME, "");
    if (op.kind[0] == '\0')
        put_text(at, ONNX_OWN_KIND, "");
    if (op.workspace != 0)
        put_integer(at, ONNX_OWN_WORKSPACE, op.workspace);
    if (op.flops != 0)
        put_integer(at, ONNX_OWN_FLOPS, op.flops);
    if (op.group != NULL)
        put_text(at, ONNX_OWN_GROUP, op.group);
    REGAL_FORWARD(put_allowed(at, &op));
    put_numbers(at, ONNX_OWN_TENSORS, &at->tensors);
    put_numbers(at, ONNX_OWN_BYTES, &at->bytes);
    put_numbers(at, ONNX_OWN_ALIASES, &at->aliases);
    put_numbers(at, ONNX_OWN_KEPT, &at->kept);
    put_numbers(at, ONNX_OWN_COUNTS, &at->counts);
    put_numbers(at, ONNX_OWN_CONSUMERS, &at->consumers);
    put_numbers(at, ONNX_OWN_CONTROL, &at->pairs);
    put_numbers(at, ONNX_OWN_PARAMETERS, &at->users);
    onnx_mark_text text;
    regal_onnx_new_node node = {.name = op.name,
                                .kind = op.kind[0] != '\0' ? op.kind : "Op",
                                .inputs = at->inputs.items,
                                .input_count = at->inputs.count,
                                .outputs = at->outputs.items,
                                .output_count = at->outputs.count,
                                .attributes = at->attributes,
                                .attribute_count = at->attribute_count};
    if (at->plan != NULL)
        node.mark = regal_onnx_mark_of(at->plan, v, at->places[v], &text);
    at->module->draft_node(at->draft, &node);
    return REGAL_OK;
}

/* By start where there is a plan, else Kahn's order. */
static regal_status add_nodes(making *at) {
    const int64_t ops = regal_graph_op_count(at->graph);
    int64_t *order = regal_allocate(ops, sizeof *order), ordered = 0;
    regal_op_edges edges;
    REGAL_FAIL_IF_NULL(order);
    regal_status status = REGAL_OK;
    if (at->plan != NULL) {
        for (int64_t v = 0; v < ops; ++v)
            order[at->places[v]] = v;
    } else if ((status = regal_op_edges_create(at->graph, &edges)) == REGAL_OK) {
        status = regal_canonical_order(&edges, order, &ordered);
        regal_op_edges_destroy(&edges);
    }
    for (int64_t k = 0; k < ops && status == REGAL_OK; ++k)
        status = add_node(at, order[k]);
    free(order);
    return status;
}

/* ---- the rest */

static regal_status put_entry(making *at, const char *key, const char *more, const char *value) {
    regal_out text = {0};
    regal_out_text(&text, key);
    regal_out_text(&text, more);
    regal_out_bytes(&text, "", 1);
    if (!text.failed) {
        const regal_onnx_entry entry = {text.data, value};
        at->module->draft_metadata(at->draft, &entry);
    }
    free(text.data);
    return text.failed ? no_memory() : REGAL_OK;
}

static regal_status put_metadata(making *at) {
    char number[24];
    REGAL_FORWARD(put_entry(at, ONNX_OWN_FORMAT, "", "1"));
    for (int64_t c = 0; c < regal_graph_class_count(at->graph); ++c) {
        snprintf(number, sizeof number, "%" PRId64, c);
        REGAL_FORWARD(put_entry(at, ONNX_OWN_CLASS, number, regal_graph_class_name(at->graph, c)));
    }
    for (int64_t i = 0; i < regal_graph_option_count(at->graph); ++i) {
        const char *key, *value;
        regal_graph_option_at(at->graph, i, &key, &value);
        REGAL_FORWARD(put_entry(at, ONNX_OWN_OPTION, key, value));
    }
    return REGAL_OK;
}

static void put_values(making *at) {
    for (int64_t p = 0; p < regal_graph_parameter_count(at->graph); ++p) {
        const regal_onnx_new_value value = {at->parameter_names[p],
                                            regal_graph_parameter(at->graph, p).bytes, false};
        at->module->draft_parameter(at->draft, &value);
    }
    for (int64_t t = 0; t < regal_graph_tensor_count(at->graph); ++t) {
        const regal_tensor tensor = regal_graph_tensor(at->graph, t);
        const regal_onnx_new_value value = {at->tensor_names[t], tensor.bytes, tensor.output};
        at->module->draft_value(at->draft, &value);
    }
}

static regal_status make(making *at) {
    REGAL_FORWARD(
        regal_onnx_settle_names(at->graph, &at->arena, &at->tensor_names, &at->parameter_names));
    REGAL_FORWARD(make_table(at, &at->made, list_made));
    REGAL_FORWARD(make_table(at, &at->read, list_read));
    REGAL_FORWARD(make_table(at, &at->control, list_control));
    REGAL_FORWARD(make_table(at, &at->held, list_held));
    if (at->plan != NULL)
        REGAL_FORWARD(regal_onnx_places(at->plan, &at->places));
    REGAL_FORWARD(put_metadata(at));
    put_values(at);
    return add_nodes(at);
}

static void clean(making *at) {
    table *tables[] = {&at->made, &at->read, &at->control, &at->held};
    strings *texts[] = {&at->inputs, &at->outputs, &at->allowed};
    numbers *lists[] = {&at->tensors, &at->bytes,     &at->aliases, &at->kept,
                        &at->counts,  &at->consumers, &at->pairs,   &at->users};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; ++i) {
        free(tables[i]->begin);
        free(tables[i]->things);
    }
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
        free(texts[i]->items);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i)
        free(lists[i]->items);
    free(at->tensor_names);
    free(at->parameter_names);
    free(at->held_place);
    free(at->places);
    regal_arena_free(&at->arena);
}

regal_status regal_onnx_write_anew(const regal_onnx_module *module, const regal_written *what,
                                   const char *path, char **bytes, size_t *size) {
    making at = {.module = module, .graph = what->graph, .plan = what->plan};
    at.draft = module->draft_create(regal_graph_name(what->graph), REGAL_VERSION);
    regal_status status = make(&at);
    if (status == REGAL_OK)
        status = module->draft_finish(at.draft, regal_onnx_write_notice, (void *)path, bytes, size);
    module->draft_destroy(at.draft);
    clean(&at);
    return status;
}

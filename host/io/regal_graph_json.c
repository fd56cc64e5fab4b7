/* regal-graph 1, in. */
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/name_table.h"
#include "graph/graph_limits.h"
#include "io/json_fields.h"
#include "io/reader.h"

enum { GREATEST_OPTIONS = 1000 };
enum { FORMAT, VERSION, NAME, DEVICE_CLASSES, OPS, TENSORS, CONTROL, PARAMETERS, OPTIONS, KEYS };
static const regal_json_key KEY[KEYS] = {
    [FORMAT] = {"format", true},    [VERSION] = {"version", true},
    [NAME] = {"name", false},       [DEVICE_CLASSES] = {"device_classes", true},
    [OPS] = {"ops", true},          [TENSORS] = {"tensors", false},
    [CONTROL] = {"control", false}, [PARAMETERS] = {"parameters", false},
    [OPTIONS] = {"options", false},
};

/* The names of a list of ops or tensors, for references by name; built when first needed. */
typedef struct name_list {
    const char *word; /* "op" */
    const regal_json *list;
    int64_t count;
    bool built;
    regal_name_table table;
    regal_arena standard; /* of items without a name */
} name_list;

/* A growing list of numbers that is used again and again. */
typedef struct number_list {
    int64_t *items;
    int64_t count, capacity;
} number_list;

typedef struct reading {
    regal_json field[KEYS];
    name_list ops, tensors;
    number_list list;
    regal_allowed *allowed;
    int64_t allowed_capacity;
    int64_t class_count;
    regal_graph *graph;
} reading;

static regal_status optional_string(const regal_json *value, const char **text) {
    *text = NULL;
    return value->json != NULL ? regal_json_string(value, text) : REGAL_OK;
}

static regal_status optional_array(const regal_json *value, int64_t *count) {
    *count = 0;
    return value->json != NULL ? regal_json_array(value, count) : REGAL_OK;
}

static regal_status optional_number(const regal_json *value, int64_t *number) {
    *number = 0;
    return value->json != NULL ? regal_json_integer(value, 0, REGAL_NUMBER_MAX, number) : REGAL_OK;
}

static regal_status add_name(name_list *names, int64_t index) {
    const regal_json item = regal_json_item(names->list, index);
    const char *name = json_string_value(json_object_get(item.json, "name"));
    if (name == NULL) {
        char standard[48];
        const int length =
            snprintf(standard, sizeof standard, "%s%lld", names->word, (long long)index);
        name = regal_arena_copy(&names->standard, standard, (size_t)length);
        REGAL_FAIL_IF_NULL(name);
    }
    const int64_t owner = regal_name_table_add(&names->table, name, index);
    REGAL_JSON_FAIL_IF(owner != index, &item, "is named '%.200s', as is number %lld", name,
                       (long long)owner);
    return REGAL_OK;
}

static regal_status find_name(name_list *names, const regal_json *reference, int64_t *index) {
    if (!names->built) {
        REGAL_FAIL_IF(!regal_name_table_create(&names->table, names->count), REGAL_OUT_OF_MEMORY,
                      "memory ran out");
        names->built = true;
        for (int64_t i = 0; i < names->count; ++i)
            REGAL_FORWARD(add_name(names, i));
    }
    const char *name = json_string_value(reference->json);
    *index = regal_name_table_find(&names->table, name);
    REGAL_JSON_FAIL_IF(*index < 0, reference, "there is no %s named '%.200s'", names->word, name);
    return REGAL_OK;
}

/* A number or a name. */
static regal_status find_reference(name_list *names, const regal_json *reference, int64_t *index) {
    *index = -1;
    if (json_is_string(reference->json))
        return find_name(names, reference, index);
    REGAL_JSON_FAIL_IF(!json_is_integer(reference->json), reference,
                       "expected the number or the name of %s %s, found %s",
                       names->word[0] == 'o' ? "an" : "a", names->word,
                       regal_json_kind(reference->json));
    *index = json_integer_value(reference->json);
    REGAL_JSON_FAIL_IF(*index < 0 || *index >= names->count, reference,
                       "there is no %s %lld: the graph has %lld, numbered from 0", names->word,
                       (long long)*index, (long long)names->count);
    return REGAL_OK;
}

static regal_status reserve(number_list *list, int64_t count) {
    REGAL_FAIL_IF(!regal_array_reserve(&list->items, &list->capacity, count, sizeof *list->items),
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    list->count = count;
    return REGAL_OK;
}

static regal_status read_op_list(reading *in, const regal_json *value) {
    int64_t count;
    REGAL_FORWARD(optional_array(value, &count));
    REGAL_FORWARD(reserve(&in->list, count));
    for (int64_t i = 0; i < count; ++i) {
        const regal_json item = regal_json_item(value, i);
        REGAL_FORWARD(find_reference(&in->ops, &item, &in->list.items[i]));
    }
    return REGAL_OK;
}

static regal_status read_allowed(reading *in, const regal_json *value, regal_op *op) {
    if (value->json == NULL)
        return REGAL_OK;
    int64_t count;
    REGAL_FORWARD(regal_json_array(value, &count));
    /* At least one, so that an empty list has an address and does not read "every device". */
    REGAL_FAIL_IF(
        !regal_array_reserve(&in->allowed, &in->allowed_capacity, count + 1, sizeof *in->allowed),
        REGAL_OUT_OF_MEMORY, "memory ran out");
    for (int64_t i = 0; i < count; ++i) {
        const regal_json item = regal_json_item(value, i);
        regal_allowed *entry = &in->allowed[i];
        *entry = (regal_allowed){.device = -1};
        if (json_is_string(item.json))
            REGAL_FORWARD(regal_json_string(&item, &entry->pattern));
        else if (json_is_integer(item.json))
            REGAL_FORWARD(regal_json_integer(&item, 0, INT64_MAX, &entry->device));
        else
            REGAL_JSON_FAIL(&item,
                            "expected the number of a device or a pattern for names, found %s",
                            regal_json_kind(item.json));
    }
    op->allowed = in->allowed;
    op->allowed_count = count;
    return REGAL_OK;
}

static regal_status read_op(reading *in, const regal_json *value) {
    enum { OP_NAME, KIND, COST, WORKSPACE, ALLOWED, GROUP, FLOPS, OP_KEYS };
    static const regal_json_key OP_KEY[OP_KEYS] = {
        [OP_NAME] = {"name", false},    [KIND] = {"kind", false},
        [COST] = {"cost", true},        [WORKSPACE] = {"workspace", false},
        [ALLOWED] = {"allowed", false}, [GROUP] = {"group", false},
        [FLOPS] = {"flops", false},
    };
    regal_json field[OP_KEYS];
    REGAL_FORWARD(regal_json_fields(value, OP_KEY, OP_KEYS, field));
    regal_op op = {0};
    REGAL_FORWARD(optional_string(&field[OP_NAME], &op.name));
    REGAL_FORWARD(optional_string(&field[KIND], &op.kind));
    REGAL_FORWARD(optional_string(&field[GROUP], &op.group));
    REGAL_FORWARD(optional_number(&field[WORKSPACE], &op.workspace));
    REGAL_FORWARD(optional_number(&field[FLOPS], &op.flops));
    REGAL_FORWARD(read_allowed(in, &field[ALLOWED], &op));
    REGAL_FORWARD(reserve(&in->list, in->class_count));
    REGAL_FORWARD(regal_json_integers(&field[COST], in->class_count, "device_classes", 0,
                                      REGAL_NUMBER_MAX, in->list.items));
    op.cost = in->list.items;
    return regal_graph_add_op(in->graph, &op, NULL);
}

static regal_status read_tensor(reading *in, const regal_json *value) {
    enum { TENSOR_NAME, PRODUCER, BYTES, CONSUMERS, OUTPUT, ALIAS_OF, TENSOR_KEYS };
    static const regal_json_key TENSOR_KEY[TENSOR_KEYS] = {
        [TENSOR_NAME] = {"name", false}, [PRODUCER] = {"producer", true},
        [BYTES] = {"bytes", true},       [CONSUMERS] = {"consumers", false},
        [OUTPUT] = {"output", false},    [ALIAS_OF] = {"alias_of", false},
    };
    regal_json field[TENSOR_KEYS];
    REGAL_FORWARD(regal_json_fields(value, TENSOR_KEY, TENSOR_KEYS, field));
    regal_tensor tensor = {.alias_of = -1};
    REGAL_FORWARD(optional_string(&field[TENSOR_NAME], &tensor.name));
    REGAL_FORWARD(find_reference(&in->ops, &field[PRODUCER], &tensor.producer));
    REGAL_FORWARD(optional_number(&field[BYTES], &tensor.bytes));
    REGAL_FORWARD(read_op_list(in, &field[CONSUMERS]));
    tensor.consumers = in->list.items;
    tensor.consumer_count = in->list.count;
    if (field[OUTPUT].json != NULL)
        REGAL_FORWARD(regal_json_bool(&field[OUTPUT], &tensor.output));
    if (field[ALIAS_OF].json != NULL)
        REGAL_FORWARD(find_reference(&in->tensors, &field[ALIAS_OF], &tensor.alias_of));
    return regal_graph_add_tensor(in->graph, &tensor, NULL);
}

static regal_status read_control(reading *in, const regal_json *value) {
    REGAL_FORWARD(read_op_list(in, value));
    REGAL_JSON_FAIL_IF(in->list.count != 2, value, "expected two ops, [before, after], found %lld",
                       (long long)in->list.count);
    return regal_graph_add_control(in->graph, in->list.items[0], in->list.items[1]);
}

static regal_status read_parameter(reading *in, const regal_json *value) {
    enum { PARAMETER_NAME, BYTES, USERS, PARAMETER_KEYS };
    static const regal_json_key PARAMETER_KEY[PARAMETER_KEYS] = {
        [PARAMETER_NAME] = {"name", false}, [BYTES] = {"bytes", true}, [USERS] = {"ops", true}};
    regal_json field[PARAMETER_KEYS];
    REGAL_FORWARD(regal_json_fields(value, PARAMETER_KEY, PARAMETER_KEYS, field));
    regal_parameter parameter = {0};
    REGAL_FORWARD(optional_string(&field[PARAMETER_NAME], &parameter.name));
    REGAL_FORWARD(optional_number(&field[BYTES], &parameter.bytes));
    REGAL_FORWARD(read_op_list(in, &field[USERS]));
    parameter.ops = in->list.items;
    parameter.op_count = in->list.count;
    return regal_graph_add_parameter(in->graph, &parameter, NULL);
}

typedef regal_status read_item(reading *in, const regal_json *value);

static regal_status read_list(reading *in, const regal_json *list, read_item *read) {
    int64_t count;
    REGAL_FORWARD(optional_array(list, &count));
    for (int64_t i = 0; i < count; ++i) {
        const regal_json item = regal_json_item(list, i);
        REGAL_FORWARD(read(in, &item));
    }
    return REGAL_OK;
}

static regal_status read_options(reading *in, const regal_json *value) {
    if (value->json == NULL)
        return REGAL_OK;
    REGAL_JSON_FAIL_IF(!json_is_object(value->json), value, "expected an object, found %s",
                       regal_json_kind(value->json));
    REGAL_JSON_FAIL_IF(json_object_size(value->json) > GREATEST_OPTIONS, value,
                       "has more than %d entries", GREATEST_OPTIONS);
    const char *key;
    json_t *member;
    json_object_foreach(value->json, key, member) {
        const regal_json option = {.file = value->file, .json = member, .up = value, .key = key};
        const char *text;
        REGAL_FORWARD(regal_json_string(&option, &text));
        REGAL_FORWARD(regal_graph_set_option(in->graph, key, text));
    }
    return REGAL_OK;
}

static regal_status create_graph(reading *in) {
    const char *name;
    REGAL_FORWARD(optional_string(&in->field[NAME], &name));
    const regal_json *list = &in->field[DEVICE_CLASSES];
    REGAL_FORWARD(regal_json_array(list, &in->class_count));
    REGAL_JSON_FAIL_IF(in->class_count == 0, list, "is empty: a graph needs at least one class");
    const char **classes = regal_allocate(in->class_count, sizeof *classes);
    REGAL_FAIL_IF_NULL(classes);
    regal_status status = REGAL_OK;
    for (int64_t i = 0; i < in->class_count && status == REGAL_OK; ++i) {
        const regal_json item = regal_json_item(list, i);
        status = regal_json_string(&item, &classes[i]);
    }
    if (status == REGAL_OK)
        status = regal_graph_create(name, in->class_count, classes, &in->graph);
    free(classes);
    return status;
}

static regal_status read_root(reading *in, const regal_json *root) {
    REGAL_FORWARD(regal_json_check_format(root, "regal-graph", true));
    REGAL_FORWARD(regal_json_fields(root, KEY, KEYS, in->field));
    const regal_json *field = in->field;
    in->ops = (name_list){.word = "op", .list = &field[OPS]};
    in->tensors = (name_list){.word = "tensor", .list = &field[TENSORS]};
    REGAL_FORWARD(optional_array(&field[OPS], &in->ops.count));
    REGAL_FORWARD(optional_array(&field[TENSORS], &in->tensors.count));
    REGAL_FORWARD(create_graph(in));
    REGAL_FORWARD(read_list(in, &field[OPS], read_op));
    REGAL_FORWARD(read_list(in, &field[TENSORS], read_tensor));
    REGAL_FORWARD(read_list(in, &field[CONTROL], read_control));
    REGAL_FORWARD(read_list(in, &field[PARAMETERS], read_parameter));
    REGAL_FORWARD(read_options(in, &field[OPTIONS]));
    const regal_status status = regal_graph_validate(in->graph);
    return status != REGAL_OK ? regal_error_prefix(status, "%s", root->file->label) : REGAL_OK;
}

static void free_names(name_list *names) {
    regal_name_table_destroy(&names->table);
    regal_arena_free(&names->standard);
}

static regal_status read_file(const regal_json *root, void *graph) {
    reading in = {0};
    const regal_status status = read_root(&in, root);
    if (status == REGAL_OK)
        *(regal_graph **)graph = in.graph;
    else
        regal_graph_destroy(in.graph);
    free_names(&in.ops);
    free_names(&in.tensors);
    free(in.list.items);
    free(in.allowed);
    return status;
}

regal_status regal_read_regal_graph(const char *data, size_t size, const char *name,
                                    const regal_read_options *options, regal_graph **graph) {
    (void)options; /* a regal-graph carries its costs */
    *graph = NULL;
    return regal_json_parse(data, size, name, read_file, graph);
}

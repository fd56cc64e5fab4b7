/* regal-plan 1, in. Everything but placement, start, transfers, makespan and peak is optional. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "graph/graph_limits.h"
#include "graph/plan_parts.h"
#include "io/cluster_json.h"
#include "io/json_fields.h"
#include "io/made_json.h"
#include "io/seed_file.h"
#include "regal/io.h"

enum {
    FORMAT,
    VERSION,
    OBJECTIVE,
    MAKESPAN,
    PEAK,
    FITNESS,
    BOUNDS,
    GRAPH,
    CLUSTER,
    NAMES,
    PLACEMENT,
    START,
    FINISH,
    TRANSFERS,
    MADE,
    KEYS
};
static const regal_json_key KEY[KEYS] = {
    [FORMAT] = {"format", true},
    [VERSION] = {"version", true},
    [OBJECTIVE] = {"objective", false},
    [MAKESPAN] = {"makespan", true},
    [PEAK] = {"peak", true},
    [FITNESS] = {"fitness", false},
    [BOUNDS] = {"bounds", false},
    [GRAPH] = {"graph", false},
    [CLUSTER] = {"cluster", false},
    [NAMES] = {"names", false},
    [PLACEMENT] = {"placement", true},
    [START] = {"start", true},
    [FINISH] = {"finish", false},
    [TRANSFERS] = {"transfers", true},
    [MADE] = {"made", false},
};

/* ---- schedule */

static regal_status create_plan(const regal_json *field, regal_plan **plan) {
    int64_t ops, devices, transfers;
    REGAL_FORWARD(regal_json_array(&field[PLACEMENT], &ops));
    REGAL_FORWARD(regal_json_array(&field[PEAK], &devices));
    REGAL_FORWARD(regal_json_array(&field[TRANSFERS], &transfers));
    REGAL_JSON_FAIL_IF(devices < 1 || devices > REGAL_MAX_DEVICES, &field[PEAK],
                       "a plan is for 1..%d devices; here are %lld", REGAL_MAX_DEVICES,
                       (long long)devices);
    return regal_plan_create(ops, devices, transfers, plan);
}

static regal_status read_transfer(const regal_json *value, int64_t device_count,
                                  regal_transfer *transfer) {
    enum { TENSOR, TO, TRANSFER_START, TRANSFER_KEYS };
    static const regal_json_key TRANSFER_KEY[TRANSFER_KEYS] = {
        [TENSOR] = {"tensor", true}, [TO] = {"to", true}, [TRANSFER_START] = {"start", true}};
    regal_json field[TRANSFER_KEYS];
    REGAL_FORWARD(regal_json_fields(value, TRANSFER_KEY, TRANSFER_KEYS, field));
    REGAL_FORWARD(regal_json_integer(&field[TENSOR], 0, INT64_MAX, &transfer->tensor));
    REGAL_FORWARD(regal_json_integer(&field[TO], 0, device_count - 1, &transfer->to));
    return regal_json_integer(&field[TRANSFER_START], 0, REGAL_SUM_MAX, &transfer->start);
}

static int compare_numbers(int64_t a, int64_t b) {
    return (a > b) - (a < b);
}

static int compare_transfers(const void *left, const void *right) {
    const regal_transfer *a = left, *b = right;
    if (a->tensor != b->tensor)
        return compare_numbers(a->tensor, b->tensor);
    return a->to != b->to ? compare_numbers(a->to, b->to) : compare_numbers(a->start, b->start);
}

static regal_status read_transfers(const regal_json *list, regal_plan *plan) {
    bool sorted = true;
    for (int64_t i = 0; i < plan->transfer_count; ++i) {
        const regal_json item = regal_json_item(list, i);
        regal_transfer *transfer = &plan->transfers[i];
        REGAL_FORWARD(read_transfer(&item, plan->device_count, transfer));
        sorted = sorted && (i == 0 || compare_transfers(transfer - 1, transfer) <= 0);
    }
    if (!sorted)
        qsort(plan->transfers, (size_t)plan->transfer_count, sizeof *plan->transfers,
              compare_transfers);
    return REGAL_OK;
}

static regal_status read_schedule(const regal_json *field, regal_plan *plan) {
    const int64_t ops = plan->op_count;
    REGAL_FORWARD(regal_json_integers(&field[PLACEMENT], ops, "ops", 0, plan->device_count - 1,
                                      plan->placement));
    REGAL_FORWARD(
        regal_json_integers(&field[START], ops, "ops in placement", 0, REGAL_SUM_MAX, plan->start));
    if (field[FINISH].json != NULL) {
        plan->finish = regal_allocate(ops, sizeof *plan->finish);
        REGAL_FAIL_IF_NULL(plan->finish);
        REGAL_FORWARD(regal_json_integers(&field[FINISH], ops, "ops in placement", 0, REGAL_SUM_MAX,
                                          plan->finish));
    }
    REGAL_FORWARD(read_transfers(&field[TRANSFERS], plan));
    REGAL_FORWARD(regal_json_integer(&field[MAKESPAN], 0, REGAL_SUM_MAX, &plan->makespan));
    return regal_json_integers(&field[PEAK], plan->device_count, "devices", 0, REGAL_SUM_MAX,
                               plan->peak);
}

/* ---- figures */

static regal_status read_objective(const regal_json *value, regal_plan *plan) {
    if (value->json == NULL)
        return REGAL_OK;
    const char *name;
    REGAL_FORWARD(regal_json_string(value, &name));
    const bool memory = strcmp(name, regal_objective_name(REGAL_MEMORY)) == 0;
    REGAL_JSON_FAIL_IF(!memory && strcmp(name, regal_objective_name(REGAL_TIME)) != 0, value,
                       "expected 'time' or 'memory', found '%.100s'", name);
    plan->objective = memory ? REGAL_MEMORY : REGAL_TIME;
    return REGAL_OK;
}

/* The keys of fitness and bounds. */
enum { BY_TIME, BY_MEMORY, OBJECTIVES };

static regal_status read_fitness(const regal_json *value, regal_plan *plan) {
    static const regal_json_key FITNESS_KEY[OBJECTIVES] = {{"time", true}, {"memory", true}};
    plan->time = plan->memory = (regal_fitness){{-1, -1, -1}};
    if (value->json == NULL)
        return REGAL_OK;
    regal_json field[OBJECTIVES];
    REGAL_FORWARD(regal_json_fields(value, FITNESS_KEY, OBJECTIVES, field));
    REGAL_FORWARD(
        regal_json_integers(&field[BY_TIME], 3, "figures", 0, INT64_MAX, plan->time.value));
    return regal_json_integers(&field[BY_MEMORY], 3, "figures", 0, INT64_MAX, plan->memory.value);
}

static regal_status read_bounds(const regal_json *value, regal_plan *plan) {
    static const regal_json_key BOUND_KEY[OBJECTIVES] = {{"time", false}, {"memory", false}};
    if (value->json == NULL)
        return REGAL_OK;
    regal_json field[OBJECTIVES];
    REGAL_FORWARD(regal_json_fields(value, BOUND_KEY, OBJECTIVES, field));
    if (field[BY_TIME].json != NULL)
        REGAL_FORWARD(regal_json_integer(&field[BY_TIME], 0, INT64_MAX, &plan->bound_time));
    if (field[BY_MEMORY].json != NULL)
        REGAL_FORWARD(regal_json_integer(&field[BY_MEMORY], 0, INT64_MAX, &plan->bound_memory));
    return REGAL_OK;
}

/* ---- graph, cluster, names */

static regal_status read_names(const regal_json *list, regal_plan *plan) {
    if (list->json == NULL)
        return REGAL_OK;
    int64_t count;
    REGAL_FORWARD(regal_json_array(list, &count));
    REGAL_JSON_FAIL_IF(count != plan->op_count, list,
                       "has %lld entries, but there are %lld ops in placement", (long long)count,
                       (long long)plan->op_count);
    const char **names = regal_allocate(count, sizeof *names);
    REGAL_FAIL_IF_NULL(names);
    regal_status status = REGAL_OK;
    for (int64_t i = 0; i < count && status == REGAL_OK; ++i) {
        const regal_json item = regal_json_item(list, i);
        status = regal_json_string(&item, &names[i]);
    }
    if (status == REGAL_OK)
        status = regal_plan_set_op_names(plan, names);
    free(names);
    return status;
}

static regal_status copy_options(const regal_json *object, const char **keys, const char **values) {
    int64_t i = 0;
    const char *key;
    json_t *member;
    json_object_foreach(object->json, key, member) {
        const regal_json value = {.file = object->file, .json = member, .up = object, .key = key};
        keys[i] = key;
        REGAL_FORWARD(regal_json_string(&value, &values[i]));
        ++i;
    }
    return REGAL_OK;
}

static regal_status read_options(const regal_json *object, regal_plan *plan) {
    if (object->json == NULL)
        return REGAL_OK;
    REGAL_JSON_FAIL_IF(!json_is_object(object->json), object, "expected an object, found %s",
                       regal_json_kind(object->json));
    const int64_t count = (int64_t)json_object_size(object->json);
    const char **strings = regal_allocate(2 * (count + 1), sizeof *strings);
    REGAL_FAIL_IF_NULL(strings);
    const char **values = strings + count + 1;
    regal_status status = copy_options(object, strings, values);
    if (status == REGAL_OK)
        status = regal_plan_set_options(plan, count, strings, values);
    free(strings);
    return status;
}

static regal_status read_graph(const regal_json *value, regal_plan *plan) {
    enum { GRAPH_NAME, DIGEST, OPTIONS, GRAPH_KEYS };
    static const regal_json_key GRAPH_KEY[GRAPH_KEYS] = {[GRAPH_NAME] = {"name", false},
                                                         [DIGEST] = {"digest", false},
                                                         [OPTIONS] = {"options", false}};
    if (value->json == NULL)
        return REGAL_OK;
    regal_json field[GRAPH_KEYS];
    REGAL_FORWARD(regal_json_fields(value, GRAPH_KEY, GRAPH_KEYS, field));
    if (field[DIGEST].json != NULL) {
        const char *digest;
        REGAL_FORWARD(regal_json_string(&field[DIGEST], &digest));
        REGAL_JSON_FAIL_IF(strlen(digest) != sizeof plan->graph_digest - 1 ||
                               strspn(digest, "0123456789abcdef") != strlen(digest),
                           &field[DIGEST], "expected 16 hexadecimal digits, found '%.100s'",
                           digest);
        memcpy(plan->graph_digest, digest, sizeof plan->graph_digest);
    }
    return read_options(&field[OPTIONS], plan);
}

static regal_status read_cluster(const regal_json *value, regal_plan *plan) {
    if (value->json == NULL)
        return REGAL_OK;
    REGAL_FORWARD(regal_cluster_from_json(value, &plan->cluster));
    const int64_t count = regal_cluster_device_count(plan->cluster);
    REGAL_JSON_FAIL_IF(count != plan->device_count, value,
                       "has %lld devices, but peak has %lld entries", (long long)count,
                       (long long)plan->device_count);
    return REGAL_OK;
}

/* ---- the whole */

static regal_status read_parts(const regal_json *field, regal_plan *plan) {
    REGAL_FORWARD(read_schedule(field, plan));
    REGAL_FORWARD(read_objective(&field[OBJECTIVE], plan));
    REGAL_FORWARD(read_fitness(&field[FITNESS], plan));
    REGAL_FORWARD(read_bounds(&field[BOUNDS], plan));
    REGAL_FORWARD(read_graph(&field[GRAPH], plan));
    REGAL_FORWARD(read_cluster(&field[CLUSTER], plan));
    REGAL_FORWARD(read_names(&field[NAMES], plan));
    return regal_made_from_json(&field[MADE], plan);
}

regal_status regal_plan_from_json(const regal_json *root, void *plan) {
    regal_json field[KEYS];
    REGAL_FORWARD(regal_json_check_format(root, "regal-plan", true));
    REGAL_FORWARD(regal_json_fields(root, KEY, KEYS, field));
    regal_plan *made = NULL;
    REGAL_FORWARD(create_plan(field, &made));
    const regal_status status = read_parts(field, made);
    if (status != REGAL_OK)
        regal_plan_destroy(made);
    else
        *(regal_plan **)plan = made;
    return status;
}

regal_status regal_plan_parse(const char *data, size_t size, const char *name, regal_plan **plan) {
    *plan = NULL;
    return regal_json_parse(data, size, name, regal_plan_from_json, plan);
}

regal_status regal_plan_read(const char *path, regal_plan **plan) {
    *plan = NULL;
    return regal_json_read(path, regal_plan_from_json, plan);
}

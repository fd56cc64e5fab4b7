#include "regal/plan.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "graph/plan_parts.h"

const char *regal_objective_name(regal_objective objective) {
    return objective == REGAL_MEMORY ? "memory" : "time";
}

/* The strings of a regal_made. */
#define MADE_STRINGS(X)                                         \
    X(version) X(origin) X(search) X(encoding) X(backend) X(policy) \
    X(proposals) X(stopped) X(options)

static const regal_made UNKNOWN = {
    .window = -1, .evaluations = -1, .generations = -1, .rounds = -1, .threads = -1, .seconds = -1};

regal_status regal_plan_create(int64_t op_count, int64_t device_count, int64_t transfer_count,
                               regal_plan **plan) {
    *plan = NULL;
    REGAL_FAIL_IF(op_count < 0 || device_count < 0 || transfer_count < 0, REGAL_INVALID_ARGUMENT,
                  "a plan of %lld ops, %lld devices and %lld transfers: no count may be negative",
                  (long long)op_count, (long long)device_count, (long long)transfer_count);
    regal_plan *made = regal_allocate_zeroed(1, sizeof *made);
    REGAL_FAIL_IF_NULL(made);
    made->op_count = op_count;
    made->device_count = device_count;
    made->transfer_count = transfer_count;
    made->bound_time = made->bound_memory = -1;
    made->made = UNKNOWN;
    made->placement = regal_allocate_zeroed(op_count, sizeof *made->placement);
    made->start = regal_allocate_zeroed(op_count, sizeof *made->start);
    made->transfers = regal_allocate_zeroed(transfer_count, sizeof *made->transfers);
    made->peak = regal_allocate_zeroed(device_count, sizeof *made->peak);
    if (made->placement == NULL || made->start == NULL || made->transfers == NULL ||
        made->peak == NULL) {
        regal_plan_destroy(made);
        REGAL_FAIL(REGAL_OUT_OF_MEMORY, "memory ran out");
    }
    *plan = made;
    return REGAL_OK;
}

static void free_made(regal_made *made) {
#define FREE_STRING(name) free((char *)made->name);
    MADE_STRINGS(FREE_STRING)
#undef FREE_STRING
}

void regal_plan_destroy(regal_plan *plan) {
    if (plan == NULL)
        return;
    free_made(&plan->made);
    free(plan->option_keys);
    free(plan->option_values);
    free(plan->op_names);
    regal_cluster_destroy(plan->cluster);
    free(plan->peak);
    free(plan->transfers);
    free(plan->finish);
    free(plan->start);
    free(plan->placement);
    free(plan);
}

/* Copies the strings into one allocation: the pointers, then the characters. */
static char **copy_strings(const char *const *strings, int64_t count) {
    size_t size = ((size_t)count + 1) * sizeof(char *);
    for (int64_t i = 0; i < count; ++i)
        size += strlen(strings[i]) + 1;
    char **copies = malloc(size);
    if (copies == NULL)
        return NULL;
    char *next = (char *)(copies + count + 1);
    for (int64_t i = 0; i < count; ++i) {
        copies[i] = next;
        next = stpcpy(next, strings[i]) + 1;
    }
    copies[count] = NULL;
    return copies;
}

regal_status regal_plan_set_op_names(regal_plan *plan, const char *const *names) {
    char **copies = copy_strings(names, plan->op_count);
    REGAL_FAIL_IF_NULL(copies);
    free(plan->op_names);
    plan->op_names = copies;
    return REGAL_OK;
}

regal_status regal_plan_set_options(regal_plan *plan, int64_t count, const char *const *keys,
                                    const char *const *values) {
    char **key_copies = copy_strings(keys, count);
    char **value_copies = copy_strings(values, count);
    if (key_copies == NULL || value_copies == NULL) {
        free(key_copies);
        free(value_copies);
        REGAL_FAIL(REGAL_OUT_OF_MEMORY, "memory ran out");
    }
    free(plan->option_keys);
    free(plan->option_values);
    plan->option_keys = key_copies;
    plan->option_values = value_copies;
    plan->option_count = count;
    return REGAL_OK;
}

static regal_status copy_op_names(regal_plan *plan, const regal_graph *graph) {
    const char **names = regal_allocate(plan->op_count, sizeof *names);
    REGAL_FAIL_IF_NULL(names);
    for (int64_t i = 0; i < plan->op_count; ++i)
        names[i] = regal_graph_op(graph, i).name;
    const regal_status status = regal_plan_set_op_names(plan, names);
    free(names);
    return status;
}

static regal_status copy_options(regal_plan *plan, const regal_graph *graph) {
    const int64_t count = regal_graph_option_count(graph);
    const char **strings = regal_allocate(2 * count, sizeof *strings);
    REGAL_FAIL_IF_NULL(strings);
    for (int64_t i = 0; i < count; ++i)
        regal_graph_option_at(graph, i, &strings[i], &strings[count + i]);
    const regal_status status = regal_plan_set_options(plan, count, strings, strings + count);
    free(strings);
    return status;
}

static regal_status find_class(const regal_graph *graph, regal_device device, int64_t *index) {
    const int64_t count = regal_graph_class_count(graph);
    *index = device.class_index;
    if (device.class_name != NULL)
        for (*index = 0; *index < count; ++*index)
            if (strcmp(regal_graph_class_name(graph, *index), device.class_name) == 0)
                break;
    REGAL_FAIL_IF(*index >= count && device.class_name != NULL, REGAL_INVALID_INPUT,
                  "device '%s': the graph has no device class '%s'", device.name,
                  device.class_name);
    REGAL_FAIL_IF(*index >= count, REGAL_INVALID_INPUT,
                  "device '%s': the graph has no device class %lld (it has %lld)", device.name,
                  (long long)*index, (long long)count);
    return REGAL_OK;
}

static regal_status fill_finish(regal_plan *plan, const regal_graph *graph,
                                const regal_cluster *cluster) {
    int64_t class_of[REGAL_MAX_DEVICES];
    for (int64_t d = 0; d < plan->device_count; ++d)
        REGAL_FORWARD(find_class(graph, regal_cluster_device(cluster, d), &class_of[d]));
    int64_t *finish = regal_allocate(plan->op_count, sizeof *finish);
    REGAL_FAIL_IF_NULL(finish);
    for (int64_t i = 0; i < plan->op_count; ++i) {
        const regal_op op = regal_graph_op(graph, i);
        const int64_t device = plan->placement[i];
        const int64_t cost =
            device >= 0 && device < plan->device_count ? op.cost[class_of[device]] : -1;
        const int64_t ticks = cost > 1 ? cost : 1;
        if (cost < 0 || plan->start[i] < 0 || plan->start[i] > INT64_MAX - ticks) {
            free(finish);
            REGAL_FAIL(REGAL_INVALID_INPUT,
                       "the plan puts op %lld ('%s') on device %lld at tick %lld, which cannot be",
                       (long long)i, op.name, (long long)device, (long long)plan->start[i]);
        }
        finish[i] = plan->start[i] + ticks;
    }
    free(plan->finish);
    plan->finish = finish;
    return REGAL_OK;
}

regal_status regal_plan_attach(regal_plan *plan, const regal_graph *graph,
                               const regal_cluster *cluster) {
    REGAL_FAIL_IF(plan->op_count != regal_graph_op_count(graph), REGAL_INVALID_INPUT,
                  "the plan is for %lld ops, the graph has %lld", (long long)plan->op_count,
                  (long long)regal_graph_op_count(graph));
    REGAL_FAIL_IF(plan->device_count != regal_cluster_device_count(cluster), REGAL_INVALID_INPUT,
                  "the plan is for %lld devices, the cluster has %lld",
                  (long long)plan->device_count, (long long)regal_cluster_device_count(cluster));
    REGAL_FORWARD(fill_finish(plan, graph, cluster));
    REGAL_FORWARD(copy_op_names(plan, graph));
    REGAL_FORWARD(copy_options(plan, graph));
    regal_graph_digest(graph, plan->graph_digest);
    if (plan->cluster != cluster) {
        regal_cluster *copy = NULL;
        REGAL_FORWARD(regal_cluster_clone(cluster, &copy));
        regal_cluster_destroy(plan->cluster);
        plan->cluster = copy;
    }
    return REGAL_OK;
}

static char *copy_string(const char *text, int *failed) {
    char *copy = text != NULL ? strdup(text) : NULL;
    *failed |= text != NULL && copy == NULL;
    return copy;
}

regal_status regal_plan_set_made(regal_plan *plan, const regal_made *made) {
    regal_made copy = *made;
    int failed = 0;
#define COPY_STRING(name) copy.name = copy_string(made->name, &failed);
    MADE_STRINGS(COPY_STRING)
#undef COPY_STRING
    if (failed) {
        free_made(&copy);
        REGAL_FAIL(REGAL_OUT_OF_MEMORY, "memory ran out");
    }
    free_made(&plan->made);
    plan->made = copy;
    return REGAL_OK;
}

regal_fitness regal_plan_fitness(const regal_plan *plan, regal_objective objective) {
    return objective == REGAL_MEMORY ? plan->memory : plan->time;
}

int regal_fitness_compare(regal_fitness a, regal_fitness b) {
    for (int i = 0; i < 3; ++i)
        if (a.value[i] != b.value[i])
            return a.value[i] < b.value[i] ? -1 : 1;
    return 0;
}

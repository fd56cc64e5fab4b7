#include "cli/plan_facts.h"

#include <inttypes.h>
#include <string.h>

#include "cli/human_units.h"
#include "cli/json_values.h"
#include "cli/op_choices.h"
#include "cli/text_table.h"

/* A longer list of devices serves nobody on a terminal. */
enum { DEVICES_SHOWN = 16 };

/* Ticks that the op is busy; the plan is valid, so its device has a class of the graph. */
static int64_t duration(const regal_graph *graph, const regal_cluster *cluster,
                        const regal_plan *plan, int64_t op) {
    if (plan->finish)
        return plan->finish[op] - plan->start[op];
    return op_ticks(graph, cluster, op, plan->placement[op]);
}

static void collect_devices(const regal_graph *graph, const regal_cluster *cluster,
                            const regal_plan *plan, plan_facts *facts) {
    for (int64_t i = 0; i < plan->op_count; i++) {
        const int64_t device = plan->placement[i];
        facts->busy[device] += duration(graph, cluster, plan, i);
        facts->device_ops[device]++;
    }
}

void plan_facts_collect(const regal_graph *graph, const regal_cluster *cluster,
                        const regal_plan *plan, const regal_measure *measure, regal_bounds bounds,
                        plan_facts *facts) {
    memset(facts, 0, sizeof *facts);
    facts->graph = graph_counts_of(graph);
    facts->devices = regal_cluster_device_count(cluster);
    facts->objective = plan->objective;
    facts->bounds = bounds;
    facts->makespan = measure->makespan;
    facts->excess = measure->time.value[0];
    facts->transfers = plan->transfer_count;
    facts->transfer_bytes = measure->transfer_bytes;
    for (int64_t i = 0; i < facts->devices; i++) {
        facts->peak[i] = measure->peak[i];
        if (measure->peak[i] > facts->max_peak)
            facts->max_peak = measure->peak[i];
    }
    collect_devices(graph, cluster, plan, facts);
}

bool caps_are_hopeless(const regal_cluster *cluster, regal_bounds bounds) {
    const int64_t device_count = regal_cluster_device_count(cluster);
    for (int64_t i = 0; i < device_count; i++) {
        const int64_t cap = regal_cluster_device(cluster, i).memory;
        if (cap == 0 || cap >= bounds.memory)
            return false;
    }
    return true;
}

int64_t plan_facts_value(const plan_facts *facts) {
    return facts->objective == REGAL_TIME ? facts->makespan : facts->max_peak;
}

int64_t plan_facts_bound(const plan_facts *facts) {
    return facts->objective == REGAL_TIME ? facts->bounds.time : facts->bounds.memory;
}

static void print_devices(const plan_facts *facts, const regal_cluster *cluster, FILE *file) {
    text_table table = {0};
    table_row(&table, "device", "ops", "busy", "peak memory", "of", NULL);
    for (int64_t i = 0; i < facts->devices && i < DEVICES_SHOWN; i++) {
        const regal_device device = regal_cluster_device(cluster, i);
        const double makespan = facts->makespan > 0 ? (double)facts->makespan : 1;
        table_row(&table, device.name, HUMAN(count, facts->device_ops[i]),
                  HUMAN(percent, (double)facts->busy[i] / makespan), HUMAN(bytes, facts->peak[i]),
                  device.memory > 0 ? HUMAN(bytes, device.memory) : "unlimited", NULL);
    }
    table_print(&table, file, 2);
    if (facts->devices > DEVICES_SHOWN)
        fprintf(file, "  ... and %" PRId64 " more\n", facts->devices - DEVICES_SHOWN);
}

static void add_figure(text_table *table, const char *name, const char *plain, const char *human,
                       int64_t value, int64_t bound, const char *human_bound) {
    if (bound >= 0)
        table_row(table, name, plain, human, HUMAN(ratio, (double)value, (double)bound),
                  human_bound, NULL);
    else
        table_row(table, name, plain, human, NULL);
}

void plan_facts_print(const plan_facts *facts, const regal_cluster *cluster, FILE *file) {
    fprintf(file, "  %s, %s, %s, %s on %s\n", HUMAN(things, facts->graph.ops, "op"),
            HUMAN(things, facts->graph.tensors, "tensor"),
            HUMAN(things, facts->graph.controls, "control edge"),
            HUMAN(things, facts->graph.parameters, "parameter"),
            HUMAN(things, facts->devices, "device"));
    fprintf(file, "  %s of %s in all; objective %s\n\n",
            HUMAN(things, facts->transfers, "transfer"), HUMAN(bytes, facts->transfer_bytes),
            regal_objective_name(facts->objective));
    text_table table = {0};
    const bool bounded = facts->bounds.time >= 0;
    table_row(&table, "", "ticks or bytes", "", bounded ? "x bound" : NULL, "lower bound", NULL);
    add_figure(&table, "makespan", HUMAN(count, facts->makespan), HUMAN(ticks, facts->makespan),
               facts->makespan, facts->bounds.time, HUMAN(ticks, facts->bounds.time));
    add_figure(&table, "max peak memory", HUMAN(count, facts->max_peak),
               HUMAN(bytes, facts->max_peak), facts->max_peak, facts->bounds.memory,
               HUMAN(bytes, facts->bounds.memory));
    if (facts->excess > 0)
        table_row(&table, "above the caps", HUMAN(count, facts->excess),
                  HUMAN(bytes, facts->excess), NULL);
    table_print(&table, file, 2);
    fputc('\n', file);
    print_devices(facts, cluster, file);
}

static json_t *busy_shares(const plan_facts *facts) {
    json_t *array = json_array();
    for (int64_t i = 0; i < facts->devices; i++)
        json_array_append_new(array, json_ratio((double)facts->busy[i], (double)facts->makespan));
    return array;
}

static json_t *known_integer(int64_t value) {
    return value >= 0 ? json_integer(value) : json_null();
}

void plan_facts_add_json(const plan_facts *facts, json_t *object) {
    const int64_t value = plan_facts_value(facts), bound = plan_facts_bound(facts);
    graph_counts_add_json(&facts->graph, object);
    json_add_integer(object, "devices", facts->devices);
    json_add_words(object, "objective", regal_objective_name(facts->objective));
    json_add_integer(object, "value", value);
    json_object_set_new(object, "bound", known_integer(bound));
    json_object_set_new(object, "ratio", json_ratio((double)value, (double)bound));
    json_add_integer(object, "makespan", facts->makespan);
    json_add_integer(object, "max_peak", facts->max_peak);
    json_add_integer(object, "excess", facts->excess);
    json_object_set_new(object, "bounds",
                        json_pack("{s:o,s:o}", "time", known_integer(facts->bounds.time), "memory",
                                  known_integer(facts->bounds.memory)));
    json_object_set_new(object, "peak", json_integers(facts->peak, facts->devices));
    json_object_set_new(object, "busy", busy_shares(facts));
    json_object_set_new(object, "device_ops", json_integers(facts->device_ops, facts->devices));
    json_object_set_new(object, "transfers",
                        json_pack("{s:I,s:I}", "count", (json_int_t)facts->transfers, "bytes",
                                  (json_int_t)facts->transfer_bytes));
}

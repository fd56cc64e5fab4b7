/* The plan as a whole: what its end hangs on, why devices idle, which links are busy. */
#include <inttypes.h>
#include <stdio.h>

#include "cli/explain_parts.h"
#include "cli/human_units.h"
#include "cli/json_values.h"
#include "cli/plain_text.h"
#include "cli/text_table.h"

enum { DEVICES_SHOWN = 16, LINKS_SHOWN = 8 };

/* What the critical path is made of, in ticks. */
typedef struct path_facts {
    int64_t steps, ops, transfers, computing, sending;
    int64_t begin;   /* of the first step: 0, or where the plan held it back */
    int64_t longest; /* op, or -1 */
} path_facts;

static path_facts follow_path(const explained_plan *all) {
    path_facts path = {.steps = regal_explanation_critical_count(all->why), .longest = -1};
    int64_t greatest = 0;
    for (int64_t i = 0; i < path.steps; i++) {
        const regal_critical_step step = regal_explanation_critical(all->why, i);
        const regal_event_reason reason = step.op >= 0
                                              ? regal_explanation_op(all->why, step.op)
                                              : regal_explanation_transfer(all->why, step.transfer);
        const int64_t ticks = reason.finish - reason.start;
        path.begin = i == 0 ? reason.start : path.begin;
        path.ops += step.op >= 0;
        path.transfers += step.op < 0;
        *(step.op >= 0 ? &path.computing : &path.sending) += ticks;
        if (step.op >= 0 && ticks > greatest) {
            greatest = ticks;
            path.longest = step.op;
        }
    }
    return path;
}

static const char *share(int64_t part, int64_t whole, char *text) {
    return human_percent(whole > 0 ? (double)part / (double)whole : 0.0, text);
}

static void print_path(const explained_plan *all) {
    const path_facts path = follow_path(all);
    const int64_t makespan = all->plan->makespan;
    printf("  critical path: %s, %s computing; %s, %s sending", HUMAN(things, path.ops, "op"),
           share(path.computing, makespan, (char[HUMAN_TEXT]){0}),
           HUMAN(things, path.transfers, "transfer"),
           share(path.sending, makespan, (char[HUMAN_TEXT]){0}));
    if (path.begin > 0)
        printf("; it begins at %s, where the plan idles on purpose", HUMAN(ticks, path.begin));
    putchar('\n');
    if (path.longest >= 0)
        plain_line_print(
            stdout, "  its longest op is %s, which takes %s",
            regal_graph_op(all->graph, path.longest).name,
            HUMAN(ticks, all->plan->finish[path.longest] - all->plan->start[path.longest]));
}

static void print_devices(const explained_plan *all) {
    static const regal_wait SHOWN[] = {REGAL_WAIT_TRANSFER, REGAL_WAIT_INPUT, REGAL_WAIT_CONTROL,
                                       REGAL_WAIT_CHOICE};
    const int64_t devices = regal_cluster_device_count(all->cluster),
                  makespan = all->plan->makespan;
    text_table table = {0};
    table_row(&table, "device", "ops", "busy", "idle for transfers", "inputs", "control edges",
              "on purpose", "at the end", NULL);
    for (int64_t d = 0; d < devices && d < DEVICES_SHOWN; d++) {
        const regal_device_use use = regal_explanation_device(all->why, d);
        char part[4][HUMAN_TEXT];
        for (int k = 0; k < 4; k++)
            share(use.idle_for[SHOWN[k]], makespan, part[k]);
        table_row(&table, explain_device(all, d), HUMAN(count, use.ops),
                  share(use.busy, makespan, (char[HUMAN_TEXT]){0}), part[0], part[1], part[2],
                  part[3], share(use.idle_end, makespan, (char[HUMAN_TEXT]){0}), NULL);
    }
    putchar('\n');
    table_print(&table, stdout, 2);
    if (devices > DEVICES_SHOWN)
        printf("  and %s\n", HUMAN(things, devices - DEVICES_SHOWN, "more device"));
}

/* The single waits that cost the most. */
static void print_waits(const explained_plan *all) {
    const int64_t devices = regal_cluster_device_count(all->cluster);
    bool first = true;
    for (int64_t d = 0; d < devices && d < DEVICES_SHOWN; d++) {
        const regal_device_use use = regal_explanation_device(all->why, d);
        if (use.worst_tensor < 0)
            continue;
        if (first)
            putchar('\n');
        first = false;
        const regal_tensor tensor = regal_graph_tensor(all->graph, use.worst_tensor);
        plain_line_print(stdout, "  %s idles longest, %s, for '%s' (%s) from %s",
                         explain_device(all, d), HUMAN(ticks, use.worst_idle), tensor.name,
                         HUMAN(bytes, tensor.bytes), explain_device(all, use.worst_from));
    }
}

static void print_links(const explained_plan *all) {
    const int64_t links = regal_explanation_link_count(all->why);
    text_table table = {0};
    if (links == 0)
        return;
    table_row(&table, "link", "transfers", "bytes", "busy", "transfers waited", NULL);
    for (int64_t l = 0; l < links && l < LINKS_SHOWN; l++) {
        const regal_link_use use = regal_explanation_link(all->why, l);
        char name[2 * HUMAN_TEXT];
        snprintf(name, sizeof name, "%.40s > %.40s", explain_device(all, use.from),
                 explain_device(all, use.to));
        table_row(&table, name, HUMAN(count, use.transfers), HUMAN(bytes, use.bytes),
                  share(use.busy, all->plan->makespan, (char[HUMAN_TEXT]){0}),
                  HUMAN(ticks, use.waited), NULL);
    }
    putchar('\n');
    table_print(&table, stdout, 2);
    if (links > LINKS_SHOWN)
        printf("  and %s\n", HUMAN(things, links - LINKS_SHOWN, "more link"));
}

void explain_plan_print(const explained_plan *all) {
    plain_line_print(stdout, "%s: makespan %s", all->plan_path, HUMAN(ticks, all->plan->makespan));
    print_path(all);
    print_devices(all);
    print_waits(all);
    print_links(all);
}

/* ---- for machines */

static json_t *path_json(const explained_plan *all) {
    const path_facts path = follow_path(all);
    json_t *object = json_object(), *steps = json_array();
    json_add_integer(object, "computing", path.computing);
    json_add_integer(object, "sending", path.sending);
    json_add_integer(object, "begin", path.begin);
    for (int64_t i = 0; i < path.steps; i++) {
        const regal_critical_step at = regal_explanation_critical(all->why, i);
        json_t *step = json_object();
        if (at.op >= 0) {
            json_add_words(step, "op", regal_graph_op(all->graph, at.op).name);
        } else {
            const regal_transfer transfer = all->plan->transfers[at.transfer];
            json_add_words(step, "transfer", regal_graph_tensor(all->graph, transfer.tensor).name);
            json_add_words(step, "to", explain_device(all, transfer.to));
        }
        json_array_append_new(steps, step);
    }
    json_object_set_new(object, "steps", steps);
    return object;
}

static json_t *device_json(const explained_plan *all, int64_t device) {
    const regal_device_use use = regal_explanation_device(all->why, device);
    json_t *object = json_object(), *idle = json_object();
    for (int wait = 0; wait <= REGAL_WAIT_CHOICE; wait++)
        json_add_integer(idle, regal_wait_name((regal_wait)wait), use.idle_for[wait]);
    json_add_integer(idle, "end", use.idle_end);
    json_add_words(object, "device", explain_device(all, device));
    json_add_integer(object, "ops", use.ops);
    json_add_integer(object, "busy", use.busy);
    json_object_set_new(object, "idle", idle);
    return object;
}

static json_t *link_json(const explained_plan *all, int64_t index) {
    const regal_link_use use = regal_explanation_link(all->why, index);
    json_t *object = json_object();
    json_add_words(object, "from", explain_device(all, use.from));
    json_add_words(object, "to", explain_device(all, use.to));
    json_add_integer(object, "transfers", use.transfers);
    json_add_integer(object, "bytes", use.bytes);
    json_add_integer(object, "busy", use.busy);
    json_add_integer(object, "waited", use.waited);
    return object;
}

json_t *explain_plan_json(const explained_plan *all) {
    json_t *object = json_object(), *devices = json_array(), *links = json_array();
    for (int64_t d = 0; d < regal_cluster_device_count(all->cluster); d++)
        json_array_append_new(devices, device_json(all, d));
    for (int64_t l = 0; l < regal_explanation_link_count(all->why); l++)
        json_array_append_new(links, link_json(all, l));
    json_add_words(object, "plan", all->plan_path);
    json_add_integer(object, "makespan", all->plan->makespan);
    json_object_set_new(object, "critical_path", path_json(all));
    json_object_set_new(object, "devices", devices);
    json_object_set_new(object, "links", links);
    return object;
}

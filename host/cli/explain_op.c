/* One op: where and when it runs, and why. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/explain_parts.h"
#include "cli/human_units.h"
#include "cli/op_choices.h"
#include "cli/plain_text.h"
#include "cli/text_table.h"

enum { ROWS_SHOWN = 24 };

static void print_inputs(const explained_plan *all, int64_t op, const regal_event_reason *reason) {
    text_table table = {0};
    int64_t count = 0;
    for (int64_t t = 0; t < regal_graph_tensor_count(all->graph); t++) {
        const regal_tensor tensor = regal_graph_tensor(all->graph, t);
        if (!explain_consumes(&tensor, op) || count++ >= ROWS_SHOWN)
            continue;
        const op_input input = explain_input(all, op, t);
        if (count == 1)
            table_row(&table, "input", "bytes", "made by", "on", "made at", "sent at", "there at",
                      "", NULL);
        table_row(&table, tensor.name, HUMAN(bytes, tensor.bytes),
                  regal_graph_op(all->graph, tensor.producer).name, explain_device(all, input.from),
                  HUMAN(ticks, input.made), input.started < 0 ? "" : HUMAN(ticks, input.started),
                  HUMAN(ticks, input.there), input.there == reason->ready ? "the last" : "", NULL);
    }
    if (count > 0)
        putchar('\n');
    table_print(&table, stdout, 2);
    if (count > ROWS_SHOWN)
        printf("  and %s\n", HUMAN(things, count - ROWS_SHOWN, "more input"));
}

static void add_use(const explained_plan *all, int64_t t, int64_t user, text_table *table) {
    const op_input use = explain_input(all, user, t);
    if (table->row_count == 0)
        table_row(table, "output", "bytes", "used by", "on", "sent at", "there at", "starts at",
                  NULL);
    table_row(table, use.tensor.name, HUMAN(bytes, use.tensor.bytes),
              regal_graph_op(all->graph, user).name,
              explain_device(all, all->plan->placement[user]),
              use.started < 0 ? "" : HUMAN(ticks, use.started), HUMAN(ticks, use.there),
              HUMAN(ticks, all->plan->start[user]), NULL);
}

static void print_uses(const explained_plan *all, int64_t op) {
    text_table table = {0};
    int64_t count = 0;
    for (int64_t t = 0; t < regal_graph_tensor_count(all->graph); t++) {
        const regal_tensor tensor = regal_graph_tensor(all->graph, t);
        if (tensor.producer != op)
            continue;
        int64_t *users;
        const int64_t user_count = explain_users(&tensor, &users);
        for (int64_t i = 0; i < user_count; i++)
            if (count++ < ROWS_SHOWN)
                add_use(all, t, users[i], &table);
        free(users);
    }
    if (count > 0)
        putchar('\n');
    table_print(&table, stdout, 2);
    if (count > ROWS_SHOWN)
        printf("  and %s\n", HUMAN(things, count - ROWS_SHOWN, "more use"));
}

/* The ops before it by control edges, or behind it. */
static void print_controls(const explained_plan *all, int64_t op, bool behind) {
    text_table table = {0};
    int64_t *ops;
    const int64_t count = explain_controls(all, op, behind, &ops);
    if (count > 0) {
        putchar('\n');
        table_row(&table, behind ? "must follow it" : "not before", "on",
                  behind ? "starts at" : "finished at", NULL);
    }
    for (int64_t i = 0; i < count && i < ROWS_SHOWN; i++)
        table_row(&table, regal_graph_op(all->graph, ops[i]).name,
                  explain_device(all, all->plan->placement[ops[i]]),
                  HUMAN(ticks, behind ? all->plan->start[ops[i]] : all->plan->finish[ops[i]]),
                  NULL);
    free(ops);
    table_print(&table, stdout, 2);
    if (count > ROWS_SHOWN)
        printf("  and %s\n", HUMAN(things, count - ROWS_SHOWN, "more op"));
}

static void print_choices(const explained_plan *all, int64_t index) {
    const regal_op op = regal_graph_op(all->graph, index);
    const int64_t devices = regal_cluster_device_count(all->cluster);
    int64_t bytes[REGAL_MAX_DEVICES] = {0};
    text_table table = {0};
    if (devices == 1)
        return;
    explain_sum_inputs(all, index, bytes);
    table_row(&table, "device", "it would take", "of its inputs made there", "", NULL);
    for (int64_t d = 0; d < devices; d++)
        table_row(&table, explain_device(all, d),
                  explain_may_run(all, index, d)
                      ? HUMAN(ticks, op_ticks(all->graph, all->cluster, index, d))
                      : "not allowed",
                  HUMAN(bytes, bytes[d]), d == all->plan->placement[index] ? "here" : "", NULL);
    putchar('\n');
    table_print(&table, stdout, 2);
    if (op.group)
        plain_line_print(stdout, "  with all ops of its group '%s' on one device", op.group);
}

static void print_when(const explained_plan *all, int64_t op, const regal_event_reason *reason) {
    char words[1024];
    explain_wait_words(all, reason, words, sizeof words);
    plain_line_print(stdout, "  %s", words);
    const int64_t idle = reason->start - reason->free;
    const char *device = explain_device(all, all->plan->placement[op]);
    if (reason->before >= 0 && idle > 0)
        plain_line_print(stdout, "  %s idled for %s before it, since '%s' finished at %s", device,
                         HUMAN(ticks, idle), regal_graph_op(all->graph, reason->before).name,
                         HUMAN(ticks, reason->free));
    else if (idle > 0)
        plain_line_print(stdout, "  it is the first on %s, which idled for %s before it", device,
                         HUMAN(ticks, idle));
    if (reason->slack == 0)
        puts("  it is critical: if it ended later, so would the plan");
    else
        printf("  it could end %s later without a later end of the plan\n",
               HUMAN(ticks, reason->slack));
}

void explain_op_print(const explained_plan *all, int64_t op) {
    const regal_op info = regal_graph_op(all->graph, op);
    const regal_event_reason reason = regal_explanation_op(all->why, op);
    plain_line_print(stdout, "%s%s%s%s, op %" PRId64 ": on %s from %s to %s, for %s", info.name,
                     *info.kind ? " (" : "", info.kind, *info.kind ? ")" : "", op,
                     explain_device(all, all->plan->placement[op]), HUMAN(ticks, reason.start),
                     HUMAN(ticks, reason.finish), HUMAN(ticks, reason.finish - reason.start));
    print_when(all, op, &reason);
    print_inputs(all, op, &reason);
    print_controls(all, op, false);
    print_uses(all, op);
    print_controls(all, op, true);
    print_choices(all, op);
}

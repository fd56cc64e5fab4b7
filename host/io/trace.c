/* Chrome trace JSON, as Perfetto and chrome://tracing read it: times in microseconds, here with
 * three decimals, so that a tick shows as a nanosecond. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/json_out.h"
#include "io/memory_buffers.h"
#include "io/trace_memory.h"
#include "io/writer.h"
#include "regal/io.h"

/* Process ids; threads are numbered from 1. */
enum { DEVICES = 1, LINKS = 2 };

typedef struct tracing {
    regal_out out;
    const regal_graph *graph;
    const regal_plan *plan;
    int64_t *op_bytes;        /* [op_count] of the tensors that it makes */
    int64_t *seen;            /* [op_count] the last transfer whose consumer it was, from 1 */
    int64_t *transfer_finish; /* [transfer_count] */
    int64_t flows;            /* so far: the next id */
    const char *separator;
} tracing;

static int64_t link_thread(const regal_plan *plan, int64_t from, int64_t to) {
    return 1 + from * plan->device_count + to;
}

static int64_t source_of(const tracing *trace, const regal_transfer *transfer) {
    return trace->plan->placement[regal_graph_tensor(trace->graph, transfer->tensor).producer];
}

static void put_ticks(regal_out *out, int64_t ticks) {
    regal_out_format(out, "%lld.%03d", (long long)(ticks / 1000), (int)(ticks % 1000));
}

/* Starts an event; the caller ends it with "}". Its name is name and more, joined. */
static void begin_event(tracing *trace, char phase, const char *name, const char *more,
                        int64_t process, int64_t thread, int64_t tick) {
    regal_out *out = &trace->out;
    regal_out_format(out, "%s{\"ph\": \"%c\", \"name\": ", trace->separator, phase);
    regal_out_joined(out, name, more, "");
    regal_out_format(out, ", \"pid\": %lld, \"tid\": %lld, \"ts\": ", (long long)process,
                     (long long)thread);
    put_ticks(out, tick);
    trace->separator = ",\n";
}

/* ---- names of rows */

/* A row's name is the three, joined. */
static void put_row_name(tracing *trace, const char *what, int64_t process, int64_t thread,
                         const char *first, const char *second, const char *third) {
    begin_event(trace, 'M', what, "", process, thread, 0);
    regal_out_text(&trace->out, ", \"args\": {\"name\": ");
    regal_out_joined(&trace->out, first, second, third);
    regal_out_text(&trace->out, "}}");
}

static const char *device_name(const tracing *trace, int64_t device) {
    return regal_cluster_device(trace->plan->cluster, device).name;
}

static void put_device_rows(tracing *trace) {
    put_row_name(trace, "process_name", DEVICES, 0, "devices", "", "");
    for (int64_t d = 0; d < trace->plan->device_count; ++d)
        put_row_name(trace, "thread_name", DEVICES, d + 1, device_name(trace, d), "", "");
}

static void put_link_rows(tracing *trace) {
    bool used[REGAL_MAX_DEVICES][REGAL_MAX_DEVICES] = {{false}};
    for (int64_t i = 0; i < trace->plan->transfer_count; ++i) {
        const regal_transfer *transfer = &trace->plan->transfers[i];
        used[source_of(trace, transfer)][transfer->to] = true;
    }
    if (trace->plan->transfer_count > 0)
        put_row_name(trace, "process_name", LINKS, 0, "links", "", "");
    for (int64_t from = 0; from < trace->plan->device_count; ++from)
        for (int64_t to = 0; to < trace->plan->device_count; ++to)
            if (used[from][to])
                put_row_name(trace, "thread_name", LINKS, link_thread(trace->plan, from, to),
                             device_name(trace, from), " > ", device_name(trace, to));
}

/* ---- what runs */

static void put_slice(tracing *trace, const char *name, int64_t process, int64_t thread,
                      int64_t start, int64_t finish) {
    begin_event(trace, 'X', name, "", process, thread, start);
    regal_out_text(&trace->out, ", \"dur\": ");
    put_ticks(&trace->out, finish - start);
}

static void put_ops(tracing *trace) {
    const regal_plan *plan = trace->plan;
    for (int64_t i = 0; i < plan->op_count; ++i) {
        const regal_op op = regal_graph_op(trace->graph, i);
        put_slice(trace, op.name, DEVICES, plan->placement[i] + 1, plan->start[i], plan->finish[i]);
        regal_out_text(&trace->out, ", \"cat\": \"op\", \"args\": {\"kind\": ");
        regal_out_string(&trace->out, op.kind);
        regal_out_format(&trace->out, ", \"cost\": %lld, \"bytes\": %lld}}",
                         (long long)(plan->finish[i] - plan->start[i]),
                         (long long)trace->op_bytes[i]);
    }
}

static void put_transfers(tracing *trace) {
    for (int64_t i = 0; i < trace->plan->transfer_count; ++i) {
        const regal_transfer *transfer = &trace->plan->transfers[i];
        const regal_tensor tensor = regal_graph_tensor(trace->graph, transfer->tensor);
        put_slice(trace, tensor.name, LINKS,
                  link_thread(trace->plan, source_of(trace, transfer), transfer->to),
                  transfer->start, trace->transfer_finish[i]);
        regal_out_format(&trace->out,
                         ", \"cat\": \"transfer\", \"args\": {\"tensor\": %lld, \"bytes\": %lld}}",
                         (long long)transfer->tensor, (long long)tensor.bytes);
    }
}

/* ---- arrows from slice to slice */

static void put_flow(tracing *trace, int64_t from_process, int64_t from_thread, int64_t from_tick,
                     int64_t to_process, int64_t to_thread, int64_t to_tick) {
    const long long id = ++trace->flows;
    begin_event(trace, 's', "flow", "", from_process, from_thread, from_tick);
    regal_out_format(&trace->out, ", \"cat\": \"flow\", \"id\": %lld}", id);
    begin_event(trace, 'f', "flow", "", to_process, to_thread, to_tick);
    regal_out_format(&trace->out, ", \"cat\": \"flow\", \"id\": %lld, \"bp\": \"e\"}", id);
}

/* Each end lies within its slice: the last tick of the one that gives, the first of the one that
 * takes. */
static void put_flows(tracing *trace) {
    const regal_plan *plan = trace->plan;
    for (int64_t i = 0; i < plan->transfer_count; ++i) {
        const regal_transfer *transfer = &plan->transfers[i];
        const regal_tensor tensor = regal_graph_tensor(trace->graph, transfer->tensor);
        const int64_t from = plan->placement[tensor.producer];
        const int64_t link = link_thread(plan, from, transfer->to);
        put_flow(trace, DEVICES, from + 1, plan->finish[tensor.producer] - 1, LINKS, link,
                 transfer->start);
        for (int64_t c = 0; c < tensor.consumer_count; ++c) {
            const int64_t op = tensor.consumers[c];
            if (plan->placement[op] != transfer->to || trace->seen[op] == i + 1)
                continue;
            trace->seen[op] = i + 1;
            put_flow(trace, LINKS, link, trace->transfer_finish[i] - 1, DEVICES, transfer->to + 1,
                     plan->start[op]);
        }
    }
}

/* ---- memory */

static void put_memory(tracing *trace, int64_t device, int64_t tick, int64_t bytes) {
    begin_event(trace, 'C', device_name(trace, device), " memory", DEVICES, device + 1, tick);
    regal_out_format(&trace->out, ", \"args\": {\"bytes\": %lld}}", (long long)bytes);
}

/* One value for each tick at which something changes, after all of its changes. */
static void put_counters(tracing *trace, const regal_memory_history *history) {
    int64_t i = 0;
    for (int64_t d = 0; d < trace->plan->device_count; ++d) {
        int64_t bytes = history->resident[d], shown = bytes;
        if (i >= history->count || history->changes[i].device != d || history->changes[i].tick > 0)
            put_memory(trace, d, 0, bytes);
        while (i < history->count && history->changes[i].device == d) {
            const int64_t tick = history->changes[i].tick;
            for (; i < history->count && history->changes[i].device == d &&
                   history->changes[i].tick == tick;
                 ++i)
                bytes += history->changes[i].change;
            if (bytes != shown || tick == 0)
                put_memory(trace, d, tick, bytes);
            shown = bytes;
        }
    }
}

/* ---- the whole */

static void fill_figures(tracing *trace) {
    for (int64_t t = 0; t < regal_graph_tensor_count(trace->graph); ++t) {
        const regal_tensor tensor = regal_graph_tensor(trace->graph, t);
        trace->op_bytes[tensor.producer] += tensor.bytes;
    }
}

static regal_status put_trace(tracing *trace) {
    const int64_t ops = trace->plan->op_count;
    trace->op_bytes = regal_allocate_zeroed(ops, sizeof *trace->op_bytes);
    trace->seen = regal_allocate_zeroed(ops, sizeof *trace->seen);
    trace->transfer_finish = regal_transfer_finishes(trace->graph, trace->plan);
    REGAL_FAIL_IF(trace->op_bytes == NULL || trace->seen == NULL || trace->transfer_finish == NULL,
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    fill_figures(trace);
    regal_memory_history history;
    REGAL_FORWARD(
        regal_memory_history_create(trace->graph, trace->plan, trace->transfer_finish, &history));
    regal_out_text(&trace->out, "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [");
    put_device_rows(trace);
    put_link_rows(trace);
    put_ops(trace);
    put_transfers(trace);
    put_flows(trace);
    put_counters(trace, &history);
    regal_out_text(&trace->out, "\n]}\n");
    regal_memory_history_destroy(&history);
    return REGAL_OK;
}

static regal_status check_arguments(const regal_graph *graph, const regal_plan *plan,
                                    const char *path) {
    char digest[17];
    regal_graph_digest(graph, digest);
    REGAL_FAIL_IF(plan->cluster == NULL || plan->finish == NULL ||
                      plan->op_count != regal_graph_op_count(graph) ||
                      strcmp(plan->graph_digest, digest) != 0,
                  REGAL_INVALID_ARGUMENT,
                  "%s: the plan is not attached to this graph (regal_plan_attach)", path);
    const int64_t tensors = regal_graph_tensor_count(graph);
    for (int64_t i = 0; i < plan->transfer_count; ++i)
        REGAL_FAIL_IF(plan->transfers[i].tensor >= tensors, REGAL_INVALID_ARGUMENT,
                      "%s: the plan moves tensor %lld, which the graph does not have", path,
                      (long long)plan->transfers[i].tensor);
    return REGAL_OK;
}

regal_status regal_trace_write(const regal_graph *graph, const regal_plan *plan, const char *path) {
    REGAL_FORWARD(check_arguments(graph, plan, path));
    tracing trace = {.graph = graph, .plan = plan, .separator = "\n"};
    const regal_status status = put_trace(&trace);
    free(trace.op_bytes);
    free(trace.seen);
    free(trace.transfer_finish);
    if (status == REGAL_OK)
        return regal_out_save(&trace.out, path);
    free(trace.out.data);
    return status;
}

regal_status regal_write_trace(const regal_written *what, const char *path) {
    return regal_trace_write(what->graph, what->plan, path);
}

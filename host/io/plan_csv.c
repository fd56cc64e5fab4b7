/* A plan as CSV: a line for each op and transfer, in the order in which they start. */
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/costs/costs_data.h"
#include "io/memory_buffers.h"
#include "io/writer.h"

typedef struct csv_event {
    int64_t start, index;
    bool transfer;
} csv_event;

typedef struct csv_writing {
    regal_out out;
    const regal_graph *graph;
    const regal_plan *plan;
    int64_t *op_bytes; /* [op_count] of the tensors that it makes */
    int64_t *transfer_finish;
    csv_event *events;
} csv_writing;

static int compare_events(const void *left, const void *right) {
    const csv_event *a = left, *b = right;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    if (a->transfer != b->transfer)
        return a->transfer ? 1 : -1;
    return (a->index > b->index) - (a->index < b->index);
}

static const char *device_name(const csv_writing *csv, int64_t device) {
    return regal_cluster_device(csv->plan->cluster, device).name;
}

static void put_field(csv_writing *csv, const char *text) {
    regal_csv_put(&csv->out, text);
    regal_out_text(&csv->out, ",");
}

static void put_numbers(csv_writing *csv, int64_t start, int64_t finish, int64_t bytes,
                        int64_t workspace) {
    regal_out_format(&csv->out, "%lld,%lld,%lld,%lld\n", (long long)start, (long long)finish,
                     (long long)bytes, (long long)workspace);
}

static void put_op(csv_writing *csv, int64_t index) {
    const regal_op op = regal_graph_op(csv->graph, index);
    regal_out_format(&csv->out, "op,%lld,", (long long)index);
    put_field(csv, op.name);
    put_field(csv, op.kind);
    put_field(csv, device_name(csv, csv->plan->placement[index]));
    put_field(csv, "");
    put_numbers(csv, csv->plan->start[index], csv->plan->finish[index], csv->op_bytes[index],
                op.workspace);
}

static void put_transfer(csv_writing *csv, int64_t index) {
    const regal_transfer *transfer = &csv->plan->transfers[index];
    const regal_tensor tensor = regal_graph_tensor(csv->graph, transfer->tensor);
    regal_out_format(&csv->out, "transfer,%lld,", (long long)transfer->tensor);
    put_field(csv, tensor.name);
    put_field(csv, "");
    put_field(csv, device_name(csv, transfer->to));
    put_field(csv, device_name(csv, csv->plan->placement[tensor.producer]));
    put_numbers(csv, transfer->start, csv->transfer_finish[index], tensor.bytes, 0);
}

static regal_status put_events(csv_writing *csv) {
    const regal_plan *plan = csv->plan;
    const int64_t count = plan->op_count + plan->transfer_count;
    csv->op_bytes = regal_allocate_zeroed(plan->op_count, sizeof *csv->op_bytes);
    csv->events = regal_allocate(count, sizeof *csv->events);
    csv->transfer_finish = regal_transfer_finishes(csv->graph, plan);
    REGAL_FAIL_IF(csv->op_bytes == NULL || csv->events == NULL || csv->transfer_finish == NULL,
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    for (int64_t t = 0; t < regal_graph_tensor_count(csv->graph); ++t) {
        const regal_tensor tensor = regal_graph_tensor(csv->graph, t);
        csv->op_bytes[tensor.producer] += tensor.bytes;
    }
    for (int64_t i = 0; i < plan->op_count; ++i)
        csv->events[i] = (csv_event){plan->start[i], i, false};
    for (int64_t i = 0; i < plan->transfer_count; ++i)
        csv->events[plan->op_count + i] = (csv_event){plan->transfers[i].start, i, true};
    qsort(csv->events, (size_t)count, sizeof *csv->events, compare_events);
    regal_out_text(&csv->out, "what,index,name,kind,device,from,start,finish,bytes,workspace\n");
    for (int64_t i = 0; i < count; ++i)
        (csv->events[i].transfer ? put_transfer : put_op)(csv, csv->events[i].index);
    return REGAL_OK;
}

regal_status regal_write_plan_csv(const regal_written *what, const char *path) {
    csv_writing csv = {.graph = what->graph, .plan = what->plan};
    const regal_status status = put_events(&csv);
    free(csv.op_bytes);
    free(csv.transfer_finish);
    free(csv.events);
    if (status == REGAL_OK)
        return regal_out_save(&csv.out, path);
    free(csv.out.data);
    return status;
}

/* The parts of `explain`. */
#ifndef REGAL_CLI_EXPLAIN_PARTS_H
#define REGAL_CLI_EXPLAIN_PARTS_H

#include <jansson.h>
#include <stdbool.h>

#include "cli/checked_plan.h"

typedef struct explained_plan {
    const regal_graph *graph;
    const regal_cluster *cluster;
    const regal_plan *plan;
    const regal_explanation *why;
    const char *plan_path;
} explained_plan;

/* A tensor that an op consumes: where it was made, and when it was there. */
typedef struct op_input {
    regal_tensor tensor;
    int64_t from, made, started; /* device; tick; start of the transfer, or -1 */
    int64_t there;
} op_input;

/* explain_facts.c */
bool explain_consumes(const regal_tensor *tensor, int64_t op);
op_input explain_input(const explained_plan *all, int64_t op, int64_t tensor);
/* Ops in their order, each once, freed with free: what consumes a tensor; what stands before an op
 * by control edges, or behind it. Returns their number; 0 where memory ran out. */
int64_t explain_users(const regal_tensor *tensor, int64_t **ops);
int64_t explain_controls(const explained_plan *all, int64_t op, bool behind, int64_t **ops);
/* Adds to bytes[device] what of the op's inputs is made there. */
void explain_sum_inputs(const explained_plan *all, int64_t op, int64_t *bytes);
bool explain_may_run(const explained_plan *all, int64_t op, int64_t device);

/* explain_op.c, explain_op_json.c: one op, where and when and why. */
void explain_op_print(const explained_plan *all, int64_t op);
json_t *explain_op_json(const explained_plan *all, int64_t op);

/* explain_plan.c: the plan as a whole: critical path, idle devices, busy links. */
void explain_plan_print(const explained_plan *all);
json_t *explain_plan_json(const explained_plan *all);

/* "d1"; views of the cluster. */
const char *explain_device(const explained_plan *all, int64_t device);
/* What an op (transfer -1) or a transfer waited for, as a sentence without an end, in text. */
void explain_wait_words(const explained_plan *all, const regal_event_reason *reason, char *text,
                        size_t size);
/* The wait for machines: {"for": "transfer", "tensor": ..., ...}. */
json_t *explain_wait_json(const explained_plan *all, const regal_event_reason *reason);

/* The transfer of a tensor to a device, or -1. */
int64_t explain_transfer(const explained_plan *all, int64_t tensor, int64_t device);

#endif

/* A plan as the report shows it: ops by device and transfers by link, each in time; the tensors
 * that they name. */
#ifndef REGAL_REPORT_REPORT_VIEW_H
#define REGAL_REPORT_REPORT_VIEW_H

#include <stdint.h>

#include "base/name_table.h"
#include "regal/check.h"
#include "regal/explain.h"
#include "regal/report.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct regal_report_view {
    const regal_report *report;
    const regal_graph *graph;
    const regal_cluster *cluster;
    const regal_plan *plan;
    regal_measure measure; /* the checker's */
    regal_explanation *explanation;
    int64_t devices, links;

    int64_t *op_at, *op_row;             /* [op_count] row -> op, op -> row */
    int64_t *device_begin;               /* [devices + 1] rows */
    int64_t *transfer_at, *transfer_row; /* [transfer_count] likewise */
    int64_t *link_begin;                 /* [links + 1] rows, links as the explanation has them */
    int64_t *bytes_in, *bytes_out;       /* [op_count] by op */
    int64_t *tensor_at, *tensor_row;     /* [shown_tensors], [tensor_count]; row -1: not shown */
    int64_t shown_tensors;
    regal_name_table kinds; /* kind -> number */
    const char **kind_at;   /* [kinds.count] */
} regal_report_view;

/* Starts as {0}. REGAL_INVALID_ARGUMENT where the plan is not attached, REGAL_INVALID_INPUT where
 * it is not valid. To be destroyed in any case. */
regal_status regal_report_view_fill(regal_report_view *view, const regal_report *report);
void regal_report_view_destroy(regal_report_view *view);

#ifdef __cplusplus
}
#endif
#endif

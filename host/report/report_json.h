/* What the page knows, as JSON: the figures that `regal check --json` tells too, and all the rest.
 * Integers beyond 2^53 are strings, since JavaScript's numbers would round them. */
#ifndef REGAL_REPORT_REPORT_JSON_H
#define REGAL_REPORT_REPORT_JSON_H

#include "io/json_out.h"
#include "report/report_view.h"

#ifdef __cplusplus
extern "C" {
#endif

void regal_report_put_figures(regal_out *out, const regal_report_view *view);
void regal_report_put_data(regal_out *out, const regal_report_view *view);

/* Parts of the data: report_columns.c, long lists as columns in the order of the view. */
void regal_report_put_ops(regal_out *out, const regal_report_view *view);
void regal_report_put_transfers(regal_out *out, const regal_report_view *view);
void regal_report_put_tensors(regal_out *out, const regal_report_view *view);
void regal_report_put_memory(regal_out *out, const regal_report_view *view);
void regal_report_put_critical(regal_out *out, const regal_report_view *view);

void regal_report_put_integer(regal_out *out, int64_t number);
/* "name":number, with what stands before it. */
void regal_report_put_member(regal_out *out, const char *before, const char *name, int64_t number);

#ifdef __cplusplus
}
#endif
#endif

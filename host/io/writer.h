/* The seam between regal_graph_write_as and the formats out: one writer for each, listed in the
 * table of formats.c. It writes the whole of `path` (io/file.h, io/json_out.h), or fails with
 * nothing written. */
#ifndef REGAL_IO_WRITER_H
#define REGAL_IO_WRITER_H

#include <stdbool.h>
#include <stddef.h>

#include "regal/graph.h"
#include "regal/plan.h"
#include "regal/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct regal_written {
    const regal_graph *graph;
    const regal_plan *plan; /* checked to be of the graph's size, attached; NULL: the graph alone */
    const char *source;     /* the content of the graph's own file, where it is of this format; else
                               NULL */
    size_t source_size;
    const char *source_name; /* in messages */
    bool text;               /* the path's ending asks for the text form, where there are two */
    bool drop_unknown;
} regal_written;

typedef regal_status regal_writer(const regal_written *what, const char *path);

regal_writer regal_write_regal_graph; /* regal_graph_json_write.c */
regal_writer regal_write_cost_graph;  /* cost_graph_write.c */
regal_writer regal_write_graph_def;   /* graph_def_write.c */
regal_writer regal_write_onnx;        /* onnx_write.c */
/* Of a plan. */
regal_writer regal_write_plan_csv; /* plan_csv.c: a line for each op and transfer */
regal_writer
    regal_write_minimalloc;     /* minimalloc_csv.c: a file for each device, in the folder `path` */
regal_writer regal_write_dot;   /* plan_dot.c */
regal_writer regal_write_trace; /* trace.c */
regal_writer regal_write_html;  /* the report, without convergence and rivals */

#ifdef __cplusplus
}
#endif
#endif

/* Inside a regal_costs, and how its sources fill one. */
#ifndef REGAL_IO_COSTS_DATA_H
#define REGAL_IO_COSTS_DATA_H

#include "base/memory.h"
#include "io/json_out.h"
#include "regal/costs.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct regal_cost_line {
    const char *op;
    const char *class_name; /* NULL: every class that has no line of its own */
    int64_t ticks;
    int64_t line; /* of the file; 0: unknown */
} regal_cost_line;

struct regal_costs {
    const char *label; /* the file, in messages */
    regal_arena strings;
    regal_cost_line *lines; /* [count] */
    int64_t count, capacity;
    char *text;
};

/* A time that was measured. */
typedef struct regal_cost_sample {
    const char *name;
    int64_t ticks;
} regal_cost_sample;

/* Each fills an empty regal_costs, or fails with REGAL_INVALID_INPUT and the place. */
typedef regal_status regal_costs_source(regal_costs *costs, const char *data, size_t size);
regal_costs_source regal_costs_from_csv;          /* costs_csv.c */
regal_costs_source regal_costs_from_trace;        /* costs_trace.c */
regal_costs_source regal_costs_from_run_metadata; /* costs_run_metadata.c */

/* Strings are copied. */
regal_status regal_costs_add(regal_costs *costs, const char *op, const char *class_name,
                             int64_t ticks, int64_t line);
/* A line for each name, in the order of their first samples: the mean, halves up. */
regal_status regal_costs_add_means(regal_costs *costs, const regal_cost_sample *samples,
                                   int64_t count);
/* A line as CSV. */
void regal_cost_line_put(regal_out *out, const regal_cost_line *line);
/* A field as CSV (RFC 4180), in quotes where that is needed. */
void regal_csv_put(regal_out *out, const char *text);

#ifdef __cplusplus
}
#endif
#endif

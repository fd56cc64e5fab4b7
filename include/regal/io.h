#ifndef REGAL_IO_H
#define REGAL_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "regal/chromosome.h"
#include "regal/cluster.h"
#include "regal/graph.h"
#include "regal/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Files in. A path "-" is standard input. Whatever cannot be read or breaks a rule is
 * REGAL_INVALID_INPUT with the place: "FILE:LINE: ..." or "FILE: ops[3].cost: ...". Unknown keys
 * are left out with a warning. */

/* What placements stated in the file (GraphDef's `device`) mean. */
typedef enum regal_stated_devices {
    REGAL_DEVICES_ALLOWED, /* the op may run on the devices of that name only */
    REGAL_DEVICES_PLAN,    /* the op runs there, and an op without one on the first device */
    REGAL_DEVICES_IGNORED
} regal_stated_devices;

/* Times that were measured: costs.h. */
typedef struct regal_costs regal_costs;

/* How to read a graph. What is not zero is kept in the graph as options ("profile", "dim",
 * "assume-bytes", "stated-devices", "costs"), hence in plans, so that `check` reads it likewise. */
typedef struct regal_read_options {
    /* Device profiles for formats without costs: each becomes a device class of the graph. NULL or
     * empty: "h100". */
    const char *const *profiles;
    int64_t profile_count;
    /* Sizes of symbolic dimensions, "N=8". A name that the file lacks is REGAL_INVALID_ARGUMENT. */
    const char *const *dimensions;
    int64_t dimension_count;
    /* The size of tensors whose size the file does not tell, which else is an error that lists
     * them. */
    bool assume_bytes;
    int64_t assumed_bytes;
    regal_stated_devices stated_devices;
    const regal_cluster
        *cluster;             /* that stated devices are resolved against; NULL: kept as patterns */
    const regal_costs *costs; /* override those of the file or profile; NULL: none */
} regal_read_options;

/* A graph of any known format, recognized by content; validated. options may be NULL. */
regal_status regal_graph_read(const char *path, const regal_read_options *options,
                              regal_graph **graph);
/* The same from memory; `name` stands for the file in messages. */
regal_status regal_graph_parse(const char *data, size_t size, const char *name,
                               const regal_read_options *options, regal_graph **graph);
regal_status regal_cluster_read(const char *path, regal_cluster **cluster);
regal_status regal_cluster_parse_json(const char *data, size_t size, const char *name,
                                      regal_cluster **cluster);
regal_status regal_plan_read(const char *path, regal_plan **plan);
regal_status regal_plan_parse(const char *data, size_t size, const char *name, regal_plan **plan);
/* device_count of the chromosome is that of its affinity rows, or 0 for inherit keys. */
regal_status regal_chromosome_read(const char *path, regal_chromosome **chromosome);
regal_status regal_chromosome_parse(const char *data, size_t size, const char *name,
                                    regal_chromosome **chromosome);

/* Files out. A path "-" is standard output. A file appears whole or not at all: it is written
 * beside its place and renamed (devices and pipes are written directly). REGAL_OUTPUT_FAILED
 * otherwise. */
regal_status regal_graph_write(const regal_graph *graph, const char *path);
regal_status regal_cluster_write(const regal_cluster *cluster, const char *path);
/* The plan must be attached (regal_plan_attach). */
regal_status regal_plan_write(const regal_plan *plan, const char *path);
regal_status regal_chromosome_write(const regal_chromosome *chromosome, const char *path);
/* Chrome trace JSON (opens in Perfetto): a row for each device and each link in use, memory
 * counters, flows for transfers. One tick shows as one nanosecond. */
regal_status regal_trace_write(const regal_graph *graph, const regal_plan *plan, const char *path);
/* A graph, or a plan for it, in any format that this build writes. */
typedef struct regal_write_options {
    const char *format; /* regal_format_info.name; NULL: by the path's ending, else "regal-graph" */
    const regal_plan *plan; /* attached; goes into the file. NULL: the graph alone */
    /* The file that the graph was read from (NULL: none or unknown). Where it is of the same
     * format, what REGAL knows nothing of is kept as it is there. */
    const char *source;
    bool drop_unknown; /* leave out what cannot be kept, which else is an error that names it */
} regal_write_options;
/* A format that describes a plan, without one, is REGAL_INVALID_ARGUMENT; so is what the format has
 * no room for, with its place. */
regal_status regal_graph_write_as(const regal_graph *graph, const regal_write_options *options,
                                  const char *path);
/* Writes text so, for callers with a format of their own. */
regal_status regal_text_write(const char *path, const char *text, size_t size);

/* For a program that is about to end while other threads may be writing: removes what they have
 * written under other names so far. No file can be written afterwards: such calls do not return.
 * Not for signal handlers. */
void regal_unfinished_files_remove(void);

/* For a program that catches signals: reading from a pipe or a terminal ends with REGAL_INTERRUPTED
 * soon after stop() is true. Asked from any thread that reads; NULL: never. */
typedef bool regal_reading_stop(void);
void regal_reading_stop_when(regal_reading_stop *stop);

/* The formats of this build. Index from 0; false past the last. */
typedef struct regal_format_info {
    const char *name; /* "regal-graph", ... */
    const char *line; /* what it is, in a few words */
    int reads, writes;
    int of_plan;         /* what it describes is a plan: written with one only */
    const char *endings; /* of file names, ".pb .pbtxt"; "" where the name tells nothing */
    const char *reason;  /* why it is left out of this build; "" otherwise */
} regal_format_info;
int regal_format_describe(int64_t index, regal_format_info *info);

/* The known device profiles (DESIGN 6). Index from 0; false past the last. */
typedef struct regal_profile_info {
    const char *name;
    const char *line;
} regal_profile_info;
int regal_profile_describe(int64_t index, regal_profile_info *info);

#ifdef __cplusplus
}
#endif
#endif

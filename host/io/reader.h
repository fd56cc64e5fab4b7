/* The seam between regal_graph_read and the formats: one recognizer and one reader for each, listed
 * in the table of formats.c. The text of a file need not end with a NUL, nor be free of them.
 *
 * A reader turns the whole content (size > 0 bytes, as in the file: a byte order mark only is taken
 * off) into a validated graph, or fails with REGAL_INVALID_INPUT and the place, "NAME:LINE: ...",
 * where `name` stands for the file. options is never NULL. */
#ifndef REGAL_IO_READER_H
#define REGAL_IO_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "regal/graph.h"
#include "regal/io.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef bool regal_recognizer(const char *data, size_t size);
typedef regal_status regal_reader(const char *data, size_t size, const char *name,
                                  const regal_read_options *options, regal_graph **graph);

/* regal_graph_json.c */
regal_reader regal_read_regal_graph;
/* hlo_*.c */
regal_reader regal_read_hlo;
/* cost_graph_load.c: text and binary; loads the module when first needed; REGAL_UNAVAILABLE where
 * this build has none. */
regal_reader regal_read_cost_graph;

/* onnx_read.c: likewise. */
regal_reader regal_read_onnx;

/* graph_def_read.c: GraphDef, MetaGraphDef, SavedModel, text and binary; likewise. */
regal_reader regal_read_graph_def;

/* recognize.c: what the content looks like from its start, cheaply; the reader decides. The file's
 * name plays no part. A broken or truncated file of a format is still recognized as that format. */
regal_recognizer regal_is_json;       /* a JSON object */
regal_recognizer regal_is_hlo;        /* "HloModule ...", or computations alone */
regal_recognizer regal_is_cost_graph; /* "node {" with fields, or the binary form */
regal_recognizer regal_is_binary_cost_graph;
/* graph_def_recognize.c: GraphDef, MetaGraphDef or SavedModel, text ("node" with "op", "input" or
 * "attr", ...) or binary. */
regal_recognizer regal_is_graph_def;
regal_recognizer regal_is_binary_graph_def;

regal_recognizer regal_is_onnx; /* a binary ModelProto */

/* Past white space and comments: C, C++ and shell style. Returns an offset in 0..size. */
size_t regal_skip_blank(const char *data, size_t size, size_t offset);

#ifdef __cplusplus
}
#endif
#endif

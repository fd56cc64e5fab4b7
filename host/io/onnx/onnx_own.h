/* A graph of REGAL's as an ONNX model: what onnx_write.c writes and onnx_own.c reads back.
 *
 * A node of the domain "regal" is an op, an initializer is a parameter (without data), a value is a
 * tensor of its bytes. Inputs and outputs show the edges to other programs; what REGAL reads are
 * the attributes, so that nothing is lost. */
#ifndef REGAL_IO_ONNX_OWN_H
#define REGAL_IO_ONNX_OWN_H

/* Metadata of the model. */
#define ONNX_OWN_FORMAT "regal.format"  /* "1" */
#define ONNX_OWN_CLASS  "regal.class."  /* and its number: a device class */
#define ONNX_OWN_OPTION "regal.option." /* and its key */

/* Attributes of a node. */
#define ONNX_OWN_INDEX     "index" /* of the op */
#define ONNX_OWN_NAME      "name"  /* where it is empty */
#define ONNX_OWN_KIND      "kind"  /* where it is empty */
#define ONNX_OWN_COST      "cost"  /* by device class */
#define ONNX_OWN_WORKSPACE "workspace"
#define ONNX_OWN_FLOPS     "flops"
#define ONNX_OWN_GROUP     "group"
#define ONNX_OWN_ALLOWED   "allowed" /* "3": a device; ":pattern" */
/* One for each output. */
#define ONNX_OWN_TENSORS "tensors" /* its number */
#define ONNX_OWN_BYTES   "bytes"
#define ONNX_OWN_ALIASES "aliases" /* the tensor whose storage it shares, or -1 */
#define ONNX_OWN_KEPT    "kept"    /* 1: to the end */
#define ONNX_OWN_COUNTS  "consumer_counts"
/* Lists. */
#define ONNX_OWN_CONSUMERS  "consumers"  /* of each output in turn: ops */
#define ONNX_OWN_CONTROL    "control"    /* pairs: number of a control edge, op that waits */
#define ONNX_OWN_PARAMETERS "parameters" /* pairs: parameter, place in its list of ops */

#endif

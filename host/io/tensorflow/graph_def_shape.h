/* The shape, element type and, for small integer vectors, the content of a TensorFlow value, as far
 * as they are known. */
#ifndef REGAL_IO_GRAPH_DEF_SHAPE_H
#define REGAL_IO_GRAPH_DEF_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cost/cost_model.h"
#include "io/tensorflow/graph_def_module.h"

/* A shape of more dimensions is of unknown rank, a longer vector of unknown content. */
enum { GD_MAX_RANK = 8, GD_MAX_NUMBERS = 16 };

/* Numbers of TensorFlow's element types that rules name. */
enum {
    GD_TYPE_UNKNOWN = 0,
    GD_TYPE_FLOAT = 1,
    GD_TYPE_INT32 = 3,
    GD_TYPE_STRING = 7,
    GD_TYPE_INT64 = 9,
    GD_TYPE_BOOL = 10,
    GD_TYPE_RESOURCE = 20,
    GD_TYPE_VARIANT = 21,
    GD_TYPE_REF = 100 /* is added for references */
};

typedef struct gd_shape {
    int64_t type;              /* of TensorFlow, never a reference */
    int64_t rank;              /* -1: unknown */
    int64_t dims[GD_MAX_RANK]; /* -1: unknown */
    int64_t elements;          /* -1: unknown */
    int64_t number_count;      /* -1: the content is unknown */
    int64_t numbers[GD_MAX_NUMBERS];
    int64_t text_bytes; /* of the strings in it, beyond their headers */
    bool from_shape;    /* the content follows from shapes of tensors */
} gd_shape;

gd_shape gd_shape_unknown(int64_t type);
/* Dimensions that are negative are unknown. More than GD_MAX_RANK: only the elements are kept. */
gd_shape gd_shape_of(int64_t type, const int64_t *dims, int64_t rank);
gd_shape gd_shape_scalar(int64_t type);
gd_shape gd_shape_vector(int64_t type, int64_t length);
/* An integer vector (or with count 1 and scalar, a scalar) of known content. */
gd_shape gd_shape_numbers(int64_t type, const int64_t *numbers, int64_t count, bool scalar);
gd_shape gd_shape_read(const regal_graph_def_module *module, const void *shape, int64_t type);
/* Sets a dimension and what follows from it. */
void gd_shape_set(gd_shape *shape, int64_t k, int64_t size);
bool gd_shape_is_known(const gd_shape *shape);
/* What one of them leaves open the other one tells; where both tell, `first` does. */
gd_shape gd_shape_merge(const gd_shape *first, const gd_shape *second);
bool gd_shape_equal(const gd_shape *a, const gd_shape *b);

/* -1: unknown. A string counts 24 bytes, TensorFlow's header, and its text where that is known; a
 * handle of a resource or variant 8. */
int64_t gd_shape_bytes(const gd_shape *shape);
/* For the cost model: strings and handles are bytes. */
regal_type gd_shape_type(const gd_shape *shape);
/* "f32 [?, 3]"; NULL-terminated within size. */
void gd_shape_print(const gd_shape *shape, char *text, size_t size);

#endif

/* Builds one training or inference step of a network from its layers.
 *
 * A model calls layer functions (zoo_layers.h); each adds its forward op and, in training, notes
 * the ops that its backward pass will be made of. zoo_backward replays these notes from the last
 * layer to the first, adding up the gradients of what was used several times; zoo_finish adds one
 * update op per weight and hands the graph out.
 *
 * What the graph means (DESIGN 2): weights are parameters, used by the ops that read them and by
 * their update. An update changes its weight in place, so control edges make it wait for all who
 * still read the old one, and a weight's users form a colocation group (settings.colocate): the
 * weight has one home. Activations that the backward pass needs live until it has read them.
 *
 * Failures stick: after one, every function does nothing and returns ZOO_NONE; zoo_finish reports.
 */
#ifndef REGAL_GRAPH_ZOO_BUILDER_H
#define REGAL_GRAPH_ZOO_BUILDER_H

#include <stdbool.h>
#include <stdint.h>

#include "cost/cost_model.h"
#include "regal/graph.h"
#include "regal/io.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct zoo zoo;
typedef int64_t zoo_value;  /* a tensor */
typedef int64_t zoo_weight; /* the weights of one layer */
enum { ZOO_NONE = -1 };

typedef enum zoo_optimizer {
    ZOO_ADAM,    /* two moments */
    ZOO_MOMENTUM /* one */
} zoo_optimizer; /* both keep a f32 copy of weights in narrower types */

typedef struct zoo_settings {
    const char *graph_name;
    const regal_read_options *options; /* device profiles */
    regal_type type;                   /* of weights and activations */
    bool training;
    bool colocate;
    zoo_optimizer optimizer;
} zoo_settings;

typedef struct zoo_shape {
    int64_t size[4]; /* the first `rank` count */
    int rank;
} zoo_shape;

/* NULL: out of memory, or an unknown device profile (the error is set). */
zoo *zoo_create(const zoo_settings *settings);
/* Makes the graph (not validated) and frees the builder, which may be NULL. */
regal_status zoo_finish(zoo *z, regal_graph **graph);

/* Names of ops get the prefix "part" or "part<index>" and a dot; weights do too, but for the
 * microbatch's. Scopes nest; index ZOO_NONE: none. */
void zoo_enter(zoo *z, const char *part, int64_t index);
void zoo_leave(zoo *z);

/* One pass over the layers per microbatch: they then use the same weights in the same order. */
void zoo_begin_microbatch(zoo *z, int64_t index, int64_t count);

/* Weights of the layer `name`: made in the first microbatch, found again in the others. Buffers
 * (trained false) are f32 and get no gradient. */
zoo_weight zoo_weight_use(zoo *z, const char *name, int64_t elements, bool trained);

/* A weight's gradient holds so many elements, all that a step touches: rows of a table. */
void zoo_weight_touch(zoo *z, zoo_weight weight, int64_t elements);

zoo_shape zoo_shape_of(const zoo *z, zoo_value value);
/* The same bytes seen as another shape: no op. */
void zoo_reshape(zoo *z, zoo_value value, zoo_shape shape);
int64_t zoo_elements(zoo_shape shape);
regal_type zoo_type(const zoo *z);
int64_t zoo_bytes_of(const zoo *z, zoo_value value);
bool zoo_training(const zoo *z);

/* Both joined: text that lives as long as the builder. */
const char *zoo_text(zoo *z, const char *first, const char *second);

typedef struct zoo_op {
    const char *kind;
    regal_work work;
    const zoo_value *reads;
    int64_t read_count;
    zoo_weight weights[2]; /* ZOO_NONE: none */
} zoo_op;

/* An op that reads so many values and no weights. */
zoo_op zoo_op_make(const char *kind, regal_work work, const zoo_value *reads, int64_t read_count);

/* Adds an op; begins the layer that the notes after it belong to. */
int64_t zoo_add_op(zoo *z, const char *name, const zoo_op *op);
/* A tensor that the op makes: "<op><suffix>". */
zoo_value zoo_add_value(zoo *z, int64_t op, const char *suffix, zoo_shape shape, regal_type type);
/* The value has no gradient: data, statistics. */
void zoo_set_constant(zoo *z, zoo_value value);
bool zoo_is_constant(const zoo *z, zoo_value value);
/* The value is kept to the end. */
void zoo_set_output(zoo *z, zoo_value value);
/* The value overwrites another, which its op reads and nobody may read later. */
void zoo_set_alias(zoo *z, zoo_value value, zoo_value target);

/* One op of the backward pass of the layer whose forward op was added last. It is left out where
 * nobody needs what it makes. */
enum { ZOO_STEP_VALUES = 4 };
typedef struct zoo_step {
    const char *suffix; /* of its name, after the layer's; NULL: no op, the gradient is handed on */
    const char *kind;
    regal_work work;
    zoo_value gradient_of;   /* whose gradient it reads; ZOO_NONE: it starts from a loss */
    const zoo_value *others; /* [other_count] more such values; copied by zoo_note. Of them and of
                                gradient_of those count that have a gradient */
    int64_t other_count;
    zoo_value saved[ZOO_STEP_VALUES]; /* values that it reads, by ... */
    int saved_count;                  /* ... number */
    zoo_weight weight;                /* that it reads, or ZOO_NONE */
    zoo_value input[ZOO_STEP_VALUES]; /* values whose gradients it makes */
    int input_count;
    zoo_weight trained[2]; /* weights whose gradients it makes, or ZOO_NONE */
} zoo_step;
/* A step that makes the gradient of input and reads that of y and one saved value; ZOO_NONE for
 * each that there is not. */
zoo_step zoo_step_make(const char *suffix, const char *kind, regal_work work, zoo_value y,
                       zoo_value input, zoo_value saved);
void zoo_note(zoo *z, const zoo_step *step);

/* The backward pass of everything since the microbatch began. */
void zoo_backward(zoo *z);

/* What was built: multiply-adds of matrix products and convolutions in forward ops, and trained
 * weights. */
typedef struct zoo_totals {
    int64_t forward_multiply_adds, weights;
} zoo_totals;
zoo_totals zoo_total(const zoo *z);

/* Records a failure (see above). */
void zoo_fail(zoo *z, regal_status status);

#ifdef __cplusplus
}
#endif
#endif

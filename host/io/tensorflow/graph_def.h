/* Inside the reader of TensorFlow's GraphDef: a parsed file as scopes of nodes (the graph itself
 * and the bodies of its functions) with their values resolved, ordered, shaped and priced. */
#ifndef REGAL_IO_GRAPH_DEF_H
#define REGAL_IO_GRAPH_DEF_H

#include "base/memory.h"
#include "base/name_table.h"
#include "cost/cost_model.h"
#include "cost/device_profile.h"
#include "io/tensorflow/graph_def_shape.h"
#include "io/tensorflow/tensorflow_module.h"
#include "regal/io.h"

/* ---- kinds of nodes: graph_def_kinds.def */

typedef enum gd_role {
    GD_OP,
    GD_FREE,  /* an op that costs nothing: NoOp, Assert */
    GD_VIEW,  /* its first output is its first input */
    GD_VIEWS, /* each output is the input of its place: IdentityN */
    GD_CONST,
    GD_HELD,   /* variables, placeholders: the caller holds them */
    GD_RETURN, /* its input is an output of the graph */
    GD_SWITCH, /* its outputs are its first input, of which one lives */
    GD_MERGE,  /* its output is one of its inputs */
    GD_ENTER,  /* the way into a loop; a view */
    GD_EXIT,   /* the way out; a view */
    GD_NEXT,   /* to the next iteration; a view */
    GD_CALL,   /* of the functions of an attribute */
    GD_CHOICE, /* one of several functions: If, Case; input 0 chooses */
    GD_LOOP    /* While */
} gd_role;

/* What an op computes: how its load follows from its shapes. */
typedef enum gd_work {
    GD_MOVE, /* reads its inputs and writes its outputs, as do all; nothing else */
    GD_NONE,
    GD_ELEMENTWISE,    /* amount operations for each element of the output */
    GD_TRANSCENDENTAL, /* amount of them for each element of the greatest of inputs and outputs */
    GD_REDUCE,         /* amount operations for each element of the first input */
    GD_PRODUCT,        /* 2 operations for each element of the output and of what is summed over */
    GD_CONVOLUTION,    /* input, kernel, output */
    GD_CONVOLUTION_BACK, /* to the input or kernel */
    GD_POOL,             /* a window for each element of the smaller side */
    GD_GATHER,
    GD_SORT,
    GD_RANDOM,
    GD_UPDATE /* of a variable, in place: amount operations for each of its elements */
} gd_work;

struct gd_call;
typedef void gd_shape_rule(struct gd_call *call);

typedef struct gd_kind {
    const char *name;
    gd_role role;
    gd_work work;
    int64_t amount;
    gd_shape_rule *shape; /* NULL: unknown but for the attributes */
    int64_t outputs;      /* at least so many; -1: those that are used */
} gd_kind;

/* Any other kind reads its inputs and writes its outputs. */
const gd_kind *gd_kind_find(const char *name);
/* The number of an output by the name that function bodies use, or -1 where it is not known. */
int64_t gd_kind_port(const char *kind, const char *output);

/* ---- scopes */

typedef struct gd_value {
    int64_t node; /* -1: argument `port` of the function */
    int64_t port;
    gd_shape shape;
} gd_value;

typedef struct gd_cost {
    regal_load load;
    int64_t workspace;
} gd_cost;

typedef struct gd_node {
    const char *name, *op, *device;
    const gd_kind *kind;
    const void *handle;
    int64_t first_input, input_count;     /* in the scope's inputs: values */
    int64_t first_control, control_count; /* in the scope's controls: nodes */
    int64_t first_value, value_count;     /* its outputs that matter, by port */
    gd_cost cost;
} gd_node;

typedef struct gd_scope {
    int64_t function; /* or REGAL_TF_MAIN */
    bool made, active;
    int64_t count, value_count, argument_count, result_count;
    gd_node *nodes;
    gd_value *values; /* arguments first */
    int64_t *inputs, *controls;
    int64_t *results; /* values, or -1; of the main graph: what signatures name */
    int64_t *order;   /* of nodes: topological, but for NextIteration to Merge */
    regal_name_table names;
} gd_scope;

/* ---- a file */

typedef struct gd_file {
    const regal_graph_def_module *module;
    regal_tf_file *parsed;
    const char *name; /* for messages */
    const regal_read_options *options;
    const regal_device_profile **profiles;
    int64_t profile_count;
    int64_t batch; /* -1: not given */
    bool batch_used;
    regal_arena strings;
    regal_name_table functions;
    int64_t function_count;
    gd_scope main, *bodies; /* [function_count] */
    struct gd_memo *memos;  /* [function_count] */
    bool endless;           /* there are loops, whose trip counts are unknown */
    int64_t unknown;        /* sizes within functions and loops */
    int64_t *frame;         /* [main.count] outermost loop of a node, or -1; gd_frames_find */
    const char **frames;    /* [frame_count] names, which no node has */
    int64_t frame_count, frame_capacity;
    int64_t *frame_peak; /* [frame_count] bytes */
    bool *border;        /* [main.count] an Enter or Exit between an outermost loop and the rest */
} gd_file;

/* Parses; text and form by content. strict as for the module's parse. */
regal_status gd_file_open(gd_file *file, const char *data, size_t size, bool strict);
void gd_file_close(gd_file *file);
/* The text form, and not NONE where the content is recognized. graph_def_recognize.c */
regal_graph_def_form gd_recognize(const char *data, size_t size, bool *text);

/* Nodes, values, inputs and an order of the main graph or of a function (gd_file_body), once.
 * REGAL_INVALID_INPUT names what dangles, what has the same name, and the nodes of a cycle. */
regal_status gd_scope_make(gd_file *file, gd_scope *scope, int64_t function);
void gd_scope_free(gd_scope *scope);
/* "node 'x'" or "node 'x' of function 'f'", for messages; valid until the next call. */
const char *gd_place(const gd_file *file, const gd_scope *scope, int64_t node);
/* The arena's copy of a text; checked: UTF-8 without NUL. */
regal_status gd_copy_text(gd_file *file, regal_tf_text text, const char *what, const char **copy);
/* Kahn's order; REGAL_INVALID_INPUT with the nodes of a cycle. graph_def_order.c */
regal_status gd_scope_order(gd_file *file, gd_scope *scope);
/* The edge from NextIteration back to Merge, which no order heeds. */
static inline bool gd_is_back_edge(const gd_scope *scope, int64_t from, int64_t to) {
    return scope->nodes[from].kind->role == GD_NEXT && scope->nodes[to].kind->role == GD_MERGE;
}

/* ---- shapes and loads */

/* A node whose outputs are being shaped. */
typedef struct gd_call {
    gd_file *file;
    gd_scope *scope;
    gd_node *node;
    gd_shape *out; /* of the output in question */
    int64_t port;  /* its number */
} gd_call;

int64_t gd_input_count(const gd_call *call);
/* Never NULL. */
const gd_shape *gd_input(const gd_call *call, int64_t k);
/* Attributes: of lists entry k. */
bool gd_attribute_integer(const gd_call *call, const char *name, int64_t *number);
bool gd_attribute_flag(const gd_call *call, const char *name);
int64_t gd_attribute_type(const gd_call *call, const char *name, int64_t k);
/* "NHWC", ... or "". */
void gd_attribute_text(const gd_call *call, const char *name, char *text, size_t size);
/* Up to `room` integers of a list; the count, or -1 where there are none. */
int64_t gd_attribute_integers(const gd_call *call, const char *name, int64_t *numbers,
                              int64_t room);

/* Shapes of a node's outputs, of its inputs' and its attributes. graph_def_infer.c */
void gd_infer(gd_file *file, gd_scope *scope, int64_t node);
/* The load of an op that calls nothing. graph_def_work.c */
regal_load gd_work_load(gd_file *file, gd_scope *scope, int64_t node);
/* Shapes and costs of all nodes of the main graph, through all that they call.
 * graph_def_evaluate.c */
regal_status gd_evaluate(gd_file *file);
void gd_memos_free(gd_file *file);
/* The peak bytes of the values in each part of a scope (part[node], or -1; NULL: one part) while
 * its nodes run in order. Values that `outer` marks and arguments do not count. Counts in
 * file->unknown, and lists, what has no size. */
regal_status gd_peaks(gd_file *file, const gd_scope *scope, const int64_t *part, int64_t part_count,
                      const bool *outer, int64_t *peaks);

/* The outermost while loops of the main graph: file->frame, frames. graph_def_frames.c */
regal_status gd_frames_find(gd_file *file);
/* Colocation: group[node] is the first node of its group where that has several, else -1.
 * [main.count + frame_count]: loops stand behind the nodes. graph_def_groups.c */
regal_status gd_groups_find(gd_file *file, int64_t *group);

#endif

/* Layers that pick rows, and that join and cut. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "graph/zoo_layers.h"

static int64_t elements_of(const zoo *z, zoo_value value) {
    return zoo_elements(zoo_shape_of(z, value));
}

static zoo_value add_layer(zoo *z, const char *name, const zoo_op *op, zoo_shape shape) {
    return zoo_add_value(z, zoo_add_op(z, name, op), "", shape, zoo_type(z));
}

/* Work that gathers or scatters rows; a scatter first clears the whole. */
static regal_work row_work(const zoo *z, int64_t rows, int64_t width, int64_t cleared) {
    regal_work work = regal_work_gather(zoo_type(z), regal_count_multiply(rows, width),
                                        regal_type_bytes(REGAL_TYPE_S32, rows));
    work.bytes = regal_count_add(work.bytes, regal_type_bytes(zoo_type(z), cleared));
    return work;
}

/* Rows of a table of `size` elements: the gradient is one of `touched` elements of it. */
static zoo_value look_up(zoo *z, const char *name, zoo_value ids, int64_t rows, int64_t width,
                         zoo_weight table, int64_t touched) {
    const int64_t lookups = elements_of(z, ids);
    zoo_op op = zoo_op_make(lookups == rows ? "Embedding" : "EmbeddingBag",
                            row_work(z, lookups, width, 0), &ids, 1);
    op.weights[0] = table;
    const zoo_value y = add_layer(z, name, &op, zoo_shape2(rows, width));
    zoo_step step = zoo_step_make(".grad", "EmbeddingGrad", row_work(z, lookups, width, touched), y,
                                  ZOO_NONE, ids);
    step.trained[0] = table;
    zoo_note(z, &step);
    return y;
}

zoo_value zoo_embedding(zoo *z, const char *name, zoo_value ids, int64_t count, int64_t width,
                        zoo_weight *table) {
    const int64_t size = regal_count_multiply(count, width);
    const zoo_weight weight = zoo_weight_use(z, name, size, true);
    if (table != NULL)
        *table = weight;
    return look_up(z, name, ids, elements_of(z, ids), width, weight, size);
}

zoo_value zoo_embedding_bag(zoo *z, const char *name, zoo_value ids, int64_t count, int64_t width) {
    const zoo_weight table = zoo_weight_use(z, name, regal_count_multiply(count, width), true);
    const int64_t touched = regal_count_multiply(elements_of(z, ids), width);
    zoo_weight_touch(z, table, touched);
    return look_up(z, name, ids, zoo_shape_of(z, ids).size[0], width, table, touched);
}

zoo_value zoo_select(zoo *z, const char *name, zoo_value x, zoo_value index) {
    const int64_t rows = elements_of(z, index), width = zoo_shape_of(z, x).size[1];
    const zoo_value reads[] = {x, index};
    const zoo_op op = zoo_op_make("Gather", row_work(z, rows, width, 0), reads, 2);
    const zoo_value y = add_layer(z, name, &op, zoo_shape2(rows, width));
    const zoo_step step = zoo_step_make(".grad", "GatherGrad",
                                        row_work(z, rows, width, elements_of(z, x)), y, x, index);
    zoo_note(z, &step);
    return y;
}

zoo_value zoo_scatter(zoo *z, const char *name, zoo_value x, zoo_value index, int64_t rows) {
    const int64_t from = elements_of(z, index), width = zoo_shape_of(z, x).size[1];
    const zoo_value reads[] = {x, index};
    const zoo_op op = zoo_op_make(
        "ScatterSum", row_work(z, from, width, regal_count_multiply(rows, width)), reads, 2);
    const zoo_value y = add_layer(z, name, &op, zoo_shape2(rows, width));
    const zoo_step step =
        zoo_step_make(".grad", "Gather", row_work(z, from, width, 0), y, x, index);
    zoo_note(z, &step);
    return y;
}

static bool all_constant(const zoo *z, const zoo_value *values, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
        if (!zoo_is_constant(z, values[i]))
            return false;
    return true;
}

/* Each input's gradient is cut out of the whole's, where it needs one. */
static void note_slices(zoo *z, zoo_value y, const zoo_value *values, int64_t count) {
    for (int64_t i = 0; i < count && zoo_training(z); ++i) {
        char suffix[32];
        snprintf(suffix, sizeof suffix, ".grad%" PRId64, i);
        const int64_t bytes = zoo_bytes_of(z, values[i]);
        const zoo_step step =
            zoo_step_make(zoo_text(z, suffix, ""), "Slice", regal_work_movement(bytes, bytes), y,
                          values[i], ZOO_NONE);
        zoo_note(z, &step);
    }
}

zoo_value zoo_concat(zoo *z, const char *name, const zoo_value *values, int64_t count, int axis) {
    zoo_shape shape = zoo_shape_of(z, values[0]);
    for (int64_t i = 1; i < count; ++i)
        shape.size[axis] = regal_count_add(shape.size[axis], zoo_shape_of(z, values[i]).size[axis]);
    const int64_t bytes = regal_type_bytes(zoo_type(z), zoo_elements(shape));
    const zoo_op op = zoo_op_make("Concat", regal_work_movement(bytes, bytes), values, count);
    const zoo_value y = add_layer(z, name, &op, shape);
    if (all_constant(z, values, count))
        zoo_set_constant(z, y);
    note_slices(z, y, values, count);
    return y;
}

void zoo_split(zoo *z, const char *name, zoo_value x, int axis, const int64_t *sizes, int64_t count,
               zoo_value *parts) {
    const int64_t bytes = zoo_bytes_of(z, x);
    const zoo_op op = zoo_op_make("Split", regal_work_movement(bytes, bytes), &x, 1);
    const int64_t made = zoo_add_op(z, name, &op);
    for (int64_t i = 0; i < count; ++i) {
        zoo_shape shape = zoo_shape_of(z, x);
        shape.size[axis] = sizes != NULL ? sizes[i] : shape.size[axis] / count;
        char suffix[32];
        snprintf(suffix, sizeof suffix, ".%" PRId64, i);
        parts[i] = zoo_add_value(z, made, suffix, shape, zoo_type(z));
        if (zoo_is_constant(z, x))
            zoo_set_constant(z, parts[i]);
    }
    zoo_step step = zoo_step_make(".grad", "Concat", op.work, parts[0], x, ZOO_NONE);
    step.others = parts + 1;
    step.other_count = count - 1;
    zoo_note(z, &step);
}

zoo_value zoo_slice(zoo *z, const char *name, zoo_value x, int axis, int64_t size) {
    zoo_shape shape = zoo_shape_of(z, x);
    shape.size[axis] = size;
    const int64_t bytes = regal_type_bytes(zoo_type(z), zoo_elements(shape));
    const zoo_op op = zoo_op_make("Slice", regal_work_movement(bytes, bytes), &x, 1);
    const zoo_value y = add_layer(z, name, &op, shape);
    if (zoo_is_constant(z, x))
        zoo_set_constant(z, y);
    const zoo_step step = zoo_step_make(
        ".grad", "Pad", regal_work_movement(bytes, zoo_bytes_of(z, x)), y, x, ZOO_NONE);
    zoo_note(z, &step);
    return y;
}

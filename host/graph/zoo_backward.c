/* The backward pass of a zoo builder: notes taken by the layers, replayed in reverse. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "graph/zoo_data.h"

zoo_step zoo_step_make(const char *suffix, const char *kind, regal_work work, zoo_value y,
                       zoo_value input, zoo_value saved) {
    return (zoo_step){.suffix = suffix,
                      .kind = kind,
                      .work = work,
                      .gradient_of = y,
                      .saved = {saved},
                      .saved_count = saved != ZOO_NONE,
                      .weight = ZOO_NONE,
                      .input = {input},
                      .input_count = input != ZOO_NONE,
                      .trained = {ZOO_NONE, ZOO_NONE}};
}

void zoo_note(zoo *z, const zoo_step *step) {
    if (z->status != REGAL_OK || !z->settings.training)
        return;
    const int64_t others = z->other_count;
    if (!regal_array_reserve(&z->steps, &z->step_capacity, z->step_count + 1, sizeof *z->steps) ||
        !regal_array_reserve(&z->others, &z->other_capacity, others + step->other_count,
                             sizeof *z->others)) {
        zoo_fail(z, regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out"));
        return;
    }
    for (int64_t i = 0; i < step->other_count; ++i)
        z->others[z->other_count++] = step->others[i];
    z->steps[z->step_count++] = (zoo_step_record){*step, z->layer, z->ops[z->layer].name, others};
}

/* An op of element-wise sums: "<name>.<word><number>" reads both and makes their sum. */
static zoo_value add_sum(zoo *z, const char *kind, const char *name, const char *word,
                         int64_t number, zoo_value a, zoo_value b) {
    const zoo_shape shape = zoo_shape_of(z, b);
    const regal_type type = z->values[b].type;
    char suffix[48];
    snprintf(suffix, sizeof suffix, ".%s%" PRId64, word, number);
    const zoo_value reads[] = {a, b};
    const zoo_op op =
        zoo_op_make(kind, regal_work_elementwise(type, zoo_elements(shape), 2, 1), reads, 2);
    return zoo_add_value(z, zoo_add_named_op(z, zoo_text(z, name, suffix), &op), "", shape, type);
}

/* One more part of a value's gradient. */
static void add_gradient(zoo *z, zoo_value value, zoo_value part) {
    if (z->status != REGAL_OK || z->values[value].constant)
        return;
    const int64_t parts = ++z->values[value].gradient_parts;
    const zoo_value sum = parts == 1 ? part
                                     : add_sum(z, "Add", z->values[value].name, "grad_sum",
                                               parts - 1, z->values[value].gradient, part);
    z->values[value].gradient = sum;
}

/* One more part of a weight's gradient, added to the others in place. */
static void add_weight_gradient(zoo *z, zoo_weight weight, zoo_value part) {
    if (z->status != REGAL_OK)
        return;
    const zoo_value before = z->weights[weight].gradient;
    zoo_value sum = part;
    if (before != ZOO_NONE) {
        sum = add_sum(z, "Accumulate", z->weights[weight].name, "accumulate", z->op_count, before,
                      part);
        zoo_set_alias(z, sum, before);
    }
    z->weights[weight].gradient = sum;
}

static bool has_gradient(const zoo *z, zoo_value value) {
    return value != ZOO_NONE && z->values[value].gradient != ZOO_NONE;
}

static bool is_needed(const zoo *z, const zoo_step_record *record) {
    const zoo_step *step = &record->step;
    bool begun = step->gradient_of == ZOO_NONE || has_gradient(z, step->gradient_of);
    for (int64_t i = 0; i < step->other_count; ++i)
        begun = begun || has_gradient(z, z->others[record->others + i]);
    if (!begun)
        return false;
    for (int i = 0; i < step->input_count; ++i)
        if (!z->values[step->input[i]].constant)
            return true;
    return step->trained[0] != ZOO_NONE || step->trained[1] != ZOO_NONE;
}

static int64_t add_step_op(zoo *z, const zoo_step_record *record) {
    const zoo_step *step = &record->step;
    zoo_value *reads = regal_allocate(1 + step->other_count + step->saved_count, sizeof *reads);
    if (reads == NULL) {
        zoo_fail(z, regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out"));
        return ZOO_NONE;
    }
    int64_t count = 0;
    if (has_gradient(z, step->gradient_of))
        reads[count++] = z->values[step->gradient_of].gradient;
    for (int64_t i = 0; i < step->other_count; ++i)
        if (has_gradient(z, z->others[record->others + i]))
            reads[count++] = z->values[z->others[record->others + i]].gradient;
    for (int i = 0; i < step->saved_count; ++i)
        reads[count++] = step->saved[i];
    zoo_op op = zoo_op_make(step->kind, step->work, reads, count);
    op.weights[0] = step->weight;
    const int64_t made = zoo_add_named_op(z, zoo_text(z, record->name, step->suffix), &op);
    free(reads);
    return made;
}

static void replay(zoo *z, const zoo_step_record *record) {
    static const char *const output_names[ZOO_STEP_VALUES] = {"", ".other", ".third", ".fourth"};
    const zoo_step *step = &record->step;
    if (z->status != REGAL_OK || !is_needed(z, record))
        return;
    if (step->suffix == NULL) {
        for (int i = 0; i < step->input_count; ++i)
            add_gradient(z, step->input[i], z->values[step->gradient_of].gradient);
        return;
    }
    const int64_t op = add_step_op(z, record);
    for (int i = 0; i < step->input_count && z->status == REGAL_OK; ++i) {
        const zoo_value input = step->input[i];
        if (!z->values[input].constant)
            add_gradient(z, input,
                         zoo_add_value(z, op, output_names[i], z->values[input].shape,
                                       z->values[input].type));
    }
    for (int i = 0; i < 2 && z->status == REGAL_OK; ++i)
        if (step->trained[i] != ZOO_NONE) {
            const zoo_shape shape = {{z->weights[step->trained[i]].touched}, 1};
            add_weight_gradient(
                z, step->trained[i],
                zoo_add_value(z, op, i == 0 ? ".weight" : ".bias", shape, z->settings.type));
        }
}

void zoo_backward(zoo *z) {
    z->backward = true;
    for (int64_t end = z->step_count; end > 0;) {
        int64_t begin = end - 1; /* the steps of a layer keep their order */
        while (begin > 0 && z->steps[begin - 1].layer == z->steps[end - 1].layer)
            --begin;
        for (int64_t i = begin; i < end; ++i)
            replay(z, &z->steps[i]);
        end = begin;
    }
    z->step_count = 0;
    z->other_count = 0;
    z->backward = false;
}

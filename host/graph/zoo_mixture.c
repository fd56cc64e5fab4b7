/* "mixture-of-experts": a decoder in whose layers a router sends each token to a few of the
 * feed-forward experts, which run side by side, Mixtral 8x7B (Jiang et al. 2024) by default.
 * Experts have a fixed capacity, and every second or third layer may have them alone, as in GShard
 * (Lepikhin et al. 2020) and Switch (Fedus et al. 2021). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "graph/zoo_decoder.h"
#include "graph/zoo_models.h"

enum { EXPERTS = ZOO_DECODER_OWN, TOP, EVERY, CAPACITY };

static const regal_generator_parameter parameters[] = {
    ZOO_PARAMETERS_OF(1),
    {"layers", "decoder layers", 32, 0, 10000},
    {"hidden", "width of a token, a multiple of heads", 4096, 1, 1e6},
    {"heads", "attention heads, a multiple of key_heads", 32, 1, 1e4},
    {"key_heads", "heads of keys and values", 8, 1, 1e4},
    {"feed_forward", "width between the halves of an expert", 14336, 1, 1e7},
    {"vocabulary", "tokens there are", 32000, 1, 1e8},
    {"sequence", "tokens in a sample", 2048, 1, 1e7},
    {"experts", "of a layer", 8, 1, 1e4},
    {"top", "experts that a token is sent to", 2, 1, 1e4},
    {"every", "layers from one with experts to the next", 1, 1, 1e4},
    {"capacity", "room of an expert, in percent of its even share", 100, 1, 1e4}};

typedef struct routing {
    zoo_value weights, index; /* (rows, top) of the experts' outputs; which expert */
    int64_t rows, top, room;  /* room: rows of an expert */
} routing;

/* Rows that an op moves by index, and reads and writes. */
static regal_work move_rows(const zoo *z, int64_t rows, int64_t width) {
    return regal_work_gather(zoo_type(z), regal_count_multiply(rows, width),
                             regal_type_bytes(REGAL_TYPE_S32, rows));
}

static routing route(zoo *z, zoo_value x, const double *values) {
    const int64_t experts = (int64_t)values[EXPERTS], rows = zoo_shape_of(z, x).size[0];
    routing to = {.rows = rows, .top = (int64_t)values[TOP]};
    const int64_t even = regal_count_multiply(rows, to.top) / experts;
    to.room = regal_count_multiply(even, (int64_t)values[CAPACITY]) / 100;
    to.room = to.room < 1 ? 1 : to.room;
    const zoo_value logits = zoo_linear_plain(z, "router", x, experts);
    const regal_work work = regal_work_transcendental(zoo_type(z), rows * experts, 2);
    const zoo_op op = zoo_op_make("TopK", work, &logits, 1);
    const int64_t made = zoo_add_op(z, "top", &op);
    const zoo_shape shape = zoo_shape2(rows, to.top);
    to.weights = zoo_add_value(z, made, "", shape, zoo_type(z));
    to.index = zoo_add_value(z, made, ".index", shape, REGAL_TYPE_S32);
    zoo_set_constant(z, to.index);
    zoo_step step = zoo_step_make(".grad", "TopKGrad", work, to.weights, logits, to.weights);
    step.saved[step.saved_count++] = to.index;
    zoo_note(z, &step);
    return to;
}

/* The rows of x that are the expert's. */
static zoo_value dispatch(zoo *z, zoo_value x, const routing *to) {
    const int64_t width = zoo_shape_of(z, x).size[1];
    const zoo_value reads[] = {x, to->index};
    const zoo_op op = zoo_op_make("Dispatch", move_rows(z, to->room, width), reads, 2);
    const zoo_value y = zoo_add_value(z, zoo_add_op(z, "dispatch", &op), "",
                                      zoo_shape2(to->room, width), zoo_type(z));
    const zoo_step step =
        zoo_step_make(".grad", "DispatchGrad", move_rows(z, to->rows, width), y, x, to->index);
    zoo_note(z, &step);
    return y;
}

/* Each row's experts' outputs, weighted and added up. reads[experts]: their outputs, then the
 * routing's weights and index. */
static zoo_value combine(zoo *z, const zoo_value *reads, int64_t experts, const routing *to) {
    const int64_t width = zoo_shape_of(z, reads[0]).size[1];
    const zoo_op op =
        zoo_op_make("Combine", move_rows(z, to->rows * to->top, width), reads, experts + 2);
    const zoo_value y = zoo_add_value(z, zoo_add_op(z, "combine", &op), "",
                                      zoo_shape2(to->rows, width), zoo_type(z));
    for (int64_t i = 0; i < experts && zoo_training(z); ++i) {
        char suffix[32];
        snprintf(suffix, sizeof suffix, ".grad%" PRId64, i);
        zoo_step step = zoo_step_make(zoo_text(z, suffix, ""), "CombineGrad",
                                      move_rows(z, to->room, width), y, reads[i], reads[i]);
        step.saved[step.saved_count++] = to->weights;
        step.saved[step.saved_count++] = to->index;
        step.input[step.input_count++] = to->weights;
        zoo_note(z, &step);
    }
    return y;
}

static zoo_value experts(zoo *z, zoo_value x, const double *values, const zoo_decoder *decoder) {
    const int64_t count = (int64_t)values[EXPERTS];
    zoo_value *outputs = regal_allocate(count + 2, sizeof *outputs);
    if (outputs == NULL) {
        zoo_fail(z, regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out"));
        return ZOO_NONE;
    }
    const routing to = route(z, x, values);
    for (int64_t i = 0; i < count; ++i) {
        zoo_enter(z, "expert", i);
        outputs[i] = zoo_decoder_feed_forward(z, dispatch(z, x, &to), decoder);
        zoo_leave(z);
    }
    outputs[count] = to.weights;
    outputs[count + 1] = to.index;
    const zoo_value y = combine(z, outputs, count, &to);
    free(outputs);
    return y;
}

static zoo_value branch(zoo *z, int64_t layer, zoo_value norm, const double *values,
                        const zoo_decoder *decoder) {
    const bool mixed = (layer + 1) % (int64_t)values[EVERY] == 0;
    return mixed ? experts(z, norm, values, decoder) : zoo_decoder_feed_forward(z, norm, decoder);
}

static void model(zoo *z, const double *values, int64_t batch) {
    zoo_decoder_model(z, values, batch, branch);
}

static regal_status check(const double *values) {
    REGAL_FORWARD(zoo_decoder_check(values));
    ZOO_NEEDS(values[TOP] <= values[EXPERTS], "top (%.0f) is more than there are experts (%.0f)",
              values[TOP], values[EXPERTS]);
    return REGAL_OK;
}

ZOO_GENERATOR(mixture, "mixture-of-experts",
              "decoder with routed experts (Mixtral 8x7B by default)", ZOO_ADAM)

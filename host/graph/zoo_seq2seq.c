/* "seq2seq": a translator of LSTM layers unrolled in time, of the size of Sutskever et al. 2014 by
 * default: an encoder, and a decoder that starts from the encoder's last states; with the global
 * attention of Luong et al. 2015, and the encoder's first layer in both directions as in GNMT (Wu
 * et al. 2016), where asked for. The steps of a layer share its weights. */
#include <stdlib.h>

#include "base/memory.h"
#include "graph/zoo_layers.h"
#include "graph/zoo_models.h"

enum {
    LAYERS = ZOO_OWN,
    HIDDEN,
    SOURCE,
    TARGET,
    SOURCE_VOCABULARY,
    TARGET_VOCABULARY,
    ATTENTION,
    BOTH_WAYS,
    FUSED
};

static const regal_generator_parameter parameters[] = {
    ZOO_PARAMETERS_OF(128),
    {"layers", "LSTM layers of the encoder, and of the decoder", 4, 1, 1000},
    {"hidden", "width of a state and of a token", 1000, 1, 1e6},
    {"source", "tokens that the encoder reads", 20, 1, 1e4},
    {"target", "tokens that the decoder writes", 20, 1, 1e4},
    {"source_vocabulary", "tokens there are", 160000, 1, 1e8},
    {"target_vocabulary", "tokens there are", 80000, 1, 1e8},
    {"attention", "1: each step of the decoder attends to the encoder's", 1, 0, 1},
    {"both_ways", "1: the encoder's first layer runs in both directions", 0, 0, 1},
    {"fused", "1: a cell is one op after its product; 0: an op for each function", 1, 0, 1}};

enum { GATES = 4, CELL_FLOPS = 12, CELL_GRAD_FLOPS = 30 };

typedef struct lstm_state {
    zoo_value h, c;
} lstm_state;

static zoo_value *allocate(zoo *z, int64_t count) {
    zoo_value *values = regal_allocate(count, sizeof *values);
    if (values == NULL)
        zoo_fail(z, regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out"));
    return values;
}

static lstm_state fused_cell(zoo *z, zoo_value gates, zoo_value c) {
    const zoo_shape shape = zoo_shape_of(z, c);
    const int64_t elements = zoo_elements(shape);
    const zoo_value reads[] = {gates, c};
    const zoo_op op = zoo_op_make(
        "LstmCell", regal_work_elementwise(zoo_type(z), elements, GATES + 2, CELL_FLOPS), reads, 2);
    const int64_t made = zoo_add_op(z, "cell", &op);
    const lstm_state state = {zoo_add_value(z, made, "", shape, zoo_type(z)),
                              zoo_add_value(z, made, ".state", shape, zoo_type(z))};
    zoo_step step =
        zoo_step_make(".grad", "LstmCellGrad",
                      regal_work_elementwise(zoo_type(z), elements, 2 * GATES + 4, CELL_GRAD_FLOPS),
                      state.h, gates, gates);
    step.saved[step.saved_count++] = c;
    step.input[step.input_count++] = c;
    step.others = &state.c;
    step.other_count = 1;
    zoo_note(z, &step);
    return state;
}

static lstm_state plain_cell(zoo *z, zoo_value gates, zoo_value c) {
    zoo_value part[GATES]; /* input, forget, output, candidate */
    zoo_split(z, "split", gates, 1, NULL, GATES, part);
    const zoo_value in = zoo_activate(z, "input", part[0], ZOO_SIGMOID, false);
    const zoo_value forget = zoo_activate(z, "forget", part[1], ZOO_SIGMOID, false);
    const zoo_value out = zoo_activate(z, "output", part[2], ZOO_SIGMOID, false);
    const zoo_value candidate = zoo_activate(z, "candidate", part[3], ZOO_TANH, false);
    const zoo_value terms[] = {zoo_multiply(z, "kept", forget, c),
                               zoo_multiply(z, "new", in, candidate)};
    lstm_state state;
    state.c = zoo_add(z, "state", terms, 2, false);
    state.h = zoo_multiply(z, "cell", out, zoo_activate(z, "tanh", state.c, ZOO_TANH, false));
    return state;
}

/* One layer over all steps: x[0..steps) -> y[0..steps). Returns its last state. */
static lstm_state run_layer(zoo *z, const zoo_value *x, zoo_value *y, int64_t steps, bool reversed,
                            lstm_state state, const double *values) {
    const int64_t hidden = (int64_t)values[HIDDEN];
    const int64_t in = zoo_shape_of(z, x[0]).size[1];
    const int64_t elements = regal_count_multiply(regal_count_add(in, hidden + 1), GATES * hidden);
    const zoo_weight weight = zoo_weight_use(z, "lstm", elements, true);
    for (int64_t i = 0; i < steps; ++i) {
        const int64_t step = reversed ? steps - 1 - i : i;
        zoo_enter(z, "step", step);
        const zoo_value both[] = {x[step], state.h};
        const zoo_value gates = zoo_linear_shared(z, "gates", zoo_concat(z, "concat", both, 2, 1),
                                                  GATES * hidden, weight);
        state = values[FUSED] != 0 ? fused_cell(z, gates, state.c) : plain_cell(z, gates, state.c);
        y[step] = state.h;
        zoo_leave(z);
    }
    return state;
}

/* The tokens' vectors, step by step. */
static void embed(zoo *z, int64_t steps, int64_t vocabulary, int64_t hidden, int64_t batch,
                  zoo_value *x) {
    const zoo_value ids = zoo_input(z, "token_ids", zoo_shape1(steps * batch), REGAL_TYPE_S32);
    zoo_split(z, "steps", zoo_embedding(z, "tokens", ids, vocabulary, hidden, NULL), 0, NULL, steps,
              x);
}

static lstm_state start(zoo *z, const char *name, int64_t batch, int64_t hidden) {
    zoo_enter(z, name, ZOO_NONE);
    const zoo_shape shape = zoo_shape2(batch, hidden);
    const lstm_state state = {zoo_input(z, "h", shape, zoo_type(z)),
                              zoo_input(z, "c", shape, zoo_type(z))};
    zoo_leave(z);
    return state;
}

/* x[0..steps) becomes, for each step, what both directions made of it. */
static lstm_state run_both_ways(zoo *z, zoo_value *x, int64_t steps, lstm_state zero,
                                const double *values) {
    zoo_value *made = allocate(z, 2 * steps);
    if (made == NULL)
        return zero;
    zoo_enter(z, "backward", ZOO_NONE);
    run_layer(z, x, made + steps, steps, true, zero, values);
    zoo_leave(z);
    zoo_enter(z, "forward", ZOO_NONE);
    const lstm_state last = run_layer(z, x, made, steps, false, zero, values);
    zoo_leave(z);
    for (int64_t i = 0; i < steps; ++i) {
        const zoo_value both[] = {made[i], made[steps + i]};
        zoo_enter(z, "step", i);
        x[i] = zoo_concat(z, "both", both, 2, 1);
        zoo_leave(z);
    }
    free(made);
    return last;
}

/* x: the outputs of the last layer; last: each layer's last state. */
static void encode(zoo *z, const double *values, int64_t batch, zoo_value *x, lstm_state *last) {
    const int64_t hidden = (int64_t)values[HIDDEN], steps = (int64_t)values[SOURCE];
    zoo_enter(z, "encoder", ZOO_NONE);
    embed(z, steps, (int64_t)values[SOURCE_VOCABULARY], hidden, batch, x);
    const lstm_state zero = start(z, "zero", batch, hidden);
    for (int64_t layer = 0; layer < (int64_t)values[LAYERS]; ++layer) {
        zoo_enter(z, "layer", layer);
        last[layer] = layer == 0 && values[BOTH_WAYS] != 0
                          ? run_both_ways(z, x, steps, zero, values)
                          : run_layer(z, x, x, steps, false, zero, values);
        zoo_leave(z);
    }
    zoo_leave(z);
}

/* h[0..steps) becomes tanh(linear(context, h)). */
static void attend(zoo *z, const double *values, int64_t batch, const zoo_value *encoded,
                   zoo_value *h) {
    const int64_t hidden = (int64_t)values[HIDDEN], source = (int64_t)values[SOURCE];
    zoo_enter(z, "attention", ZOO_NONE);
    const zoo_value memory = zoo_concat(z, "memory", encoded, source, 0);
    const zoo_weight weight =
        zoo_weight_use(z, "join", regal_count_multiply(2 * hidden, hidden), true);
    for (int64_t i = 0; i < (int64_t)values[TARGET]; ++i) {
        zoo_enter(z, "step", i);
        const zoo_value both[] = {zoo_attend(z, h[i], memory, memory, batch, 1, source, hidden),
                                  h[i]};
        const zoo_value joined =
            zoo_linear_shared(z, "join", zoo_concat(z, "concat", both, 2, 1), hidden, weight);
        h[i] = zoo_activate(z, "tanh", joined, ZOO_TANH, false);
        zoo_leave(z);
    }
    zoo_leave(z);
}

static void decode(zoo *z, const double *values, int64_t batch, const zoo_value *encoded,
                   const lstm_state *last, zoo_value *x) {
    const int64_t steps = (int64_t)values[TARGET];
    zoo_enter(z, "decoder", ZOO_NONE);
    embed(z, steps, (int64_t)values[TARGET_VOCABULARY], (int64_t)values[HIDDEN], batch, x);
    for (int64_t layer = 0; layer < (int64_t)values[LAYERS]; ++layer) {
        zoo_enter(z, "layer", layer);
        run_layer(z, x, x, steps, false, last[layer], values);
        zoo_leave(z);
    }
    if (values[ATTENTION] != 0)
        attend(z, values, batch, encoded, x);
    zoo_leave(z);
}

static void model(zoo *z, const double *values, int64_t batch) {
    const int64_t source = (int64_t)values[SOURCE], target = (int64_t)values[TARGET];
    zoo_value *x = allocate(z, source + target);
    lstm_state *last = regal_allocate((int64_t)values[LAYERS], sizeof *last);
    if (last == NULL)
        zoo_fail(z, regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out"));
    if (x != NULL && last != NULL) {
        encode(z, values, batch, x, last);
        decode(z, values, batch, x, last, x + source);
        const zoo_value all = zoo_concat(z, "outputs", x + source, target, 0);
        zoo_classify(z, zoo_linear(z, "output", all, (int64_t)values[TARGET_VOCABULARY]));
    }
    free(x);
    free(last);
}

static regal_status check(const double *values) {
    (void)values;
    return REGAL_OK;
}

ZOO_GENERATOR(seq2seq, "seq2seq", "translator of unrolled LSTM layers, with attention", ZOO_ADAM)

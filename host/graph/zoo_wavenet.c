/* "wavenet": van den Oord et al. 2016: layers of causal convolutions over samples of sound, each
 * reaching twice as far back as the one before and gated; what all of them made, added up, predicts
 * the next sample. With a spectrogram that every layer sees where asked for (Tacotron 2, Shen et
 * al. 2017). */
#include <stdlib.h>

#include "base/memory.h"
#include "graph/zoo_layers.h"
#include "graph/zoo_models.h"

enum { BLOCKS = ZOO_OWN, LAYERS, RESIDUAL, SKIP, SAMPLES, LEVELS, BANDS };

static const regal_generator_parameter parameters[] = {
    ZOO_PARAMETERS_OF(1),
    {"blocks", "runs of layers, each beginning with the shortest reach", 3, 1, 1000},
    {"layers", "of a block", 10, 1, 30},
    {"residual", "channels that go from layer to layer", 64, 1, 1e5},
    {"skip", "channels that go from each layer to the end", 256, 1, 1e5},
    {"samples", "length of the sound", 16000, 1, 1e9},
    {"levels", "values of a sample", 256, 1, 1e6},
    {"bands", "of a spectrogram that every layer sees; 0: none", 0, 0, 1e5}};

typedef struct sound {
    zoo *z;
    const double *values;
    zoo_value spectrogram; /* or ZOO_NONE */
} sound;

static zoo_value mix(zoo *z, const char *name, zoo_value x, int64_t channels) {
    return zoo_convolve(z, name, x, &(zoo_window){.channels = channels, .bias = true});
}

/* tanh and sigmoid of a dilated convolution, multiplied. */
static zoo_value gate(const sound *s, zoo_value x, int64_t dilation) {
    const int64_t residual = (int64_t)s->values[RESIDUAL];
    zoo_value both = zoo_convolve(s->z, "conv", x,
                                  &(zoo_window){.channels = 2 * residual,
                                                .width = 2,
                                                .dilation = dilation,
                                                .bias = true,
                                                .same = true});
    if (s->spectrogram != ZOO_NONE) {
        const zoo_value parts[] = {both, mix(s->z, "condition", s->spectrogram, 2 * residual)};
        both = zoo_add(s->z, "add_condition", parts, 2, false);
    }
    zoo_value halves[2];
    zoo_split(s->z, "split", both, 1, NULL, 2, halves);
    return zoo_multiply(s->z, "gate", zoo_activate(s->z, "tanh", halves[0], ZOO_TANH, false),
                        zoo_activate(s->z, "sigmoid", halves[1], ZOO_SIGMOID, false));
}

/* The layers; skips[0..count) receives what each sends to the end. */
static void run_layers(const sound *s, zoo_value x, zoo_value *skips, int64_t count) {
    const int64_t layers = (int64_t)s->values[LAYERS];
    for (int64_t i = 0; i < count; ++i) {
        zoo_enter(s->z, "layer", i);
        const zoo_value made = gate(s, x, (int64_t)1 << (i % layers));
        skips[i] = mix(s->z, "skip", made, (int64_t)s->values[SKIP]);
        if (i + 1 < count) {
            const zoo_value both[] = {mix(s->z, "residual", made, (int64_t)s->values[RESIDUAL]), x};
            x = zoo_add(s->z, "add", both, 2, false);
        }
        zoo_leave(s->z);
    }
}

static zoo_value predict(const sound *s, zoo_value sum) {
    zoo *z = s->z;
    const zoo_value first = zoo_activate(z, "relu1", sum, ZOO_RELU, false);
    const zoo_value second =
        zoo_activate(z, "relu2", mix(z, "mix", first, (int64_t)s->values[SKIP]), ZOO_RELU, true);
    return mix(z, "output", second, (int64_t)s->values[LEVELS]);
}

static void model(zoo *z, const double *values, int64_t batch) {
    const int64_t samples = (int64_t)values[SAMPLES], residual = (int64_t)values[RESIDUAL];
    const int64_t count = (int64_t)values[BLOCKS] * (int64_t)values[LAYERS];
    zoo_value *skips = regal_allocate(count, sizeof *skips);
    if (skips == NULL) {
        zoo_fail(z, regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out"));
        return;
    }
    sound s = {z, values, ZOO_NONE};
    if (values[BANDS] > 0)
        s.spectrogram = zoo_input(
            z, "spectrogram", zoo_shape4(batch, (int64_t)values[BANDS], 1, samples), zoo_type(z));
    const zoo_value ids =
        zoo_input(z, "samples", zoo_shape1(regal_count_multiply(batch, samples)), REGAL_TYPE_S32);
    const zoo_value x = zoo_embedding(z, "levels", ids, (int64_t)values[LEVELS], residual, NULL);
    zoo_reshape(z, x, zoo_shape4(batch, residual, 1, samples));
    run_layers(&s, x, skips, count);
    const zoo_value y = predict(&s, zoo_add_all(z, "skips", skips, count));
    zoo_reshape(z, y, zoo_shape2(regal_count_multiply(batch, samples), (int64_t)values[LEVELS]));
    zoo_classify(z, y);
    free(skips);
}

static regal_status check(const double *values) {
    (void)values;
    return REGAL_OK;
}

ZOO_GENERATOR(wavenet, "wavenet", "sound of dilated gated convolutions (WaveNet)", ZOO_ADAM)

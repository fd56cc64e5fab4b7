/* "synthetic": the dataset of the paper made anew: graphs of its four families of random graphs, no
 * topology twice, with or without its filter. */
#include <stdio.h>

#include "base/error.h"
#include "dataset/synthetic.h"

#define CAP(family, standard)                                                              \
    {                                                                                      \
        "cap_" family, "with the filter: memory of a device, in max peaks of HEFT's plan", \
            standard, 0, 10                                                                \
    }

static const regal_generator_parameter parameters[] = {
    {"train", "graphs to train on", 10000, 0, 1e7},
    {"validation", "graphs to choose by", 1000, 0, 1e7},
    {"test", "graphs to judge by", 1000, 0, 1e7},
    {"filter", "1: only graphs with room for improvement on 2 devices", 0, 0, 1},
    {"low", "with the filter: evaluations that break the memory limits", 500, 1, 1e9},
    {"high", "with the filter: evaluations that keep them", 10000, 1, 1e9},
    {"faster", "or, where both keep them: percent by which more are faster", 20, 0, 100},
    CAP("erdos_renyi", 0.85),
    CAP("watts_strogatz", 0.65),
    CAP("barabasi_albert", 0.8),
    CAP("stochastic_block", 0.6),
    {"graphs", "1: write the graphs too, as CostGraphDef text", 1, 0, 1},
    {"threads", "0: one for each processor", 0, 0, 4096}};
#define WHOLE (~((((uint64_t)1 << (1 + VERDICT_FAMILIES)) - 1) << SYNTHETIC_FASTER))

synthetic_stream synthetic_stream_at(int index) {
    static const char *const generators[VERDICT_FAMILIES] = {"erdos-renyi", "watts-strogatz",
                                                             "barabasi-albert", "stochastic-block"};
    /* Small splits first, so that what they are does not depend on how large the training is. The
     * splits' seeds lie apart, and no set of the benchmark has such. */
    static const dataset_split order[DATASET_SPLITS] = {DATASET_TEST, DATASET_VALIDATION,
                                                        DATASET_TRAIN};
    static const uint64_t first_seeds[DATASET_SPLITS] = {[DATASET_TRAIN] = 100000001,
                                                         [DATASET_VALIDATION] = 1000000001,
                                                         [DATASET_TEST] = 2000000001};
    const dataset_split split = order[index / VERDICT_FAMILIES];
    const int family = index % VERDICT_FAMILIES;
    return (synthetic_stream){split, family, generators[family], first_seeds[split]};
}

int64_t synthetic_wanted(const dataset_run *run, const synthetic_stream *stream) {
    const int64_t count = (int64_t)run->values[SYNTHETIC_COUNT + stream->split];
    return count / VERDICT_FAMILIES + (stream->family < count % VERDICT_FAMILIES);
}

/* A tensor's bytes take as long to move as they take to compute. */
void synthetic_cluster(const dataset_run *run, int family, char cluster[SYNTHETIC_CLUSTER_SIZE]) {
    const int used =
        snprintf(cluster, SYNTHETIC_CLUSTER_SIZE,
                 "{\"devices\": 2, \"link\": {\"latency\": 0, \"bytes_per_1000_ticks\": 1}");
    const size_t left = SYNTHETIC_CLUSTER_SIZE - (size_t)used;
    if (run->values[SYNTHETIC_FILTER] != 0)
        snprintf(cluster + used, left, ", \"cap\": %.15g}", run->values[SYNTHETIC_CAPS + family]);
    else
        snprintf(cluster + used, left, "}");
}

static regal_status fill(dataset_run *run, verdicts *judged) {
    for (int which = 0; which < DATASET_SPLITS; ++which)
        run->made[which] = (int64_t)run->values[SYNTHETIC_COUNT + which];
    REGAL_FORWARD(dataset_refuse_empty(run));
    regal_status status = synthetic_choose(run, judged);
    if (status == REGAL_OK && !run->stopped && run->values[SYNTHETIC_GRAPHS] != 0)
        status = synthetic_write_graphs(run, judged);
    if (status == REGAL_OK && !run->stopped)
        status = synthetic_write_sets(run, judged);
    return status;
}

static regal_status make(dataset_run *run) {
    verdicts judged = {0};
    const regal_status status = fill(run, &judged);
    verdicts_free(&judged);
    return status;
}

const dataset_kind dataset_synthetic = {
    {{"synthetic", "the paper's random graphs, with or without its filter", parameters,
      sizeof parameters / sizeof *parameters},
     WHOLE,
     true,
     NULL},
    SYNTHETIC_THREADS,
    SYNTHETIC_GRAPHS,
    make};

/* The parts of the synthetic dataset: choosing graphs, and writing what was chosen. */
#ifndef REGAL_DATASET_SYNTHETIC_H
#define REGAL_DATASET_SYNTHETIC_H

#include "dataset/dataset.h"
#include "dataset/verdicts.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SYNTHETIC_COUNT, /* of each split, in their order */
    SYNTHETIC_FILTER = SYNTHETIC_COUNT + DATASET_SPLITS,
    SYNTHETIC_LOW,
    SYNTHETIC_HIGH,
    SYNTHETIC_FASTER,
    SYNTHETIC_CAPS, /* of each family */
    SYNTHETIC_GRAPHS = SYNTHETIC_CAPS + VERDICT_FAMILIES,
    SYNTHETIC_THREADS
};

/* A run of seeds: of one split and family, in the order of verdicts.stream. */
typedef struct synthetic_stream {
    dataset_split split;
    int family;
    const char *generator;
    uint64_t first_seed;
} synthetic_stream;

synthetic_stream synthetic_stream_at(int index);
int64_t synthetic_wanted(const dataset_run *run, const synthetic_stream *stream);

/* The cluster that the filter works on, as JSON of a regal-set. */
enum { SYNTHETIC_CLUSTER_SIZE = 200 };
void synthetic_cluster(const dataset_run *run, int family, char cluster[SYNTHETIC_CLUSTER_SIZE]);

/* Judges candidates until there are enough of each stream; stops early where run->stopped. */
regal_status synthetic_choose(dataset_run *run, verdicts *judged);

/* synthetic_files.c */
regal_status synthetic_write_graphs(dataset_run *run, const verdicts *judged);
regal_status synthetic_write_sets(const dataset_run *run, const verdicts *judged);

#ifdef __cplusplus
}
#endif
#endif

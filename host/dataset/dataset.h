/* What the datasets have in common. */
#ifndef REGAL_DATASET_DATASET_H
#define REGAL_DATASET_DATASET_H

#include "base/thread_pool.h"
#include "graph/generator.h"
#include "io/json_out.h"
#include "regal/dataset.h"

#ifdef __cplusplus
extern "C" {
#endif

/* X(name, word) */
#define DATASET_SPLIT_LIST(X)           \
    X(DATASET_TRAIN, "train")           \
    X(DATASET_VALIDATION, "validation") \
    X(DATASET_TEST, "test")

typedef enum dataset_split {
#define DATASET_SPLIT_ENUM(name, word) name,
    DATASET_SPLIT_LIST(DATASET_SPLIT_ENUM)
#undef DATASET_SPLIT_ENUM
        DATASET_SPLITS
} dataset_split;

const char *dataset_split_name(dataset_split split);

/* One call of regal_dataset_generate. */
typedef struct dataset_run {
    const regal_generator_info *info;
    const double *values;
    const char *folder;
    regal_dataset_callback *callback;
    void *context;
    regal_thread_pool *pool;
    bool stopped;
    int64_t made[DATASET_SPLITS]; /* graphs in the sets */
    bool is_new, folder_is_new;   /* made by this call: the claim on the folder, and the folder */
} dataset_run;

/* Tells the callback; true where the run is to stop. */
bool dataset_tell(dataset_run *run, const char *stage, int64_t done, int64_t count);

typedef struct dataset_kind {
    regal_generator table; /* name and parameters; make is NULL */
    int64_t threads;       /* the parameter that is their number */
    int64_t files;         /* the parameter that asks for the graphs themselves */
    regal_status (*make)(dataset_run *run);
} dataset_kind;

/* synthetic_dataset.c, zoo_dataset.c */
extern const dataset_kind dataset_synthetic, dataset_zoo;

/* What a body of the pool's loops met with: messages belong to threads, so they are carried over.
 */
typedef struct dataset_outcome {
    regal_status status;
    char message[256];
} dataset_outcome;
void dataset_outcome_keep(dataset_outcome *outcome, regal_status status);
/* Sets this thread's message anew. */
regal_status dataset_outcome_report(const dataset_outcome *outcome);

/* The parameter decides how the dataset is made, not what it is. */
bool dataset_is_machinery(const char *parameter);
/* {"dataset": ..., "values": {...}} without the machinery. */
void dataset_put_made(regal_out *out, const dataset_run *run);

/* A dataset without a graph: what was asked for is refused. */
regal_status dataset_refuse_empty(const dataset_run *run);

/* FOLDER/first/second (either may be NULL) as a new string, or NULL: out of memory. */
char *dataset_path(const dataset_run *run, const char *first, const char *second);
/* Makes FOLDER/first/second unless it is there. */
regal_status dataset_folder(const dataset_run *run, const char *first, const char *second);

#ifdef __cplusplus
}
#endif
#endif

/* regal-set files, out (policy/graph_set.h says what they hold). */
#ifndef REGAL_DATASET_SET_FILE_H
#define REGAL_DATASET_SET_FILE_H

#include "dataset/dataset.h"
#include "io/json_out.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct set_recipe {
    const char *generator;
    const regal_parameter_value *values; /* [value_count] */
    int64_t value_count;
    uint64_t seed;
    int64_t count;
    double weight;
    bool unseen;
    const char *cluster; /* its own, as JSON, or NULL */
} set_recipe;

typedef struct set_file {
    const char *objective; /* "time" or "memory" */
    dataset_split split;
    const char *clusters;      /* JSON, without brackets */
    const set_recipe *recipes; /* [recipe_count] */
    int64_t recipe_count;
    const char *about; /* how it was made, in words */
} set_file;

/* Writes FOLDER/objective/split.json. */
regal_status set_file_write(const dataset_run *run, const set_file *file);

#ifdef __cplusplus
}
#endif
#endif

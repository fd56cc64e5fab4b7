/* The table of datasets, and what is the same for all of them. */
#include "dataset/dataset.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/nearest_word.h"
#include "io/file.h"

static const dataset_kind *const kinds[] = {&dataset_synthetic, &dataset_zoo};
enum { KIND_COUNT = sizeof kinds / sizeof *kinds, VALUES_MAX = 64 };

int regal_dataset_describe(int64_t index, regal_generator_info *info) {
    if (index < 0 || index >= KIND_COUNT)
        return 0;
    *info = kinds[index]->table.info;
    return 1;
}

static const char *kind_word(size_t index, void *context) {
    (void)context;
    return index < KIND_COUNT ? kinds[index]->table.info.name : NULL;
}

static regal_status find_kind(const char *name, const dataset_kind **kind) {
    char known[256] = "";
    for (int i = 0; i < KIND_COUNT; ++i) {
        *kind = kinds[i];
        if (strcmp(name, kinds[i]->table.info.name) == 0)
            return REGAL_OK;
        const size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", i > 0 ? ", " : "",
                 kinds[i]->table.info.name);
    }
    char near[REGAL_DID_YOU_MEAN_SIZE];
    REGAL_FAIL(REGAL_INVALID_ARGUMENT, "there is no dataset '%s'; there are: %s%s", name, known,
               regal_did_you_mean(name, kind_word, NULL, near));
}

const char *dataset_split_name(dataset_split split) {
    static const char *const names[DATASET_SPLITS] = {
#define DATASET_SPLIT_NAME(name, word) [name] = word,
        DATASET_SPLIT_LIST(DATASET_SPLIT_NAME)
#undef DATASET_SPLIT_NAME
    };
    return names[split];
}

bool dataset_tell(dataset_run *run, const char *stage, int64_t done, int64_t count) {
    const regal_dataset_progress progress = {stage, done, count};
    if (run->callback != NULL && !run->stopped)
        run->stopped = run->callback(&progress, run->context);
    return run->stopped;
}

void dataset_outcome_keep(dataset_outcome *outcome, regal_status status) {
    outcome->status = status;
    if (status != REGAL_OK)
        snprintf(outcome->message, sizeof outcome->message, "%s", regal_error_message());
}

regal_status dataset_outcome_report(const dataset_outcome *outcome) {
    REGAL_FAIL_IF(outcome->status != REGAL_OK, outcome->status, "%s", outcome->message);
    return REGAL_OK;
}

bool dataset_is_machinery(const char *parameter) {
    return strcmp(parameter, "threads") == 0 || strcmp(parameter, "graphs") == 0;
}

void dataset_put_made(regal_out *out, const dataset_run *run) {
    regal_out_text(out, "{\"dataset\": ");
    regal_out_string(out, run->info->name);
    regal_out_text(out, ", \"values\": {");
    for (int64_t i = 0, put = 0; i < run->info->parameter_count; ++i)
        if (!dataset_is_machinery(run->info->parameters[i].name))
            regal_out_format(out, "%s\"%s\": %.15g", put++ > 0 ? ", " : "",
                             run->info->parameters[i].name, run->values[i]);
    regal_out_text(out, "}}");
}

char *dataset_path(const dataset_run *run, const char *first, const char *second) {
    char *path = NULL;
    const int made = asprintf(&path, "%s%s%s%s%s", run->folder, first != NULL ? "/" : "",
                              first != NULL ? first : "", second != NULL ? "/" : "",
                              second != NULL ? second : "");
    return made < 0 ? NULL : path;
}

regal_status dataset_refuse_empty(const dataset_run *run) {
    for (int i = 0; i < DATASET_SPLITS; ++i)
        if (run->made[i] > 0)
            return REGAL_OK;
    REGAL_FAIL(REGAL_INVALID_ARGUMENT, "dataset '%s' would be of no graphs with these values",
               run->info->name);
}

/* *is_new (or NULL): it was not there. */
static regal_status make_folder(const char *path, bool *is_new) {
    struct stat about;
    const bool made = mkdir(path, 0777) == 0;
    if (is_new != NULL)
        *is_new = made;
    if (made || (errno == EEXIST && stat(path, &about) == 0 && S_ISDIR(about.st_mode)))
        return REGAL_OK;
    REGAL_FAIL(REGAL_OUTPUT_FAILED, "%s: cannot make this folder: %s", path, strerror(errno));
}

regal_status dataset_folder(const dataset_run *run, const char *first, const char *second) {
    char *path = dataset_path(run, first, second);
    REGAL_FAIL_IF_NULL(path);
    const regal_status status = make_folder(path, NULL);
    free(path);
    return status;
}

/* dataset.json says which dataset the folder holds. */
static regal_status claim(dataset_run *run, const char *path, regal_out *made) {
    char *there = NULL;
    size_t size = 0;
    run->is_new = access(path, F_OK) != 0;
    if (run->is_new)
        return regal_out_save(made, path);
    regal_status status = regal_file_read(path, &there, &size);
    if (status == REGAL_OK && made->failed)
        status = regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out");
    else if (status == REGAL_OK && (size != made->size || memcmp(there, made->data, size) != 0))
        status = regal_error_set(REGAL_INVALID_ARGUMENT, __FILE__, __LINE__,
                                 "%s holds a dataset made with other values (%s); choose another "
                                 "folder, or remove it",
                                 run->folder, path);
    free(there);
    free(made->data);
    return status;
}

static regal_status claim_folder(dataset_run *run) {
    REGAL_FORWARD(make_folder(run->folder, &run->folder_is_new));
    char *path = dataset_path(run, "dataset.json", NULL);
    REGAL_FAIL_IF_NULL(path);
    regal_out made = {0};
    dataset_put_made(&made, run);
    regal_out_text(&made, "\n");
    const regal_status status = claim(run, path, &made);
    free(path);
    return status;
}

/* Values that give no dataset leave nothing behind, lest the folder refuses others. */
static void withdraw_claim(const dataset_run *run) {
    static const char *const names[] = {"verdicts.txt", "dataset.json"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        char *path = dataset_path(run, names[i], NULL);
        if (path != NULL)
            unlink(path);
        free(path);
    }
    if (run->folder_is_new)
        rmdir(run->folder);
}

static regal_status make_kind(const dataset_kind *kind, dataset_run *run) {
    REGAL_FORWARD(claim_folder(run));
    REGAL_FORWARD(regal_thread_pool_create((int64_t)run->values[kind->threads], &run->pool));
    const regal_status status = kind->make(run);
    regal_thread_pool_destroy(run->pool);
    if (status == REGAL_INFEASIBLE || (status == REGAL_INVALID_ARGUMENT && run->is_new))
        withdraw_claim(run);
    return status;
}

regal_status regal_dataset_generate(const char *dataset, const regal_parameter_value *values,
                                    int64_t value_count, const char *folder,
                                    regal_dataset_callback *callback, void *context,
                                    regal_dataset_made *made) {
    const dataset_kind *kind;
    double settings[VALUES_MAX];
    REGAL_FORWARD(find_kind(dataset, &kind));
    REGAL_FORWARD(regal_generator_values(&kind->table, values, value_count, settings));
    dataset_run run = {.info = &kind->table.info,
                       .values = settings,
                       .folder = folder,
                       .callback = callback,
                       .context = context};
    const regal_status status = make_kind(kind, &run);
    if (made != NULL)
        *made = (regal_dataset_made){.complete = status == REGAL_OK && !run.stopped,
                                     .train = run.made[DATASET_TRAIN],
                                     .validation = run.made[DATASET_VALIDATION],
                                     .test = run.made[DATASET_TEST],
                                     .files = settings[kind->files] != 0};
    return status;
}

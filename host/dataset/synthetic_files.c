/* The files of the synthetic dataset. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "dataset/set_file.h"
#include "dataset/synthetic.h"
#include "io/tensorflow/cost_graph_write.h"

enum { BATCH_SHARE = 16 };

/* ---- graphs */

typedef struct taken_graph {
    int stream;
    int64_t number;
} taken_graph;

typedef struct writing {
    const dataset_run *run;
    taken_graph *graphs; /* [count] */
    int64_t count, first;
    dataset_outcome *outcomes; /* [batch_size] */
} writing;

static regal_status write_new_graph(const synthetic_stream *stream, uint64_t seed,
                                    const char *path) {
    regal_graph *graph = NULL;
    REGAL_FORWARD(regal_graph_generate(stream->generator, NULL, 0, seed, NULL, &graph));
    const regal_status status = regal_cost_graph_write(graph, path);
    regal_graph_destroy(graph);
    return status;
}

/* Files appear whole: one that is there is done. */
static regal_status write_graph(const writing *w, const taken_graph *taken) {
    const synthetic_stream stream = synthetic_stream_at(taken->stream);
    const uint64_t seed = stream.first_seed + (uint64_t)taken->number;
    char folder[64], name[100];
    snprintf(folder, sizeof folder, "graphs/%s", dataset_split_name(stream.split));
    snprintf(name, sizeof name, "%s-%" PRIu64 ".pbtxt", stream.generator, seed);
    char *path = dataset_path(w->run, folder, name);
    REGAL_FAIL_IF_NULL(path);
    const regal_status status =
        access(path, F_OK) == 0 ? REGAL_OK : write_new_graph(&stream, seed, path);
    free(path);
    return status;
}

static void write_one(void *context, int64_t index, int64_t worker) {
    writing *w = context;
    (void)worker;
    dataset_outcome_keep(&w->outcomes[index], write_graph(w, &w->graphs[w->first + index]));
}

static regal_status write_all(dataset_run *run, writing *w, int64_t batch) {
    for (w->first = 0; w->first < w->count; w->first += batch) {
        if (dataset_tell(run, "graphs", w->first, w->count))
            return REGAL_OK;
        const int64_t left = w->count - w->first, size = left < batch ? left : batch;
        regal_thread_pool_run(run->pool, size, write_one, w);
        for (int64_t i = 0; i < size; ++i)
            REGAL_FORWARD(dataset_outcome_report(&w->outcomes[i]));
    }
    return REGAL_OK;
}

static void list_taken(writing *w, const verdicts *judged) {
    for (int i = 0; i < VERDICT_STREAMS; ++i)
        for (int64_t k = 0; k < judged->stream[i].count; ++k)
            if (judged->stream[i].letters[k] == VERDICT_TAKEN)
                w->graphs[w->count++] = (taken_graph){i, k};
}

static regal_status make_folders(const dataset_run *run) {
    REGAL_FORWARD(dataset_folder(run, "graphs", NULL));
    for (int which = 0; which < DATASET_SPLITS; ++which)
        REGAL_FORWARD(dataset_folder(run, "graphs", dataset_split_name((dataset_split)which)));
    return REGAL_OK;
}

regal_status synthetic_write_graphs(dataset_run *run, const verdicts *judged) {
    const int64_t batch = BATCH_SHARE * regal_thread_pool_size(run->pool);
    int64_t count = 0;
    for (int i = 0; i < VERDICT_STREAMS; ++i)
        count += judged->stream[i].taken;
    REGAL_FORWARD(make_folders(run));
    writing w = {.run = run};
    w.graphs = regal_allocate(count, sizeof *w.graphs);
    w.outcomes = regal_allocate(batch, sizeof *w.outcomes);
    regal_status status = REGAL_OK;
    if (w.graphs == NULL || w.outcomes == NULL) {
        status = regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out");
    } else {
        list_taken(&w, judged);
        status = write_all(run, &w, batch);
    }
    free(w.graphs);
    free(w.outcomes);
    return status;
}

/* ---- sets */

typedef struct recipe_list {
    set_recipe *items;
    int64_t count, capacity;
} recipe_list;

/* Neighbouring seeds make one recipe. */
static regal_status add_stream(recipe_list *list, const synthetic_stream *stream,
                               const verdict_stream *known, const char *cluster) {
    for (int64_t k = 0; k < known->count;) {
        int64_t end = k;
        while (end < known->count && known->letters[end] == VERDICT_TAKEN)
            ++end;
        if (end == k) {
            ++k;
            continue;
        }
        REGAL_FAIL_IF(!regal_array_reserve(&list->items, &list->capacity, list->count + 1,
                                           sizeof *list->items),
                      REGAL_OUT_OF_MEMORY, "memory ran out");
        list->items[list->count++] =
            (set_recipe){.generator = stream->generator,
                         .seed = stream->first_seed + (uint64_t)k,
                         .count = end - k,
                         .weight = (double)(end - k) / (double)known->taken,
                         .cluster = cluster};
        k = end;
    }
    return REGAL_OK;
}

static void describe(const dataset_run *run, const verdicts *judged, dataset_split split,
                     char *about, size_t size) {
    size_t used = (size_t)snprintf(about, size, "no topology twice");
    if (run->values[SYNTHETIC_FILTER] == 0)
        return;
    used += (size_t)snprintf(
        about + used, size - used,
        "; with room for improvement on 2 devices whose memory is cap_<family> of the max peak of "
        "HEFT's plan: uniform BRKGA (affinity keys, no start individuals, seed 1) for time breaks "
        "the limits with `low` evaluations and keeps them with `high`, or is `faster` percent "
        "faster; taken of judged:");
    for (int i = 0; i < VERDICT_STREAMS && used < size; ++i) {
        const synthetic_stream stream = synthetic_stream_at(i);
        if (stream.split == split)
            used += (size_t)snprintf(about + used, size - used, "%s %s %" PRId64 " of %" PRId64,
                                     stream.family > 0 ? "," : "", stream.generator,
                                     judged->stream[i].taken, judged->stream[i].count);
    }
}

static regal_status write_set(const dataset_run *run, const verdicts *judged, dataset_split split,
                              bool time, recipe_list *list) {
    char about[1000], clusters[VERDICT_FAMILIES][SYNTHETIC_CLUSTER_SIZE];
    list->count = 0;
    for (int i = 0; i < VERDICT_STREAMS; ++i) {
        const synthetic_stream stream = synthetic_stream_at(i);
        synthetic_cluster(run, stream.family, clusters[stream.family]);
        if (stream.split == split)
            REGAL_FORWARD(add_stream(list, &stream, &judged->stream[i],
                                     time ? clusters[stream.family] : NULL));
    }
    if (list->count == 0)
        return REGAL_OK;
    describe(run, judged, split, about, sizeof about);
    const set_file file = {.objective = time ? "time" : "memory",
                           .split = split,
                           .clusters = time ? clusters[0] : "{\"devices\": 2, \"link\": \"free\"}",
                           .recipes = list->items,
                           .recipe_count = list->count,
                           .about = about};
    return set_file_write(run, &file);
}

regal_status synthetic_write_sets(const dataset_run *run, const verdicts *judged) {
    recipe_list list = {0};
    regal_status status = REGAL_OK;
    for (int which = 0; which < DATASET_SPLITS && status == REGAL_OK; ++which) {
        status = write_set(run, judged, (dataset_split)which, true, &list);
        if (status == REGAL_OK)
            status = write_set(run, judged, (dataset_split)which, false, &list);
    }
    free(list.items);
    return status;
}

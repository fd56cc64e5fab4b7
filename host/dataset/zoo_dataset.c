/* "zoo": every architecture in many sizes, as recipes. Split by family and topology: some families
 * are in the validation or the test alone, the topologies of the others are shared out, and none is
 * in two splits. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "dataset/dataset.h"
#include "dataset/set_file.h"
#include "dataset/topology.h"
#include "dataset/zoo_recipes.h"
#include "regal/io.h"

enum { LEAST_OPS, GREATEST_OPS, GRAPHS, THREADS };

static const regal_generator_parameter parameters[] = {
    {"least_ops", "graphs of fewer ops are left out", 50, 1, 1e8},
    {"greatest_ops", "graphs of more ops are left out", 10000, 1, 1e8},
    {"graphs", "1: write the graphs too, as regal-graph JSON", 0, 0, 1},
    {"threads", "0: one for each processor", 0, 0, 4096}};

enum { VALIDATION_PERCENT = 20, TEST_PERCENT = 20, VALUES_MOST = ZOO_AXES + ZOO_SIZES };

/* Where the graphs run; those of validation and test on one each, in turn. */
static const char *const clusters[] = {
    "{\"devices\": 2, \"link\": \"25GB/s,5us\"}",  "{\"devices\": 4, \"link\": \"25GB/s,5us\"}",
    "{\"devices\": 8, \"link\": \"25GB/s,5us\"}",  "{\"devices\": 2, \"link\": \"300GB/s,2us\"}",
    "{\"devices\": 4, \"link\": \"300GB/s,2us\"}", "{\"devices\": 8, \"link\": \"300GB/s,2us\"}"};
enum { CLUSTERS = sizeof clusters / sizeof *clusters };

typedef struct candidate {
    int64_t family; /* of zoo_recipe_table */
    regal_parameter_value values[VALUES_MOST];
    int64_t value_count;
    int64_t ops;
    uint64_t topology;
    dataset_outcome outcome;
    bool kept;
    dataset_split split;
    int64_t number; /* among the kept ones of its family */
} candidate;

typedef struct zoo_set {
    dataset_run *run;
    candidate *candidates; /* [count] */
    int64_t count, first;  /* first: of the batch that the pool works on */
    int64_t kept[ZOO_RECIPE_FAMILIES], trained[ZOO_RECIPE_FAMILIES]; /* [family] */
} zoo_set;

/* The combination of the axes, the last axis fastest, and the sizes whose turn it is. */
static void fill_values(candidate *made, const zoo_recipes *recipes, int64_t combination) {
    int64_t rest = combination, turn = 0;
    made->value_count = 0;
    for (int i = ZOO_AXES - 1; i >= 0; --i)
        if (recipes->axes[i].count > 0) {
            const zoo_axis *axis = &recipes->axes[i];
            const int64_t place = rest % axis->count;
            made->values[made->value_count++] =
                (regal_parameter_value){axis->name, axis->values[place]};
            rest /= axis->count;
            turn += place;
        }
    for (int i = 0; i < ZOO_SIZES; ++i)
        if (recipes->sizes[i].count > 0)
            made->values[made->value_count++] = (regal_parameter_value){
                recipes->sizes[i].name, recipes->sizes[i].values[turn % recipes->sizes[i].count]};
}

static regal_status list_candidates(zoo_set *set) {
    for (int64_t f = 0; f < ZOO_RECIPE_FAMILIES; ++f)
        set->count += zoo_recipes_count(&zoo_recipe_table[f]);
    set->candidates = regal_allocate_zeroed(set->count, sizeof *set->candidates);
    REGAL_FAIL_IF_NULL(set->candidates);
    candidate *next = set->candidates;
    for (int64_t f = 0; f < ZOO_RECIPE_FAMILIES; ++f)
        for (int64_t i = 0; i < zoo_recipes_count(&zoo_recipe_table[f]); ++i, ++next) {
            next->family = f;
            fill_values(next, &zoo_recipe_table[f], i);
        }
    return REGAL_OK;
}

static regal_status generate(const candidate *made, regal_graph **graph) {
    return regal_graph_generate(zoo_recipe_table[made->family].generator, made->values,
                                made->value_count, 0, NULL, graph);
}

static void examine(void *context, int64_t index, int64_t worker) {
    zoo_set *set = context;
    candidate *made = &set->candidates[set->first + index];
    regal_graph *graph = NULL;
    (void)worker;
    regal_status status = generate(made, &graph);
    if (status == REGAL_OK) {
        made->ops = regal_graph_op_count(graph);
        status = regal_topology_digest(graph, &made->topology);
    }
    dataset_outcome_keep(&made->outcome, status);
    regal_graph_destroy(graph);
}

/* Runs the body over all candidates, in batches between which the caller is told. */
static regal_status for_all(zoo_set *set, const char *stage, regal_loop_body *body) {
    const int64_t batch = 4 * regal_thread_pool_size(set->run->pool);
    for (set->first = 0; set->first < set->count; set->first += batch) {
        if (dataset_tell(set->run, stage, set->first, set->count))
            return REGAL_OK;
        const int64_t left = set->count - set->first, size = left < batch ? left : batch;
        regal_thread_pool_run(set->run->pool, size, body, set);
        for (int64_t i = set->first; i < set->first + size; ++i)
            REGAL_FORWARD(dataset_outcome_report(&set->candidates[i].outcome));
    }
    dataset_tell(set->run, stage, set->count, set->count);
    return REGAL_OK;
}

/* Those of the right size, one for each topology. */
static regal_status keep_candidates(zoo_set *set) {
    const double *values = set->run->values;
    topology_set seen = {0};
    regal_status status = REGAL_OK;
    for (int64_t i = 0; i < set->count && status == REGAL_OK; ++i) {
        candidate *made = &set->candidates[i];
        if ((double)made->ops < values[LEAST_OPS] || (double)made->ops > values[GREATEST_OPS])
            continue;
        status = topology_set_add(&seen, made->topology, &made->kept);
        if (status == REGAL_OK && made->kept)
            made->number = set->kept[made->family]++;
    }
    topology_set_free(&seen);
    return status;
}

/* ---- the split */

static int64_t kept_of(const zoo_set *set, zoo_part part) {
    int64_t count = 0;
    for (int64_t f = 0; f < ZOO_RECIPE_FAMILIES; ++f)
        if (zoo_recipe_table[f].part == part)
            count += set->kept[f];
    return count;
}

/* How many topologies of seen families a split takes beside its own families. */
static int64_t borrowed(const zoo_set *set, zoo_part own, int64_t percent, int64_t all) {
    const int64_t wanted = (all * percent + 50) / 100, there = kept_of(set, own);
    return wanted > there ? wanted - there : 0;
}

static int compare_topologies(const void *left, const void *right) {
    const candidate *a = *(candidate *const *)left, *b = *(candidate *const *)right;
    return a->topology < b->topology ? -1 : a->topology > b->topology;
}

/* Every k-th of seen, so that each family gives its share: of the topologies in the order of family
 * and digest, which is as good as drawn. */
static void share_out(candidate **seen, int64_t count, int64_t validation, int64_t test) {
    int64_t validated = 0, tested = 0;
    for (int64_t i = 0; i < count; ++i) {
        seen[i]->split = DATASET_TRAIN;
        if ((i + 1) * test / count > tested) {
            seen[i]->split = DATASET_TEST;
            tested++;
        } else if ((i + 1) * validation / count > validated) {
            seen[i]->split = DATASET_VALIDATION;
            validated++;
        }
    }
}

static regal_status split(zoo_set *set) {
    const int64_t all =
        kept_of(set, ZOO_SEEN) + kept_of(set, ZOO_VALIDATION_ONLY) + kept_of(set, ZOO_TEST_ONLY);
    candidate **seen = regal_allocate(all + 1, sizeof *seen);
    REGAL_FAIL_IF_NULL(seen);
    int64_t count = 0;
    for (int64_t f = 0; f < ZOO_RECIPE_FAMILIES; ++f) {
        const int64_t begin = count;
        for (int64_t i = 0; i < set->count; ++i)
            if (set->candidates[i].kept && set->candidates[i].family == f) {
                const zoo_part part = zoo_recipe_table[f].part;
                set->candidates[i].split =
                    part == ZOO_TEST_ONLY ? DATASET_TEST : DATASET_VALIDATION;
                if (part == ZOO_SEEN)
                    seen[count++] = &set->candidates[i];
            }
        qsort(seen + begin, (size_t)(count - begin), sizeof *seen, compare_topologies);
    }
    share_out(seen, count, borrowed(set, ZOO_VALIDATION_ONLY, VALIDATION_PERCENT, all),
              borrowed(set, ZOO_TEST_ONLY, TEST_PERCENT, all));
    for (int64_t i = 0; i < count; ++i)
        set->trained[seen[i]->family] += seen[i]->split == DATASET_TRAIN;
    free(seen);
    return REGAL_OK;
}

/* ---- files */

/* Families are drawn alike in training. */
static set_recipe recipe_of(const zoo_set *set, const candidate *made, int64_t number) {
    const zoo_recipes *recipes = &zoo_recipe_table[made->family];
    const bool train = made->split == DATASET_TRAIN;
    return (set_recipe){.generator = recipes->generator,
                        .values = made->values,
                        .value_count = made->value_count,
                        .count = 1,
                        .weight = train ? 1.0 / (double)set->trained[made->family] : 1,
                        .unseen = recipes->part != ZOO_SEEN,
                        .cluster = train ? NULL : clusters[number % CLUSTERS]};
}

static regal_status write_split(const zoo_set *set, dataset_split which, const char *objective,
                                set_recipe *recipes) {
    char all[CLUSTERS * 64] = "", about[400];
    int used = 0;
    for (int i = 0; i < CLUSTERS; ++i)
        used +=
            snprintf(all + used, sizeof all - (size_t)used, "%s%s", i > 0 ? ", " : "", clusters[i]);
    int64_t count = 0, unseen = 0;
    for (int64_t i = 0; i < set->count; ++i)
        if (set->candidates[i].kept && set->candidates[i].split == which) {
            recipes[count] = recipe_of(set, &set->candidates[i], count);
            unseen += recipes[count++].unseen;
        }
    if (count == 0)
        return REGAL_OK;
    snprintf(about, sizeof about,
             "%" PRId64 " topologies, %" PRId64 " of families that are not in the training; "
             "no topology is in two splits",
             count, unseen);
    const set_file file = {objective, which, all, recipes, count, about};
    return set_file_write(set->run, &file);
}

static regal_status write_sets(const zoo_set *set) {
    set_recipe *recipes = regal_allocate(set->count, sizeof *recipes);
    REGAL_FAIL_IF_NULL(recipes);
    regal_status status = REGAL_OK;
    for (int which = 0; which < DATASET_SPLITS && status == REGAL_OK; ++which) {
        status = write_split(set, (dataset_split)which, "time", recipes);
        if (status == REGAL_OK)
            status = write_split(set, (dataset_split)which, "memory", recipes);
    }
    free(recipes);
    return status;
}

static regal_status write_graph(const zoo_set *set, const candidate *made) {
    char name[100], folder[64];
    snprintf(folder, sizeof folder, "graphs/%s", dataset_split_name(made->split));
    snprintf(name, sizeof name, "%s-%" PRId64 ".json", zoo_recipe_table[made->family].generator,
             made->number + 1);
    regal_graph *graph = NULL;
    char *path = dataset_path(set->run, folder, name);
    REGAL_FAIL_IF_NULL(path);
    regal_status status = generate(made, &graph);
    if (status == REGAL_OK)
        status = regal_graph_write(graph, path);
    regal_graph_destroy(graph);
    free(path);
    return status;
}

static void write_kept(void *context, int64_t index, int64_t worker) {
    zoo_set *set = context;
    candidate *made = &set->candidates[set->first + index];
    (void)worker;
    if (made->kept)
        dataset_outcome_keep(&made->outcome, write_graph(set, made));
}

static regal_status write_graphs(zoo_set *set) {
    REGAL_FORWARD(dataset_folder(set->run, "graphs", NULL));
    for (int which = 0; which < DATASET_SPLITS; ++which)
        REGAL_FORWARD(dataset_folder(set->run, "graphs", dataset_split_name((dataset_split)which)));
    return for_all(set, "graphs", write_kept);
}

static regal_status fill(zoo_set *set) {
    REGAL_FORWARD(list_candidates(set));
    REGAL_FORWARD(for_all(set, "recipes", examine));
    if (set->run->stopped)
        return REGAL_OK;
    REGAL_FORWARD(keep_candidates(set));
    REGAL_FORWARD(split(set));
    for (int64_t i = 0; i < set->count; ++i)
        set->run->made[set->candidates[i].split] += set->candidates[i].kept;
    REGAL_FORWARD(dataset_refuse_empty(set->run));
    if (set->run->values[GRAPHS] != 0)
        REGAL_FORWARD(write_graphs(set));
    return set->run->stopped ? REGAL_OK : write_sets(set);
}

static regal_status make(dataset_run *run) {
    zoo_set set = {.run = run};
    const regal_status status = fill(&set);
    free(set.candidates);
    return status;
}

const dataset_kind dataset_zoo = {
    {{"zoo", "architectures in many sizes, some families in the validation or the test alone",
      parameters, sizeof parameters / sizeof *parameters},
     ~(uint64_t)0,
     false,
     NULL},
    THREADS,
    GRAPHS,
    make};

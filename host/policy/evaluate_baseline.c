/* Searches of the reference that an earlier evaluation has done: regal-evaluation 1, in. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/name_table.h"
#include "io/json_fields.h"
#include "policy/evaluate_data.h"

typedef struct known_budget {
    int64_t budget;
    regal_evaluated_run *runs; /* [count], by repeat */
    int64_t count;
} known_budget;

typedef struct known_problem {
    char *key;
    known_budget *budgets;
    int64_t budget_count;
} known_problem;

struct regal_baseline_runs {
    const regal_evaluation *evaluation; /* while it is read */
    known_problem *problems;
    int64_t problem_count;
    regal_name_table table; /* of keys */
};

static char *key_of(const char *name, const char *digest) {
    char *key = NULL;
    return asprintf(&key, "%s (%s)", name, digest) < 0 ? NULL : key;
}

/* ---- what must agree */

enum {
    FORMAT,
    VERSION,
    MAKER,
    SET,
    OBJECTIVE,
    POLICY_NAME,
    REFERENCE_NAME,
    SEARCH,
    REFERENCE_SEARCH,
    REPEATS,
    STOPPED,
    TIME,
    SUMMARY,
    PROBLEMS,
    KEYS
};
static const regal_json_key KEY[KEYS] = {
    [FORMAT] = {"format", true},
    [VERSION] = {"version", true},
    [MAKER] = {"regal", false},
    [SET] = {"set", true},
    [OBJECTIVE] = {"objective", true},
    [POLICY_NAME] = {"policy", false},
    [REFERENCE_NAME] = {"reference", false},
    [SEARCH] = {"search", false},
    [REFERENCE_SEARCH] = {"reference_search", true},
    [REPEATS] = {"repeats", false},
    [STOPPED] = {"stopped", false},
    [TIME] = {"seconds", false},
    [SUMMARY] = {"summary", false},
    [PROBLEMS] = {"problems", true},
};

/* Without a policy it does not matter what its proposals are for. */
static bool matters(const char *option, const json_t *options) {
    const char *policy = json_string_value(json_object_get(options, "policy"));
    return strcmp(option, "policy-use") != 0 || policy == NULL || strcmp(policy, "none") != 0;
}

/* Of options that differ the first one is named. */
static regal_status check_options(const regal_json *value, const char *words) {
    json_t *own = json_loads(words, 0, NULL), *member;
    REGAL_FAIL_IF_NULL(own);
    const char *key, *different = NULL;
    if (json_is_object(value->json))
        json_object_foreach(own, key,
                            member) if (different == NULL && matters(key, own) &&
                                        !json_equal(member, json_object_get(value->json, key)))
            different = key;
    char option[64];
    snprintf(option, sizeof option, "%s", different != NULL ? different : "");
    json_decref(own);
    REGAL_JSON_FAIL_IF(!json_is_object(value->json), value, "expected an object, found %s",
                       regal_json_kind(value->json));
    REGAL_JSON_FAIL_IF(different != NULL, value,
                       "the reference there was run with another --%s than this one", option);
    return REGAL_OK;
}

static regal_status check_word(const regal_json *value, const char *expected, const char *what) {
    const char *word;
    REGAL_FORWARD(regal_json_string(value, &word));
    REGAL_JSON_FAIL_IF(strcmp(word, expected) != 0, value,
                       "the %s is '%.100s' there, but '%.100s' here", what, word, expected);
    return REGAL_OK;
}

/* ---- searches */

static regal_status read_runs(const regal_json *value, known_budget *known) {
    enum { VALUES, EXCESS, SECONDS, RUN_KEYS };
    static const regal_json_key RUN_KEY[RUN_KEYS] = {
        [VALUES] = {"values", true}, [EXCESS] = {"excess", true}, [SECONDS] = {"seconds", true}};
    regal_json field[RUN_KEYS];
    REGAL_FORWARD(regal_json_fields(value, RUN_KEY, RUN_KEYS, field));
    REGAL_FORWARD(regal_json_array(&field[VALUES], &known->count));
    known->runs = regal_allocate_zeroed(known->count, sizeof *known->runs);
    REGAL_FAIL_IF_NULL(known->runs);
    int64_t excesses, seconds;
    REGAL_FORWARD(regal_json_array(&field[EXCESS], &excesses));
    REGAL_FORWARD(regal_json_array(&field[SECONDS], &seconds));
    REGAL_JSON_FAIL_IF(excesses != known->count || seconds != known->count, value,
                       "values, excess and seconds are not of one length");
    for (int64_t i = 0; i < known->count; ++i) {
        const regal_json number = regal_json_item(&field[VALUES], i);
        const regal_json excess = regal_json_item(&field[EXCESS], i);
        const regal_json time = regal_json_item(&field[SECONDS], i);
        REGAL_FORWARD(regal_json_integer(&number, 0, INT64_MAX, &known->runs[i].value));
        REGAL_FORWARD(regal_json_integer(&excess, 0, INT64_MAX, &known->runs[i].excess));
        REGAL_JSON_FAIL_IF(!json_is_number(time.json), &time, "expected a number, found %s",
                           regal_json_kind(time.json));
        known->runs[i].seconds = json_number_value(time.json);
    }
    return REGAL_OK;
}

static regal_status read_budget(const regal_json *value, known_budget *known) {
    enum { BUDGET, POLICY, REFERENCE, BUDGET_KEYS };
    static const regal_json_key BUDGET_KEY[BUDGET_KEYS] = {[BUDGET] = {"budget", true},
                                                           [POLICY] = {"policy", true},
                                                           [REFERENCE] = {"reference", true}};
    regal_json field[BUDGET_KEYS];
    REGAL_FORWARD(regal_json_fields(value, BUDGET_KEY, BUDGET_KEYS, field));
    REGAL_FORWARD(regal_json_integer(&field[BUDGET], 0, INT64_MAX, &known->budget));
    return read_runs(&field[REFERENCE], known);
}

static regal_status read_problem(const regal_json *value, known_problem *known) {
    enum { NAME, DIGEST, FAMILY, UNSEEN, OPS, BOUND, BEST, RUNS, PROBLEM_KEYS };
    static const regal_json_key PROBLEM_KEY[PROBLEM_KEYS] = {
        [NAME] = {"name", true},      [DIGEST] = {"digest", true}, [FAMILY] = {"family", false},
        [UNSEEN] = {"unseen", false}, [OPS] = {"ops", false},      [BOUND] = {"bound", false},
        [BEST] = {"best", false},     [RUNS] = {"runs", true}};
    regal_json field[PROBLEM_KEYS];
    const char *name, *digest;
    int64_t count;
    REGAL_FORWARD(regal_json_fields(value, PROBLEM_KEY, PROBLEM_KEYS, field));
    REGAL_FORWARD(regal_json_string(&field[NAME], &name));
    REGAL_FORWARD(regal_json_string(&field[DIGEST], &digest));
    REGAL_FORWARD(regal_json_array(&field[RUNS], &count));
    known->key = key_of(name, digest);
    known->budgets = regal_allocate_zeroed(count, sizeof *known->budgets);
    REGAL_FAIL_IF(known->key == NULL || known->budgets == NULL, REGAL_OUT_OF_MEMORY,
                  "memory ran out");
    for (int64_t i = 0; i < count; ++i) {
        const regal_json item = regal_json_item(&field[RUNS], i);
        REGAL_FORWARD(read_budget(&item, &known->budgets[known->budget_count++]));
    }
    return REGAL_OK;
}

static regal_status read_problems(const regal_json *list, regal_baseline_runs *runs) {
    int64_t count;
    REGAL_FORWARD(regal_json_array(list, &count));
    runs->problems = regal_allocate_zeroed(count, sizeof *runs->problems);
    REGAL_FAIL_IF(runs->problems == NULL || !regal_name_table_create(&runs->table, count),
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    for (int64_t i = 0; i < count; ++i) {
        const regal_json item = regal_json_item(list, i);
        known_problem *known = &runs->problems[runs->problem_count++];
        REGAL_FORWARD(read_problem(&item, known));
        regal_name_table_add(&runs->table, known->key, i);
    }
    return REGAL_OK;
}

static regal_status read_root(const regal_json *root, void *result) {
    regal_json field[KEYS];
    regal_baseline_runs *runs = result;
    const regal_evaluation *evaluation = runs->evaluation;
    REGAL_FORWARD(regal_json_check_format(root, "regal-evaluation", true));
    REGAL_FORWARD(regal_json_fields(root, KEY, KEYS, field));
    REGAL_FORWARD(check_word(&field[SET], regal_graph_set_name(evaluation->set), "set"));
    REGAL_FORWARD(
        check_word(&field[OBJECTIVE], regal_objective_name(evaluation->objective), "objective"));
    REGAL_FORWARD(check_options(&field[REFERENCE_SEARCH], evaluation->side[REGAL_REFERENCE].words));
    return read_problems(&field[PROBLEMS], runs);
}

void regal_baseline_runs_destroy(regal_baseline_runs *runs) {
    if (runs == NULL)
        return;
    for (int64_t p = 0; p < runs->problem_count; ++p) {
        for (int64_t b = 0; b < runs->problems[p].budget_count; ++b)
            free(runs->problems[p].budgets[b].runs);
        free(runs->problems[p].budgets);
        free(runs->problems[p].key);
    }
    free(runs->problems);
    regal_name_table_destroy(&runs->table);
    free(runs);
}

static regal_status create(const regal_evaluation *evaluation, regal_baseline_runs **runs) {
    *runs = regal_allocate_zeroed(1, sizeof **runs);
    REGAL_FAIL_IF_NULL(*runs);
    (*runs)->evaluation = evaluation;
    return REGAL_OK;
}

/* Nothing is left of what could not be read. */
static regal_status settle(regal_status status, regal_baseline_runs **runs) {
    if (status != REGAL_OK) {
        regal_baseline_runs_destroy(*runs);
        *runs = NULL;
    }
    return status;
}

regal_status regal_baseline_runs_read(const char *path, const regal_evaluation *evaluation,
                                      regal_baseline_runs **runs) {
    REGAL_FORWARD(create(evaluation, runs));
    return settle(regal_json_read(path, read_root, *runs), runs);
}

regal_status regal_baseline_runs_parse(const char *data, size_t size, const char *name,
                                       const regal_evaluation *evaluation,
                                       regal_baseline_runs **runs) {
    REGAL_FORWARD(create(evaluation, runs));
    return settle(regal_json_parse(data, size, name, read_root, *runs), runs);
}

bool regal_baseline_runs_find(const regal_baseline_runs *runs,
                              const regal_evaluated_problem *problem, int64_t budget,
                              int64_t repeat, regal_evaluated_run *run) {
    char *key = runs != NULL ? key_of(problem->name, problem->digest) : NULL;
    const int64_t index = key != NULL ? regal_name_table_find(&runs->table, key) : -1;
    free(key);
    if (index < 0)
        return false;
    const known_problem *known = &runs->problems[index];
    for (int64_t b = 0; b < known->budget_count; ++b)
        if (known->budgets[b].budget == budget && known->budgets[b].count > repeat) {
            *run = known->budgets[b].runs[repeat];
            return true;
        }
    return false;
}

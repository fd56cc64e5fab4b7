/* regal-best-known 1: {"format": "regal-best-known", "version": 1,
 *                      "time": {"NAME (DIGEST)": value, ...}, "memory": {...}} */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/json_fields.h"
#include "policy/evaluate_data.h"
#include "regal/io.h"

struct regal_best_known {
    json_t *values[2]; /* by objective: objects of integers */
};

/* ---- in */

static regal_status read_values(const regal_json *value, json_t **values) {
    if (value->json == NULL)
        return REGAL_OK;
    REGAL_JSON_FAIL_IF(!json_is_object(value->json), value, "expected an object, found %s",
                       regal_json_kind(value->json));
    const char *key;
    json_t *member;
    json_object_foreach(value->json, key, member) {
        const regal_json item = {.file = value->file, .json = member, .up = value, .key = key};
        int64_t number;
        REGAL_FORWARD(regal_json_integer(&item, 0, INT64_MAX, &number));
    }
    json_decref(*values);
    *values = json_incref(value->json);
    return REGAL_OK;
}

static regal_status read_root(const regal_json *root, void *result) {
    enum { FORMAT, VERSION, TIME, MEMORY, KEYS };
    static const regal_json_key KEY[KEYS] = {[FORMAT] = {"format", true},
                                             [VERSION] = {"version", true},
                                             [TIME] = {"time", false},
                                             [MEMORY] = {"memory", false}};
    regal_json field[KEYS];
    regal_best_known *best = result;
    REGAL_FORWARD(regal_json_check_format(root, "regal-best-known", true));
    REGAL_FORWARD(regal_json_fields(root, KEY, KEYS, field));
    REGAL_FORWARD(read_values(&field[TIME], &best->values[REGAL_TIME]));
    return read_values(&field[MEMORY], &best->values[REGAL_MEMORY]);
}

void regal_best_known_destroy(regal_best_known *best) {
    if (best == NULL)
        return;
    json_decref(best->values[REGAL_TIME]);
    json_decref(best->values[REGAL_MEMORY]);
    free(best);
}

static regal_status create(regal_best_known **best) {
    *best = regal_allocate_zeroed(1, sizeof **best);
    REGAL_FAIL_IF_NULL(*best);
    (*best)->values[REGAL_TIME] = json_object();
    (*best)->values[REGAL_MEMORY] = json_object();
    if ((*best)->values[REGAL_TIME] != NULL && (*best)->values[REGAL_MEMORY] != NULL)
        return REGAL_OK;
    regal_best_known_destroy(*best);
    *best = NULL;
    REGAL_FAIL(REGAL_OUT_OF_MEMORY, "memory ran out");
}

/* Nothing is left of what could not be read. */
static regal_status settle(regal_status status, regal_best_known **best) {
    if (status != REGAL_OK) {
        regal_best_known_destroy(*best);
        *best = NULL;
    }
    return status;
}

regal_status regal_best_known_read(const char *path, regal_best_known **best) {
    REGAL_FORWARD(create(best));
    const bool missing = access(path, F_OK) != 0 && errno == ENOENT;
    return missing ? REGAL_OK : settle(regal_json_read(path, read_root, *best), best);
}

regal_status regal_best_known_parse(const char *data, size_t size, const char *name,
                                    regal_best_known **best) {
    REGAL_FORWARD(create(best));
    return settle(regal_json_parse(data, size, name, read_root, *best), best);
}

/* ---- what is better */

static void find_best(const regal_evaluation *evaluation, regal_evaluated_problem *problem) {
    const int64_t runs = REGAL_SIDES * evaluation->budget_count * evaluation->repeats;
    for (int64_t i = 0; i < runs; ++i)
        if (problem->runs[i].excess == 0 &&
            (problem->best < 0 || problem->runs[i].value < problem->best))
            problem->best = problem->runs[i].value;
}

static regal_status join_problem(json_t *values, const regal_evaluation *evaluation,
                                 regal_evaluated_problem *problem) {
    char *key = NULL;
    REGAL_FAIL_IF(asprintf(&key, "%s (%s)", problem->name, problem->digest) < 0,
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    const json_t *known = json_object_get(values, key);
    problem->best = known != NULL ? json_integer_value(known) : -1;
    find_best(evaluation, problem);
    const bool better =
        problem->best >= 0 && (known == NULL || problem->best < json_integer_value(known));
    const int failed = better ? json_object_set_new(values, key, json_integer(problem->best)) : 0;
    free(key);
    REGAL_FAIL_IF(failed != 0, REGAL_OUT_OF_MEMORY, "memory ran out");
    return REGAL_OK;
}

regal_status regal_best_known_join(regal_best_known *best, regal_evaluation *evaluation) {
    json_t *values = best->values[evaluation->objective];
    for (int64_t p = 0; p < evaluation->problem_count; ++p)
        if (regal_evaluated_fully(evaluation, &evaluation->problems[p]))
            REGAL_FORWARD(join_problem(values, evaluation, &evaluation->problems[p]));
    return REGAL_OK;
}

/* ---- out */

regal_status regal_best_known_write(const regal_best_known *best, const char *path) {
    json_t *root =
        json_pack("{s:s, s:i, s:O, s:O}", "format", "regal-best-known", "version", 1, "time",
                  best->values[REGAL_TIME], "memory", best->values[REGAL_MEMORY]);
    char *text = root != NULL ? json_dumps(root, JSON_INDENT(1)) : NULL;
    json_decref(root);
    REGAL_FAIL_IF_NULL(text);
    const regal_status status = regal_text_write(path, text, strlen(text));
    free(text);
    return status;
}

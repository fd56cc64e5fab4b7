#include "io/made_json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum {
    VERSION,
    ORIGIN,
    SEARCH,
    ENCODING,
    WINDOW,
    SEED,
    BACKEND,
    POLICY,
    PROPOSALS,
    THREADS,
    EVALUATIONS,
    GENERATIONS,
    ROUNDS,
    SECONDS,
    STOPPED,
    OPTIONS,
    KEYS
};
static const regal_json_key KEY[KEYS] = {
    [VERSION] = {"version", false},         [ORIGIN] = {"origin", false},
    [SEARCH] = {"search", false},           [ENCODING] = {"encoding", false},
    [WINDOW] = {"window", false},           [SEED] = {"seed", false},
    [BACKEND] = {"backend", false},         [POLICY] = {"policy", false},
    [PROPOSALS] = {"proposals", false},     [THREADS] = {"threads", false},
    [EVALUATIONS] = {"evaluations", false}, [GENERATIONS] = {"generations", false},
    [ROUNDS] = {"rounds", false},           [SECONDS] = {"seconds", false},
    [STOPPED] = {"stopped", false},         [OPTIONS] = {"options", false},
};

/* ---- in */

static regal_status read_string(const regal_json *value, const char **text) {
    *text = NULL;
    return value->json != NULL ? regal_json_string(value, text) : REGAL_OK;
}

static regal_status read_count(const regal_json *value, int64_t *number) {
    *number = -1;
    return value->json != NULL ? regal_json_integer(value, 0, INT64_MAX, number) : REGAL_OK;
}

/* The integers of JSON are signed here: a seed of 2^63 or more is a string of digits. */
static regal_status read_seed(const regal_json *value, uint64_t *seed) {
    *seed = 0;
    if (value->json == NULL)
        return REGAL_OK;
    if (!json_is_string(value->json)) {
        int64_t number;
        REGAL_FORWARD(regal_json_integer(value, 0, INT64_MAX, &number));
        *seed = (uint64_t)number;
        return REGAL_OK;
    }
    const char *digits = json_string_value(value->json);
    bool good = digits[0] != '\0';
    for (const char *digit = digits; good && *digit != '\0'; ++digit)
        good = *digit >= '0' && *digit <= '9' && !__builtin_mul_overflow(*seed, 10u, seed) &&
               !__builtin_add_overflow(*seed, (unsigned)(*digit - '0'), seed);
    REGAL_JSON_FAIL_IF(!good, value, "'%.100s' is no number from 0 to 2^64 - 1", digits);
    return REGAL_OK;
}

static regal_status read_seconds(const regal_json *value, double *seconds) {
    *seconds = -1;
    if (value->json == NULL)
        return REGAL_OK;
    REGAL_JSON_FAIL_IF(!json_is_number(value->json), value, "expected a number, found %s",
                       regal_json_kind(value->json));
    *seconds = json_number_value(value->json);
    REGAL_JSON_FAIL_IF(*seconds < 0, value, "is negative");
    return REGAL_OK;
}

/* *text (freed with free) is the object on one line. */
static regal_status read_options(const regal_json *value, char **text) {
    enum { DIGITS = 15 }; /* that every double keeps: 0.2 stays 0.2 */
    if (value->json == NULL)
        return REGAL_OK;
    REGAL_JSON_FAIL_IF(!json_is_object(value->json), value, "expected an object, found %s",
                       regal_json_kind(value->json));
    *text = json_dumps(value->json, JSON_REAL_PRECISION(DIGITS));
    REGAL_FAIL_IF_NULL(*text);
    return REGAL_OK;
}

static regal_status read_values(const regal_json *field, regal_made *made) {
    REGAL_FORWARD(read_string(&field[VERSION], &made->version));
    REGAL_FORWARD(read_string(&field[ORIGIN], &made->origin));
    REGAL_FORWARD(read_string(&field[SEARCH], &made->search));
    REGAL_FORWARD(read_string(&field[ENCODING], &made->encoding));
    REGAL_FORWARD(read_string(&field[BACKEND], &made->backend));
    REGAL_FORWARD(read_string(&field[POLICY], &made->policy));
    REGAL_FORWARD(read_string(&field[PROPOSALS], &made->proposals));
    REGAL_FORWARD(read_string(&field[STOPPED], &made->stopped));
    REGAL_FORWARD(read_count(&field[WINDOW], &made->window));
    REGAL_FORWARD(read_count(&field[THREADS], &made->threads));
    REGAL_FORWARD(read_count(&field[EVALUATIONS], &made->evaluations));
    REGAL_FORWARD(read_count(&field[GENERATIONS], &made->generations));
    REGAL_FORWARD(read_count(&field[ROUNDS], &made->rounds));
    REGAL_FORWARD(read_seed(&field[SEED], &made->seed));
    return read_seconds(&field[SECONDS], &made->seconds);
}

regal_status regal_made_from_json(const regal_json *object, regal_plan *plan) {
    if (object->json == NULL)
        return REGAL_OK;
    regal_json field[KEYS];
    REGAL_FORWARD(regal_json_fields(object, KEY, KEYS, field));
    regal_made made = {0};
    REGAL_FORWARD(read_values(field, &made));
    char *options = NULL;
    regal_status status = read_options(&field[OPTIONS], &options);
    made.options = options;
    if (status == REGAL_OK)
        status = regal_plan_set_made(plan, &made);
    free(options);
    return status;
}

/* ---- out */

/* Starts a member. */
static void put_key(regal_out *out, int key, const char **separator) {
    regal_out_format(out, "%s\"%s\": ", *separator, KEY[key].name);
    *separator = ", ";
}

static void put_string(regal_out *out, int key, const char *text, const char **separator) {
    if (text == NULL)
        return;
    put_key(out, key, separator);
    regal_out_string(out, text);
}

static void put_count(regal_out *out, int key, int64_t number, const char **separator) {
    if (number < 0)
        return;
    put_key(out, key, separator);
    regal_out_integer(out, number);
}

static void put_seed(regal_out *out, uint64_t seed, const char **separator) {
    put_key(out, SEED, separator);
    regal_out_format(out, seed <= INT64_MAX ? "%llu" : "\"%llu\"", (unsigned long long)seed);
}

/* In thousandths, without the decimal separator of the caller's locale. */
static void put_seconds(regal_out *out, double seconds, const char **separator) {
    if (!(seconds >= 0 && seconds < 1e12))
        return;
    const long long thousandths = llround(seconds * 1000);
    put_key(out, SECONDS, separator);
    regal_out_format(out, "%lld.%03lld", thousandths / 1000, thousandths % 1000);
}

static regal_status check_options(const char *options) {
    json_error_t error;
    json_t *json = json_loads(options, JSON_REJECT_DUPLICATES, &error);
    const bool good = json_is_object(json);
    json_decref(json);
    REGAL_FAIL_IF(!good, REGAL_INVALID_ARGUMENT,
                  "the options that the plan was made with are no JSON object");
    return REGAL_OK;
}

regal_status regal_made_to_json(regal_out *out, const regal_made *made) {
    const char *separator = "";
    regal_out_text(out, "{");
    put_string(out, VERSION, made->version, &separator);
    put_string(out, ORIGIN, made->origin, &separator);
    put_string(out, SEARCH, made->search, &separator);
    put_string(out, ENCODING, made->encoding, &separator);
    put_count(out, WINDOW, made->window, &separator);
    put_seed(out, made->seed, &separator);
    put_string(out, BACKEND, made->backend, &separator);
    put_string(out, POLICY, made->policy, &separator);
    put_string(out, PROPOSALS, made->proposals, &separator);
    put_count(out, THREADS, made->threads, &separator);
    put_count(out, EVALUATIONS, made->evaluations, &separator);
    put_count(out, GENERATIONS, made->generations, &separator);
    put_count(out, ROUNDS, made->rounds, &separator);
    put_seconds(out, made->seconds, &separator);
    put_string(out, STOPPED, made->stopped, &separator);
    if (made->options != NULL) {
        REGAL_FORWARD(check_options(made->options));
        put_key(out, OPTIONS, &separator);
        regal_out_text(out, made->options);
    }
    regal_out_text(out, "}");
    return REGAL_OK;
}

/* Policies as safetensors. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/nearest_word.h"
#include "io/file.h"
#include "io/safetensors.h"
#include "policy/policy_settings.h"

static const char FORMAT[] = "regal-policy", VERSION[] = "1", CARD[] = "card";

/* ---- in */

static regal_json metadata_at(const regal_safetensors *file, const char *key) {
    return (regal_json){.file = file->metadata.file,
                        .json = json_object_get(file->metadata.json, key),
                        .up = &file->metadata,
                        .key = key};
}

static regal_status read_text(const regal_safetensors *file, const char *key, const char **text) {
    const regal_json value = metadata_at(file, key);
    *text = json_string_value(value.json);
    REGAL_JSON_FAIL_IF(*text == NULL, &file->metadata, "'%s' is missing", key);
    return REGAL_OK;
}

static regal_status read_word(const regal_safetensors *file, const char *key,
                              const char *expected) {
    const char *text;
    REGAL_FORWARD(read_text(file, key, &text));
    const regal_json value = metadata_at(file, key);
    REGAL_JSON_FAIL_IF(strcmp(text, expected) != 0, &value, "expected '%s', found '%.60s'",
                       expected, text);
    return REGAL_OK;
}

static regal_status read_objective(const regal_safetensors *file, regal_objective *objective) {
    const char *text;
    REGAL_FORWARD(read_text(file, "objective", &text));
    const regal_json value = metadata_at(file, "objective");
    *objective = strcmp(text, regal_objective_name(REGAL_MEMORY)) == 0 ? REGAL_MEMORY : REGAL_TIME;
    REGAL_JSON_FAIL_IF(strcmp(text, regal_objective_name(*objective)) != 0, &value,
                       "expected 'time' or 'memory', found '%.60s'", text);
    return REGAL_OK;
}

/* By Jansson, which reads and writes numbers alike in every locale. */
static regal_status read_setting(const regal_safetensors *file, const regal_policy_setting *setting,
                                 regal_policy_settings *settings) {
    const char *text;
    REGAL_FORWARD(read_text(file, setting->name, &text));
    const regal_json value = metadata_at(file, setting->name);
    json_t *number = json_loads(text, JSON_DECODE_ANY, NULL);
    const bool fits = setting->is_integer ? json_is_integer(number) : json_is_number(number);
    const double found = json_number_value(number);
    json_decref(number);
    REGAL_JSON_FAIL_IF(!fits || !(found >= setting->low && found <= setting->high), &value,
                       "expected %s from %.15g to %.15g, found '%.60s'",
                       setting->is_integer ? "an integer" : "a number", setting->low, setting->high,
                       text);
    regal_policy_setting_set(setting, found, settings);
    return REGAL_OK;
}

static regal_status read_settings(const regal_safetensors *file, regal_policy_settings *settings) {
    regal_objective objective;
    int64_t count = 0;
    REGAL_FORWARD(read_objective(file, &objective));
    regal_policy_settings_init(objective, settings);
    for (; regal_policy_setting_at(count) != NULL; ++count)
        REGAL_FORWARD(read_setting(file, regal_policy_setting_at(count), settings));
    return regal_policy_settings_check(settings, REGAL_INVALID_INPUT, file->header.file->label);
}

static bool is_known(const char *key) {
    bool known = strcmp(key, "format") == 0 || strcmp(key, "version") == 0 ||
                 strcmp(key, "objective") == 0 || strcmp(key, CARD) == 0;
    for (int64_t i = 0; !known && regal_policy_setting_at(i) != NULL; ++i)
        known = strcmp(key, regal_policy_setting_at(i)->name) == 0;
    return known;
}

static regal_status check_metadata(const regal_safetensors *file) {
    const char *key;
    json_t *value;
    REGAL_JSON_FAIL_IF(file->metadata.json == NULL, &file->header,
                       "is no policy: '__metadata__' is missing");
    REGAL_FORWARD(read_word(file, "format", FORMAT));
    REGAL_FORWARD(read_word(file, "version", VERSION));
    json_object_foreach(file->metadata.json, key, value) {
        const regal_json item = metadata_at(file, key);
        REGAL_JSON_FAIL_IF(!is_known(key), &item, "is no setting of this version");
    }
    return REGAL_OK;
}

/* Marks in `seen` the tensors of the file that the settings ask for. */
static regal_status find_tensors(const regal_safetensors *file,
                                 const regal_policy_settings *settings, bool *seen) {
    regal_parameter_tensor tensor;
    for (int64_t i = 0; regal_policy_tensor(settings, i, &tensor); ++i) {
        const regal_safetensor *found = regal_safetensors_find(file, tensor.name);
        REGAL_JSON_FAIL_IF(found == NULL, &file->header, "the tensor '%s' is missing", tensor.name);
        REGAL_JSON_FAIL_IF(found->rows != tensor.rows || found->columns != tensor.columns,
                           &found->json, "is %lld x %lld; the settings make it %lld x %lld",
                           (long long)found->rows, (long long)found->columns,
                           (long long)tensor.rows, (long long)tensor.columns);
        seen[found - file->tensors] = true;
    }
    for (int64_t i = 0; i < file->count; ++i)
        REGAL_JSON_FAIL_IF(!seen[i], &file->tensors[i].json, "is no tensor of these settings");
    return REGAL_OK;
}

/* What the settings ask for is there, and nothing else: before memory is taken for it. */
static regal_status check_tensors(const regal_safetensors *file,
                                  const regal_policy_settings *settings) {
    bool *seen = regal_allocate_zeroed(file->count, sizeof *seen);
    REGAL_FAIL_IF_NULL(seen);
    const regal_status status = find_tensors(file, settings, seen);
    free(seen);
    return status;
}

static regal_status read_card(const regal_safetensors *file, regal_policy *policy) {
    const regal_json value = metadata_at(file, CARD);
    if (value.json == NULL)
        return REGAL_OK;
    const char *text = json_string_value(value.json);
    json_t *card = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    const bool is_object = json_is_object(card);
    json_decref(card);
    REGAL_JSON_FAIL_IF(!is_object, &value, "is no JSON object");
    char *copy = strdup(text);
    REGAL_FAIL_IF_NULL(copy);
    free(policy->card);
    policy->card = copy;
    return REGAL_OK;
}

static regal_status fill(const regal_safetensors *file, regal_policy *policy) {
    regal_parameter_tensor tensor;
    for (int64_t i = 0; regal_policy_tensor(&policy->settings, i, &tensor); ++i)
        REGAL_FORWARD(regal_safetensor_read(file, regal_safetensors_find(file, tensor.name),
                                            policy->parameters + tensor.offset));
    REGAL_FORWARD(read_card(file, policy));
    regal_policy_update_digest(policy);
    return REGAL_OK;
}

static regal_status read_policy(const regal_safetensors *file, void *result) {
    regal_policy *policy;
    regal_policy_settings settings;
    REGAL_FORWARD(check_metadata(file));
    REGAL_FORWARD(read_settings(file, &settings));
    REGAL_FORWARD(check_tensors(file, &settings));
    REGAL_FORWARD(regal_policy_allocate(&settings, &policy));
    const regal_status status = fill(file, policy);
    if (status == REGAL_OK)
        *(regal_policy **)result = policy;
    else
        regal_policy_destroy(policy);
    return status;
}

regal_status regal_policy_parse(const char *data, size_t size, const char *name,
                                regal_policy **policy) {
    *policy = NULL;
    return regal_safetensors_parse(data, size, name, read_policy, policy);
}

regal_status regal_policy_read(const char *path, regal_policy **policy) {
    char *data;
    size_t size;
    *policy = NULL;
    REGAL_FORWARD(regal_file_read(path, &data, &size));
    const regal_status status = regal_policy_parse(data, size, regal_file_label(path), policy);
    free(data);
    return status;
}

regal_status regal_policy_read_word(const char *word, regal_word_list *words,
                                    regal_policy **policy) {
    char near[REGAL_DID_YOU_MEAN_SIZE];
    *policy = NULL;
    if (strcmp(word, "-") != 0 && access(word, F_OK) != 0 && errno == ENOENT &&
        *regal_did_you_mean(word, words, NULL, near) != '\0')
        REGAL_FAIL(REGAL_INVALID_INPUT, "%s: there is no such file%s", word, near);
    return regal_policy_read(word, policy);
}

bool regal_policy_is_for(const regal_policy *policy, regal_objective objective, const char *path,
                         const char *what, char **text) {
    const regal_objective own = policy->settings.objective;
    *text = NULL;
    if (own == objective)
        return true;
    if (asprintf(text, "%s: this policy is for %s, but %s is for %s", regal_file_label(path),
                 regal_objective_name(own), what, regal_objective_name(objective)) < 0)
        *text = NULL;
    return false;
}

void regal_policy_warn_of_objective(const regal_policy *policy, regal_objective objective,
                                    const char *path, const char *what) {
    char *text;
    if (!regal_policy_is_for(policy, objective, path, what, &text))
        regal_warn("%s", text != NULL ? text : "the policy is for another objective");
    free(text);
}

/* ---- out */

/* The shortest that reads back exactly; freed with free, NULL: memory ran out. */
static char *print_setting(const regal_policy_setting *setting, double value) {
    enum { FEWEST_DIGITS = 15, MOST_DIGITS = 17 };
    json_t *number = setting->is_integer ? json_integer((json_int_t)value) : json_real(value);
    char *text = NULL;
    for (size_t digits = FEWEST_DIGITS; digits <= MOST_DIGITS; ++digits) {
        free(text);
        text = json_dumps(number, JSON_ENCODE_ANY | JSON_REAL_PRECISION(digits));
        json_t *back = text != NULL ? json_loads(text, JSON_DECODE_ANY, NULL) : NULL;
        const bool exact = json_equal(back, number);
        json_decref(back);
        if (exact)
            break;
    }
    json_decref(number);
    return text;
}

static regal_status put_settings(const regal_policy_settings *settings, int64_t count,
                                 regal_metadata_out *metadata) {
    for (int64_t i = 0; i < count; ++i) {
        const regal_policy_setting *setting = regal_policy_setting_at(i);
        metadata[i].key = setting->name;
        metadata[i].text = print_setting(setting, regal_policy_setting_get(setting, settings));
        REGAL_FAIL_IF_NULL(metadata[i].text);
    }
    return REGAL_OK;
}

static regal_status write_tensors(const regal_policy *policy, const char *path,
                                  const regal_metadata_out *metadata, int64_t metadata_count) {
    regal_parameter_tensor tensor;
    int64_t count = 0;
    while (regal_policy_tensor(&policy->settings, count, &tensor))
        ++count;
    regal_parameter_tensor *tensors = regal_allocate(count, sizeof *tensors);
    regal_tensor_out *out = regal_allocate(count, sizeof *out);
    regal_status status = REGAL_OUT_OF_MEMORY;
    if (tensors != NULL && out != NULL) {
        for (int64_t i = 0; i < count; ++i) {
            regal_policy_tensor(&policy->settings, i, &tensors[i]);
            out[i] = (regal_tensor_out){tensors[i].name, tensors[i].rows, tensors[i].columns,
                                        policy->parameters + tensors[i].offset};
        }
        status = regal_safetensors_write(path, metadata, metadata_count, out, count);
    } else {
        regal_error_set(status, __FILE__, __LINE__, "memory ran out");
    }
    free(tensors);
    free(out);
    return status;
}

regal_status regal_policy_write(const regal_policy *policy, const char *path) {
    enum { FIXED = 4 };
    int64_t count = 0;
    REGAL_FORWARD(regal_policy_settings_check(&policy->settings, REGAL_INVALID_ARGUMENT, path));
    for (int64_t i = 0; i < policy->parameter_count; ++i)
        REGAL_FAIL_IF(!isfinite(policy->parameters[i]), REGAL_INVALID_ARGUMENT,
                      "%s: parameter %lld of the policy is no finite number", path, (long long)i);
    while (regal_policy_setting_at(count) != NULL)
        ++count;
    regal_metadata_out *metadata = regal_allocate_zeroed(count + FIXED, sizeof *metadata);
    REGAL_FAIL_IF_NULL(metadata);
    metadata[0] = (regal_metadata_out){"format", FORMAT};
    metadata[1] = (regal_metadata_out){"version", VERSION};
    metadata[2] =
        (regal_metadata_out){"objective", regal_objective_name(policy->settings.objective)};
    metadata[count + FIXED - 1] = (regal_metadata_out){CARD, policy->card};
    regal_status status = put_settings(&policy->settings, count, metadata + FIXED - 1);
    if (status == REGAL_OK)
        status = write_tensors(policy, path, metadata, count + FIXED);
    for (int64_t i = 0; i < count; ++i)
        free((char *)metadata[FIXED - 1 + i].text);
    free(metadata);
    return status;
}

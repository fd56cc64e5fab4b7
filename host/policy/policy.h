/* A policy: what it is made of, and its file.
 *
 * The parameters are one flat array: the network's tensors (network.h), then those of the placement
 * head (placement.h). A file is safetensors: each tensor as F32 under its name, settings and card
 * as
 * __metadata__ ("format": "regal-policy", "version": "1", one string for each setting, "card": any
 * JSON object as text). */
#ifndef REGAL_POLICY_POLICY_H
#define REGAL_POLICY_POLICY_H

#include "policy/network.h"
#include "regal/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers that are not learned. One list (policy_settings.def) makes this struct, the defaults of
 * each objective, and what stands in files. */
typedef struct regal_policy_settings {
    regal_objective objective;
#define REGAL_POLICY_INT(field, time, memory, low, high, text)  int64_t field;
#define REGAL_POLICY_REAL(field, time, memory, low, high, text) double field;
#include "policy/policy_settings.def"
} regal_policy_settings;

void regal_policy_settings_init(regal_objective objective, regal_policy_settings *settings);

typedef struct regal_policy {
    regal_policy_settings settings;
    int64_t parameter_count;
    float *parameters;
    char *card;      /* a JSON object as text; "{}" where there is none */
    char digest[17]; /* of settings and parameters: 16 hexadecimal digits */
} regal_policy;

/* The network of these settings. Its outputs of an op: the order's score, then channels for the
 * placement. */
regal_network_shape regal_policy_network(const regal_policy_settings *settings);

/* Tensors of network and placement head. Index from 0; false past the last. */
bool regal_policy_tensor(const regal_policy_settings *settings, int64_t index,
                         regal_parameter_tensor *tensor);
int64_t regal_policy_parameter_count(const regal_policy_settings *settings);

/* Untrained, parameters initialized from the seed. */
regal_status regal_policy_create(const regal_policy_settings *settings, uint64_t seed,
                                 regal_policy **policy);
void regal_policy_destroy(regal_policy *policy);
/* After parameters or settings have changed. */
void regal_policy_update_digest(regal_policy *policy);

/* REGAL_INVALID_INPUT, with the place, for whatever is no policy: another format, tensors missing,
 * unknown, of another shape or type, overlapping or beyond the end, numbers that are not finite. */
regal_status regal_policy_read(const char *path, regal_policy **policy);
/* The same, where some words stand for a policy or for none: a word that is no file but close to
 * one of them is told so. */
regal_status regal_policy_read_word(const char *word, regal_word_list *words,
                                    regal_policy **policy);
regal_status regal_policy_parse(const char *data, size_t size, const char *name,
                                regal_policy **policy);
/* Whether the policy is for this objective; *text (freed with free, or NULL) says what both are
 * where it is not. `what`: what it is used for, as "the search". */
bool regal_policy_is_for(const regal_policy *policy, regal_objective objective, const char *path,
                         const char *what, char **text);
/* The same as a warning. */
void regal_policy_warn_of_objective(const regal_policy *policy, regal_objective objective,
                                    const char *path, const char *what);
regal_status regal_policy_write(const regal_policy *policy, const char *path);

#ifdef __cplusplus
}
#endif
#endif

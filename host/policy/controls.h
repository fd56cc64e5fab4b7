/* Controls: proposals that nobody has learned, for a policy to be held to. */
#ifndef REGAL_POLICY_CONTROLS_H
#define REGAL_POLICY_CONTROLS_H

#include "policy/policy.h"
#include "regal/chromosome.h"

#ifdef __cplusplus
extern "C" {
#endif

/* X(NAME, "word", "text") */
#define REGAL_CONTROL_LIST(X)                                                     \
    X(NONE, "none", "uniform keys")                                               \
    X(UPWARD_RANK, "upward-rank", "priorities around the normalized upward rank") \
    X(BYTES_FREED, "bytes-freed",                                                 \
      "priorities around the bytes that an op frees less those "                  \
      "that it defines")                                                          \
    X(BETA, "beta:MEAN,CONCENTRATION", "all keys from one Beta distribution")     \
    X(HEFT_SEED, "heft-seed", "inherit keys and the heuristics' plans as seeds")  \
    X(UNTRAINED, "untrained", "a policy that has learned nothing: its roll-outs are a soft HEFT")

typedef enum regal_control_kind {
    REGAL_NO_CONTROL, /* a policy */
#define REGAL_CONTROL_ENUM(name, word, text) REGAL_CONTROL_##name,
    REGAL_CONTROL_LIST(REGAL_CONTROL_ENUM)
#undef REGAL_CONTROL_ENUM
} regal_control_kind;

typedef struct regal_control {
    regal_control_kind kind;
    double mean, concentration; /* of BETA */
} regal_control;

/* The control that a word names, or REGAL_NO_CONTROL. REGAL_INVALID_ARGUMENT for a "beta:" whose
 * numbers are no mean of 0..1 and concentration of 1..1000. */
regal_status regal_control_read(const char *word, regal_control *control);

/* Words of the list, after "auto": a regal_word_list. */
const char *regal_control_word(size_t index, void *context);

/* *genes (freed with free) is [*rows][regal_gene_count]; NULL and 0 rows for those that propose
 * nothing. The bins nearest to what is asked for; seed: of the roll-outs. */
regal_status regal_control_propose(const regal_control *control, const regal_problem *problem,
                                   regal_objective objective, regal_encoding encoding,
                                   uint64_t seed, uint16_t **genes, int64_t *rows);

#ifdef __cplusplus
}
#endif
#endif

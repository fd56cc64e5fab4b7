/* What guides a search beside its own results: Beta proposals, from a file or from a policy, and
 * the policy's best roll-outs (DESIGN 5). */
#ifndef REGAL_SEARCH_GUIDE_H
#define REGAL_SEARCH_GUIDE_H

#include "policy/policy.h"
#include "regal/optimize.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum regal_guide_use {
    REGAL_USE_MUTANTS = 1,    /* proposals draw mutants, */
    REGAL_USE_POPULATION = 2, /* and the first population, also of a restart */
    REGAL_USE_SEEDS = 4,      /* the best roll-outs are in the first population, */
    REGAL_USE_CHAINS = 8      /* else they join before the annealing chains start */
} regal_guide_use;

/* "mutants,population": REGAL_INVALID_ARGUMENT, with all words, where one is unknown. */
regal_status regal_guide_uses_read(const char *list, unsigned *uses);

typedef struct regal_guide {
    unsigned uses;
    regal_policy *policy;      /* until its roll-outs are drawn */
    bool is_automatic;         /* it was not asked for by name */
    const uint16_t *proposals; /* [rows][genes], or NULL: all uniform */
    int64_t rows;
    uint16_t *owned; /* behind proposals, or NULL where they are the caller's */
    char *name;      /* of regal_made: policy */
    char digest[17]; /* of the proposals; "" without */
} regal_guide;

struct regal_search;

/* What the options ask for: reads the file of proposals or of the policy. given (NULL: none) is the
 * caller's [rows][genes] and stands in place of both. */
regal_status regal_guide_open(struct regal_search *search, const uint16_t *given, int64_t rows);

/* Asks the policy, if there is one, for proposals and seeds; writes the proposals where that was
 * asked for. Ends early where the search is to stop. */
regal_status regal_guide_follow(struct regal_search *search);

void regal_guide_close(regal_guide *guide);

#ifdef __cplusplus
}
#endif
#endif

/* What a misspelled word was to be. */
#ifndef REGAL_BASE_NEAREST_WORD_H
#define REGAL_BASE_NEAREST_WORD_H

#include "regal/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { REGAL_DID_YOU_MEAN_SIZE = 96 };

/* ": did you mean WORD?" of regal_nearest_word, or "", into text; returns text. */
const char *regal_did_you_mean(const char *word, regal_word_list *candidate, void *context,
                               char text[REGAL_DID_YOU_MEAN_SIZE]);

#ifdef __cplusplus
}
#endif
#endif

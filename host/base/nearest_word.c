#include "base/nearest_word.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 32 };

/* Levenshtein distance; words beyond LONGEST count as far apart. */
static size_t edit_distance(const char *a, const char *b) {
    const size_t a_length = strlen(a), b_length = strlen(b);
    size_t row[LONGEST + 1];
    if (a_length > LONGEST || b_length > LONGEST)
        return SIZE_MAX;
    for (size_t j = 0; j <= b_length; j++)
        row[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t best = diagonal + (a[i - 1] != b[j - 1]);
            if (row[j] + 1 < best)
                best = row[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[b_length];
}

const char *regal_nearest_word(const char *word, regal_word_list *candidate, void *context) {
    const char *nearest = NULL;
    size_t least = strlen(word) / 3 + 2; /* farther than this is no misspelling */
    const char *other;
    for (size_t i = 0; (other = candidate(i, context)) != NULL; i++) {
        const bool begins = *word != '\0' && strncmp(word, other, strlen(word)) == 0;
        const size_t distance = begins ? 1 : edit_distance(word, other);
        if (distance < least) {
            least = distance;
            nearest = other;
        }
    }
    return nearest;
}

const char *regal_did_you_mean(const char *word, regal_word_list *candidate, void *context,
                               char text[REGAL_DID_YOU_MEAN_SIZE]) {
    const char *near = regal_nearest_word(word, candidate, context);
    text[0] = '\0';
    if (near != NULL)
        snprintf(text, REGAL_DID_YOU_MEAN_SIZE, ": did you mean %.*s?",
                 REGAL_DID_YOU_MEAN_SIZE - 32, near);
    return text;
}

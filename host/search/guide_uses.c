#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/nearest_word.h"
#include "search/guide.h"

static const struct {
    const char *word;
    regal_guide_use use;
} USES[] = {{"mutants", REGAL_USE_MUTANTS},
            {"population", REGAL_USE_POPULATION},
            {"seeds", REGAL_USE_SEEDS},
            {"chains", REGAL_USE_CHAINS}};

static const char *use_word(size_t index, void *context) {
    (void)context;
    return index < sizeof USES / sizeof *USES ? USES[index].word : NULL;
}

static unsigned find_use(const char *word, size_t length) {
    for (size_t i = 0; i < sizeof USES / sizeof *USES; ++i)
        if (strlen(USES[i].word) == length && memcmp(USES[i].word, word, length) == 0)
            return USES[i].use;
    return 0;
}

static regal_status refuse(const char *list, const char *word, size_t length) {
    char text[64], near[REGAL_DID_YOU_MEAN_SIZE];
    REGAL_FAIL_IF(
        length == 0, REGAL_INVALID_ARGUMENT,
        "--policy-use: a word is missing in \"%.100s\": give some of mutants, population, "
        "seeds, chains with commas between, or --policy none",
        list);
    snprintf(text, sizeof text, "%.*s", length < sizeof text ? (int)length : (int)sizeof text - 1,
             word);
    REGAL_FAIL(REGAL_INVALID_ARGUMENT,
               "--policy-use: '%s' is none of mutants, population, seeds, chains%s", text,
               regal_did_you_mean(text, use_word, NULL, near));
}

regal_status regal_guide_uses_read(const char *list, unsigned *uses) {
    *uses = 0;
    for (const char *word = list;;) {
        const size_t length = strcspn(word, ",");
        const unsigned use = find_use(word, length);
        if (use == 0)
            return refuse(list, word, length);
        *uses |= use;
        if (word[length] == '\0')
            return REGAL_OK;
        word += length + 1;
    }
}

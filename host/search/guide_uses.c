#include <string.h>

#include "base/error.h"
#include "search/guide.h"

static const struct {
    const char *word;
    regal_guide_use use;
} USES[] = {{"mutants", REGAL_USE_MUTANTS},
            {"population", REGAL_USE_POPULATION},
            {"seeds", REGAL_USE_SEEDS},
            {"chains", REGAL_USE_CHAINS}};

static unsigned find_use(const char *word, size_t length) {
    for (size_t i = 0; i < sizeof USES / sizeof *USES; ++i)
        if (strlen(USES[i].word) == length && memcmp(USES[i].word, word, length) == 0)
            return USES[i].use;
    return 0;
}

regal_status regal_guide_uses_read(const char *list, unsigned *uses) {
    *uses = 0;
    while (*list != '\0') {
        const size_t length = strcspn(list, ",");
        const unsigned use = find_use(list, length);
        REGAL_FAIL_IF(use == 0, REGAL_INVALID_ARGUMENT,
                      "--policy-use: '%.*s' is none of mutants, population, seeds, chains",
                      length < 100 ? (int)length : 100, list);
        *uses |= use;
        list += length + (list[length] == ',');
    }
    return REGAL_OK;
}

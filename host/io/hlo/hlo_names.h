/* A hash table from (scope, name) to a number. Names are slices that outlive it. */
#ifndef REGAL_IO_HLO_NAMES_H
#define REGAL_IO_HLO_NAMES_H

#include "io/hlo/hlo_module.h"

typedef struct hlo_names {
    struct hlo_names_entry *entries;
    int64_t count, slots; /* slots: a power of two, or 0 */
} hlo_names;

void regal_hlo_names_destroy(hlo_names *names);
/* The number of a name that is there already, or else `value`, which is then added; -1 where memory
 * ran out. */
int64_t regal_hlo_names_add(hlo_names *names, int64_t scope, hlo_slice name, int64_t value);
/* The number, or -1. */
int64_t regal_hlo_names_find(const hlo_names *names, int64_t scope, hlo_slice name);

#endif

#include "io/hlo/hlo_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"
#include "base/memory.h"

typedef struct hlo_names_entry {
    hlo_slice name; /* data NULL: free */
    int64_t scope, value;
} entry;

static uint64_t hash(int64_t scope, hlo_slice name) {
    const uint64_t start = REGAL_FNV_START ^ (uint64_t)scope * 0x9e3779b97f4a7c15u;
    const uint64_t h = regal_fnv_bytes(start, name.data, name.size);
    return h ^ h >> 32;
}

static entry *slot_of(const hlo_names *names, int64_t scope, hlo_slice name) {
    const uint64_t mask = (uint64_t)names->slots - 1;
    for (uint64_t slot = hash(scope, name) & mask;; slot = (slot + 1) & mask) {
        entry *found = &names->entries[slot];
        if (found->name.data == NULL || (found->scope == scope && found->name.size == name.size &&
                                         memcmp(found->name.data, name.data, name.size) == 0))
            return found;
    }
}

static bool grow(hlo_names *names) {
    hlo_names larger = {.slots = names->slots == 0 ? 64 : 2 * names->slots, .count = names->count};
    larger.entries = regal_allocate_zeroed(larger.slots, sizeof *larger.entries);
    if (larger.entries == NULL)
        return false;
    for (int64_t i = 0; i < names->slots; ++i) {
        const entry *old = &names->entries[i];
        if (old->name.data != NULL)
            *slot_of(&larger, old->scope, old->name) = *old;
    }
    free(names->entries);
    *names = larger;
    return true;
}

void regal_hlo_names_destroy(hlo_names *names) {
    free(names->entries);
    *names = (hlo_names){0};
}

int64_t regal_hlo_names_add(hlo_names *names, int64_t scope, hlo_slice name, int64_t value) {
    if (names->count >= names->slots / 2 && !grow(names))
        return -1;
    entry *slot = slot_of(names, scope, name);
    if (slot->name.data == NULL) {
        *slot = (entry){name, scope, value};
        ++names->count;
    }
    return slot->value;
}

int64_t regal_hlo_names_find(const hlo_names *names, int64_t scope, hlo_slice name) {
    if (names->slots == 0)
        return -1;
    const entry *slot = slot_of(names, scope, name);
    return slot->name.data != NULL ? slot->value : -1;
}

#include "base/name_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"
#include "base/memory.h"

static uint64_t hash(const char *name) {
    const uint64_t h = regal_fnv_bytes(REGAL_FNV_START, name, strlen(name));
    return h ^ h >> 29;
}

/* The slot that holds the name, or the empty one where it would go. */
static int64_t slot_of(const regal_name_table *table, const char *name) {
    int64_t slot = (int64_t)(hash(name) & (uint64_t)(table->slots - 1));
    while (table->names[slot] != NULL && strcmp(table->names[slot], name) != 0)
        slot = (slot + 1) & (table->slots - 1);
    return slot;
}

bool regal_name_table_create(regal_name_table *table, int64_t capacity) {
    *table = (regal_name_table){.slots = 16};
    while (table->slots / 2 < capacity)
        table->slots *= 2;
    table->names = regal_allocate_zeroed(table->slots, sizeof *table->names);
    table->values = regal_allocate(table->slots, sizeof *table->values);
    if (table->names != NULL && table->values != NULL)
        return true;
    regal_name_table_destroy(table);
    return false;
}

void regal_name_table_destroy(regal_name_table *table) {
    free(table->names);
    free(table->values);
    *table = (regal_name_table){0};
}

int64_t regal_name_table_add(regal_name_table *table, const char *name, int64_t value) {
    const int64_t slot = slot_of(table, name);
    if (table->names[slot] != NULL)
        return table->values[slot];
    table->names[slot] = name;
    table->values[slot] = value;
    table->count++;
    return value;
}

int64_t regal_name_table_find(const regal_name_table *table, const char *name) {
    const int64_t slot = slot_of(table, name);
    return table->names[slot] != NULL ? table->values[slot] : -1;
}

/* A hash table from names to numbers. The names are not copied. */
#ifndef REGAL_BASE_NAME_TABLE_H
#define REGAL_BASE_NAME_TABLE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct regal_name_table {
    const char **names;
    int64_t *values;
    int64_t count, slots; /* slots: a power of two */
} regal_name_table;

/* Room for `capacity` names. False: out of memory. */
bool regal_name_table_create(regal_name_table *table, int64_t capacity);
void regal_name_table_destroy(regal_name_table *table);

/* The value of a name that is there already, or else value, which is then added. */
int64_t regal_name_table_add(regal_name_table *table, const char *name, int64_t value);

/* The value of a name, or -1. */
int64_t regal_name_table_find(const regal_name_table *table, const char *name);

#endif

/* Rows of cells, printed in aligned columns: the first column to the left, the others to the right.
 */
#ifndef REGAL_CLI_TEXT_TABLE_H
#define REGAL_CLI_TEXT_TABLE_H

#include <stdio.h>

enum { TABLE_COLUMNS = 16 };

typedef struct text_table {
    char **cells; /* [row_count][TABLE_COLUMNS], NULL: empty */
    size_t row_count, row_room;
} text_table;

/* Copies, made plain (plain_text.h), up to TABLE_COLUMNS cells; the list ends with NULL. Rows that
 * memory lacks for are left out. */
void table_row(text_table *table, ...) __attribute__((sentinel));
/* The same of cells[0..count); NULL is an empty one. */
void table_cells(text_table *table, const char *const *cells, size_t count);

/* Prints the table, each line indented, and empties it. */
void table_print(text_table *table, FILE *file, int indent);

#endif

#include "cli/text_table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/plain_text.h"

enum { WIDEST = 1 << 20 };

void table_cells(text_table *table, const char *const *cells, size_t count) {
    if (table->row_count == table->row_room) {
        const size_t room = table->row_room ? 2 * table->row_room : 16;
        char **grown = realloc(table->cells, room * TABLE_COLUMNS * sizeof *grown);
        if (!grown)
            return;
        table->cells = grown;
        table->row_room = room;
    }
    char **row = table->cells + TABLE_COLUMNS * table->row_count++;
    memset(row, 0, TABLE_COLUMNS * sizeof *row);
    for (size_t i = 0; i < TABLE_COLUMNS && i < count; i++)
        if (cells[i] && (row[i] = strdup(cells[i])) != NULL)
            plain_text_make(row[i]);
}

void table_row(text_table *table, ...) {
    const char *row[TABLE_COLUMNS];
    size_t count = 0;
    va_list cells;
    va_start(cells, table);
    const char *cell;
    while (count < TABLE_COLUMNS && (cell = va_arg(cells, const char *)) != NULL)
        row[count++] = cell;
    va_end(cells);
    table_cells(table, row, count);
}

/* In characters: bytes that continue one of UTF-8 take no column. */
static int cell_width(const char *cell) {
    int width = 0;
    for (; cell && *cell != '\0' && width < WIDEST; cell++)
        width += (*cell & 0xc0) != 0x80;
    return width;
}

static void print_row(char *const *row, const int *width, FILE *file, int indent) {
    int used = 0; /* columns, so that no line ends in spaces */
    for (int i = 0; i < TABLE_COLUMNS; i++)
        if (row[i] && *row[i] != '\0')
            used = i + 1;
    fprintf(file, "%*s", indent, "");
    for (int i = 0; i < used; i++) {
        const char *cell = row[i] ? row[i] : "";
        const int padding = width[i] - cell_width(cell);
        if (i == 0)
            fprintf(file, "%s%*s", cell, used > 1 ? padding : 0, "");
        else
            fprintf(file, "  %*s%s", padding, "", cell);
    }
    fputc('\n', file);
}

void table_print(text_table *table, FILE *file, int indent) {
    int width[TABLE_COLUMNS] = {0};
    const size_t cell_count = table->row_count * TABLE_COLUMNS;
    for (size_t i = 0; i < cell_count; i++)
        if (cell_width(table->cells[i]) > width[i % TABLE_COLUMNS])
            width[i % TABLE_COLUMNS] = cell_width(table->cells[i]);
    for (size_t row = 0; row < table->row_count; row++)
        print_row(table->cells + TABLE_COLUMNS * row, width, file, indent);
    for (size_t i = 0; i < cell_count; i++)
        free(table->cells[i]);
    free(table->cells);
    memset(table, 0, sizeof *table);
}

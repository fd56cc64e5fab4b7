#include "cli/help_page.h"

#include <string.h>

enum { TERM_COLUMN = 28 };

/* Prints text from column `column` on, broken at spaces, each further line indented by `indent`. */
static void print_wrapped(FILE *file, const char *text, size_t column, size_t indent) {
    while (*text != '\0') {
        const size_t word = strcspn(text, " \n");
        if (column > indent && column + 1 + word > HELP_WIDTH) {
            fprintf(file, "\n%*s", (int)indent, "");
            column = indent;
        } else if (column > indent) {
            putc(' ', file);
            column++;
        }
        fwrite(text, 1, word, file);
        column += word;
        text += word;
        if (*text == '\n') {
            fprintf(file, "\n%*s", (int)indent, "");
            column = indent;
        }
        text += *text != '\0';
    }
    putc('\n', file);
}

void troff_print(FILE *file, const char *text) {
    bool line_begins = true;
    for (; *text != '\0'; text++) {
        if (line_begins && (*text == '.' || *text == '\''))
            fputs("\\&", file);
        line_begins = *text == '\n';
        if (*text == '\\')
            fputs("\\e", file);
        else if (*text == '-')
            fputs("\\-", file);
        else if (*text == '\n')
            fputs("\n.PP\n", file);
        else
            putc(*text, file);
    }
}

void page_gap(help_page *page) {
    page->gap = true;
}

static void begin(help_page *page) {
    if (page->gap && page->begun && !page->troff)
        putc('\n', page->file);
    page->gap = false;
    page->begun = true;
}

void page_text(help_page *page, const char *text) {
    page_gap(page);
    begin(page);
    if (page->troff) {
        fputs(".PP\n", page->file);
        troff_print(page->file, text);
        putc('\n', page->file);
    } else {
        print_wrapped(page->file, text, 0, 0);
    }
}

void page_item(help_page *page, const char *term, const char *text) {
    begin(page);
    if (page->troff) {
        fputs(".TP\n\\fB", page->file);
        troff_print(page->file, term);
        fputs("\\fR\n", page->file);
        troff_print(page->file, text);
        putc('\n', page->file);
        return;
    }
    const int length = fprintf(page->file, "  %s", term);
    if (length + 2 > TERM_COLUMN)
        fprintf(page->file, "\n%*s", TERM_COLUMN, "");
    else
        fprintf(page->file, "%*s", TERM_COLUMN - length, "");
    print_wrapped(page->file, text, TERM_COLUMN, TERM_COLUMN);
}

/* One line as it is; the pointer behind it. */
static const char *print_line(const help_page *page, const char *line) {
    const size_t length = strcspn(line, "\n");
    char text[HELP_WIDTH + 1];
    snprintf(text, sizeof text, "%.*s", (int)length, line);
    if (page->troff)
        troff_print(page->file, text);
    else
        fprintf(page->file, "  %s", text);
    putc('\n', page->file);
    return line + length + (line[length] == '\n');
}

void page_example(help_page *page, const char *lines) {
    page_gap(page);
    begin(page);
    if (page->troff)
        fputs(".PP\n.RS\n.nf\n", page->file);
    while (*lines != '\0')
        lines = print_line(page, lines);
    if (page->troff)
        fputs(".fi\n.RE\n", page->file);
}

void page_heading(help_page *page, const char *text) {
    page_gap(page);
    begin(page);
    if (page->troff) {
        fputs(".SS ", page->file);
        troff_print(page->file, text);
        putc('\n', page->file);
    } else {
        fprintf(page->file, "%s\n", text);
    }
}

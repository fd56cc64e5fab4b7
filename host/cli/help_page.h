/* Text of the help, for a terminal or as troff for the manual page. Quotes with backticks, as in
 * `regal help`, stand as they are. */
#ifndef REGAL_CLI_HELP_PAGE_H
#define REGAL_CLI_HELP_PAGE_H

#include <stdbool.h>
#include <stdio.h>

enum { HELP_WIDTH = 90 };

typedef struct help_page {
    FILE *file;
    bool troff;
    bool begun; /* something stands above: paragraphs and examples keep a distance */
    bool gap;   /* which is still to come */
} help_page;

/* Paragraphs, with '\n' between them. */
void page_text(help_page *page, const char *text);
/* A term and what it means; one below the other. */
void page_item(help_page *page, const char *term, const char *text);
/* Lines as they are. */
void page_example(help_page *page, const char *lines);
/* A heading within the page. */
void page_heading(help_page *page, const char *text);
/* A distance before whatever comes next, such as the first of several items. */
void page_gap(help_page *page);

/* Text for troff: backslashes and hyphens escaped, a leading dot or quote protected, '\n' a new
 * paragraph. */
void troff_print(FILE *file, const char *text);

#endif

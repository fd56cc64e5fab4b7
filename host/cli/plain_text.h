/* Text from anywhere made fit for a line on a terminal. */
#ifndef REGAL_CLI_PLAIN_TEXT_H
#define REGAL_CLI_PLAIN_TEXT_H

#include <stdio.h>

/* Replaces what a terminal acts on by '?': the control characters U+0000 to U+001F and U+007F to
 * U+009F, also where the latter stand as single bytes. Other UTF-8 stays. */
void plain_text_make(char *text);

/* The columns that UTF-8 text takes on a terminal. */
size_t plain_text_columns(const char *text);
/* Ends the text where more columns than these would be taken. */
void plain_text_clip(char *text, size_t columns);

/* Prints one line, made plain, and its end. */
void plain_line_print(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif

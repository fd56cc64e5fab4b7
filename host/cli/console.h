/* Standard error: lines for people, and one status line that is rewritten on a terminal. Safe from
 * several threads. Control characters in messages are shown as '?', so that a line stays a line. */
#ifndef REGAL_CLI_CONSOLE_H
#define REGAL_CLI_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>

#include "regal/status.h"

void console_open(void);
/* From now on errors only: neither warnings, notes nor status. */
void console_hush(void);
bool console_is_quiet(void);

/* "regal: ..."; errors are printed even when quiet. */
void console_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void console_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A line without prefix. */
void console_plain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* True where a status line can be rewritten: a terminal that is not dumb. */
bool console_is_live(void);
/* False where NO_COLOR asks for none. */
bool console_has_colour(void);
/* True where the locale has the blocks of a spark line. */
bool console_has_blocks(void);
size_t console_width(void);
/* Rewrites the status line (live consoles only); what does not fit the width is cut off. The text
 * comes after `lead`, which is printed as it is and takes lead_columns. */
void console_status(const char *text);
void console_status_after(const char *lead, size_t lead_columns, const char *text);
void console_status_end(void);

/* This thread's warnings become notes about the file `path` (which must live on) from now on. */
void console_warnings_about(const char *path);

/* A warning about the file `path` as a note. */
void console_warn(const char *path, const char *message);

/* Whether the library's message begins with the file `path`, so that it need not be named again. */
bool message_names_file(const char *message, const char *path);

/* Prints why a call of the library failed, about the file `path` (or NULL); returns the exit code.
 */
int report_failure(const char *path, regal_status status);
/* The same line, without "regal: ", as a new string; NULL when memory ran out. */
char *failure_text(const char *path, regal_status status);
/* Memory ran out in the program itself, of which the library has nothing to say: the status to
 * return or to report. */
regal_status own_memory_failure(void);

#endif

/* Where results go. */
#ifndef REGAL_CLI_OUTPUT_PATHS_H
#define REGAL_CLI_OUTPUT_PATHS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The path names a folder: it ends in a slash or is one. */
bool is_folder(const char *path);

/* Nothing that could be read twice: standard input, a pipe, a device. */
bool is_stream(const char *path);

/* Makes the folder unless it is there. Prints what is wrong; returns the exit code. */
int folder_make(const char *path);

/* Finds out before a long search whether a file can be made at path. Prints what is wrong; returns
 * the exit code. */
int output_check(const char *path);

/* Where the results for people go: standard output, unless one of the files (or NULL) goes there.
 */
FILE *results_stream(const char *output, const char *trace, const char *report);

/* One name for each of paths[0..count): its last part without extension, with "-2", "-3", ... where
 * another graph has it already. NULL when memory ran out. */
char **output_names_create(char *const *paths, int64_t count);
void output_names_free(char **names, int64_t count);

/* What stands between a folder and a name in it: "/", or "" where the folder ends in one. */
const char *path_separator(const char *folder);
#define PLAN_SUFFIX   "plan.json"
#define TRACE_SUFFIX  "trace.json"
#define REPORT_SUFFIX "report.html"
/* FOLDER/NAME.SUFFIX as a new string, or NULL. */
char *output_path_join(const char *folder, const char *name, const char *suffix);

#endif

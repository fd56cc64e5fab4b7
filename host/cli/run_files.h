/* All files that a run reads and writes, so that no result is written over another of them. */
#ifndef REGAL_CLI_RUN_FILES_H
#define REGAL_CLI_RUN_FILES_H

#include "cli/options.h"

typedef enum run_file_use {
    FILE_RESULT, /* written */
    FILE_PLAN,   /* written; may replace the seeds */
    FILE_SEEDS,  /* read */
    FILE_INPUT   /* read */
} run_file_use;

typedef struct run_file run_file;

typedef struct run_files {
    run_file *files; /* [count] */
    size_t count, room;
    bool incomplete; /* memory ran out */
} run_files;

/* Start with {0}. A path "-" is standard input or output; NULL is left out. */
void run_files_add(run_files *list, run_file_use use, const char *path);

/* The files of the options that every command spells alike: --cluster, --costs, and those that the search
 * reads and writes. */
void run_files_add_options(run_files *list, const cli_options *options);

/* Refuses where a written file is any other of the list, by whatever path or link; prints what is
 * wrong and empties the list. Returns the exit code. */
int run_files_check(run_files *list, command_id command);

#endif

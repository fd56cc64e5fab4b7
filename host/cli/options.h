/* Commands and options, made from commands.def, options.def and regal/options.def. */
#ifndef REGAL_CLI_OPTIONS_H
#define REGAL_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "regal/regal.h"

#define CLI_DEFAULT_DEVICES "4"

typedef enum command_id {
#define CLI_COMMAND(NAME, name, arguments, least, greatest, line, text) COMMAND_##NAME,
#include "cli/commands.def"
    COMMAND_COUNT
} command_id;

enum {
#define CLI_COMMAND(NAME, name, arguments, least, greatest, line, text) \
    ON_##NAME = 1 << COMMAND_##NAME,
#include "cli/commands.def"
    ON_ALL = (1 << COMMAND_COUNT) - 1,
    ON_GRAPHS = ON_OPTIMIZE | ON_CHECK | ON_EXPLAIN | ON_DECODE | ON_INSPECT | ON_CONVERT |
                ON_COMPARE /* who reads graphs */
};

/* The groups of the help, in order: X(name, title). */
#define OPTION_GROUP_LIST(X)        \
    X(GROUP_CLUSTER, "Devices")     \
    X(GROUP_READING, "Graphs")      \
    X(GROUP_GENERATE, "Generation") \
    X(GROUP_EVALUATE, "Evaluation") \
    X(GROUP_COMPARE, "Comparison")  \
    X(GROUP_OUTPUT, "Output")       \
    X(GROUP_SEARCH, "Search")       \
    X(GROUP_TRAIN, "Training")      \
    X(GROUP_OTHER, "Other")

typedef enum option_group {
#define OPTION_GROUP_ENUM(name, title) name,
    OPTION_GROUP_LIST(OPTION_GROUP_ENUM)
#undef OPTION_GROUP_ENUM
        OPTION_GROUP_COUNT
} option_group;

typedef struct cli_options {
    regal_options search;
    regal_train_options train;
#define CLI_OPTION_FLAG(field, flag, letter, group, commands, help)              bool field;
#define CLI_OPTION_TEXT(field, flag, letter, argument, group, commands, help)    const char *field;
#define CLI_OPTION_CHOICE(field, flag, argument, choices, group, commands, help) const char *field;
#define CLI_OPTION_INT(field, flag, argument, standard, low, high, group, commands, help) \
    int64_t field;
#define CLI_OPTION_SEED(field, flag, argument, standard, group, commands, help) uint64_t field;
#include "cli/options.def"
    char **arguments; /* [argument_count], what is no option */
    int64_t argument_count;
} cli_options;

typedef struct command_info {
    const char *name, *arguments, *line, *text;
    int64_t least, greatest; /* arguments; -1: any number */
    int (*run)(const cli_options *options);
} command_info;

extern const command_info command_table[COMMAND_COUNT];

/* COMMAND_COUNT where there is none of that name. */
command_id command_find(const char *name);

typedef enum option_kind {
    OPTION_FLAG,
    OPTION_INT,
    OPTION_SEED,
    OPTION_REAL,
    OPTION_TEXT
} option_kind;

typedef struct option_info {
    option_kind kind;
    const char *flag, *argument, *help;
    char letter;
    option_group group;
    unsigned commands; /* ON_... */
    size_t offset;     /* of the member in cli_options */
    int64_t int_standard, int_least, int_greatest;
    uint64_t seed_standard;
    double real_standard, real_least, real_greatest;
    const char *text_standard, *choices; /* choices "a|b"; "": any text */
} option_info;

extern const option_info option_table[];
extern const size_t option_table_size;

/* argv[0..argc) after the command's name -> options; argv is reordered. Prints what is wrong and
 * returns false where it cannot. An option given twice: the last one counts. */
bool options_parse(command_id command, int argc, char **argv, cli_options *options);

/* Reads text as the option's value into options. Prints what is wrong and returns false. */
bool option_set(const option_info *option, command_id command, const char *text,
                cli_options *options);

/* What every option is unless it is given. */
void options_set_defaults(command_id command, cli_options *options);

/* A decimal number and nothing else. */
bool decimal_read(const char *text, double *value);

/* Checks each of the names ("a100,h100") of --profile. Prints what is wrong and returns false. */
bool profile_names_check(command_id command, const char *names);
/* Checks what --dim and --assume-bytes look like, likewise. */
bool reading_options_check(command_id command, const cli_options *options);

/* A wrong use of a command: one line that ends with a hint. Returns the exit code. */
int usage_error(command_id command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same for a command that there is not. */
int usage_unknown_command(const char *word);

/* Checks that standard input is read once at most (by the first input_count arguments,
 * --cluster, --costs, --seeds, --policy and --proposals) and that no two of -o, --trace,
 * --report and --dump-proposals go to standard output. Returns the exit code. */
int usage_check_streams(command_id command, const cli_options *options, int64_t input_count);

/* What there is, in a few lines. */
void usage_print(FILE *file);

/* The help of the program (COMMAND_COUNT) or of a command, and the manual page, on stdout. */
void help_print(command_id command);
void manual_page_print(void);

#define CLI_COMMAND(NAME, name, arguments, least, greatest, line, text) \
    int command_##name(const cli_options *options);
#include "cli/commands.def"

#endif

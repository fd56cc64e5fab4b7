/* What may stand where on the command line, for scripts that complete it. */
#ifndef REGAL_CLI_COMPLETION_VALUES_H
#define REGAL_CLI_COMPLETION_VALUES_H

#include "cli/help_parts.h"
#include "regal/dataset.h"

typedef struct value_kinds {
    bool words, files, list; /* list: several words with commas between */
} value_kinds;

/* What the value of an option may be; nothing where only the user knows. */
value_kinds value_kinds_of(const option_info *option);
/* Prints the words, each after a blank. */
void value_words_print(FILE *file, const option_info *option);

/* The first argument of a command: whether words can be told. Most take files. */
bool argument_has_words(command_id command);
bool argument_has_files(command_id command);
void argument_words_print(FILE *file, command_id command);

/* The help of an option, or any other text, cut down to its first clause. */
enum { SHORT_TEXT = 72 };
const char *text_cut(const char *text, char cut[SHORT_TEXT + 1]);

/* The scripts. */
void completions_bash(FILE *file);
void completions_zsh(FILE *file);
void completions_fish(FILE *file);

#endif

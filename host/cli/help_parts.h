/* What the help consists of: options in words, topics. */
#ifndef REGAL_CLI_HELP_PARTS_H
#define REGAL_CLI_HELP_PARTS_H

#include "cli/help_page.h"
#include "cli/options.h"

/* "--name ARGUMENT", with the short form where there is one, in its column (wide) or before it. */
void option_describe_flag(const option_info *option, bool wide, char *text, size_t size);
/* What the option is for, its choices and its default. */
void option_describe(command_id command, const option_info *option, char *text, size_t size);

/* Whether help, completions and the manual tell of the option at this command. */
static inline bool option_is_of(const option_info *option, command_id command) {
    return (option->commands & (1u << command)) != 0;
}

/* Topics of `regal help`. Index from 0; NULL past the last. */
const char *help_topic_name(size_t index);
const char *help_topic_line(size_t index);
/* The whole of it. */
void help_topic_print(size_t index, help_page *page);
/* The index of the topic that is named so, or SIZE_MAX. */
size_t help_topic_find(const char *name);

/* A script for "bash", "zsh" or "fish" that completes commands, options and their values, on
 * standard output. */
void completions_print(const char *shell);

#endif

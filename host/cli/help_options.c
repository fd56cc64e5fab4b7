/* Options in words. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/help_parts.h"

void option_describe_flag(const option_info *option, bool wide, char *text, size_t size) {
    char letter[8] = "";
    if (option->letter)
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    else if (wide)
        snprintf(letter, sizeof letter, "    ");
    snprintf(text, size, "%s--%s%s%s", letter, option->flag, option->argument ? " " : "",
             option->argument ? option->argument : "");
}

/* " (default: ...)", or "" where there is none, or where the help explains it in parentheses. */
static void describe_default(command_id command, const option_info *option, char *text,
                             size_t size) {
    cli_options defaults;
    options_set_defaults(command, &defaults);
    const void *member = (const char *)&defaults + option->offset;
    text[0] = '\0';
    const size_t length = strlen(option->help);
    if (length > 0 && option->help[length - 1] == ')')
        return;
    if (option->kind == OPTION_INT && option->int_standard != -1)
        snprintf(text, size, " (default: %" PRId64 ")", option->int_standard);
    else if (option->kind == OPTION_SEED)
        snprintf(text, size, " (default: %" PRIu64 ")", option->seed_standard);
    else if (option->kind == OPTION_REAL && option->real_standard >= option->real_least)
        snprintf(text, size, " (default: %g)", option->real_standard);
    else if (option->kind == OPTION_TEXT && option->text_standard && *option->text_standard)
        snprintf(text, size, " (default: %s)", *(const char *const *)member);
}

/* Bytes of the help before the parenthesis that it ends in, if any. */
static int length_of_meaning(const char *help) {
    const size_t length = strlen(help);
    const char *note = help + length;
    if (length > 0 && help[length - 1] == ')')
        while (note > help && strncmp(note, " (", 2) != 0)
            note--;
    return (int)(note > help ? (size_t)(note - help) : length);
}

void option_describe(command_id command, const option_info *option, char *text, size_t size) {
    char standard[64], choices[128] = "";
    describe_default(command, option, standard, sizeof standard);
    if (option->choices && *option->choices && strcmp(option->choices, option->argument) != 0)
        snprintf(choices, sizeof choices, ": %s", option->choices);
    const int length = length_of_meaning(option->help);
    snprintf(text, size, "%.*s%s%s%s", length, option->help, choices, option->help + length,
             standard);
}

#include "cli/completion_values.h"

#include <ctype.h>
#include <string.h>

static void print_word(FILE *file, const char *word) {
    fprintf(file, " %s", word);
}

/* A token of "auto|none|FILE" or "time|memory" that is to be typed as it stands. */
static bool is_literal(const char *token, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (!islower((unsigned char)token[i]) && !isdigit((unsigned char)token[i]) &&
            token[i] != '-' && token[i] != '+')
            return false;
    return length > 0;
}

/* The literal tokens between `separator`s, printed where there is a file; how many there are. */
static int literals(FILE *file, const char *tokens, const char *separator) {
    int count = 0;
    while (*tokens != '\0') {
        const size_t length = strcspn(tokens, separator);
        if (is_literal(tokens, length)) {
            count++;
            if (file)
                fprintf(file, " %.*s", (int)length, tokens);
        }
        tokens += length + (tokens[length] != '\0');
    }
    return count;
}

static bool is_flag(const option_info *option, const char *flag) {
    return strcmp(option->flag, flag) == 0;
}

static bool names_methods(const option_info *option) {
    return option->commands == ON_COMPARE &&
           (is_flag(option, "methods") || is_flag(option, "reference"));
}

/* A list whose default is all of its words. */
static bool defaults_to_all(const option_info *option) {
    return option->argument && strcmp(option->argument, "LIST") == 0 && option->text_standard;
}

static bool names_format(const option_info *option) {
    return option->argument && strcmp(option->argument, "FORMAT") == 0;
}

static const char *tokens_of(const option_info *option) {
    return option->choices && *option->choices ? option->choices
           : option->argument                  ? option->argument
                                               : "";
}

value_kinds value_kinds_of(const option_info *option) {
    static const char *const places[] = {"FILE", "FOLDER", "SET", "POLICY", "PLAN"};
    value_kinds kinds = {0};
    if (option->kind != OPTION_TEXT)
        return kinds;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        kinds.files = kinds.files || strstr(option->argument, places[i]) != NULL;
    kinds.words = is_flag(option, "profile") || names_methods(option) || names_format(option) ||
                  defaults_to_all(option) || literals(NULL, tokens_of(option), "|") > 0;
    kinds.list = strstr(option->argument, "[,") != NULL || defaults_to_all(option);
    return kinds;
}

static void print_methods(FILE *file, bool many) {
    regal_method_info info;
    if (many)
        fputs(" standard classical all list", file);
    for (int64_t i = 0; regal_method_describe(i, &info); i++)
        print_word(file, info.word);
}

static void print_formats(FILE *file) {
    regal_format_info info;
    for (int64_t i = 0; regal_format_describe(i, &info); i++)
        if (info.writes)
            print_word(file, info.name);
}

void value_words_print(FILE *file, const option_info *option) {
    regal_profile_info profile;
    if (is_flag(option, "profile"))
        for (int64_t i = 0; regal_profile_describe(i, &profile); i++)
            print_word(file, profile.name);
    else if (names_methods(option))
        print_methods(file, is_flag(option, "methods"));
    else if (names_format(option))
        print_formats(file);
    else if (defaults_to_all(option))
        literals(file, option->text_standard, ",");
    else
        literals(file, tokens_of(option), "|");
}

bool argument_has_words(command_id command) {
    return command == COMMAND_GENERATE || command == COMMAND_HELP || command == COMMAND_EVALUATE;
}

bool argument_has_files(command_id command) {
    return command_table[command].greatest != 0 && command != COMMAND_GENERATE &&
           command != COMMAND_HELP;
}

void argument_words_print(FILE *file, command_id command) {
    regal_generator_info generator;
    if (command == COMMAND_GENERATE) {
        print_word(file, "dataset");
        for (int64_t i = 0; regal_generator_describe(i, &generator); i++)
            print_word(file, generator.name);
    } else if (command == COMMAND_HELP) {
        for (command_id id = 0; id < COMMAND_COUNT; id++)
            print_word(file, command_table[id].name);
        for (size_t i = 0; help_topic_name(i); i++)
            print_word(file, help_topic_name(i));
    } else if (command == COMMAND_EVALUATE) {
        fputs(" auto none upward-rank bytes-freed heft-seed untrained", file);
    }
}

const char *text_cut(const char *text, char cut[SHORT_TEXT + 1]) {
    size_t length = strcspn(text, ";:\n");
    const char *note = strstr(text, " (");
    if (note && (size_t)(note - text) < length)
        length = (size_t)(note - text);
    if (length > SHORT_TEXT) {
        length = SHORT_TEXT;
        while (length > 0 && text[length] != ' ')
            length--;
    }
    memcpy(cut, text, length);
    cut[length] = '\0';
    return cut;
}

/* The scripts for zsh and fish. */
#include <string.h>

#include "cli/completion_values.h"

/* The text with a backslash before each of `special`. */
static void print_escaped(FILE *file, const char *text, const char *special) {
    for (; *text != '\0'; text++) {
        if (strchr(special, *text))
            putc('\\', file);
        putc(*text, file);
    }
}

/* ---- zsh */

/* Within single quotes and brackets; an apostrophe would end the quotes. */
static void zsh_text(FILE *file, const char *text) {
    char cut[SHORT_TEXT + 1];
    for (const char *at = text_cut(text, cut); *at != '\0'; at++) {
        if (*at == '\'') {
            fputs("'\\''", file);
            continue;
        }
        if (strchr("[]:\\", *at))
            putc('\\', file);
        putc(*at, file);
    }
}

/* ":what:action" of a value. */
static void zsh_value(FILE *file, const option_info *option) {
    const value_kinds kinds = value_kinds_of(option);
    if (option->kind == OPTION_FLAG)
        return;
    fprintf(file, ":%s:", option->flag);
    if (kinds.list && kinds.words) {
        fprintf(file, "_values -s , %s", option->flag);
        value_words_print(file, option);
    } else if (kinds.files && kinds.words) {
        fputs(" _regal_words_or_files", file);
        value_words_print(file, option);
    } else if (kinds.files) {
        fputs("_files", file);
    } else if (kinds.words) {
        fputs("(", file);
        value_words_print(file, option);
        fputs(" )", file);
    }
}

static void zsh_option(FILE *file, const option_info *option) {
    const bool valued = option->kind != OPTION_FLAG;
    fputs("            ", file);
    if (option->letter)
        fprintf(file, "'(-%c --%s)'{-%c%s,--%s%s}'[", option->letter, option->flag, option->letter,
                valued ? "+" : "", option->flag, valued ? "=" : "");
    else
        fprintf(file, "'--%s%s[", option->flag, valued ? "=" : "");
    zsh_text(file, option->help);
    fputs("]", file);
    zsh_value(file, option);
    fputs("' \\\n", file);
}

static void zsh_command(FILE *file, command_id command) {
    fprintf(file, "    %s)\n        _arguments -S -s : \\\n", command_table[command].name);
    for (size_t i = 0; i < option_table_size; i++)
        if (option_is_of(&option_table[i], command))
            zsh_option(file, &option_table[i]);
    if (argument_has_words(command)) {
        fputs("            '1:what: ", file);
        fputs(argument_has_files(command) ? "_regal_words_or_files" : "compadd -- ", file);
        argument_words_print(file, command);
        fputs("' \\\n", file);
    }
    if (argument_has_files(command))
        fputs("            '*:file:_files'\n", file);
    else if (command == COMMAND_GENERATE)
        fputs("            '*:parameter: _regal_parameters'\n", file);
    else
        fputs("            && return\n", file);
    fputs("        ;;\n", file);
}

static void zsh_parameters(FILE *file) {
    regal_generator_info info;
    fputs("\n_regal_parameters() {\n"
          "    if [[ ${words[2]} == dataset && CURRENT -eq 3 ]]; then\n        compadd --",
          file);
    for (int64_t i = 0; regal_dataset_describe(i, &info); i++)
        fprintf(file, " %s", info.name);
    fputs("\n        return\n    fi\n    case ${words[2]} in\n", file);
    for (int64_t i = 0; regal_generator_describe(i, &info); i++) {
        fprintf(file, "    %s) compadd -S = --", info.name);
        for (int64_t p = 0; p < info.parameter_count; p++)
            fprintf(file, " %s", info.parameters[p].name);
        fputs(" ;;\n", file);
    }
    fputs("    esac\n}\n", file);
}

void completions_zsh(FILE *file) {
    fputs("#compdef regal\n# Completion for zsh: made by `regal help --completions zsh`.\n\n"
          "_regal_words_or_files() {\n    compadd -- \"$@\"\n    _files\n}\n",
          file);
    zsh_parameters(file);
    fputs("\n_regal() {\n"
          "    local -a commands=(\n",
          file);
    for (command_id id = 0; id < COMMAND_COUNT; id++) {
        fprintf(file, "        '%s:", command_table[id].name);
        zsh_text(file, command_table[id].line);
        fputs("'\n", file);
    }
    fputs("    )\n"
          "    if ((CURRENT == 2)); then\n"
          "        _describe -t commands command commands\n"
          "        return\n"
          "    fi\n"
          "    shift words\n"
          "    ((CURRENT--))\n"
          "    case ${words[1]} in\n",
          file);
    for (command_id id = 0; id < COMMAND_COUNT; id++)
        zsh_command(file, id);
    fputs("    esac\n}\n\n"
          "if [[ ${funcstack[1]} == _regal ]]; then\n"
          "    _regal \"$@\"\n"
          "else\n"
          "    compdef _regal regal\n"
          "fi\n",
          file);
}

/* ---- fish */

static void fish_text(FILE *file, const char *text) {
    char cut[SHORT_TEXT + 1];
    print_escaped(file, text_cut(text, cut), "'\\");
}

static void fish_option(FILE *file, command_id command, const option_info *option) {
    const value_kinds kinds = value_kinds_of(option);
    fprintf(file, "complete -c regal -n '__regal_command %s' -l %s", command_table[command].name,
            option->flag);
    if (option->letter)
        fprintf(file, " -s %c", option->letter);
    if (option->kind != OPTION_FLAG)
        fputs(kinds.files ? " -r -F" : " -x", file);
    if (kinds.words && kinds.list) {
        fputs(" -a '(__fish_append ,", file);
        value_words_print(file, option);
        fputs(")'", file);
    } else if (kinds.words) {
        fputs(" -a '", file);
        value_words_print(file, option);
        fputs("'", file);
    }
    fputs(" -d '", file);
    fish_text(file, option->help);
    fputs("'\n", file);
}

static void fish_arguments(FILE *file, command_id command) {
    const char *name = command_table[command].name;
    if (argument_has_files(command))
        fprintf(file, "complete -c regal -n '__regal_command %s' -F\n", name);
    if (argument_has_words(command)) {
        fprintf(file, "complete -c regal -n '__regal_command %s' -a '", name);
        argument_words_print(file, command);
        fputs("'\n", file);
    }
}

void completions_fish(FILE *file) {
    fputs("# Completion for fish: made by `regal help --completions fish`.\n"
          "function __regal_command\n"
          "    set -l words (commandline -opc)\n"
          "    test (count $words) -gt 1; and contains -- $words[2] $argv\n"
          "end\n\n"
          "complete -c regal -f\n",
          file);
    for (command_id id = 0; id < COMMAND_COUNT; id++) {
        fprintf(file, "complete -c regal -n 'test (count (commandline -opc)) -eq 1' -a %s -d '",
                command_table[id].name);
        fish_text(file, command_table[id].line);
        fputs("'\n", file);
    }
    for (command_id id = 0; id < COMMAND_COUNT; id++) {
        for (size_t i = 0; i < option_table_size; i++)
            if (option_is_of(&option_table[i], id))
                fish_option(file, id, &option_table[i]);
        fish_arguments(file, id);
    }
}

/* Scripts that complete the command line, made from the tables of commands and options. */
#include <string.h>

#include "cli/completion_values.h"

void completions_print(const char *shell) {
    if (strcmp(shell, "bash") == 0)
        completions_bash(stdout);
    else if (strcmp(shell, "zsh") == 0)
        completions_zsh(stdout);
    else
        completions_fish(stdout);
}

/* ---- bash */

/* "optimize:--objective) words='time memory' ;;" for an option that takes a value. */
static void bash_value(FILE *file, command_id command, const option_info *option) {
    const value_kinds kinds = value_kinds_of(option);
    const char *name = command_table[command].name;
    fprintf(file, "    %s:--%s", name, option->flag);
    if (option->letter)
        fprintf(file, " | %s:-%c", name, option->letter);
    fputs(")", file);
    if (kinds.words) {
        fputs(" words='", file);
        value_words_print(file, option);
        fputs("'", file);
    }
    fprintf(file, "%s%s ;;\n", kinds.files ? " files=1" : "", kinds.list ? " list=1" : "");
}

static void bash_values(FILE *file) {
    fputs("\n# What the value of an option may be; false for options without one.\n"
          "_regal_value() {\n"
          "    words='' files='' list=''\n"
          "    case $1:$2 in\n",
          file);
    for (command_id id = 0; id < COMMAND_COUNT; id++)
        for (size_t i = 0; i < option_table_size; i++)
            if (option_is_of(&option_table[i], id) && option_table[i].kind != OPTION_FLAG)
                bash_value(file, id, &option_table[i]);
    fputs("    *) return 1 ;;\n    esac\n}\n", file);
}

static void bash_options(FILE *file) {
    fputs("\n_regal_options() {\n    case $1 in\n", file);
    for (command_id id = 0; id < COMMAND_COUNT; id++) {
        fprintf(file, "    %s) words='", command_table[id].name);
        for (size_t i = 0; i < option_table_size; i++)
            if (option_is_of(&option_table[i], id))
                fprintf(file, " --%s", option_table[i].flag);
        fputs("' ;;\n", file);
    }
    fputs("    esac\n}\n", file);
}

static void bash_parameters(FILE *file) {
    regal_generator_info info;
    fputs("\n# Of a generator or a dataset.\n_regal_parameters() {\n    case $1 in\n", file);
    for (int kind = 0; kind < 2; kind++)
        for (int64_t i = 0;
             kind == 0 ? regal_generator_describe(i, &info) : regal_dataset_describe(i, &info);
             i++) {
            fprintf(file, "    %s) words='", info.name);
            for (int64_t p = 0; p < info.parameter_count; p++)
                fprintf(file, " %s=", info.parameters[p].name);
            fputs("' ;;\n", file);
        }
    fputs("    esac\n}\n", file);
}

/* What stands where an option does not: `before` holds the arguments so far. */
static void bash_arguments(FILE *file) {
    regal_generator_info info;
    fputs("\n_regal_argument() {\n"
          "    words='' files=1\n"
          "    case $command:${#before[@]} in\n",
          file);
    for (command_id id = 0; id < COMMAND_COUNT; id++) {
        if (argument_has_words(id)) {
            fprintf(file, "    %s:0)%s words='", command_table[id].name,
                    argument_has_files(id) ? "" : " files=''");
            argument_words_print(file, id);
            fputs("' ;;\n", file);
        }
        if (!argument_has_files(id) && id != COMMAND_GENERATE)
            fprintf(file, "    %s:*) files='' ;;\n", command_table[id].name);
    }
    fputs("    generate:*)\n"
          "        files=''\n"
          "        if [[ ${before[0]} == dataset && ${#before[@]} == 1 ]]; then\n"
          "            words='",
          file);
    for (int64_t i = 0; regal_dataset_describe(i, &info); i++)
        fprintf(file, " %s", info.name);
    fputs("'\n"
          "        else\n"
          "            [[ ${before[0]} == dataset ]] && unset 'before[0]'\n"
          "            before=(\"${before[@]}\")\n"
          "            _regal_parameters \"${before[0]}\"\n"
          "        fi ;;\n"
          "    esac\n}\n",
          file);
}

static const char bash_main[] =
    "\n_regal() {\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
    "    local command=${COMP_WORDS[1]} words='' files='' list='' option='' lead='' ended='' i\n"
    "    local -a before=()\n"
    "    COMPREPLY=()\n"
    "    if ((COMP_CWORD == 1)); then\n"
    "        mapfile -t COMPREPLY < <(compgen -W \"$_regal_commands --help --version\" -- "
    "\"$cur\")\n"
    "        return\n"
    "    fi\n"
    "    # The words so far; bash takes `=` for one.\n"
    "    for ((i = 2; i < COMP_CWORD; i++)); do\n"
    "        local word=${COMP_WORDS[i]}\n"
    "        if [[ $ended ]]; then\n"
    "            before+=(\"$word\")\n"
    "        elif [[ $word == -- ]]; then\n"
    "            ended=1\n"
    "        elif [[ $word == -?* ]]; then\n"
    "            if _regal_value \"$command\" \"$word\"; then\n"
    "                [[ ${COMP_WORDS[i + 1]} == = ]] && ((i++))\n"
    "                ((i++))\n"
    "            fi\n"
    "        elif [[ $word == = ]]; then\n"
    "            ((i++)) # and the value of a parameter\n"
    "        else\n"
    "            before+=(\"$word\")\n"
    "        fi\n"
    "    done\n"
    "    if [[ ! $ended ]]; then\n"
    "        if [[ $cur == --*=* ]]; then\n"
    "            option=${cur%%=*} lead=$option= cur=${cur#*=}\n"
    "        elif [[ $cur == = ]]; then\n"
    "            option=$prev cur=''\n"
    "        elif [[ $prev == = ]]; then\n"
    "            option=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "        else\n"
    "            option=$prev\n"
    "        fi\n"
    "    fi\n"
    "    if [[ $option == -?* ]] && _regal_value \"$command\" \"$option\"; then\n"
    "        if [[ $list && $cur == *,* ]]; then\n"
    "            lead+=${cur%,*},\n"
    "            cur=${cur##*,}\n"
    "        fi\n"
    "    elif [[ ! $ended && $cur == -* ]]; then\n"
    "        words='' files=''\n"
    "        _regal_options \"$command\"\n"
    "    else\n"
    "        [[ $cur == = || $prev == = ]] && return # a number\n"
    "        _regal_argument\n"
    "        [[ $words == *= ]] && compopt -o nospace 2> /dev/null\n"
    "    fi\n"
    "    [[ $words ]] && mapfile -t COMPREPLY < <(compgen -P \"$lead\" -W \"$words\" -- \"$cur\")\n"
    "    if [[ $files ]]; then\n"
    "        local -a found\n"
    "        mapfile -t found < <(compgen -P \"$lead\" -f -- \"$cur\")\n"
    "        COMPREPLY+=(\"${found[@]}\")\n"
    "        compopt -o filenames 2> /dev/null\n"
    "    fi\n"
    "    return 0\n"
    "}\n"
    "complete -F _regal regal\n";

void completions_bash(FILE *file) {
    fputs("# Completion for bash: made by `regal help --completions bash`.\n_regal_commands='",
          file);
    for (command_id id = 0; id < COMMAND_COUNT; id++)
        fprintf(file, " %s", command_table[id].name);
    fputs("'\n", file);
    bash_values(file);
    bash_options(file);
    bash_parameters(file);
    bash_arguments(file);
    fputs(bash_main, file);
}

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/options.h"

enum { WIDTH = 90, TEXT_COLUMN = 28 };

static const char *const group_titles[] = {
#define TITLE(name, title) title,
    OPTION_GROUP_LIST(TITLE)
#undef TITLE
};

/* Prints text from column `column` on, broken at spaces, each further line indented by `indent`. */
static void print_wrapped(const char *text, size_t column, size_t indent) {
    while (*text != '\0') {
        const size_t word = strcspn(text, " \n");
        if (column > indent && column + 1 + word > WIDTH) {
            printf("\n%*s", (int)indent, "");
            column = indent;
        } else if (column > indent) {
            putchar(' ');
            column++;
        }
        fwrite(text, 1, word, stdout);
        column += word;
        text += word;
        if (*text == '\n') {
            printf("\n%*s", (int)indent, "");
            column = indent;
        }
        text += *text != '\0';
    }
    putchar('\n');
}

/* "--name ARGUMENT", with the short form where there is one. */
static void describe_flag(const option_info *option, char *text, size_t size) {
    char letter[8] = "    ";
    if (option->letter)
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
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

static void describe_option(command_id command, const option_info *option, char *text,
                            size_t size) {
    char standard[64], choices[128] = "";
    describe_default(command, option, standard, sizeof standard);
    if (option->choices && *option->choices && strcmp(option->choices, option->argument) != 0)
        snprintf(choices, sizeof choices, ": %s", option->choices);
    snprintf(text, size, "%s%s%s", option->help, choices, standard);
}

static void print_option(command_id command, const option_info *option) {
    char flag[96], text[512];
    describe_flag(option, flag, sizeof flag);
    describe_option(command, option, text, sizeof text);
    const int length = printf("  %s", flag);
    if (length + 2 > TEXT_COLUMN)
        printf("\n%*s", TEXT_COLUMN, "");
    else
        printf("%*s", TEXT_COLUMN - length, "");
    print_wrapped(text, TEXT_COLUMN, TEXT_COLUMN);
}

static void print_group(command_id command, option_group group) {
    bool first = true;
    for (size_t i = 0; i < option_table_size; i++) {
        const option_info *option = &option_table[i];
        if (option->group != group || !(option->commands & (1u << command)))
            continue;
        if (first)
            printf("\n%s\n", group_titles[group]);
        first = false;
        print_option(command, option);
    }
}

static void print_generators(void) {
    regal_generator_info info;
    puts("\nGenerators");
    for (int64_t i = 0; regal_generator_describe(i, &info); i++) {
        const int length = printf("  %s", info.name);
        printf("%*s", length < TEXT_COLUMN ? TEXT_COLUMN - length : 1, "");
        print_wrapped(info.line, TEXT_COLUMN, TEXT_COLUMN);
    }
}

static void print_command(command_id command) {
    const command_info *info = &command_table[command];
    printf("regal %s%s%s [options]\n\n", info->name, *info->arguments ? " " : "", info->arguments);
    print_wrapped(info->text, 0, 0);
    for (option_group group = 0; group < OPTION_GROUP_COUNT; group++)
        print_group(command, group);
    puts("\nOptions may stand anywhere; `--` ends them; of an option given twice the last counts.");
    if (command == COMMAND_GENERATE)
        print_generators();
}

void usage_print(FILE *file) {
    fputs(
        "REGAL finds where and when each op of a computation graph runs, over several devices.\n\n"
        "regal COMMAND ...\n",
        file);
    for (command_id id = 0; id < COMMAND_COUNT; id++)
        fprintf(file, "  %-10s %s\n", command_table[id].name, command_table[id].line);
    fputs(
        "\nregal COMMAND --help explains a command; regal --version prints the version.\n\n"
        "For a first plan:\n"
        "  regal generate transformer -o graph.json\n"
        "  regal optimize graph.json --devices 4 -o plan.json\n\n"
        "Exit codes: 0 done, 2 wrong usage or input, 3 no plan within the limits, 4 interrupted,\n"
        "1 anything else.\n",
        file);
}

void help_print(command_id command) {
    if (command < COMMAND_COUNT)
        print_command(command);
    else
        usage_print(stdout);
}

/* Text for troff: backslashes and hyphens escaped, a leading dot or quote protected. */
static void print_troff(const char *text) {
    if (*text == '.' || *text == '\'')
        fputs("\\&", stdout);
    for (; *text != '\0'; text++) {
        if (*text == '\\')
            fputs("\\e", stdout);
        else if (*text == '-')
            fputs("\\-", stdout);
        else if (*text == '\n')
            fputs("\n.PP\n", stdout);
        else
            putchar(*text);
    }
}

static void print_troff_option(command_id command, const option_info *option) {
    char text[512];
    describe_option(command, option, text, sizeof text);
    fputs(".TP\n", stdout);
    if (option->letter)
        printf("\\fB\\-%c\\fR, ", option->letter);
    fputs("\\fB\\-\\-", stdout);
    print_troff(option->flag);
    fputs("\\fR", stdout);
    if (option->argument) {
        fputs(" \\fI", stdout);
        print_troff(option->argument);
        fputs("\\fR", stdout);
    }
    putchar('\n');
    print_troff(text);
    putchar('\n');
}

static void print_troff_command(command_id command) {
    const command_info *info = &command_table[command];
    printf(".SS regal %s ", info->name);
    print_troff(info->arguments);
    putchar('\n');
    print_troff(info->text);
    putchar('\n');
    for (option_group group = 0; group < OPTION_GROUP_COUNT; group++)
        for (size_t i = 0; i < option_table_size; i++)
            if (option_table[i].group == group && option_table[i].commands != ON_ALL &&
                (option_table[i].commands & (1u << command)))
                print_troff_option(command, &option_table[i]);
}

void manual_page_print(void) {
    printf(".TH REGAL 1 \"\" \"REGAL %s\" \"User Commands\"\n", REGAL_VERSION);
    puts(".SH NAME\nregal \\- place and schedule computation graphs over several devices\n"
         ".SH SYNOPSIS\n\\fBregal\\fR \\fICOMMAND\\fR [\\fIoptions\\fR] ...\n.SH COMMANDS");
    for (command_id id = 0; id < COMMAND_COUNT; id++)
        print_troff_command(id);
    puts(".SH EXIT STATUS\n"
         ".TP\n0\ndone\n.TP\n2\nwrong usage or input\n.TP\n3\nno plan within the limits\n"
         ".TP\n4\ninterrupted; the best plan so far was written\n.TP\n1\nanything else");
}

int command_help(const cli_options *options) {
    if (options->man) {
        manual_page_print();
        return 0;
    }
    command_id command = COMMAND_COUNT;
    if (options->argument_count == 1) {
        command = command_find(options->arguments[0]);
        if (command == COMMAND_COUNT)
            return usage_unknown_command(options->arguments[0]);
    }
    help_print(command);
    return 0;
}

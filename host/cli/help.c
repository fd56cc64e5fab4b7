#include <stdint.h>
#include <string.h>

#include "cli/help_parts.h"

static const char *const group_titles[] = {
#define TITLE(name, title) title,
    OPTION_GROUP_LIST(TITLE)
#undef TITLE
};

/* The options of a group that the command takes; `all`: also those that every command takes. */
static void print_group(help_page *page, command_id command, option_group group, bool all) {
    char flag[96], text[512];
    bool first = true;
    for (size_t i = 0; i < option_table_size; i++) {
        const option_info *option = &option_table[i];
        if (option->group != group || !option_is_of(option, command) ||
            (!all && option->commands == ON_ALL))
            continue;
        if (first && !page->troff)
            page_heading(page, group_titles[group]);
        first = false;
        option_describe_flag(option, !page->troff, flag, sizeof flag);
        option_describe(command, option, text, sizeof text);
        page_item(page, flag, text);
    }
}

static void print_generators(help_page *page) {
    regal_generator_info info;
    page_heading(page, "Generators");
    for (int64_t i = 0; regal_generator_describe(i, &info); i++)
        page_item(page, info.name, info.line);
}

static void print_topics(help_page *page) {
    for (size_t i = 0; help_topic_name(i); i++)
        page_item(page, help_topic_name(i), help_topic_line(i));
}

static void print_command(command_id command) {
    const command_info *info = &command_table[command];
    help_page page = {.file = stdout, .begun = true};
    printf("regal %s%s%s [options]\n", info->name, *info->arguments ? " " : "", info->arguments);
    page_text(&page, info->text);
    for (option_group group = 0; group < OPTION_GROUP_COUNT; group++)
        print_group(&page, command, group, true);
    puts("\nOptions may stand anywhere; `--` ends them; of an option given twice the last counts.");
    if (command == COMMAND_GENERATE)
        print_generators(&page);
    if (command == COMMAND_HELP) {
        page_heading(&page, "Topics");
        print_topics(&page);
    }
}

void usage_print(FILE *file) {
    fputs(
        "REGAL finds where and when each op of a computation graph runs, over several devices.\n\n"
        "regal COMMAND ...\n",
        file);
    for (command_id id = 0; id < COMMAND_COUNT; id++)
        fprintf(file, "  %-10s %s\n", command_table[id].name, command_table[id].line);
    fputs("\nregal COMMAND --help explains a command; regal --version prints the version.\n\n"
          "regal help TOPIC\n",
          file);
    for (size_t i = 0; help_topic_name(i); i++)
        fprintf(file, "  %-12s %s\n", help_topic_name(i), help_topic_line(i));
    fputs(
        "\nFor a first plan:\n"
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

static void manual_command(help_page *page, command_id command) {
    const command_info *info = &command_table[command];
    char title[128];
    snprintf(title, sizeof title, "regal %s%s%s", info->name, *info->arguments ? " " : "",
             info->arguments);
    page_heading(page, title);
    page_text(page, info->text);
    for (option_group group = 0; group < OPTION_GROUP_COUNT; group++)
        print_group(page, command, group, false);
}

/* A section of its own for what manual pages have one for. */
static void manual_topic(help_page *page, const char *name, const char *section) {
    printf(".SH %s\n", section);
    help_topic_print(help_topic_find(name), page);
}

static const char EXIT_CODES[] = "exit-codes", ENVIRONMENT[] = "environment";

void manual_page_print(void) {
    help_page page = {.file = stdout, .troff = true};
    printf(".TH REGAL 1 \"\" \"REGAL %s\" \"User Commands\"\n", REGAL_VERSION);
    puts(".SH NAME\nregal \\- place and schedule computation graphs over several devices\n"
         ".SH SYNOPSIS\n\\fBregal\\fR \\fICOMMAND\\fR [\\fIoptions\\fR] ...\n.SH COMMANDS");
    for (command_id id = 0; id < COMMAND_COUNT; id++)
        manual_command(&page, id);
    puts(".SH TOPICS");
    for (size_t i = 0; help_topic_name(i); i++) {
        if (strcmp(help_topic_name(i), EXIT_CODES) == 0 ||
            strcmp(help_topic_name(i), ENVIRONMENT) == 0)
            continue;
        page_heading(&page, help_topic_name(i));
        help_topic_print(i, &page);
    }
    manual_topic(&page, ENVIRONMENT, "ENVIRONMENT");
    manual_topic(&page, EXIT_CODES, "EXIT STATUS");
}

/* Commands, then topics. */
static const char *word_at(size_t index, void *context) {
    (void)context;
    return index < COMMAND_COUNT ? command_table[index].name
                                 : help_topic_name(index - COMMAND_COUNT);
}

static int explain(const char *word) {
    const command_id command = command_find(word);
    const size_t topic = help_topic_find(word);
    if (command < COMMAND_COUNT) {
        help_print(command);
        return 0;
    }
    if (topic != SIZE_MAX) {
        help_topic_print(topic, &(help_page){.file = stdout});
        return 0;
    }
    const char *near = regal_nearest_word(word, word_at, NULL);
    return usage_error(COMMAND_HELP, "no command or topic is named \"%.100s\"%s%s%s", word,
                       near ? ": did you mean " : "", near ? near : "", near ? "?" : "");
}

int command_help(const cli_options *options) {
    if (options->man)
        manual_page_print();
    else if (options->completions)
        completions_print(options->completions);
    else if (options->argument_count == 1)
        return explain(options->arguments[0]);
    else
        help_print(COMMAND_COUNT);
    return 0;
}

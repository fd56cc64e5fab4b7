#include "cli/options.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/console.h"

const command_info command_table[COMMAND_COUNT] = {
#define CLI_COMMAND(NAME, name, arguments, least, greatest, line, text) \
    {#name, arguments, line, text, least, greatest, command_##name},
#include "cli/commands.def"
};

/* Those that `regal evaluate` settles itself. */
#define IS_FIELD(one, other) (offsetof(regal_options, one) == offsetof(regal_options, other))
#define IS_OF_ONE_GRAPH(field)                                                                     \
    (IS_FIELD(field, objective) || IS_FIELD(field, evaluations) || IS_FIELD(field, generations) || \
     IS_FIELD(field, target) || IS_FIELD(field, seed) || IS_FIELD(field, policy) ||                \
     IS_FIELD(field, proposals) || IS_FIELD(field, dump_proposals))
/* Those that are the same for every method that `regal compare` runs. */
#define IS_OF_ALL_METHODS(field)                                                      \
    (IS_FIELD(field, seed) || IS_FIELD(field, threads) || IS_FIELD(field, backend) || \
     IS_FIELD(field, gpu))
#define SEARCH(kind_, field_, flag_, argument_, help_)                          \
    .kind = (kind_), .flag = (flag_), .argument = (argument_), .help = (help_), \
    .group = GROUP_SEARCH,                                                      \
    .commands = ON_OPTIMIZE | (IS_OF_ONE_GRAPH(field_) ? 0 : ON_EVALUATE) |     \
                (IS_OF_ALL_METHODS(field_) ? ON_COMPARE : 0),                   \
    .offset = offsetof(cli_options, search.field_)
#define TRAIN(kind_, field_, flag_, argument_, help_)                           \
    .kind = (kind_), .flag = (flag_), .argument = (argument_), .help = (help_), \
    .group = GROUP_TRAIN, .commands = ON_TRAIN, .offset = offsetof(cli_options, train.field_)
#define OTHER(kind_, field_, flag_, letter_, argument_, group_, commands_, help_)   \
    .kind = (kind_), .flag = (flag_), .letter = (letter_), .argument = (argument_), \
    .help = (help_), .group = (group_), .commands = (commands_),                    \
    .offset = offsetof(cli_options, field_)

const option_info option_table[] = {
#define REGAL_OPTION_INT(field, flag, argument, standard, low, high, help)        \
    {SEARCH(OPTION_INT, field, flag, argument, help), .int_standard = (standard), \
     .int_least = (low), .int_greatest = (high)},
#define REGAL_OPTION_SEED(field, flag, argument, standard, help) \
    {SEARCH(OPTION_SEED, field, flag, argument, help), .seed_standard = (standard)},
#define REGAL_OPTION_REAL(field, flag, argument, standard, low, high, help)         \
    {SEARCH(OPTION_REAL, field, flag, argument, help), .real_standard = (standard), \
     .real_least = (low), .real_greatest = (high)},
#define REGAL_OPTION_TEXT(field, flag, argument, standard, choices_, help)          \
    {SEARCH(OPTION_TEXT, field, flag, argument, help), .text_standard = (standard), \
     .choices = (choices_)},
#include "regal/options.def"
#define REGAL_TRAIN_INT(field, flag, argument, standard, low, high, help)        \
    {TRAIN(OPTION_INT, field, flag, argument, help), .int_standard = (standard), \
     .int_least = (low), .int_greatest = (high)},
#define REGAL_TRAIN_SEED(field, flag, argument, standard, help) \
    {TRAIN(OPTION_SEED, field, flag, argument, help), .seed_standard = (standard)},
#define REGAL_TRAIN_REAL(field, flag, argument, standard, low, high, help)         \
    {TRAIN(OPTION_REAL, field, flag, argument, help), .real_standard = (standard), \
     .real_least = (low), .real_greatest = (high)},
#define REGAL_TRAIN_TEXT(field, flag, argument, standard, help) \
    {TRAIN(OPTION_TEXT, field, flag, argument, help), .text_standard = (standard), .choices = ""},
#include "regal/train_options.def"
#define CLI_OPTION_FLAG(field, flag, letter, group, commands, help) \
    {OTHER(OPTION_FLAG, field, flag, letter, NULL, group, commands, help)},
#define CLI_OPTION_TEXT(field, flag, letter, argument, group, commands, help) \
    {OTHER(OPTION_TEXT, field, flag, letter, argument, group, commands, help), .choices = ""},
#define CLI_OPTION_CHOICE(field, flag, argument, choices_, group, commands, help) \
    {OTHER(OPTION_TEXT, field, flag, 0, argument, group, commands, help), .choices = choices_},
#define CLI_OPTION_FLAG_AGAIN   CLI_OPTION_FLAG
#define CLI_OPTION_CHOICE_AGAIN CLI_OPTION_CHOICE
#define CLI_OPTION_TEXT_AGAIN   CLI_OPTION_TEXT
#define CLI_OPTION_INT(field, flag, argument, standard, low, high, group, commands, help) \
    {OTHER(OPTION_INT, field, flag, 0, argument, group, commands, help),                  \
     .int_standard = (standard), .int_least = (low), .int_greatest = (high)},
#define CLI_OPTION_SEED(field, flag, argument, standard, group, commands, help) \
    {OTHER(OPTION_SEED, field, flag, 0, argument, group, commands, help),       \
     .seed_standard = (standard)},
#include "cli/options.def"
};
const size_t option_table_size = sizeof option_table / sizeof option_table[0];

command_id command_find(const char *name) {
    command_id id = 0;
    while (id < COMMAND_COUNT && strcmp(command_table[id].name, name) != 0)
        id++;
    return id;
}

int usage_error(command_id command, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (command < COMMAND_COUNT)
        console_error("%s: %s (see `regal %s --help`)", command_table[command].name, text,
                      command_table[command].name);
    else
        console_error("%s (see `regal --help`)", text);
    return regal_status_exit_code(REGAL_INVALID_ARGUMENT);
}

static const char *command_name(size_t index, void *context) {
    (void)context;
    return index < COMMAND_COUNT ? command_table[index].name : NULL;
}

int usage_unknown_command(const char *word) {
    const char *near = regal_nearest_word(word, command_name, NULL);
    if (near)
        return usage_error(COMMAND_COUNT, "unknown command \"%.100s\": did you mean %s?", word,
                           near);
    return usage_error(COMMAND_COUNT, "unknown command \"%.100s\"", word);
}

static bool is_standard(const char *path) {
    return path && strcmp(path, "-") == 0;
}

int usage_check_streams(command_id command, const cli_options *options, int64_t input_count) {
    int64_t from_input = is_standard(options->cluster) + is_standard(options->costs) +
                         is_standard(options->search.seeds) +
                         is_standard(options->search.proposals) +
                         is_standard(options->search.policy);
    for (int64_t i = 0; i < input_count; i++)
        from_input += is_standard(options->arguments[i]);
    if (from_input > 1)
        return usage_error(command, "standard input can be read only once");
    if (is_standard(options->output) + is_standard(options->trace) + is_standard(options->report) +
            is_standard(options->search.dump_proposals) >
        1)
        return usage_error(command, "only one result can go to standard output");
    return 0;
}

static const char *flag_of_command(size_t index, void *context) {
    const unsigned command = 1u << *(const command_id *)context;
    for (size_t i = 0; i < option_table_size; i++)
        if ((option_table[i].commands & command) && index-- == 0)
            return option_table[i].flag;
    return NULL;
}

static const option_info *find_long(command_id command, const char *flag, size_t length) {
    for (size_t i = 0; i < option_table_size; i++) {
        const option_info *option = &option_table[i];
        if ((option->commands & (1u << command)) && strlen(option->flag) == length &&
            memcmp(option->flag, flag, length) == 0)
            return option;
    }
    return NULL;
}

static const option_info *find_short(command_id command, char letter) {
    for (size_t i = 0; i < option_table_size; i++)
        if ((option_table[i].commands & (1u << command)) && option_table[i].letter == letter)
            return &option_table[i];
    return NULL;
}

static bool unknown_option(command_id command, const char *flag, size_t length) {
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1),
             flag);
    for (size_t i = 0; i < option_table_size; i++)
        if (strcmp(option_table[i].flag, word) == 0) {
            usage_error(command, "takes no --%s", word);
            return false;
        }
    const char *near = regal_nearest_word(word, flag_of_command, &command);
    if (near)
        usage_error(command, "unknown option --%s: did you mean --%s?", word, near);
    else
        usage_error(command, "unknown option --%s", word);
    return false;
}

/* Reads the option at argv[*at], whose value may be the next word; leaves *at on its last word. */
static bool parse_option(command_id command, int argc, char **argv, int *at, cli_options *options) {
    const char *word = argv[*at];
    const bool is_long = word[1] == '-';
    const option_info *option;
    const char *value = NULL;
    if (is_long) {
        const size_t length = strcspn(word + 2, "=");
        option = find_long(command, word + 2, length);
        if (!option)
            return unknown_option(command, word + 2, length);
        if (word[2 + length] == '=')
            value = word + 3 + length;
    } else {
        option = find_short(command, word[1]);
        if (!option || (option->kind == OPTION_FLAG && word[2] != '\0')) {
            usage_error(command, "unknown option %.20s", word);
            return false;
        }
        if (word[2] != '\0')
            value = word + 2;
    }
    if (option->kind == OPTION_FLAG && value) {
        usage_error(command, "--%s takes no value", option->flag);
        return false;
    }
    if (option->kind != OPTION_FLAG && !value) {
        const bool another = *at + 1 < argc && strncmp(argv[*at + 1], "--", 2) == 0;
        if (*at + 1 >= argc || another) {
            usage_error(command, "--%s needs a value: --%s=%s", option->flag, option->flag,
                        option->argument);
            return false;
        }
        value = argv[++*at];
    }
    return option_set(option, command, value, options);
}

void options_set_defaults(command_id command, cli_options *options) {
    memset(options, 0, sizeof *options);
    if (command == COMMAND_EVALUATE)
        regal_evaluate_search_init(&options->search);
    else
        regal_options_init(&options->search);
    regal_train_options_init(&options->train);
#define CLI_OPTION_INT(field, flag, argument, standard, low, high, group, commands, help) \
    options->field = (standard);
#define CLI_OPTION_SEED(field, flag, argument, standard, group, commands, help) \
    options->field = (standard);
#include "cli/options.def"
}

static bool count_is_right(command_id command, const cli_options *options) {
    const command_info *info = &command_table[command];
    if (options->argument_count < info->least) {
        usage_error(command, "too few arguments: regal %s %s", info->name, info->arguments);
        return false;
    }
    if (info->greatest >= 0 && options->argument_count > info->greatest) {
        usage_error(command, "what is \"%.200s\"? regal %s%s%s", options->arguments[info->greatest],
                    info->name, *info->arguments ? " " : "", info->arguments);
        return false;
    }
    return true;
}

bool options_parse(command_id command, int argc, char **argv, cli_options *options) {
    options_set_defaults(command, options);
    options->arguments = argv;
    bool ended = false;
    for (int at = 0; at < argc; at++) {
        char *word = argv[at];
        if (ended || word[0] != '-' || word[1] == '\0')
            argv[options->argument_count++] = word;
        else if (strcmp(word, "--") == 0)
            ended = true;
        else if (!parse_option(command, argc, argv, &at, options))
            return false;
    }
    if (options->help)
        return true;
    return count_is_right(command, options) &&
           (!options->profile || profile_names_check(command, options->profile)) &&
           reading_options_check(command, options);
}

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/console.h"
#include "cli/evaluate_table.h"
#include "cli/human_units.h"
#include "cli/interrupts.h"
#include "cli/options.h"
#include "cli/output_paths.h"
#include "cli/progress.h"
#include "cli/run_files.h"

/* What the words of the command line are made into. */
typedef struct evaluate_request {
    regal_evaluate_options options;
    int64_t *budgets;
    char *words; /* of the reference; its texts lie here */
} evaluate_request;

/* ---- words */

/* Digits between commas. */
static int read_budgets(const char *text, evaluate_request *request) {
    int64_t count = 1;
    for (const char *c = text; *c != '\0'; c++)
        count += *c == ',';
    request->budgets = calloc((size_t)count, sizeof *request->budgets);
    if (!request->budgets)
        return report_failure(NULL, own_memory_failure());
    for (int64_t i = 0; i < count; i++) {
        const size_t length = strspn(text, "0123456789");
        if (length == 0 || length > 18 || (text[length] != ',' && text[length] != '\0'))
            return usage_error(COMMAND_EVALUATE,
                               "--budgets takes numbers of evaluations with commas between, not "
                               "\"%.100s\"",
                               text);
        request->budgets[i] = strtoll(text, NULL, 10);
        text += length + (text[length] == ',');
    }
    request->options.budgets = request->budgets;
    request->options.budget_count = count;
    return 0;
}

static const option_info *find_search_option(const char *flag, size_t length) {
    for (size_t i = 0; i < option_table_size; i++) {
        const option_info *option = &option_table[i];
        if (option->group == GROUP_SEARCH && strlen(option->flag) == length &&
            memcmp(option->flag, flag, length) == 0)
            return option;
    }
    return NULL;
}

/* What both sides share. */
static bool is_of_both(const option_info *option) {
    return option->offset == offsetof(cli_options, search.seed) ||
           option->offset == offsetof(cli_options, search.objective) ||
           option->offset == offsetof(cli_options, search.threads);
}

static const char *search_flag(size_t index, void *context) {
    (void)context;
    for (size_t i = 0; i < option_table_size; i++)
        if (option_table[i].group == GROUP_SEARCH && !is_of_both(&option_table[i]) && index-- == 0)
            return option_table[i].flag;
    return NULL;
}

static void refuse_reference(const char *word, const char *flag, size_t length) {
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1),
             flag);
    const char *near = regal_nearest_word(name, search_flag, NULL);
    usage_error(COMMAND_EVALUATE, "--reference: \"%.100s\" is no option of a search%s%s%s", word,
                near ? ": did you mean " : "", near ? near : "", near ? "?" : "");
}

/* Reads "name=value", or with "--" before or a blank between, from the words; false where something
 * is wrong with it. */
static bool read_reference_option(char *word, char **rest, cli_options *options) {
    const char *flag = word + (strncmp(word, "--", 2) == 0 ? 2 : 0);
    const size_t length = strcspn(flag, "=");
    const option_info *option = find_search_option(flag, length);
    if (!option) {
        refuse_reference(word, flag, length);
        return false;
    }
    if (is_of_both(option)) {
        usage_error(COMMAND_EVALUATE,
                    "--reference: both sides have the --%s of the evaluation: leave it out",
                    option->flag);
        return false;
    }
    const char *value = flag[length] == '=' ? flag + length + 1 : strtok_r(NULL, " \t", rest);
    if (!value) {
        usage_error(COMMAND_EVALUATE, "--reference: --%s needs a value", option->flag);
        return false;
    }
    return option_set(option, COMMAND_EVALUATE, value, options);
}

static int read_reference(const cli_options *options, evaluate_request *request) {
    cli_options reference = *options;
    reference.search.policy = "none";
    request->words = strdup(options->reference ? options->reference : "");
    if (!request->words)
        return report_failure(NULL, own_memory_failure());
    char *rest = NULL;
    for (char *word = strtok_r(request->words, " \t", &rest); word;
         word = strtok_r(NULL, " \t", &rest))
        if (!read_reference_option(word, &rest, &reference))
            return regal_status_exit_code(REGAL_INVALID_ARGUMENT);
    request->options.reference = reference.search;
    return 0;
}

static int read_request(const cli_options *options, evaluate_request *request) {
    regal_evaluate_options *asked = &request->options;
    const bool by_time = options->search.time_limit >= 0;
    if (by_time && options->budgets)
        return usage_error(COMMAND_EVALUATE, "either --budgets or --time-limit");
    regal_evaluate_options_init(asked);
    asked->search = options->search;
    asked->search.policy = options->arguments[0];
    asked->repeats = options->repeats;
    asked->problems = options->problems;
    asked->threads = options->search.threads;
    asked->baseline = options->baseline;
    asked->best = options->best;
    if (by_time)
        asked->budget_count = 0;
    const int code = options->budgets ? read_budgets(options->budgets, request) : 0;
    return code == 0 ? read_reference(options, request) : code;
}

/* ---- files */

static int check_files(const cli_options *options, const evaluate_request *request) {
    run_files files = {0};
    const char *policy = request->options.search.policy;
    run_files_add(&files, FILE_INPUT, options->arguments[1]);
    run_files_add(&files, FILE_INPUT, policy);
    run_files_add(&files, FILE_INPUT, request->options.reference.policy);
    run_files_add(&files, FILE_INPUT, options->baseline);
    run_files_add(&files, FILE_RESULT, options->best);
    run_files_add(&files, FILE_RESULT, options->raw);
    int code = run_files_check(&files, COMMAND_EVALUATE);
    if (code == 0 && options->raw)
        code = output_check(options->raw);
    return code == 0 && options->best ? output_check(options->best) : code;
}

/* ---- the evaluation */

/* Seconds that are worth a word. */
static const double SHORTEST = 0.5;

static bool report(const regal_evaluate_progress *progress, void *context) {
    progress_meter *meter = context;
    if (interrupted() && !meter->told) {
        meter->told = true;
        console_note("stopping with the problems that are finished; another signal ends at once");
    }
    if (progress_is_due(meter)) {
        char line[128];
        const int used = snprintf(line, sizeof line, "%s of %s", HUMAN(count, progress->done),
                                  HUMAN(things, progress->count, "search run"));
        if (progress->seconds_left >= SHORTEST)
            snprintf(line + used, sizeof line - (size_t)used, "  %s left",
                     HUMAN(seconds, progress->seconds_left));
        if (console_is_live())
            console_status(line);
        else
            console_plain("%s", line);
    }
    return interrupted();
}

static int print_results(const cli_options *options, const regal_evaluation *evaluation) {
    const regal_evaluation_facts facts = regal_evaluation_describe(evaluation);
    int code = facts.stopped ? EXIT_INTERRUPTED : 0;
    if (facts.finished == 0) {
        console_error("interrupted before a problem was finished");
        return code;
    }
    FILE *file = results_stream(options->raw, NULL, NULL);
    if (!(file == stderr && console_is_quiet()))
        evaluate_table_print(evaluation, file);
    if (facts.stopped)
        console_note("interrupted: %s of %s", HUMAN(count, facts.finished),
                     HUMAN(things, facts.problems, "problem"));
    const regal_status status =
        options->raw ? regal_evaluation_write(evaluation, options->raw) : REGAL_OK;
    return status == REGAL_OK ? code : report_failure(options->raw, status);
}

static int evaluate(const cli_options *options, const evaluate_request *request) {
    progress_meter meter;
    regal_evaluation *evaluation = NULL;
    progress_begin(&meter);
    interrupts_hold(); /* to the end of the program */
    const regal_status status =
        regal_evaluate(options->arguments[1], &request->options, report, &meter, &evaluation);
    progress_end(&meter);
    if (status == REGAL_INVALID_ARGUMENT)
        return usage_error(COMMAND_EVALUATE, "%s", regal_error_message());
    if (status != REGAL_OK)
        return report_failure(NULL, status);
    const int code = print_results(options, evaluation);
    regal_evaluation_destroy(evaluation);
    return code;
}

int command_evaluate(const cli_options *options) {
    evaluate_request request = {0};
    int code = read_request(options, &request);
    if (code == 0)
        code = check_files(options, &request);
    console_warnings_about(options->arguments[1]);
    if (code == 0)
        code = evaluate(options, &request);
    free(request.budgets);
    free(request.words);
    return code;
}

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/console.h"
#include "cli/human_units.h"
#include "cli/interrupts.h"
#include "cli/options.h"
#include "cli/output_paths.h"
#include "cli/progress.h"
#include "cli/run_files.h"

/* Seconds that are worth a word. */
static const double SHORTEST = 0.5;

typedef struct training {
    progress_meter meter;
    bool begun;
    regal_train_progress last;
} training;

static void print_progress(const regal_train_progress *p) {
    char line[256];
    const int used = snprintf(line, sizeof line, "%s: step %lld of %lld, cost %.4f x bound",
                              p->stage, (long long)p->step, (long long)p->steps, p->cost);
    if (!isnan(p->gain_5000) && used > 0 && (size_t)used < sizeof line)
        snprintf(line + used, sizeof line - (size_t)used,
                 ", gain %+.2f %% at 1,000, %+.2f %% at "
                 "5,000 evaluations (best %+.2f)",
                 p->gain_1000, p->gain_5000, p->best);
    const size_t length = strlen(line);
    if (p->seconds_left >= SHORTEST && length < sizeof line)
        snprintf(line + length, sizeof line - length, ", %s left", HUMAN(seconds, p->seconds_left));
    if (p->validated || !console_is_live())
        console_plain("%s", line);
    else
        console_status(line);
}

static bool report(const regal_train_progress *progress, void *context) {
    training *run = context;
    run->last = *progress;
    if (!run->begun && progress->step > 0)
        console_note("going on from step %lld of %lld", (long long)progress->step,
                     (long long)progress->steps);
    run->begun = true;
    if (interrupted() && !run->meter.told) {
        run->meter.told = true;
        console_note("stopping; a second signal ends at once, without the steps since the last "
                     "checkpoint");
    }
    if (progress->step > 0 && !console_is_quiet() &&
        (progress_is_due(&run->meter) || progress->validated))
        print_progress(progress);
    return interrupted();
}

static int finish(const cli_options *options, const training *run, regal_status status,
                  bool stopped) {
    const char *path = options->output;
    if (status == REGAL_INVALID_ARGUMENT)
        return usage_error(COMMAND_TRAIN, "%s", regal_error_message());
    if (status != REGAL_OK)
        return report_failure(NULL, status);
    if (stopped) {
        console_note("stopped after step %lld; the same command goes on from there",
                     (long long)run->last.step);
        return EXIT_INTERRUPTED;
    }
    console_note("policy written to %s", path);
    return 0;
}

/* The path that is given, or the policy's with an ending. */
static void add_result(run_files *files, const char *path, const char *output, const char *ending) {
    char *standard = NULL;
    if (*path == '\0' && asprintf(&standard, "%s%s", output, ending) < 0)
        files->incomplete = true;
    else
        run_files_add(files, FILE_RESULT, standard ? standard : path);
    free(standard);
}

static int check_files(const cli_options *options) {
    const regal_train_options *train = &options->train;
    const char *const whole[] = {options->arguments[0], train->validation, train->start,
                                 train->checkpoint, train->log};
    run_files files = {0};
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (strcmp(whole[i], "-") == 0)
            return usage_error(COMMAND_TRAIN, "needs files: standard input and output serve once");
    for (size_t i = 0; i < 3; i++)
        if (*whole[i] != '\0')
            run_files_add(&files, FILE_INPUT, whole[i]);
    run_files_add(&files, FILE_RESULT, options->output);
    add_result(&files, train->checkpoint, options->output, ".checkpoint");
    add_result(&files, train->log, options->output, ".log");
    int code = run_files_check(&files, COMMAND_TRAIN);
    if (code == 0)
        code = output_check(options->output);
    if (code == 0 && *train->checkpoint != '\0')
        code = output_check(train->checkpoint);
    return code;
}

int command_train(const cli_options *options) {
    training run = {0};
    bool stopped = false;
    if (options->output == NULL || strcmp(options->output, "-") == 0)
        return usage_error(COMMAND_TRAIN, "needs a file for the policy: -o FILE");
    int code = check_files(options);
    if (code != 0)
        return code;
    console_warnings_about(options->arguments[0]);
    progress_begin(&run.meter);
    interrupts_hold();
    const regal_status status = regal_train(options->arguments[0], options->output, &options->train,
                                            report, &run, &stopped);
    progress_end(&run.meter);
    code = finish(options, &run, status, stopped);
    interrupts_release();
    return code;
}

/* `regal generate dataset` */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command_generate.h"
#include "cli/console.h"
#include "cli/human_units.h"
#include "cli/interrupts.h"
#include "cli/output_paths.h"
#include "cli/progress.h"
#include "regal/dataset.h"

static int list_datasets(void) {
    regal_generator_info info;
    for (int64_t i = 0; regal_dataset_describe(i, &info); i++)
        generator_print(&info);
    return 0;
}

static bool show_progress(const regal_dataset_progress *progress, void *context) {
    progress_meter *meter = context;
    if (progress_is_due(meter)) {
        char text[128];
        snprintf(text, sizeof text, "%s: %" PRId64 " of %" PRId64, progress->stage, progress->done,
                 progress->count);
        if (console_is_live() && strlen(text) < console_width())
            console_status(text);
        else
            console_plain("%s", text);
    }
    return interrupted();
}

static int tell_made(const char *folder, const regal_dataset_made *made) {
    const char *slash = path_separator(folder);
    console_note(
        "%s: %s to train on, %s to choose by, %s to judge by: the sets %s%stime/train.json, "
        "validation.json and test.json, the same in %s%smemory%s%s%s%s",
        folder, HUMAN(things, made->train, "graph"), HUMAN(count, made->validation),
        HUMAN(count, made->test), folder, slash, folder, slash,
        made->files ? "; the graphs in " : "", made->files ? folder : "", made->files ? slash : "",
        made->files ? "graphs" : "");
    return 0;
}

static int make_dataset(const cli_options *options, const char *name,
                        const regal_parameter_value *values, int64_t count) {
    progress_meter meter;
    regal_dataset_made made = {0};
    interrupts_hold(); /* to the end of the program */
    progress_begin(&meter);
    const regal_status status =
        regal_dataset_generate(name, values, count, options->output, show_progress, &meter, &made);
    console_status_end();
    if (status == REGAL_INVALID_ARGUMENT)
        return usage_error(COMMAND_GENERATE, "%s", regal_error_message());
    if (status != REGAL_OK)
        return report_failure(NULL, status);
    if (made.complete)
        return tell_made(options->output, &made);
    console_note("interrupted; the same command goes on from here");
    return EXIT_INTERRUPTED;
}

int generate_dataset(const cli_options *options) {
    if (options->argument_count == 1)
        return list_datasets();
    if (!options->output || strcmp(options->output, "-") == 0)
        return usage_error(COMMAND_GENERATE, "a dataset needs a folder: -o FOLDER");
    if (options->count != 1 || options->profile)
        return usage_error(COMMAND_GENERATE, "--count and --profile are not for datasets");
    const int64_t count = options->argument_count - 2;
    regal_parameter_value *values = calloc((size_t)count + 1, sizeof *values);
    if (!values)
        return report_failure(NULL, own_memory_failure());
    int code = regal_status_exit_code(REGAL_INVALID_ARGUMENT);
    if (parameters_read(options->arguments + 2, count, values))
        code = make_dataset(options, options->arguments[1], values, count);
    free(values);
    return code;
}

#include "cli/console.h"
#include "cli/options.h"
#include "cli/output_paths.h"
#include "cli/run_files.h"
#include "cli/setting.h"

int command_convert(const cli_options *options) {
    const char *from = options->arguments[0], *to = options->arguments[1];
    cli_setting setting;
    regal_graph *graph = NULL;
    run_files files = {0};
    run_files_add(&files, FILE_INPUT, from);
    run_files_add(&files, FILE_RESULT, to);
    int code = run_files_check(&files, COMMAND_CONVERT);
    if (code == 0)
        code = output_check(to);
    if (code != 0)
        return code;
    regal_status status = setting_create(options, NULL, NULL, &setting);
    if (status != REGAL_OK)
        return report_failure(from, status);
    const char *path = from;
    status = setting_read_graph(&setting, from, &graph);
    if (status == REGAL_OK)
        status = regal_graph_write(graph, path = to);
    regal_graph_destroy(graph);
    setting_destroy(&setting);
    return status == REGAL_OK ? 0 : report_failure(path, status);
}

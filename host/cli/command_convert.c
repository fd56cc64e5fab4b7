#include "cli/console.h"
#include "cli/options.h"
#include "cli/output_paths.h"
#include "cli/setting.h"

int command_convert(const cli_options *options) {
    const char *from = options->arguments[0], *to = options->arguments[1];
    cli_setting setting;
    regal_graph *graph = NULL;
    const int code = output_check(to);
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

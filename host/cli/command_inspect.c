#include "cli/console.h"
#include "cli/inspect_features.h"
#include "cli/inspection.h"
#include "cli/json_values.h"

/* Bounds that cannot be had are an error only where the user chose the devices. */
static int find_bounds(inspection *seen) {
    regal_problem *problem = NULL;
    const regal_status status = regal_problem_create(seen->graph, seen->setting->cluster, &problem);
    if (status != REGAL_OK) {
        if (seen->options->devices || seen->options->cluster)
            return report_failure(seen->options->arguments[0], status);
        oddity_add(&seen->oddities, "does not fit the default devices: %s", regal_error_message());
        return 0;
    }
    seen->bounded = true;
    seen->bounds = regal_problem_bounds(problem);
    regal_problem_destroy(problem);
    return 0;
}

static int inspect(inspection *seen) {
    if (seen->options->features)
        return features_print(seen->options, seen->graph, seen->setting->cluster);
    const regal_status status = graph_facts_collect(seen->graph, &seen->facts);
    if (status != REGAL_OK)
        return report_failure(seen->options->arguments[0], status);
    inspection_join_cluster(seen);
    const int code = find_bounds(seen);
    if (code != 0)
        return code;
    oddities_find(seen);
    if (seen->options->json)
        return json_print_line(inspection_json(seen));
    inspection_print(seen);
    return 0;
}

int command_inspect(const cli_options *options) {
    cli_setting setting;
    regal_graph *graph = NULL;
    int code = usage_check_streams(COMMAND_INSPECT, options, 1);
    if (code == 0 && options->objective && !options->features)
        code = usage_error(COMMAND_INSPECT, "--objective goes with --features");
    if (code == 0)
        code = setting_load(COMMAND_INSPECT, options, NULL, &setting);
    if (code != 0)
        return code;
    const regal_status status = setting_read_graph(&setting, options->arguments[0], &graph);
    if (status == REGAL_OK) {
        inspection seen = {.options = options, .setting = &setting, .graph = graph};
        code = inspect(&seen);
        graph_facts_clear(&seen.facts);
    } else {
        code = report_failure(options->arguments[0], status);
    }
    regal_graph_destroy(graph);
    setting_destroy(&setting);
    return code;
}

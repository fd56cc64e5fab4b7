/* `explain`: why ops of a plan are where and when they are. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/console.h"
#include "cli/explain_parts.h"
#include "cli/json_values.h"

static const char *op_at(size_t index, void *context) {
    const regal_graph *graph = context;
    const int64_t op = (int64_t)index;
    return op < regal_graph_op_count(graph) ? regal_graph_op(graph, op).name : NULL;
}

/* An op by its name, or else by its number; -1: there is none. */
static int64_t find_op(const regal_graph *graph, const char *word) {
    const int64_t count = regal_graph_op_count(graph);
    for (int64_t i = 0; i < count; i++)
        if (strcmp(regal_graph_op(graph, i).name, word) == 0)
            return i;
    char *end;
    errno = 0;
    const long long number = strtoll(word, &end, 10);
    const bool is_number = *word >= '0' && *word <= '9' && *end == '\0' && errno == 0;
    return is_number && number < count ? number : -1;
}

/* A name to suggest, or NULL: the nearest, or else the first that has the word in it. */
static const char *suggest_op(const regal_graph *graph, const char *word) {
    const char *near = regal_nearest_word(word, op_at, (void *)graph);
    for (int64_t i = 0; near == NULL && *word != '\0' && i < regal_graph_op_count(graph); i++)
        if (strstr(regal_graph_op(graph, i).name, word) != NULL)
            near = regal_graph_op(graph, i).name;
    return near;
}

static int refuse_op(const cli_options *options, const explained_plan *all, const char *word) {
    const char *near = suggest_op(all->graph, word);
    console_error("%s: no op is named \"%.200s\"%s%.200s%s", options->arguments[0], word,
                  near ? ": did you mean " : "", near ? near : "", near ? "?" : "");
    return regal_status_exit_code(REGAL_INVALID_INPUT);
}

static int explain_ops(const cli_options *options, const explained_plan *all) {
    const int64_t count = options->argument_count - 2;
    const char *const *words = (const char *const *)options->arguments + 2;
    for (int64_t i = 0; i < count; i++)
        if (find_op(all->graph, words[i]) < 0)
            return refuse_op(options, all, words[i]);
    for (int64_t i = 0; i < count; i++) {
        const int64_t op = find_op(all->graph, words[i]);
        const int code = options->json ? json_print_line(explain_op_json(all, op)) : 0;
        if (code != 0)
            return code;
        if (!options->json && i > 0)
            putchar('\n');
        if (!options->json)
            explain_op_print(all, op);
    }
    return 0;
}

static int explain(const cli_options *options, const checked_plan *loaded) {
    regal_explanation *why;
    const regal_status status =
        regal_explanation_create(loaded->graph, loaded->setting.cluster, loaded->plan, &why);
    if (status != REGAL_OK)
        return report_failure(options->arguments[1], status);
    const explained_plan all = {.graph = loaded->graph,
                                .cluster = loaded->setting.cluster,
                                .plan = loaded->plan,
                                .why = why,
                                .plan_path = options->arguments[1]};
    int code = 0;
    if (options->argument_count > 2)
        code = explain_ops(options, &all);
    else if (options->json)
        code = json_print_line(explain_plan_json(&all));
    else
        explain_plan_print(&all);
    regal_explanation_destroy(why);
    return code;
}

int command_explain(const cli_options *options) {
    checked_plan loaded;
    int code = usage_check_streams(COMMAND_EXPLAIN, options, 2);
    if (code == 0)
        code = checked_plan_load(options, options->arguments[0], options->arguments[1], &loaded);
    if (code != 0)
        return code;
    code = explain(options, &loaded);
    checked_plan_destroy(&loaded);
    return code;
}

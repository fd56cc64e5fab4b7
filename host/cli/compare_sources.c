/* What a comparison compares on: graph files, folders of them, sets. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/compare_parts.h"
#include "cli/console.h"
#include "cli/output_paths.h"

static int no_memory(void) {
    return report_failure(NULL, own_memory_failure());
}

/* Takes path over. */
static int add_path(compare_sources *sources, char *path) {
    char **paths = reallocarray(sources->paths, (size_t)sources->path_count + 1, sizeof *paths);
    if (paths)
        sources->paths = paths;
    if (!path || !paths) {
        free(path);
        return no_memory();
    }
    paths[sources->path_count++] = path;
    return 0;
}

/* Neither hidden nor a text about the graphs. */
static int is_graph_name(const struct dirent *entry) {
    const char *dot = strrchr(entry->d_name, '.');
    return entry->d_name[0] != '.' && !(dot && strcmp(dot, ".md") == 0);
}

static int add_folder(compare_sources *sources, const char *folder) {
    struct dirent **entries;
    const int count = scandir(folder, &entries, is_graph_name, alphasort);
    const int64_t before = sources->path_count;
    int code = 0;
    for (int i = 0; i < count; i++) {
        char *path = NULL;
        if (code == 0 &&
            asprintf(&path, "%s%s%s", folder, path_separator(folder), entries[i]->d_name) < 0)
            path = NULL;
        if (path && is_folder(path))
            free(path);
        else if (code == 0)
            code = add_path(sources, path);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    if (code == 0 && sources->path_count == before) {
        console_error("%s: there are no graphs in the folder", folder);
        code = regal_status_exit_code(REGAL_INVALID_INPUT);
    }
    return code;
}

static int open_set(const cli_options *options, compare_sources *sources) {
    console_warnings_about(options->set);
    const regal_status status = regal_graph_set_read(options->set, &sources->set);
    sources->set_path = options->set;
    return status == REGAL_OK ? 0 : report_failure(options->set, status);
}

static int check_setting(const cli_options *options, const compare_sources *sources) {
    if (sources->path_count == 0 &&
        (options->devices || options->link || options->cluster || options->profile))
        return usage_error(COMMAND_COMPARE, "the set says itself on which devices its graphs run");
    if (sources->path_count == 0 &&
        (options->dimensions || options->assume_bytes || options->costs || options->stated_devices))
        return usage_error(COMMAND_COMPARE, "the set says itself how its graphs are read");
    return 0;
}

int compare_sources_open(const cli_options *options, const regal_plan *example,
                         compare_sources *sources) {
    int code = 0;
    *sources = (compare_sources){0};
    for (int64_t i = 0; code == 0 && i < options->argument_count; i++)
        code = add_path(sources, strdup(options->arguments[i]));
    if (code == 0 && options->set)
        code = is_folder(options->set) ? add_folder(sources, options->set)
                                       : open_set(options, sources);
    if (code == 0)
        code = check_setting(options, sources);
    if (code == 0)
        code = setting_load(COMMAND_COMPARE, options, example, &sources->setting);
    sources->count = sources->path_count + (sources->set ? regal_graph_set_count(sources->set) : 0);
    return code;
}

static regal_status read_graph(const compare_sources *sources, const char *path,
                               regal_set_problem *problem) {
    *problem = (regal_set_problem){.name = strdup(path), .family = "file"};
    if (!problem->name)
        return own_memory_failure();
    regal_status status = setting_read_graph(&sources->setting, path, &problem->graph);
    if (status == REGAL_OK)
        status = regal_cluster_clone(sources->setting.cluster, &problem->cluster);
    if (status == REGAL_OK)
        status = regal_problem_create(problem->graph, problem->cluster, &problem->problem);
    if (status != REGAL_OK)
        regal_set_problem_destroy(problem);
    return status;
}

regal_status compare_sources_get(const compare_sources *sources, int64_t index,
                                 regal_set_problem *problem) {
    if (index < sources->path_count)
        return read_graph(sources, sources->paths[index], problem);
    console_warnings_about(sources->set_path);
    return regal_graph_set_problem(sources->set, index - sources->path_count, problem);
}

const char *compare_sources_label(const compare_sources *sources, int64_t index) {
    return index < sources->path_count ? sources->paths[index] : sources->set_path;
}

void compare_sources_close(compare_sources *sources) {
    for (int64_t i = 0; i < sources->path_count; i++)
        free(sources->paths[i]);
    free(sources->paths);
    regal_graph_set_destroy(sources->set);
    setting_destroy(&sources->setting);
    *sources = (compare_sources){0};
}

#include "cli/setting.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/console.h"

/* Counts the names and cuts them apart; an empty one is skipped. */
static void split_names(cli_setting *setting) {
    char *rest = setting->words;
    char *name;
    while ((name = strsep(&rest, ",")) != NULL)
        if (*name != '\0')
            setting->profiles[setting->profile_count++] = name;
}

static bool has_profile(const cli_setting *setting, const char *name) {
    for (int64_t i = 0; i < setting->profile_count; i++)
        if (strcmp(setting->profiles[i], name) == 0)
            return true;
    return false;
}

static void add_cluster_profiles(cli_setting *setting) {
    const int64_t device_count = regal_cluster_device_count(setting->cluster);
    for (int64_t i = 0; i < device_count; i++) {
        const char *name = regal_cluster_device(setting->cluster, i).class_name;
        if (name && !has_profile(setting, name))
            setting->profiles[setting->profile_count++] = name;
    }
}

regal_status setting_create(const cli_options *options, const char *standard,
                            regal_cluster *cluster, cli_setting *setting) {
    const char *names = options->profile ? options->profile : standard ? standard : "";
    memset(setting, 0, sizeof *setting);
    setting->cluster = cluster;
    setting->profile_given = options->profile != NULL;
    const size_t most =
        strlen(names) + 1 + (size_t)(cluster ? regal_cluster_device_count(cluster) : 0);
    setting->profiles = calloc(most, sizeof *setting->profiles);
    setting->words = strdup(names);
    if (!setting->profiles || !setting->words) {
        setting_destroy(setting);
        return own_memory_failure();
    }
    split_names(setting);
    if (cluster)
        add_cluster_profiles(setting);
    return REGAL_OK;
}

/* The cluster of --devices and --link; says itself which of the two is wrong. */
static int parse_cluster(command_id command, const cli_options *options, regal_cluster **cluster) {
    const char *devices = options->devices ? options->devices : CLI_DEFAULT_DEVICES;
    const char *link = options->link ? options->link : REGAL_DEFAULT_LINK;
    regal_status status = regal_cluster_parse("1", link, cluster);
    if (status == REGAL_INVALID_ARGUMENT)
        return usage_error(command, "--link: %s", regal_error_message());
    if (status == REGAL_OK) {
        regal_cluster_destroy(*cluster);
        status = regal_cluster_parse(devices, link, cluster);
    }
    if (status == REGAL_INVALID_ARGUMENT)
        return usage_error(command, "--devices: %s", regal_error_message());
    return status == REGAL_OK ? 0 : report_failure(NULL, status);
}

int setting_load(command_id command, const cli_options *options, cli_setting *setting) {
    memset(setting, 0, sizeof *setting);
    regal_cluster *cluster = NULL;
    regal_status status = REGAL_OK;
    if (options->cluster) {
        if (options->devices || options->link)
            return usage_error(command, "--cluster says what --devices and --link would say");
        console_warnings_about(options->cluster);
        status = regal_cluster_read(options->cluster, &cluster);
    } else {
        const int code = parse_cluster(command, options, &cluster);
        if (code != 0)
            return code;
    }
    if (status == REGAL_OK)
        status = setting_create(options, NULL, cluster, setting);
    return status == REGAL_OK ? 0 : report_failure(options->cluster, status);
}

void setting_destroy(cli_setting *setting) {
    regal_cluster_destroy(setting->cluster);
    free(setting->profiles);
    free(setting->words);
    memset(setting, 0, sizeof *setting);
}

static bool is_among_classes(const regal_graph *graph, int64_t count, const char *name) {
    for (int64_t i = 0; i < count; i++)
        if (strcasecmp(regal_graph_class_name(graph, i), name) == 0)
            return true;
    return false;
}

/* Where costs come from profiles, the classes are the profiles, each once. */
static bool has_classes_asked_for(const cli_setting *setting, const regal_graph *graph) {
    int64_t matched = 0;
    for (int64_t i = 0; i < setting->profile_count; i++) {
        const char *name = setting->profiles[i];
        if (is_among_classes(graph, matched, name))
            continue;
        if (matched == regal_graph_class_count(graph) ||
            strcasecmp(regal_graph_class_name(graph, matched), name) != 0)
            return false;
        matched++;
    }
    return matched == regal_graph_class_count(graph);
}

void setting_warn_of_own_costs(const cli_setting *setting, const regal_graph *graph,
                               const char *name) {
    if (setting->profile_given && !has_classes_asked_for(setting, graph))
        console_warn(name, "the graph carries its own costs: --profile changes nothing");
}

regal_status setting_read_graph(const cli_setting *setting, const char *path, regal_graph **graph) {
    const regal_read_options options = {.profiles = setting->profiles,
                                        .profile_count = setting->profile_count};
    console_warnings_about(path);
    const regal_status status = regal_graph_read(path, &options, graph);
    if (status == REGAL_OK)
        setting_warn_of_own_costs(setting, *graph, path);
    return status;
}

#include "cli/setting.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/console.h"

static const char *plan_option(const regal_plan *plan, const char *key) {
    for (int64_t i = 0; plan && i < plan->option_count; i++)
        if (strcmp(plan->option_keys[i], key) == 0)
            return plan->option_values[i];
    return NULL;
}

/* What was asked for, or what the plan says. */
static const char *choose(const char *given, const regal_plan *plan, const char *key) {
    return given ? given : plan_option(plan, key);
}

static int64_t count_words(const char *text) {
    int64_t count = 1;
    for (; *text != '\0'; text++)
        count += *text == ',';
    return count;
}

/* Cuts "a,b" apart, in *copy; an empty word is skipped. more: room for so many more. */
static regal_status split_words(const char *text, int64_t more, char **copy, const char ***words,
                                int64_t *count) {
    *copy = strdup(text);
    *words = calloc((size_t)(count_words(text) + more), sizeof **words);
    if (!*copy || !*words)
        return own_memory_failure();
    char *rest = *copy, *word;
    while ((word = strsep(&rest, ",")) != NULL)
        if (*word != '\0')
            (*words)[(*count)++] = word;
    return REGAL_OK;
}

static bool has_profile(const cli_setting *setting, const char *name) {
    for (int64_t i = 0; i < setting->read.profile_count; i++)
        if (strcmp(setting->profiles[i], name) == 0)
            return true;
    return false;
}

static void add_cluster_profiles(cli_setting *setting) {
    const int64_t device_count = regal_cluster_device_count(setting->cluster);
    for (int64_t i = 0; i < device_count; i++) {
        const char *name = regal_cluster_device(setting->cluster, i).class_name;
        if (name && !has_profile(setting, name))
            setting->profiles[setting->read.profile_count++] = name;
    }
}

static regal_stated_devices stated_devices(const char *word) {
    if (word && strcmp(word, "plan") == 0)
        return REGAL_DEVICES_PLAN;
    return word && strcmp(word, "ignore") == 0 ? REGAL_DEVICES_IGNORED : REGAL_DEVICES_ALLOWED;
}

static regal_status load_costs(const cli_options *options, const regal_plan *plan,
                               cli_setting *setting) {
    const char *text = plan_option(plan, "costs");
    if (options->costs) {
        console_warnings_about(options->costs);
        return regal_costs_read(options->costs, &setting->costs);
    }
    return text ? regal_costs_parse(text, strlen(text), "the plan's costs", &setting->costs)
                : REGAL_OK;
}

static regal_status fill(const cli_options *options, const regal_plan *plan, cli_setting *setting) {
    regal_read_options *read = &setting->read;
    const regal_cluster *cluster = setting->cluster;
    const char *profiles = choose(options->profile, plan, "profile");
    const char *dimensions = choose(options->dimensions, plan, "dim");
    const char *bytes = choose(options->assume_bytes, plan, "assume-bytes");
    regal_status status =
        split_words(profiles ? profiles : "", cluster ? regal_cluster_device_count(cluster) : 0,
                    &setting->words, &setting->profiles, &read->profile_count);
    if (status == REGAL_OK)
        status = split_words(dimensions ? dimensions : "", 0, &setting->dimension_words,
                             &setting->dimensions, &read->dimension_count);
    if (status == REGAL_OK && bytes)
        status = regal_bytes_parse(bytes, &read->assumed_bytes);
    if (status == REGAL_OK)
        status = load_costs(options, plan, setting);
    if (status != REGAL_OK)
        return status;
    if (cluster)
        add_cluster_profiles(setting);
    read->profiles = setting->profiles;
    read->dimensions = setting->dimensions;
    read->assume_bytes = bytes != NULL;
    read->stated_devices = stated_devices(choose(options->stated_devices, plan, "stated-devices"));
    read->cluster = cluster;
    read->costs = setting->costs;
    return REGAL_OK;
}

regal_status setting_create(const cli_options *options, const regal_plan *plan,
                            regal_cluster *cluster, cli_setting *setting) {
    *setting = (cli_setting){.cluster = cluster, .profile_given = options->profile != NULL};
    const regal_status status = fill(options, plan, setting);
    if (status != REGAL_OK)
        setting_destroy(setting);
    return status;
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

int setting_load(command_id command, const cli_options *options, const regal_plan *plan,
                 cli_setting *setting) {
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
        status = setting_create(options, plan, cluster, setting);
    return status == REGAL_OK ? 0 : report_failure(options->cluster, status);
}

void setting_destroy(cli_setting *setting) {
    regal_cluster_destroy(setting->cluster);
    regal_costs_destroy(setting->costs);
    free(setting->profiles);
    free(setting->dimensions);
    free(setting->words);
    free(setting->dimension_words);
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
    for (int64_t i = 0; i < setting->read.profile_count; i++) {
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
    console_warnings_about(path);
    const regal_status status = regal_graph_read(path, &setting->read, graph);
    if (status == REGAL_OK)
        setting_warn_of_own_costs(setting, *graph, path);
    return status;
}

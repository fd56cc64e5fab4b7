/* What a command reads besides graphs: the cluster and the device profiles. */
#ifndef REGAL_CLI_SETTING_H
#define REGAL_CLI_SETTING_H

#include "cli/options.h"

typedef struct cli_setting {
    regal_cluster *cluster;
    const char **profiles; /* [profile_count] into words, or into the cluster */
    int64_t profile_count;
    char *words;        /* the names asked for, cut up */
    bool profile_given; /* by --profile */
} cli_setting;

/* The cluster of --cluster, or of --devices and --link. Prints what is wrong; returns the exit
 * code. */
int setting_load(command_id command, const cli_options *options, cli_setting *setting);

/* Profiles alone: those of --profile, else of `standard` ("a100,h100"; NULL: none), then those that
 * the cluster (NULL: none), which is taken over, names. */
regal_status setting_create(const cli_options *options, const char *standard,
                            regal_cluster *cluster, cli_setting *setting);

void setting_destroy(cli_setting *setting);

/* Warns, about the file or generator `name`, where --profile was given in vain. */
void setting_warn_of_own_costs(const cli_setting *setting, const regal_graph *graph,
                               const char *name);

/* Reads the graph with the setting's profiles, its warnings as notes. */
regal_status setting_read_graph(const cli_setting *setting, const char *path, regal_graph **graph);

#endif

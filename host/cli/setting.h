/* What a command reads besides graphs: the cluster, and how graphs are to be read. */
#ifndef REGAL_CLI_SETTING_H
#define REGAL_CLI_SETTING_H

#include "cli/options.h"

typedef struct cli_setting {
    regal_cluster *cluster;
    regal_read_options read; /* its lists and costs are the setting's own */
    const char **profiles;   /* [read.profile_count] into words, or into the cluster */
    const char **dimensions; /* [read.dimension_count] into dimension_words */
    regal_costs *costs;
    char *words, *dimension_words; /* the names asked for, cut up */
    bool profile_given;            /* by --profile */
} cli_setting;

/* The cluster of --cluster, or of --devices and --link; plan as below. Prints what is wrong;
 * returns the exit code. */
int setting_load(command_id command, const cli_options *options, const regal_plan *plan,
                 cli_setting *setting);

/* How graphs are read: as --profile, --dim, --assume-bytes, --costs and --stated-devices say, each
 * else as the plan (NULL: none) was made. The profiles that the cluster (NULL: none) names come
 * after those; it is taken over in any case. */
regal_status setting_create(const cli_options *options, const regal_plan *plan,
                            regal_cluster *cluster, cli_setting *setting);

void setting_destroy(cli_setting *setting);

/* Warns, about the file or generator `name`, where --profile was given in vain. */
void setting_warn_of_own_costs(const cli_setting *setting, const regal_graph *graph,
                               const char *name);

/* Reads the graph as the setting says, its warnings as notes. */
regal_status setting_read_graph(const cli_setting *setting, const char *path, regal_graph **graph);

#endif

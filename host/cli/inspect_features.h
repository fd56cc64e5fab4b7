/* `inspect --features`: what a policy is told of each op. */
#ifndef REGAL_CLI_INSPECT_FEATURES_H
#define REGAL_CLI_INSPECT_FEATURES_H

#include "cli/options.h"

/* Prints a line for each op: its name and its features, between tabs, below a line of their names;
 * or, with --json, one object each. Returns the exit code. */
int features_print(const cli_options *options, const regal_graph *graph,
                   const regal_cluster *cluster);

#endif

/* A plan and the graph that it is for, read as `check` reads them and found valid. */
#ifndef REGAL_CLI_CHECKED_PLAN_H
#define REGAL_CLI_CHECKED_PLAN_H

#include "cli/setting.h"

typedef struct checked_plan {
    cli_setting setting; /* with the plan's cluster, unless --cluster gives another */
    regal_graph *graph;
    regal_plan *plan; /* attached */
} checked_plan;

/* The graph is read as the plan says, unless the options say otherwise. Prints what is wrong;
 * returns the exit code. Where that is not 0 nothing is left to destroy. */
int checked_plan_load(const cli_options *options, const char *graph_path, const char *plan_path,
                      checked_plan *loaded);
void checked_plan_destroy(checked_plan *loaded);

#endif

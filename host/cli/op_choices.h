/* What an op could do: run on which devices, and for how long. */
#ifndef REGAL_CLI_OP_CHOICES_H
#define REGAL_CLI_OP_CHOICES_H

#include <stdbool.h>

#include "regal/regal.h"

/* Whether an entry of an op's allowed devices means this one. */
bool allowed_covers(regal_allowed allowed, const regal_cluster *cluster, int64_t device);
/* How long the op takes there; the device's class is one of the graph's. */
int64_t op_ticks(const regal_graph *graph, const regal_cluster *cluster, int64_t op,
                 int64_t device);

#endif

/* regal-cluster 1 inside other files: a plan carries its cluster. */
#ifndef REGAL_IO_CLUSTER_JSON_H
#define REGAL_IO_CLUSTER_JSON_H

#include "io/json_fields.h"
#include "io/json_out.h"
#include "regal/cluster.h"

#ifdef __cplusplus
extern "C" {
#endif

regal_status regal_cluster_from_json(const regal_json *object, regal_cluster **cluster);
/* The object, over several lines, with no line end after it. */
void regal_cluster_to_json(regal_out *out, const regal_cluster *cluster);

#ifdef __cplusplus
}
#endif
#endif

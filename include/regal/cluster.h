#ifndef REGAL_CLUSTER_H
#define REGAL_CLUSTER_H

#include <stdint.h>

#include "regal/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { REGAL_MAX_DEVICES = 64 };

/* The devices and the links between them. */
typedef struct regal_cluster regal_cluster;

typedef struct regal_device {
    const char *name;       /* unique; NULL when added: "d<index>" */
    int64_t class_index;    /* device class of the graph; unused where class_name is given */
    const char *class_name; /* the class by name (a device profile such as "a100"), or NULL */
    int64_t memory;         /* capacity in bytes; 0: unlimited */
} regal_device;

/* A transfer of b bytes lasts max(1, latency + ceil(b * 1000 / bytes_per_1000_ticks)) ticks. */
typedef struct regal_link {
    int64_t latency;              /* ticks */
    int64_t bytes_per_1000_ticks; /* 0: infinite */
} regal_link;

/* Starts with no devices and the default link free (no latency, infinite rate). Arguments are
 * copied. Breaking a rule of DESIGN 2 (negative number, pair with itself or listed twice, unknown
 * device) is REGAL_INVALID_INPUT. Links of pairs may be set once their devices were added. */
regal_status regal_cluster_create(regal_cluster **cluster);
void regal_cluster_destroy(regal_cluster *cluster);
regal_status regal_cluster_clone(const regal_cluster *cluster, regal_cluster **copy);
regal_status regal_cluster_add_device(regal_cluster *cluster, const regal_device *device);
regal_status regal_cluster_set_default_link(regal_cluster *cluster, regal_link link);
regal_status regal_cluster_set_link(regal_cluster *cluster, int64_t from, int64_t to,
                                    regal_link link);

/* From words, as on the command line: devices "4" or "4x16GB" (all of class 0), link
 * "25GB/s,5us" or "free". A tick is 1 ns. GB = 10^9 bytes, GiB = 2^30. */
regal_status regal_cluster_parse(const char *devices, const char *link, regal_cluster **cluster);
#define REGAL_DEFAULT_LINK "25GB/s,5us"
/* A size in the same words, "4KB"; without a unit: bytes. 0 is one. */
regal_status regal_bytes_parse(const char *text, int64_t *bytes);

/* Views stay valid until the cluster is changed or destroyed. */
int64_t regal_cluster_device_count(const regal_cluster *cluster);
regal_device regal_cluster_device(const regal_cluster *cluster, int64_t index);
regal_link regal_cluster_default_link(const regal_cluster *cluster);
/* The link from -> to; true in *listed (where not NULL) if it differs from the default by a pair.
 */
regal_link regal_cluster_link(const regal_cluster *cluster, int64_t from, int64_t to, int *listed);

#ifdef __cplusplus
}
#endif
#endif

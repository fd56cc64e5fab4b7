/* Device names of TensorFlow against the devices of a cluster.
 *
 * "/job:a/replica:0/task:0/device:GPU:1", "/gpu:1", "GPU:1" and "/device:GPU:1" name the same
 * device, as far as they say: what one of them leaves open matches anything, and the type's case
 * does not matter; a device of exactly this name comes first. Where no device of the cluster has a
 * name of this kind, GPU:k (TPU:k, any accelerator) is its k-th device of a class other than "cpu",
 * and CPU:k the k-th of the class "cpu" if there is one, else any device. Without a cluster names
 * are kept as patterns. */
#ifndef REGAL_IO_GRAPH_DEF_DEVICES_H
#define REGAL_IO_GRAPH_DEF_DEVICES_H

#include "regal/graph.h"
#include "regal/io.h"

typedef struct gd_device_set {
    regal_allowed *allowed; /* [count]; owned by the set */
    int64_t count;          /* -1: no restriction */
} gd_device_set;

/* sets[i] are the devices of the name names[i] ("": none), which op owners[i] has. Not for
 * REGAL_DEVICES_IGNORED. Names that the cluster does not have are REGAL_INVALID_INPUT; for
 * REGAL_DEVICES_ALLOWED they count as no restriction, with a warning, where that holds for all of
 * them. file: for messages. */
regal_status gd_devices_find(const char *file, const regal_read_options *options,
                             const char *const *names, const char *const *owners, int64_t count,
                             gd_device_set *sets);
void gd_devices_free(gd_device_set *sets, int64_t count);

/* The name under which a GraphDef is placed on a device, and which gd_devices_find leads back to
 * it: its own, or "/device:GPU:k" (CPU: of the class "cpu") where no device of the cluster has a
 * name of TensorFlow's kind. Freed with free. */
regal_status gd_device_write(const regal_graph *graph, const regal_cluster *cluster, int64_t device,
                             char **text);

#endif

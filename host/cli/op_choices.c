#include "cli/op_choices.h"

#include <fnmatch.h>
#include <string.h>

bool allowed_covers(regal_allowed allowed, const regal_cluster *cluster, int64_t device) {
    if (!allowed.pattern)
        return allowed.device == device;
    return fnmatch(allowed.pattern, regal_cluster_device(cluster, device).name, 0) == 0;
}

static int64_t class_of(const regal_graph *graph, regal_device device) {
    if (!device.class_name)
        return device.class_index;
    int64_t index = 0;
    while (strcmp(regal_graph_class_name(graph, index), device.class_name) != 0)
        index++;
    return index;
}

int64_t op_ticks(const regal_graph *graph, const regal_cluster *cluster, int64_t op,
                 int64_t device) {
    const int64_t class = class_of(graph, regal_cluster_device(cluster, device));
    const int64_t cost = regal_graph_op(graph, op).cost[class];
    return cost < 1 ? 1 : cost;
}

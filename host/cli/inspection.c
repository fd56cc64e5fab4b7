#include "cli/inspection.h"

#include "cli/op_choices.h"

/* The mean over all links between two devices; where there are none, the default link. */
typedef struct mean_link {
    double latency, ticks_per_byte;
} mean_link;

static void add_link(mean_link *mean, regal_link link) {
    mean->latency += (double)link.latency;
    if (link.bytes_per_1000_ticks > 0)
        mean->ticks_per_byte += 1000.0 / (double)link.bytes_per_1000_ticks;
}

static mean_link find_mean_link(const regal_cluster *cluster) {
    const int64_t devices = regal_cluster_device_count(cluster);
    mean_link mean = {0};
    for (int64_t from = 0; from < devices; from++)
        for (int64_t to = 0; to < devices; to++)
            if (from != to)
                add_link(&mean, regal_cluster_link(cluster, from, to, NULL));
    const double links = (double)devices * (double)(devices - 1);
    if (links < 1)
        add_link(&mean, regal_cluster_default_link(cluster));
    else
        mean = (mean_link){mean.latency / links, mean.ticks_per_byte / links};
    return mean;
}

static void measure_communication(inspection *seen) {
    const mean_link link = find_mean_link(seen->setting->cluster);
    const int64_t tensors = seen->facts.counts.tensors;
    for (int64_t i = 0; i < tensors; i++) {
        const regal_tensor tensor = regal_graph_tensor(seen->graph, i);
        if (tensor.consumer_count == 0)
            continue;
        const double ticks = link.latency + (double)tensor.bytes * link.ticks_per_byte;
        seen->sent.ticks += ticks < 1 ? 1 : ticks;
        seen->sent.tensors++;
        if (__builtin_add_overflow(seen->sent.bytes, tensor.bytes, &seen->sent.bytes))
            seen->sent.bytes = INT64_MAX;
    }
}

static bool is_there(const regal_cluster *cluster, regal_allowed allowed) {
    for (int64_t i = 0; i < regal_cluster_device_count(cluster); i++)
        if (allowed_covers(allowed, cluster, i))
            return true;
    return false;
}

static void find_homeless_ops(inspection *seen) {
    seen->first_homeless = -1;
    for (int64_t i = 0; i < seen->facts.counts.ops; i++) {
        const regal_op op = regal_graph_op(seen->graph, i);
        bool has_home = op.allowed_count == 0;
        for (int64_t k = 0; k < op.allowed_count && !has_home; k++)
            has_home = is_there(seen->setting->cluster, op.allowed[k]);
        if (!has_home && seen->homeless_ops++ == 0)
            seen->first_homeless = i;
    }
}

void inspection_join_cluster(inspection *seen) {
    measure_communication(seen);
    find_homeless_ops(seen);
}

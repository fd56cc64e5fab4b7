#include "regal/cluster.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "graph/graph_limits.h"

typedef struct pair {
    regal_link link;
    bool listed;
} pair;

struct regal_cluster {
    int64_t device_count;
    regal_device devices[REGAL_MAX_DEVICES]; /* strings owned */
    regal_link default_link;
    pair *pairs; /* [from * REGAL_MAX_DEVICES + to]; NULL until a pair is listed */
};

regal_status regal_cluster_create(regal_cluster **cluster) {
    *cluster = calloc(1, sizeof **cluster);
    REGAL_FAIL_IF_NULL(*cluster);
    return REGAL_OK;
}

void regal_cluster_destroy(regal_cluster *cluster) {
    if (cluster == NULL)
        return;
    for (int64_t i = 0; i < cluster->device_count; ++i) {
        free((char *)cluster->devices[i].name);
        free((char *)cluster->devices[i].class_name);
    }
    free(cluster->pairs);
    free(cluster);
}

static regal_status copy_parts(const regal_cluster *from, regal_cluster *to) {
    to->default_link = from->default_link;
    for (int64_t i = 0; i < from->device_count; ++i)
        REGAL_FORWARD(regal_cluster_add_device(to, &from->devices[i]));
    if (from->pairs != NULL) {
        const size_t size = sizeof(pair) * REGAL_MAX_DEVICES * REGAL_MAX_DEVICES;
        to->pairs = malloc(size);
        REGAL_FAIL_IF_NULL(to->pairs);
        memcpy(to->pairs, from->pairs, size);
    }
    return REGAL_OK;
}

regal_status regal_cluster_clone(const regal_cluster *cluster, regal_cluster **copy) {
    regal_cluster *made = NULL;
    *copy = NULL;
    REGAL_FORWARD(regal_cluster_create(&made));
    const regal_status status = copy_parts(cluster, made);
    if (status != REGAL_OK)
        regal_cluster_destroy(made);
    else
        *copy = made;
    return status;
}

static regal_status check_device(const regal_cluster *cluster, const regal_device *device,
                                 const char *name) {
    REGAL_FAIL_IF(cluster->device_count >= REGAL_MAX_DEVICES, REGAL_INVALID_INPUT,
                  "device '%s': a cluster has at most %d devices", name, REGAL_MAX_DEVICES);
    REGAL_FAIL_IF(device->memory < 0, REGAL_INVALID_INPUT,
                  "device '%s': its memory is negative (%lld)", name, (long long)device->memory);
    REGAL_FAIL_IF(device->memory > REGAL_NUMBER_MAX, REGAL_INVALID_INPUT,
                  "device '%s': its memory is above 2^53 bytes (%lld); 0 means unlimited", name,
                  (long long)device->memory);
    REGAL_FAIL_IF(device->class_name == NULL && device->class_index < 0, REGAL_INVALID_INPUT,
                  "device '%s': its class is negative (%lld)", name,
                  (long long)device->class_index);
    for (int64_t i = 0; i < cluster->device_count; ++i)
        REGAL_FAIL_IF(strcmp(cluster->devices[i].name, name) == 0, REGAL_INVALID_INPUT,
                      "devices %lld and %lld are both named '%s'", (long long)i,
                      (long long)cluster->device_count, name);
    return REGAL_OK;
}

regal_status regal_cluster_add_device(regal_cluster *cluster, const regal_device *device) {
    char standard[32];
    snprintf(standard, sizeof standard, "d%lld", (long long)cluster->device_count);
    const char *name = device->name != NULL ? device->name : standard;
    REGAL_FORWARD(check_device(cluster, device, name));

    regal_device copy = *device;
    const bool classed = device->class_name != NULL;
    copy.name = strdup(name);
    copy.class_name = classed ? strdup(device->class_name) : NULL;
    copy.class_index = classed ? 0 : device->class_index;
    if (copy.name == NULL || (classed && copy.class_name == NULL)) {
        free((char *)copy.name);
        free((char *)copy.class_name);
        REGAL_FAIL(REGAL_OUT_OF_MEMORY, "memory ran out");
    }
    cluster->devices[cluster->device_count++] = copy;
    return REGAL_OK;
}

static regal_status check_link(regal_link link, const char *what) {
    REGAL_FAIL_IF(link.latency < 0, REGAL_INVALID_INPUT, "%s: its latency is negative (%lld)", what,
                  (long long)link.latency);
    REGAL_FAIL_IF(link.latency > REGAL_NUMBER_MAX, REGAL_INVALID_INPUT,
                  "%s: its latency is above 2^53 ticks (%lld)", what, (long long)link.latency);
    REGAL_FAIL_IF(link.bytes_per_1000_ticks < 0, REGAL_INVALID_INPUT,
                  "%s: its rate is negative (%lld)", what, (long long)link.bytes_per_1000_ticks);
    return REGAL_OK;
}

regal_status regal_cluster_set_default_link(regal_cluster *cluster, regal_link link) {
    REGAL_FORWARD(check_link(link, "the default link"));
    cluster->default_link = link;
    return REGAL_OK;
}

regal_status regal_cluster_set_link(regal_cluster *cluster, int64_t from, int64_t to,
                                    regal_link link) {
    char what[64];
    snprintf(what, sizeof what, "link %lld > %lld", (long long)from, (long long)to);
    for (int end = 0; end < 2; ++end) {
        const int64_t device = end == 0 ? from : to;
        REGAL_FAIL_IF(device < 0 || device >= cluster->device_count, REGAL_INVALID_INPUT,
                      "%s: there is no device %lld (the cluster has %lld)", what, (long long)device,
                      (long long)cluster->device_count);
    }
    REGAL_FAIL_IF(from == to, REGAL_INVALID_INPUT,
                  "%s: a link joins two different devices, not one with itself", what);
    REGAL_FORWARD(check_link(link, what));

    if (cluster->pairs == NULL) {
        cluster->pairs = calloc(REGAL_MAX_DEVICES * REGAL_MAX_DEVICES, sizeof *cluster->pairs);
        REGAL_FAIL_IF_NULL(cluster->pairs);
    }
    pair *entry = &cluster->pairs[from * REGAL_MAX_DEVICES + to];
    REGAL_FAIL_IF(entry->listed, REGAL_INVALID_INPUT, "%s is listed twice", what);
    *entry = (pair){.link = link, .listed = true};
    return REGAL_OK;
}

int64_t regal_cluster_device_count(const regal_cluster *cluster) {
    return cluster->device_count;
}

regal_device regal_cluster_device(const regal_cluster *cluster, int64_t index) {
    return cluster->devices[index];
}

regal_link regal_cluster_default_link(const regal_cluster *cluster) {
    return cluster->default_link;
}

regal_link regal_cluster_link(const regal_cluster *cluster, int64_t from, int64_t to, int *listed) {
    const pair *entry =
        cluster->pairs != NULL ? &cluster->pairs[from * REGAL_MAX_DEVICES + to] : NULL;
    const bool own = entry != NULL && entry->listed;
    if (listed != NULL)
        *listed = own;
    return own ? entry->link : cluster->default_link;
}

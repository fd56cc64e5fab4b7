/* Colocation groups closed under aliases, their leaders, leads and allowed devices. */
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/name_table.h"
#include "graph/problem_build.h"

static regal_id find(regal_id *parent, regal_id op) {
    while (parent[op] != op) {
        parent[op] = parent[parent[op]];
        op = parent[op];
    }
    return op;
}

static regal_status merge_groups(const regal_problem *problem, regal_id *parent) {
    const regal_graph *graph = problem->graph;
    const regal_problem_view *view = &problem->view;
    regal_name_table groups;
    REGAL_FAIL_IF(!regal_name_table_create(&groups, view->op_count), REGAL_OUT_OF_MEMORY,
                  "memory ran out");
    for (regal_id v = 0; v < view->op_count; ++v) {
        const char *group = regal_graph_op(graph, v).group;
        parent[v] = v;
        if (group != NULL)
            parent[v] = find(parent, regal_name_table_add(&groups, group, v));
    }
    regal_name_table_destroy(&groups);
    for (regal_id t = 0; t < view->tensor_count; ++t) {
        const int64_t target = regal_graph_tensor(graph, t).alias_of;
        if (target >= 0)
            parent[find(parent, view->tensors[t].producer)] =
                find(parent, view->tensors[target].producer);
    }
    return REGAL_OK;
}

static regal_status own_allowed(const regal_problem *problem, regal_id v, uint64_t *set) {
    const int32_t devices = problem->view.device_count;
    const uint64_t all = devices == 64 ? ~(uint64_t)0 : ((uint64_t)1 << devices) - 1;
    const regal_op op = regal_graph_op(problem->graph, v);
    *set = op.allowed == NULL ? all : 0;
    for (int64_t i = 0; i < op.allowed_count; ++i) {
        const regal_allowed entry = op.allowed[i];
        if (entry.pattern == NULL) {
            REGAL_FAIL_IF(entry.device >= devices, REGAL_INVALID_INPUT,
                          "ops[%" PRId64 "] '%s': allowed device %" PRId64
                          ", but the cluster has devices 0..%d",
                          (int64_t)v, op.name, entry.device, devices - 1);
            *set |= (uint64_t)1 << entry.device;
            continue;
        }
        for (int32_t d = 0; d < devices; ++d)
            if (fnmatch(entry.pattern, regal_cluster_device(problem->cluster, d).name, 0) == 0)
                *set |= (uint64_t)1 << d;
    }
    return REGAL_OK;
}

/* An op that shares its device with no other. */
static regal_status report_homeless(const regal_op *op) {
    const char *pattern = op->allowed_count > 0 ? op->allowed[0].pattern : NULL;
    REGAL_FAIL_IF(pattern != NULL, REGAL_INFEASIBLE,
                  "'%.200s' may run on no device: the cluster has none of those that it allows: "
                  "'%.200s'%s",
                  op->name, pattern, op->allowed_count > 1 ? ", ..." : "");
    REGAL_FAIL(REGAL_INFEASIBLE, "'%.200s' may run on no device: it allows none", op->name);
}

/* "'a' on d0 d2; 'b' on d1": the first members of a group without a common device. */
static regal_status report_infeasible(const regal_problem *problem, const uint64_t *own,
                                      regal_id leader) {
    enum { SHOWN = 8 };
    const regal_problem_view *view = &problem->view;
    char text[1500] = "";
    size_t used = 0;
    int64_t members = 0;
    for (regal_id v = 0; v < view->op_count; ++v) {
        if (view->leader[v] != leader || ++members > SHOWN)
            continue;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s'%.60s' on",
                                 members > 1 ? "; " : "", regal_graph_op(problem->graph, v).name);
        int32_t named = 0;
        for (uint64_t set = own[v]; set != 0 && named < 4; set &= set - 1, ++named)
            used +=
                (size_t)snprintf(text + used, sizeof text - used, " %.20s",
                                 regal_cluster_device(problem->cluster, regal_set_first(set)).name);
        if (regal_set_size(own[v]) > 4)
            used += (size_t)snprintf(text + used, sizeof text - used, " ...");
        if (own[v] == 0)
            used += (size_t)snprintf(text + used, sizeof text - used, " none");
    }
    if (members == 1) {
        const regal_op op = regal_graph_op(problem->graph, leader);
        return report_homeless(&op);
    }
    if (members > SHOWN)
        snprintf(text + used, sizeof text - used, "; ... (%" PRId64 " ops in all)", members);
    REGAL_FAIL(REGAL_INFEASIBLE, "ops that must share a device have none in common: %s", text);
}

/* The producer of the heaviest input; the smallest tensor id on ties. */
static regal_id heaviest_producer(const regal_problem_view *view, regal_id op) {
    regal_id best = -1;
    for (regal_id i = view->ops[op].input_begin; i < view->ops[op + 1].input_begin; ++i) {
        const regal_id tensor = view->inputs[i].tensor;
        if (best < 0 || view->tensors[tensor].bytes > view->tensors[best].bytes)
            best = tensor;
    }
    return best >= 0 ? view->tensors[best].producer : -1;
}

static regal_status fill_groups(regal_problem *problem, regal_id *parent, uint64_t *own) {
    regal_problem_view *view = &problem->view;
    const int64_t n = view->op_count;
    regal_id *leader = regal_problem_array(problem, n, sizeof *leader);
    regal_id *lead = regal_problem_array(problem, n, sizeof *lead);
    uint64_t *allowed = regal_problem_array(problem, n, sizeof *allowed);
    regal_id *leader_of = regal_allocate(n, sizeof *leader_of);
    if (leader == NULL || lead == NULL || allowed == NULL || leader_of == NULL) {
        free(leader_of);
        REGAL_FAIL(REGAL_OUT_OF_MEMORY, "memory ran out");
    }
    for (regal_id v = 0; v < n; ++v)
        leader_of[v] = -1;
    for (int64_t i = 0; i < n; ++i) {
        const regal_id v = view->canonical[i], set = find(parent, v);
        const bool first = leader_of[set] < 0;
        if (first)
            leader_of[set] = v;
        leader[v] = leader_of[set];
        lead[v] = first ? heaviest_producer(view, v) : -1;
        allowed[leader[v]] = first ? own[v] : allowed[leader[v]] & own[v];
    }
    free(leader_of);
    view->leader = leader;
    view->lead = lead;
    view->allowed = allowed;
    for (int64_t i = 0; i < n; ++i) {
        const regal_id v = view->canonical[i];
        if (leader[v] == v && allowed[v] == 0)
            return report_infeasible(problem, own, v);
    }
    return REGAL_OK;
}

regal_status regal_groups_build(regal_problem *problem) {
    const int64_t n = problem->view.op_count;
    regal_id *parent = regal_allocate(n, sizeof *parent);
    uint64_t *own = regal_allocate(n, sizeof *own);
    regal_status status =
        parent != NULL && own != NULL
            ? merge_groups(problem, parent)
            : regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out");
    for (regal_id v = 0; status == REGAL_OK && v < n; ++v)
        status = own_allowed(problem, v, &own[v]);
    if (status == REGAL_OK)
        status = fill_groups(problem, parent, own);
    free(parent);
    free(own);
    return status;
}

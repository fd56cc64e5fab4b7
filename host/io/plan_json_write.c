/* regal-plan 1, out: the keys in a fixed order, `made` (all that may differ between equal runs)
 * last. */
#include <stdlib.h>

#include "base/error.h"
#include "io/cluster_json.h"
#include "io/json_out.h"
#include "io/made_json.h"
#include "regal/io.h"

static void put_key(regal_out *out, const char *key) {
    regal_out_format(out, ",\n\"%s\": ", key);
}

static void put_numbers(regal_out *out, const char *key, const int64_t *numbers, int64_t count) {
    put_key(out, key);
    regal_out_integers(out, numbers, count);
}

static void put_bound(regal_out *out, const char *key, int64_t bound) {
    regal_out_format(out, "\"%s\": ", key);
    if (bound < 0)
        regal_out_text(out, "null");
    else
        regal_out_integer(out, bound);
}

static void put_figures(regal_out *out, const regal_plan *plan) {
    put_key(out, "objective");
    regal_out_string(out, regal_objective_name(plan->objective));
    put_key(out, "makespan");
    regal_out_integer(out, plan->makespan);
    put_numbers(out, "peak", plan->peak, plan->device_count);
    if (plan->time.value[0] >= 0) {
        put_key(out, "fitness");
        regal_out_text(out, "{\"time\": ");
        regal_out_integers(out, plan->time.value, 3);
        regal_out_text(out, ", \"memory\": ");
        regal_out_integers(out, plan->memory.value, 3);
        regal_out_text(out, "}");
    }
    if (plan->bound_time >= 0 || plan->bound_memory >= 0) {
        put_key(out, "bounds");
        regal_out_text(out, "{");
        put_bound(out, "time", plan->bound_time);
        regal_out_text(out, ", ");
        put_bound(out, "memory", plan->bound_memory);
        regal_out_text(out, "}");
    }
}

static void put_graph(regal_out *out, const regal_plan *plan) {
    put_key(out, "graph");
    regal_out_text(out, "{\"digest\": ");
    regal_out_string(out, plan->graph_digest);
    regal_out_text(out, ", \"options\": ");
    regal_out_string_map(out, (const char *const *)plan->option_keys,
                         (const char *const *)plan->option_values, plan->option_count);
    regal_out_text(out, "}");
}

static void put_transfers(regal_out *out, const regal_plan *plan) {
    put_key(out, "transfers");
    regal_out_text(out, "[");
    for (int64_t i = 0; i < plan->transfer_count; ++i) {
        const regal_transfer *transfer = &plan->transfers[i];
        regal_out_format(out, "%s{\"tensor\": %lld, \"to\": %lld, \"start\": %lld}",
                         i > 0 ? ",\n" : "\n", (long long)transfer->tensor, (long long)transfer->to,
                         (long long)transfer->start);
    }
    regal_out_text(out, "]");
}

static regal_status put_plan(regal_out *out, const regal_plan *plan) {
    regal_out_text(out, "{\n\"format\": \"regal-plan\",\n\"version\": 1");
    put_figures(out, plan);
    put_graph(out, plan);
    put_key(out, "cluster");
    regal_cluster_to_json(out, plan->cluster);
    put_key(out, "names");
    regal_out_strings(out, (const char *const *)plan->op_names, plan->op_count);
    put_numbers(out, "placement", plan->placement, plan->op_count);
    put_numbers(out, "start", plan->start, plan->op_count);
    put_numbers(out, "finish", plan->finish, plan->op_count);
    put_transfers(out, plan);
    put_key(out, "made");
    REGAL_FORWARD(regal_made_to_json(out, &plan->made));
    regal_out_text(out, "\n}\n");
    return REGAL_OK;
}

regal_status regal_plan_write(const regal_plan *plan, const char *path) {
    REGAL_FAIL_IF(plan->cluster == NULL || plan->op_names == NULL || plan->finish == NULL ||
                      plan->graph_digest[0] == '\0',
                  REGAL_INVALID_ARGUMENT,
                  "%s: the plan is not attached to its graph and cluster (regal_plan_attach)",
                  path);
    regal_out out = {0};
    const regal_status status = put_plan(&out, plan);
    if (status != REGAL_OK) {
        free(out.data);
        return status;
    }
    return regal_out_save(&out, path);
}

/* TensorFlow's step stats: what the nodes of a step took. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "graph/graph_limits.h"
#include "io/costs/costs_data.h"
#include "io/tensorflow/tensorflow_module.h"

static regal_status take_run(regal_costs *costs, const regal_node_run *run, int64_t index,
                             regal_cost_sample *sample) {
    const char *label = costs->label;
    json_t *checked = json_stringn(run->name, run->name_size);
    const bool good = checked != NULL && memchr(run->name, '\0', run->name_size) == NULL;
    json_decref(checked);
    REGAL_FAIL_IF(!good, REGAL_INVALID_INPUT, "%s: node_stats %lld: its name is no text (UTF-8)",
                  label, (long long)index);
    char *name = regal_arena_copy(&costs->strings, run->name, run->name_size);
    REGAL_FAIL_IF_NULL(name);
    REGAL_FAIL_IF(run->finish < run->start, REGAL_INVALID_INPUT,
                  "%s: node_stats %lld (%.200s): ends before it begins", label, (long long)index,
                  name);
    const uint64_t ticks = (uint64_t)run->finish - (uint64_t)run->start;
    REGAL_FAIL_IF(ticks > (uint64_t)REGAL_NUMBER_MAX, REGAL_INVALID_INPUT,
                  "%s: node_stats %lld (%.200s): lasts more than 2^53 ns", label, (long long)index,
                  name);
    *sample = (regal_cost_sample){name, (int64_t)ticks};
    return REGAL_OK;
}

static regal_status take_runs(regal_costs *costs, const regal_run_metadata_module *module,
                              const regal_step_stats *stats) {
    const int64_t count = module->count(stats);
    regal_cost_sample *samples = regal_allocate(count, sizeof *samples);
    REGAL_FAIL_IF_NULL(samples);
    regal_status status = REGAL_OK;
    int64_t named = 0;
    for (int64_t i = 0; i < count && status == REGAL_OK; ++i) {
        const regal_node_run run = module->run(stats, i);
        if (run.name_size > 0)
            status = take_run(costs, &run, i, &samples[named++]);
    }
    if (status == REGAL_OK)
        status = regal_costs_add_means(costs, samples, named);
    free(samples);
    return status;
}

/* The text form begins with a word; the binary one with the tag of field 1, a newline in text. */
regal_status regal_costs_from_run_metadata(regal_costs *costs, const char *data, size_t size) {
    const regal_tensorflow_module *module;
    regal_step_stats *stats;
    bool text = true;
    for (size_t i = 0; i < size && text; ++i)
        text = (unsigned char)data[i] >= 0x20 || (data[i] >= '\t' && data[i] <= '\r');
    REGAL_FORWARD(regal_tensorflow_load(&module));
    REGAL_FORWARD(module->run_metadata->parse(data, size, text, regal_tensorflow_notice,
                                              (void *)costs->label, &stats));
    const regal_status status = take_runs(costs, module->run_metadata, stats);
    module->run_metadata->destroy(stats);
    return status;
}

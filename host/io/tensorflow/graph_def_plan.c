#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/tensorflow/graph_def_devices.h"
#include "io/tensorflow/graph_def_write.h"

typedef struct planning {
    gd_file *file;
    const regal_graph *graph;
    const regal_plan *plan;
    int64_t *item;           /* [ops] node, or main.count + loop */
    int64_t *device;         /* [nodes] or -1 */
    int64_t *branch;         /* [nodes] how many choices it depends on: 0 runs in any case */
    int64_t *begin, *border; /* [loops + 1] Enters, then Exits at the borders of each loop */
    int64_t *exits;          /* [loops] where its Exits begin in border */
    int64_t unordered;
} planning;

/* ---- chains */

typedef struct placed {
    int64_t device, start, op;
} placed;

static int compare_placed(const void *left, const void *right) {
    const placed *a = left, *b = right;
    if (a->device != b->device)
        return a->device < b->device ? -1 : 1;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return (a->op > b->op) - (a->op < b->op);
}

regal_status gd_chain_make(const regal_plan *plan, gd_chain *chain) {
    placed *sorted = regal_allocate(plan->op_count, sizeof *sorted);
    chain->ops = regal_allocate(plan->op_count, sizeof *chain->ops);
    chain->begin = regal_allocate_zeroed(plan->device_count + 1, sizeof *chain->begin);
    const bool ok = sorted != NULL && chain->ops != NULL && chain->begin != NULL;
    for (int64_t v = 0; ok && v < plan->op_count; ++v) {
        sorted[v] = (placed){plan->placement[v], plan->start[v], v};
        ++chain->begin[plan->placement[v] + 1];
    }
    if (ok && plan->op_count > 0)
        qsort(sorted, (size_t)plan->op_count, sizeof *sorted, compare_placed);
    for (int64_t i = 0; ok && i < plan->op_count; ++i)
        chain->ops[i] = sorted[i].op;
    for (int64_t d = 0; ok && d < plan->device_count; ++d)
        chain->begin[d + 1] += chain->begin[d];
    free(sorted);
    REGAL_FAIL_IF(!ok, REGAL_OUT_OF_MEMORY, "memory ran out");
    return REGAL_OK;
}

void gd_chain_free(gd_chain *chain) {
    free(chain->ops);
    free(chain->begin);
}

/* ---- ops and nodes */

static int64_t count_of(const planning *at) {
    return at->file->main.count;
}

static regal_status find_items(planning *at) {
    const gd_file *file = at->file;
    regal_name_table loops;
    REGAL_FAIL_IF(!regal_name_table_create(&loops, file->frame_count), REGAL_OUT_OF_MEMORY,
                  "memory ran out");
    for (int64_t f = 0; f < file->frame_count; ++f)
        regal_name_table_add(&loops, file->frames[f], f);
    regal_status status = REGAL_OK;
    for (int64_t v = 0; v < at->plan->op_count && status == REGAL_OK; ++v) {
        const char *name = regal_graph_op(at->graph, v).name;
        at->item[v] = regal_name_table_find(&file->main.names, name);
        if (at->item[v] < 0 && regal_name_table_find(&loops, name) >= 0)
            at->item[v] = file->main.count + regal_name_table_find(&loops, name);
        if (at->item[v] < 0)
            status = regal_error_set(REGAL_INVALID_ARGUMENT, __FILE__, __LINE__,
                                     "%s: has no node '%.200s', which the plan has: is it the file "
                                     "that the graph was read from?",
                                     file->name, name);
    }
    regal_name_table_destroy(&loops);
    return status;
}

/* ---- loops */

static regal_status find_borders(planning *at) {
    const gd_file *file = at->file;
    const int64_t loops = file->frame_count;
    at->begin = regal_allocate_zeroed(loops + 1, sizeof *at->begin);
    at->exits = regal_allocate_zeroed(loops, sizeof *at->exits);
    at->border = regal_allocate(file->main.count, sizeof *at->border);
    REGAL_FAIL_IF(at->begin == NULL || at->exits == NULL || at->border == NULL, REGAL_OUT_OF_MEMORY,
                  "memory ran out");
    for (int64_t n = 0; n < file->main.count; ++n)
        if (file->border[n]) {
            ++at->begin[file->frame[n] + 1];
            at->exits[file->frame[n]] += file->main.nodes[n].kind->role == GD_ENTER;
        }
    for (int64_t f = 0; f < loops; ++f)
        at->begin[f + 1] += at->begin[f];
    int64_t *cursor = regal_allocate_zeroed(2 * loops, sizeof *cursor);
    REGAL_FAIL_IF_NULL(cursor);
    for (int64_t f = 0; f < loops; ++f) {
        at->exits[f] += at->begin[f];
        cursor[2 * f] = at->begin[f];
        cursor[2 * f + 1] = at->exits[f];
    }
    for (int64_t n = 0; n < file->main.count; ++n)
        if (file->border[n]) {
            const bool exit = file->main.nodes[n].kind->role == GD_EXIT;
            at->border[cursor[2 * file->frame[n] + exit]++] = n;
        }
    free(cursor);
    return REGAL_OK;
}

/* ---- branches */

static int64_t behind(const planning *at, int64_t node) {
    const gd_role role = at->file->main.nodes[node].kind->role;
    return at->branch[node] + (at->file->frame[node] < 0 && role == GD_SWITCH);
}

/* What comes out of a Switch may be dead, until a Merge joins the branches. A loop depends on what
 * its Enters do. */
static regal_status find_branches(planning *at) {
    const gd_file *file = at->file;
    const gd_scope *scope = &file->main;
    int64_t *of_loop = regal_allocate_zeroed(file->frame_count, sizeof *of_loop);
    REGAL_FAIL_IF_NULL(of_loop);
    for (int64_t i = 0; i < scope->count; ++i) {
        const int64_t n = scope->order[i];
        const gd_node *node = &scope->nodes[n];
        const int64_t f = file->frame[n];
        int64_t most = f >= 0 ? of_loop[f] : 0;
        for (int64_t k = 0; k < node->input_count; ++k) {
            const int64_t from = scope->values[scope->inputs[node->first_input + k]].node;
            if (!gd_is_back_edge(scope, from, n) && behind(at, from) > most)
                most = behind(at, from);
        }
        for (int64_t k = 0; k < node->control_count; ++k) {
            const int64_t from = scope->controls[node->first_control + k];
            most = at->branch[from] > most ? at->branch[from] : most;
        }
        if (f >= 0)
            of_loop[f] = most;
        else if (node->kind->role == GD_MERGE && most > 0)
            --most;
        at->branch[n] = most;
    }
    free(of_loop);
    return REGAL_OK;
}

static bool may_not_run(const planning *at, int64_t item) {
    const int64_t n = item < count_of(at) ? item : at->border[at->begin[item - count_of(at)]];
    return at->branch[n] > 0;
}

/* ---- devices */

static regal_status spread_devices(planning *at) {
    const gd_file *file = at->file;
    const gd_scope *scope = &file->main;
    int64_t *of_item = regal_allocate(scope->count + file->frame_count, sizeof *of_item);
    REGAL_FAIL_IF_NULL(of_item);
    for (int64_t i = 0; i < scope->count + file->frame_count; ++i)
        of_item[i] = -1;
    for (int64_t v = 0; v < at->plan->op_count; ++v)
        of_item[at->item[v]] = at->plan->placement[v];
    for (int64_t n = 0; n < scope->count; ++n)
        at->device[n] = of_item[file->frame[n] >= 0 ? scope->count + file->frame[n] : n];
    free(of_item);
    for (int64_t i = scope->count - 1; i >= 0; --i) { /* users come before what they use */
        const gd_node *node = &scope->nodes[scope->order[i]];
        for (int64_t k = 0; k < node->input_count; ++k) {
            int64_t *from = &at->device[scope->values[scope->inputs[node->first_input + k]].node];
            if (*from < 0)
                *from = at->device[scope->order[i]];
        }
    }
    for (int64_t i = 0; i < scope->count; ++i) { /* what nothing uses is where its input is */
        const int64_t n = scope->order[i];
        const gd_node *node = &scope->nodes[n];
        if (at->device[n] < 0 && node->input_count > 0)
            at->device[n] = at->device[scope->values[scope->inputs[node->first_input]].node];
    }
    return REGAL_OK;
}

static regal_status put_devices(planning *at) {
    const gd_file *file = at->file;
    char *names[REGAL_MAX_DEVICES] = {NULL};
    regal_status status = REGAL_OK;
    for (int64_t d = 0; d < at->plan->device_count && status == REGAL_OK; ++d)
        status = gd_device_write(at->graph, at->plan->cluster, d, &names[d]);
    for (int64_t n = 0; n < file->main.count && status == REGAL_OK; ++n)
        if (at->device[n] >= 0)
            status = file->module->set_device(file->parsed, n, names[at->device[n]]);
    for (int d = 0; d < REGAL_MAX_DEVICES; ++d)
        free(names[d]);
    return status;
}

/* ---- control inputs */

static bool waits_for(const gd_scope *scope, int64_t node, int64_t other) {
    const gd_node *of = &scope->nodes[node];
    for (int64_t k = 0; k < of->input_count; ++k)
        if (scope->values[scope->inputs[of->first_input + k]].node == other)
            return true;
    for (int64_t k = 0; k < of->control_count; ++k)
        if (scope->controls[of->first_control + k] == other)
            return true;
    return false;
}

static regal_status add_edge(planning *at, int64_t before, int64_t after) {
    gd_file *file = at->file;
    char *text = NULL;
    if (waits_for(&file->main, after, before))
        return REGAL_OK;
    if (asprintf(&text, "^%s", file->main.nodes[before].name) < 0)
        REGAL_FAIL(REGAL_OUT_OF_MEMORY, "memory ran out");
    const regal_status status = file->module->add_input(file->parsed, after, text);
    free(text);
    return status;
}

/* The nodes of an item that are waited for, or that wait: a loop's Exits or Enters. */
static int64_t ends(const planning *at, int64_t item, bool last, const int64_t **nodes) {
    const int64_t f = item - count_of(at);
    if (f < 0)
        return 1;
    *nodes = at->border + (last ? at->exits[f] : at->begin[f]);
    return last ? at->begin[f + 1] - at->exits[f] : at->exits[f] - at->begin[f];
}

/* Between two loops each Exit meets an Enter and each Enter an Exit, not each of them all. */
static regal_status order(planning *at, int64_t before, int64_t after) {
    const int64_t *from = &before, *to = &after;
    const int64_t from_count = ends(at, before, true, &from);
    const int64_t to_count = ends(at, after, false, &to);
    REGAL_FAIL_IF(from_count == 0, REGAL_INVALID_ARGUMENT,
                  "%s: loop '%.200s' has no Exit: no control input can put anything behind it",
                  at->file->name, at->file->frames[before - count_of(at)]);
    const int64_t most = from_count > to_count ? from_count : to_count;
    for (int64_t i = 0; i < most; ++i)
        REGAL_FORWARD(add_edge(at, from[i % from_count], to[i % to_count]));
    return REGAL_OK;
}

static regal_status put_order(planning *at, const gd_chain *chain) {
    for (int64_t d = 0; d < at->plan->device_count; ++d) {
        int64_t before = -1;
        for (int64_t i = chain->begin[d]; i < chain->begin[d + 1]; ++i) {
            const int64_t item = at->item[chain->ops[i]];
            if (before >= 0)
                REGAL_FORWARD(order(at, before, item));
            if (!may_not_run(at, item))
                before = item;
            else
                ++at->unordered;
        }
    }
    if (at->unordered > 0)
        regal_warn("%s: %lld ops are in branches that may not be taken: no control input puts "
                   "others behind them",
                   at->file->name, (long long)at->unordered);
    return REGAL_OK;
}

/* The file as it now is must have an order. */
static regal_status check(planning *at) {
    gd_scope scope = {0};
    const regal_status status = gd_scope_make(at->file, &scope, REGAL_TF_MAIN);
    gd_scope_free(&scope);
    return status == REGAL_OK
               ? status
               : regal_error_prefix(status, "the plan's order does not go with the file");
}

static regal_status put(planning *at) {
    gd_file *file = at->file;
    gd_chain chain = {0};
    at->item = regal_allocate(at->plan->op_count, sizeof *at->item);
    at->device = regal_allocate(file->main.count, sizeof *at->device);
    at->branch = regal_allocate_zeroed(file->main.count, sizeof *at->branch);
    REGAL_FAIL_IF(at->item == NULL || at->device == NULL || at->branch == NULL, REGAL_OUT_OF_MEMORY,
                  "memory ran out");
    REGAL_FORWARD(find_items(at));
    REGAL_FORWARD(find_borders(at));
    REGAL_FORWARD(find_branches(at));
    REGAL_FORWARD(spread_devices(at));
    REGAL_FORWARD(put_devices(at));
    regal_status status = gd_chain_make(at->plan, &chain);
    if (status == REGAL_OK)
        status = put_order(at, &chain);
    gd_chain_free(&chain);
    return status == REGAL_OK ? check(at) : status;
}

regal_status gd_put_plan(gd_file *file, const regal_graph *graph, const regal_plan *plan) {
    planning at = {.file = file, .graph = graph, .plan = plan};
    REGAL_FORWARD(gd_scope_make(file, &file->main, REGAL_TF_MAIN));
    REGAL_FORWARD(gd_frames_find(file));
    const regal_status status = put(&at);
    free(at.item);
    free(at.device);
    free(at.branch);
    free(at.begin);
    free(at.border);
    free(at.exits);
    if (status == REGAL_OUT_OF_MEMORY)
        REGAL_FAIL(status, "memory ran out");
    return status;
}

#include "io/costs/costs_apply.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/name_table.h"
#include "graph/graph_data.h"
#include "io/costs/costs_data.h"

enum { EVERY_CLASS = -1 };

typedef struct applying {
    const regal_costs *costs;
    regal_graph *graph;
    int64_t *op;          /* [costs->count] of the graph, or -1 */
    int64_t *class_index; /* [costs->count], or EVERY_CLASS */
    int64_t matched;
} applying;

static regal_status find_ops(applying *a) {
    regal_name_table table;
    const int64_t count = regal_graph_op_count(a->graph);
    REGAL_FAIL_IF(!regal_name_table_create(&table, count), REGAL_OUT_OF_MEMORY, "memory ran out");
    for (int64_t i = 0; i < count; ++i)
        regal_name_table_add(&table, regal_graph_op(a->graph, i).name, i);
    for (int64_t i = 0; i < a->costs->count; ++i) {
        a->op[i] = regal_name_table_find(&table, a->costs->lines[i].op);
        a->matched += a->op[i] >= 0;
    }
    regal_name_table_destroy(&table);
    return REGAL_OK;
}

/* By its exact name, else without regard to letter case: "H100". */
static int64_t find_class(const regal_graph *graph, const char *name) {
    const int64_t count = regal_graph_class_count(graph);
    for (int64_t i = 0; i < count; ++i)
        if (strcmp(regal_graph_class_name(graph, i), name) == 0)
            return i;
    for (int64_t i = 0; i < count; ++i)
        if (strcasecmp(regal_graph_class_name(graph, i), name) == 0)
            return i;
    return -1;
}

static regal_status refuse_class(const applying *a, const regal_cost_line *line) {
    regal_out list = {0};
    for (int64_t i = 0; i < regal_graph_class_count(a->graph); ++i) {
        regal_out_text(&list, i > 0 ? ", " : "");
        regal_out_text(&list, regal_graph_class_name(a->graph, i));
    }
    regal_out_bytes(&list, "", 1);
    regal_error_set(REGAL_INVALID_INPUT, __FILE__, __LINE__,
                    "%s:%lld: the graph has no device class \"%.200s\": it has %.1000s",
                    a->costs->label, (long long)line->line, line->class_name,
                    list.failed ? "others" : list.data);
    free(list.data);
    return REGAL_INVALID_INPUT;
}

static regal_status find_classes(applying *a) {
    for (int64_t i = 0; i < a->costs->count; ++i) {
        const regal_cost_line *line = &a->costs->lines[i];
        a->class_index[i] = EVERY_CLASS;
        if (line->class_name == NULL)
            continue;
        /* Lines of one class mostly follow each other. */
        const bool again = i > 0 && a->costs->lines[i - 1].class_name != NULL &&
                           strcmp(a->costs->lines[i - 1].class_name, line->class_name) == 0;
        a->class_index[i] = again ? a->class_index[i - 1] : find_class(a->graph, line->class_name);
        if (a->class_index[i] < 0)
            return refuse_class(a, line);
    }
    return REGAL_OK;
}

static regal_status judge_match(const applying *a) {
    const int64_t missing = a->costs->count - a->matched;
    const char *first = "";
    for (int64_t i = a->costs->count; i-- > 0;)
        if (a->op[i] < 0)
            first = a->costs->lines[i].op;
    REGAL_FAIL_IF(
        a->matched == 0, REGAL_INVALID_INPUT,
        "%s: none of its %lld times is of an op of the graph (the first is of \"%.200s\")",
        a->costs->label, (long long)a->costs->count, first);
    if (missing > 0)
        regal_warn("%s: %lld of %lld times are of no op of the graph and left out (the first is of "
                   "\"%.200s\")",
                   a->costs->label, (long long)missing, (long long)a->costs->count, first);
    return REGAL_OK;
}

/* A line with a class goes before one without. */
static void set_costs(applying *a) {
    const int64_t classes = regal_graph_class_count(a->graph);
    for (int64_t i = 0; i < a->costs->count; ++i)
        for (int64_t c = 0; a->op[i] >= 0 && a->class_index[i] == EVERY_CLASS && c < classes; ++c)
            regal_graph_set_cost(a->graph, a->op[i], c, a->costs->lines[i].ticks);
    for (int64_t i = 0; i < a->costs->count; ++i)
        if (a->op[i] >= 0 && a->class_index[i] != EVERY_CLASS)
            regal_graph_set_cost(a->graph, a->op[i], a->class_index[i], a->costs->lines[i].ticks);
}

static regal_status record(const applying *a) {
    regal_out text = {0};
    for (int64_t i = 0; i < a->costs->count; ++i)
        if (a->op[i] >= 0)
            regal_cost_line_put(&text, &a->costs->lines[i]);
    regal_out_bytes(&text, "", 1);
    const regal_status status =
        text.failed ? REGAL_OUT_OF_MEMORY : regal_graph_set_option(a->graph, "costs", text.data);
    free(text.data);
    REGAL_FAIL_IF(status != REGAL_OK, REGAL_OUT_OF_MEMORY, "memory ran out");
    return REGAL_OK;
}

static regal_status apply(applying *a) {
    REGAL_FORWARD(find_ops(a));
    REGAL_FORWARD(find_classes(a));
    REGAL_FORWARD(judge_match(a));
    set_costs(a);
    REGAL_FORWARD(record(a));
    const regal_status status = regal_graph_validate(a->graph); /* sums of ticks */
    return status == REGAL_OK ? status : regal_error_prefix(status, "%s", a->costs->label);
}

regal_status regal_costs_apply(const regal_costs *costs, regal_graph *graph) {
    applying a = {.costs = costs, .graph = graph};
    a.op = regal_allocate(costs->count, sizeof *a.op);
    a.class_index = regal_allocate(costs->count, sizeof *a.class_index);
    const regal_status status =
        a.op != NULL && a.class_index != NULL
            ? apply(&a)
            : regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out");
    free(a.op);
    free(a.class_index);
    return status;
}

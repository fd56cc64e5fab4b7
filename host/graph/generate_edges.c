#include "graph/generate_edges.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"

regal_status regal_edge_list_add(regal_edge_list *list, int64_t from, int64_t to) {
    REGAL_FAIL_IF(
        !regal_array_reserve(&list->items, &list->capacity, list->count + 1, sizeof *list->items),
        REGAL_OUT_OF_MEMORY, "memory ran out at edge %lld", (long long)list->count);
    list->items[list->count++] = (regal_edge){from, to};
    return REGAL_OK;
}

void regal_edge_list_free(regal_edge_list *list) {
    free(list->items);
    *list = (regal_edge_list){0};
}

/* One stable pass of a counting sort by one end of the edges. */
static void sort_by(const regal_edge *edges, int64_t count, bool by_from, int64_t *place,
                    int64_t op_count, regal_edge *sorted) {
    for (int64_t v = 0; v <= op_count; ++v)
        place[v] = 0;
    for (int64_t i = 0; i < count; ++i)
        place[(by_from ? edges[i].from : edges[i].to) + 1]++;
    for (int64_t v = 0; v < op_count; ++v)
        place[v + 1] += place[v];
    for (int64_t i = 0; i < count; ++i)
        sorted[place[by_from ? edges[i].from : edges[i].to]++] = edges[i];
}

regal_status regal_edge_list_sort(regal_edge_list *list, int64_t op_count) {
    int64_t *place = regal_allocate(op_count + 1, sizeof *place);
    regal_edge *other = regal_allocate(list->count, sizeof *other);
    if (place == NULL || other == NULL) {
        free(place);
        free(other);
        REGAL_FAIL(REGAL_OUT_OF_MEMORY, "memory ran out");
    }
    sort_by(list->items, list->count, false, place, op_count, other);
    sort_by(other, list->count, true, place, op_count, list->items);
    free(place);
    free(other);
    int64_t kept = 0;
    for (int64_t i = 0; i < list->count; ++i) {
        const regal_edge edge = list->items[i];
        if (kept == 0 || edge.from != list->items[kept - 1].from ||
            edge.to != list->items[kept - 1].to)
            list->items[kept++] = edge;
    }
    list->count = kept;
    return REGAL_OK;
}

void regal_edge_list_orient(regal_edge_list *list, const int64_t *position) {
    for (int64_t i = 0; i < list->count; ++i) {
        const regal_edge edge = list->items[i];
        if (position[edge.from] > position[edge.to])
            list->items[i] = (regal_edge){edge.to, edge.from};
    }
}

regal_status regal_edge_list_add_tensors(regal_edge_list *list, const int64_t *bytes,
                                         regal_graph *graph) {
    const int64_t op_count = regal_graph_op_count(graph);
    REGAL_FORWARD(regal_edge_list_sort(list, op_count));
    int64_t next = 0;
    for (int64_t v = 0; v < op_count; ++v) {
        const regal_tensor tensor = {.producer = v, .bytes = bytes[v], .alias_of = -1};
        REGAL_FORWARD(regal_graph_add_tensor(graph, &tensor, NULL));
        for (; next < list->count && list->items[next].from == v; ++next)
            REGAL_FORWARD(regal_graph_add_consumer(graph, list->items[next].to));
    }
    return REGAL_OK;
}

// Measured times: any bytes give some or an error. What they give is read back from its own text,
// and fits a graph or not.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include "io/costs/costs_apply.h"
#include "regal/regal.h"

static regal_graph *make_graph() {
    const char *const classes[] = {"gpu", "cpu"};
    const int64_t cost[] = {1, 2};
    regal_graph *graph = nullptr;
    if (regal_graph_create("g", 2, classes, &graph) != REGAL_OK)
        abort();
    for (const char *name : {"a", "b"}) {
        regal_op op = {};
        op.name = name;
        op.cost = cost;
        if (regal_graph_add_op(graph, &op, nullptr) != REGAL_OK)
            abort();
    }
    return graph;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    regal_costs *costs = nullptr, *again = nullptr;
    const regal_status status =
        regal_costs_parse(reinterpret_cast<const char *>(bytes), size, "fuzz", &costs);
    if (status == REGAL_INTERNAL || (status == REGAL_OK) != (costs != nullptr))
        abort();
    if (costs == nullptr)
        return 0;
    const char *text = regal_costs_text(costs);
    if (regal_costs_count(costs) < 1 ||
        regal_costs_parse(text, strlen(text), "again", &again) != REGAL_OK ||
        strcmp(regal_costs_text(again), text) != 0)
        abort();
    regal_graph *graph = make_graph();
    if (regal_costs_apply(costs, graph) == REGAL_OK && regal_graph_validate(graph) != REGAL_OK)
        abort();
    regal_graph_destroy(graph);
    regal_costs_destroy(again);
    regal_costs_destroy(costs);
    return 0;
}

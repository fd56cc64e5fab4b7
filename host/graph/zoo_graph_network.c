/* "graph-network": encode, process, decode (Battaglia et al. 2018), as in MeshGraphNets (Pfaff et
 * al. 2020) by default: every step computes each edge anew from itself and its two nodes, then each
 * node from itself and the sums of its incoming edges, with residuals. Several sets of edges (mesh
 * and contacts) have networks of their own. */
#include <stdlib.h>

#include "base/memory.h"
#include "graph/zoo_layers.h"
#include "graph/zoo_models.h"

enum {
    STEPS = ZOO_OWN,
    EDGE_SETS,
    HIDDEN,
    DEPTH,
    NODES,
    EDGES,
    NODE_FEATURES,
    EDGE_FEATURES,
    OUTPUTS
};

static const regal_generator_parameter parameters[] = {
    ZOO_PARAMETERS_OF(2),
    {"steps", "of message passing", 15, 1, 10000},
    {"edge_sets", "kinds of edges", 1, 1, 1000},
    {"hidden", "width of nodes and edges", 128, 1, 1e5},
    {"depth", "hidden layers of a network", 2, 0, 1000},
    {"nodes", "of a sample", 2000, 1, 1e9},
    {"edges", "of a set, of a sample", 12000, 1, 1e9},
    {"node_features", "numbers that describe a node", 12, 1, 1e5},
    {"edge_features", "numbers that describe an edge", 7, 1, 1e5},
    {"outputs", "numbers to predict of a node", 3, 1, 1e5}};

typedef struct edge_set {
    zoo_value features, senders, receivers;
} edge_set;

static zoo_value network(zoo *z, zoo_value x, const double *values, int64_t outputs, bool norm) {
    const int64_t hidden = (int64_t)values[HIDDEN];
    for (int64_t i = 0; i < (int64_t)values[DEPTH]; ++i) {
        zoo_enter(z, "part", i);
        x = zoo_activate(z, "relu", zoo_linear(z, "linear", x, hidden), ZOO_RELU, true);
        zoo_leave(z);
    }
    x = zoo_linear(z, "linear", x, outputs);
    return norm ? zoo_layer_norm(z, "norm", x) : x;
}

static edge_set encode_edges(zoo *z, const double *values, int64_t index, int64_t edges) {
    zoo_enter(z, "encode_edges", index);
    const zoo_shape list = zoo_shape1(edges);
    const edge_set set = {
        network(z,
                zoo_input(z, "features", zoo_shape2(edges, (int64_t)values[EDGE_FEATURES]),
                          zoo_type(z)),
                values, (int64_t)values[HIDDEN], true),
        zoo_input(z, "senders", list, REGAL_TYPE_S32),
        zoo_input(z, "receivers", list, REGAL_TYPE_S32)};
    zoo_leave(z);
    return set;
}

/* The set's edges anew; their sums at the nodes. */
static zoo_value pass_messages(zoo *z, const double *values, zoo_value nodes, edge_set *set,
                               bool last) {
    const zoo_value parts[] = {set->features, zoo_select(z, "sender", nodes, set->senders),
                               zoo_select(z, "receiver", nodes, set->receivers)};
    const zoo_value made =
        network(z, zoo_concat(z, "concat", parts, 3, 1), values, (int64_t)values[HIDDEN], true);
    if (!last) {
        const zoo_value both[] = {made, set->features};
        set->features = zoo_add(z, "add", both, 2, false);
    }
    return zoo_scatter(z, "sum", made, set->receivers, zoo_shape_of(z, nodes).size[0]);
}

/* parts: room for the nodes and each set's sums. */
static zoo_value step(zoo *z, const double *values, zoo_value nodes, edge_set *sets,
                      zoo_value *parts, bool last) {
    const int64_t count = (int64_t)values[EDGE_SETS];
    parts[0] = nodes;
    for (int64_t i = 0; i < count; ++i) {
        zoo_enter(z, "edges", i);
        parts[i + 1] = pass_messages(z, values, nodes, &sets[i], last);
        zoo_leave(z);
    }
    zoo_enter(z, "nodes", ZOO_NONE);
    const zoo_value made = network(z, zoo_concat(z, "concat", parts, count + 1, 1), values,
                                   (int64_t)values[HIDDEN], true);
    const zoo_value both[] = {made, nodes};
    const zoo_value y = zoo_add(z, "add", both, 2, false);
    zoo_leave(z);
    return y;
}

static void predict(zoo *z, const double *values, zoo_value nodes) {
    zoo_enter(z, "decode", ZOO_NONE);
    const zoo_value y = network(z, nodes, values, (int64_t)values[OUTPUTS], false);
    if (zoo_training(z))
        zoo_squared_error(z, "loss", y, zoo_input(z, "target", zoo_shape_of(z, y), zoo_type(z)));
    else
        zoo_set_output(z, y);
    zoo_leave(z);
}

static void run(zoo *z, const double *values, int64_t batch, edge_set *sets, zoo_value *parts) {
    const int64_t rows = regal_count_multiply(batch, (int64_t)values[NODES]);
    const int64_t edges = regal_count_multiply(batch, (int64_t)values[EDGES]);
    const int64_t steps = (int64_t)values[STEPS];
    for (int64_t i = 0; i < (int64_t)values[EDGE_SETS]; ++i)
        sets[i] = encode_edges(z, values, i, edges);
    zoo_enter(z, "encode_nodes", ZOO_NONE);
    zoo_value nodes = network(
        z, zoo_input(z, "features", zoo_shape2(rows, (int64_t)values[NODE_FEATURES]), zoo_type(z)),
        values, (int64_t)values[HIDDEN], true);
    zoo_leave(z);
    for (int64_t i = 0; i < steps; ++i) {
        zoo_enter(z, "step", i);
        nodes = step(z, values, nodes, sets, parts, i + 1 == steps);
        zoo_leave(z);
    }
    predict(z, values, nodes);
}

static void model(zoo *z, const double *values, int64_t batch) {
    const int64_t count = (int64_t)values[EDGE_SETS];
    edge_set *sets = regal_allocate(count, sizeof *sets);
    zoo_value *parts = regal_allocate(count + 1, sizeof *parts);
    if (sets == NULL || parts == NULL)
        zoo_fail(z, regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out"));
    else
        run(z, values, batch, sets, parts);
    free(sets);
    free(parts);
}

static regal_status check(const double *values) {
    (void)values;
    return REGAL_OK;
}

ZOO_GENERATOR(graph_network, "graph-network", "message passing over a mesh (MeshGraphNets)",
              ZOO_ADAM)

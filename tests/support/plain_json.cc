#include "support/plain_json.h"

#include <jansson.h>

#include <cstdlib>
#include <fstream>
#include <memory>
#include <stdexcept>

namespace plain {
namespace {

struct Release {
    void operator()(json_t *json) const { json_decref(json); }
};
using Json = std::unique_ptr<json_t, Release>;

// ---- reading

json_t *member(json_t *object, const char *key) {
    json_t *found = json_object_get(object, key);
    if (found == nullptr)
        throw std::runtime_error(std::string("no ") + key);
    return found;
}

int64_t integer(json_t *json) {
    if (!json_is_integer(json))
        throw std::runtime_error("not an integer");
    return json_integer_value(json);
}

std::string text(json_t *json) {
    if (!json_is_string(json))
        throw std::runtime_error("not a string");
    return json_string_value(json);
}

template <typename Read> auto list(json_t *array, Read read) {
    if (!json_is_array(array))
        throw std::runtime_error("not an array");
    std::vector<decltype(read(array))> found;
    for (size_t i = 0; i < json_array_size(array); ++i)
        found.push_back(read(json_array_get(array, i)));
    return found;
}

std::vector<int64_t> integers(json_t *array) {
    return list(array, integer);
}

int64_t integer_or(json_t *object, const char *key, int64_t standard) {
    json_t *found = json_object_get(object, key);
    return found == nullptr ? standard : integer(found);
}

Op read_op(json_t *json) {
    Op op;
    op.name = text(member(json, "name"));
    op.kind = text(member(json, "kind"));
    op.cost = integers(member(json, "cost"));
    op.workspace = integer_or(json, "workspace", 0);
    if (json_t *group = json_object_get(json, "group"))
        op.group = text(group);
    if (json_t *allowed = json_object_get(json, "allowed"))
        op.allowed = list(allowed, [](json_t *entry) {
            return json_is_string(entry) ? Allowed{-1, text(entry)}
                                         : Allowed{integer(entry), std::nullopt};
        });
    return op;
}

Tensor read_tensor(json_t *json) {
    Tensor tensor;
    tensor.name = text(member(json, "name"));
    tensor.producer = integer(member(json, "producer"));
    tensor.bytes = integer(member(json, "bytes"));
    tensor.consumers = integers(member(json, "consumers"));
    tensor.output = json_is_true(json_object_get(json, "output"));
    tensor.alias_of = integer_or(json, "alias_of", -1);
    return tensor;
}

Graph read_graph(json_t *json) {
    Graph graph;
    graph.name = text(member(json, "name"));
    graph.classes = list(member(json, "device_classes"), text);
    graph.ops = list(member(json, "ops"), read_op);
    graph.tensors = list(member(json, "tensors"), read_tensor);
    graph.control = list(member(json, "control"), [](json_t *edge) {
        return std::make_pair(integer(json_array_get(edge, 0)), integer(json_array_get(edge, 1)));
    });
    graph.parameters = list(member(json, "parameters"), [](json_t *parameter) {
        return Parameter{text(member(parameter, "name")), integer(member(parameter, "bytes")),
                         integers(member(parameter, "ops"))};
    });
    return graph;
}

Link read_link(json_t *json) {
    json_t *rate = member(json, "bytes_per_1000_ticks");
    return {integer(member(json, "latency")), json_is_null(rate) ? 0 : integer(rate)};
}

Cluster read_cluster(json_t *json) {
    Cluster cluster;
    cluster.devices = list(member(json, "devices"), [](json_t *entry) {
        Device device;
        device.name = text(member(entry, "name"));
        json_t *which = member(entry, "class");
        if (json_is_string(which))
            device.class_name = text(which);
        else
            device.device_class = integer(which);
        device.memory = integer(member(entry, "memory"));
        return device;
    });
    json_t *links = member(json, "links");
    cluster.default_link = read_link(member(links, "default"));
    list(member(links, "pairs"), [&](json_t *pair) {
        cluster.pairs[{integer(member(pair, "from")), integer(member(pair, "to"))}] =
            read_link(pair);
        return 0;
    });
    return cluster;
}

Chromosome read_chromosome(json_t *json) {
    Chromosome chromosome;
    chromosome.affinity_encoding = text(member(json, "encoding")) == "affinity";
    chromosome.window = integer(member(json, "window"));
    chromosome.priority = integers(member(json, "priority"));
    if (chromosome.affinity_encoding) {
        chromosome.affinity = list(member(json, "affinity"), integers);
        chromosome.transfer = integers(member(json, "transfer"));
    } else {
        chromosome.placement = integers(member(json, "placement"));
    }
    return chromosome;
}

std::array<int64_t, 3> read_fitness(json_t *json) {
    return {integer(json_array_get(json, 0)), integer(json_array_get(json, 1)),
            integer(json_array_get(json, 2))};
}

Plan read_plan(json_t *json) {
    Plan plan;
    plan.placement = integers(member(json, "placement"));
    plan.start = integers(member(json, "start"));
    plan.transfers = list(member(json, "transfers"), [](json_t *transfer) {
        return Transfer{integer(member(transfer, "tensor")), integer(member(transfer, "to")),
                        integer(member(transfer, "start"))};
    });
    plan.makespan = integer(member(json, "makespan"));
    plan.peak = integers(member(json, "peak"));
    plan.time = read_fitness(member(member(json, "fitness"), "time"));
    plan.memory = read_fitness(member(member(json, "fitness"), "memory"));
    return plan;
}

// ---- writing

template <typename Items, typename Write> json_t *array(const Items &items, Write write) {
    json_t *made = json_array();
    for (const auto &item : items)
        json_array_append_new(made, write(item));
    return made;
}

json_t *number(int64_t value) {
    return json_integer(value);
}
json_t *string(const std::string &value) {
    return json_string(value.c_str());
}
template <typename Numbers> json_t *numbers(const Numbers &values) {
    return array(values, number);
}

void set(json_t *object, const char *key, json_t *value) {
    json_object_set_new(object, key, value);
}

json_t *header(const char *format) {
    json_t *made = json_object();
    set(made, "format", json_string(format));
    set(made, "version", number(1));
    return made;
}

json_t *write_op(const Op &op) {
    json_t *made = json_object();
    set(made, "name", string(op.name));
    set(made, "kind", string(op.kind));
    set(made, "cost", numbers(op.cost));
    if (op.workspace != 0)
        set(made, "workspace", number(op.workspace));
    if (op.group)
        set(made, "group", string(*op.group));
    if (op.allowed)
        set(made, "allowed", array(*op.allowed, [](const Allowed &entry) {
                return entry.pattern ? string(*entry.pattern) : number(entry.device);
            }));
    return made;
}

json_t *write_tensor(const Tensor &tensor) {
    json_t *made = json_object();
    set(made, "name", string(tensor.name));
    set(made, "producer", number(tensor.producer));
    set(made, "bytes", number(tensor.bytes));
    set(made, "consumers", numbers(tensor.consumers));
    if (tensor.output)
        set(made, "output", json_true());
    if (tensor.alias_of >= 0)
        set(made, "alias_of", number(tensor.alias_of));
    return made;
}

json_t *write(const Graph &graph) {
    json_t *made = header("regal-graph");
    set(made, "name", string(graph.name));
    set(made, "device_classes", array(graph.classes, string));
    set(made, "ops", array(graph.ops, write_op));
    set(made, "tensors", array(graph.tensors, write_tensor));
    set(made, "control", array(graph.control, [](const std::pair<int64_t, int64_t> &edge) {
            return numbers(std::array<int64_t, 2>{edge.first, edge.second});
        }));
    set(made, "parameters", array(graph.parameters, [](const Parameter &parameter) {
            json_t *entry = json_object();
            set(entry, "name", string(parameter.name));
            set(entry, "bytes", number(parameter.bytes));
            set(entry, "ops", numbers(parameter.ops));
            return entry;
        }));
    return made;
}

json_t *write_link(json_t *into, const Link &link) {
    set(into, "latency", number(link.latency));
    set(into, "bytes_per_1000_ticks", link.rate == 0 ? json_null() : number(link.rate));
    return into;
}

json_t *write(const Cluster &cluster) {
    json_t *made = header("regal-cluster");
    set(made, "devices", array(cluster.devices, [](const Device &device) {
            json_t *entry = json_object();
            set(entry, "name", string(device.name));
            set(entry, "class",
                device.class_name ? string(*device.class_name) : number(device.device_class));
            set(entry, "memory", number(device.memory));
            return entry;
        }));
    json_t *links = json_object();
    set(links, "default", write_link(json_object(), cluster.default_link));
    json_t *pairs = json_array();
    for (const auto &[pair, link] : cluster.pairs) {
        json_t *entry = json_object();
        set(entry, "from", number(pair.first));
        set(entry, "to", number(pair.second));
        json_array_append_new(pairs, write_link(entry, link));
    }
    set(links, "pairs", pairs);
    set(made, "links", links);
    return made;
}

json_t *write(const Chromosome &chromosome) {
    json_t *made = json_object();
    set(made, "encoding", json_string(chromosome.affinity_encoding ? "affinity" : "inherit"));
    set(made, "window", number(chromosome.window));
    set(made, "priority", numbers(chromosome.priority));
    if (chromosome.affinity_encoding) {
        set(made, "affinity", array(chromosome.affinity, numbers<std::vector<int64_t>>));
        set(made, "transfer", numbers(chromosome.transfer));
    } else {
        set(made, "placement", numbers(chromosome.placement));
    }
    return made;
}

json_t *write(const Plan &plan) {
    json_t *made = header("regal-plan");
    set(made, "placement", numbers(plan.placement));
    set(made, "start", numbers(plan.start));
    set(made, "transfers", array(plan.transfers, [](const Transfer &transfer) {
            json_t *entry = json_object();
            set(entry, "tensor", number(transfer.tensor));
            set(entry, "to", number(transfer.to));
            set(entry, "start", number(transfer.start));
            return entry;
        }));
    set(made, "makespan", number(plan.makespan));
    set(made, "peak", numbers(plan.peak));
    json_t *fitness = json_object();
    set(fitness, "time", numbers(plan.time));
    set(fitness, "memory", numbers(plan.memory));
    set(made, "fitness", fitness);
    return made;
}

std::string dump(json_t *json) {
    const Json owned(json);
    char *raw = json_dumps(json, JSON_COMPACT | JSON_ENCODE_ANY);
    const std::string made(raw);
    std::free(raw);
    return made;
}

} // namespace

std::string to_json(const Graph &graph) {
    return dump(write(graph));
}
std::string to_json(const Cluster &cluster) {
    return dump(write(cluster));
}
std::string to_json(const Chromosome &chromosome) {
    return dump(write(chromosome));
}

std::vector<Case> read_cases(const std::string &path) {
    json_error_t error;
    const Json root(json_load_file(path.c_str(), 0, &error));
    if (!root)
        throw std::runtime_error(path + ": " + error.text);
    return list(member(root.get(), "cases"), [](json_t *entry) {
        return Case{read_graph(member(entry, "graph")), read_cluster(member(entry, "cluster")),
                    read_chromosome(member(entry, "chromosome")), read_plan(member(entry, "plan"))};
    });
}

void write_cases(const std::string &path, const std::string &about,
                 const std::vector<Case> &cases) {
    std::ofstream file(path);
    file << "{\"about\": " << dump(string(about)) << ",\n \"cases\": [\n";
    for (size_t i = 0; i < cases.size(); ++i)
        file << "  {\"graph\": " << to_json(cases[i].graph)
             << ",\n   \"cluster\": " << to_json(cases[i].cluster)
             << ",\n   \"chromosome\": " << to_json(cases[i].chromosome)
             << ",\n   \"plan\": " << dump(write(cases[i].plan))
             << (i + 1 < cases.size() ? "},\n" : "}\n");
    file << " ]}\n";
    file.flush();
    if (!file)
        throw std::runtime_error(path + ": cannot be written");
}

std::string golden_path() {
    const char *shared = std::getenv("REGAL_SHARED");
    const std::string folder = shared != nullptr ? shared : REGAL_SOURCE_DIR "/../shared";
    const std::string path = folder + "/golden/decode.json";
    return std::ifstream(path) ? path : "";
}

} // namespace plain

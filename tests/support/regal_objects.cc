#include "support/regal_objects.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

static void require(regal_status status) {
    if (status != REGAL_OK)
        throw std::runtime_error(regal_error_message());
}

static void add_op(regal_graph *graph, const plain::Op &plain_op) {
    std::vector<regal_allowed> allowed;
    if (plain_op.allowed)
        for (const plain::Allowed &entry : *plain_op.allowed)
            allowed.push_back({entry.device, entry.pattern ? entry.pattern->c_str() : nullptr});
    const regal_allowed none{};
    regal_op op{};
    op.name = plain_op.name.c_str();
    op.kind = plain_op.kind.c_str();
    op.cost = plain_op.cost.data();
    op.workspace = plain_op.workspace;
    op.group = plain_op.group ? plain_op.group->c_str() : nullptr;
    if (plain_op.allowed)
        op.allowed = allowed.empty() ? &none : allowed.data();
    op.allowed_count = static_cast<int64_t>(allowed.size());
    require(regal_graph_add_op(graph, &op, nullptr));
}

GraphPtr make_graph(const plain::Graph &plain_graph) {
    std::vector<const char *> classes;
    for (const std::string &name : plain_graph.classes)
        classes.push_back(name.c_str());
    regal_graph *made = nullptr;
    require(regal_graph_create(plain_graph.name.c_str(), static_cast<int64_t>(classes.size()),
                               classes.data(), &made));
    GraphPtr graph(made);
    for (const plain::Op &op : plain_graph.ops)
        add_op(made, op);
    for (const plain::Tensor &tensor : plain_graph.tensors) {
        const regal_tensor entry{tensor.name.c_str(),
                                 tensor.producer,
                                 tensor.bytes,
                                 tensor.consumers.data(),
                                 static_cast<int64_t>(tensor.consumers.size()),
                                 tensor.output,
                                 tensor.alias_of};
        require(regal_graph_add_tensor(made, &entry, nullptr));
    }
    for (const auto &[before, after] : plain_graph.control)
        require(regal_graph_add_control(made, before, after));
    for (const plain::Parameter &parameter : plain_graph.parameters) {
        const regal_parameter entry{parameter.name.c_str(), parameter.bytes, parameter.ops.data(),
                                    static_cast<int64_t>(parameter.ops.size())};
        require(regal_graph_add_parameter(made, &entry, nullptr));
    }
    return graph;
}

ClusterPtr make_cluster(const plain::Cluster &plain_cluster) {
    regal_cluster *made = nullptr;
    require(regal_cluster_create(&made));
    ClusterPtr cluster(made);
    for (const plain::Device &device : plain_cluster.devices) {
        const regal_device entry{device.name.c_str(), device.device_class,
                                 device.class_name ? device.class_name->c_str() : nullptr,
                                 device.memory};
        require(regal_cluster_add_device(made, &entry));
    }
    const auto link = [](const plain::Link &plain_link) {
        return regal_link{plain_link.latency, plain_link.rate};
    };
    require(regal_cluster_set_default_link(made, link(plain_cluster.default_link)));
    for (const auto &[pair, own] : plain_cluster.pairs)
        require(regal_cluster_set_link(made, pair.first, pair.second, link(own)));
    return cluster;
}

ChromosomePtr make_chromosome(const plain::Chromosome &keys, int64_t device_count) {
    regal_chromosome *made = nullptr;
    require(regal_chromosome_create(keys.affinity_encoding ? REGAL_AFFINITY : REGAL_INHERIT,
                                    keys.window, static_cast<int64_t>(keys.priority.size()),
                                    device_count, &made));
    ChromosomePtr chromosome(made);
    uint16_t *gene = made->genes;
    gene = std::copy(keys.priority.begin(), keys.priority.end(), gene);
    gene = std::copy(keys.placement.begin(), keys.placement.end(), gene);
    for (const std::vector<int64_t> &row : keys.affinity)
        gene = std::copy(row.begin(), row.end(), gene);
    std::copy(keys.transfer.begin(), keys.transfer.end(), gene);
    return chromosome;
}

PlanPtr make_plan(const plain::Plan &plain_plan) {
    regal_plan *made = nullptr;
    require(regal_plan_create(static_cast<int64_t>(plain_plan.placement.size()),
                              static_cast<int64_t>(plain_plan.peak.size()),
                              static_cast<int64_t>(plain_plan.transfers.size()), &made));
    PlanPtr plan(made);
    std::copy(plain_plan.placement.begin(), plain_plan.placement.end(), made->placement);
    std::copy(plain_plan.start.begin(), plain_plan.start.end(), made->start);
    std::transform(plain_plan.transfers.begin(), plain_plan.transfers.end(), made->transfers,
                   [](const plain::Transfer &t) {
                       return regal_transfer{t.tensor, t.to, t.start};
                   });
    made->makespan = plain_plan.makespan;
    std::copy(plain_plan.peak.begin(), plain_plan.peak.end(), made->peak);
    std::copy(plain_plan.time.begin(), plain_plan.time.end(), made->time.value);
    std::copy(plain_plan.memory.begin(), plain_plan.memory.end(), made->memory.value);
    made->bound_time = made->bound_memory = -1;
    return plan;
}

plain::Plan read_plan(const regal_plan *plan) {
    plain::Plan made;
    made.placement.assign(plan->placement, plan->placement + plan->op_count);
    made.start.assign(plan->start, plan->start + plan->op_count);
    for (int64_t i = 0; i < plan->transfer_count; ++i)
        made.transfers.push_back(
            {plan->transfers[i].tensor, plan->transfers[i].to, plan->transfers[i].start});
    made.makespan = plan->makespan;
    made.peak.assign(plan->peak, plan->peak + plan->device_count);
    std::copy(plan->time.value, plan->time.value + 3, made.time.begin());
    std::copy(plan->memory.value, plan->memory.value + 3, made.memory.begin());
    return made;
}

template <typename Numbers>
static void list(std::ostream &out, const char *what, const Numbers &numbers) {
    out << what << " [";
    for (const int64_t number : numbers)
        out << " " << number;
    out << " ] ";
}

std::string describe(const plain::Plan &plan) {
    std::ostringstream out;
    list(out, "placement", plan.placement);
    list(out, "start", plan.start);
    out << "transfers [";
    for (const plain::Transfer &t : plan.transfers)
        out << " " << t.tensor << ">" << t.to << "@" << t.start;
    out << " ] makespan " << plan.makespan << " ";
    list(out, "peak", plan.peak);
    list(out, "time", plan.time);
    list(out, "memory", plan.memory);
    return out.str();
}

// DESIGN 3.
#include <algorithm>
#include <set>
#include <tuple>

#include "support/oracle.h"
#include "support/oracle_model.h"

namespace oracle {
namespace {

// Kahn's order; among the ready ops the one that comes first in `preference`.
template <typename Preference>
std::vector<int64_t> kahn_order(const plain::Graph &graph, Preference preference) {
    std::vector<std::set<int64_t>> before;
    for (int64_t op = 0; op < op_count(graph); ++op)
        before.push_back(predecessors(graph, op));
    std::vector<int64_t> order;
    std::set<int64_t> done;
    while (order.size() < graph.ops.size()) {
        int64_t next = -1;
        for (int64_t op = 0; op < op_count(graph); ++op) {
            if (done.count(op) > 0)
                continue;
            const bool ready =
                std::includes(done.begin(), done.end(), before[op].begin(), before[op].end());
            if (ready && (next < 0 || preference(op) < preference(next)))
                next = op;
        }
        order.push_back(next);
        done.insert(next);
    }
    return order;
}

std::vector<int64_t> canonical_order(const plain::Graph &graph) {
    return kahn_order(graph, [](int64_t op) { return op; });
}

// The device that the leader's own gene picks with the inherit encoding.
int64_t inherited_device(const plain::Graph &graph, const std::vector<int64_t> &allowed,
                         const std::vector<int64_t> &placement, int64_t leader, int64_t key) {
    const int64_t inherit = 58982, count = static_cast<int64_t>(allowed.size());
    int64_t heaviest = -1;
    for (const int64_t tensor : inputs(graph, leader)) // by id: the smallest of equals stays
        if (heaviest < 0 || graph.tensors[tensor].bytes > graph.tensors[heaviest].bytes)
            heaviest = tensor;
    if (heaviest >= 0 && key >= inherit)
        return allowed[(key - inherit) * count / (65536 - inherit)];
    if (heaviest >= 0) {
        const int64_t device = placement[graph.tensors[heaviest].producer];
        if (std::count(allowed.begin(), allowed.end(), device) > 0)
            return device;
    }
    return allowed[key * count / 65536];
}

int64_t preferred_device(const std::vector<int64_t> &allowed,
                         const std::vector<int64_t> &affinity) {
    int64_t best = allowed.front();
    for (const int64_t device : allowed)
        if (affinity[device] > affinity[best])
            best = device;
    return best;
}

std::optional<std::vector<int64_t>> place(const plain::Graph &graph, const plain::Cluster &cluster,
                                          const plain::Chromosome &chromosome) {
    const std::vector<std::set<int64_t>> group = groups(graph);
    std::vector<int64_t> placement(graph.ops.size(), -1);
    for (const int64_t op : canonical_order(graph)) {
        if (placement[op] >= 0) // its leader came before
            continue;
        std::set<int64_t> common = allowed_devices(graph, cluster, op);
        for (const int64_t member : group[op]) {
            const std::set<int64_t> own = allowed_devices(graph, cluster, member);
            std::set<int64_t> both;
            std::set_intersection(common.begin(), common.end(), own.begin(), own.end(),
                                  std::inserter(both, both.end()));
            common = both;
        }
        if (common.empty())
            return std::nullopt;
        const std::vector<int64_t> allowed(common.begin(), common.end());
        const int64_t device =
            chromosome.affinity_encoding
                ? preferred_device(allowed, chromosome.affinity[op])
                : inherited_device(graph, allowed, placement, op, chromosome.placement[op]);
        for (const int64_t member : group[op])
            placement[member] = device;
    }
    return placement;
}

std::vector<int64_t> rank_ops(const plain::Graph &graph, const plain::Chromosome &chromosome) {
    const auto by_key = [&](int64_t op) { return std::make_pair(-chromosome.priority[op], op); };
    std::vector<int64_t> order;
    if (chromosome.window >= 1) {
        order = kahn_order(graph, by_key);
    } else {
        for (int64_t op = 0; op < op_count(graph); ++op)
            order.push_back(op);
        std::sort(order.begin(), order.end(),
                  [&](int64_t a, int64_t b) { return by_key(a) < by_key(b); });
    }
    std::vector<int64_t> rank(order.size());
    for (size_t position = 0; position < order.size(); ++position)
        rank[order[position]] = static_cast<int64_t>(position);
    return rank;
}

using Delivery = std::pair<int64_t, int64_t>; // tensor, destination

struct Simulation {
    const plain::Graph &graph;
    const plain::Cluster &cluster;
    const plain::Chromosome &chromosome;
    const std::vector<int64_t> placement, rank;

    int64_t now = 0;
    std::map<int64_t, int64_t> start{}, finish{};  // ops started
    std::map<Delivery, int64_t> sent{}, arrived{}; // transfers started
    std::set<Delivery> waiting{};

    bool finished(int64_t op) const { return finish.count(op) > 0 && finish.at(op) <= now; }
    bool has_arrived(const Delivery &delivery) const {
        return arrived.count(delivery) > 0 && arrived.at(delivery) <= now;
    }
    int64_t source(int64_t tensor) const { return placement[graph.tensors[tensor].producer]; }

    // Step 1: what finishes now is `finished` from now on; tensors go to where they are needed.
    void enqueue_finished() {
        for (int64_t t = 0; t < static_cast<int64_t>(graph.tensors.size()); ++t) {
            const int64_t producer = graph.tensors[t].producer;
            if (finish.count(producer) > 0 && finish[producer] == now)
                for (const int64_t to : destinations(graph, placement, t))
                    waiting.insert({t, to});
        }
    }

    std::pair<int64_t, int64_t> urgency(const Delivery &delivery) const { // least first
        const auto &[tensor, to] = delivery;
        if (chromosome.affinity_encoding)
            return {-chromosome.transfer[graph.tensors[tensor].producer], tensor};
        int64_t best = op_count(graph);
        for (const int64_t op : consumers(graph, tensor))
            if (placement[op] == to)
                best = std::min(best, rank[op]);
        return {best, tensor};
    }

    // Step 2.
    void start_transfers(int64_t from, int64_t to) {
        for (const auto &[delivery, end] : arrived)
            if (source(delivery.first) == from && delivery.second == to && end > now)
                return;
        const Delivery *best = nullptr;
        for (const Delivery &delivery : waiting)
            if (source(delivery.first) == from && delivery.second == to &&
                (best == nullptr || urgency(delivery) < urgency(*best)))
                best = &delivery;
        if (best == nullptr)
            return;
        sent[*best] = now;
        arrived[*best] = now + transfer_ticks(graph, cluster, best->first, from, to);
        waiting.erase(Delivery(*best));
    }

    bool ready(int64_t op) const {
        for (const int64_t tensor : inputs(graph, op)) {
            if (source(tensor) == placement[op] ? !finished(graph.tensors[tensor].producer)
                                                : !has_arrived({tensor, placement[op]}))
                return false;
        }
        for (const int64_t before : control_predecessors(graph, op))
            if (!finished(before))
                return false;
        return true;
    }

    // Step 3, one device; says whether it started an op.
    bool start_op(int64_t device) {
        for (const auto &[op, end] : finish)
            if (placement[op] == device && end > now)
                return false;
        int64_t best = -1, lowest = op_count(graph);
        for (int64_t op = 0; op < op_count(graph); ++op) {
            if (start.count(op) > 0)
                continue;
            lowest = std::min(lowest, rank[op]);
            if (placement[op] == device && ready(op) && (best < 0 || rank[op] < rank[best]))
                best = op;
        }
        const int64_t window = std::min(chromosome.window, op_count(graph));
        if (best < 0 || (window >= 1 && rank[best] >= lowest + window))
            return false;
        start[best] = now;
        finish[best] = now + op_ticks(graph, cluster, best, device);
        return true;
    }

    // The next tick at which something finishes; -1: nothing is under way.
    int64_t next_tick() const {
        int64_t next = -1;
        const auto consider = [&](int64_t end) {
            if (end > now && (next < 0 || end < next))
                next = end;
        };
        for (const auto &[op, end] : finish)
            consider(end);
        for (const auto &[delivery, end] : arrived)
            consider(end);
        return next;
    }

    void run() {
        const int64_t devices = static_cast<int64_t>(cluster.devices.size());
        for (now = 0; now >= 0; now = next_tick()) {
            enqueue_finished();
            std::set<std::pair<int64_t, int64_t>> links;
            for (const Delivery &delivery : waiting)
                links.insert({source(delivery.first), delivery.second});
            for (const auto &[from, to] : links)
                start_transfers(from, to);
            for (bool started = true; started;) {
                started = false;
                for (int64_t device = 0; device < devices; ++device)
                    started = start_op(device) || started;
            }
        }
    }
};

} // namespace

std::optional<plain::Plan> decode(const plain::Graph &graph, const plain::Cluster &cluster,
                                  const plain::Chromosome &chromosome) {
    const auto placement = place(graph, cluster, chromosome);
    if (!placement)
        return std::nullopt;
    Simulation simulation{graph, cluster, chromosome, *placement, rank_ops(graph, chromosome)};
    simulation.run();
    plain::Plan plan;
    plan.placement = *placement;
    for (int64_t op = 0; op < op_count(graph); ++op)
        plan.start.push_back(simulation.start.at(op));
    for (const auto &[delivery, start] : simulation.sent)
        plan.transfers.push_back({delivery.first, delivery.second, start});
    measure(graph, cluster, plan);
    return plan;
}

} // namespace oracle

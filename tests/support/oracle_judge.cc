// DESIGN 2: validity, memory, peak, fitness.
#include <algorithm>
#include <limits>
#include <set>

#include "support/oracle.h"
#include "support/oracle_model.h"

namespace oracle {
namespace {

struct Interval {
    int64_t from, to, bytes;
};

bool overlap(int64_t from_a, int64_t to_a, int64_t from_b, int64_t to_b) {
    return from_a < to_b && from_b < to_a;
}

struct Judge {
    const plain::Graph &graph;
    const plain::Cluster &cluster;
    const plain::Plan &plan;

    int64_t device_count() const { return static_cast<int64_t>(cluster.devices.size()); }
    int64_t tensor_count() const { return static_cast<int64_t>(graph.tensors.size()); }
    int64_t finish(int64_t op) const {
        return plan.start[op] + op_ticks(graph, cluster, op, plan.placement[op]);
    }
    int64_t source(int64_t tensor) const { return plan.placement[graph.tensors[tensor].producer]; }
    int64_t finish(const plain::Transfer &transfer) const {
        return transfer.start + transfer_ticks(graph, cluster, transfer.tensor,
                                               source(transfer.tensor), transfer.to);
    }
    const plain::Transfer &transfer(int64_t tensor, int64_t to) const {
        return *std::find_if(
            plan.transfers.begin(), plan.transfers.end(),
            [&](const plain::Transfer &t) { return t.tensor == tensor && t.to == to; });
    }

    std::string ranges() const {
        // Room for every finish: the tests' own durations are far below 2^61.
        const int64_t latest = int64_t{1} << 62;
        for (const int64_t device : plan.placement)
            if (device < 0 || device >= device_count())
                return "device out of range";
        for (const int64_t start : plan.start)
            if (start < 0 || start > latest)
                return "start out of range";
        for (const plain::Transfer &t : plan.transfers)
            if (t.start < 0 || t.start > latest || t.to < 0 || t.to >= device_count() ||
                t.tensor < 0 || t.tensor >= tensor_count())
                return "transfer out of range";
        return "";
    }

    std::string places() const {
        const std::vector<std::set<int64_t>> group = groups(graph);
        for (int64_t op = 0; op < op_count(graph); ++op) {
            if (allowed_devices(graph, cluster, op).count(plan.placement[op]) == 0)
                return "device not allowed";
            for (const int64_t member : group[op])
                if (plan.placement[member] != plan.placement[op])
                    return "group apart";
        }
        return "";
    }

    std::string transfers() const {
        for (int64_t t = 0; t < tensor_count(); ++t) {
            const std::set<int64_t> needed = destinations(graph, plan.placement, t);
            for (int64_t to = 0; to < device_count(); ++to) {
                const auto found = std::count_if(
                    plan.transfers.begin(), plan.transfers.end(),
                    [&](const plain::Transfer &x) { return x.tensor == t && x.to == to; });
                if (found != static_cast<int64_t>(needed.count(to)))
                    return found > 1              ? "transfer twice"
                           : needed.count(to) > 0 ? "transfer missing"
                                                  : "transfer needless";
            }
        }
        return "";
    }

    std::string order() const {
        for (const plain::Transfer &t : plan.transfers)
            if (t.start < finish(graph.tensors[t.tensor].producer))
                return "transfer before producer";
        for (int64_t op = 0; op < op_count(graph); ++op) {
            for (const int64_t tensor : inputs(graph, op))
                if (plan.start[op] < (source(tensor) == plan.placement[op]
                                          ? finish(graph.tensors[tensor].producer)
                                          : finish(transfer(tensor, plan.placement[op]))))
                    return "op before input";
            for (const int64_t before : control_predecessors(graph, op))
                if (plan.start[op] < finish(before))
                    return "op before control";
        }
        return "";
    }

    std::string overlaps() const {
        for (int64_t a = 0; a < op_count(graph); ++a)
            for (int64_t b = 0; b < a; ++b)
                if (plan.placement[a] == plan.placement[b] &&
                    overlap(plan.start[a], finish(a), plan.start[b], finish(b)))
                    return "ops overlap";
        for (const plain::Transfer &a : plan.transfers)
            for (const plain::Transfer &b : plan.transfers)
                if (&a != &b && source(a.tensor) == source(b.tensor) && a.to == b.to &&
                    overlap(a.start, finish(a), b.start, finish(b)))
                    return "transfers overlap";
        return "";
    }

    int64_t makespan() const {
        int64_t latest = 0;
        for (int64_t op = 0; op < op_count(graph); ++op)
            latest = std::max(latest, finish(op));
        return latest;
    }

    int64_t root(int64_t tensor) const {
        while (graph.tensors[tensor].alias_of >= 0)
            tensor = graph.tensors[tensor].alias_of;
        return tensor;
    }

    // Until when the tensor itself needs its storage on its producer's device.
    int64_t kept_until(int64_t tensor) const {
        const plain::Tensor &t = graph.tensors[tensor];
        int64_t until = t.output ? makespan() : finish(t.producer);
        for (const int64_t op : consumers(graph, tensor))
            if (plan.placement[op] == source(tensor))
                until = std::max(until, finish(op));
        for (const plain::Transfer &x : plan.transfers)
            if (x.tensor == tensor)
                until = std::max(until, finish(x));
        return until;
    }

    std::vector<Interval> intervals(int64_t device) const {
        std::vector<Interval> found;
        for (int64_t t = 0; t < tensor_count(); ++t) {
            if (graph.tensors[t].alias_of >= 0 || source(t) != device)
                continue;
            int64_t until = 0;
            for (int64_t member = 0; member < tensor_count(); ++member)
                if (root(member) == t)
                    until = std::max(until, kept_until(member));
            found.push_back({plan.start[graph.tensors[t].producer], until, graph.tensors[t].bytes});
        }
        for (const plain::Transfer &x : plan.transfers) {
            if (x.to != device)
                continue;
            int64_t until = 0;
            for (const int64_t op : consumers(graph, x.tensor))
                if (plan.placement[op] == device)
                    until = std::max(until, finish(op));
            found.push_back({x.start, until, graph.tensors[x.tensor].bytes});
        }
        for (int64_t op = 0; op < op_count(graph); ++op)
            if (plan.placement[op] == device)
                found.push_back({plan.start[op], finish(op), graph.ops[op].workspace});
        return found;
    }

    int64_t resident(int64_t device) const {
        int64_t bytes = 0;
        for (const plain::Parameter &parameter : graph.parameters)
            if (std::any_of(parameter.ops.begin(), parameter.ops.end(),
                            [&](int64_t op) { return plan.placement[op] == device; }))
                bytes += parameter.bytes;
        return bytes;
    }

    int64_t peak(int64_t device) const {
        const std::vector<Interval> all = intervals(device);
        int64_t greatest = 0; // a sum can only grow where an interval starts
        for (const Interval &at : all) {
            int64_t sum = 0;
            for (const Interval &other : all)
                if (other.from <= at.from && at.from < other.to)
                    sum += other.bytes;
            greatest = std::max(greatest, sum);
        }
        return resident(device) + greatest;
    }
};

} // namespace

std::string broken_rule(const plain::Graph &graph, const plain::Cluster &cluster,
                        const plain::Plan &plan) {
    const Judge judge{graph, cluster, plan};
    std::string broken = judge.ranges(); // the later questions may only be asked of what passed
    if (broken.empty())
        broken = judge.places();
    if (broken.empty())
        broken = judge.transfers();
    if (broken.empty())
        broken = judge.order();
    if (broken.empty())
        broken = judge.overlaps();
    return broken;
}

void measure(const plain::Graph &graph, const plain::Cluster &cluster, plain::Plan &plan) {
    const Judge judge{graph, cluster, plan};
    plan.makespan = judge.makespan();
    plan.peak.clear();
    int64_t excess = 0, greatest = 0;
    for (int64_t d = 0; d < judge.device_count(); ++d) {
        plan.peak.push_back(judge.peak(d));
        greatest = std::max(greatest, plan.peak[d]);
        if (cluster.devices[d].memory > 0)
            excess += std::max<int64_t>(0, plan.peak[d] - cluster.devices[d].memory);
    }
    plan.time = {excess, plan.makespan, greatest};
    plan.memory = {excess, greatest, plan.makespan};
}

} // namespace oracle

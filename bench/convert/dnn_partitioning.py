#!/usr/bin/env python3
"""Inputs of msr-fiddle/dnn-partitioning (Tarnawski et al., NeurIPS 2020) as a regal-graph and a
regal-cluster.

    bench/convert/dnn_partitioning.py bert_l-3_inference.json graph.json cluster.json
    regal optimize graph.json --cluster cluster.json

What becomes what:

  node                      an op with two costs, fpgaLatency on class "accelerator" and cpuLatency on
                            class "cpu", milliseconds as ticks of 1 ns
  node without inputs that  a weight: a parameter of `size` bytes, resident with whatever uses it; it
  takes no time anywhere    is not sent, and its colorClass goes with it
  supportedOnFpga: false    may run on the CPUs only
  colorClass                a colocation group
  edges out of a node       one tensor of the edges' `size` (rounded up to bytes) with all their ends as
                            consumers; one for each size where they differ
  size of an op             what it is more than the op's tensors is workspace. The file's own model adds
                            up all sizes on a device; here memory is what is alive at a time
  cost of an edge           the rate of links: milliseconds from an accelerator to the CPUs' memory are
                            proportional to bytes throughout. Accelerator to CPU and back has that rate,
                            accelerator to accelerator half of it (by way of the CPUs' memory), CPU to
                            CPU is free
  maxFPGAs, maxCPUs         that many devices acc0, acc1, ... and cpu0, cpu1, ...
  maxSizePerFPGA            memory of each accelerator; CPUs have no limit
  isBackwardNode            left out: dependencies alone order a step
"""

from decimal import ROUND_HALF_UP, Decimal

import regal_json
from regal_json import Refused, decimal, member, ticks, whole_bytes

ACCELERATOR, CPU = 0, 1
FREE = {"latency": 0, "bytes_per_1000_ticks": None}


def edges_by_source(edges, nodes):
    """For each node its edges as (destination, bytes)."""
    out = {i: [] for i in nodes}
    for k, edge in enumerate(edges):
        where = f"edges[{k}]"
        source, target = member(edge, "sourceId", int, where), member(edge, "destId", int, where)
        for end in (source, target):
            if end not in nodes:
                raise Refused(f"{where}: there is no node {end}")
        out[source].append((target, whole_bytes(edge.get("size", 0), f"{where}.size")))
    return out


def link_rate(edges):
    """Bytes per 1,000 ticks; every edge has the same but for rounding."""
    rates = []
    for k, edge in enumerate(edges):
        cost, size = decimal(edge.get("cost", 0), f"edges[{k}].cost"), edge.get("size", 0)
        if cost > 0 and size:
            rates.append(decimal(size, f"edges[{k}].size") / cost)
    if not rates:
        return None
    if max(rates) > min(rates) * Decimal("1.001"):
        raise Refused(f"edges: from {min(rates):.6g} to {max(rates):.6g} bytes a millisecond: "
                      "no one rate of links says that")
    per_1000_ticks = rates[0] / 1000
    return max(1, int(per_1000_ticks.to_integral_value(ROUND_HALF_UP)))


def is_weight(node, has_input):
    return not has_input and node.get("fpgaLatency", 0) == 0 and node.get("cpuLatency", 0) == 0


def make_graph(data, name):
    listed = member(data, "nodes", list, "the file")
    nodes = {}
    for k, node in enumerate(listed):
        number = member(node, "id", int, f"nodes[{k}]")
        if number in nodes:
            raise Refused(f"nodes[{k}]: the id {number} is there already")
        nodes[number] = node
    edges = member(data, "edges", list, "the file")
    out = edges_by_source(edges, nodes)
    fed = {target for targets in out.values() for target, _ in targets}
    weights = {i for i, node in nodes.items() if is_weight(node, i in fed)}
    ops = [i for i in nodes if i not in weights]
    place = {i: k for k, i in enumerate(ops)}
    made = regal_json.graph(name, ["accelerator", "cpu"])
    for k, i in enumerate(ops):
        add_op(made, k, i, nodes[i], out[i], place)
    for i in sorted(weights):
        users = sorted({place[target] for target, _ in out[i] if target in place})
        if users:
            size = whole_bytes(nodes[i].get("size", 0), f"node {i}.size")
            made["parameters"].append({"name": full_name(nodes[i], i), "bytes": size, "ops": users})
    return made, link_rate(edges)


def full_name(node, number):
    """Names need not be unique there."""
    return f"{number}:{node.get('name', '')}"


def add_op(made, index, number, node, targets, place):
    where = f"node {number}"
    op = {"name": full_name(node, number),
          "cost": [ticks(node.get("fpgaLatency", 0), "ms", f"{where}.fpgaLatency"),
                   ticks(node.get("cpuLatency", 0), "ms", f"{where}.cpuLatency")]}
    by_size = {}
    for target, size in targets:
        by_size.setdefault(size, []).append(place[target])
    for k, (size, consumers) in enumerate(sorted(by_size.items())):
        made["tensors"].append({"name": f"{op['name']}:{k}", "producer": index, "bytes": size,
                                "consumers": consumers})
    more = whole_bytes(node.get("size", 0), f"{where}.size") - sum(by_size)
    if more > 0:
        op["workspace"] = more
    if not node.get("supportedOnFpga", True):
        op["allowed"] = ["cpu*"]
    if "colorClass" in node:
        op["group"] = f"color {node['colorClass']}"
    made["ops"].append(op)


def make_cluster(data, rate):
    accelerators = member(data, "maxFPGAs", int, "the file")
    cpus = member(data, "maxCPUs", int, "the file")
    memory = whole_bytes(data.get("maxSizePerFPGA", 0), "maxSizePerFPGA")
    devices = [{"name": f"acc{i}", "class": ACCELERATOR, "memory": memory}
               for i in range(accelerators)]
    devices += [{"name": f"cpu{i}", "class": CPU} for i in range(cpus)]
    through = {"latency": 0, "bytes_per_1000_ticks": rate and max(1, rate // 2)}
    half_way = {"latency": 0, "bytes_per_1000_ticks": rate}
    pairs = []
    for a in range(len(devices)):
        for b in range(len(devices)):
            if a != b and (a >= accelerators or b >= accelerators):
                link = FREE if a >= accelerators and b >= accelerators else half_way
                pairs.append({"from": a, "to": b, **link})
    return regal_json.cluster(devices, through, pairs)


def convert(text, path, _):
    data = regal_json.parse_json(text)
    made, rate = make_graph(data, path.rsplit("/", 1)[-1].rsplit(".", 1)[0])
    return made, make_cluster(data, rate)


if __name__ == "__main__":
    regal_json.run(convert, __doc__, states_devices=True)

#!/usr/bin/env python3
"""Task graphs on unlike processors, as in Topcuoglu et al. 2002, as a regal-graph and a
regal-cluster.

    bench/convert/heft.py topcuoglu2002.json graph.json cluster.json
    regal optimize graph.json --cluster cluster.json

The file: {"name": ..., "nodes": [{"id": 1, "cost": [14, 16, 9]}, ...],
"edges": [{"src": 1, "dst": 2, "comm": 18}, ...]}. What becomes what:

  node                      an op "t<id>"; cost[p] ticks on processor p, whole numbers
  number of costs           that many devices p0, p1, ..., each a device class of its own
  edge                      a tensor of `comm` bytes; every link carries one byte a tick, so that it takes
                            `comm` ticks between two processors (one at least), and none within one.
                            Links carry one transfer at a time, which HEFT's model does not ask for
"""

import regal_json
from regal_json import Refused, member, ticks


def whole(value, where):
    if not isinstance(value, int):
        raise Refused(f"{where}: expected a whole number, found {value}")
    return ticks(value, "ns", where)


def convert(text, path, _):
    data = regal_json.parse_json(text)
    nodes = member(data, "nodes", list, "the file")
    processors = len(member(nodes[0], "cost", list, "nodes[0]")) if nodes else 1
    names = [f"p{p}" for p in range(processors)]
    made = regal_json.graph(data.get("name") or path, names)
    place = {}
    for k, node in enumerate(nodes):
        where = f"nodes[{k}]"
        costs = member(node, "cost", list, where)
        number = member(node, "id", int, where)
        if len(costs) != processors:
            raise Refused(f"{where}.cost: has {len(costs)} numbers, the first node {processors}")
        if number in place:
            raise Refused(f"{where}: the id {number} is there already")
        place[number] = k
        made["ops"].append({"name": f"t{number}",
                            "cost": [whole(cost, f"{where}.cost") for cost in costs]})
    for k, edge in enumerate(member(data, "edges", list, "the file")):
        where = f"edges[{k}]"
        ends = [member(edge, "src", int, where), member(edge, "dst", int, where)]
        for end in ends:
            if end not in place:
                raise Refused(f"{where}: there is no node {end}")
        made["tensors"].append({"name": f"t{ends[0]}>t{ends[1]}", "producer": place[ends[0]],
                                "bytes": whole(member(edge, "comm", int, where), where),
                                "consumers": [place[ends[1]]]})
    devices = [{"name": name, "class": p} for p, name in enumerate(names)]
    return made, regal_json.cluster(devices, {"latency": 0, "bytes_per_1000_ticks": 1000})


if __name__ == "__main__":
    regal_json.run(convert, __doc__, states_devices=True)

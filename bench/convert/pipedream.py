#!/usr/bin/env python3
"""Profiles of msr-fiddle/pipedream (Narayanan et al., SOSP 2019), graph.txt, as a regal-graph.

    bench/convert/pipedream.py resnet101/graph.txt graph.json
    bench/convert/pipedream.py --forward resnet101/graph.txt graph.json
    regal optimize graph.json --devices 4x16GB

The graph is a training step (or, with --forward, the forward pass alone). What becomes what:

  node                      an op of kind "forward" that lasts forward_compute_time, and one of kind
                            "backward" that lasts backward_compute_time, milliseconds as ticks of 1 ns on
                            the one device class "gpu"; both in one colocation group. What follows
                            the name of a layer's kind is left out of `kind`
  edge i -> j               the forward op of j uses the activations of i; the backward op of j uses
                            them too, and makes the gradient that the backward op of i uses
  activation_size           bytes of the activations, and of their gradient; a list is summed up
  node without successors   its activations go to its own backward op; with --forward they are kept
  parameter_size            bytes of a parameter of both ops (gradients of weights, and what an optimizer
                            keeps, are not in the file and left out)

The file says nothing of devices.
"""

import re

import regal_json
from regal_json import Refused, ticks, whole_bytes

NODE = re.compile(r"(node\w+) -- (.*) -- (.*)")
EDGE = re.compile(r"\t(node\w+) -- (node\w+)")
FIELDS = ("forward_compute_time", "backward_compute_time", "activation_size", "parameter_size")


def fields(text, where):
    found = {}
    for part in re.split(r", (?=\w+=)", text):
        key, equals, value = part.partition("=")
        if not equals:
            raise Refused(f"{where}: expected NAME=VALUE, found {part!r}")
        found[key.strip()] = value.strip()
    for key in FIELDS:
        if key not in found:
            raise Refused(f"{where}: lacks {key}")
    return found


def total_bytes(text, where):
    """A number, or [a; b; ...]."""
    return sum(whole_bytes(part.strip(), where) for part in text.strip("[]").split(";"))


def parse(text):
    nodes, edges = {}, []
    for number, line in enumerate(text.split("\n"), 1):
        where = f"line {number}"
        line = line.rstrip()
        if not line:
            continue
        if (edge := EDGE.fullmatch(line)) is not None:
            edges.append((edge[1], edge[2], where))
            continue
        if (node := NODE.fullmatch(line)) is None:
            raise Refused(f"{where}: neither a node nor an edge: {line[:80]!r}")
        if node[1] in nodes:
            raise Refused(f"{where}: {node[1]} is there already")
        found = fields(node[3], where)
        nodes[node[1]] = {
            "kind": node[2].split("(")[0].strip(),
            "forward": ticks(found[FIELDS[0]], "ms", where),
            "backward": ticks(found[FIELDS[1]], "ms", where),
            "bytes": total_bytes(found[FIELDS[2]], where),
            "parameter": whole_bytes(found[FIELDS[3]], where),
            "before": [], "after": [],
        }
    for source, target, where in edges:
        for end in (source, target):
            if end not in nodes:
                raise Refused(f"{where}: there is no {end}")
        if target not in nodes[source]["after"]:
            nodes[source]["after"].append(target)
            nodes[target]["before"].append(source)
    return nodes


def make_graph(nodes, name, forward_only):
    made = regal_json.graph(name, ["gpu"])
    count = len(nodes)
    index = {node: i for i, node in enumerate(nodes)}  # of its backward op: count more
    for node, facts in nodes.items():
        op = {"name": node, "kind": facts["kind"], "cost": [facts["forward"]]}
        made["ops"].append(op if forward_only else op | {"group": node})
    for node, facts in nodes.items() if not forward_only else ():
        made["ops"].append({"name": f"{node}/backward", "kind": f"{facts['kind']} backward",
                            "cost": [facts["backward"]], "group": node})
    for node, facts in nodes.items():
        i = index[node]
        users = [index[after] for after in facts["after"]]
        backward = [count + user for user in users] or [count + i]
        tensor = {"name": f"{node}:0", "producer": i, "bytes": facts["bytes"],
                  "consumers": users if forward_only else users + backward}
        if forward_only and not users:
            tensor["output"] = True
        made["tensors"].append(tensor)
        if not forward_only:
            for before in facts["before"]:
                made["tensors"].append({
                    "name": f"{node}/backward:{before}", "producer": count + i,
                    "bytes": nodes[before]["bytes"], "consumers": [count + index[before]]})
        if facts["parameter"] > 0:
            made["parameters"].append({"name": f"{node}/weights", "bytes": facts["parameter"],
                                       "ops": [i] if forward_only else [i, count + i]})
    return made


def convert(text, path, arguments):
    parts = path.split("/")
    name = parts[-2] if len(parts) > 1 and parts[-1] == "graph.txt" else parts[-1]
    return make_graph(parse(text), name, arguments.forward), None


if __name__ == "__main__":
    regal_json.run(convert, __doc__, states_devices=False, options=[
        ("--forward", {"action": "store_true", "help": "the forward pass alone"})])

"""A graph on a cluster, as the files tell it, and what a plan for it costs (DESIGN 2)."""
import fnmatch
import json
from dataclasses import dataclass


@dataclass
class Tensor:
    producer: int
    bytes: int
    consumers: list
    output: bool
    alias_of: int  # -1: none


def find(parent, i):
    while parent[i] != i:
        i = parent[i]
    return i


class Problem:
    """ops are numbers; leader[op] stands for all that must share its device."""

    def __init__(self, graph, cluster):
        ops = graph["ops"]
        self.count = len(ops)
        named = {op["name"]: i for i, op in enumerate(ops) if "name" in op}
        tensors = graph["tensors"]
        named_tensors = {t["name"]: i for i, t in enumerate(tensors) if "name" in t}

        def op_of(word):
            return word if isinstance(word, int) else named[word]

        self.tensors = []
        for t in tensors:
            alias = t.get("alias_of", -1)
            self.tensors.append(Tensor(
                op_of(t["producer"]), t["bytes"], sorted({op_of(c) for c in t["consumers"]}),
                t.get("output", False), alias if isinstance(alias, int) else named_tensors[alias]))
        self.control = sorted({(op_of(a), op_of(b)) for a, b in graph.get("control", [])})
        self.parameters = [(p["bytes"], sorted({op_of(o) for o in p["ops"]}))
                           for p in graph.get("parameters", [])]
        self.workspace = [op.get("workspace", 0) for op in ops]
        self._read_cluster(cluster, graph["device_classes"], ops)
        self._read_groups(ops)

    def _read_cluster(self, cluster, classes, ops):
        self.devices = cluster["devices"]
        device_range = range(len(self.devices))
        of_device = [d.get("class", 0) for d in self.devices]
        of_device = [c if isinstance(c, int) else classes.index(c) for c in of_device]
        self.capacity = [d.get("memory", 0) for d in self.devices]
        self.ticks = [[max(1, op["cost"][c]) for c in of_device] for op in ops]
        names = [d.get("name", f"d{i}") for i, d in enumerate(self.devices)]
        self.allowed = [{d for d in device_range for word in op["allowed"]
                         if (word == d if isinstance(word, int)
                             else fnmatch.fnmatchcase(names[d], word))}
                        if "allowed" in op else set(device_range) for op in ops]
        links = cluster["links"]
        self.link = {(a, b): links["default"] for a in device_range for b in device_range if a != b}
        for pair in links.get("pairs", []):
            self.link[pair["from"], pair["to"]] = pair

    def _read_groups(self, ops):
        parent = list(range(self.count))
        first = {}
        for i, op in enumerate(ops):
            if op.get("group") is not None:
                parent[find(parent, i)] = find(parent, first.setdefault(op["group"], i))
        for t in self.tensors:
            if t.alias_of >= 0:
                other = self.tensors[t.alias_of].producer
                parent[find(parent, t.producer)] = find(parent, other)
        self.leader = [find(parent, i) for i in range(self.count)]
        self.group_allowed = {}
        for i, leader in enumerate(self.leader):
            known = self.group_allowed.setdefault(leader, set(range(len(self.devices))))
            self.group_allowed[leader] = known & self.allowed[i]

    def transfer_ticks(self, tensor, a, b):
        link, size = self.link[a, b], self.tensors[tensor].bytes
        rate = link["bytes_per_1000_ticks"]
        return max(1, link["latency"] + (0 if rate is None else -(-size * 1000 // rate)))

    def root(self, tensor):
        while self.tensors[tensor].alias_of >= 0:
            tensor = self.tensors[tensor].alias_of
        return tensor

    def devices_are_alike(self):
        first = self.devices[0]
        links = list(self.link.values())
        return (all((d.get("class", 0), d.get("memory", 0)) ==
                    (first.get("class", 0), first.get("memory", 0)) for d in self.devices)
                and all(link["latency"] == links[0]["latency"] and
                        link["bytes_per_1000_ticks"] == links[0]["bytes_per_1000_ticks"]
                        for link in links)
                and all(len(a) == len(self.devices) for a in self.allowed))

    def footprint(self, op):
        """Bytes that are on an op's device while it runs, wherever that is: what it reads, makes and
        works with."""
        roots = {self.root(t) for t, tensor in enumerate(self.tensors)
                 if op in tensor.consumers or tensor.producer == op}
        return (sum(self.tensors[root].bytes for root in roots) + self.workspace[op] +
                sum(size for size, ops in self.parameters if op in ops))

    def in_turn(self, plan):
        """The same plan with one op or transfer at a time, in the order of their starts. Nothing is
        held in more company than before, so no peak rises: for memory only this order counts."""
        place = plan["placement"]
        events = [((start, 0, i, 0), i) for i, start in enumerate(plan["start"])]
        events += [((start, 1, t, to), (t, to)) for t, to, start in plan["transfers"]]
        now, starts, transfers = 0, [0] * self.count, []
        for _, event in sorted(events, key=lambda e: e[0]):
            if isinstance(event, int):
                starts[event] = now
                now += self.ticks[event][place[event]]
            else:
                tensor, to = event
                transfers.append((tensor, to, now))
                now += self.transfer_ticks(tensor, place[self.tensors[tensor].producer], to)
        return {"placement": place, "start": starts, "transfers": sorted(transfers)}

    # ---- what a plan costs

    def makespan(self, plan):
        return max((plan["start"][i] + self.ticks[i][plan["placement"][i]]
                    for i in range(self.count)), default=0)

    def _intervals(self, plan):
        """(device, bytes, from, to) of everything that is held for a time."""
        place, start = plan["placement"], plan["start"]
        finish = [start[i] + self.ticks[i][place[i]] for i in range(self.count)]
        until = {}
        for number, t in enumerate(self.tensors):
            last = [finish[t.producer], *(finish[c] for c in t.consumers
                                          if place[c] == place[t.producer])]
            if t.output:
                last.append(max(finish))
            root = self.root(number)
            until[root] = max([until.get(root, 0), *last])
        for tensor, to, begin in plan["transfers"]:
            t = self.tensors[tensor]
            end = begin + self.transfer_ticks(tensor, place[t.producer], to)
            root = self.root(tensor)
            until[root] = max(until[root], end)
            yield to, t.bytes, begin, max(finish[c] for c in t.consumers if place[c] == to)
        for root, end in until.items():
            t = self.tensors[root]
            yield place[t.producer], t.bytes, start[t.producer], end
        for i, size in enumerate(self.workspace):
            yield place[i], size, start[i], finish[i]

    def peaks(self, plan):
        peak = []
        held = list(self._intervals(plan))
        for d in range(len(self.devices)):
            resident = sum(size for size, ops in self.parameters
                           if any(plan["placement"][i] == d for i in ops))
            changes = sorted(change for device, size, begin, end in held if device == d
                             for change in ((begin, size), (end, -size)))
            now = most = 0
            for i, (tick, size) in enumerate(changes):
                now += size
                if i + 1 == len(changes) or changes[i + 1][0] != tick:
                    most = max(most, now)
            peak.append(resident + most)
        return peak


def read_json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def transfers_of(plan):
    """As (tensor, destination, start)."""
    return [(t["tensor"], t["to"], t["start"]) if isinstance(t, dict) else tuple(t)
            for t in plan["transfers"]]

"""What models/learned measures."""
import concurrent.futures
import heapq
import json
import math
import pathlib
import random
import re
import statistics
import struct
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
WORK = HERE.parent / "build" / "learned"
INPUTS = HERE.parent / "host" / "policy" / "placement_inputs.def"
OBJECTIVES = ("memory", "time")
EVALUATIONS = 1000

PRIORITY = {
    "bytes": "bytes made", "input_bytes": "bytes read", "working_set": "working set",
    "freed": "bytes freed less made", "cost": "ticks", "sent_upward": "way to the end",
    "sent_downward": "way from the start", "sent_slack": "slack", "depth": "depth",
    "out_degree": "consumers", "in_degree": "inputs", "descendants": "ops after it",
    "depth_first": "place depth first", "greedy": "place in greedy order"}

QUARTERS = ("lightest", "second", "third", "heaviest")
BIASES = (("memory", "bytes", "bytes made"), ("time", "cost", "ticks"), ("time", "bytes", "bytes made"))

FEATURE_GROUPS = {
    "ticks": "cost cost_deviation cost_rank device_spread sends receives intensity",
    "bytes": "bytes bytes_deviation bytes_rank input_bytes working_set working_set_rank kept workspace"
             " has_workspace parameter_bytes parameters_shared has_parameters in_place",
    "bytes freed less made": "freed freed_rank",
    "neighbours": "in_degree out_degree source sink control_share reads sole_reader widest_read"
                  " group_size freedom",
    "longest ways": "upward downward slack sent_upward sent_downward sent_slack sent_upward_rank depth"
                    " height",
    "ops before and after": "descendants ancestors order",
    "low-memory orders": "depth_first depth_first_level greedy greedy_level",
    "spectral": "spectral_1 spectral_rank_1 spectral_2 spectral_rank_2 spectral_3 spectral_rank_3",
    "whole problem": "ops density devices communication parallelism capped pressure for_memory"}

KINDS = {"features": "features of ops", "inputs": "inputs of the placement head",
         "network": "parts of the network"}

INPUT_GROUPS = {
    "start and finish": "finish first_finish start arrival free gap late",
    "inputs that are there": "present missing transfers heavy",
    "load and last choices": "load previous recent",
    "consumers' other inputs": "co_share co_bytes co_first co_late",
    "consumers' finish": "ahead first_ahead",
    "links": "backlog_in backlog_out",
    "memory": "memory rise rise_elsewhere rise_share freed freed_all peak weights room overflow",
    "the op and progress": "progress critical outputs inputs"}


class Regal:
    """The program, and where its files go."""

    def __init__(self, program):
        self.program = program

    def __call__(self, *arguments):
        run = subprocess.run([str(self.program), *map(str, arguments)], capture_output=True, text=True)
        if run.returncode not in (0, 3):
            sys.exit(run.stderr or f"{self.program} failed: {' '.join(map(str, arguments))}")
        return run.stdout


# ---- numbers

def mean_error(values):
    error = statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else 0.0
    return statistics.fmean(values), error


def ranks(values):
    """From 0, ties sharing the middle."""
    order, out, i = sorted(range(len(values)), key=values.__getitem__), [0.0] * len(values), 0
    while i < len(order):
        end = i
        while end < len(order) and values[order[end]] == values[order[i]]:
            end += 1
        for place in order[i:end]:
            out[place] = (i + end - 1) / 2
        i = end
    return out


def spearman(a, b):
    """None where one of them is all the same."""
    a, b = ranks(a), ranks(b)
    if len(set(a)) < 2 or len(set(b)) < 2:
        return None
    return statistics.correlation(a, b)


# ---- problems

def spread(total, count):
    return [i * total // count for i in range(count)] if count < total else range(total)


def recipes(held_out):
    """(generator, values, seed, cluster) of each problem of a set."""
    for entry in held_out["graphs"]:
        for seed in range(entry["seed"], entry["seed"] + entry["count"]):
            for cluster in entry.get("clusters", held_out.get("clusters")):
                yield entry["generator"], entry["values"], seed, cluster


def write_cluster(cluster, path):
    link = cluster["link"]
    if link == "free":
        link = {"latency": 0, "bytes_per_1000_ticks": None}
    devices = [{"name": f"d{i}"} for i in range(cluster["devices"])]
    path.write_text(json.dumps({"format": "regal-cluster", "version": 1, "devices": devices,
                                "links": {"default": link}}))


class Problem:
    """A graph on a cluster, with the features of its ops by name."""

    def __init__(self, regal, objective, recipe):
        generator, values, seed, cluster = recipe
        self.regal, self.objective, self.devices = regal, objective, cluster["devices"]
        self.stem = WORK / f"{objective}-{generator}-{seed}"
        self.graph, self.cluster = f"{self.stem}.json", pathlib.Path(f"{self.stem}.cluster.json")
        regal("generate", generator, *(f"{key}={value}" for key, value in values.items()),
              "--seed", seed, "-o", self.graph, "-q")
        write_cluster(cluster, self.cluster)
        lines = regal("inspect", self.graph, "--cluster", self.cluster, "--objective", objective,
                      "--features", "--json", "-q").splitlines()
        ops = [json.loads(line) for line in lines[1:]]  # the first says what they mean
        self.features = {key: [op[key] for op in ops] for key in ops[0] if key != "op"}
        self.before = self.read_before()

    def read_before(self):
        """Ops that each op waits for."""
        graph = json.loads(pathlib.Path(self.graph).read_text())
        number = {op["name"]: i for i, op in enumerate(graph["ops"])}
        before = [set() for _ in number]
        pairs = [(tensor["producer"], op) for tensor in graph["tensors"] for op in tensor["consumers"]]
        for source, target in pairs + graph.get("control", []):
            before[number.get(target, target)].add(number.get(source, source))
        return before

    def proposals(self, policy):
        """Means of the priority of each op, and the device of each op in each row."""
        path = pathlib.Path(f"{self.stem}-{policy.stem}.proposals.json")
        self.regal("optimize", self.graph, "--cluster", self.cluster, "--objective", self.objective,
                   "--policy", policy, "--policy-use", "mutants", "--search", "brkga", "--seeds", "none",
                   "--encoding", "affinity", "--evaluations", 1, "--threads", 1,
                   "--dump-proposals", path, "-q")
        rows = [row for row in json.loads(path.read_text())["rows"] if None not in row["priority"]]
        path.unlink()
        priority = [statistics.fmean(row["priority"][op][0] for row in rows)
                    for op in range(len(self.before))]
        return priority, [chosen_devices(row["affinity"], self.devices) for row in rows]


def chosen_devices(affinity, devices):
    if isinstance(affinity[0][0], list):
        affinity = [gene for op in affinity for gene in op]
    means = [gene[0] for gene in affinity]
    return [max(range(devices), key=lambda d: means[op + d]) for op in range(0, len(means), devices)]


# ---- 1: priorities

def ready_pairs(before, priority):
    """(first, second) of every two ops that are ready at the same time, as ops run one by one."""
    after, waits, ready, came, run = [[] for _ in before], [len(b) for b in before], [], {}, {}
    for op, sources in enumerate(before):
        for source in sources:
            after[source].append(op)
        if not sources:
            came[op] = 0
            heapq.heappush(ready, (-priority[op], op))
    while ready:
        op = heapq.heappop(ready)[1]
        run[op] = len(run)
        for target in after[op]:
            waits[target] -= 1
            if waits[target] == 0:
                came[target] = run[op] + 1
                heapq.heappush(ready, (-priority[target], target))
    order = list(run)
    return [(a, b) for i, a in enumerate(order) for b in order[i + 1:]
            if came[b] <= i and priority[a] != priority[b]]


def share_first(pairs, values):
    """Percent of the pairs in which the op with the greater value goes first."""
    first = sum(values[a] > values[b] for a, b in pairs)
    unequal = sum(values[a] != values[b] for a, b in pairs)
    return 100 * first / unequal if unequal else None


def random_share_first(problem, draws=4):
    """The same by feature under random priorities."""
    random_numbers = random.Random(1)
    pairs = [pair for _ in range(draws)
             for pair in ready_pairs(problem.before, [random_numbers.random() for _ in problem.before])]
    return {key: share_first(pairs, problem.features[key]) for key in PRIORITY}


def measure_priorities(problems, proposals):
    """Of each feature: "first" in percent, "random" likewise, "more" the one less the other."""
    found = {key: {"first": [], "random": [], "more": [], "spearman": []} for key in PRIORITY}
    for problem, (priority, _) in zip(problems, proposals):
        pairs, at_random = ready_pairs(problem.before, priority), random_share_first(problem)
        for key, values in found.items():
            first = share_first(pairs, problem.features[key])
            rank = spearman(priority, problem.features[key])
            if None not in (first, at_random[key], rank):
                values["first"].append(first)
                values["random"].append(at_random[key])
                values["more"].append(first - at_random[key])
                values["spearman"].append(rank)
    return {key: {what: mean_error(v) for what, v in values.items()}
            for key, values in found.items() if values["first"]}


# ---- 2: devices

def settled(rows, devices, op):
    """0: two rows agree as often as even draws do; 1: always. The number of rows does not shift it."""
    counts = [0] * devices
    for row in rows:
        counts[row[op]] += 1
    agree = sum(c * (c - 1) for c in counts) / (len(rows) * (len(rows) - 1))
    return (agree - 1 / devices) / (1 - 1 / devices)


def settled_by_quarter(problem, rows, key):
    values = problem.features[key]
    order = sorted(range(len(values)), key=values.__getitem__)
    cuts = [q * len(order) // 4 for q in range(5)]
    return [statistics.fmean(settled(rows, problem.devices, op) for op in order[cuts[q]:cuts[q + 1]])
            for q in range(4)]


def measure_devices(problems, proposals, key):
    """Of each quarter; and of the heaviest less the lightest."""
    found = [settled_by_quarter(p, rows, key) for p, (_, rows) in zip(problems, proposals)]
    return {"quarters": [mean_error([f[q] for f in found]) for q in range(4)],
            "rise": mean_error([f[3] - f[0] for f in found])}


# ---- 3: what the gain rests on

class Weights:
    """A safetensors file, to be changed."""

    def __init__(self, path):
        data = path.read_bytes()
        size = struct.unpack("<Q", data[:8])[0]
        self.start, self.data = 8 + size, bytearray(data)
        self.header = json.loads(data[8:8 + size])
        self.settings = self.header["__metadata__"]

    def names(self, pattern):
        return [name for name in self.header if re.fullmatch(pattern, name)]

    def shape(self, name):
        return self.header[name]["shape"]

    def place(self, name, row, column):
        return self.start + self.header[name]["data_offsets"][0] + 4 * (row * self.shape(name)[1] + column)

    def get(self, name, row, column):
        return struct.unpack_from("<f", self.data, self.place(name, row, column))[0]

    def put(self, name, row, column, value):
        struct.pack_into("<f", self.data, self.place(name, row, column), value)

    def clear(self, name, rows=None, columns=None):
        height, width = self.shape(name)
        for row in range(height) if rows is None else rows:
            for column in range(width) if columns is None else columns:
                self.put(name, row, column, 0.0)


def hold_features(weights, rows, means):
    """Every op has the mean of these features: their part of the sums goes into the biases."""
    for row in rows:
        for unit in range(weights.shape("encoder.0.weight")[1]):
            part = means[row] * weights.get("encoder.0.weight", row, unit)
            weights.put("encoder.0.bias", 0, unit, weights.get("encoder.0.bias", 0, unit) + part)
    weights.clear("encoder.0.weight", rows)


def drop_inputs(weights, inputs):
    weights.clear("placement.hidden.weight", inputs)
    weights.clear("placement.direct", columns=inputs)


def drop_messages(weights):
    for name in weights.names(r"round\.\d+\.update\.(in|out)"):
        weights.clear(name)


def drop_scores(weights):
    weights.clear("output.weight", columns=[0])
    weights.clear("output.bias", columns=[0])


def grouped(groups, names):
    """Numbers of the names of each group; names in none are a group of their own."""
    number = {name: i for i, name in enumerate(names)}
    found = {title: [number.pop(name) for name in members.split() if name in number]
             for title, members in groups.items()}
    found["others"] = list(number.values())
    return {title: members for title, members in found.items() if members}


def changes(weights, problems):
    """What is taken away: (kind, title, function of the weights)."""
    names = list(problems[0].features)
    means = [statistics.fmean(v for p in problems for v in p.features[name]) for name in names]
    for title, rows in grouped(FEATURE_GROUPS, names).items():
        yield "features", title, lambda w, rows=rows: hold_features(w, rows, means)
    inputs = re.findall(r'^REGAL_PLACEMENT_INPUT\(\w+, "(\w+)"', INPUTS.read_text(), re.MULTILINE)
    for title, rows in grouped(INPUT_GROUPS, inputs).items():
        yield "inputs", title, lambda w, rows=rows: drop_inputs(w, rows)
    channels = range(len(inputs), weights.shape("placement.direct")[1])
    yield "inputs", "the network's channels", lambda w: drop_inputs(w, channels)
    yield "network", "scores of the order", drop_scores
    yield "network", "messages between ops", drop_messages


def evaluate(regal, policy, objective, count, more):
    path = WORK / f"{objective}.evaluation.json"
    regal("evaluate", policy, HERE / "policies" / "sets" / f"{objective}.json", "--count", count,
          "--budgets", EVALUATIONS, "--repeats", 1, "--json", path, "-q", *more)
    found = []
    for problem in json.loads(path.read_text())["problems"]:
        run = problem["runs"][0]
        found.append(100 * (1 - statistics.fmean(run["policy"]["values"])
                            / statistics.fmean(run["reference"]["values"])))
    return path, found


def measure_losses(regal, policy, objective, problems):
    path, whole = evaluate(regal, policy, objective, len(problems), [])
    baseline = path.rename(WORK / f"{objective}.baseline.json")
    found = {"gain": mean_error(whole), **{kind: {} for kind in KINDS}}
    for kind, title, change in changes(Weights(policy), problems):
        weights, changed = Weights(policy), WORK / f"{objective}-changed.safetensors"
        change(weights)
        changed.write_bytes(weights.data)
        gains = evaluate(regal, changed, objective, len(problems), ["--baseline", baseline])[1]
        found[kind][title] = mean_error([a - b for a, b in zip(whole, gains)])
    return found


# ---- all of it

def measure(regal, policies, objective, count):
    path = HERE / "policies" / "sets" / f"{objective}.json"
    every = list(recipes(json.loads(path.read_text())))
    policy, untrained = policies / f"{objective}.safetensors", WORK / f"untrained-{objective}.safetensors"
    untrained.unlink(missing_ok=True)
    regal("train", path, "-o", untrained, "--order-steps", 0, "--plan-steps", 0, "--search-steps", 0,
          "--validation-count", 1, "-q")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        problems = list(pool.map(lambda i: Problem(regal, objective, every[i]), spread(len(every), count)))
        trained, control = (list(pool.map(lambda p: p.proposals(file), problems))
                            for file in (policy, untrained))
    found = {"problems": len(problems), "settings": Weights(policy).settings,
             "priorities": measure_priorities(problems, trained), "devices": {}}
    for which, key, _ in BIASES:
        if which == objective:
            found["devices"][key] = [measure_devices(problems, kind, key) for kind in (trained, control)]
    return {**found, **measure_losses(regal, policy, objective, problems)}

"""The tables of models/README.md, from the raw results of bench/policy."""
import json
import math
import pathlib
import re
import statistics
import struct
import textwrap

MARKER = re.compile(r"(<!-- table: ([a-z-]+) -->\n).*?(<!-- /table -->)", re.DOTALL)
SUMS = ("all", "seen", "unseen")
MAIN = ("memory", "time")


def fill(text, results, policies):
    """The README with each table made anew."""
    book = Book(results, policies)
    return MARKER.sub(lambda found: found[1] + TABLES[found[2]](book) + found[3], text)


class Book:
    def __init__(self, results, policies):
        self.results, self.policies, self.cache = results, policies, {}

    def read(self, name):
        if name not in self.cache:
            self.cache[name] = self.results.read(name)
        return self.cache[name]

    def part(self, name, group="all", budget=5000, reference=None):
        """A row of the summary, or None."""
        raw = self.read(name)
        return next((part for part in raw["summary"] if part["group"] == group
                     and part["budget"] == budget and part["reference_budget"] == (reference or budget)),
                    None) if raw else None

    def worst(self, name, budget=5000):
        """The family that gains least."""
        raw = self.read(name)
        parts = [part for part in raw["summary"] if part["group"] not in SUMS and part["gain"] is not None
                 and part["budget"] == part["reference_budget"] == budget] if raw else []
        return min(parts, key=lambda part: part["gain"], default=None)

    def problems(self, name, budget):
        """Mean value within the caps of each problem, with the policy and without; None: no plan."""
        means, raw = {}, self.read(name)
        for problem in raw["problems"] if raw else []:
            runs = next((runs for runs in problem["runs"] if runs["budget"] == budget), None)
            if runs:
                means[f"{problem['name']} ({problem['digest']})"] = tuple(
                    mean_within(runs[side]) for side in ("policy", "reference"))
        return means


def mean_within(runs):
    values = [value for value, excess in zip(runs["values"], runs["excess"]) if excess == 0]
    return statistics.mean(values) if values else None


# ---- cells

def table(head, lines):
    if not lines:
        return "Not measured yet.\n"
    rows = [head, ["---"] * len(head), *lines]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def gain(part):
    if part is None or part["gain"] is None:
        return "-"
    error = f" +- {part['error']:.2f}" if part["problems"] > 1 and part["error"] is not None else ""
    return f"{part['gain']:+.2f}{error}"


def percent(share):
    return f"{100 * share:.0f} %"


def won(part):
    return percent(part["won"]) if part else "-"


def graphs(count):
    return "1 graph" if count == 1 else f"{count} graphs"


def named(part):
    return f"{part['group']} {gain(part)} ({graphs(part['problems'])})" if part else "-"


def seconds(part):
    return f"{part['seconds']:.3g} / {part['reference_seconds']:.3g}" if part else "-"


def mean_and_error(values):
    if not values:
        return "-"
    error = statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else 0
    return f"{statistics.mean(values):+.2f} +- {error:.2f}"


def paired(book, name, other, budget):
    """Gains of one row's policy over another's on the same problems, in percent."""
    ours, theirs = book.problems(name, budget), book.problems(other, budget)
    return [100 * (1 - ours[key][0] / theirs[key][0]) for key in ours
            if key in theirs and ours[key][0] and theirs[key][0]]


# ---- tables

def policy_header(path):
    with path.open("rb") as file:
        return json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))["__metadata__"]


def policies(book):
    lines, commands = [], ""
    for path in sorted(book.policies.glob("*.safetensors")):
        card = json.loads(policy_header(path).get("card") or "null")
        if not card:
            continue
        options = card["options"]
        lines.append([path.name, f"{path.stat().st_size / 1000:.0f} kB", card["set"], str(options["seed"]),
                      f"{card['steps']:,}", f"{card['hours']:.2f}", f"{card['gain_1000']:+.1f}",
                      f"{card['gain_5000']:+.1f}"])
        words = " ".join(f"--{name} {value}" for name, value in options.items())
        command = (f"regal train models/policies/sets/{card['set']}.json -o {path.name} "
                   f"--validation models/policies/sets/{card['validation_set']}.json {words}")
        wrapped = textwrap.wrap(command, 125, break_on_hyphens=False, break_long_words=False)
        commands += "    " + " \\\n        ".join(wrapped) + "\n"
    head = ["policy", "size", "set", "seed", "steps", "hours", "validation at 1,000, %", "at 5,000, %"]
    return table(head, lines) + (f"\nMade by\n\n{commands}" if commands else "")


# (what, asked for, row, group, budget, reference budget, field)
GOALS = [
    ("memory, gain at 5,000", 10, "memory", "all", 5000, 5000, "gain"),
    ("memory, graphs won", 95, "memory", "all", 5000, 5000, "won"),
    ("memory, unseen family", 6, "memory", "unseen", 5000, 5000, "gain"),
    ("memory, graphs twice as large", 10, "memory-twice-as-large", "all", 5000, 5000, "gain"),
    ("memory, 1,000 with the policy over 5,000 without", 0, "memory", "all", 1000, 5000, "gain"),
    ("memory, unseen architectures", 3.56, "zoo-memory", "unseen", 5000, 5000, "gain"),
    ("time, gain at 5,000", 18, "time", "all", 5000, 5000, "gain"),
    ("time, graphs won", 95, "time", "all", 5000, 5000, "won"),
    ("time, unseen family", 15, "time", "unseen", 5000, 5000, "gain"),
    ("time, unseen architectures", 3.56, "zoo-time", "unseen", 5000, 5000, "gain"),
    ("default search, memory", 2, "memory-default", "all", 5000, 5000, "gain"),
    ("default search, time", 2, "time-default", "all", 5000, 5000, "gain"),
]


def goal(what, asked, measured, reached, unit=" %"):
    return [what, asked, f"{measured}{unit}", "yes" if reached else "**no**"]


def goals(book):
    lines = []
    for what, asked, name, group, budget, reference, field in GOALS:
        parts = [book.part(row, group, budget, reference) for row in trainings(book, name)]
        parts = [part for part in parts if part and part[field] is not None]
        if parts:
            values = [part[field] * (100 if field == "won" else 1) for part in parts]
            value = statistics.mean(values)
            cell = f"{value:.0f}" if field == "won" else gain({**parts[0], "gain": value})
            if len(values) > 1:
                form = "{:.0f}" if field == "won" else "{:+.2f}"
                cell += f" (of trainings: {', '.join(form.format(v) for v in values)})"
            lines.append(goal(what, f">= {asked} %", cell, value >= asked))
    over = paired(book, "time", "time-untrained", 5000)
    if over:
        lines.append(goal("time, over the untrained control, paired", ">= 3 %", mean_and_error(over),
                          statistics.mean(over) >= 3))
    for name in (f"{set}-default" for set in (*MAIN, "zoo-memory", "zoo-time", "capped")):
        part = book.worst(name)
        if part:
            lines.append(goal(f"default search, {name[:-8]}, worst family", ">= -0.5 %", named(part),
                              part["gain"] >= -0.5, ""))
    if book.part("transformer-pcie-default"):
        (ticks, _), = book.problems("transformer-pcie-default", 5000).values()
        lines.append(goal("default search, transformer, PCIe", "< 380,000", f"{ticks:,.0f}",
                          ticks < 380000, " ticks"))
    return table(["goal", "asked for", "measured", "reached"], lines)


def paper(book):
    lines = []
    for name in ("memory", "memory-twice-as-large", "memory-devices", "zoo-memory", "time",
                 "time-twice-as-large", "time-devices", "time-ccr", "zoo-time", "capped"):
        part = book.part(name)
        if part:
            lines.append([name, str(part["problems"]), *(gain(book.part(name, budget=budget))
                                                         for budget in (500, 1000, 5000)),
                          gain(book.part(f"{name}-50000", budget=50000)), won(part),
                          gain(book.part(name, "unseen")), named(book.worst(name)),
                          gain(book.part(name, "all", 1000, 5000)), seconds(part)])
    return table(["set", "graphs", "500", "1,000", "5,000", "50,000", "won", "unseen", "worst family",
                  "1,000 over 5,000", "seconds"], lines)


def families(book):
    names = ("memory", "zoo-memory", "memory-devices", "time", "zoo-time", "time-devices", "time-ccr")
    lines = []
    for name in names:
        raw = book.read(name)
        for part in raw["summary"] if raw else []:
            if part["group"] not in SUMS and part["budget"] == part["reference_budget"] == 5000:
                lines.append([name, part["group"], str(part["problems"]),
                              gain(book.part(name, part["group"], 1000)), gain(part), won(part),
                              gain(book.part(f"{name}-default", part["group"]))])
    return table(["set", "family", "graphs", "1,000", "5,000", "won", "default search, 5,000"], lines)


CONTROLS = [("upward-rank", "normalized upward rank"), ("bytes-freed", "bytes freed less bytes defined"),
            ("untrained", "roll-outs of an untrained policy"),
            ("heft-seed", "`inherit` keys, heuristics as seeds"), ("tuned", "tuned genetic algorithm")]


def controls(book):
    lines = []
    for name in MAIN:
        rows = [(name, "**the policy**"), *((f"{name}-{key}", text) for key, text in CONTROLS)]
        for row, text in rows:
            part = book.part(row)
            if part and book.read(name):
                over = "" if row == name else mean_and_error(paired(book, name, row, 5000))
                lines.append([name, text, *(gain(book.part(row, budget=budget))
                                            for budget in (500, 1000, 5000)),
                              gain(book.part(row, "unseen")), won(part), over])
    return table(["set", "proposals", "500", "1,000", "5,000", "unseen", "won", "policy over it"], lines)


def tuning(book):
    lines = []
    for name in MAIN:
        tuned = book.read(f"tuned-{name}")
        if tuned:
            drawn = "uniform" if tuned["policy"] == "none" else tuned["policy"][5:].replace(",", ", ")
            lines.append([name, str(tuned["tried"]),
                          *(str(tuned["settings"][key]) for key in ("population", "elites", "mutants", "rho")),
                          drawn, f"{tuned['gain']:+.2f}"])
    return table(["set", "tried", "population", "elites", "mutants", "rho", "keys (mean, concentration)",
                  "gain in validation, %"], lines)


def inherit(book):
    lines = []
    for name in ("memory", "zoo-memory", "time", "zoo-time"):
        row = f"{name}-inherit"
        part = book.part(row)
        if part:
            lines.append([name, gain(book.part(row, budget=1000)), gain(part),
                          gain(book.part(row, "unseen")), won(part), named(book.worst(row))])
    return table(["set", "1,000", "5,000", "unseen", "won", "worst family"], lines)


def default(book):
    lines = []
    for name in ("memory", "zoo-memory", "time", "zoo-time", "capped"):
        for row, budget in ((f"{name}-default", 5000), (f"{name}-default-50000", 50000)):
            part = book.part(row, budget=budget)
            if part:
                lines.append([name, f"{budget:,}", gain(part), f"{part['low']:+.2f} to {part['high']:+.2f}",
                              gain(book.part(row, "unseen", budget)), won(part),
                              named(book.worst(row, budget)), seconds(part)])
    return table(["set", "evaluations", "gain %", "95 % interval", "unseen", "won", "worst family",
                  "seconds"], lines)


def transformer(book):
    lines = []
    for links in ("pcie", "nvlink"):
        for row, text in ((f"transformer-{links}", "the paper's"), (f"transformer-{links}-default", "default")):
            for budget in (500, 1000, 5000):
                if book.part(row, budget=budget):
                    part = book.part(row, budget=budget)
                    (ours, theirs), = book.problems(row, budget).values()
                    lines.append([links, text, f"{budget:,}",
                                  *(f"{ticks:,.0f}" if ticks else "-" for ticks in (theirs, ours)),
                                  f"{percent(part['reference_feasible'])} / {percent(part['feasible'])}"])
    return table(["links", "search", "evaluations", "without", "with", "feasible"], lines)


def capped(book):
    lines = []
    for row, text in (("capped", "the paper's"), ("capped-default", "default")):
        for budget in (500, 1000, 5000):
            part = book.part(row, budget=budget)
            if part:
                lines.append([text, f"{budget:,}", percent(part["reference_feasible"]),
                              percent(part["feasible"]), f"{gain(part)} ({graphs(part['compared'])})",
                              won(part)])
    return table(["search", "evaluations", "feasible without", "feasible with", "gain where both are",
                  "won"], lines)


def equal_time(book):
    lines = []
    for name in MAIN:
        row = f"{name}-equal-time"
        part = book.part(row, budget=0)
        if part:
            limit = book.read(row)["search"]["time-limit"]
            lines.append([name, f"{1000 * float(limit):.0f} ms", gain(part),
                          gain(book.part(row, "unseen", 0)), won(part),
                          book.results.made.get(row, {}).get("machine", "-")])
    return table(["set", "a search", "gain %", "unseen", "won", "machine"], lines)


def headroom(book):
    """The gain over that of the best plans known."""
    known = book.read("best-known") or {}
    lines = []
    for name in MAIN:
        rows = [(name, "the paper's", budget) for budget in (500, 1000, 5000)] + [
            (f"{name}-50000", "the paper's", 50000), (f"{name}-default", "default", 5000),
            (f"{name}-default-50000", "default", 50000)]
        rows = [row for row in rows if book.read(row[0])]
        best = best_of(book, name, known.get(name, {}), {row for row, _, _ in rows})
        for row, text, budget in rows:
            pairs = [(ours, theirs, best[key]) for key, (ours, theirs) in
                     book.problems(row, budget).items() if ours and theirs and key in best]
            if pairs:
                room = [1 - least / theirs for _, theirs, least in pairs]
                got = [1 - ours / theirs for ours, theirs, _ in pairs]
                lines.append([name, text, f"{budget:,}", str(len(pairs)), f"{100 * statistics.mean(room):+.2f}",
                              f"{100 * statistics.mean(got):+.2f}",
                              percent(sum(got) / sum(room)) if sum(room) > 0 else "-"])
    return table(["set", "search", "evaluations", "graphs", "room %", "gain %", "captured"], lines)


def compared(name):
    """The least values of all methods of bench/table, by the names of problems."""
    path = pathlib.Path(f"bench/results/{name}.json")
    graphs = json.loads(path.read_text())["graphs"] if path.exists() else []
    return {g["graph"]: min(run[0] for run in g["runs"].values()
                            if isinstance(run, list) and run[1] == 0) for g in graphs}


def best_of(book, name, known, rows):
    best, others = dict(known), compared(name)
    for row in rows:
        for problem in book.read(row)["problems"]:
            key = f"{problem['name']} ({problem['digest']})"
            best[key] = min(best.get(key, math.inf), others.get(problem["name"], math.inf))
            for side in (side for runs in problem["runs"] for side in (runs["policy"], runs["reference"])):
                values = [value for value, excess in zip(side["values"], side["excess"]) if excess == 0]
                if values:
                    best[key] = min([*values, best.get(key, math.inf)])
    return best


def trainings(book, name):
    """The row of the policy that ships, and those of the same training with other seeds."""
    rows = [name, *sorted(row for row in book.results.made if row.startswith(f"{name}-seed"))]
    return [row for row in rows if book.part(row)]


def seeds(book):
    lines = []
    for name in MAIN:
        rows = trainings(book, name)
        for row in rows if len(rows) > 1 else []:
            lines.append([name, row.removeprefix(f"{name}-seed") if row != name else "1, ships",
                          *(gain(book.part(row, budget=budget)) for budget in (500, 1000, 5000)),
                          gain(book.part(row, "unseen")), won(book.part(row))])
        if len(rows) > 1:
            means = [[book.part(row, group, budget)["gain"] for row in rows]
                     for group, budget in (("all", 500), ("all", 1000), ("all", 5000), ("unseen", 5000))]
            lines.append([name, "mean, deviation",
                          *(f"{statistics.mean(values):+.2f}, {statistics.stdev(values):.2f}"
                            for values in means), ""])
    return table(["set", "training seed", "500", "1,000", "5,000", "unseen", "won"], lines)


def cost(book):
    """How long the rows took."""
    made = {name: how for name, how in book.results.made.items() if "command" in how or "grid" in how}
    if not made:
        return "Not measured yet.\n"
    machines = sorted({how["machine"] for how in made.values()})
    total = sum(how["seconds"] for how in made.values())
    return f"{len(made)} rows, {total / 60:.0f} minutes in all on {'; '.join(machines)}.\n"


TABLES = {"policies": policies, "goals": goals, "paper": paper, "families": families,
          "controls": controls, "tuning": tuning, "inherit": inherit, "default": default,
          "transformer": transformer, "capped": capped, "equal-time": equal_time,
          "headroom": headroom, "seeds": seeds, "cost": cost}

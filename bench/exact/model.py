"""The performance model of DESIGN 2 as constraints for CP-SAT (OR-tools): the same plans are valid, and
cost the same. So where the solver proves an optimum, it is the optimum."""
import math
import os
from dataclasses import dataclass

from ortools.sat.python import cp_model


@dataclass
class Answer:
    plan: dict      # placement, start, transfers; None: none was found
    value: int
    bound: int
    proven: bool
    seconds: float


class Model:
    """For memory every op and transfer lasts one tick, since only their order counts."""

    def __init__(self, problem, objective, horizon):
        self.problem = problem
        self.in_order = objective == "memory"
        self.cp = cp_model.CpModel()
        self.unit = 1 if self.in_order else self._common_unit()
        self.ticks = self._events() if self.in_order else math.ceil(horizon / self.unit)
        self.on = {}        # (leader, device): a group runs there
        self.held = [[] for _ in problem.devices]  # (interval, bytes)
        self._ops()
        self._transfers()
        self._memory()
        self.objective = self.makespan if objective == "time" else self.max_peak
        self.scale = self.unit if objective == "time" else 1
        self.cp.minimize(self.objective)

    def _common_unit(self):
        p = self.problem
        ticks = [t for row in p.ticks for t in row]
        ticks += [p.transfer_ticks(t, a, b) for t in range(len(p.tensors)) for a, b in p.link]
        return math.gcd(*ticks) if ticks else 1

    def _events(self):
        p = self.problem
        return p.count + sum(1 for t in p.tensors if t.consumers) * (len(p.devices) - 1)

    def _op_ticks(self, op, device):
        return 1 if self.in_order else self.problem.ticks[op][device] // self.unit

    def _transfer_ticks(self, tensor, a, b):
        return 1 if self.in_order else self.problem.transfer_ticks(tensor, a, b) // self.unit

    def _time(self, name):
        return self.cp.new_int_var(0, self.ticks, name)

    def _bool(self, name):
        return self.cp.new_bool_var(name)

    def _and(self, name, *parts):
        both = self._bool(name)
        self.cp.add_bool_and(parts).only_enforce_if(both)
        self.cp.add_bool_or([part.negated() for part in parts] + [both])
        return both

    def _or(self, name, parts):
        any_of = self._bool(name)
        self.cp.add_max_equality(any_of, parts)
        return any_of

    def runs_on(self, op, device):
        return self.on[self.problem.leader[op], device]

    # ---- ops

    def _ops(self):
        p, cp = self.problem, self.cp
        for leader, allowed in p.group_allowed.items():
            for d in range(len(p.devices)):
                self.on[leader, d] = self._bool(f"on{leader},{d}")
                if d not in allowed:
                    cp.add(self.on[leader, d] == 0)
            cp.add_exactly_one(self.on[leader, d] for d in range(len(p.devices)))
        if p.devices_are_alike() and p.count > 0:
            cp.add(self.on[p.leader[0], 0] == 1)
        self.start = [self._time(f"start{i}") for i in range(p.count)]
        self.finish = [self._time(f"finish{i}") for i in range(p.count)]
        self.makespan = self._time("makespan")
        for d in range(len(p.devices)):
            intervals = []
            for i in range(p.count):
                interval = cp.new_optional_interval_var(
                    self.start[i], self._op_ticks(i, d), self.finish[i], self.runs_on(i, d),
                    f"op{i},{d}")
                intervals.append(interval)
                if p.workspace[i] > 0:
                    self.held[d].append((interval, p.workspace[i]))
            cp.add_no_overlap(intervals)
        for i in range(p.count):
            cp.add(self.makespan >= self.finish[i])
        for a, b in p.control:
            cp.add(self.start[b] >= self.finish[a])
        for t in p.tensors:
            for c in t.consumers:
                cp.add(self.start[c] >= self.finish[t.producer])

    # ---- transfers

    def _transfers(self):
        p = self.problem
        self.sent = {}  # (tensor, to): (needed, start, finish)
        self.on_link = {pair: [] for pair in p.link}
        for t in range(len(p.tensors)):
            for to in range(len(p.devices)):
                self._transfer(t, to)
        for intervals in self.on_link.values():
            self.cp.add_no_overlap(intervals)

    def _transfer(self, number, to):
        p, cp, t = self.problem, self.cp, self.problem.tensors[number]
        leaders = {p.leader[c] for c in t.consumers} - {p.leader[t.producer]}
        if not leaders:
            return
        wanted = self._or(f"wanted{number},{to}", [self.on[leader, to] for leader in leaders])
        home = self.runs_on(t.producer, to)
        needed = self._and(f"sent{number},{to}", wanted, home.negated())
        start, finish = self._time(f"send{number},{to}"), self._time(f"sent{number},{to}")
        cp.add(start >= self.finish[t.producer])
        for source in range(len(p.devices)):
            if source == to:
                continue
            here = self._and(f"from{source},{number},{to}", wanted, self.runs_on(t.producer, source))
            self.on_link[source, to].append(cp.new_optional_interval_var(
                start, self._transfer_ticks(number, source, to), finish, here,
                f"transfer{number},{source},{to}"))
        for c in t.consumers:
            cp.add(self.start[c] >= finish).only_enforce_if(self.runs_on(c, to), needed)
        self.sent[number, to] = (needed, start, finish)

    # ---- memory

    def _hold(self, device, size, start, end, present, name):
        if size > 0:
            length = self._time(f"length {name}")
            self.held[device].append((self.cp.new_optional_interval_var(
                start, length, end, present, name), size))

    def _memory(self):
        p, cp = self.problem, self.cp
        until = {}
        for number, t in enumerate(p.tensors):
            root = p.root(number)
            if root not in until:
                until[root] = self._time(f"until{root}")
            self._keep(number, t, until[root])
        for root, end in until.items():
            t = p.tensors[root]
            for d in range(len(p.devices)):
                self._hold(d, t.bytes, self.start[t.producer], end, self.runs_on(t.producer, d),
                           f"storage{root},{d}")
        for (number, to), (needed, start, _) in self.sent.items():
            t = p.tensors[number]
            end = self._time(f"copy{number},{to}")
            for c in t.consumers:
                cp.add(end >= self.finish[c]).only_enforce_if(self.runs_on(c, to), needed)
            self._hold(to, t.bytes, start, end, needed, f"copy{number},{to}")
        self._peaks()

    def _keep(self, number, t, end):
        """The tensor's storage is there until `end`."""
        p, cp = self.problem, self.cp
        cp.add(end >= self.finish[t.producer])
        if t.output:
            cp.add(end >= self.makespan)
        for c in t.consumers:
            for d in range(len(p.devices)):
                cp.add(end >= self.finish[c]).only_enforce_if(
                    self.runs_on(c, d), self.runs_on(t.producer, d))
        for to in range(len(p.devices)):
            if (number, to) in self.sent:
                needed, _, finish = self.sent[number, to]
                cp.add(end >= finish).only_enforce_if(needed)

    def _peaks(self):
        p, cp = self.problem, self.cp
        all_bytes = (sum(t.bytes for t in p.tensors) + sum(p.workspace) +
                     sum(size for size, _ in p.parameters))
        least = max((p.footprint(i) for i in range(p.count)), default=0)
        self.max_peak = cp.new_int_var(least, all_bytes, "max peak")
        for d in range(len(p.devices)):
            resident = 0
            for k, (size, ops) in enumerate(p.parameters):
                if ops:
                    leaders = {p.leader[i] for i in ops}
                    resident += size * self._or(f"resident{k},{d}",
                                                [self.on[leader, d] for leader in leaders])
            peak = cp.new_int_var(0, p.capacity[d] or all_bytes, f"peak{d}")
            room = cp.new_int_var(0, all_bytes, f"room{d}")
            cp.add(room + resident <= peak)
            cp.add_cumulative([interval for interval, _ in self.held[d]],
                              [size for _, size in self.held[d]], room)
            cp.add(self.max_peak >= peak)

    # ---- solving

    def hint(self, plan):
        p = self.problem
        place = list(plan["placement"])
        if p.devices_are_alike() and place:
            swap = {0: place[0], place[0]: 0}
            place = [swap.get(d, d) for d in place]
            plan = {**plan, "transfers": [(t, swap.get(to, to), s) for t, to, s in plan["transfers"]]}
        for leader in p.group_allowed:
            for d in range(len(p.devices)):
                self.cp.add_hint(self.on[leader, d], place[leader] == d)
        tick = {start: start // self.unit for start in
                [*plan["start"], *(start for _, _, start in plan["transfers"])]}
        if self.in_order:
            tick = {start: i for i, start in enumerate(sorted(tick))}
        for i in range(p.count):
            self.cp.add_hint(self.start[i], tick[plan["start"][i]])
        for tensor, to, start in plan["transfers"]:
            if (tensor, to) in self.sent:
                self.cp.add_hint(self.sent[tensor, to][1], tick[start])

    def solve(self, seconds):
        solver = cp_model.CpSolver()
        solver.parameters.max_time_in_seconds = seconds
        solver.parameters.num_workers = os.cpu_count()
        status = solver.solve(self.cp)
        bound = math.ceil(solver.best_objective_bound - 1e-6) * self.scale
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return Answer(None, -1, bound, False, solver.wall_time)
        return Answer(self._plan(solver), round(solver.objective_value) * self.scale, bound,
                      status == cp_model.OPTIMAL, solver.wall_time)

    def _plan(self, solver):
        p = self.problem
        place = [next(d for d in range(len(p.devices)) if solver.value(self.runs_on(i, d)))
                 for i in range(p.count)]
        transfers = [(tensor, to, solver.value(start) * self.unit)
                     for (tensor, to), (needed, start, _) in sorted(self.sent.items())
                     if solver.value(needed)]
        plan = {"placement": place, "transfers": transfers,
                "start": [solver.value(start) * self.unit for start in self.start]}
        return p.in_turn(plan) if self.in_order else plan

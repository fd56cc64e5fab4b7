"""One graph, a plan to start from, and CP-SAT."""
import json
import os

from model import Model
from problem import Problem, transfers_of


def solve(graph, plan, objective, seconds):
    """The answer, and its plan as a regal-plan or None."""
    problem = Problem(graph, plan["cluster"])
    given = {**plan, "transfers": transfers_of(plan)}
    if objective == "memory":
        given = problem.in_turn(given)
    everything = sum(max(row) for row in problem.ticks) + sum(
        max(problem.transfer_ticks(t, a, b) for a, b in problem.link) * (len(problem.devices) - 1)
        for t in range(len(problem.tensors)) if problem.link)
    horizon = max(plan["makespan"], 1 if objective == "time" and fits(problem, plan) else everything)
    model = Model(problem, objective, horizon)
    model.hint(given)
    answer = model.solve(seconds)
    return answer, answer.plan and as_file(problem, plan, objective, answer)


def fits(problem, plan):
    return all(cap == 0 or peak <= cap for peak, cap in zip(plan["peak"], problem.capacity))


def as_file(problem, given, objective, answer):
    plan = answer.plan
    makespan, peak = problem.makespan(plan), problem.peaks(plan)
    excess = sum(max(0, p - c) for p, c in zip(peak, problem.capacity) if c > 0)
    plan["finish"] = [start + problem.ticks[i][plan["placement"][i]]
                      for i, start in enumerate(plan["start"])]
    return {**{key: given[key] for key in ("format", "version", "bounds", "graph", "cluster", "names")
               if key in given},
            **plan, "transfers": [{"tensor": t, "to": to, "start": s} for t, to, s in plan["transfers"]],
            "objective": objective, "makespan": makespan, "peak": peak,
            "fitness": {"time": [excess, makespan, max(peak, default=0)],
                        "memory": [excess, max(peak, default=0), makespan]},
            "made": {"origin": "CP-SAT"}}


def write(path, plan):
    beside = f"{path}.{os.getpid()}.tmp"
    with open(beside, "w", encoding="utf-8") as file:
        json.dump(plan, file)
    os.replace(beside, path)

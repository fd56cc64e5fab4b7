"""What both scripts of random graphs share."""
import pathlib
import subprocess
import sys

REGAL = pathlib.Path(__file__).resolve().parent.parent.parent / "build" / "regal"
FAMILIES = ["erdos-renyi", "watts-strogatz", "barabasi-albert", "stochastic-block", "layered"]


def regal(*arguments):
    run = subprocess.run([str(REGAL), *map(str, arguments)], capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"regal {' '.join(map(str, arguments))}: {run.stderr or run.stdout}")
    return run.stdout

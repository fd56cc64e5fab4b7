"""Graphs and clusters in REGAL's JSON (DESIGN.md, section 6), as the scripts beside this one write them."""

import argparse
import json
import os
import sys
from decimal import ROUND_CEILING, ROUND_HALF_UP, Decimal, InvalidOperation

TICKS = {"ms": Decimal(10**6), "ns": Decimal(1)}
GREATEST = 2**53


class Refused(Exception):
    """What is wrong with a file, in words."""


def decimal(value, where):
    """A number of the file, exactly as it is written there."""
    try:
        number = Decimal(value if isinstance(value, (int, str, Decimal)) else "x")
    except InvalidOperation:
        raise Refused(f"{where}: expected a number, found {value!r}") from None
    if not number.is_finite() or number < 0:
        raise Refused(f"{where}: expected a number from 0 on, found {value}")
    return number


def ticks(value, unit, where):
    """A time in ticks of 1 ns, halves up."""
    number = (decimal(value, where) * TICKS[unit]).to_integral_value(ROUND_HALF_UP)
    if number > GREATEST:
        raise Refused(f"{where}: {value} {unit} are more than 2^53 ns")
    return int(number)


def whole_bytes(value, where):
    """Bytes, rounded up: some files have fractions of them."""
    number = decimal(value, where)
    if number > GREATEST:
        raise Refused(f"{where}: {value} bytes are more than 2^53")
    return int(number.to_integral_value(ROUND_CEILING))


def graph(name, classes):
    return {
        "format": "regal-graph", "version": 1, "name": name, "device_classes": classes,
        "ops": [], "tensors": [], "parameters": [],
    }


def cluster(devices, default_link, pairs=()):
    return {
        "format": "regal-cluster", "version": 1, "devices": devices,
        "links": {"default": default_link, "pairs": list(pairs)},
    }


def write(path, content):
    """The file appears whole or not at all."""
    beside = f"{path}.{os.getpid()}.tmp"
    try:
        with open(beside, "w", encoding="utf-8") as file:
            file.write("{\n")
            members = list(content.items())
            for i, (key, value) in enumerate(members):
                end = "," if i + 1 < len(members) else ""
                if isinstance(value, list) and value and isinstance(value[0], dict):
                    lines = ",\n".join(json.dumps(item) for item in value)
                    file.write(f"{json.dumps(key)}: [\n{lines}\n]{end}\n")
                else:
                    file.write(f"{json.dumps(key)}: {json.dumps(value)}{end}\n")
            file.write("}\n")
        os.replace(beside, path)
    except BaseException:
        if os.path.exists(beside):
            os.unlink(beside)
        raise


def run(convert, description, states_devices, options=()):
    """convert(text of the file, its name, arguments) returns (graph, cluster or None)."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("input", help="the file to convert")
    parser.add_argument("graph", help="the regal-graph file to write")
    if states_devices:
        parser.add_argument("cluster", help="the regal-cluster file to write")
    for flag, words in options:
        parser.add_argument(flag, **words)
    arguments = parser.parse_args()
    try:
        with open(arguments.input, encoding="utf-8") as file:
            made, devices = convert(file.read(), arguments.input, arguments)
        write(arguments.graph, made)
        if states_devices:
            write(arguments.cluster, devices)
    except (Refused, OSError, UnicodeDecodeError) as error:
        message = str(error)
        prefix = "" if message.startswith(arguments.input) else f"{arguments.input}: "
        sys.exit(f"{parser.prog}: {prefix}{message}")


def parse_json(text):
    """JSON whose decimals keep all their digits."""
    try:
        return json.loads(text, parse_float=Decimal)
    except (ValueError, RecursionError) as error:
        raise Refused(f"is no JSON: {error}") from None


def member(value, key, kind, where):
    """value[key], which has to be there and of that kind."""
    if not isinstance(value, dict) or key not in value:
        raise Refused(f"{where}: lacks {key!r}")
    if not isinstance(value[key], kind):
        raise Refused(f"{where}.{key}: expected {kind.__name__}, found {value[key]!r}")
    return value[key]

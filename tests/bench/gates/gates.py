#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares our speed with what was stored for a kind of machine: ratios of times to other libraries, measured beside them
in the same call, so that a faster or busier machine changes nothing. Prints a row for each, worse ones last.

Exit code: 0 nothing is worse, 1 something is or could not be measured, 64 usage, 77 nothing is stored for the machine."""

import argparse
import datetime
import json
import math
import pathlib
import statistics
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(HERE), str(ROOT / "tests/support/require")]

import required  # noqa: E402
import suites  # noqa: E402


def summary(ratios):
    return {"ratio": round(statistics.median(ratios), 4), "low": round(min(ratios), 4), "high": round(max(ratios), 4)}


def judge(stored, now, tolerance):
    """"worse" and "better" lie beyond the tolerance, and beyond all that either measurement saw."""
    if now is None:
        return "not measured"
    if stored is None:
        return "new"
    if now["ratio"] > stored["ratio"] * (1 + tolerance) and now["low"] > stored["high"]:
        return "worse"
    if now["ratio"] < stored["ratio"] / (1 + tolerance) and now["high"] < stored["low"]:
        return "better"
    return "same"


def check_row(name, row):
    if not isinstance(row, dict) or not all(
            isinstance(row.get(key), (int, float)) and math.isfinite(row[key]) and row[key] > 0 for key in ("ratio", "low", "high")):
        raise SystemExit(f"{name}: a row holds the positive numbers ratio, low and high, not {row!r}; store it again with --store")
    return row


def read_store(path):
    if not path.exists():
        return {}
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))["rows"]
    except (ValueError, KeyError, TypeError) as error:
        raise SystemExit(f"{path}: is no file of gates ({error}); store it again with --store") from error
    return {name: check_row(f"{path}: {name}", row) for name, row in rows.items()}


def compare(stored, measured, tolerance):
    """[(verdict, row, stored, now)], what matters most last."""
    order = ["same", "new", "better", "not measured", "worse"]
    rows = [(judge(stored.get(name), measured.get(name), tolerance), name, stored.get(name), measured.get(name))
            for name in {**stored, **measured}]
    return sorted(rows, key=lambda row: (order.index(row[0]), row[1]))


def print_table(rows):
    width = max((len(row[1]) for row in rows), default=0)
    text = lambda value: "" if value is None else f"{value['ratio']:.3f} ({value['low']:.3f} to {value['high']:.3f})"
    print(f"{'ratio of times, ours over the peer' :{width}}  {'stored':26}{'now':26}")
    for verdict, name, stored, now in rows:
        print(f"{name:{width}}  {text(stored):26}{text(now):26}{verdict}")
    counts = {verdict: sum(row[0] == verdict for row in rows) for verdict in ("better", "same", "worse", "new", "not measured")}
    print("gates: " + ", ".join(f"{number} {verdict}" for verdict, number in counts.items()))
    return counts


def write_store(path, stored, measured, options):
    """Rows of suites that were not run stay."""
    rows = dict(sorted({**stored, **measured}.items()))
    path.write_text(json.dumps({"machine": options.machine, "stored": datetime.date.today().isoformat(),
                                "turns": options.turns, "rows": rows}, indent=1) + "\n", encoding="utf-8")
    print(f"{len(measured)} ratios stored in {path}")


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("machine", choices=sorted(suites.MACHINES))
    parser.add_argument("--store", action="store_true", help="keep what is measured now instead of comparing with it")
    parser.add_argument("--suites", nargs="+", help="only these suites of the machine")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release", help="where bin/ with the programs lies")
    parser.add_argument("--turns", type=int, default=3, help="how often each suite is run")
    parser.add_argument("--tolerance", type=float, default=0.08, help="share by which a ratio may differ")
    parser.add_argument("--python", default=sys.executable, help="the interpreter that has PyTorch")
    options = parser.parse_args(words)
    known = suites.MACHINES[options.machine]
    wrong = [name for name in options.suites or [] if name not in known]
    if wrong:
        parser.error(f"{options.machine} has no suite '{wrong[0]}'; it has {', '.join(known)}")
    if options.turns < 1 or not 0 < options.tolerance < 1:
        parser.error("--turns is at least 1 and --tolerance lies between 0 and 1")
    options.suites = options.suites or list(known)
    options.bin = options.build / "bin"
    return options


def main(words):
    try:
        options = parse(words)
    except SystemExit as end:
        return 64 if end.code else 0
    path = HERE / f"{options.machine}.json"
    stored = read_store(path)
    if not stored and not options.store:
        print(f"nothing is stored for {options.machine}; measure once with --store", file=sys.stderr)
        return required.SKIPPED
    options.torch = suites.has_torch(options.python, options.machine != "cpu-2-cores")
    if not options.torch:
        print(f"{options.python} has no PyTorch: comparisons with it are not measured", file=sys.stderr)
        if required.is_required("pytorch"):
            return 1
    measured = {}
    try:
        for name in options.suites:
            measured |= suites.measure(name, suites.MACHINES[options.machine][name], options)
    except suites.Failed as failure:
        print(failure, file=sys.stderr)
        return 1
    measured = {name: summary(ratios) for name, ratios in measured.items()}
    if options.store:
        write_store(path, stored, measured, options)
        return 0
    stored = {name: row for name, row in stored.items() if name.split(" ")[0] in options.suites}
    rows = compare(stored, measured, options.tolerance)
    if not options.torch:
        rows = [row for row in rows if row[0] != "not measured" or not ("PyTorch" in row[1] or row[1].endswith("/ torch"))]
    counts = print_table(rows)
    return 1 if counts["worse"] + counts["not measured"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

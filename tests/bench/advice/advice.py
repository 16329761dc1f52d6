#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Follows the advice of `trace stats` and compares what it was estimated to save with what was saved. Each pair of
pairs.py is run in turns: the work that a rule is given for, and the same work after its advice was followed. Prints a row
for each pair: rule, estimate, measured gain, their ratio.

Exit code: 0 all estimates hold, 1 one does not or could not be measured, 64 usage, 77 no GPU can be used here."""

import argparse
import csv
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(HERE), str(ROOT / "tests/support/require")]

import pairs  # noqa: E402
import required  # noqa: E402

MOST = 1.5  # an estimate and what is measured differ by at most this factor
LIMIT_S = 120


def ran(command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=LIMIT_S)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))} ended with {done.returncode}: {(done.stderr or done.stdout).strip()[-400:]}")
    return done.stdout


def study(cli, folder, experiment, samples, more=()):
    """(results of the run, path of its recording, its samples)."""
    place = folder / "study"
    place.with_suffix(".json").write_text(json.dumps(experiment), encoding="utf-8")
    ran([cli, "run", place.with_suffix(".json"), "--samples", samples, "--no-check", "--force", "--out", place.with_suffix(".hscope"),
         "--json", folder / "results.json", "--csv", folder / "samples.csv", *more])
    run = json.loads((folder / "results.json").read_text(encoding="utf-8"))["runs"][0]
    if run["status"] != "ok":
        raise RuntimeError(f"{run['target']}: {run['status']}: {run['reason']}")
    with open(folder / "samples.csv", newline="", encoding="utf-8") as file:
        return run, place.with_suffix(".hscope"), list(csv.DictReader(file))


def advice_of(cli, recording, rule):
    """The first piece of advice of the rule, None when it is not given."""
    report = json.loads(ran([cli, "trace", "stats", "--json", recording]))
    return next((one for one in report["device"]["advice"] if one["rule"] == rule), None)


def traced_ms(samples):
    rows = [row for row in samples if row["traced"] == "1" and row["warmup"] == "0"]
    repetitions = sum(int(row["repetitions"]) for row in rows)
    return sum(float(row["wall_ms"]) * int(row["repetitions"]) for row in rows) / repetitions


def gain(before_ms, after_ms):
    return 1 - after_ms / before_ms


def turn(cli, folder, pair, samples):
    """(estimate or None, basis, measured gain) of one turn."""
    before, recording, rows = study(cli, folder, pair["before"], samples)
    advice = advice_of(cli, recording, pair["rule"])
    if advice is None:
        raise RuntimeError("the rule is not given")
    after, _, _ = study(cli, folder, pair["after"], samples, [] if pair["recorded"] else ["--no-trace"])
    measured = gain(before["median_ms"] if pair["recorded"] else traced_ms(rows), after["median_ms"])
    return advice["estimated_gain"], advice["gain_basis"], measured


def ratio(estimate, measured):
    """Estimate over measured gain; None where one of them is no gain."""
    return estimate / measured if estimate > 0 and measured > 0 else None


def holds(estimate, measured):
    off = ratio(estimate, measured)
    return off is not None and 1 / MOST <= off <= MOST


def row_of(cli, folder, pair, arguments):
    row = {"rule": pair["rule"], "pair": pair["name"], "estimated": None, "measured": None, "ratio": None, "held": None}
    try:
        turns = [turn(cli, folder, pair, arguments.samples) for _ in range(arguments.turns)]
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        return {**row, "held": False, "why": str(error)}
    row["measured"] = statistics.median(measured for _, _, measured in turns)
    row["measured_range"] = [min(measured for _, _, measured in turns), max(measured for _, _, measured in turns)]
    estimates = [estimate for estimate, _, _ in turns if estimate is not None]
    row["why"] = turns[-1][1]
    if estimates:
        row["estimated"] = statistics.median(estimates)
        row["ratio"] = ratio(row["estimated"], row["measured"])
        row["held"] = holds(row["estimated"], row["measured"])
    return row


def percent(value):
    return "none" if value is None else f"{100 * value:.1f} %"


def line(row):
    held = {None: "no estimate", True: "yes", False: "NO"}[row["held"]]
    spread = "" if "measured_range" not in row else f" ({percent(row['measured_range'][0])} to {percent(row['measured_range'][1])})"
    off = "" if row["ratio"] is None else f"{row['ratio']:.2f}"
    text = f"| {row['rule']} | {row['pair']} | {percent(row['estimated'])} | {percent(row['measured'])}{spread} | {off} | {held} |"
    return text + (f" {row['why']}" if row["held"] is False and row["measured"] is None else "")


def has_gpu(cli):
    devices = json.loads(ran([cli, "devices", "--json"]))
    devices = devices["devices"] if isinstance(devices, dict) else devices
    return any(device["kind"] == "gpu" and device["available"] for device in devices)


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", default=ROOT / "build/release/bin/heteroscope-cli", type=pathlib.Path)
    parser.add_argument("--rule", help="only pairs of this rule")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--samples", type=int, default=9)
    parser.add_argument("--json", type=pathlib.Path, help="write the rows here")
    return parser.parse_args()


def main():
    arguments = parsed()
    if not arguments.cli.exists():
        raise SystemExit(f"no program at {arguments.cli}; build the target heteroscope-cli or name it with --cli")
    chosen = [pair for pair in pairs.gpu_pairs() if arguments.rule in (None, pair["rule"])]
    if not chosen:
        raise SystemExit(f"no pair of a rule '{arguments.rule}'; rules are {', '.join(sorted({pair['rule'] for pair in pairs.gpu_pairs()}))}")
    if not has_gpu(arguments.cli):
        print("advice is about GPUs, and none can be used here")
        return 1 if required.is_required("gpu") else required.SKIPPED
    rows = []
    print("| rule | pair | estimated | measured | ratio | held |\n|---|---|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for pair in chosen:
            rows.append(row_of(arguments.cli, pathlib.Path(folder), pair, arguments))
            print(line(rows[-1]), flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return 1 if any(row["held"] is False for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())

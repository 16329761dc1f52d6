#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the durations of kernels as this program records them (CUPTI's activity records) with Nsight Compute's
gpu__time_duration, in one call, with clock control off and with caches kept and flushed, and with the time that the device's
events give without recording. Prints a row for each kernel.

Exit code: 0, 1 when something could not be measured, 64 usage, 77 no ncu here."""

import argparse
import collections
import csv
import json
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "tests/support/require")]

import required  # noqa: E402

LIMIT_S = 120
METRIC = "gpu__time_duration.sum"


def matmul(size):
    return {"kind": "matmul", "matmul": {"m": size, "n": size, "k": size, "right": "random", "seed": 1}}


def pooling(size, **more):
    image = {"source": "random", "size": size, "low": 0, "high": 9, "seed": 1}
    return {"kind": "pooling", "pooling": {"mode": "max", "kernel": 2, "stride": 2, "input": image, **more}}


def cases():
    cuda, register = "cuda:0/cuda", "cuda:0/cuda?kernel=register"
    found = [("product", f"{size}, {target}", matmul(size), target)
             for size, target in ((1024, "cuda:0/cublas"), (2048, "cuda:0/cublas"), (2048, register), (4096, register))]
    found += [("memory", f"pooling {size}", pooling(size), cuda) for size in (6144, 8192, 12288, 16384)]
    found += [("memory", "pooling 8192, cudnn", pooling(8192), "cuda:0/cudnn"),
              ("memory", "pooling 8192 and gradient", pooling(8192, backward=True), cuda)]
    found += [("tiny", f"pooling {size}", pooling(size), cuda) for size in (32, 256, 1024)]
    return found + [("tiny", "product 64", matmul(64), cuda)]


def ran(command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=LIMIT_S)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))} ended with {done.returncode}: {(done.stderr or done.stdout).strip()[-400:]}")
    return done.stdout


def numbers(text):
    return tuple(int(number) for number in re.findall(r"\d+", text))


def recorded(cli, folder, samples):
    """{(kernel, grid): [(us, us since the kernel before ended)]}, and the results of the run."""
    ran([cli, "run", folder / "study.json", "--samples", samples, "--no-check", "--force", "--out", folder / "study.hscope",
         "--json", folder / "results.json"])
    ran([cli, "trace", "export", folder / "study.hscope", folder / "trace.json", "--force"])
    events = json.loads((folder / "trace.json").read_text(encoding="utf-8"))["traceEvents"]
    kernels = sorted((event for event in events if event.get("cat") == "kernel"), key=lambda event: event["ts"])
    found, before = collections.defaultdict(list), 0.0
    for kernel in kernels:
        found[kernel["name"], numbers(kernel["args"]["grid"])].append((kernel["dur"], kernel["ts"] - before))
        before = kernel["ts"] + kernel["dur"]
    return found, json.loads((folder / "results.json").read_text(encoding="utf-8"))["runs"][0]


def counted(ncu, cli, folder, caches):
    """{(kernel, grid): [us]} of ncu, each kernel alone."""
    log = folder / "ncu.csv"
    ran([ncu, "--clock-control", "none", "--cache-control", caches, "--metrics", METRIC, "--csv", "--page", "raw", "--print-units",
         "base", "--print-kernel-base", "function", "--launch-skip", "5", "--launch-count", "30", "--log-file", log, cli, "run",
         folder / "study.json", "--samples", "9", "--no-check", "--no-trace"])
    lines = [line for line in log.read_text(encoding="utf-8").splitlines() if line.startswith('"')]
    found = collections.defaultdict(list)
    for row in list(csv.DictReader(lines))[1:]:  # after the row of units
        found[row["Kernel Name"], numbers(row["Grid Size"])].append(float(row[METRIC].replace(",", "")) / 1e3)
    return found


def row_of(ncu, cli, folder, case, samples):
    kind, name, experiment, target = case
    (folder / "study.json").write_text(json.dumps({"heteroscope": 1, "name": name, **experiment, "targets": [target],
                                                   "sampling": {"preset": "quick"}}), encoding="utf-8")
    ours, run = recorded(cli, folder, samples)
    kept, flushed = counted(ncu, cli, folder, "none"), counted(ncu, cli, folder, "all")
    rows = []
    for key in ours:
        if key not in kept or key not in flushed:
            continue
        queued = [us for us, gap in ours[key] if gap < 5]
        alone = [us for us, gap in ours[key] if gap >= 20]
        rows.append({"kind": kind, "case": name, "kernel": key[0], "recorded": statistics.median(us for us, _ in ours[key]),
                     "queued": statistics.median(queued) if len(queued) > 4 else None,
                     "alone": statistics.median(alone) if len(alone) > 4 else None, "count": len(ours[key]),
                     "kept": statistics.median(kept[key]), "flushed": statistics.median(flushed[key]),
                     "events": run.get("device_ms") and 1e3 * run["device_ms"] if len(ours) == 1 else None})
    if not rows:
        raise RuntimeError(f"{name}: ncu counted {sorted(kept)}, recorded were {sorted(ours)}")
    return rows


def us(value):
    return "-" if value is None else f"{value:.2f}"


def line(row):
    return (f"| {row['kind']} | {row['case']}: {row['kernel']} | {us(row['recorded'])} | {us(row['queued'])} | {us(row['alone'])} | "
            f"{us(row['events'])} | {us(row['kept'])} | {us(row['flushed'])} | {row['recorded'] / row['kept']:.3f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", default=ROOT / "build/release/bin/heteroscope-cli", type=pathlib.Path)
    parser.add_argument("--ncu", default=shutil.which("ncu") or "/usr/local/cuda/bin/ncu")
    parser.add_argument("--samples", type=int, default=9)
    parser.add_argument("--case", help="only cases with this in their name")
    parser.add_argument("--json", type=pathlib.Path, help="write the rows here")
    arguments = parser.parse_args()
    if not arguments.cli.exists():
        raise SystemExit(f"no program at {arguments.cli}; build the target heteroscope-cli or name it with --cli")
    if not pathlib.Path(arguments.ncu).exists():
        print(f"no Nsight Compute at {arguments.ncu}; name it with --ncu")
        return required.SKIPPED
    print("| kind | kernel | recorded, us | queued | alone | events | ncu, caches kept | ncu, flushed | recorded / kept |\n" + "|---" * 9 + "|")
    rows, wrong = [], 0
    for case in (one for one in cases() if (arguments.case or "") in one[1]):
        with tempfile.TemporaryDirectory() as folder:
            try:
                found = row_of(arguments.ncu, arguments.cli, pathlib.Path(folder), case, arguments.samples)
            except (RuntimeError, subprocess.TimeoutExpired) as error:
                print(f"{case[1]}: {error}")
                wrong = 1
                continue
        rows += found
        print("\n".join(line(row) for row in found), flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return wrong


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How often verdicts are wrong: compares identical work many times, inside a study (two names for the same threads) and between
two studies run one after the other, on an idle machine and under load, and counts FASTER and SLOWER, which are false. With
--effect the second study computes so many percent more, and what counts is how often that is found.

Exit code: 0 measured, 1 the program failed, 64 usage."""

import argparse
import json
import math
import multiprocessing
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve()
VERDICTS = ["FASTER", "SLOWER", "SAME", "UNCLEAR"]


def experiment(preset, size, targets):
    return {"heteroscope": 1, "kind": "pooling", "name": "identical work",
            "pooling": {"mode": "max", "kernel": 2, "stride": 2, "input": {"source": "random", "size": size, "seed": 1}},
            "targets": targets, "sampling": {"preset": preset}}


def names_of(threads):
    """Two targets that are the same: all processors, and as many threads by number."""
    return ["cpu/openmp", f"cpu/openmp?threads={threads}"]


class Program:
    def __init__(self, cli, folder):
        self.cli, self.folder = cli, pathlib.Path(folder)

    def __call__(self, *words):
        done = subprocess.run([self.cli, *map(str, words)], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{' '.join(map(str, words))} ended with {done.returncode}: {done.stderr[-400:]}")
        return done.stdout

    def study(self, name, document):
        """Runs it; the run file and its results."""
        source, recorded, results = (self.folder / f"{name}{end}" for end in (".json", ".hscope", ".results.json"))
        source.write_text(json.dumps(document), encoding="utf-8")
        self("run", source, "--no-trace", "--no-check", "--force", "--out", recorded, "--json", results)
        return recorded, json.loads(results.read_text(encoding="utf-8"))


def inside(program, options):
    _, results = program.study("inside", experiment(options.preset, options.size, names_of(options.threads)))
    return results["runs"][1]["speedup"]["verdict"]


def between(program, options):
    larger = round(options.size * math.sqrt(1 + options.effect / 100))
    target = [names_of(options.threads)[1]]
    first, _ = program.study("first", experiment(options.preset, options.size, target))
    second, _ = program.study("second", experiment(options.preset, larger, target))
    return json.loads(program("compare", first, second, "--json"))["runs"][0]["verdict"]


def spin():
    while True:
        pass


def wilson(hits, count):
    """95 % interval of a share (Wilson 1927)."""
    if count == 0:
        return 0.0, 1.0
    z, share = 1.96, hits / count
    middle = share + z * z / (2 * count)
    half = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return (middle - half) / (1 + z * z / count), (middle + half) / (1 + z * z / count)


def measure(program, options, kind, load):
    others = [multiprocessing.Process(target=spin, daemon=True) for _ in range(load)]
    for other in others:
        other.start()
    try:
        found = [kind(program, options) for _ in range(options.comparisons)]
    finally:
        for other in others:
            other.terminate()
            other.join()
    return {name: found.count(name) for name in VERDICTS}


def row(options, kind, load, counts):
    count = sum(counts.values())
    # A study that computes more is slower: FASTER would be as wrong as it is for identical work.
    hits = counts["SLOWER"] if options.effect else counts["FASTER"] + counts["SLOWER"]
    low, high = wilson(hits, count)
    return {"kind": kind.__name__, "preset": options.preset, "load": load, "effect_percent": options.effect, **counts,
            "found" if options.effect else "false": hits / count, "low": low, "high": high}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", default=str(HERE.parents[3] / "build/release/bin/heteroscope-cli"))
    parser.add_argument("--preset", default="quick", choices=["quick", "standard", "thesis"])
    parser.add_argument("--comparisons", type=int, default=500)
    parser.add_argument("--loads", type=int, nargs="+", default=[0, 4], help="programs that keep a processor busy meanwhile")
    parser.add_argument("--kinds", nargs="+", choices=["inside", "between"], default=["inside", "between"])
    parser.add_argument("--size", type=int, default=512, help="of the image that is pooled")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--effect", type=float, default=0, help="percent that the second study computes more")
    parser.add_argument("--json", help="also write the counts to this file")
    options = parser.parse_args()
    if options.comparisons < 1 or options.effect < 0:
        parser.error("--comparisons from 1, --effect from 0")
    kinds = [between] if options.effect else [{"inside": inside, "between": between}[name] for name in options.kinds]
    rows = []
    print(f"{'':28}{''.join(f'{name:>9}' for name in VERDICTS)}   {'found' if options.effect else 'false'}, 95 % interval")
    with tempfile.TemporaryDirectory() as folder:
        program = Program(options.cli, folder)
        for load in options.loads:
            for kind in kinds:
                one = row(options, kind, load, measure(program, options, kind, load))
                rows.append(one)
                share = one["found" if options.effect else "false"]
                print(f"{options.preset}, {kind.__name__}, load {load:<8}{''.join(f'{one[name]:9}' for name in VERDICTS)}   "
                      f"{share:.1%} ({one['low']:.1%} to {one['high']:.1%})", flush=True)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

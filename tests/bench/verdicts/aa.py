#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How often verdicts are wrong: compares identical work many times, inside a study (two names for the same threads), between
two studies run one after the other, and by pairs of studies that take turns, at each preset, on an idle machine and under load, and counts FASTER and SLOWER, which are
false. With --effect the second study, or that of each pair, computes so many percent more, and what counts is how often that is found.

The kinds of comparison take turns, so that what the machine does meanwhile meets all of them. Each comparison is a line of the
file --record as soon as it is made: the same command goes on where it was stopped, until each kind has --comparisons.

Exit code: 0 measured, 1 the program failed, 64 usage."""

import argparse
import itertools
import json
import math
import multiprocessing
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve()
VERDICTS = ["FASTER", "SLOWER", "SAME", "UNCLEAR"]
PRESETS = ["quick", "standard", "thesis"]
OLD = {"work": "pooling", "target": None, "points": []}  # of lines that do not name them


def experiment(options, preset, targets, more=1.0):
    """So many times as much work as asked for, at each of --points: channels of an image, or rows of a product."""
    if options.work == "pooling":
        size = round(options.size * math.sqrt(more))
        work = {"mode": "max", "kernel": 2, "stride": 2, "input": {"source": "random", "size": size, "seed": 1}}
    else:
        work = {"m": options.size, "n": options.size, "k": round(options.size * more)}
    axis = {"pooling": "/pooling/input/channels", "matmul": "/matmul/m"}[options.work]
    return {"heteroscope": 1, "kind": options.work, "name": "identical work", options.work: work,
            "axes": {axis: options.points} if options.points else {},
            "targets": targets, "sampling": {"preset": preset}}


def names_of(threads):
    """Two targets that are the same: all processors, and as many threads by number."""
    return ["cpu/openmp", f"cpu/openmp?threads={threads}"]


def others_percent(results):
    """Of a processor, that other programs took while samples were taken."""
    found = [run["disturbance"] for run in results["runs"] if run["disturbance"]]
    span = sum(each["span_ms"] for each in found)
    return 100 * sum(each["others_ms"] for each in found) / span if span else None


def disturbed_share(*all_results):
    """The largest of runs, of samples that something else disturbed."""
    found = [run["disturbance"] for results in all_results for run in results["runs"] if run["disturbance"]]
    return max((each["disturbed_samples"] / each["samples"] for each in found), default=None)


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


def inside(program, options, preset):
    _, results = program.study("inside", experiment(options, preset, names_of(options.threads)))
    found = [run["speedup"] for run in results["runs"][1::2]]
    return [{"verdict": speedup["verdict"], "ratio": speedup["value"], "ci95": speedup["ci95"],
             "others_percent": others_percent(results), "disturbed_share": disturbed_share(results)} for speedup in found]


def compared(program, options, preset, pairs):
    """Verdicts of `compare` on so many pairs of studies, of which the second of each computes --effect more."""
    target = [options.target or names_of(options.threads)[1]]
    files, results = [], []
    for number in range(pairs):
        for side, more in (("a", 1.0), ("b", 1 + options.effect / 100)):
            file, found = program.study(f"{side}{number}", experiment(options, preset, target, more))
            files.append(file)
            results.append(found)
    runs = json.loads(program("compare", *files, "--json"))["runs"]
    return [{"verdict": run["verdict"], "ratio": run["ratio"], "ci95": run["ci95"], "pair_ratios": run.get("pair_ratios"),
             "others_percent": others_percent(results[0]), "disturbed_share": disturbed_share(*results)} for run in runs]


def between(program, options, preset):
    return compared(program, options, preset, 1)


def by_pairs(program, options, preset):
    return compared(program, options, preset, options.pairs)


def spin():
    while True:
        pass


def loaded(load, work):
    """What `work` gives while so many programs keep a processor busy."""
    others = [multiprocessing.Process(target=spin, daemon=True) for _ in range(load)]
    for other in others:
        other.start()
    try:
        return work()
    finally:
        for other in others:
            other.terminate()
            other.join()


def wilson(hits, count):
    """95 % interval of a share (Wilson 1927)."""
    if count == 0:
        return 0.0, 1.0
    z, share = 1.96, hits / count
    middle = share + z * z / (2 * count)
    half = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return max(0.0, (middle - half) / (1 + z * z / count)), min(1.0, (middle + half) / (1 + z * z / count))


def key_of(line):
    return line["preset"], line["kind"], line["load"]


def lines_of(path):
    """Those that were written whole: the last one may have been cut off."""
    lines = []
    for text in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        try:
            lines.append(json.loads(text))
        except ValueError:
            continue
    return lines


def row(key, lines, effect):
    preset, kind, load = key
    counts = {name: sum(line["verdict"] == name for line in lines) for name in VERDICTS}
    # A study that computes more is slower: FASTER would be as wrong as it is for identical work.
    hits = counts["SLOWER"] if effect else counts["FASTER"] + counts["SLOWER"]
    low, high = wilson(hits, len(lines))
    busy = [line["others_percent"] for line in lines if line["others_percent"] is not None]
    return {"kind": kind, "preset": preset, "load": load, "effect_percent": effect, **counts, "comparisons": len(lines),
            "found" if effect else "false": hits / len(lines) if lines else None, "low": low, "high": high,
            "others_percent": sum(busy) / len(busy) if busy else None,
            "seconds": sum(line["seconds"] for line in lines) / len(lines) if lines else None}


def table(rows, effect):
    head = "found" if effect else "false"
    text = f"{'':30}{''.join(f'{name:>9}' for name in VERDICTS)}   {head}, 95 % interval   others   time of one\n"
    for one in rows:
        if one["comparisons"] == 0:
            continue
        others = "-" if one["others_percent"] is None else f"{one['others_percent']:.0f} %"
        share = f"{one[head]:.1%} ({one['low']:.1%} to {one['high']:.1%})"
        text += (f"{one['preset'] + ', ' + one['kind']:20} load {one['load']:<5}{''.join(f'{one[name]:9}' for name in VERDICTS)}"
                 f"   {share:22} {others:>6} {one['seconds']:8.1f} s\n")
    return text + "others: of a processor, that other programs took while samples were taken\n"


def campaign(program, options, keys):
    record = pathlib.Path(options.record)
    started = lines_of(record)
    asked = {name: getattr(options, name) for name in ("effect", "size", "work", "target", "points")}
    if any({**OLD, **line}[name] != value for line in started for name, value in asked.items()):
        sys.exit(f"{record} holds comparisons of another effect, size, work, target or other points: choose another file")
    done = {key: sum(key_of(line) == key for line in started) for key in keys}
    kinds = {"inside": inside, "between": between, "pairs": by_pairs}
    with record.open("a", encoding="utf-8") as file:
        if started or record.stat().st_size > 0:
            file.write("\n")  # ends a line that was cut off
        while any(count < options.comparisons for count in done.values()):
            for key in keys:
                if done[key] >= options.comparisons:
                    continue
                preset, kind, load = key
                begin = time.monotonic()
                found = loaded(load, lambda one=kinds[kind], which=preset: one(program, options, which))
                seconds = (time.monotonic() - begin) / len(found)
                for one in found:
                    file.write(json.dumps({"preset": preset, "kind": kind, "load": load, **asked, **one, "seconds": seconds,
                                           "time": time.time()}) + "\n")
                file.flush()
                done[key] += len(found)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", default=str(HERE.parents[3] / "build/release/bin/heteroscope-cli"))
    parser.add_argument("--record", required=True, help="file of the comparisons, a line each; what is in it is not measured again")
    parser.add_argument("--presets", nargs="+", default=PRESETS, choices=PRESETS)
    parser.add_argument("--comparisons", type=int, default=500, help="of each preset, kind and load; 0: only print what is there")
    parser.add_argument("--loads", type=int, nargs="+", default=[0, 4], help="programs that keep a processor busy meanwhile")
    parser.add_argument("--kinds", nargs="+", choices=["inside", "between", "pairs"], default=["inside", "between", "pairs"])
    parser.add_argument("--pairs", type=int, default=3, help="of studies, for the kind pairs")
    parser.add_argument("--work", choices=["pooling", "matmul"], default="pooling")
    parser.add_argument("--size", type=int, default=512, help="of the image that is pooled, or of the matrices")
    parser.add_argument("--points", type=int, nargs="+", default=[],
                        help="channels of the image, or rows of the product: a comparison each (default: one, as the size has it)")
    parser.add_argument("--target", help="what computes, between studies and by pairs, the only kinds then (default: cpu/openmp on --threads)")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--effect", type=float, default=0, help="percent that the second study computes more")
    parser.add_argument("--json", help="also write the table to this file")
    options = parser.parse_args()
    if options.comparisons < 0 or options.effect < 0 or options.pairs < 3:
        parser.error("--comparisons from 1, or 0 to print what is there; --effect from 0; --pairs from 3")
    return options


def main():
    options = arguments()
    kinds = [kind for kind in options.kinds if kind != "inside" or not (options.effect or options.target)]
    keys = list(itertools.product(options.presets, kinds, options.loads))
    with tempfile.TemporaryDirectory() as folder:
        if options.comparisons > 0:
            campaign(Program(options.cli, folder), options, keys)
    lines = lines_of(pathlib.Path(options.record))
    rows = [row(key, [line for line in lines if key_of(line) == key], options.effect) for key in keys]
    print(table(rows, options.effect), end="")
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times PyTorch's pooling on the problems in a file of bench_gpu_pool, or joins both kinds of file into one table."""

import argparse
import csv
import json
import re
import statistics
import sys

GROUP = re.compile(r"(max|avg)pool\.(forward|backward) (\d+)x(\d+)x(\d+)x(\d+) k(\d+)x\d+ s(\d+)x\d+ p(\d+)$")


def calls(torch, mode, src, out_grad, kernel, stride, padding):
    """Forward and backward as functions of nothing; what backward needs is made here."""
    ops = torch.ops.aten
    if mode == "avg":
        return (lambda: torch.nn.functional.avg_pool2d(src, kernel, stride, padding),
                lambda: ops.avg_pool2d_backward(out_grad, src, [kernel] * 2, [stride] * 2, [padding] * 2, False, True,
                                                None))
    _, index = torch.nn.functional.max_pool2d(src, kernel, stride, padding, return_indices=True)
    return (lambda: torch.nn.functional.max_pool2d(src, kernel, stride, padding),
            lambda: ops.max_pool2d_with_indices_backward(out_grad, src, [kernel] * 2, [stride] * 2, [padding] * 2,
                                                         [1] * 2, False, index))


def median_ms(torch, run, spans, span_ms):
    def span(launches):
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        for _ in range(launches):
            run()
        end.record()
        end.synchronize()
        return start.elapsed_time(end) / launches
    span(2)
    launches = max(1, min(1000, int(span_ms / span(3))))
    return statistics.median(span(launches) for _ in range(spans))


def time_group(torch, group, spans, span_ms):
    match = GROUP.match(group)
    if not match:
        raise SystemExit(f"peers.py: cannot read the problem {group!r}")
    mode, direction = match.group(1, 2)
    *shape, kernel, stride, padding = (int(text) for text in match.groups()[2:])
    src = torch.rand(shape, device="cuda") * 2 - 1
    out = torch.nn.functional.max_pool2d(src, kernel, stride, padding)
    forward, backward = calls(torch, mode, src, torch.rand_like(out), kernel, stride, padding)
    return median_ms(torch, forward if direction == "forward" else backward, spans, span_ms)


def time_torch(args):
    import torch
    with open(args.problems, encoding="utf-8") as file:
        problems = {row["group"]: row["bytes"] for row in json.load(file)["rows"]}
    rows = []
    with torch.no_grad():
        for group, size in problems.items():
            ms = time_group(torch, group, args.spans, args.span_ms)
            rows.append({"group": group, "name": f"PyTorch {torch.__version__}", "bytes": size, "median_ms": ms,
                         "spans": args.spans, "gb_s": size / ms * 1e-6})
            torch.cuda.empty_cache()
    with open(args.json, "w", encoding="utf-8") as file:
        json.dump({"device": torch.cuda.get_device_name(0), "rows": rows}, file, indent=1)


def read(paths):
    """group -> {name: median over the files of their median rates}, in the order of first sight."""
    rates = {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for row in json.load(file)["rows"]:
                rates.setdefault(row["group"], {}).setdefault(row["name"].split(" (")[0], []).append(row["gb_s"])
    return {group: {name: statistics.median(values) for name, values in names.items()}
            for group, names in rates.items()}


def join(args):
    table = read(args.files)
    names = list(dict.fromkeys(name for rates in table.values() for name in rates))
    if args.csv:
        with open(args.csv, "w", newline="", encoding="utf-8") as file:
            out = csv.writer(file)
            out.writerow(["problem"] + [f"{name} GB/s" for name in names])
            out.writerows([group] + [f"{rates[name]:.1f}" if name in rates else "" for name in names]
                          for group, rates in table.items())
    width = max(len(group) for group in table)
    print(" " * width + "".join(f"{name[:16]:>18}" for name in names) + "   of copy  against best peer")
    for group, rates in table.items():
        ours, copy = rates["ours"], rates["device copy"]
        peer = max(rate for name, rate in rates.items() if name not in ("ours", "device copy"))
        print(f"{group:{width}}" + "".join(f"{rates.get(name, float('nan')):18.0f}" for name in names) +
              f"{ours / copy:10.3f}{ours / peer:17.2f}x")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    timing = verbs.add_parser("time", help="time PyTorch")
    timing.add_argument("--problems", required=True, help="JSON of bench_gpu_pool")
    timing.add_argument("--json", required=True)
    timing.add_argument("--spans", type=int, default=21)
    timing.add_argument("--span-ms", type=float, default=5.0)
    timing.set_defaults(run=time_torch)
    joining = verbs.add_parser("join", help="one table of several files; rates in GB/s of the bytes that must move")
    joining.add_argument("files", nargs="+")
    joining.add_argument("--csv")
    joining.set_defaults(run=join)
    args = parser.parse_args()
    args.run(args)
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times PyTorch on the shapes of bench_compute, or joins several of such files into one table with ratios."""

import argparse
import json
import statistics
import sys
import time

POOLS = [
    ((1, 1, 4096, 4096), 2, 2, 0), ((1, 1, 4096, 4096), 3, 2, 1), ((32, 64, 112, 112), 2, 2, 0),
    ((32, 64, 112, 112), 3, 2, 1), ((1, 1, 512, 512), 2, 2, 0), ((1, 1, 512, 512), 3, 2, 1),
    ((32, 64, 56, 56), 3, 1, 1),
]
GEMMS = [512, 1024, 2048]


def group_name(direction, shape, kernel, stride, padding):
    size = "x".join(str(n) for n in shape)
    return f"maxpool.{direction} {size} k{kernel}x{kernel} s{stride}x{stride} p{padding}"


def sample_ms(run, least_ms):
    run()
    repetitions, start = 0, time.perf_counter()
    while True:
        run()
        repetitions += 1
        elapsed = (time.perf_counter() - start) * 1e3
        if elapsed >= least_ms:
            return elapsed / repetitions


def measure(group, name, run, rounds, least_ms):
    samples = sorted(sample_ms(run, least_ms) for _ in range(rounds))
    return {"group": group, "name": name, "median_ms": statistics.median(samples),
            "q1_ms": samples[len(samples) // 4], "q3_ms": samples[(3 * len(samples)) // 4]}


def pool_rows(torch, rounds, least_ms):
    rows = []
    for shape, kernel, stride, padding in POOLS:
        for layout, fmt in (("contiguous", torch.contiguous_format), ("channels-last", torch.channels_last)):
            x = torch.rand(shape).contiguous(memory_format=fmt)
            out, index = torch.nn.functional.max_pool2d(x, kernel, stride, padding, return_indices=True)
            gradient = torch.rand(out.shape).contiguous(memory_format=fmt)

            def forward():
                torch.nn.functional.max_pool2d(x, kernel, stride, padding)

            def backward():
                torch.ops.aten.max_pool2d_with_indices_backward(
                    gradient, x, [kernel, kernel], [stride, stride], [padding, padding], [1, 1], False, index)

            for direction, run in (("forward", forward), ("backward", backward)):
                rows.append(measure(group_name(direction, shape, kernel, stride, padding),
                                    f"PyTorch {torch.__version__} {layout}", run, rounds, least_ms))
    return rows


def gemm_rows(torch, rounds, least_ms):
    rows = []
    for n in GEMMS:
        a, b, c = torch.rand(n, n), torch.rand(n, n), torch.empty(n, n)
        rows.append(measure(f"gemm m{n} n{n} k{n}", f"PyTorch {torch.__version__}",
                            lambda a=a, b=b, c=c: torch.mm(a, b, out=c), rounds, least_ms))
    return rows


def time_torch(args):
    import torch
    torch.set_num_threads(args.threads)
    with torch.no_grad():
        rows = pool_rows(torch, args.rounds, args.sample_ms) + gemm_rows(torch, args.rounds, args.sample_ms)
    with open(args.json, "w", encoding="utf-8") as file:
        json.dump({"threads": args.threads, "rows": rows}, file, indent=1)


def median_of_rounds(paths):
    """(group, name) -> median over the files, in the order of first sight."""
    samples = {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for row in json.load(file)["rows"]:
                samples.setdefault((row["group"], row["name"]), []).append(row["median_ms"])
    return {key: statistics.median(values) for key, values in samples.items()}


def print_group(group, times):
    ours = next((ms for name, ms in times.items() if name.startswith("openmp:")), None)
    print(f"\n{group}\n  {'':46}{'median ms':>11}{'against openmp':>16}")
    for name, ms in times.items():
        print(f"  {name:46}{ms:11.4f}" + (f"{ms / ours:15.2f}x" if ours else ""))


def join(args):
    table = median_of_rounds(args.files)
    groups = {}
    for (group, name), ms in table.items():
        groups.setdefault(group, {})[name] = ms
    for group, times in groups.items():
        print_group(group, times)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    timing = verbs.add_parser("time", help="time PyTorch")
    timing.add_argument("--json", required=True)
    timing.add_argument("--threads", type=int, required=True)
    timing.add_argument("--rounds", type=int, default=5)
    timing.add_argument("--sample-ms", type=float, default=10.0)
    timing.set_defaults(run=time_torch)
    joining = verbs.add_parser("join", help="one table of several files")
    joining.add_argument("files", nargs="+")
    joining.set_defaults(run=join)
    args = parser.parse_args()
    args.run(args)
    return 0


if __name__ == "__main__":
    sys.exit(main())

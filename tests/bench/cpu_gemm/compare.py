#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times products of matrices by ours (gemm_times) and, in turns with it, by the libraries that gemm_times finds and by PyTorch
where it is there; prints every ratio of the best other time to ours (1 and above: ours is the fastest) and their quantiles.

All are float32, in one program each, with the same number of threads on the same operands. In a turn each takes one sample: a few
calls that warm up, then as many as fill --sample-ms. Medians of the turns count; lowest and highest are printed."""

import argparse
import json
import math
import os
import pathlib
import random
import statistics
import subprocess
import sys
import time

SQUARES = [64, 96, 128, 192, 256, 384, 512, 768, 1000, 1024, 1536, 2048, 3000, 4096]
# (m, n, k, orders): few rows or columns, long and short depths, the fully connected layer ("nt" forward, "tn" weights).
SKINNY = [(1, 4096, 4096, "nn"), (4096, 1, 4096, "nn"), (1, 4096, 4096, "nt"), (4, 4096, 4096, "nn"), (4, 4096, 4096, "nt"),
          (16, 4096, 4096, "nn"), (16, 4096, 4096, "nt"), (4096, 4, 4096, "nn"), (4096, 16, 4096, "nn"), (64, 64, 65536, "nn"),
          (1, 626, 30890, "nn"), (37, 4, 37136, "nn"), (1, 1, 1048576, "nn"), (4096, 4096, 8, "nn"), (4096, 4096, 64, "nn"),
          (32, 4096, 4096, "nt"), (256, 4096, 4096, "nt"), (4096, 4096, 32, "tn"), (4096, 4096, 256, "tn"),
          (1024, 64, 1024, "nn"), (64, 1024, 1024, "nn"), (1023, 1025, 1027, "nn"), (512, 49, 2304, "nn"), (64, 12544, 147, "nn")]
MOST_ELEMENTS, LEAST_WORK, MOST_WORK = 2 ** 25, 1e6, 5e10
PAUSE_S = 0.02  # threads of the program that has just computed stop spinning


def drawn(count, seed):
    draw = random.Random(seed)
    problems = []
    while len(problems) < count:
        m, n, k = (min(65536, int(math.exp(draw.uniform(0, math.log(65537))))) for _ in range(3))
        orders = draw.choice(["nn", "nn", "nt", "tn"])
        if max(m * k, k * n, m * n) <= MOST_ELEMENTS and LEAST_WORK <= 2 * m * n * k <= MOST_WORK:
            problems.append((m, n, k, orders))
    return problems


def text(problem):
    m, n, k, orders = problem
    return f"{m}x{n}x{k} {orders}"


class Ours:
    """gemm_times with a number of threads."""

    def __init__(self, program, threads):
        environment = dict(os.environ)
        environment.pop("OMP_NUM_THREADS", None)
        self.process = subprocess.Popen([program, "--threads", str(threads)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, env=environment)

    def ask(self, **question):
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"gemm_times ended: {self.process.wait()}")
        answer = json.loads(line)
        if "error" in answer:
            raise SystemExit(f"gemm_times: {question}: {answer['error']}")
        return answer

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Torch:
    """Ways of PyTorch to compute a problem: torch.mm (MKL or another BLAS), and oneDNN's linear layer where there is one."""

    def __init__(self, threads):
        import torch
        self.torch = torch
        torch.set_num_threads(threads)
        self.calls = {}

    def prepare(self, problem):
        torch, (m, n, k, orders) = self.torch, problem
        a = torch.rand((k, m) if orders[0] == "t" else (m, k)) * 2 - 1
        b = torch.rand((n, k) if orders[1] == "t" else (k, n)) * 2 - 1
        left, right = a.t() if orders[0] == "t" else a, b.t() if orders[1] == "t" else b
        out = torch.empty((m, n))
        self.calls = {"torch.mm": lambda: torch.mm(left, right, out=out)}
        linear = getattr(getattr(torch.ops, "mkldnn", None), "_linear_pointwise", None)
        if linear is not None and torch.backends.mkldnn.is_available():
            weights = right.t()
            try:
                linear(left, weights, None, "none", [], "")
            except RuntimeError as error:
                print(f"{text(problem)}: oneDNN in PyTorch: {str(error).splitlines()[0]}", file=sys.stderr)
            else:
                self.calls["torch onednn"] = lambda: linear(left, weights, None, "none", [], "")

    def sample(self, name, sample_ms):
        call = self.calls[name]

        def ms(calls):
            start = time.perf_counter()
            for _ in range(calls):
                call()
            return (time.perf_counter() - start) * 1e3 / calls
        call()
        calls = max(1, min(100000, math.ceil(sample_ms / ms(2))))
        ms(max(1, calls // 8))
        return ms(calls)


def samples_of(args, ours, torch, problem):
    """{who: samples in ms}; every turn takes one of each."""
    m, n, k, orders = problem
    found = {}
    if torch:
        torch.prepare(problem)
    for _ in range(args.rounds):
        question = {"m": m, "n": n, "k": k, "a": orders[0], "b": orders[1], "rounds": 1, "sample_ms": args.sample_ms}
        if args.who:
            question["who"] = args.who
        if args.blocking:
            question.update(blocking=args.blocking, who=["openmp", "blocks"])
        time.sleep(PAUSE_S)
        for name, values in ours.ask(**question)["ms"].items():
            found.setdefault(name, []).extend(values)
        for name in torch.calls if torch else []:
            time.sleep(PAUSE_S)
            found.setdefault(name, []).append(torch.sample(name, args.sample_ms))
    return found


def quantiles(name, values):
    values = sorted(values)

    def at(share):
        return values[min(len(values) - 1, int(share * len(values)))]
    print(f"{name:44} {len(values):3}: least {values[0]:.2f}, p10 {at(.1):.2f}, median {statistics.median(values):.2f}, "
          f"p90 {at(.9):.2f}, most {values[-1]:.2f}; below 0.9: {sum(value < 0.9 for value in values)}")


def print_row(row):
    flops = 2e-6 * row["m"] * row["n"] * row["k"]
    others = "  ".join(f"{name} {statistics.median(ms):9.4f} [{min(ms):.4f}, {max(ms):.4f}]"
                       for name, ms in row["ms"].items() if name != "openmp")
    mine = row["ms"]["openmp"]
    ratio = f"{row['ratio']:6.2f} of {row['best']:12}" if row["best"] else ""
    print(f"{row['threads']:3} {text((row['m'], row['n'], row['k'], row['orders'])):22} {statistics.median(mine):9.4f} ms "
          f"[{min(mine):.4f}, {max(mine):.4f}] {flops / statistics.median(mine):7.1f} GFLOP/s {ratio} {others}", flush=True)


def measured(args, threads):
    rows = []
    ours = Ours(args.gemm_times, threads)
    torch = None if args.no_torch else Torch(threads)
    peak = ours.ask(peak=True)["peak_gflops"]
    print(f"{threads} threads: multiplying and adding in registers alone {peak:.0f} GFLOP/s"
          + (f"; PyTorch {torch.torch.__version__}" if torch else ""))
    for problem in args.problems:
        ms = samples_of(args, ours, torch, problem)
        rivals = {name: statistics.median(values) for name, values in ms.items() if name != "openmp"}
        best = min(rivals, key=rivals.get) if rivals else None
        ratio = rivals[best] / statistics.median(ms["openmp"]) if best else None
        rows.append({"threads": threads, **dict(zip(("m", "n", "k", "orders"), problem)), "ms": ms, "best": best,
                     "ratio": ratio, "peak_gflops": peak})
        print_row(rows[-1])
    ours.close()
    return rows


def report(args, rows):
    if any(row["ratio"] for row in rows):
        print("\nbest other time / ours:")
    for threads in args.threads:
        for kind, wanted in (("squares from 256", lambda r: r["m"] == r["n"] == r["k"] >= 256), ("all", lambda r: True)):
            chosen = [row for row in rows if row["threads"] == threads and row["ratio"] and wanted(row)]
            if chosen:
                quantiles(f"{threads} threads, {kind}", [row["ratio"] for row in chosen])
                quantiles(f"{threads} threads, {kind}, shortest samples",
                          [min(min(ms) for name, ms in row["ms"].items() if name != "openmp") / min(row["ms"]["openmp"])
                           for row in chosen])
    first = {(r["m"], r["n"], r["k"], r["orders"]): r for r in rows if r["threads"] == 1}
    for row in rows:
        one = first.get((row["m"], row["n"], row["k"], row["orders"]))
        if one and row["threads"] > 1:
            speedup = {name: statistics.median(one["ms"][name]) / statistics.median(row["ms"][name]) for name in row["ms"]}
            words = ", ".join(f"{name} {value / row['threads']:.2f}" for name, value in speedup.items())
            print(f"efficiency of {row['threads']} threads, {text((row['m'], row['n'], row['k'], row['orders']))}: {words}; "
                  f"of registers alone {row['peak_gflops'] / one['peak_gflops'] / row['threads']:.2f}")


def problems_of(args):
    if args.sizes:
        return [tuple(map(int, size.split("x")[:3])) + ("nn",) if "x" in size else (int(size),) * 3 + ("nn",)
                for size in args.sizes]
    if args.drawn:
        print(f"{args.drawn} products drawn with seed {args.seed}")
        return drawn(args.drawn, args.seed)
    return [(size, size, size, "nn") for size in SQUARES] + ([] if args.squares else SKINNY)


def main():
    here = pathlib.Path(__file__).resolve()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gemm-times", default=str(here.parents[3] / "build/release/bin/gemm_times"))
    parser.add_argument("--threads", type=int, nargs="+", default=[1, os.cpu_count()])
    parser.add_argument("--sizes", nargs="+", help="numbers, or MxNxK, instead of the list")
    parser.add_argument("--squares", action="store_true", help="only the square ones of the list")
    parser.add_argument("--drawn", type=int, help="so many drawn at random instead: each extent log-uniform from 1 to 65536")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sample-ms", type=float, default=20)
    parser.add_argument("--who", nargs="+", help="openmp with options, onednn, openblas; default: openmp and what is found")
    parser.add_argument("--blocking", type=int, nargs=4, metavar=("DEPTH", "ROWS", "COLUMNS", "UNPACKED"), help="also the tiles with these blocks")
    parser.add_argument("--no-torch", action="store_true")
    parser.add_argument("--json", help="also write all samples to this file")
    args = parser.parse_args()
    args.problems = problems_of(args)
    rows = [row for threads in args.threads for row in measured(args, threads)]
    report(args, rows)
    if args.json:
        pathlib.Path(args.json).write_text(json.dumps({"seed": args.seed, "rows": rows}), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

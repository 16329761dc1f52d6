#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains and infers the example networks on the processor with heteroscope-cli and with PyTorch in turns, and
prints one table of medians, spreads and ratios. Started by run.sh.

PyTorch is set up as well as it can be: as many OpenMP threads, the best of its two memory layouts with either build of
OpenBLAS, networks for inference traced and frozen. OpenBLAS must know the processor: Debian's takes newer AMD ones for
such without AVX unless OPENBLAS_CORETYPE says otherwise (run.sh sets it), which a product of matrices shows."""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve()
EPOCHS = [("model0", 31), ("model1", 31), ("model2", 62)]
INFERENCE = [("resnet18", 224), ("mobilenet_v2", 224)]
BATCH = 32
PRODUCTS = {}  # GFLOP/s by BLAS
ROWS = []  # the ratios of every row that was printed
LAYOUTS = [("channels first", False), ("channels last", True)]


def blas_builds():
    """Environments of OpenBLAS's builds: that on OpenMP takes PyTorch's threads, that on POSIX threads would fight them
    for the cores unless it has one."""
    builds = {"POSIX": {"OPENBLAS_NUM_THREADS": "1"}}
    for folder in pathlib.Path("/usr/lib").glob("*/openblas-openmp"):
        paths = [str(folder)] + [path for path in [os.environ.get("LD_LIBRARY_PATH")] if path]
        builds["OpenMP"] = {"LD_LIBRARY_PATH": ":".join(paths)}
    return builds


def ours(args, name, settings):
    """Milliseconds of each repetition, by target."""
    samples = {}
    for target in args.targets:
        with tempfile.NamedTemporaryFile(suffix=".json") as result:
            command = [args.cli, "run", str(args.examples / f"network_{name}.json"), "--no-check", "--no-trace",
                       "--samples", str(args.samples), "--json", result.name, "--target", target]
            for setting in settings:
                command += ["--set", setting]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                print(f"{name}, {target}: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
                continue
            with open(result.name, encoding="utf-8") as file:
                run = json.load(file)["runs"][0]
        if run["status"] == "ok":
            samples[target] = run["samples_ms"]
        else:
            print(f"{name}, {target}: {run.get('reason')}", file=sys.stderr)
    return samples


def timed(compute, samples, least=3):
    """Milliseconds of each repetition after a warm-up."""
    for _ in range(least):
        compute()
    times = []
    for _ in range(samples):
        start = time.perf_counter()
        compute()
        times.append((time.perf_counter() - start) * 1e3)
    return times


def torch_training(torch, source, last, samples):
    from torch_models import load
    experiment, model, shape = load(source)
    layout = torch.channels_last if last else torch.contiguous_format
    model = model.to(memory_format=layout)
    x = torch.rand((BATCH, *shape)).to(memory_format=layout)
    y = torch.randint(0, 10, (BATCH,))
    optimizer = torch.optim.SGD(model.parameters(), experiment["training"]["optimizer"]["learning_rate"])

    def step():
        optimizer.zero_grad(set_to_none=True)
        torch.nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()

    return timed(step, samples)


def torch_inference(torch, source, size, last, samples):
    from torch_models import load
    _, model, shape = load(source, size)
    layout = torch.channels_last if last else torch.contiguous_format
    x = torch.rand((1, *shape)).to(memory_format=layout)
    model = model.eval().to(memory_format=layout)
    with torch.no_grad():
        frozen = torch.jit.optimize_for_inference(torch.jit.freeze(torch.jit.trace(model, x)))
        return timed(lambda: frozen(x), samples, 10)


def quartiles(values):
    ordered = sorted(values)
    return ordered[len(ordered) // 4], statistics.median(ordered), ordered[3 * len(ordered) // 4]


def median_of(rounds):
    return statistics.median(value for values in rounds for value in values)


def text(rounds, unit):
    low, middle, high = (value * unit for value in quartiles([v for values in rounds for v in values]))
    return f"{middle:9.2f} ({low:.2f} to {high:.2f})"


def print_rows(name, theirs, mine, unit=1.0):
    """Ratios are to PyTorch's way with the smallest median: of all samples, and the extremes of the rounds."""
    for way, rounds in theirs.items():
        print(f"{name:26} {'PyTorch, ' + way:38}{text(rounds, unit)}")
    better = min(theirs.values(), key=median_of)
    for target, rounds in mine.items():
        ratios = [statistics.median(ours) / statistics.median(other) for ours, other in zip(rounds, better)]
        ROWS.append({"group": name, "name": target, "ratio": median_of(rounds) / median_of(better)})
        print(f"{name:26} {target:38}{text(rounds, unit)}  {median_of(rounds) / median_of(better):6.3f} "
              f"({min(ratios):.3f} to {max(ratios):.3f}) of PyTorch's best")
    sys.stdout.flush()


def rounds_of(args, name, source, settings, size=None):
    """Ours and PyTorch's layouts with each BLAS in turns: samples of each round."""
    mine, theirs = {}, {}
    for _ in range(args.rounds):
        for target, values in ours(args, name, settings).items():
            mine.setdefault(target, []).append(values)
        for blas, environment in blas_builds().items():
            command = [sys.executable, __file__, "--peer", str(source), "--samples", str(args.samples)]
            command += ["--size", str(size)] if size else []
            done = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ | environment)
            found = json.loads(done.stdout)
            for layout, _ in LAYOUTS:
                theirs.setdefault(f"{layout}, {blas} BLAS", []).append(found[layout])
            PRODUCTS.setdefault(blas, []).append(found["product"])
    return mine, theirs


def product_rate(torch):
    """GFLOP/s of the fastest of some products of matrices: tells whether BLAS knows the processor."""
    a = torch.rand((1024, 1024))
    return 2 * 1024**3 / (min(timed(lambda: a @ a, 40)) * 1e6)


def peer(args):
    """In a process of its own, as the BLAS is chosen before it starts."""
    import torch
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", os.cpu_count())))
    found = {"product": product_rate(torch)}
    for layout, last in LAYOUTS:
        found[layout] = (torch_inference(torch, args.peer, args.size, last, args.samples) if args.size
                         else torch_training(torch, args.peer, last, args.samples))
    json.dump(found, sys.stdout)
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cli", default=str(HERE.parents[3] / "build/release/bin/heteroscope-cli"))
    parser.add_argument("--examples", type=pathlib.Path, default=HERE.parents[3] / "resources/examples")
    parser.add_argument("--targets", nargs="+", default=["cpu/openmp", "cpu/onednn"])
    parser.add_argument("--samples", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=["epochs", "inference"])
    parser.add_argument("--json", help="also write the ratios to this file")
    parser.add_argument("--networks", nargs="+", help="those of the list that are timed")
    parser.add_argument("--peer", type=pathlib.Path, help="only PyTorch's times of an experiment's network, as JSON")
    parser.add_argument("--size", type=int, help="of the peer's images; it infers")
    args = parser.parse_args()
    sys.path.append(str(HERE.parent.parent / "gpu_network"))
    if args.peer:
        return peer(args)
    print(f"{os.environ.get('OMP_NUM_THREADS', os.cpu_count())} threads; median (quartiles), ms")
    wanted = args.networks or [name for name, _ in EPOCHS + INFERENCE]
    for name, steps in EPOCHS if args.only in (None, "epochs") else []:
        if name in wanted:
            found = rounds_of(args, name, args.examples / f"network_{name}.json", [f"/training/batch={BATCH}"])
            print_rows(f"{name} epoch of {steps} steps", found[1], found[0], steps)
    for name, size in INFERENCE if args.only in (None, "inference") else []:
        if name in wanted:
            settings = ["/axes={}", f"/network/input/shape=[3,{size},{size}]"]
            found = rounds_of(args, name, args.examples / f"network_{name}.json", settings, size)
            print_rows(f"{name} at {size}", found[1], found[0])
    rates = ", ".join(f"{blas} {max(values):.0f}" for blas, values in PRODUCTS.items())
    print(f"products of matrices by PyTorch, GFLOP/s with each BLAS: {rates}")
    if args.json:
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump({"rows": ROWS}, file, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())

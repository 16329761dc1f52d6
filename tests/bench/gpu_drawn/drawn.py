#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws convolutions or poolings, times ours (op_times) and PyTorch's on them, and prints every ratio of times (below 1: ours
is faster), those of 10 us and more, and their quantiles. Both run as CUDA graphs of several in a row, in fp32 without TF32;
PyTorch in its better layout (contiguous, channels last), with cudnn.benchmark."""

import argparse
import json
import math
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

MOST_ELEMENTS = 2 ** 25  # of a tensor
MOST_FLOPS = 1e11
LEAST_MS = 0.010
IN_A_ROW_MS, SAMPLE_MS, SAMPLES = 0.5, 3.0, 7


def log_uniform(draw, low, high):
    return min(high, int(math.exp(draw.uniform(math.log(low), math.log(high + 1)))))


def output_extent(extent, kernel, stride, padding, dilation=1):
    return (extent + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1


def drawn_image(draw):
    height = log_uniform(draw, 4, 512)
    width = height if draw.random() < 0.6 else log_uniform(draw, 4, 512)
    return height, width


def drawn_groups(draw, channels):
    kind = draw.random()
    if kind < 0.6:
        return 1
    if kind < 0.8:
        return channels
    return draw.choice([d for d in range(1, channels + 1) if channels % d == 0])


def drawn_conv(draw):
    channels = log_uniform(draw, 1, 1024)
    groups = drawn_groups(draw, channels)
    filters = groups * log_uniform(draw, 1, max(1, 1024 // groups))
    side = draw.choice([1, 1, 3, 3, 3, 3, 5, 7, draw.randint(1, 11)])
    kernel = [side, side if draw.random() < 0.85 else draw.randint(1, 11)]
    stride = [draw.choice([1, 1, 1, 1, 2, 2, 3])] * 2
    dilation = [draw.choice([1, 1, 1, 1, 1, 2, 3]) if max(kernel) > 1 else 1] * 2
    same = draw.random() < 0.7
    padding = [d * (k - 1) // 2 if same else draw.randint(0, k // 2) for k, d in zip(kernel, dilation)]
    height, width = drawn_image(draw)
    batch = log_uniform(draw, 1, 256)
    problem = {"op": "conv", "src": [batch, channels, height, width], "filters": filters, "kernel": kernel, "stride": stride,
               "padding": padding, "dilation": dilation, "groups": groups}
    out = [output_extent(*each) for each in zip((height, width), kernel, stride, padding, dilation)]
    if min(out) < 1:
        return None
    flops = 2 * batch * filters * out[0] * out[1] * channels // groups * kernel[0] * kernel[1]
    sizes = (batch * channels * height * width, batch * filters * out[0] * out[1])
    return problem if max(sizes) <= MOST_ELEMENTS and 1e6 <= flops <= MOST_FLOPS and max(sizes) >= 2 ** 16 else None


def drawn_pool(draw):
    side = draw.randint(1, 9)
    kernel = [side, side if draw.random() < 0.8 else draw.randint(1, 9)]
    stride = [draw.choice([1, 2, draw.randint(1, 9), k]) for k in kernel]
    if draw.random() < 0.8:
        stride[1] = stride[0]
    padding = [draw.randint(0, k // 2) for k in kernel]
    height, width = drawn_image(draw)
    batch, channels = log_uniform(draw, 1, 256), log_uniform(draw, 1, 1024)
    out = [output_extent(*each) for each in zip((height, width), kernel, stride, padding)]
    size = batch * channels * height * width
    if min(out) < 1 or not 2 ** 18 <= size <= MOST_ELEMENTS or batch * channels * out[0] * out[1] > MOST_ELEMENTS:
        return None
    return {"op": "pool", "mode": draw.choice(["max", "max", "average"]), "src": [batch, channels, height, width],
            "kernel": kernel, "stride": stride, "padding": padding}


def drawn_problems(kind, seed, count):
    draw = random.Random(seed)
    make = {"conv": drawn_conv, "pool": drawn_pool}[kind]
    problems = []
    while len(problems) < count:
        problem = make(draw)
        if problem:
            problems.append(problem)
    return problems


def text(problem):
    def pair(name):
        first, second = problem[name]
        return str(first) if first == second else f"{first}x{second}"
    words = "x".join(map(str, problem["src"])) + f" k{pair('kernel')} s{pair('stride')} p{pair('padding')}"
    if problem["op"] == "pool":
        return f"{problem['mode']} {words}"
    return f"{words} d{pair('dilation')} g{problem['groups']} -> {problem['filters']}"


def conv_calls(torch, problem, layout):
    src = torch.randn(problem["src"], device="cuda").to(memory_format=layout)
    kernel = [problem["filters"], problem["src"][1] // problem["groups"], *problem["kernel"]]
    weights = torch.randn(kernel, device="cuda").to(memory_format=layout)
    bias = torch.randn(problem["filters"], device="cuda")
    how = (problem["stride"], problem["padding"], problem["dilation"])
    out = torch.nn.functional.conv2d(src, weights, bias, *how, problem["groups"])
    gradient = torch.randn_like(out)

    def backward(mask):
        return torch.ops.aten.convolution_backward(gradient, src, weights, [problem["filters"]], *how, False, [0, 0],
                                                   problem["groups"], mask)
    return {"forward": lambda: torch.nn.functional.conv2d(src, weights, bias, *how, problem["groups"]),
            "data": lambda: backward([True, False, False]), "weights": lambda: backward([False, True, True])}


def pool_calls(torch, problem, layout):
    src = torch.randn(problem["src"], device="cuda").to(memory_format=layout)
    how = (problem["kernel"], problem["stride"], problem["padding"])
    functional, ops = torch.nn.functional, torch.ops.aten
    if problem["mode"] == "average":
        gradient = torch.randn_like(functional.avg_pool2d(src, *how))
        return {"forward": lambda: functional.avg_pool2d(src, *how),
                "backward": lambda: ops.avg_pool2d_backward(gradient, src, *how, False, True, None)}
    out, indices = functional.max_pool2d(src, *how, return_indices=True)
    gradient = torch.randn_like(out)
    return {"forward": lambda: functional.max_pool2d(src, *how),
            "backward": lambda: ops.max_pool2d_with_indices_backward(gradient, src, *how, [1, 1], False, indices)}


def time_ms(torch, work):
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    start.record()
    work()
    end.record()
    end.synchronize()
    return start.elapsed_time(end)


def samples_of(torch, call):
    """Samples in ms of the call in a graph of several in a row, as op_times takes them."""
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        for _ in range(3):
            call()
        side.synchronize()
        once = time_ms(torch, lambda: [call() for _ in range(3)]) / 3
        in_a_row = max(1, min(50, int(IN_A_ROW_MS / once)))
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=side):
            for _ in range(in_a_row):
                call()
        graph.replay()
        span = time_ms(torch, graph.replay)
        launches = max(1, min(200, int(SAMPLE_MS / span)))
        return [time_ms(torch, lambda: [graph.replay() for _ in range(launches)]) / (launches * in_a_row)
                for _ in range(SAMPLES)]


def time_torch(torch, problem):
    """Samples of the better layout by direction."""
    best = {}
    for layout in (torch.contiguous_format, torch.channels_last):
        calls = (conv_calls if problem["op"] == "conv" else pool_calls)(torch, problem, layout)
        for direction, call in calls.items():
            try:
                samples = samples_of(torch, call)
            except RuntimeError as error:
                print(f"PyTorch: {text(problem)} {direction}: {str(error).splitlines()[0]}", file=sys.stderr)
                torch.cuda.synchronize()
                continue
            if direction not in best or statistics.median(samples) < statistics.median(best[direction]):
                best[direction] = samples
    torch.cuda.empty_cache()
    return best


def report(rows, problems, peers):
    """Prints each ratio and the quantiles by target and direction; returns the rows with PyTorch's times."""
    compared = []
    for row in rows:
        peer = peers[row["problem"]].get(row["direction"])
        name = f"{row['target']:12} {row['direction']:9} {text(problems[row['problem']]):60}"
        if "ms" not in row or not peer:
            print(f"{name} {row.get('reason', 'PyTorch cannot')}")
            continue
        mine, theirs = statistics.median(row["ms"]), statistics.median(peer)
        if theirs < LEAST_MS:
            continue
        row.update(torch_ms=peer, ratio=mine / theirs)
        compared.append(row)
        print(f"{name} {mine:9.4f} [{min(row['ms']):.4f}, {max(row['ms']):.4f}]  PyTorch {theirs:9.4f} "
              f"[{min(peer):.4f}, {max(peer):.4f}]  ratio {mine / theirs:6.3f}  {row['implementation']}")
    for target, direction in dict.fromkeys((row["target"], row["direction"]) for row in compared):
        ratios = sorted(row["ratio"] for row in compared if (row["target"], row["direction"]) == (target, direction))
        print(f"{target} {direction}: {len(ratios)} of {LEAST_MS * 1e3:.0f} us and more: median {statistics.median(ratios):.3f}, "
              f"p90 {ratios[int(0.9 * (len(ratios) - 1))]:.3f}, worst {ratios[-1]:.3f}; "
              f"above 1.0: {sum(r > 1 for r in ratios)}, above 1.1: {sum(r > 1.1 for r in ratios)}")
    return compared


def main():
    here = pathlib.Path(__file__).resolve()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=["conv", "pool"])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--targets", nargs="+", default=["cuda:0/cuda"])
    parser.add_argument("--op-times", default=str(here.parents[3] / "build/release/bin/op_times"))
    parser.add_argument("--problems", help="a JSON file of problems instead of drawn ones")
    parser.add_argument("--draw-only", metavar="FILE", help="writes the problems and measures nothing")
    parser.add_argument("--deterministic", action="store_true", help="PyTorch takes cuDNN's deterministic algorithms only")
    parser.add_argument("--json", help="also write problems and rows to this file")
    args = parser.parse_args()
    problems = (json.loads(pathlib.Path(args.problems).read_text(encoding="utf-8")) if args.problems
                else drawn_problems(args.kind, args.seed, args.count))
    if args.draw_only:
        pathlib.Path(args.draw_only).write_text(json.dumps(problems), encoding="utf-8")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        given, results = pathlib.Path(folder) / "problems.json", pathlib.Path(folder) / "results.json"
        given.write_text(json.dumps(problems), encoding="utf-8")
        subprocess.run([args.op_times, given, results, *args.targets], check=True)
        rows = json.loads(results.read_text(encoding="utf-8"))
    import torch
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = True
    torch.backends.cudnn.deterministic = args.deterministic
    print(f"{torch.cuda.get_device_name()}; PyTorch {torch.__version__}; seed {args.seed}, {len(problems)} problems")
    with torch.no_grad():
        peers = [time_torch(torch, problem) for problem in problems]
    compared = report(rows, problems, peers)
    if args.json:
        pathlib.Path(args.json).write_text(json.dumps({"device": torch.cuda.get_device_name(), "torch": torch.__version__,
                                                       "seed": args.seed, "problems": problems, "rows": compared}), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

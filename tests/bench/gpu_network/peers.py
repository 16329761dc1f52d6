#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains and infers the example networks with heteroscope-cli and with PyTorch's CUDA graphs in turns, and prints
one table of medians, spreads and ratios. Both compute in fp32 without TF32 unless --tf32 says otherwise."""

import argparse
import json
import pathlib
import random
import re
import statistics
import struct
import subprocess
import sys
import tempfile
import time

EPOCHS = [("model0", 31), ("model1", 31), ("model2", 62)]
STEPS = [("alexnet32", 245), ("irradiance_cnn", 32)]
INFERENCE = ["resnet18", "mobilenet_v2"]
SIZES = [224, 512, 1024]
BATCH = 32
ROWS = []  # the ratios of every row that was printed


def write_idx(path, dims, values):
    with open(path, "wb") as file:
        file.write(bytes([0, 0, 8, len(dims)]) + struct.pack(f">{len(dims)}I", *dims) + values)


def epoch_experiment(source, steps, folder, epochs):
    """The example as a training on a made-up dataset of so many batches."""
    experiment = json.loads((source).read_text(encoding="utf-8"))
    channels, height, width = experiment["network"]["input"]["shape"]
    count, draw = steps * BATCH, random.Random(35)
    name = f"{source.stem}-{steps}"
    for part, images in (("train", count), ("test", BATCH)):
        write_idx(folder / f"{name}-{part}.images", [images, channels, height, width],
                  draw.randbytes(images * channels * height * width))
        write_idx(folder / f"{name}-{part}.labels", [images], bytes(draw.randrange(10) for _ in range(images)))
    experiment["data"] = {"source": "idx", "images": f"{name}-train.images", "labels": f"{name}-train.labels",
                          "test_images": f"{name}-test.images", "test_labels": f"{name}-test.labels",
                          "validation_share": 0}
    experiment["training"].update(batch=BATCH, epochs=epochs)
    experiment["sampling"] = {"preset": "quick", "samples": epochs}
    experiment.pop("axes", None)
    path = folder / f"{name}.json"
    path.write_text(json.dumps(experiment), encoding="utf-8")
    return path


def without_axes(source, folder):
    experiment = json.loads(source.read_text(encoding="utf-8"))
    experiment.pop("axes", None)
    path = folder / source.name
    path.write_text(json.dumps(experiment), encoding="utf-8")
    return path


def ours(args, experiment, settings=()):
    """Samples in ms by (target, size of the image). Targets with an option that has no effect on the experiment are left
    out."""
    targets, runs = list(args.targets), None
    while runs is None and targets:
        with tempfile.NamedTemporaryFile(suffix=".json") as result:
            command = [args.cli, "run", str(experiment), "--no-check", "--no-trace", "--json", result.name]
            for target in targets:
                command += ["--target", target]
            for setting in settings:
                command += ["--set", setting]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            try:
                runs = json.load(open(result.name, encoding="utf-8"))["runs"]
            except (OSError, ValueError):
                refused = re.search(r"/targets/(\d+): .* has no effect here", done.stderr)
                if not refused:
                    print(done.stdout[-400:], done.stderr[-800:], file=sys.stderr)
                    return {}
                print(f"{experiment}: without {targets.pop(int(refused[1]))}: {done.stderr.strip()}", file=sys.stderr)
    samples = {}
    for run in runs or []:
        if run["status"] != "ok":
            print(f"{experiment}: {run['target']}: {run['reason']}", file=sys.stderr)
            continue
        shape = run["point"].get("/network/input/shape")
        samples[(run["target"], shape[-1] if shape else None)] = run["samples_ms"]
    return samples


class Step:
    """One step of PyTorch as a CUDA graph; what it reads lies in x and y."""

    def __init__(self, torch, source, batch, channels_last):
        from torch_models import load
        experiment, model, shape = load(source)
        layout = torch.channels_last if channels_last else torch.contiguous_format
        self.model = model.cuda().to(memory_format=layout)
        self.classes = experiment["training"].get("loss") == "softmax_cross_entropy"
        self.x = torch.rand((batch, *shape), device="cuda").to(memory_format=layout)
        self.y = (torch.randint(0, 3, (batch,), device="cuda") if self.classes
                  else torch.rand((batch, 1), device="cuda"))
        self.sum = torch.zeros((), device="cuda")
        rate = experiment["training"]["optimizer"]["learning_rate"]
        adam = experiment["training"]["optimizer"]["type"] == "adam"
        self.optimizer = (torch.optim.Adam(self.model.parameters(), rate, capturable=True, fused=True) if adam
                          else torch.optim.SGD(self.model.parameters(), rate, fused=True))
        self.torch = torch
        self.graph = capture(torch, self.compute)

    def compute(self):
        out = self.model(self.x)
        functional = self.torch.nn.functional
        loss = functional.cross_entropy(out, self.y) if self.classes else functional.mse_loss(out, self.y)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.optimizer.step()
        self.sum += loss.detach()


def capture(torch, compute):
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(5):
            compute()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        compute()
    return graph


def timed(torch, run, samples, inner):
    run(), run()
    torch.cuda.synchronize()
    times = []
    for _ in range(samples):
        start = time.perf_counter()
        for _ in range(inner):
            run()
        torch.cuda.synchronize()
        times.append((time.perf_counter() - start) * 1e3 / inner)
    return times


def torch_epoch(torch, source, steps, channels_last, samples):
    """Images lie on the device; an epoch gathers each batch by a shuffled order and reads its loss once."""
    step = Step(torch, source, BATCH, channels_last)
    images = torch.rand((steps * BATCH, *step.x.shape[1:]), device="cuda")
    labels = torch.randint(0, 10, (steps * BATCH,), device="cuda")

    def epoch():
        order = torch.randperm(steps * BATCH, device="cuda")
        for which in order.split(BATCH):
            step.x.copy_(images[which])
            torch.index_select(labels, 0, which, out=step.y)
            step.graph.replay()
        return step.sum.item()

    return timed(torch, epoch, samples, 1)


def torch_inference(torch, source, size, channels_last, samples):
    from torch_models import load
    _, model, shape = load(source, size)
    layout = torch.channels_last if channels_last else torch.contiguous_format
    model = model.eval().cuda().to(memory_format=layout)
    x = torch.rand((1, *shape), device="cuda").to(memory_format=layout)
    with torch.no_grad():
        graph = capture(torch, lambda: model(x))
    return timed(torch, graph.replay, samples, 20)


def torch_time(measure, *arguments, samples):
    """The better layout."""
    import torch
    found = [measure(torch, *arguments, channels_last, samples) for channels_last in (False, True)]
    return min(found, key=statistics.median)


def spread(values):
    ordered = sorted(values)
    return ordered[len(ordered) // 4], statistics.median(ordered), ordered[(3 * len(ordered)) // 4]


def print_rows(name, torch_samples, samples, unit=1.0):
    def text(values):
        low, middle, high = (v * unit for v in spread(values))
        return f"{middle:9.3f} ({low:.3f} to {high:.3f})"

    print(f"{name:28} {'PyTorch graph':24}{text(torch_samples)}")
    reference = statistics.median(torch_samples)
    ROWS.extend({"group": name, "name": target, "ratio": statistics.median(values) / reference}
                for (target, _), values in samples.items())
    for (target, _), values in samples.items():
        ratio = statistics.median(values) / reference
        print(f"{'':28} {target:24}{text(values)}  {ratio:6.3f} of PyTorch")
    sys.stdout.flush()


def bench_epochs(args, folder):
    for name, steps in EPOCHS:
        source = args.examples / f"network_{name}.json"
        peer, mine = [], {}
        for _ in range(args.rounds):
            for key, values in ours(args, epoch_experiment(source, steps, folder, args.epochs)).items():
                mine.setdefault(key, []).extend(values[2:])
            peer += torch_time(torch_epoch, source, steps, samples=args.epochs)
        print_rows(f"{name} epoch of {steps}, ms", peer, mine)
        print_rows(f"{name} step, us", peer, mine, 1e3 / steps)


def bench_steps(args, folder):
    import torch
    for name, batch in STEPS:
        source = args.examples / f"network_{name}.json"
        mine = ours(args, without_axes(source, folder), [f"/training/batch={batch}", "/sampling/preset=quick"])
        peer = min((timed(torch, Step(torch, source, batch, last).graph.replay, args.epochs, 20)
                    for last in (False, True)), key=statistics.median)
        print_rows(f"{name} step of {batch}, ms", peer, mine)


def bench_inference(args):
    for name in INFERENCE:
        source = args.examples / f"network_{name}.json"
        mine = ours(args, source, ["/sampling/preset=quick"])
        for size in SIZES:
            peer = torch_time(torch_inference, source, size, samples=args.epochs)
            print_rows(f"{name} {size}, ms", peer, {k: v for k, v in mine.items() if k[1] == size})


def main():
    here = pathlib.Path(__file__).resolve()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cli", default=str(here.parents[3] / "build/release/bin/heteroscope-cli"))
    parser.add_argument("--examples", type=pathlib.Path, default=here.parents[3] / "resources/examples")
    parser.add_argument("--targets", nargs="+", default=["cuda:0/cuda", "cuda:0/cublas", "cuda:0/cudnn"])
    parser.add_argument("--epochs", type=int, default=20, help="samples of each")
    parser.add_argument("--rounds", type=int, default=2, help="turns of ours and PyTorch's epochs")
    parser.add_argument("--only", choices=["epochs", "steps", "inference"])
    parser.add_argument("--json", help="also write the ratios to this file")
    parser.add_argument("--tf32", action="store_true", help="PyTorch uses TF32 too")
    parser.add_argument("--deterministic", action="store_true", help="PyTorch takes cuDNN's deterministic algorithms only")
    args = parser.parse_args()
    sys.path.insert(0, str(here.parent))
    import torch
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = args.tf32
    torch.backends.cudnn.benchmark = True
    torch.backends.cudnn.deterministic = args.deterministic
    print(f"{torch.cuda.get_device_name()}; PyTorch {torch.__version__}; median (quartiles)")
    with tempfile.TemporaryDirectory() as folder:
        if args.only in (None, "epochs"):
            bench_epochs(args, pathlib.Path(folder))
        if args.only in (None, "steps"):
            bench_steps(args, pathlib.Path(folder))
        if args.only in (None, "inference"):
            bench_inference(args)
    if args.json:
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump({"device": torch.cuda.get_device_name(), "torch": torch.__version__, "rows": ROWS}, file, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())

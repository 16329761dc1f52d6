# SPDX-License-Identifier: Apache-2.0
"""The pairs of experiments that try the advice: what a rule is given for, and the same work after its advice was followed."""


def pooling(**more):
    image = {"source": "random", "size": more.pop("size"), "low": 0, "high": 9, "seed": 35}
    image.update(more.pop("image", {}))
    return {"kind": "pooling", "pooling": {"mode": "max", "kernel": 2, "stride": 2, "input": image, **more}}


def windows(size, kernel, **more):
    return pooling(size=size, kernel=kernel, stride=kernel, strategy="window", **more)


def matmul(m, n, k):
    return {"kind": "matmul", "matmul": {"m": m, "n": n, "k": k, "right": "random", "seed": 35}}


def conv(name, filters, **more):
    return {"name": name, "type": "conv2d", "filters": filters, "padding": 1, **more}


def layer(name, kind, **more):
    return {"name": name, "type": kind, **more}


def network(shape, layers, batch, task="train"):
    made = {"kind": "network", "task": task, "network": {"input": {"shape": shape}, "layers": layers}}
    if task == "train":
        made["training"] = {"batch": batch, "optimizer": {"type": "sgd", "learning_rate": 0.001}}
    else:
        made["network"]["input"]["batch"] = batch
    return made


def small_network(batch, task="train"):
    return network([3, 32, 32], [
        conv("conv1", 16), layer("relu1", "relu"), layer("pool1", "maxpool2d"), conv("conv2", 32), layer("relu2", "relu"),
        layer("pool2", "maxpool2d"), layer("flatten", "flatten"), layer("dense1", "dense", units=100), layer("relu3", "relu"),
        layer("dense2", "dense", units=10)], batch, task)


def perceptron(width, depth, batch):
    layers = [layer("flatten", "flatten")]
    for i in range(depth):
        layers += [layer(f"dense{i}", "dense", units=width), layer(f"relu{i}", "relu")]
    return network([1, 16, 16], layers + [layer("classes", "dense", units=10)], batch)


def side(experiment, target):
    return {"heteroscope": 1, "name": "advice", **experiment, "targets": [target], "sampling": {"preset": "quick"}}


def pair(rule, name, before, after):
    return {"rule": rule, "name": name, "before": side(*before), "after": side(*after), "recorded": True}


def both(rule, name, experiment, before, after):
    return pair(rule, name, (experiment, before), (experiment, after))


def recording(name, experiment, target):
    """`recorded`: whether what comes after is."""
    return {**both("profiler-overhead", name, experiment, target, target), "recorded": False}


CUDA, CUDNN, CUBLAS = "cuda:0/cuda", "cuda:0/cudnn", "cuda:0/cublas"


def gpu_pairs():
    launches = [both("launches-dominate", name, experiment, target + "?graph=off", target) for name, experiment, target in (
        ("training step, batch 32", small_network(32), CUDA), ("training step, batch 4", small_network(4), CUDA),
        ("perceptron of 8 layers", perceptron(128, 8, 32), CUDA), ("training step, cudnn", small_network(32), CUDNN),
        ("perceptron, cublas", perceptron(256, 6, 64), CUBLAS), ("inference", small_network(16, "infer"), CUDA))]
    launches += [both("launches-dominate", name, experiment, CUDA, CUDA + "?graph=on") for name, experiment in (
        ("pooling 64 x 64", pooling(size=64)), ("product 64 x 64 x 64", matmul(64, 64, 64)))]
    copies = [pair("transfers-dominate", f"windows of {k} x {k}, whole image", (windows(size, k), CUDA),
                   (pooling(size=size, kernel=k, stride=k), CUDA)) for size, k in ((64, 2), (128, 4))]
    pageable = [both("pageable-copies", f"windows of {k} x {k}", windows(size, k), CUDA, CUDA + "?host=pinned")
                for size, k in ((1024, 128), (2048, 1024))]
    blocks = [both("small-grid", f"product {m} x {n} x {k}", matmul(m, n, k), CUDA + "?kernel=register", CUDA + "?kernel=split-k")
              for m, n, k in ((64, 64, 16384), (128, 128, 4096), (256, 256, 2048), (64, 64, 1024))]
    rest = [
        pair("idle-gaps", "windows of 256 x 256, whole image", (windows(2048, 256), CUDA),
             (pooling(size=2048, kernel=256, stride=256), CUDA)),
        both("low-occupancy", "product 2048, cublas and cuda", matmul(2048, 2048, 2048), CUBLAS, CUDA),
        recording("training step", small_network(32), CUDA + "?graph=off"),
        recording("perceptron", perceptron(128, 8, 32), CUDNN + "?graph=off"),
        recording("pooling 64 x 64", pooling(size=64), CUDA),
    ]
    return launches + copies + pageable + blocks + rest

# SPDX-License-Identifier: Apache-2.0
"""Records what PyTorch computes for operations of networks: python3 generate.py (in this folder).

Each case is a few arrays of an .npz file, named CASE.src0, CASE.src1 ..., CASE.dst0 ... in the order of the
operation's operands; torch_values_test.cpp holds the same cases as operations. Everything is computed in
double precision and recorded as float32, but for the inputs, which are float32 before.
"""
import json
import pathlib
import platform

import numpy as np
import torch
import torch.nn.functional as F

here = pathlib.Path(__file__).resolve().parent
random = np.random.RandomState(35)


def values(*shape, scale=1.0):
    return (random.uniform(-scale, scale, size=shape)).astype(np.float32)


def leaf(array):
    return torch.tensor(array, dtype=torch.float64, requires_grad=True)


def record(into, case, src, dst):
    for kind, arrays in (("src", src), ("dst", dst)):
        for i, array in enumerate(arrays):
            into[f"{case}.{kind}{i}"] = np.asarray(
                array.detach().numpy() if isinstance(array, torch.Tensor) else array, dtype=np.float32)


def convolution(into, name, src, filters, kernel, stride=(1, 1), padding=(0, 0, 0, 0), dilation=(1, 1), groups=1,
                bias=True):
    """padding: top, bottom, left, right"""
    top, bottom, left, right = padding
    x0 = values(*src)
    w0 = values(filters, src[1] // groups, *kernel)
    b0 = values(filters)
    x, w, b = leaf(x0), leaf(w0), leaf(b0)
    y = F.conv2d(F.pad(x, (left, right, top, bottom)), w, b if bias else None, stride, 0, dilation, groups)
    g0 = values(*y.shape)
    y.backward(torch.tensor(g0, dtype=torch.float64))
    record(into, name + ".forward", [x0, w0] + ([b0] if bias else []), [y])
    record(into, name + ".data", [g0, w0], [x.grad])
    record(into, name + ".weights", [x0, g0], [w.grad] + ([b.grad] if bias else []))


def weights():
    into = {}
    convolution(into, "k3p1", (2, 4, 7, 9), 5, (3, 3), padding=(1, 1, 1, 1))
    convolution(into, "k1s2", (2, 3, 6, 7), 4, (1, 1), (2, 2))
    convolution(into, "k7s2p3", (1, 3, 15, 17), 6, (7, 7), (2, 2), (3, 3, 3, 3))
    convolution(into, "sides", (1, 2, 8, 9), 3, (2, 3), (2, 1), (1, 0, 0, 2))
    convolution(into, "gaps", (1, 2, 9, 9), 3, (2, 2), (3, 3))
    convolution(into, "dilated", (1, 2, 9, 11), 3, (3, 3), padding=(2, 2, 2, 2), dilation=(2, 3))
    convolution(into, "groups", (2, 6, 6, 5), 9, (3, 3), padding=(1, 1, 1, 1), groups=3)
    convolution(into, "depthwise", (1, 5, 8, 8), 5, (3, 3), (2, 2), (1, 1, 1, 1), groups=5, bias=False)
    x0, w0, b0 = values(6, 13), values(7, 13), values(7)
    x, w, b = leaf(x0), leaf(w0), leaf(b0)
    y = F.linear(x, w, b)
    g0 = values(6, 7)
    y.backward(torch.tensor(g0, dtype=torch.float64))
    record(into, "dense.forward", [x0, w0, b0], [y])
    record(into, "dense.data", [g0, w0], [x.grad])
    record(into, "dense.weights", [x0, g0], [w.grad, b.grad])
    return into


def elementwise(into, name, function, x0, from_input=False):
    """from_input: whether the derivative is taken from the input; else from the result"""
    x = leaf(x0)
    y = function(x)
    g0 = values(*x0.shape)
    y.backward(torch.tensor(g0, dtype=torch.float64))
    record(into, name + ".forward", [x0], [y])
    record(into, name + ".backward", [x0 if from_input else y, g0], [x.grad])


def layers():
    into = {}
    edges = np.concatenate([np.float32([0.0, 6.0, -6.0, 30.0, -30.0]), values(60, scale=8)])
    elementwise(into, "relu", F.relu, edges)
    elementwise(into, "relu6", F.relu6, edges)
    elementwise(into, "leaky_relu", lambda x: F.leaky_relu(x, 0.1), edges)
    elementwise(into, "sigmoid", torch.sigmoid, edges)
    elementwise(into, "tanh", torch.tanh, edges)
    elementwise(into, "softmax", lambda x: F.softmax(x, 1), values(2, 6, 3, 4, scale=4))
    for name, shape, output in (("adaptive", (1, 2, 10, 9), (3, 4)), ("global", (2, 3, 7, 5), (1, 1)),
                                ("wider", (1, 2, 3, 4), (5, 7))):
        x0 = values(*shape)
        x = leaf(x0)
        y = F.adaptive_avg_pool2d(x, output)
        g0 = values(*y.shape)
        y.backward(torch.tensor(g0, dtype=torch.float64))
        record(into, name + ".forward", [x0], [y])
        record(into, name + ".backward", [g0], [x.grad])
    batch_norm(into, "norm", (4, 3, 5, 6), 1e-5, 0.1)
    batch_norm(into, "norm1", (1, 2, 4, 4), 1e-3, 0.01)
    batch_norm(into, "rows", (9, 6, 1, 1), 1e-5, 0.3)
    return into


def batch_norm(into, name, shape, epsilon, momentum):
    channels = shape[1]
    x0, gamma0, beta0, mean0 = values(*shape, scale=3), values(channels), values(channels), values(channels)
    variance0 = np.abs(values(channels)) + np.float32(0.5)
    x, gamma, beta = leaf(x0), leaf(gamma0), leaf(beta0)
    running = [torch.tensor(a, dtype=torch.float64) for a in (mean0, variance0)]
    inferred = F.batch_norm(x, *running, gamma, beta, False, momentum, epsilon)
    y = F.batch_norm(x, *running, gamma, beta, True, momentum, epsilon)
    mean = x.mean((0, 2, 3))
    inverse = 1 / torch.sqrt(x.var((0, 2, 3), unbiased=False) + epsilon)
    g0 = values(*shape)
    y.backward(torch.tensor(g0, dtype=torch.float64))
    src = [x0, gamma0, beta0, mean0, variance0]
    record(into, name + ".train", src, [y, mean, inverse, *running])
    record(into, name + ".infer", src, [inferred])
    record(into, name + ".backward", [x0, g0, gamma0, mean, inverse], [x.grad, gamma.grad, beta.grad])


def losses(into):
    for name, scale in (("near", 3.0), ("far", 80.0)):
        x0 = values(8, 10, scale=scale)
        labels = random.randint(0, 10, size=8)
        labels[:2] = (0, 9)
        x = leaf(x0)
        loss = F.cross_entropy(x, torch.tensor(labels))
        loss.backward()
        right = (x.argmax(1).numpy() == labels).sum()
        record(into, "classes_" + name, [x0, labels], [[loss.item(), right], x.grad])
        t0 = random.randint(0, 3, size=(8, 10)).astype(np.float32) / 2
        x = leaf(x0)
        loss = F.binary_cross_entropy_with_logits(x, torch.tensor(t0, dtype=torch.float64))
        loss.backward()
        right = ((x0 > 0) == (t0 > 0.5)).sum()
        record(into, "binary_" + name, [x0, t0], [[loss.item(), right], x.grad])
        t0 = values(8, 10, scale=scale)
        x = leaf(x0)
        target = torch.tensor(t0, dtype=torch.float64)
        loss = F.mse_loss(x, target)
        loss.backward()
        record(into, "squares_" + name, [x0, t0], [[loss.item(), F.l1_loss(x, target).item()], x.grad])


def steps(into, name, make, hyper, states):
    """Four steps with gradients that differ; each step's operands are a case. states: optimiser's names."""
    w = torch.tensor(values(41), dtype=torch.float64)
    optimizer = make([w])
    held = [np.zeros(41, np.float32) for _ in states]
    for step in range(1, 5):
        w.data = torch.tensor(w.numpy().astype(np.float32), dtype=torch.float64)
        for state, array in zip(states, held):
            if state in optimizer.state[w]:
                optimizer.state[w][state] = torch.tensor(array, dtype=torch.float64)
        before, g0 = w.numpy().astype(np.float32), values(41)
        w.grad = torch.tensor(g0, dtype=torch.float64)
        optimizer.step()
        src = [before, g0, np.float32(hyper(step))] + held
        held = [optimizer.state[w][state].numpy().astype(np.float32) for state in states]
        record(into, f"{name}.{step}", src, [w] + held)


def training():
    into = {}
    losses(into)
    sgd = lambda **options: lambda w: torch.optim.SGD(w, lr=0.0625, **options)
    rate = lambda step: [0.0625, 0, 0, 0]
    steps(into, "sgd", sgd(), rate, [])
    steps(into, "sgd_decay", sgd(weight_decay=0.01), rate, [])
    steps(into, "momentum", sgd(momentum=0.9), rate, ["momentum_buffer"])
    steps(into, "nesterov", sgd(momentum=0.9, nesterov=True, weight_decay=0.01), rate, ["momentum_buffer"])
    for name, betas, epsilon, decay in (("adam", (0.9, 0.999), 1e-8, 0.0), ("adam_decay", (0.8, 0.99), 1e-6, 0.01)):
        steps(into, name, lambda w: torch.optim.Adam(w, lr=0.0625, betas=betas, eps=epsilon, weight_decay=decay),
              lambda step: [0.0625, 1 / (1 - betas[0]**step), 1 / (1 - betas[1]**step), 0],
              ["exp_avg", "exp_avg_sq"])
    return into


def activations():
    into = {}
    edges = np.concatenate([np.float32([0.0, 30.0, -30.0, 2.5, -2.5]), values(60, scale=8)])
    for name, function in (("gelu", F.gelu), ("hard_swish", F.hardswish), ("hard_sigmoid", F.hardsigmoid)):
        elementwise(into, name, function, edges, from_input=True)
    return into


def layer_norm(into, name, shape, epsilon, over_channels=False):
    """over_channels: of each pixel, with a scale and a shift for each channel; else of whole samples"""
    sizes = shape[1:2] if over_channels else shape[1:]
    x0, gamma0, beta0 = values(*shape, scale=3) + np.float32(2), values(*sizes), values(*sizes)
    x, gamma, beta = leaf(x0), leaf(gamma0), leaf(beta0)
    ordered = x.permute(0, 2, 3, 1) if over_channels else x
    y = F.layer_norm(ordered, sizes, gamma, beta, epsilon)
    y = y.permute(0, 3, 1, 2) if over_channels else y
    axes = (1,) if over_channels else tuple(range(1, len(shape)))
    mean = x.mean(axes)
    inverse = 1 / torch.sqrt(x.var(axes, unbiased=False) + epsilon)
    g0 = values(*shape)
    y.backward(torch.tensor(g0, dtype=torch.float64))
    record(into, name + ".forward", [x0, gamma0, beta0], [y, mean, inverse])
    record(into, name + ".backward", [x0, g0, gamma0, mean, inverse], [x.grad, gamma.grad, beta.grad])


def layer_norms():
    into = {}
    layer_norm(into, "sample", (3, 4, 5, 7), 1e-5)
    layer_norm(into, "features", (6, 37), 1e-5)
    layer_norm(into, "epsilon", (2, 3, 2, 2), 1e-2)
    layer_norm(into, "pixels", (2, 6, 3, 5), 1e-6, True)
    return into


def product(into, name, a_shape, b_shape):
    a0, b0 = values(*a_shape, scale=4), values(*b_shape)
    a, b = leaf(a0), leaf(b0)
    y = a * b
    g0 = values(*y.shape)
    y.backward(torch.tensor(g0, dtype=torch.float64))
    record(into, name + ".forward", [a0, b0], [y])
    record(into, name + ".first", [g0, b0], [a.grad])
    record(into, name + ".second", [g0, a0], [b.grad])


def products():
    into = {}
    product(into, "same", (2, 3, 4, 5), (2, 3, 4, 5))
    product(into, "channels", (2, 5, 4, 7), (2, 5, 1, 1))
    product(into, "one", (2, 1, 1, 1), (2, 5, 4, 7))
    product(into, "planes", (2, 5, 4, 7), (2, 1, 4, 7))
    product(into, "rows", (2, 3, 4, 7), (2, 3, 4, 1))
    product(into, "both", (2, 5, 1, 7), (2, 1, 4, 1))
    product(into, "features", (4, 33, 1, 1), (4, 1, 1, 1))
    return into


if __name__ == "__main__":
    for name, arrays in (("weights", weights()), ("layers", layers()), ("training", training()),
                         ("activations", activations()), ("layer_norm", layer_norms()), ("mul", products())):
        np.savez_compressed(here / (name + ".npz"), **arrays)
    versions = {"torch": torch.__version__, "numpy": np.__version__, "python": platform.python_version()}
    (here / "versions.json").write_text(json.dumps(versions) + "\n")

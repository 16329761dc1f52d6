# SPDX-License-Identifier: Apache-2.0
"""The networks of the example experiments in PyTorch, built from the same files."""

import json

import torch
from torch import nn


def pair(value):
    return tuple(value) if isinstance(value, list) else value


class Residual(nn.Module):
    """A network whose layers name their inputs; without names a layer reads the one before."""

    def __init__(self, layers, shape):
        super().__init__()
        self.order, self.parts = [], nn.ModuleDict()
        shapes, before = {"input": shape}, "input"
        for number, layer in enumerate(layers):
            name = layer.get("name", f"layer{number}")
            inputs = layer.get("inputs", layer.get("input", before))
            inputs = inputs if isinstance(inputs, list) else [inputs]
            module = make_layer(layer, shapes[inputs[0]])
            key = name.replace(".", "_")
            self.parts[key] = module
            self.order.append((key, name, inputs))
            with torch.no_grad():
                probe = [torch.zeros((2, *shapes[i])) for i in inputs]
                shapes[name] = tuple(module.eval()(*probe).shape[1:])
            before = name
        self.last = before
        self.train()

    def forward(self, x):
        values = {"input": x}
        for key, name, inputs in self.order:
            values[name] = self.parts[key](*(values[i] for i in inputs))
        return values[self.last]


class Add(nn.Module):
    def forward(self, a, b):
        return a + b


def make_layer(layer, shape):
    kind = layer["type"]
    if kind == "conv2d":
        return nn.Conv2d(shape[0], layer["filters"], pair(layer.get("kernel", 3)), pair(layer.get("stride", 1)),
                         pair(layer.get("padding", 0)), groups=layer.get("groups", 1),
                         bias=layer.get("bias", True))
    if kind == "maxpool2d":
        kernel = pair(layer.get("kernel", 2))
        return nn.MaxPool2d(kernel, pair(layer.get("stride", kernel)), pair(layer.get("padding", 0)))
    if kind == "dense":
        return nn.Linear(shape[0], layer["units"], bias=layer.get("bias", True))
    if kind == "dropout":
        return nn.Dropout(layer.get("rate", 0.5))
    if kind == "global_avgpool2d":
        return nn.AdaptiveAvgPool2d(1)
    return {"relu": nn.ReLU, "relu6": nn.ReLU6, "flatten": nn.Flatten, "add": Add,
            "batchnorm": lambda: nn.BatchNorm2d(shape[0])}[kind]()


def load(path, size=None):
    """The network of an experiment file and the shape of one input."""
    with open(path, encoding="utf-8") as file:
        experiment = json.load(file)
    shape = tuple(experiment["network"]["input"]["shape"])
    if size:
        shape = (shape[0], size, size)
    return experiment, Residual(experiment["network"]["layers"], shape), shape

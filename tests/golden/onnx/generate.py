# SPDX-License-Identifier: Apache-2.0
"""Exports the networks of models.py through torch.onnx with an input and PyTorch's own output.

usage: generate.py FOLDER [full|narrow] [exporter options as NAME=VALUE: opset_version, dynamo, fold, dynamic]
Writes FOLDER/NAME.onnx and FOLDER/NAME.npz (input, output).
"""

import json
import sys

import numpy as np
import torch

import models


def export(name, make, shape, folder, options):
    model = models.prepared(make())
    x = torch.randn((2,) + shape, generator=torch.Generator().manual_seed(3))
    with torch.no_grad():
        expected = model(x)
    opset = max(int(options.get("opset_version", 13)), models.OLDEST_OPSET.get(name, 0))
    keys = {"opset_version": opset, "input_names": ["input"], "output_names": ["output"]}
    if options.get("fold") == "0":  # keeps batch normalisations and the names of the weights
        keys.update(training=torch.onnx.TrainingMode.PRESERVE, do_constant_folding=False)
    if "dynamo" in options:
        keys["dynamo"] = options["dynamo"] == "1"
        if keys["dynamo"]:
            keys["external_data"] = False
    if options.get("dynamic") == "1":
        keys["dynamic_axes"] = {"input": {0: "batch"}, "output": {0: "batch"}}
    torch.onnx.export(model, (x,), f"{folder}/{name}.onnx", **keys)
    np.savez_compressed(f"{folder}/{name}.npz", input=x.numpy(), output=expected.numpy())
    print(name, sum(p.numel() for p in model.parameters()), "parameters")


def main():
    folder, size = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "full"
    options = dict(argument.split("=", 1) for argument in sys.argv[3:])
    for name, (make, shape) in (models.FULL if size == "full" else models.NARROW).items():
        export(name, make, shape, folder, options)
    with open(f"{folder}/versions.json", "w") as file:
        json.dump({"torch": torch.__version__, "size": size, "options": options}, file)
        file.write("\n")


if __name__ == "__main__":
    main()

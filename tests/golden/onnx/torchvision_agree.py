# SPDX-License-Identifier: Apache-2.0
"""Imports torchvision's own networks and compares what this program computes with PyTorch; prints one line a network.

usage: torchvision_agree.py HETEROSCOPE-CLI [TARGET] [NAME...]
Weights and the statistics of normalisations are drawn. Agreement: 1e-4 of the largest output; the exit code is 1 where a network
is refused or differs.
"""

import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import torch
import torchvision

NAMES = ("alexnet", "densenet121", "efficientnet_b0", "googlenet", "mnasnet1_0", "mobilenet_v2", "mobilenet_v3_large",
         "mobilenet_v3_small", "regnet_x_400mf", "regnet_y_400mf", "resnet18", "resnet50", "resnext50_32x4d",
         "squeezenet1_1", "vgg11_bn")


def drawn(name):
    """The network with weights and statistics for which signals neither vanish nor grow."""
    torch.manual_seed(5)
    options = {"init_weights": True, "aux_logits": False} if name == "googlenet" else {}
    model = getattr(torchvision.models, name)(weights=None, **options).eval()
    for module in model.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            module.running_mean.uniform_(-0.1, 0.1)
            module.running_var.uniform_(0.5, 1.5)
            with torch.no_grad():
                module.weight.uniform_(0.5, 1.5)
                module.bias.uniform_(-0.1, 0.1)
    return model


def compare(cli, target, name, folder):
    model = drawn(name)
    x = torch.randn((2, 3, 224, 224), generator=torch.Generator().manual_seed(3))
    with torch.no_grad():
        expected = model(x).numpy()
    onnx, given, computed = folder / f"{name}.onnx", folder / "in.npz", folder / "out.npz"
    torch.onnx.export(model, (x,), str(onnx), opset_version=17, input_names=["input"], output_names=["output"])
    np.savez(given, input=x.numpy())
    run = subprocess.run([cli, "evaluate", str(onnx), "--tensors", str(given), "--out", str(computed), "--target", target],
                         capture_output=True, text=True, check=False)
    onnx.unlink()
    if run.returncode != 0:
        return f"refused ({run.returncode}): {run.stderr.strip()[-300:]}", False
    error = np.abs(np.load(computed)["output"].reshape(expected.shape) - expected).max() / np.abs(expected).max()
    return f"differs by {error:.1e}", error < 1e-4


def main():
    cli, target = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "cpu/openmp"
    print(f"PyTorch {torch.__version__}, torchvision {torchvision.__version__}, {target}")
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in sys.argv[3:] or NAMES:
            said, good = compare(cli, target, name, pathlib.Path(folder))
            failed += not good
            print(f"{name:20} {'' if good else 'FAILED '}{said}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

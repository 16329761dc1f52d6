# SPDX-License-Identifier: Apache-2.0
"""Records how PyTorch trains two small networks: python3 generate.py (in this folder).

NAME_in.npz holds what `heteroscope-cli evaluate NAME.json --backward --steps N` is given, NAME_out.npz what it has to
give: outputs and gradients of the given weights, and the weights after N steps. Computed in double precision.
"""
import json
import pathlib
import platform

import numpy as np
import torch
from torch import nn

here = pathlib.Path(__file__).resolve().parent
torch.manual_seed(35)
torch.set_default_dtype(torch.float64)
STEPS = 4


class Residual(nn.Module):
    """What residual.json describes."""

    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(2, 6, 3, padding=1, bias=False)
        self.norm1 = nn.BatchNorm2d(6)
        self.wise = nn.Conv2d(6, 6, 3, padding=2, dilation=2, groups=6)
        self.norm2 = nn.BatchNorm2d(6, momentum=0.3)
        self.branch = nn.Conv2d(6, 4, (1, 3), stride=(1, 2), padding=(0, 1))
        self.head = nn.Linear(10, 3)

    def forward(self, x):
        keep = {}
        keep["stem"] = self.stem(x)
        keep["norm1"] = self.norm1(keep["stem"])
        keep["act1"] = nn.functional.relu6(keep["norm1"])
        keep["wise"] = self.wise(keep["act1"])
        keep["norm2"] = self.norm2(keep["wise"])
        keep["sum"] = keep["norm2"] + keep["act1"]
        keep["act2"] = nn.functional.leaky_relu(keep["sum"], 0.1)
        keep["pool"] = nn.functional.max_pool2d(keep["act2"], 3, 2, 1)
        keep["branch"] = self.branch(keep["act2"])
        keep["small"] = nn.functional.adaptive_avg_pool2d(keep["branch"], (4, 4))
        keep["join"] = torch.cat([keep["pool"], keep["small"]], 1)
        keep["mean"] = nn.functional.adaptive_avg_pool2d(keep["join"], 1)
        keep["flat"] = torch.flatten(keep["mean"], 1)
        keep["head"] = self.head(keep["flat"])
        return keep


class Regression(nn.Module):
    """What regression.json describes."""

    def __init__(self):
        super().__init__()
        self.first = nn.Linear(5, 8)
        self.second = nn.Linear(8, 2)

    def forward(self, x):
        keep = {"first": self.first(x)}
        keep["act"] = torch.sigmoid(keep["first"])
        keep["second"] = self.second(keep["act"])
        return keep


def record(name, model, optimizer, x, target, loss_of, last):
    """Float32 weights, so that both programs begin with the same ones."""
    with torch.no_grad():
        for tensor in model.parameters():
            tensor.copy_(tensor.to(torch.float32).to(torch.float64))
    x = torch.tensor(x.astype(np.float32).astype(np.float64), requires_grad=True)
    given = {"input": x.detach().numpy().astype(np.float32), "target": target}
    given.update({key: value.detach().numpy().astype(np.float32) for key, value in model.named_parameters()})
    expected, losses = {}, []
    for step in range(STEPS):
        outputs = model(x)
        loss = loss_of(outputs[last], torch.tensor(target))
        losses.append(loss.item())
        optimizer.zero_grad()
        loss.backward()
        if step == 0:
            expected = {key + ".output": value.detach().numpy() for key, value in outputs.items()}
            expected["output"] = expected[last + ".output"]
            expected["loss"] = np.array(loss.item())
            expected["input.grad"] = x.grad.numpy().copy()
            expected.update({key + ".grad": value.grad.numpy().copy() for key, value in model.named_parameters()})
        optimizer.step()
    expected.update({key: value.detach().numpy() for key, value in model.named_parameters()})
    expected.update({key: value.numpy() for key, value in model.named_buffers() if "num_batches" not in key})
    expected["losses"] = np.array(losses)
    np.savez(here / f"{name}_in.npz", **given)
    np.savez(here / f"{name}_out.npz", **{key: value.astype(np.float32) for key, value in expected.items()})


residual = Residual()
record("residual", residual,
       torch.optim.SGD(residual.parameters(), lr=0.05, momentum=0.9, nesterov=True, weight_decay=0.01),
       np.random.RandomState(35).uniform(-1, 1, (3, 2, 8, 8)), np.array([2, 0, 1]), nn.functional.cross_entropy, "head")
regression = Regression()
record("regression", regression,
       torch.optim.Adam(regression.parameters(), lr=0.01, betas=(0.8, 0.99), eps=1e-6, weight_decay=0.05),
       np.random.RandomState(36).uniform(-1, 1, (4, 5)),
       np.random.RandomState(37).uniform(-1, 1, (4, 2)).astype(np.float32).astype(np.float64),
       nn.functional.mse_loss, "second")
(here / "versions.json").write_text(
    json.dumps({"python": platform.python_version(), "numpy": np.__version__, "torch": torch.__version__}) + "\n")

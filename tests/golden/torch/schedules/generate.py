# SPDX-License-Identifier: Apache-2.0
"""Records the learning rates of PyTorch's schedules: python3 generate.py (in this folder).

Each case has the schedule as an experiment file writes it, the rate it begins with, steps an epoch, epochs, the
validation losses after each epoch where it looks at them, and the rate of every step.
"""
import json
import pathlib
import platform

import torch
from torch.optim import lr_scheduler

here = pathlib.Path(__file__).resolve().parent


def optimizer(rate):
    return torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=rate)


def rates(make, rate, per_epoch, epochs, by_step, losses=None):
    """The rate of each step; the schedule moves on after each step, or after each epoch."""
    opt = optimizer(rate)
    schedule = make(opt)
    seen = []
    for epoch in range(epochs):
        for step in range(per_epoch):
            seen.append(opt.param_groups[0]["lr"])
            opt.step()
            last = epoch == epochs - 1 and step == per_epoch - 1
            if by_step and not last:
                schedule.step()
        if not by_step:
            schedule.step(*([losses[epoch]] if losses else []))
    return seen


def warm_cosine(opt, warmup, steps, minimum):
    cosine = lr_scheduler.CosineAnnealingLR(opt, T_max=steps - warmup, eta_min=minimum)
    if warmup == 0:
        return cosine
    rising = lr_scheduler.LinearLR(opt, start_factor=1 / warmup, end_factor=1.0, total_iters=warmup - 1)
    return lr_scheduler.SequentialLR(opt, [rising, cosine], milestones=[warmup])


def case(into, schedule, make, rate, per_epoch, epochs, by_step, losses=None):
    into.append({
        "schedule": schedule, "learning_rate": rate, "steps_per_epoch": per_epoch, "epochs": epochs,
        "validation_losses": losses or [], "rates": rates(make, rate, per_epoch, epochs, by_step, losses)})


def main():
    into = []
    case(into, {"type": "step", "gamma": 0.3, "every": 2},
         lambda opt: lr_scheduler.StepLR(opt, step_size=2, gamma=0.3), 0.1, 3, 7, False)
    case(into, {"type": "exponential", "gamma": 0.9},
         lambda opt: lr_scheduler.ExponentialLR(opt, gamma=0.9), 0.02, 2, 6, False)
    for warmup, minimum in ((0, 0.0), (5, 0.001), (12, 0.0)):
        case(into, {"type": "cosine", "warmup_steps": warmup, "minimum": minimum},
             lambda opt, w=warmup, m=minimum: warm_cosine(opt, w, 28, m), 0.05, 7, 4, True)
    for rising in (0.3, 0.5, 0.1):
        case(into, {"type": "one_cycle", "rising": rising},
             lambda opt, p=rising: lr_scheduler.OneCycleLR(
                 opt, max_lr=0.4, total_steps=30, pct_start=p, cycle_momentum=False), 0.4, 6, 5, True)
    losses = [1.0, 0.8, 0.8, 0.79995, 0.81, 0.9, 0.5, 0.6, 0.6, 0.6, 0.7, 0.55, 0.5, 0.52, 0.53]
    case(into, {"type": "plateau", "gamma": 0.1, "patience": 2, "minimum": 0.0005},
         lambda opt: lr_scheduler.ReduceLROnPlateau(opt, factor=0.1, patience=2, min_lr=0.0005), 0.1, 2,
         len(losses), False, losses)
    case(into, {"type": "plateau", "gamma": 0.5, "patience": 0, "minimum": 0},
         lambda opt: lr_scheduler.ReduceLROnPlateau(opt, factor=0.5, patience=0), 0.1, 1, len(losses), False, losses)
    (here / "rates.json").write_text(json.dumps(into, indent=1) + "\n")
    (here / "versions.json").write_text(
        json.dumps({"torch": torch.__version__, "python": platform.python_version()}) + "\n")


main()

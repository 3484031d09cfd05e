"""The program that `probe` runs in a child process: it uses what the switches make possible."""

from __future__ import annotations

import torch
from torch import nn

from . import switchboard
from .platform.probe import FINISHED


def exercise() -> None:
    """Use what the switches make possible, then print `FINISHED`."""
    switchboard.enable(
        4, quiet=True, allow_untested_torch=True, hide_real_gpus=True, skip_probe=True
    )
    net = nn.Sequential(nn.Conv2d(1, 4, 3), nn.Flatten(), nn.Dropout(), nn.Linear(16, 2))
    replicated = nn.DataParallel(net.cuda())
    optimizer = torch.optim.Adam(replicated.parameters())
    images, labels = torch.randn(8, 1, 4, 4, device="cuda"), torch.zeros(8, dtype=torch.long)
    nn.functional.cross_entropy(replicated(images), labels.cuda()).backward()
    optimizer.step()
    there = torch.arange(4.0).pin_memory().to("cuda:3", non_blocking=True)
    torch.cuda.synchronize()
    _expect((there.cuda(1) + 1).sum().item() == 10 and str((there + 1).device) == "cuda:3")
    _expect(all(getattr(p.grad, "is_cuda", False) for p in net.parameters()))
    try:
        torch.ones(1, device="cuda:4")
    except torch.AcceleratorError:
        pass
    else:
        _expect(False)
    switchboard.disable()
    _expect(not torch.cuda.is_available() and torch.ones(2).sum().item() == 2)
    switchboard.enable(2, quiet=True, allow_untested_torch=True, skip_probe=True)
    living = torch.ones(2, device="cuda:1", requires_grad=True)
    (living * 2).sum().backward()
    print(FINISHED)  # and end with a live tensor, as programs do


def _expect(fact: bool) -> None:
    if not fact:
        raise RuntimeError("a value or a device was wrong")


if __name__ == "__main__":
    exercise()

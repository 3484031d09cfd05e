"""Functions of train.py for `train_epoch` as one of two processes; runs in train.py's own process.

There is no second process; its losses are taken to be those of equal images. So each batch has
twice as many images, half of which are here, and this process trains what it would train alone.
"""

import copy
import json
from argparse import Namespace
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import torch


def join(program: dict[str, Any], file: str) -> None:
    """Give `program`, the globals of train.py, the functions of one of two processes.

    file: the path of a JSON file, written after each epoch: how each function was called.
    """
    alone, seen, sums = dict(program), dict[str, str](), list[object]()

    def batches_of(count: int, size: int) -> list[list[int]]:
        return alone["batches_of"](count // 2, size // 2)

    def load(
        data: list[Any], batches: list[list[int]], device: torch.device, workers: int
    ) -> Iterable[Any]:
        seen["load"] = f"{workers} workers"
        return alone["load"](data, batches, device, 0)

    def batches_ahead(loader: Iterable[Any], device: torch.device) -> Iterable[Any]:
        seen["batches_ahead"] = "called"
        return alone["batches_ahead"](loader, device)

    def train_batch(
        model: torch.nn.Module, images: torch.Tensor, targets: torch.Tensor, args: Namespace
    ) -> torch.Tensor:
        seen["train_batch"] = "called"
        here = copy.copy(args)
        here.batch //= 2  # as DDP, which takes the mean over processes
        return alone["train_batch"](model, images, targets, here)

    def total(tensor: object) -> torch.Tensor:
        if not hasattr(tensor, "mul_"):
            raise TypeError(f"total adds up tensors, not objects of type {type(tensor).__name__}")
        again = any(tensor is one for one in sums)
        if again:
            seen["total"] = "called with its own result"
        elif len(sums) == 2:  # the loss, and perhaps a count, were all
            seen["total"] = "called again and again"
        elif seen["total"] == "not called":
            seen["total"] = "called"
        sums.append(tensor)
        return tensor.mul_(2)  # in place, as `all_reduce`

    others = (batches_of, load, batches_ahead, train_batch, total)

    def train_epoch(
        model: torch.nn.Module,
        data: list[Any],
        optimizer: torch.optim.Optimizer,
        device: torch.device,
        args: Namespace,
    ) -> float:
        sums.clear()
        seen.update(dict.fromkeys(("load", "batches_ahead", "train_batch", "total"), "not called"))
        program.update({other.__name__: other for other in others}, RANKS=2)
        try:
            return alone["train_epoch"](model, data + data, optimizer, device, args)
        finally:
            program.update({other.__name__: alone[other.__name__] for other in others}, RANKS=1)
            Path(file).write_text(json.dumps(seen), encoding="utf-8")

    for function in others:  # for the text of errors
        function.__qualname__ = function.__name__
    program["train_epoch"] = train_epoch

"""Observe `train_batch` of train.py: gradients and losses of one batch, part by part."""

import inspect
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import torch

from course_utils.experiments.waits import with_waits
from exercise_kit import Facts, Observer

from ..observing import Counting


class Model(Counting):
    """The model, which also notes what it computes.

    _seen: the numbers of the images, in order.
    _cast: whether autocast was on in each call. _synced: whether it was outside of `no_sync`.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__(data)
        self._seen, self._cast, self._synced = list[int](), list[bool](), list[bool]()
        self._syncs = True

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """The scores of the images, whose first number is their own."""
        kind = self.linear.weight.device.type
        half = torch.get_autocast_dtype(kind) is torch.bfloat16
        self._cast.append(torch.is_autocast_enabled(kind) and half)
        self._seen += [round(number * 64) for number in images[:, 0].tolist()]
        self._synced.append(self._syncs)
        return super().forward(images)


class Rank(Model):
    """The model of one of several processes; it exchanges nothing, and notes when it would."""

    @contextmanager
    def no_sync(self) -> Iterator[None]:
        """As DDP's: what is computed in the block is not exchanged."""
        was, self._syncs = self._syncs, False
        try:
            yield
        finally:
            self._syncs = was


class TrainBatch(Observer):
    """Facts: `images`, the numbers of the images; `most`, those in memory at a time; `cast`,
    whether autocast was on; `exchanges`, the parts with one, counted from the last, which is 1;
    `form` of the loss; `waits`; and `gradients` and `loss`, or both in `rough` for bfloat16."""

    gpus = None
    parameters = ("model", "images", "targets", "args")

    def prepare(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """The data of the case."""
        return dict(data)

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        """The facts of one batch."""
        ranks, program = inputs["ranks"], inspect.unwrap(answer).__globals__
        model = (Rank if ranks > 1 else Model)(inputs)
        images = torch.tensor(inputs["images"], device=inputs["device"])
        targets = torch.tensor(inputs["targets"], device=inputs["device"])
        args = Namespace(batch=inputs["batch"], parts=inputs["parts"], bf16=inputs["bf16"])
        before = {name: program[name] for name in ("RANKS",) if name in program}
        program["RANKS"] = ranks  # a name of train.py
        try:
            loss, waits = with_waits(answer, model, images, targets, args)
        finally:
            del program["RANKS"]
            program.update(before)
        waits -= _READ * len(model._synced) * images.is_cuda
        numbers = [each.grad for each in model.linear.parameters()]
        gradients = [None if each is None else each.flatten().tolist() for each in numbers]
        form, value = _loss(loss, images.device)
        rough = {"rough": [*gradients, value]}
        count = len(model._synced)
        return {
            "images": model._seen,
            "most": model._most,
            "cast": sorted(set(model._cast)),
            "exchanges": [count - n for n in range(count) if model._synced[n] and ranks > 1],
            "form": form,
            "waits": waits,
            **(rough if inputs["bf16"] else {"gradients": gradients, "loss": value}),
        }


_READ = 1
"""Waits of a call of the model, which reads the numbers of its images."""


def _loss(loss: Any, device: torch.device) -> tuple[str, float | None]:
    """The form of a loss in words, and its value."""
    if not isinstance(loss, torch.Tensor):
        return f"of type {type(loss).__name__}", None
    graph = "with" if loss.requires_grad else "without"
    where = "the device of the images" if loss.device == device else str(loss.device)
    value = float(loss.detach()) if loss.numel() == 1 else None
    return f"a tensor of {loss.numel()} on {where}, {graph} a graph", value


observer = TrainBatch()

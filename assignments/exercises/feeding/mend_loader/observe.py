"""Observe `mend_loader`: the result, who decoded each picture, and copies between devices.

The workers are real. They are forked, so that what the dataset holds need not be pickled; what they
do is noted in memory that they share with this process.
"""

import re
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.utils.data import get_worker_info

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe
from course_utils.experiments import datasets
from course_utils.experiments.copies import count_copies

# Imported for what it registers: no garbage is collected in a forked worker, where the iterator of
# an earlier cell would take itself for the owner of other workers.
assert datasets

_MAIN, _NOBODY = -1, -2


class _Inputs(NamedTuple):
    names: list[str]
    pictures: list[list[float]]
    mean: Tensor
    model: nn.Module
    device: torch.device


class MendLoader(Observer):
    """Facts: `result`, `copies` by route, and `decoded_by`.

    The latter gives a worker's number for each picture, -1 for the main process and -2 for nobody.
    """

    parameters = ("names", "decode", "mean", "model", "device")

    def prepare(self, data: Mapping[str, Any]) -> _Inputs:
        device = torch.device(data["device"])
        weight = torch.tensor(data["weight"])
        model = nn.Linear(weight.shape[1], weight.shape[0], bias=False)
        with torch.no_grad():
            model.weight.copy_(weight)
        names = [f"{number:03}.jpg" for number in range(len(data["pictures"]))]
        mean = torch.tensor(data["mean"], device=device)
        return _Inputs(names, data["pictures"], mean, model.to(device), device)

    def observe(self, answer: Callable[..., Any], inputs: _Inputs) -> Facts:
        numbers = {name: number for number, name in enumerate(inputs.names)}
        decoded_by = torch.full((len(numbers),), _NOBODY).share_memory_()

        def decode(name: str) -> Tensor:
            worker = get_worker_info()
            decoded_by[numbers[name]] = _MAIN if worker is None else worker.id
            return torch.tensor(inputs.pictures[numbers[name]])

        with torch.random.fork_rng(devices=[]), count_copies() as copies:
            try:
                result = answer(
                    list(inputs.names), decode, inputs.mean, inputs.model, inputs.device
                )
            except Exception as raised:
                _shorten(raised.__cause__)
                # The frames hold the loader's iterator. Left to the garbage collector, it might be
                # collected in a worker that is forked later, and hold everybody up.
                _release(raised)
                raise
        return {
            "result": describe(result),
            "copies": [[*route, count] for route, count in copies.by_route.items()],
            "decoded_by": decoded_by.tolist(),
        }


def _release(error: BaseException | None) -> None:
    """Let go of what the frames hold through which an exception went, and its causes."""
    while error is not None:
        traceback.clear_frames(error.__traceback__)
        error = error.__cause__ or error.__context__


def _shorten(error: BaseException | None) -> None:
    """Leave out of a worker's traceback whatever is not in the learner's cell.

    What is left is the same on every machine, and short enough to be read.
    """
    first, found, rest = str(error).partition("Original Traceback (most recent call last):\n")
    if error is None or not found:
        return
    frames = re.findall(r'^  File "(.*)", (line \d+, in .*)\n((?:    .*\n)*)', rest, re.M)
    kept = [
        f'  File "your cell", {place}\n    {code.splitlines()[0].strip()}\n'
        for file, place, code in frames
        if code and not Path(file).is_file()
    ]
    said = re.sub(r"^  .*\n?", "", rest, flags=re.M).strip()
    error.args = (f"{first}{found}{''.join(kept)}{said}",)


observer = MendLoader()

"""Observe `fix_loader`: the result, who decoded each picture, and copies between devices.

The workers are real. They are forked, so that what the dataset holds need not be pickled; what they
do is noted in memory that they share with this process.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch
from torch import nn
from torch.utils.data import get_worker_info

from course_utils.experiments import forks
from course_utils.experiments.copies import count_copies
from exercise_kit.contract import Facts, Observer
from exercise_kit.facts import describe

# Imported for what it registers: no garbage is collected in a forked worker, where the iterator of
# an earlier cell would take itself for the owner of other workers.
assert forks


class MendLoader(Observer):
    """Facts: `shape`, `device` and `values` of the result, or else `form`; `decoded_by`, all who
    decoded a picture; and copies, `back` to the CPU and `over` to a GPU.
    """

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        """The facts of one call.

        Raises what `answer` raises, with a shorter traceback of a worker as its cause.
        """
        device, weight = torch.device(inputs["device"]), torch.tensor(inputs["weight"])
        model = nn.Linear(3, 2, bias=False)
        model.weight.data.copy_(weight)
        mean = torch.tensor(inputs["mean"], device=device)
        numbers = {f"{number:03}.jpg": number for number in range(len(inputs["pictures"]))}
        decoded_by = torch.zeros(len(numbers), dtype=torch.int64).share_memory_()

        def decode(name: str) -> torch.Tensor:
            worker = get_worker_info()
            decoded_by[numbers[name]] = 1 if worker is None else 2 + worker.id
            return torch.tensor(inputs["pictures"][numbers[name]])

        decode.__qualname__ = "<locals>.decode"  # what an error names that cannot pickle it
        model = model.to(device)
        with torch.random.fork_rng(devices=[]), count_copies() as copies:
            torch.default_generator.manual_seed(0)  # an order that is drawn is always the same
            try:
                result = answer(list(numbers), decode, mean, model, device)
            except Exception as raised:
                _shorten(raised.__cause__)
                raise
        seen = describe(result)
        is_tensor, parts = seen["type"] == "Tensor", ("shape", "device", "values")
        back = sum(count for (_, end), count in copies.by_route.items() if end == "cpu")
        return {
            **({key: seen.get(key) for key in parts} if is_tensor else {"form": seen}),
            "decoded_by": [_who(number) for number in sorted({*decoded_by.tolist()})],
            "back": back,
            "over": copies.total - back,
        }


def _who(number: int) -> str:
    return f"worker {number - 2}" if number > 1 else ("nobody", "the main process")[number]


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

"""Observe `two_ranks`: the ranks are real processes, on virtual GPUs."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from exercise_kit import Facts

from ..launching import OnRanks, by_rank

_BEFORE = """
import os
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler
"""
_AFTER = """
import virtual_cuda
from torch.utils.data import TensorDataset

def facts():
    used, model = [], nn.Linear(2, 1, bias=False)
    weight = torch.tensor([{weight}])
    model.load_state_dict({{"weight": weight}})
    model.register_forward_pre_hook(lambda layer, args: used.extend((32 * args[0][:, 0]).tolist()))
    tags = torch.arange(float({samples}))
    inputs = torch.stack([tags / 32, torch.ones_like(tags)], dim=1)
    dataset = TensorDataset(inputs, tags[:, None] / 8)
    result = two_ranks(model, dataset)
    number = model.weight.device.index
    place = "the CPU" if number is None else virtual_cuda.machine().visible_devices[number]
    after = model.weight.detach().cpu()
    told = [place, used, after[0].tolist(), type(result).__name__]
    if dist.is_initialized():
        dist.destroy_process_group()
    return told
"""


_STEP = 4  # samples of a rank
_RATE = 0.1


def _alone(weight: Sequence[float], used: Sequence[Sequence[float]]) -> list[float]:
    """The weights that a single process learns from the same samples in the same steps."""
    slope, shift = weight
    for first in range(0, len(used[0]), _STEP):
        tags = [tag for each in used for tag in each[first : first + _STEP]]
        errors = [slope * tag / 32 + shift - tag / 8 for tag in tags]
        pairs = zip(errors, tags, strict=True)
        slope -= _RATE * 2 * sum(error * tag / 32 for error, tag in pairs) / len(tags)
        shift -= _RATE * 2 * sum(errors) / len(tags)
    return [slope, shift]


class TwoRanks(OnRanks):
    """Facts: the first `error` of a rank; `gpus`, by rank; `times`: how often each sample was used;
    whether the weights are `equal`, and are those of a single process; the type of the result, by
    rank."""

    parameters = ("model", "dataset")
    name = "two_ranks"
    imports = _BEFORE

    def observe(self, answer: Any, inputs: Any) -> Facts:
        """The facts of two processes that define and call the answer."""
        found, error = self.ranks(answer, _AFTER.format(**inputs))
        if error:
            return {"error": error}
        places, used, weights, types = (list(each) for each in zip(*found, strict=True))
        alone = _alone(inputs["weight"], used)
        near = [abs(a - b) < 1e-3 for a, b in zip(weights[0], alone, strict=True)]
        times = Counter(round(tag) for each in used for tag in each)
        return {
            "error": None,
            "gpus": by_rank(places),
            "times": [times[number] for number in range(inputs["samples"])],
            "equal": weights[0] == weights[1],
            "as_one": all(near),
            "returned": by_rank(types),
        }


observer = TwoRanks()

"""Observe `fix_visible`: the scores, where they are, and what was copied to each GPU."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import torch
from torch import nn

from course_utils.checking.observers import DeviceCall
from exercise_kit import Facts
from exercise_kit.facts import describe

GPUS = [f"cuda:{index}" for index in range(4)]


class MendVisible(DeviceCall):
    """Facts: `form` of what is no list of tensors, or else `devices` and `scores`; `changed`.

    surplus: for each GPU the bytes that it got beyond its batches and one model or, below 0, those
    of its batches that it did not get; none where no copy was seen at all.
    written: whether `CUDA_VISIBLE_DEVICES` has another value afterwards.
    """

    gpus = len(GPUS)

    def prepare(self, data: Mapping[str, Any]) -> list[Any]:
        """The value of the variable, the model, and the batches, all on the CPU."""
        model = nn.Linear(len(data["weight"][0]), len(data["weight"]))
        model.load_state_dict({name: torch.tensor(data[name]) for name in ("weight", "bias")})
        return [data["visible"], model, [torch.tensor(batch) for batch in data["batches"]]]

    def observe(self, answer: Callable[..., Any], inputs: list[Any]) -> Facts:
        """The facts of one call."""
        _, model, batches = inputs
        kept = [tensor.detach() for tensor in model.parameters()]  # so its memory is not used again
        before = state(model)
        needs = [size(batches[index::4]) for index in range(4)]
        variable = os.environ.get("CUDA_VISIBLE_DEVICES")
        facts = super().observe(answer, inputs)
        result, changed = facts["result"], facts["changed"]
        items = result.get("items") if result["type"] in ("list", "tuple") else None
        if items is None or any(item["type"] != "Tensor" for item in items):
            scored = {"form": result}
        else:
            scored = {"devices": [item["device"] for item in items], "scores": items}
        return {
            "changed": changed if state(model) == before else [*changed, "model"],
            "surplus": surplus(facts["bytes"], needs, size(kept)),
            "written": os.environ.get("CUDA_VISIBLE_DEVICES") != variable,
            **scored,
        }


def state(model: nn.Module) -> tuple[dict[str, Any], bool, list[tuple[bool, int]]]:
    """What an answer could leave changed: numbers, modes, and the place in memory."""
    switches = [(t.requires_grad, t.data_ptr()) for t in model.parameters()]
    return describe(dict(model.state_dict())), model.training, switches


def surplus(routes: Sequence[Any], needs: Sequence[int], model: int) -> dict[str, int]:
    """The bytes of each GPU, as in `MendVisible`; needs: of its batches, model: of one model."""
    arrived = [sum(count for _, target, count in routes if target == gpu) for gpu in GPUS]
    found = {
        gpu: max(got - need - model, 0) + min(got - need, 0)
        for gpu, got, need in zip(GPUS, arrived, needs, strict=True)
    }
    return {gpu: count for gpu, count in found.items() if count and any(arrived)}


def size(tensors: Iterable[torch.Tensor]) -> int:
    """The bytes of the elements of all tensors."""
    return sum(tensor.numel() * tensor.element_size() for tensor in tensors)

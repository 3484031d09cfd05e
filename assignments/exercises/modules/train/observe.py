"""Observe `train`: the trained weights, the loss, and the copies of a call."""

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import nn

from course_utils.checking.observers import DeviceCall, build, weights
from course_utils.experiments.waits import with_waits
from exercise_kit import Facts
from exercise_kit.facts import raised_text

from ..observing import places


class Training(DeviceCall):
    """Facts: `raised`, an error of torch as text, or None; `weights` and `place` of the net; and
    the `loss`.

    kept: settings of the net that the call changed. changed: whether it changed the batches.
    inward: the number of copies to GPUs. outward: the bytes that were copied to the CPU. read: the
    count of single numbers that were fetched from a GPU. waits: the count of all waits for a GPU.
    """

    def observe(self, answer: Callable[..., Any], inputs: list[Any]) -> Facts:
        """The facts of one call."""
        net, *_ = inputs
        before = settings(net)
        try:
            facts = super().observe(answer, inputs)
        except Exception as error:
            inner = error.__cause__ or error
            if not isinstance(inner, RuntimeError) or isinstance(inner, NotImplementedError):
                raise
            return {"raised": raised_text(inner), "changed": []}
        return {
            "raised": None,
            "changed": [name for name in facts["changed"] if name != "net"],
            "kept": [name for name, value in settings(net).items() if value != before[name]],
            "place": sorted({device for _, device in places(net)}),
            "weights": weights(net.cpu()),
            "loss": facts["result"],
            "inward": sum(n for _, target, n in facts["copies"] if target != "cpu"),
            "outward": sum(size for _, target, size in facts["bytes"] if target == "cpu"),
            "read": facts["read"],
            "waits": self._waits,
        }

    def call(self, answer: Callable[..., Any], inputs: list[Any]) -> Any:
        """The result of the answer; counts copies and waits."""
        result, self._waits = with_waits(super().call, answer, inputs)
        return result


def settings(net: nn.Module) -> dict[str, list[bool]]:
    """The modes of the modules in a net, and whether its parameters need gradients, by name."""
    return {
        "training mode": [module.training for module in net.modules()],
        "requires_grad": [parameter.requires_grad for parameter in net.parameters()],
    }


def net_of(described: Mapping[str, Any]) -> nn.Module:
    """A net of one or two layers, whose weights rise in even steps."""
    hidden = described["hidden"]
    net = nn.Sequential(nn.Linear(3, hidden), nn.Linear(hidden, 2)) if hidden else nn.Linear(3, 2)
    with torch.no_grad():
        for parameter in net.parameters():
            rising = torch.linspace(-0.5, 1, parameter.numel()) * described["slope"]
            parameter.copy_(rising.view_as(parameter))
    return net.to(described["start"]).train(described["training"])


def pairs_of(described: list[Mapping[str, Any]]) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """The batches with their labels, on the CPU."""
    return [(build(each["batch"]), torch.tensor(each["labels"])) for each in described]


observer = Training(make={"net": net_of, "batches": pairs_of, "device": torch.device})

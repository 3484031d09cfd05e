"""Observe `training_bytes`: the dict that comes back, and what was copied or changed for it."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any, cast

import torch
from torch import nn
from torch.optim import Optimizer

from course_utils.experiments.copies import count_copies
from exercise_kit.contract import Facts, Observer
from exercise_kit.facts import describe
from exercise_kit.observers import settled
from exercise_kit.stand_ins import standing_in


def _peaks_kept(caller: Callable[..., Any]) -> AbstractContextManager[None]:
    """Let nothing that `caller` resets of a GPU's statistics be forgotten while the body runs."""
    names = ("reset_peak_memory_stats", "reset_max_memory_allocated", "reset_max_memory_cached")
    places = [f"torch.cuda{inner}.{name}" for inner in ("", ".memory") for name in names]
    places += ["torch.accelerator.reset_peak_memory_stats"]
    return standing_in(dict.fromkeys(places, lambda device=None: None), caller)


def _model(data: Mapping[str, Any]) -> nn.Sequential:
    """A layer on each device and one more, with a norm, a tied or a frozen layer where asked."""
    width, last = data["width"], data["devices"][-1]
    dtype = getattr(torch, data["dtype"])
    places = [*data["devices"], last]
    model = nn.Sequential(*(nn.Linear(width, width, device=at, dtype=dtype) for at in places))
    if data.get("tied"):
        model[-1].weight = model[-2].weight
    if data.get("norm"):
        model.insert(1, nn.BatchNorm1d(width, device=last, dtype=dtype))
    if data.get("unsaved"):
        model.register_buffer("scale", torch.ones(width, device=last, dtype=dtype), False)
    if data.get("view"):
        larger = torch.ones(3, width, device=last, dtype=dtype)
        model.register_buffer("scale", larger[1])
        model[0].register_buffer("scale", cast(torch.Tensor, model.scale))
    model[0].requires_grad_(not data.get("frozen"))
    return model


class TrainingBytes(Observer):
    """Facts: `keys` and the number under each, or else `form`; `copies` between devices, bytes
    `taken` on GPUs meanwhile, and `kept`, whether model and optimizer are as before.
    """

    def prepare(self, data: Mapping[str, Any]) -> tuple[nn.Module, Optimizer, torch.device]:
        """The model that is asked about, its optimizer after the steps, and the device."""
        model = _model(data)
        updated = model[-1] if data.get("head_only") else model
        make = getattr(torch.optim, data["optimizer"])
        optimizer = make(updated.parameters(), **data["settings"])
        for _ in range(data["steps"]):
            for parameter in model.parameters():
                parameter.grad = torch.ones_like(parameter) if parameter.requires_grad else None
            optimizer.step()
        if data.get("cleared"):
            optimizer.zero_grad()
        if data.get("frozen_since"):
            model[0].requires_grad_(False)
        for parameter, state in optimizer.state.items() if data.get("numbers") else ():
            history = [torch.zeros_like(parameter)]
            state |= {"updates": data["steps"], "history": history, "last_error": None}
        asked = model[:1] if data.get("one_of_two") else model
        return asked, optimizer, torch.device(data["device"])

    def observe(
        self, answer: Callable[..., Any], inputs: tuple[nn.Module, Optimizer, torch.device]
    ) -> Facts:
        """The facts of one call."""
        model, optimizer, device = inputs
        before = _state(model, optimizer)
        gpus = {parameter.device for parameter in model.parameters()}
        for gpu in gpus:
            torch.cuda.reset_peak_memory_stats(gpu)
        held = sum(map(torch.cuda.memory_allocated, gpus))
        with count_copies() as copies, _peaks_kept(answer):
            result = settled(answer(model, optimizer, device))
        taken = sum(map(torch.cuda.max_memory_allocated, gpus)) - held
        kept = before == _state(model, optimizer)
        told = {str(key): describe(n) for key, n in result.items()} if type(result) is dict else {}
        is_right = type(result) is dict and all(n["type"] == "int" for n in told.values())
        numbers = {key: n["value"] for key, n in told.items()} if is_right else {}
        found = {**numbers, "keys": sorted(numbers)} if is_right else {"form": describe(result)}
        return {**found, "copies": copies.total, "taken": taken, "kept": kept}


def _state(model: nn.Module, optimizer: Optimizer) -> list[str]:
    """Where everything is, its numbers, and which states there are.

    A look-up in `optimizer.state` leaves an empty dict behind, which changes nothing.
    """
    parameters = list(model.parameters())
    tensors = [*parameters, *(p.grad for p in parameters), *model.buffers()]
    told = [str(t if t is None else (t.device, t.dtype, t.tolist())) for t in tensors]
    return told + [str(sorted(state)) for state in optimizer.state.values() if state]

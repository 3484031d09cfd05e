"""Observe `load_anywhere`: the model afterwards, and what the loading touched on its way."""

from collections.abc import Callable, Mapping
from typing import Any

import torch

from exercise_kit import Facts
from exercise_kit.facts import describe
from exercise_kit.observers import attempt, entries

from ..observing import Loading, fill, model_of

_BOARDED: list[bool] = []


def _board() -> None:
    _BOARDED.append(True)


class Stowaway:
    """Runs a function when it is unpickled, as a file from a stranger may."""

    def __reduce__(self) -> tuple[Callable[[], None], tuple[()]]:
        return _board, ()


class LoadAnywhere(Loading):
    """Facts: `ran` (code from the file); `objects_refused`, `keys_refused`, `one_more_refused` or
    `numbers_refused`, for a file with such a fault; `returned`, and the model's `devices`,
    `dtypes` (of floats) and `values`."""

    def content(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """A state dict, and what the case's fault adds."""
        content = model_of(data["names"]).state_dict()
        fill(content.values(), data["values"])
        front = "module." if data["fault"] == "keys" else ""
        more: dict[str, dict[str, Any]] = {
            "objects": {"notes": Stowaway()},
            "one_more": {"spare.bias": torch.zeros(2)},
            "numbers": {"epoch": 3},
        }
        content = {front + key: tensor for key, tensor in content.items()}
        return content | more.get(data["fault"], {})

    def model(self, data: Mapping[str, Any]) -> torch.nn.Module:
        """A model full of zeros, where the case has it at the start."""
        model = model_of(data["names"]).to(data["start"], getattr(torch, data["dtype"]))
        fill(model.state_dict().values(), [0.0] * 18)
        return model

    def observe(self, answer: Callable[..., Any], inputs: Any) -> Facts:
        """The facts of one call. An error counts as a refusal if the file has a fault."""
        fault, observe = inputs[-1]["fault"], super().observe
        _BOARDED.clear()
        facts, error = attempt(lambda: observe(answer, inputs), lambda _: bool(fault))
        refused = {f"{fault}_refused": bool(error)} if fault else {}
        return {"ran": bool(_BOARDED), **refused, **(facts or {})}

    def facts(self, result: Any, model: torch.nn.Module) -> Facts:
        """What was returned, and the devices, dtypes and values of the model."""
        state = dict(entries(model))
        floats = [tensor for tensor in state.values() if tensor.is_floating_point()]
        return {
            "returned": "the model" if result is model else describe(result),
            "devices": ", ".join(sorted({str(tensor.device) for tensor in state.values()})),
            "dtypes": ", ".join(sorted({str(tensor.dtype) for tensor in floats})),
            "values": {key: tensor.tolist() for key, tensor in state.items()},
        }

"""Observe `clean_keys`: the new keys, which tensors are under them, and the input afterwards."""

import copy
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

import torch

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe

StateDict = dict[str, torch.Tensor]


class CleanKeys(Observer):
    """Facts: `is_dict`, `result` (a dict's keys, or anything else), `kept` (the tensors, in order),
    `metadata` (None if there is none), `changed` (the parameter that is not as before)."""

    parameters = ("state_dict", "prefixes")
    needs_devices = False
    seconds = 2.0  # a loop that never ends is a likely mistake here

    def prepare(self, data: Mapping[str, Any]) -> list[Any]:
        given: StateDict = {key: torch.full((1,), i) for i, key in enumerate(data["keys"])}
        if data["versions"] is not None:
            given = OrderedDict(given)
            given._metadata = OrderedDict(  # type: ignore[attr-defined]
                (name, {"version": version}) for name, version in data["versions"].items()
            )
        # Without prefixes the answer is called with the state dict alone, and uses its default.
        return [given] if data["prefixes"] is None else [given, tuple(data["prefixes"])]

    def observe(self, answer: Callable[..., Any], inputs: list[Any]) -> Facts:
        given: StateDict = inputs[0]
        before, metadata = list(given.items()), copy.deepcopy(_metadata(given))
        result = answer(*inputs)
        after = list(given.items())
        untouched = len(after) == len(before) and all(
            key == old and value is tensor
            for (key, value), (old, tensor) in zip(after, before, strict=True)
        )
        is_dict = isinstance(result, dict)
        tensors = list(result.values()) if is_dict else []
        return {
            "is_dict": is_dict,
            "result": describe(list(result) if is_dict else result),
            "kept": len(tensors) == len(before)
            and all(new is old for new, (_, old) in zip(tensors, before, strict=True)),
            "metadata": describe(_plain(_metadata(result))),
            "changed": [] if untouched and _metadata(given) == metadata else ["state_dict"],
        }


def _metadata(state_dict: Any) -> Any:
    return getattr(state_dict, "_metadata", None)


def _plain(metadata: Any) -> Any:
    return dict(metadata) if isinstance(metadata, dict) else metadata


observer = CleanKeys()

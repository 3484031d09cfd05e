"""Observe `saving.clean_keys` and `saving.explain_load_error`."""

import copy
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe


class CleanKeys(Observer):
    """Facts: the keys and their values, the metadata, and the state dict that was given."""

    name = "saving.clean_keys"
    parameters = ("state_dict", "prefixes")
    needs_devices = False

    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        given: dict[str, torch.Tensor] = {
            key: torch.full((1,), float(i)) for i, key in enumerate(data["keys"])
        }
        if data["versions"] is not None:
            given = OrderedDict(given)
            given._metadata = OrderedDict(  # type: ignore[attr-defined]
                (name, {"version": version}) for name, version in data["versions"].items()
            )
        before, metadata = list(given.items()), copy.deepcopy(getattr(given, "_metadata", None))
        more = [] if data["prefixes"] is None else [tuple(data["prefixes"])]
        result = answer(given, *more)
        facts: dict[str, Any] = {
            "type": type(result).__name__,
            "dict": isinstance(result, dict),
            "kept": _same(list(given.items()), before)
            and getattr(given, "_metadata", None) == metadata,
        }
        if facts["dict"]:
            values = list(result.values())
            numbers = {id(value): number for number, (_, value) in enumerate(before)}
            facts["keys"] = [str(key) for key in result]
            facts["values"] = [numbers.get(id(value), -1) for value in values]
            found = getattr(result, "_metadata", None)
            if isinstance(found, dict):
                facts["metadata"] = [[str(name), describe(entry)] for name, entry in found.items()]
        return facts


def _same(items: Sequence[tuple[str, Any]], others: Sequence[tuple[str, Any]]) -> bool:
    return len(items) == len(others) and all(
        key == other and value is kept
        for (key, value), (other, kept) in zip(items, others, strict=True)
    )


class ExplainLoadError(Observer):
    """Facts: what was said, and whether model and state dict are what they were."""

    name = "saving.explain_load_error"
    parameters = ("model", "state_dict")
    needs_devices = False

    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        model = skeleton(data["model"])
        given = OrderedDict((key, torch.ones(shape)) for key, shape in data["file"])
        keys = list(given)
        before = model.state_dict(keep_vars=True)
        said = answer(model, given)
        after = model.state_dict(keep_vars=True)
        return {
            "said": describe(said),
            "model_kept": before.keys() == after.keys()
            and all(after[key] is before[key] for key in before)
            and not any(tensor.any() for tensor in after.values()),
            "file_kept": list(given) == keys,
        }


def skeleton(entries: Sequence[Sequence[Any]]) -> torch.nn.Module:
    """A module with these entries, all zeros: `(key, shape, kind)`.

    kind: "parameter", "buffer", or "passing buffer", which a state dict does not contain.
    """
    root = torch.nn.Module()
    for key, shape, kind in entries:
        *path, name = key.split(".")
        module = root
        for part in path:
            if part not in dict(module.named_children()):
                module.add_module(part, torch.nn.Module())
            module = module.get_submodule(part)
        if kind == "parameter":
            module.register_parameter(name, torch.nn.Parameter(torch.zeros(shape)))
        else:
            module.register_buffer(name, torch.zeros(shape), persistent=kind == "buffer")
    return root

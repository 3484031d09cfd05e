"""Cases of `weights`: a wrapper or none, real parts called `module`, and few GPUs or none."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from exercise_kit import Look, Raises

from ..drawing import some_names, some_values


def _file(seen: Sequence[str] | str, right: Sequence[str], data: Mapping[str, Any]) -> str:
    if isinstance(seen, str):
        return "no-state-dict"
    prefixed = any(key.startswith("module.") and key not in right for key in seen)
    return "prefix-saved" if prefixed else "other-keys"


looks = (
    Look("returned", "other-model", says="the result"),
    Look("loaded", "not-loaded", says="weights of the model"),
    Look("keys", _file, says="keys in the file"),
    Look("read", "file-not-read", says="the file was loaded"),
    Look("device", "model-elsewhere", says="device of the model"),
    Look("trained", "trained-changed", says="`trained` is as before"),
)
raises = (
    Raises("tag-followed", "RuntimeError", "Attempting to deserialize object"),
    Raises("keys-do-not-fit", "RuntimeError", "key(s) in state_dict"),
    Raises("keys-do-not-fit", "KeyError", "module."),
    Raises("not-wrapped", "AttributeError", "has no attribute 'module'"),
    Raises("whole-model", "UnpicklingError", "Weights only load failed"),
)


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: names and values of the weights, the wrapper, and the GPUs."""
    rows: list[tuple[str, dict[str, Any]]] = [
        ("a wrapped model, on a machine with two GPUs", {}),
        ("a bare model", {"wrapped": False}),
        ("a bare model with a part called `module`", {"wrapped": False, "part": "module"}),
        ("a wrapped model with a part called `module`", {"part": "module"}),
        ("a machine without a GPU", {"gpus": 0, "device": "cpu"}),
    ]
    usual = {"wrapped": True, "gpus": 2, "device": "cuda:1"}
    found = []
    for title, row in rows:
        first, *others = some_names(rng)
        names = [row.pop("part", first), *others]
        found.append((title, {**usual, "names": names, "values": some_values(rng), **row}))
    return found

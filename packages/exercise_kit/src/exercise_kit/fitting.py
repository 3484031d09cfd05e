"""The GPUs of a case, and the same case on a machine that has fewer.

A case can use "cuda:3" alone, so that an answer which ignores the device shows. On a machine with
one GPU the same case runs on "cuda:0": the GPUs in its data and right facts are numbered anew.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from exercise_kit.contract import Case, Observer

_GPU = re.compile(r"\bcuda:(\d+)")


def indices_in(data: Any) -> set[int]:
    """The indices of the GPUs in the data of a case: 2 for "cuda:2".

    Under the name `gpus`, a number counts GPUs from 0, and a list contains indices.
    """
    if isinstance(data, str):
        return {int(index) for index in _GPU.findall(data)}
    if not isinstance(data, Mapping):
        return set().union(*map(indices_in, data)) if isinstance(data, list | tuple) else set()
    gpus = data.get("gpus", ())
    rest = [value for name, value in data.items() if name != "gpus"]
    return {*(range(gpus) if isinstance(gpus, int) else gpus), *indices_in(rest)}


def needed(observer: Observer, case: Case) -> int:
    """The number of GPUs that a case needs."""
    return len(_indices(observer, case))


def fitted(observer: Observer, case: Case, gpus: int) -> Case | None:
    """The case on a machine with so many GPUs, numbered from 0; None if it needs more."""
    used = sorted(_indices(observer, case))
    if len(used) > gpus:
        return None
    new = {old: new for new, old in enumerate(used)}
    data, right = _renumbered(case.data, new), _renumbered(case.right, new)
    return replace(case, data=data, right=right, rivals=())


def _indices(observer: Observer, case: Case) -> Collection[int]:
    if observer.gpus is not None:
        return range(observer.gpus)
    own = observer.indices(case.data)
    return indices_in(case.data) if own is None else own


def _renumbered(value: Any, new: Mapping[int, int]) -> Any:
    """A value of JSON with the new indices; an index that no case uses stays."""
    if isinstance(value, str):
        return _GPU.sub(lambda at: f"cuda:{new.get(int(at[1]), int(at[1]))}", value)
    if isinstance(value, list | tuple):
        return [_renumbered(each, new) for each in value]
    if not isinstance(value, Mapping):
        return value
    return {
        _renumbered(name, new): [new.get(each, each) for each in inner]
        if name == "gpus" and isinstance(inner, list)
        else _renumbered(inner, new)
        for name, inner in value.items()
    }

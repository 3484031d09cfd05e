"""Judge `after_to` by what `Module.to` does; a test compares the oracle with real calls."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.contract import Case
from course_utils.checking.oracle import OracleJudge

from ..judging import two_gpus

KEYS = ("net", "weight", "memory", "mean", "counter")
FLOATS = ("float16", "bfloat16", "float32", "float64")
INTEGERS = ("int8", "uint8", "int32", "int64")


class AfterTo(OracleJudge):
    form, types = "a dict of five booleans, or the string 'TypeError'", ("dict", "str")
    otherwise = "other-form"

    def oracle(self, device: str, dtype: str, arguments: Mapping[str, str]) -> Any:
        if arguments.get("dtype") in INTEGERS:
            return "TypeError"
        moved = arguments.get("device", device) != device
        cast = arguments.get("dtype", dtype) != dtype
        nothing = not moved and not cast
        # Parameters are kept, with new memory; buffers are what `Tensor.to` returns for them.
        return {
            "net": True,
            "weight": True,
            "memory": nothing,
            "mean": nothing,
            "counter": not moved,
        }

    def cases(self, rng: random.Random) -> Sequence[Case]:
        gpu, other = two_gpus(rng)
        dtype, another = rng.sample(FLOATS, 2)
        integer = rng.choice(INTEGERS)
        rows = [
            ("the task's example", "cpu", "float32", {"device": "cuda:1"}),
            ("from one GPU to another", gpu, dtype, {"device": other}),
            ("to the device where it is", gpu, dtype, {"device": gpu}),
            ("to another dtype", gpu, dtype, {"dtype": another}),
            ("to the dtype that it has", other, dtype, {"dtype": dtype}),
            ("another device and another dtype", gpu, dtype, {"device": other, "dtype": another}),
            ("the same device and another dtype", gpu, dtype, {"device": gpu, "dtype": another}),
            ("another device and the same dtype", gpu, dtype, {"device": "cpu", "dtype": dtype}),
            ("the same device and the same dtype", gpu, dtype, {"device": gpu, "dtype": dtype}),
            ("to an integer dtype", "cpu", dtype, {"dtype": integer}),
            (
                "another device and an integer dtype",
                gpu,
                dtype,
                {"device": other, "dtype": integer},
            ),
        ]
        return [
            Case(title, {"device": device, "dtype": held, "arguments": arguments})
            for title, device, held, arguments in rows
        ]

    def explain(self, seen: Mapping[str, Any], data: Mapping[str, Any]) -> str:
        said, right = _read(seen), self.oracle(**data)
        if said is None:
            return "other-form"
        if right == "TypeError":
            return "integer-dtype"
        if said == "TypeError":
            return "no-error-here"
        if not any(said.values()):
            return "everything-new"
        if all(said.values()) and "memory" in _wrong(said, right):
            return "everything-same"
        return _finding(_wrong(said, right)[0], said, right)


def _wrong(said: Mapping[str, bool], right: Mapping[str, bool]) -> list[str]:
    return [key for key in KEYS if said[key] != right[key]]


def _finding(key: str, said: Mapping[str, bool], right: Mapping[str, bool]) -> str:
    """What it means that this key is wrong."""
    if key in ("net", "weight"):
        return {"net": "net-replaced", "weight": "parameter-replaced"}[key]
    if not said[key]:
        return "nothing-to-do" if right["mean"] else "counter-cast"
    return {"memory": "memory-kept", "mean": "buffer-kept", "counter": "counter-kept"}[key]


def _read(described: Mapping[str, Any]) -> Any:
    """The prediction, or None if it has another form."""
    if described["type"] == "str" and described["value"] == "TypeError":
        return "TypeError"
    if described["type"] != "dict" or any(i["type"] != "bool" for i in described["items"]):
        return None
    keys = [key.get("value") for key in described["keys"]]
    said = dict(zip(keys, (item["value"] for item in described["items"]), strict=True))
    return said if set(said) == set(KEYS) else None


judge = AfterTo()

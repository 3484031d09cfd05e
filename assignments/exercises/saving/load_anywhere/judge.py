"""Judge `load_anywhere`: the file's values, in the model's own parameters, on the device."""

import random
import re
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.clip import clip
from course_utils.checking.contract import Case, Facts, Finding, Judge, Raise
from course_utils.checking.facts import brief

from ..judging import GPUS, some_names, some_values, state_of


class LoadAnywhere(Judge):
    def cases(self, rng: random.Random) -> Sequence[Case]:
        gpu, other, third = rng.sample(GPUS[1:], 3)
        far, further = (f"cuda:{number}" for number in rng.sample(range(4, 16), 2))
        rows: list[tuple[str, Mapping[str, Any]]] = [
            (
                "the task's example, a file from a GPU that is not here",
                {"tags": ["cuda:7"] * 2, "device": "cuda:1", "names": ["0", "1", "2"]},
            ),
            (
                "a model that waits on another GPU",
                {"tags": ["cpu"] * 2, "start": other, "device": gpu},
            ),
            (
                "a file with two tags, both of GPUs that are not here",
                {"tags": [far, further], "device": other},
            ),
            ("a machine without a GPU", {"tags": [other] * 2, "gpus": 0}),
            ("a file with two tags, on a machine without a GPU", {"tags": [gpu, far], "gpus": 0}),
            (
                "a machine with fewer GPUs than the other one",
                {"tags": [other] * 2, "device": "cuda:0", "gpus": 1},
            ),
            ("a file whose tag fits", {"tags": [gpu] * 2, "start": gpu, "device": gpu}),
            (
                "a file from a GPU that is here, and is not the one asked for",
                {"tags": [third] * 2, "start": other, "device": gpu},
            ),
            (
                "a model that leaves its GPU for the CPU",
                {"tags": [gpu] * 2, "start": gpu, "device": "cpu"},
            ),
            ("a model in float64", {"tags": [far] * 2, "device": gpu, "dtype": "float64"}),
            (
                "a file with more than tensors in it",
                {"tags": [gpu] * 2, "device": other, "fault": "objects"},
            ),
            (
                "a file whose keys do not fit",
                {"tags": [far] * 2, "device": gpu, "fault": "prefixed"},
            ),
        ]
        usual = {"start": "cpu", "device": "cpu", "gpus": 4, "dtype": "float32", "fault": ""}
        return [
            Case(title, {"names": some_names(rng), **usual, **row, "values": some_values(rng)})
            for title, row in rows
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        data = case.data
        if facts["ran"]:
            return Finding("objects-run", "a function from the file ran", "an error")
        if not facts["file"]:
            return Finding("file-changed", "other bytes, or no file", "the file as it was")
        if data["fault"]:
            return _judge_refusal(data["fault"], facts["raised"])
        if facts["returned"] == "NoneType":
            return Finding("nothing-returned", "None", "the model")
        if facts["returned"] != "the model":
            return Finding("not-the-model", f"an object of type {facts['returned']}", "the model")
        if not facts["same"]:
            return Finding("parameters-replaced", "other objects", "the same parameter objects")
        return _judge_state(data, facts["state"]) or _judge_way(data, facts["gpus"])

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        wanted = f"the model on {case.data['device']}"
        if "'int' object is not callable" in raised.text and "load" in raised.where:
            return Finding("number-as-place", raised.text, wanted)
        if "Attempting to deserialize object" not in raised.text:
            return None
        tags = set(case.data["tags"])
        number = re.search(r"CUDA device (\d+)", raised.text)
        name = "gpu-not-here"
        if number and f"cuda:{number[1]}" in tags:
            name = "tag-followed" if len(tags) == 1 else "one-tag-mapped"
        return Finding(name, clip(raised.text.partition(". ")[0], 120), wanted)


def _judge_refusal(fault: str, raised: str) -> Finding | None:
    if raised:
        return None
    name = {"objects": "refusal-swallowed", "prefixed": "silent-mismatch"}[fault]
    return Finding(name, "no error", "an error")


def _judge_state(data: Mapping[str, Any], state: Mapping[str, Any]) -> Finding | None:
    devices = {tensor["device"] for tensor in state.values()}
    if devices != {data["device"]}:
        name = "model-left-behind" if data["start"] in devices else "wrong-device"
        return Finding(name, ", ".join(sorted(devices)), data["device"])
    dtypes = {tensor["dtype"] for tensor in state.values()} - {"int64"}
    if dtypes != {data["dtype"]}:
        return Finding("dtype-changed", ", ".join(sorted(dtypes)), data["dtype"])
    for key, values in state_of(data["names"], data["values"]).items():
        found = brief(state[key]) if key in state else "no such key"
        if key not in state or state[key].get("values") != values:
            return Finding("not-loaded", f"{key}: {found}", f"{key}: {values}")
    return None


def _judge_way(data: Mapping[str, Any], gpus: Sequence[str]) -> Finding | None:
    strange = sorted(set(gpus) - {data["device"], data["start"]})
    if strange:
        return Finding("detour", f"copies to or from {', '.join(strange)}", "no other GPU")
    return None


judge = LoadAnywhere()

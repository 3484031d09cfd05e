"""Judge `predict_copy` by the rules of CUDA's copies and of `Tensor.to`, key by key.

The rules: "API synchronization behavior" in the documentation of CUDA's runtime.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding
from course_utils.checking.oracle import OracleJudge

GPUS = ("cuda:0", "cuda:1", "cuda:2", "cuda:3")
TYPES = {"device": "str", "waits": "bool", "pinned": "bool", "risky": "bool"}
"""The keys, in the order in which a wrong one is explained."""


class PredictCopy(OracleJudge):
    form, types = "a dict with the keys waits, device, pinned and risky", ("dict",)

    def oracle(self, source: str, pinned: bool, target: str, non_blocking: bool) -> dict[str, Any]:
        waits = memory = False
        if source == target:
            memory = pinned
        elif source == "cpu":
            waits = not (pinned and non_blocking)
        elif target == "cpu":
            waits, memory = not non_blocking, non_blocking
        risky = target == "cpu" != source and not waits
        return {"waits": waits, "device": target, "pinned": memory, "risky": risky}

    def cases(self, rng: random.Random) -> Sequence[Case]:
        gpu, other = rng.sample(GPUS, 2)
        names = ("source", "pinned", "target", "non_blocking")
        rows = [
            ("the task's example", "cuda:1", False, "cpu", False),
            ("pageable to a GPU, blocking", "cpu", False, gpu, False),
            ("pageable to a GPU, non-blocking", "cpu", False, other, True),
            ("pinned to a GPU, blocking", "cpu", True, gpu, False),
            ("pinned to a GPU, non-blocking", "cpu", True, other, True),
            ("back to the CPU, blocking", other, False, "cpu", False),
            ("back to the CPU, non-blocking", gpu, False, "cpu", True),
            ("from GPU to GPU, blocking", gpu, False, other, False),
            ("from GPU to GPU, non-blocking", other, False, gpu, True),
            ("on the GPU already, blocking", other, False, other, False),
            ("on the GPU already, non-blocking", gpu, False, gpu, True),
            ("pageable and on the CPU already, blocking", "cpu", False, "cpu", False),
            ("pageable and on the CPU already, non-blocking", "cpu", False, "cpu", True),
            ("pinned and on the CPU already, blocking", "cpu", True, "cpu", False),
            ("pinned and on the CPU already, non-blocking", "cpu", True, "cpu", True),
        ]
        return [Case(title, dict(zip(names, row, strict=True))) for title, *row in rows]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        finding = super().judge(case, {**facts, "result": _with_device_as_string(facts["result"])})
        asked = ", ".join(f"{name}={value!r}" for name, value in case.data.items())
        return finding and replace(finding, expected=f"{finding.expected} for {asked}")

    def explain(self, seen: Mapping[str, Any], data: Mapping[str, Any]) -> str:
        parts, right = _parts(seen), self.oracle(**data)
        if parts is None:
            return "other-form"
        wrong = next(key for key in TYPES if parts[key] != right[key])
        source, target = data["source"], data["target"]
        if wrong == "device":
            return "wrong-device"
        if wrong == "waits":
            return _name_waiting(right["waits"], data)
        if wrong == "pinned" and target != "cpu":
            return "pinned-on-a-gpu"
        if wrong == "pinned":
            return "nothing-to-copy" if source == target else "memory-of-the-result"
        return "risk-missed" if right["risky"] else "risk-imagined"

    def shown(self, described: Mapping[str, Any], data: Mapping[str, Any]) -> str:
        """The keys in one order, so that two dicts can be compared at a glance."""
        parts = _parts(described)
        return super().shown(described, data) if parts is None else str(parts)


def _name_waiting(waits: bool, data: Mapping[str, Any]) -> str:
    source, target = data["source"], data["target"]
    if source == target:
        return "nothing-to-copy"
    if "cpu" not in (source, target):
        return "gpu-to-gpu"
    if not waits:
        return "host-goes-on"
    if data["non_blocking"]:
        return "pageable-copy-waits"
    return "pinned-is-not-enough" if data["pinned"] else "blocking-copy-waits"


def _parts(described: Mapping[str, Any]) -> dict[str, Any] | None:
    """The described dict as a dict, or None if its keys or types are others."""
    if described["type"] != "dict":
        return None
    keys = [key.get("value") for key in described["keys"]]
    items = dict(zip(map(str, keys), described["items"], strict=True))
    if set(items) != set(TYPES) or any(items[key]["type"] != TYPES[key] for key in TYPES):
        return None
    return {key: items[key]["value"] for key in TYPES}


def _with_device_as_string(described: Mapping[str, Any]) -> dict[str, Any]:
    """A `torch.device` is as good as its name."""
    if described["type"] != "dict":
        return dict(described)
    items = [
        item | {"type": "str"} if item["type"] == "device" else item for item in described["items"]
    ]
    return {**described, "items": items}


judge = PredictCopy()

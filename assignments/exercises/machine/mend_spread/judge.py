"""Judge `mend_spread`: the values of each tensor, and its device by its place in the list."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from course_utils.checking.clip import clip
from course_utils.checking.contract import Case, Facts, Finding, Judge, Raise, Raises
from course_utils.checking.facts import brief, placement

GPUS, CURRENT = 4, 1


class MendSpread(Judge):
    raises = (
        Raises("context-manager", "TypeError", "must be torch.device, not device"),
        Raises("missing-gpu", "AcceleratorError", "invalid device ordinal"),
        Raises("missing-gpu", "RuntimeError", "invalid device ordinal"),
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        def case(title: str, parts: int, gpus: int, scale: float = 1) -> Case:
            drawn = [
                [rng.randint(1, 9) * scale for _ in range(rng.randint(1, 3))] for _ in range(parts)
            ]
            return Case(title, {"parts": drawn, "gpus": gpus})

        return [
            case("more parts than the machine has GPUs", rng.randint(6, 7), GPUS),
            case("as many parts as GPUs", GPUS, GPUS),
            case("two GPUs that may be used, of four", rng.randint(4, 5), 2),
            case("one GPU that may be used", 3, 1),
            case("no GPU that may be used", 2, 0),
            case("fewer parts than GPUs", 2, 3),
            case("a single part", 1, 1),
            case("no parts", 0, 2),
            case("numbers with a fraction", 3, 2, scale=0.5),
            Case(
                "a whole number before one with a fraction", {"parts": [[1, 2.5], [3]], "gpus": 2}
            ),
            Case("the task's example", {"parts": [[1, 2], [3], [4, 5]], "gpus": 2}),
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        data, result = case.data, facts["result"]
        parts, gpus = data["parts"], data["gpus"]
        right = [f"cuda:{i}" if i < gpus else "cpu" for i in range(len(parts))]
        items = result.get("items", ())
        if facts["changed"]:
            return Finding(
                "input-changed",
                f"{facts['changed'][0]} changed by the call",
                "the same as before",
            )
        if result["type"] == "NoneType":
            return Finding("nothing-returned", "None", "a list of tensors")
        if result["type"] not in ("list", "tuple") or any(i["type"] != "Tensor" for i in items):
            return Finding("other-form", clip(brief(result), 100), "a list of tensors")
        if [(item["values"], item["dtype"]) for item in items] != [_made(p) for p in parts]:
            return Finding("other-values", clip(brief(result), 160), clip(str(parts), 120))
        seen = [item["device"] for item in items]
        if seen != right:
            return Finding(
                _other_device(seen, data), _for(placement(result), data), ", ".join(right)
            )
        if facts["current"] != CURRENT:
            return Finding(
                "current-changed",
                f"GPU {facts['current']} is the current one",
                f"GPU {CURRENT}, as before",
            )
        return None

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        # CUDA adds advice on debugging, on lines of its own.
        return super().on_raise(case, replace(raised, text=raised.text.partition("\n")[0]))


def _made(part: Sequence[float]) -> tuple[Sequence[float], str]:
    whole = all(isinstance(number, int) for number in part)
    return part, "int64" if whole else "float32"


def _other_device(seen: Sequence[str], data: Mapping[str, Any]) -> str:
    gpus, places = data["gpus"], range(len(seen))
    if any(device != "cpu" and int(device.partition(":")[2]) >= gpus for device in seen):
        if list(seen) == [f"cuda:{i}" if i <= gpus else "cpu" for i in places]:
            return "one-too-many"
        return "too-many"
    if set(seen) == {"cpu"}:
        return "on-the-cpu"
    if gpus and list(seen) == [f"cuda:{i % gpus}" for i in places]:
        return "in-turn"
    if list(seen) == [f"cuda:{CURRENT}" if i < gpus else "cpu" for i in places]:
        return "the-current-one"
    return "other-device"


def _for(what: str, data: Mapping[str, Any]) -> str:
    return f"{clip(what, 100)} for {len(data['parts'])} parts, gpus={data['gpus']}"


judge = MendSpread()

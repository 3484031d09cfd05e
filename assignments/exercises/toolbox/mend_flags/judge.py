"""Judge `mend_flags`: the three results by plain arithmetic, and what the call left behind."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.clip import clip
from course_utils.checking.contract import Case, Facts, Finding, Judge, Raises
from course_utils.checking.facts import brief

STEPS = ("move", "scale", "total")
NUMBERS = ("int", "float")
ONE_NUMBER = 8
"""Bytes, at most."""


class MendFlags(Judge):
    raises = (
        Raises("block-not-run", "UnboundLocalError"),
        Raises("block-not-run", "NameError"),
        Raises("block-not-run", "KeyError"),
        Raises("two-devices", "RuntimeError", "same device"),
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        def case(title: str, steps: str, place: str = "cpu") -> Case:
            first, second = rng.sample((1, 2, 3), 2)
            places = {"cpu": "cpu", "there": f"cuda:{first}", "elsewhere": f"cuda:{second}"}
            return Case(
                title,
                {
                    "steps": steps.split(),
                    "device": f"cuda:{first}",
                    "place": places[place],
                    "current": 0 if place == "there" else second,
                    "values": [float(rng.randint(1, 9)) for _ in range(rng.randint(3, 5))],
                },
            )

        return [
            case("the last block alone", "total"),
            case("the second block alone", "scale"),
            case("the first block alone", "move"),
            case("all three blocks", "move scale total"),
            case("the first and the last block", "move total"),
            case("the first and the second block", "move scale"),
            case("the last two blocks", "scale total"),
            case("all three, named in another order", "total move scale"),
            case("no block", ""),
            case("a batch that is on the device already", "move scale total", "there"),
            case("a batch that is on the device already, the last block alone", "total", "there"),
            case("a batch on another GPU", "move scale total", "elsewhere"),
            case("a batch on another GPU, the second block alone", "scale", "elsewhere"),
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        data, seen = case.data, facts["result"]
        values = data["values"]
        if facts["steps"] != data["steps"]:
            return Finding("input-changed", "steps changed by the call", "the same")
        if facts["batch"].get("values") != values:
            return Finding(
                "batch-changed",
                f"{facts['batch'].get('values')} in `batch` afterwards",
                f"{values}, as before",
            )
        if seen["type"] == "NoneType":
            return Finding("nothing-returned", "None", "a dict")
        if seen["type"] != "dict":
            return Finding("other-form", clip(brief(seen), 120), "a dict")
        keys = [key.get("value") for key in seen["keys"]]
        if sorted(map(str, keys)) != sorted(data["steps"]):
            return Finding(
                "other-keys",
                ", ".join(map(str, keys)) or "no keys",
                ", ".join(data["steps"]) or "no keys",
            )
        results = dict(zip(keys, seen["items"], strict=True))
        return _of_results(results, data) or _of_what_is_left(facts, data)


def _of_results(results: Mapping[str, Any], data: Mapping[str, Any]) -> Finding | None:
    right = {"move": data["values"], "scale": [2 * value for value in data["values"]]}
    for name in set(right) & set(results):
        seen = results[name]
        if seen["type"] != "Tensor":
            return Finding("other-form", f"{name}: {clip(brief(seen), 100)}", f"{name}: a tensor")
        if seen["device"] != data["device"]:
            return Finding("other-device", f"{name} on {seen['device']}", f"on {data['device']}")
    for name in ("move", "scale"):  # in the order of the program
        if name in results and results[name].get("values") != right[name]:
            scaled = name == "move" and results[name].get("values") == right["scale"]
            return Finding(
                "scaled-in-place" if scaled else "other-values",
                f"{name}: {results[name].get('values')}",
                f"{name}: {right[name]}",
            )
    if "total" in results:
        seen, total = results["total"], sum(right["scale"])
        if seen["type"] not in NUMBERS:
            return Finding("total-is-no-number", clip(brief(seen), 100), f"{total}")
        if seen["value"] != total:
            return Finding("other-values", f"total: {seen['value']}", f"total: {total}")
    return None


def _of_what_is_left(facts: Facts, data: Mapping[str, Any]) -> Finding | None:
    if facts["current"] != data["current"]:
        return Finding(
            "current-device-changed",
            f"cuda:{facts['current']} is current afterwards",
            f"cuda:{data['current']}, as before",
        )
    if "move" in data["steps"] and data["place"] == data["device"] and not facts["moved"]:
        return Finding("copied-too-often", "move: a copy of `batch`", "`batch`, which is there")
    for source, target, number, size in facts["copies"]:
        if target not in (data["device"], "cpu"):
            return Finding("other-device", f"a copy to {target}", f"one to {data['device']}")
        there = target == data["device"] and data["place"] != data["device"]
        back = (source, target) == (data["device"], "cpu")  # of the total
        most = int(there or back)
        if number > most:
            return Finding(
                "copied-too-often", f"{number} from {source} to {target}", f"{most} at most"
            )
        if back and size > ONE_NUMBER:
            seen = f"{size} bytes from {source} to the CPU"
            return Finding("copied-too-often", seen, "the total, which is one number")
    return None


judge = MendFlags()

"""Judge `wrap`: the GPU that holds most of the model is the main one, and nothing moves twice."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.clip import clip
from course_utils.checking.contract import Case, Facts, Finding, Judge, Raise, Raises
from course_utils.checking.facts import brief

_INVALID = ("Invalid device id", "invalid device ordinal")


class Wrap(Judge):
    raises = (Raises("none-not-replaced", "TypeError", "NoneType"),)

    def cases(self, rng: random.Random) -> Sequence[Case]:
        a, b, c = rng.sample(range(1, 4), 3)
        gpu_a, gpu_b, gpu_c, few = f"cuda:{a}", f"cuda:{b}", f"cuda:{c}", rng.randint(2, 4)
        large = "one large tensor here, two small ones there"
        rows: list[tuple[str, list[str], list[str], list[int] | None]] = [
            ("the model is on none of the GPUs", ["cpu"] * few, ["cpu"], [a, b]),
            ("the task's example: on the second of two GPUs", ["cuda:2", "cuda:2"], [], [1, 2]),
            (
                "most of it is on the last of three GPUs",
                [gpu_b, gpu_a, *[gpu_c] * 3],
                [],
                [a, b, c],
            ),
            ("on one of several GPUs", [gpu_c] * few, [gpu_c], [0, a, b, c]),
            ("in its place already", [gpu_a] * few, [gpu_a], [a, 0]),
            ("on a GPU that is not to be used", [gpu_c] * few, [gpu_c], [b, a]),
            ("one parameter has stayed on the CPU", ["cpu", *[gpu_b] * few], [gpu_b], [a, b]),
            ("one buffer is on another GPU", [gpu_b] * few, [gpu_a], [b, a]),
            ("few parameters here, many buffers there", [gpu_b] * 2, [gpu_c] * 3, [a, b, c]),
            ("most of it is on a GPU that is not to be used", [gpu_c] * 3, [gpu_b], [a, b]),
            (large, [gpu_a, gpu_b, gpu_b], [], [c, a, b]),
            ("most of it is on the CPU, and cuda:0 may be used", ["cpu"] * 3, [gpu_b], [a, 0, b]),
            ("the same number of tensors on two GPUs", [gpu_a, gpu_a, gpu_b, gpu_b], [], [c, b, a]),
            ("a model without tensors", [], [], [b, a]),
            ("no ids, the model never moved", ["cpu"] * few, [], None),
            ("no ids, the model is on one of the GPUs", [gpu_b] * few, [gpu_b], None),
            ("one id more than there are GPUs", [gpu_b] * few, [gpu_b], [a, -1, b]),
            ("an invisible GPU comes first", ["cpu"] * few, ["cpu"], [-9, b, a]),
            ("a single GPU", ["cpu"] * few, [gpu_b], [a]),
            ("a single GPU, and the model is there", [gpu_a] * few, [], [a]),
            ("a single GPU is left", [gpu_a] * few, [gpu_b], [-3, a]),
            ("no GPU is left", [gpu_a] * few, [gpu_a], [-1, -2]),
            ("an empty list", ["cpu"] * few, ["cpu"], []),
        ]
        return [
            Case(
                title,
                {
                    "parameters": parameters,
                    "buffers": buffers,
                    "ids": ids,
                    "first_size": 100 if title == large else 1,
                },
            )
            for title, parameters, buffers, ids in rows
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        data, returned = case.data, facts["returned"]
        used = usable(data, facts["visible"])
        expected = _told(used)
        if not facts["ids_kept"]:
            return Finding("input-changed", "another ids after the call", "the same as before")
        if facts["result"]["type"] == "NoneType":
            return Finding("nothing-returned", "None", expected)
        if returned == "other":
            return Finding("other-form", clip(brief(facts["result"]), 100), expected)
        if returned == "other-module":
            return Finding("another-model", "another module, or new parameters", expected)
        if returned == "wrapped" and len(used) < 2:
            seen = f"DataParallel on {_names(facts['device_ids'])}"
            name = "empty-list-for-none" if data["ids"] == [] else "wrapped-for-nothing"
            return Finding(name, seen, expected)
        if returned == "model" and len(used) > 1:
            return Finding("not-wrapped", "the bare model", expected)
        if not used:
            same = facts["places"] == _places(data) and not facts["copies"]
            seen = f"moved: {', '.join(facts['places'])}"
            return None if same else Finding("moved-without-a-gpu", seen, "as it was")
        return _of_the_gpus(data, facts, used)

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        # Only ids that no visible GPU has are written as numbers below 0.
        seen = clip(f"{raised.type}: {raised.text.strip()}", 200)
        ids = case.data["ids"]
        if any(words in raised.text for words in _INVALID):
            return Finding("id-not-visible", seen, "no exception")
        if ids is not None and not any(index >= 0 for index in ids):
            return Finding("no-gpu-left", seen, "the model itself")
        return super().on_raise(case, raised)


def usable(data: Mapping[str, Any], visible: int) -> list[int]:
    """The ids that are to be used, in the caller's order."""
    ids = range(visible) if data["ids"] is None else data["ids"]
    return [index for index in ids if 0 <= index < visible]


def main_gpu(places: Sequence[str], used: Sequence[int]) -> int:
    """The one that holds the most of these tensors, the first of them if there are several."""
    return max(used, key=lambda index: places.count(f"cuda:{index}"))


def _of_the_gpus(data: Mapping[str, Any], facts: Facts, used: Sequence[int]) -> Finding | None:
    before, after = _places(data), facts["places"]
    best = main_gpu(before, used)
    seen = used if facts["device_ids"] is None else facts["device_ids"]
    if sorted(seen) != sorted(used):
        return Finding("other-gpus", _names(seen), _names(used))
    chosen = seen[0]
    if elsewhere := [place for place in after if place != f"cuda:{chosen}"]:
        return Finding(
            "not-on-the-main-gpu",
            f"a tensor on {elsewhere[0]}",
            f"all on cuda:{chosen}, the main GPU",
        )
    held = f"{before.count(f'cuda:{best}')} of {len(before)} tensors were there"
    if chosen != best:
        return Finding(
            _reason(data, used, chosen, best),
            f"main GPU cuda:{chosen}",
            f"main GPU cuda:{best}: {held}",
        )
    least = len(before) - before.count(f"cuda:{best}")
    if facts["copies"] > least:
        return Finding("copied-needlessly", f"{facts['copies']} copies", str(least))
    if facts["output"] not in (None, f"cuda:{best}"):
        return Finding(
            "output-elsewhere", f"output: {clip(facts['output'], 200)}", f"output: cuda:{best}"
        )
    return None


def _reason(data: Mapping[str, Any], used: Sequence[int], chosen: int, best: int) -> str:
    """Why another main GPU was chosen, as far as that is certain."""
    before = _places(data)
    if before.count(f"cuda:{chosen}") == before.count(f"cuda:{best}"):
        return "tie-broken-differently"
    if chosen == used[0]:
        return "first-id-taken"
    if data["first_size"] > 1 and before[0] == f"cuda:{chosen}":
        return "elements-counted"
    if chosen == 0 and before.count("cpu") > before.count(f"cuda:{best}"):
        return "cpu-counted"
    by_parameters = main_gpu(data["parameters"], used)
    return "buffers-not-counted" if chosen == by_parameters else "moved-more-than-needed"


def _places(data: Mapping[str, Any]) -> list[str]:
    return [*data["parameters"], *data["buffers"]]


def _names(ids: Sequence[int]) -> str:
    return ", ".join(f"cuda:{index}" for index in ids)


def _told(used: Sequence[int]) -> str:
    if not used:
        return "the model itself, as it was"
    if len(used) == 1:
        return f"the model itself, on cuda:{used[0]}"
    return f"the model in a DataParallel on {_names(used)}"


judge = Wrap()

"""Judge `shares_storage`: of each step it is known whether it keeps the storage.

A wrong answer is explained by the first pair that it gets wrong, so their order matters.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from course_utils.checking.clip import clip
from course_utils.checking.contract import Case, Facts, Finding, Judge, Raises
from course_utils.checking.facts import brief

from ..judging import one_gpu, two_gpus

Steps = Sequence[Sequence[Any]]

KEEPS_STORAGE = {
    "all of it": True,
    "flat": True,
    "row": True,
    "rows": True,
    "transposed": True,
    "detached": True,
    "moved nowhere": True,
    "read as int32": True,
    "cloned": False,
    "copied by to": False,
    "moved": False,
    "transposed and reshaped": False,
}


class _Pair(NamedTuple):
    """finding: what a wrong answer shows. a, b: the steps that lead to the two tensors."""

    title: str
    finding: str
    device: str
    a: Steps
    b: Steps


class SharesStorage(Judge):
    raises = (Raises("numpy-on-gpu", "TypeError", "device type tensor to numpy"),)

    def cases(self, rng: random.Random) -> Sequence[Case]:
        rows = rng.randint(3, 5)
        cases = [
            Case(
                "the task's example: a copy",
                {"values": [1.0] * 3, "device": "cuda:1", "a": [], "b": [["cloned"]]},
            ),
        ]
        for title, _, device, a, b in _pairs(rng, rows):
            values = [[float(rng.randint(1, 99)) for _ in range(3)] for _ in range(rows)]
            cases.append(Case(title, {"values": values, "device": device, "a": a, "b": b}))
        return [
            *cases,
            Case(
                "the task's example: a part",
                {"values": [1.0] * 3, "device": "cuda:1", "a": [], "b": [["rows", 1, 3]]},
            ),
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        seen, wanted = facts["said"], truth(case.data)
        if facts["changed"]:
            return Finding(
                "input-changed",
                f"changed: {', '.join(facts['changed'])}",
                "nothing changed, not even for a moment",
            )
        if seen["type"] != "bool":
            name = "nothing-returned" if seen["type"] == "NoneType" else "other-form"
            return Finding(name, clip(brief(seen), 120), "True or False")
        if seen["value"] == wanted:
            return None
        return Finding(_FINDINGS[case.title], str(seen["value"]), str(wanted))


def truth(data: Mapping[str, Any]) -> bool:
    """Whether the two tensors of a case share a storage."""
    return all(KEEPS_STORAGE[name] for name, *_ in [*data["a"], *data["b"]])


def _pairs(rng: random.Random, rows: int) -> list[_Pair]:
    gpu, other = two_gpus(rng)
    place, cut = one_gpu(rng), rng.randint(1, rows - 1)
    copied, missed = "copy-taken-for-sharing", "view-missed"
    empty = ["rows", 0, 0]
    return [
        _Pair("a clone on the CPU", copied, "cpu", [], [["cloned"]]),
        _Pair(
            "a view of the same shape, on the CPU", "objects-compared", "cpu", [], [["all of it"]]
        ),
        _Pair("a view of the same shape, on a GPU", "copies-compared", gpu, [], [["all of it"]]),
        _Pair("one object, twice", missed, place, [], []),
        _Pair("a view of another shape", missed, place, [], [["flat"]]),
        _Pair("read as another dtype", missed, place, [], [["read as int32"]]),
        _Pair(
            "without its first rows", "first-elements-compared", place, [], [["rows", cut, rows]]
        ),
        _Pair(
            "the same, the other way round",
            "first-elements-compared",
            place,
            [["rows", cut, rows]],
            [],
        ),
        _Pair(
            "two rows", "overlap-compared", place, [["row", 0]], [["row", rng.randint(1, rows - 1)]]
        ),
        _Pair(
            "empty tensors on two GPUs",
            "device-ignored",
            gpu,
            [empty, ["cloned"]],
            [empty, ["moved", other]],
        ),
        _Pair("a copy on another GPU", copied, gpu, [], [["moved", other]]),
        _Pair("detached", missed, place, [], [["detached"]]),
        _Pair("`to` with nothing to do", missed, gpu, [["transposed"]], [["moved nowhere"]]),
        _Pair("`to(copy=True)`", copied, gpu, [], [["copied by to"]]),
        _Pair(
            "there and back",
            copied,
            gpu,
            [],
            [["moved", rng.choice(("cpu", other))], ["moved", gpu]],
        ),
        _Pair("a reshape that has to copy", copied, place, [], [["transposed and reshaped"]]),
        _Pair(
            "two views of one tensor",
            missed,
            "cpu",
            [["rows", 0, cut], ["transposed"]],
            [["flat"], ["detached"]],
        ),
        _Pair(
            "views of two clones",
            copied,
            gpu,
            [["cloned"], ["flat"]],
            [["cloned"], ["rows", 0, rows]],
        ),
    ]


_FINDINGS = {pair.title: pair.finding for pair in _pairs(random.Random(0), 3)} | {
    "the task's example: a copy": "copy-taken-for-sharing",
    "the task's example: a part": "first-elements-compared",
}

judge = SharesStorage()

"""Judge `predict_map` by the two questions that `torch.load` asks: where to, and is that there?

tests/exercises/test_saving_oracles.py compares the oracle with what torch does. A rival answers
one of the questions differently, for some forms of `map_location`.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from course_utils.checking.contract import Case, Finding, Raise
from course_utils.checking.oracle import OracleJudge, Rival

from ..judging import GPUS

Goal = Callable[[str, Any], str]
"""Where a storage is to go, by its tag and the value of `map_location`."""

OneGoal = Mapping[str, Goal]


def _tag(tag: str, value: Any) -> str:
    return tag


def _given(tag: str, value: Any) -> str:
    return value


GOALS: OneGoal = {
    "nothing": _tag,
    "string": _given,
    "device": _given,
    "dict": lambda tag, value: value.get(tag, tag),
    "function": lambda tag, value: tag if value is None else value,
}


def _number(place: str) -> int:
    return int(place.partition(":")[2] or 0)


def _there(place: str, gpus: int) -> bool:
    return place == "cpu" or _number(place) < gpus


def landing(
    tag: str,
    form: str,
    value: Any,
    gpus: int,
    *,
    goals: OneGoal = GOALS,
    current: str = "cuda:0",
    there: Callable[[str, int], bool] = _there,
) -> str:
    """The device of the tensor, or the name of the error."""
    if form not in goals:
        return "TypeError"
    place = goals[form](tag, value)
    place = current if place == "cuda" else place
    return place if there(place, gpus) else "RuntimeError"


def _for(forms: str, finding: str, goal: Goal) -> Rival:
    """The rival that answers the first question differently for some forms, and for no others."""

    def model(tag: str, form: str, value: Any, gpus: int) -> str:
        if form not in forms.split():
            raise ValueError("this rival says nothing about other forms")
        return landing(tag, form, value, gpus, goals={**GOALS, form: goal})

    return Rival(finding, model)


def _without_number(tag: str, form: str, value: Any, gpus: int) -> str:
    return landing(tag, form, value, gpus, current=tag)


def _tag_needed(tag: str, form: str, value: Any, gpus: int) -> str:
    return landing(tag, form, value, gpus) if _there(tag, gpus) else "RuntimeError"


def _named_needed(tag: str, form: str, value: Any, gpus: int) -> str:
    named = [*value, *value.values()] if form == "dict" else []
    fine = all(_there(place, gpus) for place in named)
    return landing(tag, form, value, gpus) if fine else "RuntimeError"


def _gpu_needed(tag: str, form: str, value: Any, gpus: int) -> str:
    return landing(tag, form, value, gpus) if gpus else "RuntimeError"


def _guessed(place: str, **data: Any) -> str:
    if not _there(place, data["gpus"]):
        raise ValueError("nobody would guess this place")
    right = landing(**data)
    return place if right == "RuntimeError" else right


def _from_one(tag: str, form: str, value: Any, gpus: int) -> str:
    if not gpus:
        raise ValueError("where there is no GPU, none is miscounted")
    return landing(tag, form, value, gpus, there=lambda place, n: _there(place, n + 1))


class PredictMap(OracleJudge):
    form, types, otherwise = "a string such as 'cuda:1' or 'RuntimeError'", ("str",), "other-place"
    rivals = (
        _for("number", "number-is-no-place", lambda _, value: f"cuda:{value}"),
        _for("number", "number-is-no-place", _tag),
        _for("number", "number-is-no-place", lambda *_: "cpu"),
        _for("number", "number-is-no-place", lambda *_: "cuda:99"),
        Rival("error-too-soon", _tag_needed),
        Rival("error-too-soon", _named_needed),
        Rival("error-too-soon", _gpu_needed),
        Rival("place-guessed", lambda **d: _guessed("cpu", **d)),
        Rival("place-guessed", lambda **d: _guessed("cuda:0", **d)),
        _for("nothing", "tag-ignored", lambda *_: "cpu"),
        _for("nothing", "tag-ignored", lambda *_: "cuda:0"),
        Rival("cuda-without-number", lambda **d: landing(**d, current="cuda")),
        Rival("cuda-without-number", _without_number),
        Rival("counted-from-one", _from_one),
        Rival("missing-gpu-ignored", lambda **d: landing(**d, there=lambda *_: True)),
        _for("string device", "tag-kept", lambda tag, value: tag if tag == "cpu" else value),
        _for("string device", "tag-kept", _tag),
        _for(
            "dict",
            "dict-followed-twice",
            lambda tag, value: value.get(value.get(tag, tag), value.get(tag, tag)),
        ),
        _for("dict", "dict-misread", lambda tag, value: value.get(tag, "cpu")),
        _for("dict", "dict-misread", lambda tag, value: value.get(tag, value.get("cuda", tag))),
        _for("dict", "dict-misread", lambda tag, value: next(iter(value.values()))),
        _for("dict", "dict-misread", lambda tag, value: list(value.values())[-1]),
        _for("dict", "dict-misread", _tag),
        _for("function", "function-misread", _tag),
        _for("function", "function-misread", lambda tag, value: value or "cpu"),
        _for("function", "function-misread", lambda *_: "cpu"),
    )

    def oracle(self, **data: Any) -> str:
        return landing(**data)

    def cases(self, rng: random.Random) -> Sequence[Case]:
        low, middle = rng.sample(GPUS[:2], 2)
        first, second, third = rng.sample(GPUS, 3)
        high, place, count = rng.choice(GPUS[2:]), rng.choice(GPUS[:2]), rng.randint(1, 3)
        rows: list[tuple[str, str, str, Any, int]] = [
            (
                "the task's example: nothing, and the tag's GPU is there",
                "cuda:1",
                "nothing",
                None,
                4,
            ),
            (
                "the task's example: a dict that names the tag",
                "cuda:3",
                "dict",
                {"cuda:3": "cuda:0"},
                1,
            ),
            ("nothing, on a machine without a GPU", high, "nothing", None, 0),
            ("nothing, and the tag's number is far too high", high, "nothing", None, 1),
            (
                "nothing, and the tag's number is how many GPUs there are",
                f"cuda:{count}",
                "nothing",
                None,
                count,
            ),
            ("nothing, for a CPU tag on a machine without a GPU", "cpu", "nothing", None, 0),
            ("a string, for a tag whose GPU is missing", "cuda:3", "string", place, 2),
            ("a string for a CPU tag", "cpu", "string", low, 4),
            ("the string `cpu`, on a machine without a GPU", first, "string", "cpu", 0),
            ("a string without a number", high, "string", "cuda", 4),
            ("a string without a number, and no GPU", "cpu", "string", "cuda", 0),
            ("a device, for another GPU's tag", low, "device", middle, 2),
            ("a device that is not there", "cpu", "device", high, 1),
            ("a dict that does not name the tag", low, "dict", {middle: "cpu"}, 4),
            ("a dict that does not name the tag, and no GPU", low, "dict", {middle: "cpu"}, 0),
            ("a dict whose key has no number", place, "dict", {"cuda": "cpu"}, 4),
            ("a dict whose place has no number", high, "dict", {high: "cuda"}, 4),
            ("a dict for a CPU tag", "cpu", "dict", {"cpu": place}, 2),
            (
                "a dict with two entries, the second of which fits",
                high,
                "dict",
                {low: "cuda:0", high: "cpu"},
                2,
            ),
            (
                "a dict whose second entry names the place of the first",
                first,
                "dict",
                {first: second, second: third},
                4,
            ),
            ("a dict with a place that is not there", low, "dict", {low: high, middle: "cpu"}, 2),
            ("a function that returns `None`", low, "function", None, 4),
            ("a function that returns `None`, and no GPU", high, "function", None, 0),
            ("a function that leaves it on the CPU", high, "function", "cpu", 4),
            ("a function that moves it", high, "function", place, 2),
            ("a number", low, "number", rng.randrange(4), 4),
            ("a number for a CPU tag", "cpu", "number", rng.randrange(4), 0),
        ]
        return [
            Case(title, dict(zip(("tag", "form", "value", "gpus"), row, strict=True)))
            for title, *row in rows
        ]

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        if raised.type == "KeyError" and case.data["form"] == "dict":
            return Finding("dict-misread", f"KeyError: {raised.text}", self.oracle(**case.data))
        return super().on_raise(case, raised)

    def shown(self, described: Mapping[str, Any], data: Mapping[str, Any]) -> str:
        value = "" if data["form"] == "nothing" else f" {data['value']!r}"
        question = f"tag {data['tag']}, {data['form']}{value}, {data['gpus']} GPUs"
        return f"{super().shown(described, data)} for {question}"


judge = PredictMap()

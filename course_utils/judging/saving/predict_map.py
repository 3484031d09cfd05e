"""Judge `saving.predict_map`.

The oracle loads: a Python of its own saves a file with each tag and loads it with each
`map_location`, first without GPUs, then with as many virtual ones as a case says. It does so once,
for everything that a case can ask, and only when a prediction is to be judged.
"""

import functools
import json
import os
import random
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Judge
from course_utils.checking.facts import brief
from course_utils.judging.saving.material import GPUS

WRONG_FORM = FindingKind(
    name="wrong-form",
    title="the prediction is no text of the right kind",
    explanation="It is one text: a device such as `cuda:1`, or the name of an error.",
    next_step="Return the device as `str(tensor.device)` would show it.",
)
TAG_IGNORED = FindingKind(
    name="tag-ignored",
    title="without a place, the tag decides",
    explanation="`torch.load` puts a storage where the file says it came from. This also holds for "
    "a dict that does not name the tag, and for a function that returns `None`.",
    next_step="Start from the tag, and replace it only where `map_location` says something.",
)
TAG_KEPT = FindingKind(
    name="tag-kept",
    title="a string or a device holds for every tag",
    explanation="It is not a condition: whatever the tag is, the tensor goes to the place that is "
    "named.",
    next_step="Forget the tag if `map_location` is a string or a `torch.device`.",
)
DICT_MISREAD = FindingKind(
    name="dict-misread",
    title="a dict is asked for the tag, letter by letter",
    explanation="The keys are tags as they stand in the file, the values the places. `cuda` is not "
    "`cuda:0`, and a tag that is not among the keys stays what it is.",
    next_step="Use `value.get(tag, tag)`.",
)
FUNCTION_MISREAD = FindingKind(
    name="function-misread",
    title="a function has the last word",
    explanation="It gets the storage on the CPU and returns it, moved or not. What it returns is "
    "used; the tag decides only if it returns `None`.",
    next_step="Take the place where the function puts the storage.",
)
NO_NUMBER = FindingKind(
    name="cuda-without-number",
    title="`cuda` without a number is the current GPU",
    explanation="A tensor's device always has a number. Here the current GPU is `cuda:0`.",
    next_step="Put the current GPU in the place of a device without number.",
)
EXISTENCE_IGNORED = FindingKind(
    name="missing-gpu-ignored",
    title="that GPU does not exist on this machine",
    explanation="Numbers begin at 0: with two GPUs the last one is `cuda:1`. A storage that is to "
    "go to a GPU that is not there raises, whether the tag or `map_location` wants it.",
    next_step="Compare the number with `gpus` at the very end.",
)
ERROR_TOO_SOON = FindingKind(
    name="error-too-soon",
    title="this file can be loaded here",
    explanation="Only the place where a tensor is to go has to exist. A tag that is replaced, and "
    "a tag `cpu`, need no GPU.",
    next_step="Find the place first; then ask whether it exists.",
)
NUMBER_IS_NO_PLACE = FindingKind(
    name="number-is-no-place",
    title="a bare number is no `map_location`",
    explanation="What is neither a string, a device nor a dict is called as a function, and a "
    "number cannot be called: that is a TypeError, wherever the tensor comes from.",
    next_step="Answer by the form before you look at devices.",
)

TAGS = ("cpu", *GPUS)
PLACES = ("cpu", "cuda", *GPUS)
COUNTS = (0, 1, 2, 4)

_PROGRAM = """
import io, json, os, sys
from unittest import mock
import torch
import virtual_cuda

tags, forms, counts = json.loads(sys.argv[1])
files = {}
for tag in tags:
    files[tag] = io.BytesIO()
    with mock.patch("torch.serialization.location_tag", lambda storage: tag):
        torch.save(torch.ones(1), files[tag])

def place(form, value):
    if form == "device":
        return torch.device(value)
    if form == "function":
        if value is None:
            return lambda storage, tag: None
        if value == "cpu":
            return lambda storage, tag: storage
        return lambda storage, tag: storage.cuda(int(value[5:]))
    return value

def outcome(tag, form, value):
    files[tag].seek(0)
    try:
        return str(torch.load(files[tag], map_location=place(form, value)).device)
    except (RuntimeError, TypeError) as error:
        return "TypeError" if isinstance(error, TypeError) else "RuntimeError"

seen = []
for count in counts:
    if count:
        os.environ.pop("CUDA_VISIBLE_DEVICES", None)
        virtual_cuda.enable(count, quiet=True, hide_real_gpus=True)
    seen += [[[tag, form, value, count], outcome(tag, form, value)]
             for tag in tags for form, value in forms]
    if count:
        virtual_cuda.disable()
print(json.dumps(seen))
"""


def _dicts() -> list[Mapping[str, str]]:
    single = [{key: value} for key in ("cpu", "cuda", *GPUS) for value in ("cpu", *GPUS[:3])]
    return [*single, *({a: "cpu", b: "cuda:0"} for a in GPUS for b in GPUS if a != b)]


FORMS: tuple[tuple[str, Any], ...] = (
    ("nothing", None),
    *(("string", place) for place in PLACES),
    *(("device", place) for place in PLACES),
    *(("dict", value) for value in _dicts()),
    *(("function", value) for value in (None, "cpu", *GPUS)),
    *(("number", value) for value in range(4)),
)


class PredictMap(Judge):
    """Names which part of the rule was overlooked."""

    name = "saving.predict_map"
    findings = (
        WRONG_FORM,
        TAG_IGNORED,
        TAG_KEPT,
        DICT_MISREAD,
        FUNCTION_MISREAD,
        NO_NUMBER,
        EXISTENCE_IGNORED,
        ERROR_TOO_SOON,
        NUMBER_IS_NO_PLACE,
    )
    hints = (
        "Two questions, one after the other: where is the storage to go, and does that place "
        "exist on this machine?",
        "For the first, one form after the other: nothing → the tag; string and device → the "
        "value; dict → the value for this tag, or the tag; function → what it returns, or the tag.",
        "For the second: `cuda` means `cuda:0`. `cuda:3` exists if there are at least four GPUs. A "
        "number as `map_location` never gets this far.",
        "A similar case: a parcel with an address, and a forwarding order.\n"
        "```python\n"
        "def delivered(address, order, known):\n"
        "    goal = order.get(address, address) if isinstance(order, dict) else order or address\n"
        "    return goal if goal in known else \"returned to sender\"\n\n"
        "delivered(\"Oslo\", {\"Rome\": \"Bern\"}, known={\"Oslo\", \"Bern\"})    # 'Oslo'\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        low, middle = rng.sample(GPUS[:2], 2)
        high = rng.choice(GPUS[2:])
        place = rng.choice(GPUS[:2])
        fewer = rng.choice((1, 2))
        drawn: list[tuple[str, str, str, str, Any, int]] = [
            ("nothing, and the GPU is there", "", "cuda:1", "nothing", None, 4),
            ("nothing, and no GPU", "", "cuda:0", "nothing", None, 0),
            ("a string", "", "cuda:3", "string", "cpu", 0),
            ("a dict that names the tag", "", "cuda:3", "dict", {"cuda:3": "cuda:0"}, 1),
            ("a function that leaves it on the CPU", "", "cuda:2", "function", "cpu", 4),
            ("nothing, fewer GPUs", "a tag that is not on this machine",
             high, "nothing", None, fewer),
            ("nothing, a CPU file", "a file without a GPU in it", "cpu", "nothing", None, 0),
            ("a string for a CPU file", "a string that is no condition",
             "cpu", "string", place, 4),
            ("`cuda` without a number", "a place without a number", high, "string", "cuda", 4),
            ("a device object", "a device instead of a string", low, "device", middle, 2),
            ("a device that is not there", "a place that is not on this machine",
             "cpu", "device", high, fewer),
            ("a dict for another tag", "a dict that does not name the tag",
             low, "dict", {middle: "cpu"}, 4),
            ("a dict for another tag, no GPU", "such a dict, and no GPU",
             low, "dict", {middle: "cpu"}, 0),
            ("a dict with `cuda`", "a dict whose key has no number",
             place, "dict", {"cuda": "cpu"}, 4),
            ("a dict for the CPU", "a dict for a file without a GPU in it",
             "cpu", "dict", {"cpu": place}, 2),
            ("a dict with two entries", "a dict with several entries",
             high, "dict", {high: "cpu", low: "cuda:0"}, 0),
            ("a function that returns nothing", "a function that returns `None`",
             low, "function", None, 4),
            ("a function that returns nothing, no GPU", "such a function, and no GPU",
             high, "function", None, 0),
            ("a function that moves it", "a function that moves the storage",
             high, "function", place, 2),
            ("a number", "a bare number", low, "number", rng.randrange(4), 4),
            ("a number for a CPU file", "a bare number, a file without a GPU in it",
             "cpu", "number", rng.randrange(4), 0),
        ]
        return [
            Case(
                title,
                separates or title,
                {"tag": tag, "form": form, "value": value, "gpus": gpus},
                bool(separates),
            )
            for title, separates, tag, form, value, gpus in drawn
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        data, described = case.data, facts["prediction"]
        wanted, seen = _truth(data), described.get("value")
        if described["type"] != "str" or seen == "":
            return WRONG_FORM.found(brief(described)[:60], wanted)
        return None if seen == wanted else _name(data, seen, wanted).found(
            f"{seen} for {_show(data)}", wanted)


def _truth(data: Mapping[str, Any]) -> str:
    return _table()[_key(data["tag"], data["form"], data["value"], data["gpus"])]


def _key(*question: Any) -> str:
    return json.dumps(question, sort_keys=True)


@functools.cache
def _table() -> Mapping[str, str]:
    """What really happens, for every question that a case can ask."""
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, json.dumps([TAGS, FORMS, COUNTS])],
        env={**os.environ, "CUDA_VISIBLE_DEVICES": ""} | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    if done.returncode:
        raise RuntimeError(f"loading did not work: {done.stderr.strip().splitlines()[-1]}")
    return {_key(*question): answer for question, answer in json.loads(done.stdout)}


def _name(data: Mapping[str, Any], seen: str, wanted: str) -> FindingKind:
    form, value = data["form"], data["value"]
    if form == "number":
        return NUMBER_IS_NO_PLACE
    if wanted == "RuntimeError":
        return EXISTENCE_IGNORED if seen.startswith("cuda") else _name_form(form, value)
    if seen.endswith("Error"):
        return ERROR_TOO_SOON
    if seen == "cuda" or value == "cuda":
        return NO_NUMBER
    return _name_form(form, value)


def _name_form(form: str, value: Any) -> FindingKind:
    if form in ("string", "device"):
        return TAG_KEPT
    if form == "dict":
        return DICT_MISREAD
    return TAG_IGNORED if form == "nothing" or value is None else FUNCTION_MISREAD


def _show(data: Mapping[str, Any]) -> str:
    return f"tag {data['tag']}, {data['form']} {data['value']}, {data['gpus']} GPUs"

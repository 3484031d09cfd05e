"""Judge `tensors.predict_to`.

The oracle makes the call, with torch's own code, on fake tensors: they carry a device and a dtype
but no memory, so it needs no GPU, real or virtual. `cuda()` and `cpu()` are asked as the `to` they
stand for. A test compares it with the same calls on the devices of the course.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Judge
from course_utils.checking.facts import brief
from course_utils.judging.tensors.material import Described, many, plain, two_gpus

WRONG_FORM = FindingKind(
    name="wrong-form",
    title="the prediction has another form",
    explanation="It is a tuple of two texts and a truth value: device, dtype, same object or not.",
    next_step="Compare with the form `(\"cuda:1\", \"float32\", False)`.",
)
ALWAYS_NEW = FindingKind(
    name="always-new",
    title="`to` does not always make a new tensor",
    explanation="If device and dtype are right already, `to`, `cuda` and `cpu` return the tensor "
    "itself: no copy, the very same object.",
    next_step="Compare what is asked for with what is there before you answer.",
)
COPY_FORGOTTEN = FindingKind(
    name="copy-forgotten",
    title="`copy=True` makes a copy even where nothing changes",
    explanation="That is what the argument is for: a tensor of its own, whatever was there.",
    next_step="Look at `copy` before you answer that it is the same object.",
)
SAME_DESPITE_CHANGE = FindingKind(
    name="same-despite-change",
    title="a tensor cannot become another one in place",
    explanation="`to` never changes the tensor that it is called on. Where device or dtype "
    "differ, it returns a new one.",
    next_step="Answer that it is the same object only if neither device nor dtype changes.",
)
DTYPE_MOVED_IT = FindingKind(
    name="dtype-moved-it",
    title="changing the dtype does not move a tensor",
    explanation="`to(dtype)` converts where the tensor lives.",
    next_step="Keep the device unless the call names one.",
)
MOVE_CHANGED_DTYPE = FindingKind(
    name="move-changed-dtype",
    title="moving a tensor does not change its dtype",
    explanation="`to(device)` copies the numbers as they are.",
    next_step="Keep the dtype unless the call names one.",
)
OTHER_HALF_READ = FindingKind(
    name="other-half-read",
    title="`to(other)` takes two things from the other tensor",
    explanation="The result has both the device and the dtype of `other`.",
    next_step="Take both.",
)
NO_NUMBER = FindingKind(
    name="cuda-without-number",
    title="`cuda` without a number is the current GPU",
    explanation='A tensor\'s device always has a number. `"cuda"` and `cuda()` mean the current '
    "GPU, here `cuda:0`, even for a tensor that lives on another GPU.",
    next_step="Put the current GPU in the place of a device without number.",
)
ASKED_IGNORED = FindingKind(
    name="asked-for-ignored",
    title="what the call asks for was not taken",
    explanation="A device or dtype that the call names is the one that the result has. Both may "
    "be named in one call.",
    next_step="Go through all that the call is given.",
)

FLOATS = ("float16", "float32", "float64")


class PredictTo(Judge):
    """Names what a wrong prediction was right about, and what it overlooked."""

    name = "tensors.predict_to"
    findings = (
        WRONG_FORM,
        ALWAYS_NEW,
        COPY_FORGOTTEN,
        SAME_DESPITE_CHANGE,
        DTYPE_MOVED_IT,
        MOVE_CHANGED_DTYPE,
        OTHER_HALF_READ,
        NO_NUMBER,
        ASKED_IGNORED,
    )
    hints = (
        "Answer three questions apart: where will the result be, which dtype will it have, and "
        "was there anything to do at all?",
        "Start from the tensor's own device and dtype, and replace only what the call names. "
        "`cuda` and `cpu` are calls that name a device.",
        "It is the same object exactly if device and dtype are what they were and nobody asked "
        "for a copy. You can test a guess: `x.to(...) is x`.",
        "A similar case: `text.replace(old, new)` on a text. What is the result, and did it "
        "change anything?\n"
        "```python\n"
        "def predict_replace(text, arguments):\n"
        "    old, new = arguments[\"old\"], arguments.get(\"new\", \"\")\n"
        "    result = new.join(text.split(old))\n"
        "    return result, result == text\n\n"
        "predict_replace(\"cpu\", {\"old\": \"gpu\"})   # ('cpu', True): nothing to replace\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        gpu, other = two_gpus(rng)
        dtype, another = rng.sample(FLOATS, 2)
        drawn = [
            ("to another device", "", "cpu", "float64", "to", {"device": gpu}),
            ("to another dtype", "", gpu, "float32", "to", {"dtype": "float64"}),
            ("to the device where it is", "", gpu, dtype, "to", {"device": gpu}),
            ("to device and dtype at once", "", gpu, dtype, "to",
             {"device": other, "dtype": another}),
            ("`copy=True`, nothing else to do", "a copy that somebody asked for",
             gpu, dtype, "to", {"device": gpu, "copy": True}),
            ("to the dtype that it has", "a dtype that is there already",
             other, dtype, "to", {"dtype": dtype}),
            ("like another tensor", "the device and dtype of another tensor",
             gpu, dtype, "to", {"other": [other, another]}),
            ("like a tensor of the same kind", "another tensor that is no different",
             gpu, dtype, "to", {"other": [gpu, dtype]}),
            ("`to(\"cuda\")` from another GPU", "a device without number",
             gpu, dtype, "to", {"device": "cuda"}),
            ("`cuda(i)` where it is", "`cuda` with a number",
             gpu, dtype, "cuda", {"device": int(gpu[-1])}),
            ("`cuda()` from the current GPU", "`cuda` without a number",
             "cuda:0", another, "cuda", {}),
            ("`cpu()` on the CPU", "`cpu` where there is nothing to do", "cpu", dtype, "cpu", {}),
            ("`cpu()` from a GPU", "the way back to the CPU", other, another, "cpu", {}),
            ("right device, other dtype", "half of it is there already",
             gpu, dtype, "to", {"device": gpu, "dtype": another}),
            ("`non_blocking=True`", "an argument that changes nothing in the result",
             "cpu", another, "to", {"device": "cpu", "non_blocking": True}),
        ]
        return [
            Case(
                title,
                separates or title,
                {"device": device, "dtype": dtype, "method": method, "arguments": arguments},
                bool(separates),
            )
            for title, separates, device, dtype, method, arguments in drawn
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        seen, wanted = facts["prediction"], truth(case.data)
        if seen == wanted:
            return None
        if [item["type"] for item in _items(seen)] != ["str", "str", "bool"]:
            return WRONG_FORM.found(brief(seen), "(a device, a dtype, True or False)")
        device, dtype, same = (item["value"] for item in seen["items"])
        right_device, right_dtype, _ = (item["value"] for item in wanted["items"])
        if device != right_device:
            kind = _name_device(case.data)
        elif dtype != right_dtype:
            kind = _name_dtype(case.data)
        elif same:
            copied = case.data["arguments"].get("copy", False)
            kind = COPY_FORGOTTEN if copied else SAME_DESPITE_CHANGE
        else:
            kind = ALWAYS_NEW
        return kind.found(f"{brief(seen)} for {_show(case.data)}", brief(wanted))


def truth(data: Mapping[str, Any]) -> Described:
    """What torch itself makes of the call, as a described prediction."""
    arguments = dict(data["arguments"])
    if data["method"] == "cpu":
        arguments["device"] = "cpu"
    if data["method"] == "cuda":
        arguments["device"] = f"cuda:{arguments.get('device', 0)}"
    if arguments.get("device") == "cuda":
        arguments["device"] = "cuda:0"
    if "dtype" in arguments:
        arguments["dtype"] = getattr(torch, arguments["dtype"])
    with FakeTensorMode():
        x = _fake(data["device"], data["dtype"])
        other = [_fake(*arguments.pop("other"))] if "other" in arguments else []
        y = x.to(*other, **arguments)
        dtype = str(y.dtype).removeprefix("torch.")
        return many("tuple", plain(str(y.device)), plain(dtype), plain(y is x))


def _fake(device: str, dtype: str) -> torch.Tensor:
    return torch.empty(1, device=device, dtype=getattr(torch, dtype))


def _items(described: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    return described["items"] if described["type"] == "tuple" else []


def _name_device(data: Mapping[str, Any]) -> FindingKind:
    arguments = data["arguments"]
    if "other" in arguments:
        return OTHER_HALF_READ
    if data["method"] == "to" and "device" not in arguments:
        return DTYPE_MOVED_IT
    if arguments.get("device") == "cuda" or (data["method"] == "cuda" and not arguments):
        return NO_NUMBER
    return ASKED_IGNORED


def _name_dtype(data: Mapping[str, Any]) -> FindingKind:
    if "other" in data["arguments"]:
        return OTHER_HALF_READ
    return ASKED_IGNORED if "dtype" in data["arguments"] else MOVE_CHANGED_DTYPE


def _show(data: Mapping[str, Any]) -> str:
    named = ", ".join(f"{name}={value!r}" for name, value in data["arguments"].items())
    return f"x.{data['method']}({named}) of {data['dtype']} on {data['device']}"

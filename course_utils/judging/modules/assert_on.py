"""Judge `modules.assert_on`.

The oracle goes through the entries that the module was made of, in the order in which torch names
them, and looks for the first one that is elsewhere.
"""

import random
import re
from collections.abc import Mapping, Sequence

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Judge, Raise
from course_utils.judging.modules.material import (
    NO_DEVICE,
    asked_for_device,
    entry,
    linear,
    registered,
    show_entries,
    some_parts,
    two_gpus,
)

NOT_RAISED = FindingKind(
    name="not-raised",
    title="a tensor was elsewhere, and nothing was raised",
    explanation="One tensor in the wrong place is enough, and the caller has to learn of it: a "
    "returned value is easily overlooked, an exception is not.",
    next_step="Go through all parameters and buffers, and `raise ValueError(…)` at the first that "
    "is elsewhere.",
)
BUFFERS_MISSED = FindingKind(
    name="buffers-missed",
    title="a buffer was elsewhere, and nothing was raised",
    explanation="Buffers are tensors of the module too, and they are not among its parameters. Nor "
    "are all of them in `state_dict()`.",
    next_step="Go through `module.named_buffers()` after the parameters.",
)
TYPE_COMPARED = FindingKind(
    name="number-ignored",
    title="another GPU was taken for the right one",
    explanation="`device.type` is `cuda` for every GPU, and `is_cuda` is true on every one. Two "
    "GPUs are two devices.",
    next_step="Compare whole devices.",
)
NO_NUMBER = FindingKind(
    name="number-missing",
    title="a device without a number was compared as it is",
    explanation='`torch.device("cuda")` means the current GPU, but it is not *equal* to '
    "`torch.device(\"cuda:0\")`, and a tensor's device always has its number.",
    next_step="Put the current GPU in its place before you compare, if `device.index` is `None`.",
)
CURRENT_IGNORED = FindingKind(
    name="current-gpu-ignored",
    title="the current GPU need not be the first",
    explanation='`torch.device("cuda")` means the current GPU. That is `cuda:0` only as long as '
    "nobody has chosen another one.",
    next_step="Ask `torch.cuda.current_device()` for its number.",
)
NEEDLESS = FindingKind(
    name="raised-needlessly",
    title="everything was in place, and an error was raised",
    explanation="Only parameters and buffers count, and a module without any has none that could "
    "be elsewhere.",
    next_step="Raise only for a parameter or a buffer that is elsewhere.",
)
NAME_MISSING = FindingKind(
    name="name-missing",
    title="the message does not say which tensor is elsewhere",
    explanation="A module can have hundreds of tensors. A message that names one, in full, can be "
    "acted upon.",
    next_step="Go through `named_parameters()` and `named_buffers()`, and put the name into the "
    "message.",
)
NOT_FIRST = FindingKind(
    name="not-the-first",
    title="the message names another tensor than the first",
    explanation="The first one counts: parameters in the order of `named_parameters()`, and "
    "buffers after all parameters.",
    next_step="Raise as soon as you find one, parameters before buffers.",
)
OTHER_ERROR = FindingKind(
    name="other-error",
    title="another kind of error was raised",
    explanation="The exercise asks for a `ValueError`. An `assert` raises `AssertionError`, and "
    "is skipped altogether when Python runs with `-O`.",
    next_step="Write `raise ValueError(…)`.",
)
EMPTY = FindingKind(
    name="first-one-taken",
    title="there was no parameter to ask",
    explanation="`next(…)` raises `StopIteration` when there is nothing. A module may have buffers "
    "only, or no tensor at all.",
    next_step="Use a `for` loop: it does nothing for a module without tensors.",
)
MOVED = FindingKind(
    name="module-changed",
    title="the module was moved",
    explanation="`to` works in place on a module. Whoever checks should only look.",
    next_step="Compare the devices, and leave the module where it is.",
)


class AssertOn(Judge):
    """Compares the name in the message with the first tensor that is elsewhere."""

    name = "modules.assert_on"
    findings = (
        NO_DEVICE,
        NOT_RAISED,
        BUFFERS_MISSED,
        TYPE_COMPARED,
        NO_NUMBER,
        CURRENT_IGNORED,
        NEEDLESS,
        NAME_MISSING,
        NOT_FIRST,
        OTHER_ERROR,
        EMPTY,
        MOVED,
    )
    hints = (
        "Two things are to be done: make sure that `device` has a number if it is a GPU, and "
        "compare it with the device of each tensor, one after another.",
        "`module.named_parameters()` gives pairs of a name and a parameter, "
        "`module.named_buffers()` pairs of a name and a buffer. `itertools.chain` joins the two.",
        "`device.index` is `None` for `torch.device(\"cuda\")`, and also for "
        "`torch.device(\"cpu\")`: look at `device.type` as well. "
        "`torch.device(\"cuda\", 2)` is `cuda:2`.",
        "A similar case: complain about the first word that is too long.\n"
        "```python\n"
        "def assert_short(titles, longest):\n"
        "    for page, title in titles.items():\n"
        "        if len(title) > longest:\n"
        "            raise ValueError(f\"page {page}: {len(title)} letters, not {longest}\")\n\n"
        "assert_short({1: \"On\", 2: \"Devices\"}, 3)   # ValueError: page 2: 7 letters, not 3\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        gpu, other = two_gpus(rng)
        one, two, three = some_parts(rng, 3)
        spread = [*linear(one, gpu), *linear(two, other), *linear(three, "cpu")]
        buffered = [entry(f"{one}.mean", "buffer", "cpu"), *linear(one, gpu), *linear(two, gpu)]
        drawn = [
            ("everything in place", "", linear(one, gpu), gpu, 0),
            ("the second layer on the CPU", "", [*linear(one, gpu), *linear(two, "cpu")], gpu, 0),
            ("one layer on another GPU", "", [*linear(one, gpu), *linear(two, other)], gpu, 0),
            ("`cuda` without a number", "", linear(one, "cuda:0"), "cuda", 0),
            ("a buffer that was left behind", "", buffered, gpu, 0),
            ("several tensors elsewhere", "several tensors that are elsewhere", spread, gpu, 0),
            ("a buffer and a later parameter", "buffers come after all parameters",
             [entry(f"{one}.mean", "buffer", "cpu"), *linear(two, other)], gpu, 0),
            ("a buffer outside the checkpoint", "a buffer that is not saved",
             [*linear(one, gpu), entry(f"{two}.mask", "temporary", other)], gpu, 0),
            ("another current GPU", "`cuda` while another GPU is the current one",
             linear(one, other), "cuda", int(other[-1])),
            ("`cuda`, and a tensor elsewhere", "`cuda`, and a tensor on another GPU",
             [*linear(one, "cuda:0"), *linear(two, gpu)], "cuda", int(gpu[-1])),
            ("the CPU", "a module that is to be on the CPU", linear(one, "cpu"), "cpu", 0),
            ("not on the CPU", "a module that should be on the CPU and is not",
             [*linear(one, "cpu"), *linear(two, gpu)], "cpu", 0),
            ("buffers only", "a module without parameters",
             [entry(f"{one}.mean", "buffer", other)], gpu, 0),
            ("nothing at all", "a module that holds nothing", [], gpu, 0),
            ("a plain attribute elsewhere", "a tensor that is not registered",
             [*linear(one, gpu), entry(f"{one}.table", "attribute", "cpu")], gpu, 0),
        ]
        return [
            Case(
                title,
                separates or title,
                {"entries": entries, "device": device, "current": current},
                bool(separates),
            )
            for title, separates, entries, device, current in drawn
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        entries, message = case.data["entries"], facts["message"]
        first = first_elsewhere(case.data)
        expected = f"{_wanted(first)}, for {case.data['device']} and {show_entries(entries)}"
        if not facts["kept"]:
            return MOVED.found("tensors on other devices than before", "the module as it was")
        if message is None:
            return None if first is None else _missed(case, first).found("no error", expected)
        if first is None:
            return _needless(case).found(f"ValueError: {message}", expected)
        said = {word.strip(".") for word in re.findall(r"[\w.]+", message)}
        named = said & {e["name"] for e in registered(entries)}
        if named == {first["name"]}:
            return None
        if case.data["device"] == "cuda" and named == {registered(entries)[0]["name"]}:
            kind = CURRENT_IGNORED if case.data["current"] else NO_NUMBER
        else:
            kind = NOT_FIRST if named else NAME_MISSING
        return kind.found(f"ValueError: {message}", expected)

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        expected = _wanted(first_elsewhere(case.data))
        seen = f"{raised.type}: {raised.text}"
        if asked_for_device(raised):
            return NO_DEVICE.found(seen, expected)
        if raised.type == "StopIteration":
            return EMPTY.found(seen, expected)
        if raised.type in ("AssertionError", "RuntimeError", "Exception"):
            return OTHER_ERROR.found(seen, expected)
        return None


def first_elsewhere(data: Mapping[str, object]) -> Mapping[str, str] | None:
    """The first registered entry that is not on the device, or None."""
    device = data["device"] if data["device"] != "cuda" else f"cuda:{data['current']}"
    elsewhere = (e for e in registered(data["entries"]) if e["device"] != device)
    return next(elsewhere, None)


def _wanted(first: Mapping[str, str] | None) -> str:
    return f"a ValueError that names {first['name']}" if first else "no error"


def _missed(case: Case, first: Mapping[str, str]) -> FindingKind:
    if first["kind"] != "parameter":
        return BUFFERS_MISSED
    if case.data["device"] != "cpu" and first["device"] != "cpu":
        return TYPE_COMPARED
    return NOT_RAISED


def _needless(case: Case) -> FindingKind:
    if case.data["device"] != "cuda":
        return NEEDLESS
    return CURRENT_IGNORED if case.data["current"] else NO_NUMBER

"""Judge `parallel.check_wrap`.

The oracle follows `nn.DataParallel` of torch 2.13 (torch/nn/parallel/data_parallel.py): what its
constructor asks first, and what its forward asks of every parameter and buffer. A test compares it
with real wrappers on the devices of the course.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Judge, Raise
from course_utils.checking.facts import brief

MISMATCH = (
    "module must have its parameters and buffers on device {wanted} (device_ids[0]) "
    "but found one of them on device: {found}"
)
INVALID = "Invalid device id"

WRONG_FORM = FindingKind(
    name="wrong-form",
    title="the result is neither `None` nor a text",
    explanation="`None` stands for a wrapper that works. Else the result is torch's own message, "
    "as a text.",
    next_step="Return one of the two, and raise nothing.",
)
ZERO = FindingKind(
    name="zero-taken-for-main",
    title="the main GPU is the first of `device_ids`",
    explanation="It need not be number 0. With `device_ids=[2, 1]` the parameters have to be on "
    "`cuda:2`.",
    next_step="Make the wanted device from `device_ids[0]`.",
)
ANY_GPU = FindingKind(
    name="any-gpu-accepted",
    title="being on some GPU is not enough",
    explanation="The replicas are made from what is on the first GPU of `device_ids`. Parameters "
    "on another one are refused, even if that one takes part as well.",
    next_step="Compare the whole device, with its number.",
)
CPU = FindingKind(
    name="cpu-accepted",
    title="a module that was never moved is refused",
    explanation="With two GPUs or more, the wrapper moves nothing by itself. Only the *inputs* may "
    "come from the CPU.",
    next_step="Treat the CPU like any other device on which a parameter should not be.",
)
FIRST_ONLY = FindingKind(
    name="not-all-looked-at",
    title="one of the parameters and buffers is elsewhere",
    explanation="The wrapper looks at all of them, in order, and stops at the first that is in "
    "another place.",
    next_step="Go through the whole list.",
)
OTHER_FOUND = FindingKind(
    name="other-device-named",
    title="the message names another device",
    explanation="Behind `found one of them on device:` stands the place of the *first* one that is "
    "elsewhere, and before it the first of `device_ids`.",
    next_step="Stop at the first device that differs from the wanted one.",
)
ONE_GPU = FindingKind(
    name="one-gpu-refused",
    title="with a single GPU the wrapper moves the module itself",
    explanation="If `device_ids` has one entry, or only one GPU is visible, the constructor calls "
    "`module.to(...)`. Nothing can be in the wrong place then.",
    next_step="Return `None` as soon as there is one valid GPU to use.",
)
RANGE = FindingKind(
    name="id-not-checked",
    title="a GPU with that number is not visible",
    explanation="`device_ids` are logical numbers: they count from 0 to one less than the number "
    "of visible GPUs. Any other is an invalid id, before anything else is looked at.",
    next_step="Look at every id first, and compare it with `n_visible`.",
)
VALID_ID = FindingKind(
    name="id-refused",
    title="all these ids are valid",
    explanation="Every number from 0 to one less than the number of visible GPUs is valid, in any "
    "order.",
    next_step="Answer with the invalid id only if some number is too large.",
)
NO_GPU = FindingKind(
    name="no-gpu-refused",
    title="without a GPU the wrapper does nothing",
    explanation="It keeps the module and calls it, whatever `device_ids` says. Nothing is checked.",
    next_step="Treat `n_visible == 0` first.",
)
DEFAULT = FindingKind(
    name="default-ids",
    title="`device_ids=None` stands for all visible GPUs",
    explanation="This is the default of the wrapper: 0, 1, 2 and so on.",
    next_step="Put the list in its place before you use it.",
)
NEEDLESS = FindingKind(
    name="refused-for-nothing",
    title="this wrapper works",
    explanation="All parameters and buffers are on the first GPU of `device_ids`. More is not "
    "asked.",
    next_step="Return `None` if every device is the wanted one.",
)
OTHER_WORDS = FindingKind(
    name="other-words",
    title="the message has other words",
    explanation="It is compared with torch's own, letter by letter.",
    next_step="Copy the text out of the exercise and put the two devices into it.",
)


class CheckWrap(Judge):
    """Finds the rule under which a wrong verdict would be right."""

    name = "parallel.check_wrap"
    findings = (
        WRONG_FORM,
        ZERO,
        ANY_GPU,
        CPU,
        FIRST_ONLY,
        OTHER_FOUND,
        ONE_GPU,
        RANGE,
        VALID_ID,
        NO_GPU,
        DEFAULT,
        NEEDLESS,
        OTHER_WORDS,
    )
    hints = (
        "The wrapper asks four things, in this order: is there any GPU? Which ids are meant? Are "
        "they all valid? Is there more than one?",
        "Only then it goes through parameters and buffers and compares each device with that of "
        "`device_ids[0]`.",
        "`None` for `device_ids` is `list(range(n_visible))`. An id is valid if it is smaller than "
        "`n_visible`. A list with one valid id is always fine.",
        "A similar case: may this group sit at that table?\n"
        "```python\n"
        "def complaint(coats, seats, places):\n"
        "    if any(seat >= places for seat in seats):\n"
        "        return \"no such seat\"\n"
        "    if len(seats) == 1:\n"
        "        return None                      # one guest: the waiter takes the coat along\n"
        "    for coat in coats:\n"
        "        if coat != seats[0]:\n"
        "            return f\"a coat hangs at seat {coat}\"\n"
        "    return None\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        a, b, c = rng.sample(range(1, 6), 3)
        size = rng.randint(2, 5)
        drawn: list[tuple[str, str, list[str], list[int] | None, int]] = [
            ("all on cuda:0, two GPUs", "", ["cuda:0"] * 3, [0, 1], 2),
            ("all on cuda:2, device_ids=[1, 2]", "", ["cuda:2"] * 2, [1, 2], 4),
            ("one buffer on the other GPU", "", ["cuda:1", "cuda:1", "cuda:0"], [1, 0], 2),
            ("never moved, default ids", "", ["cpu"] * 2, None, 4),
            ("an id that is not there", "", ["cuda:0"] * 2, [0, 2], 2),
            ("one GPU", "", ["cpu"] * 2, [0], 2),
            ("main GPU is another one", "a main GPU that is not number 0",
             [f"cuda:{a}"] * size, [a, 0], 6),
            ("on number 0, main is another", "parameters on number 0, another main GPU",
             ["cuda:0"] * size, [b, 0], 6),
            ("on the second of the ids", "parameters on the second of the GPUs",
             [f"cuda:{b}"] * size, [a, b], 6),
            ("never moved, ids given", "a module on the CPU", ["cpu"] * size, [a, b, c], 6),
            ("three places", "several tensors elsewhere",
             [f"cuda:{a}", f"cuda:{b}", "cpu", f"cuda:{c}"], [a, b, c], 6),
            ("the last one elsewhere", "the last of many tensors",
             [f"cuda:{a}"] * size + [f"cuda:{c}"], [a, b], 6),
            ("default ids, right place", "default ids and a module in its place",
             ["cuda:0"] * size, None, rng.randint(2, 8)),
            ("default ids, one visible", "default ids with a single visible GPU",
             ["cpu"] * size, None, 1),
            ("one GPU, from another", "a single GPU, and a module on another",
             [f"cuda:{b}", "cpu"], [a], 6),
            ("an id one too large", "an id that equals the number of GPUs",
             [f"cuda:{a}"] * size, [a, 6], 6),
            ("a single id that is not there", "a single id that is not there",
             ["cpu"] * size, [rng.randint(3, 7)], 3),
            ("wrong id and wrong place", "two mistakes at once",
             ["cpu"] * size, [0, rng.randint(4, 9)], 4),
            ("no GPU", "a computer without GPUs", ["cpu"] * size, None, 0),
            ("no GPU, ids given", "ids on a computer without GPUs", ["cpu"] * size, [0, 1], 0),
            ("holds nothing", "a module without tensors", [], [a, b], 6),
        ]
        return [
            Case(
                title,
                separates or title,
                {"param_devices": places, "device_ids": ids, "n_visible": visible},
                bool(separates),
            )
            for title, separates, places, ids, visible in drawn
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        seen, right = facts["verdict"], verdict(case.data)
        expected = f"{right!r} for {_show(case.data)}"
        if seen["type"] not in ("NoneType", "str"):
            return WRONG_FORM.found(brief(seen), expected)
        if seen["value"] == right:
            return None
        return _name(seen["value"], right, case.data).found(repr(seen["value"])[:200], expected)

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        seen, expected = f"{raised.type}: {raised.text}"[:200], repr(verdict(case.data))
        if case.data["device_ids"] is None and raised.type == "TypeError":
            return DEFAULT.found(seen, expected)
        if raised.text in (INVALID, verdict(case.data)) and raised.type != "TypeError":
            return WRONG_FORM.found(seen, expected)
        return None


def verdict(data: Mapping[str, Any]) -> str | None:
    """None for a wrapper whose forward runs, else the message of torch."""
    visible, ids = data["n_visible"], data["device_ids"]
    if visible == 0:
        return None
    used = [*range(visible)] if ids is None else ids
    if max(used) >= visible:
        return INVALID
    wanted = f"cuda:{used[0]}"
    # With one id, the constructor has moved the module there.
    places = [wanted for _ in data["param_devices"]] if len(used) == 1 else data["param_devices"]
    elsewhere = [place for place in places if place != wanted]
    return MISMATCH.format(wanted=wanted, found=elsewhere[0]) if elsewhere else None


def _name(seen: str | None, right: str | None, data: Mapping[str, Any]) -> FindingKind:
    visible, places = data["n_visible"], data["param_devices"]
    ids = list(range(visible)) if data["device_ids"] is None else data["device_ids"]
    if visible == 0:
        return NO_GPU
    if right == INVALID:
        return RANGE
    if seen == INVALID:
        return VALID_ID
    if len(ids) == 1:
        return ONE_GPU
    if right is None:
        return ZERO if seen and "device cuda:0 (device_ids[0])" in seen else NEEDLESS
    if seen is None:
        elsewhere = [place for place in places if place != f"cuda:{ids[0]}"]
        if len(elsewhere) < len(places) and places[0] == f"cuda:{ids[0]}":
            return FIRST_ONLY
        if set(elsewhere) == {"cpu"}:
            return CPU
        return ZERO if set(places) == {"cuda:0"} else ANY_GPU
    begin, middle, _ = MISMATCH.replace("{found}", "{wanted}").split("{wanted}")
    if not (seen.startswith(begin) and middle in seen):
        return OTHER_WORDS
    wanted, _, found = seen.removeprefix(begin).partition(middle)
    if found not in {*places, f"cuda:{ids[0]}"}:
        return OTHER_WORDS
    return ZERO if wanted == "cuda:0" and ids[0] != 0 else OTHER_FOUND


def _show(data: Mapping[str, Any]) -> str:
    places = ", ".join(data["param_devices"]) or "nothing"
    return f"{places} with device_ids={data['device_ids']} and {data['n_visible']} visible"

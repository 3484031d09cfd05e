"""Judge `visible.in_force`.

The oracle is a small simulation: an environment that changes, and a process that reads it once.
A test compares it with real child processes that run the same events.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Judge, Raise
from course_utils.checking.facts import brief
from course_utils.judging.visible.material import shown, visible_numbers, whole_numbers

WRONG_FORM = FindingKind(
    name="wrong-form",
    title="the prediction has another form",
    explanation="It is a list of whole numbers: the card behind `cuda:0`, then that behind "
    "`cuda:1`, and so on.",
    next_step="Compare your result with the example of the exercise, type by type.",
)
LAST_WINS = FindingKind(
    name="last-write-wins",
    title="the change came too late",
    explanation="CUDA reads the variable once, at its first use in a process. Later changes reach "
    "the environment, and nobody looks at it any more.",
    next_step="Keep the list that was read at the first use, and stop looking at the environment.",
)
AVAILABLE = FindingKind(
    name="is-available-only-asks",
    title="`is_available()` is a first use of CUDA",
    explanation="It asks CUDA itself how many devices there are. For that the driver starts, and "
    "reads the variable for good.",
    next_step="Treat `is_available` like the making of a tensor.",
)
IMPORT = FindingKind(
    name="import-freezes",
    title="`import torch` does not start CUDA",
    explanation="CUDA starts when it is first needed. Until then the variable may still change.",
    next_step="Let the import change nothing.",
)
COUNT = FindingKind(
    name="device-count-freezes",
    title="`device_count()` does not start CUDA",
    explanation="Before the first use it reads the variable itself and asks another library, NVML, "
    "for the number of cards. The next call reads the variable again.",
    next_step="Let `device_count` change nothing.",
)
SETDEFAULT = FindingKind(
    name="setdefault-overrides",
    title="`setdefault` found a value, and left it",
    explanation="It sets a variable that is missing. Where there is a value, even one that was "
    "there when the program started, it does nothing at all.",
    next_step="Ask whether there is a value before you apply a `setdefault`.",
)
FIRST_WINS = FindingKind(
    name="first-write-wins",
    title="before the first use, a later assignment counts",
    explanation="An assignment replaces the value, however often, until CUDA has read it.",
    next_step="Replace the value at every `set`.",
)
CHILD_FROZEN = FindingKind(
    name="child-is-frozen",
    title="a child process reads the variable for itself",
    explanation="CUDA has not been used in a new process. What its parent has read for good does "
    "not hold there.",
    next_step="Forget what was read when a `child` begins.",
)
CHILD_FRESH = FindingKind(
    name="child-begins-anew",
    title="a child process inherits the environment",
    explanation="It gets a copy of what its parent's environment is at that moment, with all the "
    "changes that were made before.",
    next_step="Keep the value of the variable when a `child` begins.",
)
START = FindingKind(
    name="start-forgotten",
    title="the program did not start from nothing",
    explanation="The value that its environment has at the start is in force until something "
    "changes it; and without any value all four cards are visible.",
    next_step="Begin with `start` as the value of the variable.",
)
LOGICAL = FindingKind(
    name="logical-numbers",
    title="these are the logical numbers",
    explanation="They are always 0, 1, 2, …. What is asked for is the card behind each of them.",
    next_step="Return the numbers that stand in the value.",
)
OTHER = FindingKind(
    name="cards-wrong",
    title="other cards are in force",
    explanation="Two things matter: the value of the variable, event by event, and the first use "
    "of CUDA, which reads it.",
    next_step="Write both down for every event, on paper.",
)

CARDS = 4
"""How many cards the machine of the exercise has."""


class InForce(Judge):
    """Compares the prediction with a process that reads the variable at its first use of CUDA."""

    name = "visible.in_force"
    findings = (
        WRONG_FORM,
        LAST_WINS,
        AVAILABLE,
        IMPORT,
        COUNT,
        SETDEFAULT,
        FIRST_WINS,
        CHILD_FROZEN,
        CHILD_FRESH,
        START,
        LOGICAL,
        OTHER,
    )
    hints = (
        "Two variables are enough: what the environment says now, and what CUDA has read (`None` "
        "as long as it has read nothing).",
        "Which events are a first use? Making a tensor, and `is_available`. Neither the import nor "
        "`device_count` is one.",
        "A `child` event keeps the first of the two variables, and sets the second back to `None`. "
        "At the end: what was read counts, or else what the environment says.",
        "A similar case: a reader buys the newspaper once, and the headline may change all day.\n"
        "```python\n"
        "def headline_read(morning, events):\n"
        "    headline, read = morning, None\n"
        "    for event in events:\n"
        "        if event[0] == \"new edition\":\n"
        "            headline = event[1]\n"
        "        elif event[0] == \"buy\" and read is None:\n"
        "            read = headline\n"
        "    return headline if read is None else read\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        values = _values(rng, 8)
        a, b, c, d = values[:4]
        use = rng.choice(("tensor", "is_available"))
        torch, tensor, available = ("import",), ("tensor",), ("is_available",)
        count, child = ("device_count",), ("child",)
        drawn: list[tuple[str, str, str | None, list[tuple[str, ...]]]] = [
            ("set, then used", "", None, [("set", "2,3"), torch, tensor]),
            ("a value from the shell", "", "3,1", [torch, tensor]),
            ("changed after the first use", "", None,
             [torch, ("set", "0,1"), tensor, ("set", "2,3")]),
            ("set after the import", "", None, [torch, ("set", "3"), tensor]),
            ("two assignments", "", None, [("set", "1"), ("set", "0,2"), torch, tensor]),
            ("asked first, then set", "", None, [torch, available, ("set", "1")]),
            ("counted first, then set", "", None, [torch, count, ("set", "1,2"), tensor]),
            ("`setdefault`, with a value there", "", "0",
             [torch, ("setdefault", "2,3"), tensor]),
            ("a child process", "", None,
             [torch, ("set", "0"), tensor, ("set", "3,1"), child, torch, tensor]),
            ("three assignments", "several assignments before the first use", a,
             [("set", b), torch, ("set", c), count, ("set", d), tensor]),
            ("two tensors", "two tensors with an assignment between them", a,
             [torch, tensor, ("set", b), tensor]),
            ("two uses", "two uses with an assignment between them", None,
             [torch, ("set", a), available, ("set", b), tensor, count]),
            ("asked under another value", "`is_available` and an assignment", a,
             [torch, available, ("set", b), tensor]),
            ("two defaults", "`setdefault` twice", None,
             [("setdefault", a), torch, ("setdefault", b), tensor]),
            ("a default too late", "`setdefault` after the first use", None,
             [torch, tensor, ("setdefault", a)]),
            ("a default over an assignment", "`setdefault` after an assignment", None,
             [("set", a), ("setdefault", b), torch, (use,)]),
            ("a default over an empty value", "`setdefault`, with an empty value there", "",
             [torch, count, ("setdefault", a)]),
            ("only counted", "nothing but counting", a, [torch, count, ("set", b), count]),
            ("nothing happens", "a program that changes nothing", c, [torch, tensor]),
            ("nothing set", "a program without any value", None, [torch, (use,)]),
            ("a child of a frozen parent", "a child after a first use", a,
             [torch, (use,), ("set", b), child, torch, count]),
            ("a child with a default", "a child that sets a default", None,
             [torch, ("set", a), child, ("setdefault", b), torch, tensor]),
            ("a child that sets", "a child that makes its own choice", a,
             [torch, tensor, child, torch, ("set", c), tensor, ("set", d)]),
            ("a child of a child", "a child of a child", None,
             [torch, ("set", a), tensor, child, ("set", b), torch, available, ("set", c), child,
              torch, tensor]),
            ("hidden afterwards", "an empty value after the first use", None,
             [torch, ("set", c), (use,), ("set", "")]),
        ]
        return [
            Case(
                title,
                separates or title,
                {"start": start, "events": [list(event) for event in events]},
                bool(separates),
            )
            for title, separates, start, events in drawn
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        seen, wanted = whole_numbers(facts["prediction"]), truth(case.data)
        expected = f"{wanted} for start {shown(case.data['start'])} and {_program(case.data)}"
        if seen is None:
            return WRONG_FORM.found(brief(facts["prediction"]), expected)
        if seen == wanted:
            return None
        return _name(seen, case.data).found(str(seen), expected)

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        if case.data["start"] is None and raised.type in ("AttributeError", "KeyError"):
            return START.found(f"{raised.type}: {raised.text}", str(truth(case.data)))
        return None


def truth(data: Mapping[str, Any], misconception: FindingKind | None = None) -> list[int]:
    """The cards in force after the last event; with a misconception, what it makes of them."""
    uses = {"tensor", "is_available"} - {_NOT_A_USE.get(misconception)} | {_USE.get(misconception)}
    assigning = _ASSIGNING.get(misconception, ("set",))
    value, read = None if misconception is START else data["start"], None
    for kind, *new in data["events"]:
        if kind in ("set", "setdefault"):
            value = new[0] if value is None or kind in assigning else value
        elif kind == "child":
            read = read if misconception is CHILD_FROZEN else None
            value = data["start"] if misconception is CHILD_FRESH else value
        elif kind in uses and read is None and misconception is not LAST_WINS:
            read = visible_numbers((value, CARDS))
    return visible_numbers((value, CARDS)) if read is None else read


_USE = {IMPORT: "import", COUNT: "device_count"}
_NOT_A_USE = {AVAILABLE: "is_available"}
_ASSIGNING = {SETDEFAULT: ("set", "setdefault"), FIRST_WINS: ()}


def _name(seen: Sequence[int], data: Mapping[str, Any]) -> FindingKind:
    """The first misconception that leads to this prediction and is not right by chance."""
    for kind in (
        AVAILABLE, COUNT, IMPORT, SETDEFAULT, CHILD_FROZEN, CHILD_FRESH, FIRST_WINS, START,
        LAST_WINS,
    ):  # fmt: skip
        if list(seen) == truth(data, kind):
            return kind
    return LOGICAL if list(seen) == list(range(len(truth(data)))) else OTHER


def _values(rng: random.Random, count: int) -> list[str]:
    """Different values, each naming one to three of the four cards."""
    found: list[str] = []
    while len(found) < count:
        cards = rng.sample(range(CARDS), rng.randint(1, 3))
        value = ",".join(map(str, cards))
        if value not in found:
            found.append(value)
    return found


def _program(data: Mapping[str, Any]) -> str:
    return "; ".join(" ".join(event) for event in data["events"])

"""Judge `tensors.timing_order`. The first wrong line is the one that is diagnosed."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Judge
from course_utils.checking.facts import brief
from course_utils.judging.tensors.material import many, plain

WARM_UP, SYNCHRONIZE, START = "warm up", "synchronize", "start the clock"
RUN, STOP = "run", "stop the clock"

WRONG_FORM = FindingKind(
    name="wrong-form",
    title="the result is not a list of steps",
    explanation="The function returns the ordered steps, as a list of texts.",
    next_step="Return a new list.",
)
STEPS_LOST = FindingKind(
    name="steps-lost",
    title="not every step is there as often as it was given",
    explanation="Ordering leaves nothing out and adds nothing: each step of the list is needed, "
    "as often as it occurs.",
    next_step="Count the steps that you were given and those that you return.",
)
INPUT_CHANGED = FindingKind(
    name="input-changed",
    title="the caller's list was changed",
    explanation="`sort`, `remove` and `pop` work on the list itself, and that belongs to whoever "
    "called.",
    next_step="Work on a copy, or build a new list.",
)
COLD = FindingKind(
    name="warm-up-too-late",
    title="something else comes before the warm-up",
    explanation="The first use of a GPU also starts it, loads libraries and finds memory. What is "
    "timed before all warm-ups are done includes that.",
    next_step="Do all warm-ups first.",
)
STILL_BUSY = FindingKind(
    name="warm-up-still-running",
    title="the GPU may still be busy with the warm-up",
    explanation="A launch returns at once and the work goes on. A clock that starts now also "
    "measures the rest of the warm-up.",
    next_step="Let the GPU finish before the clock starts.",
)
NOT_STARTED = FindingKind(
    name="clock-not-started",
    title="the clock is not running yet",
    explanation="What happens before the clock starts is not in its time.",
    next_step="Once the GPU is idle, start the clock before anything else.",
)
NOTHING_LAUNCHED = FindingKind(
    name="runs-outside-the-clock",
    title="not everything that is to be timed has been launched here",
    explanation="Each run has to be launched after the clock has started and before the program "
    "waits for it, or it is left out of the time or waited for too often.",
    next_step="Put all runs directly after the start of the clock.",
)
STOPPED_EARLY = FindingKind(
    name="clock-stopped-early",
    title="the clock stops while the GPU is still working",
    explanation="The launches have returned, but the work may not be done: without waiting, the "
    "clock has measured the launches only.",
    next_step="Let the GPU finish before the clock stops.",
)


class TimingOrder(Judge):
    """There is one right order for each number of warm-ups and runs."""

    name = "tensors.timing_order"
    findings = (
        WRONG_FORM,
        STEPS_LOST,
        INPUT_CHANGED,
        COLD,
        STILL_BUSY,
        NOT_STARTED,
        NOTHING_LAUNCHED,
        STOPPED_EARLY,
    )
    hints = (
        "A launch only hands the work to the GPU. Ask at each line: what might the GPU still be "
        "doing now?",
        "When the clock starts, nothing may be left to do from before; when it stops, nothing may "
        "be left of what you want to time.",
        "So there is a `synchronize` before each of the two clock steps, and none between two "
        "runs. The warm-up is not part of what is timed. `steps.count(name)` says how often a "
        "step occurs.",
        "A similar case: timing how long an oven takes to bake, given any number of cakes.\n"
        "```python\n"
        "def baking_order(steps):\n"
        "    heat = [\"heat the oven\", \"wait until it is hot\"]\n"
        "    cakes = [\"put a cake in\"] * steps.count(\"put a cake in\")\n"
        "    return heat + [\"look at the clock\"] + cakes + [\"wait\", \"look again\"]\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        few, several = rng.randint(2, 4), rng.randint(5, 9)
        drawn = [
            ("one warm-up, one run", "", 1, 1),
            ("several runs", "", 1, few),
            ("several warm-ups", "", few, 1),
            ("several of both", "more than one warm-up and more than one run", few, several),
            ("many runs", "many runs", 1, rng.randint(10, 20)),
            ("many warm-ups", "many warm-ups", several, few),
        ]
        cases = [
            Case(title, separates or title, {"steps": _shuffled(rng, warm, runs)}, bool(separates))
            for title, separates, warm, runs in drawn
        ]
        backwards = {"steps": _right(1, few)[::-1]}
        ordered = {"steps": _right(few, 1)}
        return [
            *cases,
            Case("backwards", "steps that were not shuffled by chance", backwards, hidden=True),
            Case("in order", "steps that need no change", ordered, hidden=True),
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        seen, given = facts["ordered"], case.data["steps"]
        if seen["type"] != "list" or any(item["type"] != "str" for item in seen["items"]):
            return WRONG_FORM.found(brief(seen), "a list of texts")
        if facts["after"] != _listed(given):
            return INPUT_CHANGED.found(brief(facts["after"]), brief(_listed(given)))
        order = [item["value"] for item in seen["items"]]
        if Counter(order) != Counter(given):
            return STEPS_LOST.found(_counted(order), _counted(given))
        right = _right(given.count(WARM_UP), given.count(RUN))
        line = next((i for i, step in enumerate(right) if order[i] != step), None)
        if line is None:
            return None
        kind = _name(right, line)
        return kind.found(f"line {line + 1}: {order[line]}", f"not yet “{order[line]}”")


def _right(warm_ups: int, runs: int) -> list[str]:
    timed = [START, *[RUN] * runs, SYNCHRONIZE, STOP]
    return [*[WARM_UP] * warm_ups, SYNCHRONIZE, *timed]


def _shuffled(rng: random.Random, warm_ups: int, runs: int) -> list[str]:
    steps = _right(warm_ups, runs)
    rng.shuffle(steps)
    return steps


def _name(right: Sequence[str], line: int) -> FindingKind:
    first_wait = right.index(SYNCHRONIZE)
    if right[line] == SYNCHRONIZE:
        return STILL_BUSY if line == first_wait else STOPPED_EARLY
    return {WARM_UP: COLD, START: NOT_STARTED, RUN: NOTHING_LAUNCHED}[right[line]]


def _listed(steps: Sequence[str]) -> Mapping[str, Any]:
    return many("list", *map(plain, steps))


def _counted(steps: Sequence[str]) -> str:
    return ", ".join(f"{number} × {step}" for step, number in sorted(Counter(steps).items()))

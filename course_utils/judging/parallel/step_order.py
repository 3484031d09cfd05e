"""Judge `parallel.step_order`.

The oracle plays the training: each phase becomes possible when what it needs is there. The first
line that is not possible yet is the one that is diagnosed.
"""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Judge
from course_utils.checking.facts import brief

SCATTER, REPLICATE, APPLY, GATHER = "scatter", "replicate", "apply on ", "gather"
LOSS, BACKWARD, ADD, UPDATE = "loss", "backward on ", "add gradients", "update"

WRONG_FORM = FindingKind(
    name="wrong-form",
    title="the result is not a list of phases",
    explanation="The function returns the ordered phases, as a list of texts.",
    next_step="Return a new list.",
)
LOST = FindingKind(
    name="phases-lost",
    title="not every phase is there as often as it was given",
    explanation="Ordering leaves nothing out and adds nothing: each GPU has its own turn, and each "
    "training step all of its phases.",
    next_step="Count the phases that you were given and those that you return.",
)
INPUT_CHANGED = FindingKind(
    name="input-changed",
    title="the caller's list was changed",
    explanation="`sort`, `remove` and `pop` work on the list itself, and that belongs to whoever "
    "called.",
    next_step="Work on a copy, or build a new list.",
)
NO_PARTS = FindingKind(
    name="batch-not-split-yet",
    title="the batch has not been split yet",
    explanation="A step begins with `scatter`. Only then it is known how many replicas are needed: "
    "one for each part.",
    next_step="Let `scatter` be the first phase of each step.",
)
REPLICATED_ONCE = FindingKind(
    name="replicated-once",
    title="replicas do not outlive their step",
    explanation="They are thrown away after the forward pass. The update changes the parameters on "
    "the main GPU only, so that every step needs new copies of them.",
    next_step="Put one `replicate` into each training step.",
)
NO_REPLICAS = FindingKind(
    name="no-replicas-yet",
    title="there are no replicas yet",
    explanation="A part that has arrived on its GPU meets no module there until the module has "
    "been replicated.",
    next_step="Put `replicate` between `scatter` and the first `apply`.",
)
STILL_RUNNING = FindingKind(
    name="not-all-replicas-run",
    title="a replica has not run yet",
    explanation="Gathering needs the outputs of all replicas, and no gradient starts before that.",
    next_step="Put every `apply` of the step before `gather`.",
)
APART = FindingKind(
    name="outputs-still-apart",
    title="the outputs are still on their GPUs",
    explanation="The loss is computed on the main GPU, from the output for the whole batch.",
    next_step="Gather before you compute the loss.",
)
NO_LOSS = FindingKind(
    name="no-loss-yet",
    title="there is no loss yet",
    explanation="Gradients begin at the loss, which is one number for the whole batch.",
    next_step="Put `loss` directly after `gather`.",
)
NO_GRADIENTS = FindingKind(
    name="not-all-gradients-yet",
    title="a replica has no gradients yet",
    explanation="The gradients of the replicas are added up. That needs the backward pass on each "
    "of the GPUs.",
    next_step="Put every `backward` of the step before `add gradients`.",
)
NOT_ADDED = FindingKind(
    name="gradients-not-added",
    title="the gradients have not been added up yet",
    explanation="The optimizer knows the parameters on the main GPU only. Until the gradients have "
    "been added up there, it would have nothing to work with.",
    next_step="Put `add gradients` before `update`.",
)
NOT_UPDATED = FindingKind(
    name="not-updated-yet",
    title="the step before is not over",
    explanation="The next step begins with the new parameters. Replicas made now would have the "
    "old ones.",
    next_step="End each step with `update`.",
)


class StepOrder(Judge):
    """Replicas may run in any order; everything else has one."""

    name = "parallel.step_order"
    findings = (
        WRONG_FORM,
        LOST,
        INPUT_CHANGED,
        NO_PARTS,
        REPLICATED_ONCE,
        NO_REPLICAS,
        STILL_RUNNING,
        APART,
        NO_LOSS,
        NO_GRADIENTS,
        NOT_ADDED,
        NOT_UPDATED,
    )
    hints = (
        "Ask of each phase what it needs. What needs nothing comes first; what nothing waits for "
        "comes last.",
        "Four phases lead to the output: split the batch, copy the module, run the copies, join "
        "their outputs. Then the loss, and the way back.",
        "`phases.count(\"update\")` is the number of training steps. Each has its own `scatter`, "
        "`replicate` and so on. The GPUs are in the names that begin with `apply on `.",
        "A similar case: a meal of several courses, each for all guests.\n"
        "```python\n"
        "def meal(phases):\n"
        "    courses = phases.count(\"clear the table\")\n"
        "    guests = dict.fromkeys(p for p in phases if p.startswith(\"serve \"))\n"
        "    return [\"cook\", *guests, \"clear the table\"] * courses\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        drawn = [
            ("one step on 2 GPUs", "", 2, 1),
            ("one step on 4 GPUs", "", 4, 1),
            ("two steps on 2 GPUs", "", 2, 2),
            ("GPUs that do not begin at 0", "other GPUs", rng.randint(3, 5), 1),
            ("several steps", "several steps on several GPUs", 3, rng.randint(3, 4)),
            ("many GPUs", "many GPUs", 8, 1),
            ("many steps", "many steps", 2, rng.randint(5, 7)),
        ]
        cases = []
        for title, separates, count, steps in drawn:
            first = rng.sample(range(2, 16), count) if separates else range(count)
            phases = _right([f"cuda:{index}" for index in first], steps)
            rng.shuffle(phases)
            cases.append(Case(title, separates or title, {"phases": phases}, bool(separates)))
        gpus = [f"cuda:{index}" for index in rng.sample(range(8), 3)]
        ordered = {"phases": _right(gpus, 2)}
        backwards = {"phases": _right(gpus, 1)[::-1]}
        return [
            *cases,
            Case("in order", "phases that need no change", ordered, hidden=True),
            Case("backwards", "phases that were not shuffled by chance", backwards, hidden=True),
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        seen, given = facts["ordered"], case.data["phases"]
        if seen["type"] != "list" or any(item["type"] != "str" for item in seen["items"]):
            return WRONG_FORM.found(brief(seen)[:200], "a list of texts")
        if [item.get("value") for item in facts["after"].get("items", [])] != given:
            return INPUT_CHANGED.found(brief(facts["after"])[:200], f"{given}"[:200])
        order = [item["value"] for item in seen["items"]]
        if Counter(order) != Counter(given):
            return LOST.found(_counted(order), _counted(given))
        line, kind = first_impossible(order)
        if kind is None:
            return None
        return kind.found(f"line {line + 1}: {order[line]}", f"not yet “{order[line]}”")


def _right(gpus: Sequence[str], steps: int) -> list[str]:
    forward = [SCATTER, REPLICATE, *(APPLY + gpu for gpu in gpus), GATHER, LOSS]
    back = [*(BACKWARD + gpu for gpu in gpus), ADD, UPDATE]
    return [*forward, *back] * steps


def first_impossible(order: Sequence[str]) -> tuple[int, FindingKind | None]:
    """The number of the first line that is not possible yet, and what is missing."""
    gpus = sorted({phase.removeprefix(APPLY) for phase in order if phase.startswith(APPLY)})
    # Stages of one step: a group of phases in any order, and what is missing until all are done.
    stages: list[tuple[set[str], FindingKind]] = [
        ({SCATTER}, NO_PARTS),
        ({REPLICATE}, NO_REPLICAS),
        ({APPLY + gpu for gpu in gpus}, STILL_RUNNING),
        ({GATHER}, APART),
        ({LOSS}, NO_LOSS),
        ({BACKWARD + gpu for gpu in gpus}, NO_GRADIENTS),
        ({ADD}, NOT_ADDED),
        ({UPDATE}, NOT_UPDATED),
    ]
    stage, left = 0, set(stages[0][0])
    for line, phase in enumerate(order):
        if phase not in left:
            over = {name for names, _ in stages[: stage + 1] for name in names} - left
            return line, _missing(stages[stage][1], phase in over, order[:line])
        left.remove(phase)
        if not left:
            stage = (stage + 1) % len(stages)
            left = set(stages[stage][0])
    return len(order), None


def _missing(kind: FindingKind, again: bool, before: Sequence[str]) -> FindingKind:
    """What is missing; a phase that comes again belongs to the next step.

    Replicas that are not made again in a later step are a mistake of their own.
    """
    if again:
        return NOT_UPDATED
    return REPLICATED_ONCE if kind is NO_REPLICAS and REPLICATE in before else kind


def _counted(phases: Sequence[Any]) -> str:
    counted: Mapping[str, int] = Counter(map(str, phases))
    return ", ".join(f"{number} × {phase}" for phase, number in sorted(counted.items()))[:300]

"""What `tensors.add_on` and `tensors.cheapest` have in common.

The oracle adds on the CPU with torch itself, and knows from the placement of the operands which
copies are needed at a given place.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Raise
from course_utils.checking.facts import brief
from course_utils.judging.tensors.material import Described, is_tensor, tensor

DEVICES_MIXED = FindingKind(
    name="devices-mixed",
    title="the operands met while they were on two devices",
    explanation="An operation runs on one device and takes its operands from there; torch copies "
    "nothing behind your back.",
    next_step="Bring the operand that is elsewhere to the place of the addition first.",
)
NOT_EXEMPT = FindingKind(
    name="operand-not-exempt",
    title="this operand is not exempt from the same-device rule",
    explanation="Only a tensor without dimensions that is on the CPU may join tensors of a GPU. "
    "One element in one dimension is no such tensor, nor is one on a GPU.",
    next_step="Look at `dim()` and at the device of an operand before you leave it where it is.",
)
SCALAR_MOVED = FindingKind(
    name="scalar-moved",
    title="a number that could have stayed was copied",
    explanation="A CPU tensor without dimensions takes part in operations on any GPU as it is; "
    "torch passes its value along with the operation.",
    next_step="Leave an operand alone if it is on the CPU and has no dimensions.",
)
THROUGH_CPU = FindingKind(
    name="through-the-cpu",
    title="the way led through the CPU",
    explanation="A tensor can go from any device straight to any other. With a stop at the CPU "
    "the same bytes travel twice.",
    next_step="Move only what is not there yet, and move it directly to the place of the addition.",
)
NEEDLESS_COPY = FindingKind(
    name="needless-copy",
    title="more was copied than had to be",
    explanation="Where the operands meet, the result is born: it needs no move of its own, and an "
    "operand that is there already needs none either.",
    next_step="Move the operands first and add last.",
)
INPUT_CHANGED = FindingKind(
    name="input-changed",
    title="an operand is not what it was before",
    explanation="`+=` and methods whose name ends in an underscore write into the tensor itself, "
    "and that tensor belongs to whoever called.",
    next_step="Use an operation that makes a new tensor.",
)
NO_TENSOR = FindingKind(
    name="no-tensor",
    title="the function returned no tensor",
    explanation="The sum, a tensor, is the result.",
    next_step="Return the sum.",
)
SUM_DIFFERS = FindingKind(
    name="sum-differs",
    title="the result is not `a + b`",
    explanation="Where the addition takes place changes nothing in its values, its shape or its "
    "dtype.",
    next_step="Compare your result with `a.cpu() + b.cpu()` in a cell of its own.",
)
COMMON = (
    DEVICES_MIXED,
    NOT_EXEMPT,
    SCALAR_MOVED,
    THROUGH_CPU,
    NEEDLESS_COPY,
    INPUT_CHANGED,
    NO_TENSOR,
    SUM_DIFFERS,
)

Copies = list[list[Any]]


def free_to_join(operand: Mapping[str, Any]) -> bool:
    """Whether `operand` may join tensors of a GPU as it is."""
    return operand["device"] == "cpu" and not operand["shape"]


def needed_copies(operands: Sequence[Mapping[str, Any]], place: str) -> Copies:
    """The fewest copies that let the operands meet at `place`, as facts."""
    away = [
        operand["device"]
        for operand in operands
        if operand["device"] != place and not free_to_join(operand)
    ]
    return [[device, place, away.count(device)] for device in sorted(set(away))]


def sum_at(operands: Sequence[Mapping[str, Any]], place: str) -> Described:
    """The sum, as it should be described."""
    a, b = (
        torch.tensor(operand["values"], dtype=getattr(torch, operand["dtype"]))
        for operand in operands
    )
    total = a + b
    dtype = str(total.dtype).removeprefix("torch.")
    return tensor(total.flatten().tolist(), total.shape, place, dtype)


def judge_addition(
    case: Case, facts: Facts, place: str, wrong_place: FindingKind
) -> Finding | None:
    """Judge everything that the two exercises have in common."""
    operands = [case.data["a"], case.data["b"]]
    seen, wanted = facts["result"], sum_at(operands, place)
    if not is_tensor(seen):
        return NO_TENSOR.found(brief(seen), brief(wanted))
    if facts["after"] != operands:
        changed = "b" if facts["after"][0] == operands[0] else "a"
        return INPUT_CHANGED.found(f"{changed} has changed", "a and b as they were")
    if seen["device"] != place:
        return wrong_place.found(f"a result on {seen['device']}", f"a result on {place}")
    needed = needed_copies(operands, place)
    if _counted(facts["copies"]) - _counted(needed):
        kind = _name_copies(operands, facts["copies"], place)
        return kind.found(_show(facts["copies"]), _show(needed))
    if seen != wanted:
        return SUM_DIFFERS.found(brief(seen), brief(wanted))
    return None


def explain_raise(case: Case, raised: Raise) -> Finding | None:
    """The misconception behind torch's same-device error."""
    if "Expected all tensors to be on the same device" not in raised.text:
        return None
    operands = [case.data["a"], case.data["b"]]
    single = any(len(operand["shape"]) < 2 and _elements(operand) == 1 for operand in operands)
    kind = NOT_EXEMPT if single else DEVICES_MIXED
    return kind.found(raised.text, "both operands on one device")


def _counted(copies: Copies) -> Counter[tuple[str, str]]:
    return Counter({(source, target): number for source, target, number in copies})


def _elements(operand: Mapping[str, Any]) -> int:
    return torch.Size(operand["shape"]).numel()


def _name_copies(
    operands: Sequence[Mapping[str, Any]], copies: Copies, place: str
) -> FindingKind:
    if place != "cpu" and any(target == "cpu" for _, target, _ in copies):
        return THROUGH_CPU
    if place != "cpu" and any(map(free_to_join, operands)):
        return SCALAR_MOVED
    return NEEDLESS_COPY


def _show(copies: Copies) -> str:
    return ", ".join(f"{n} × {source} → {target}" for source, target, n in copies) or "no copy"

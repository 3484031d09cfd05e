"""Judge `tensors.cheapest`. The oracle weighs the described operands, byte by byte."""

import math
import random
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Judge, Raise
from course_utils.judging.tensors.additions import (
    COMMON,
    SCALAR_MOVED,
    explain_raise,
    free_to_join,
    judge_addition,
)
from course_utils.judging.tensors.material import some_tensor, two_gpus

LARGER_MOVED = FindingKind(
    name="larger-moved",
    title="the larger operand was moved",
    explanation="Where the addition takes place decides what travels. Here the other operand was "
    "smaller.",
    next_step="Compare the sizes of the two, then move the smaller one.",
)
ELEMENTS_COUNTED = FindingKind(
    name="elements-counted",
    title="fewer elements are not always fewer bytes",
    explanation="A float64 element has eight bytes, an int8 or a uint8 element one. What travels "
    "is bytes.",
    next_step="Multiply the number of elements by `element_size()`.",
)
TIE_ELSEWHERE = FindingKind(
    name="tie-elsewhere",
    title="with equal sizes the addition belongs on the device of `a`",
    explanation="Either way costs the same, so the exercise names one of them.",
    next_step="Look at what your comparison does when both sides are equal.",
)

BYTES = {"float64": 8, "float32": 4, "int64": 8, "int32": 4, "float16": 2, "uint8": 1}


class Cheapest(Judge):
    """The place follows from what each operand weighs."""

    name = "tensors.cheapest"
    findings = (*COMMON, LARGER_MOVED, ELEMENTS_COUNTED, TIE_ELSEWHERE)
    hints = (
        "Two places are possible: the device of `a` and the device of `b`. For each, what would "
        "have to travel there?",
        "The size of a tensor in bytes is `t.numel() * t.element_size()`.",
        "A CPU tensor with `dim() == 0` need not travel to a GPU at all: treat it as having no "
        "bytes, and leave it where it is. Everything else that is elsewhere has to move.",
        "A similar case: where to meet, if each of two people carries some bags?\n"
        "```python\n"
        "def meeting_place(ann, bob):\n"
        "    # Whoever carries less walks. If both carry the same, Bob walks.\n"
        "    return ann.home if ann.bags >= bob.bags else bob.home\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        gpu, other = two_gpus(rng)
        n, m = rng.randint(3, 5), rng.randint(2, 4)
        f32, f64, u8 = "float32", "float64", "uint8"
        row, grid = [n], [m, n]
        drawn = [
            ("a large CPU tensor and a small one on a GPU", "",
             ("cpu", grid, f32), (gpu, row, f32)),
            ("a small tensor and a large one, on two GPUs", "",
             (gpu, row, f32), (other, grid, f32)),
            ("two of the same size", "", (other, row, f32), (gpu, row, f32)),
            ("both on one GPU", "", (gpu, row, f32), (gpu, grid, f32)),
            ("fewer elements, more bytes", "many small elements against few large ones",
             (gpu, row, f64), (other, [2, n], u8)),
            ("more elements, fewer bytes", "few large elements against many small ones",
             (gpu, [3, n], u8), ("cpu", row, f64)),
            ("the same size, other dtypes", "equal bytes in unequal elements",
             ("cpu", [2, n], f32), (other, row, f64)),
            ("a number on the CPU", "a CPU tensor without dimensions",
             ("cpu", [], f64), (gpu, [1], u8)),
            ("a number on the CPU, as `b`", "a CPU tensor without dimensions, as `b`",
             (other, [], f32), ("cpu", [], f32)),
            ("one element in one dimension", "one element in one dimension",
             ("cpu", [1], f32), (gpu, grid, f32)),
            ("a number on a GPU", "a tensor without dimensions on a GPU",
             (gpu, [], f32), ("cpu", row, f32)),
            ("two GPUs, the first one heavier", "two GPUs", (gpu, grid, f32), (other, row, f32)),
        ]
        return [
            Case(
                title,
                separates or title,
                {"a": some_tensor(rng, *a), "b": some_tensor(rng, *b)},
                bool(separates),
            )
            for title, separates, a, b in drawn
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        a, b = case.data["a"], case.data["b"]
        place = a["device"] if _weight(a) >= _weight(b) else b["device"]
        return judge_addition(case, facts, place, _name_wrong_place(a, b))

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        return explain_raise(case, raised)


def _weight(operand: Mapping[str, Any]) -> int:
    """What moving `operand` would cost, in bytes."""
    if free_to_join(operand):
        return 0
    return math.prod(operand["shape"]) * BYTES[operand["dtype"]]


def _name_wrong_place(a: Mapping[str, Any], b: Mapping[str, Any]) -> FindingKind:
    if free_to_join(a) or free_to_join(b):
        return SCALAR_MOVED
    if _weight(a) == _weight(b):
        return TIE_ELSEWHERE
    by_elements = math.prod(a["shape"]) > math.prod(b["shape"])
    return LARGER_MOVED if by_elements == (_weight(a) > _weight(b)) else ELEMENTS_COUNTED

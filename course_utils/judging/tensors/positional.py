"""Judge `tensors.positional`. The oracle computes the table in plain Python numbers."""

import math
import random
from collections.abc import Sequence
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Judge, Raise
from course_utils.checking.facts import brief
from course_utils.judging.tensors.material import is_nothing, is_tensor, two_gpus

TOLERANCE = 5e-5
"""Right formulas differ by rounding in float32: by 1e-5 at most for the positions asked for."""

BUILT_THEN_MOVED = FindingKind(
    name="built-then-moved",
    title="the table was built elsewhere and then copied",
    explanation="Every element crossed from one device to another, and that is slow. These numbers "
    "can be computed where they are needed.",
    next_step="Give `device=device` to each function that creates a tensor.",
)
LEFT_ON_CPU = FindingKind(
    name="left-on-cpu",
    title="the table is on the CPU",
    explanation="A function that creates a tensor puts it on the CPU unless told otherwise.",
    next_step="Tell it the device.",
)
WRONG_DEVICE = FindingKind(
    name="wrong-device",
    title="the table is on another device than asked for",
    explanation='The caller names the device. `"cuda"` means the current GPU instead, and there '
    "may be none.",
    next_step="Use the parameter `device`, not a device written into the function.",
)
OPERANDS_APART = FindingKind(
    name="operands-on-two-devices",
    title="one operand was created on the CPU",
    explanation="`arange` without a device gives a CPU tensor, and an operation does not mix "
    "devices (a CPU tensor with no dimensions is the exception).",
    next_step="Find the creation that names no device.",
)
DEFAULT_CHANGED = FindingKind(
    name="default-device-changed",
    title="the function left another default device behind",
    explanation="`torch.set_default_device` holds for the whole program: whatever runs next "
    "creates its tensors elsewhere.",
    next_step="Name the device in each creation, or limit the change with `with device:`.",
)
NOTHING_RETURNED = FindingKind(
    name="no-table",
    title="the function returned no tensor",
    explanation="The table itself is the result.",
    next_step="Return the finished table.",
)
WRONG_SHAPE = FindingKind(
    name="wrong-shape",
    title="the table has another shape",
    explanation="There is a row for each of the `n` positions, with `d` numbers in it.",
    next_step="Print the shape of each piece before you put them together.",
)
WRONG_DTYPE = FindingKind(
    name="wrong-dtype",
    title="the table has another dtype",
    explanation="The table is float32. Asking for float64 on the way, or starting from NumPy, "
    "doubles its memory and everything computed with it.",
    next_step="Look at the dtype of each piece; a float32 piece needs no `dtype=` at all.",
)
NOT_INTERLEAVED = FindingKind(
    name="halves-side-by-side",
    title="the sines and cosines stand side by side",
    explanation="Even columns hold sines and odd columns cosines, in turn; here all sines come "
    "first.",
    next_step="Fill every second column: `table[:, 0::2]` are the even ones.",
)
OTHER_VALUES = FindingKind(
    name="other-values",
    title="the numbers in the table are others",
    explanation="Column `2i` is `sin(p / 10000 ** (2i / d))` for position `p`, and column "
    "`2i + 1` the cosine of the same angle.",
    next_step="Compute row 1 of a small table by hand and compare.",
)


class Positional(Judge):
    """Device first, then how the table came there, then what is in it."""

    name = "tensors.positional"
    findings = (
        BUILT_THEN_MOVED,
        LEFT_ON_CPU,
        WRONG_DEVICE,
        OPERANDS_APART,
        DEFAULT_CHANGED,
        NOTHING_RETURNED,
        WRONG_SHAPE,
        WRONG_DTYPE,
        NOT_INTERLEAVED,
        OTHER_VALUES,
    )
    hints = (
        "Go through the function line by line and ask of each line: which tensor is created "
        "here, and where? `print(t.device)` answers it.",
        "`arange`, `empty`, `zeros`, `ones` and `full` all take `device=`. Results of operations "
        "need no device: they live where their inputs live.",
        "A copy hides in an assignment too: `table[:, 0::2] = x` copies `x` to the device of "
        "`table` when `x` is elsewhere. If every creation names the device, none is left.",
        "A similar case: a column of square roots beside a column of squares.\n"
        "```python\n"
        "def roots_and_squares(n, device):\n"
        "    x = torch.arange(n, device=device, dtype=torch.float32)   # born on the device\n"
        "    table = torch.empty(n, 2, device=device)                  # and so is this\n"
        "    table[:, 0] = x.sqrt()                                    # results stay there\n"
        "    table[:, 1] = x * x\n"
        "    return table\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        gpu, other = two_gpus(rng)
        drawn = [
            ("four positions on a GPU", "", 4, 4, gpu),
            ("a longer table on another GPU", "", rng.randint(6, 9), 6, other),
            ("on the CPU", "", rng.randint(3, 6), 4, "cpu"),
            ("a large table", "a table larger than the visible ones", 40, 16, gpu),
            ("a single position", "the shortest table", 1, 2 * rng.randint(2, 6), other),
            ("two columns", "the narrowest table", rng.randint(5, 20), 2, gpu),
            ("the current GPU", "the current GPU", rng.randint(5, 20), 10, "cuda:0"),
            ("the CPU again", "a place without GPU", rng.randint(10, 20), 8, "cpu"),
        ]
        return [
            Case(title, separates or title, {"n": n, "d": d, "device": device}, bool(separates))
            for title, separates, n, d, device in drawn
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        n, d, device = case.data["n"], case.data["d"], case.data["device"]
        seen = facts["table"]
        if not is_tensor(seen):
            shown = "None" if is_nothing(seen) else brief(seen)
            return NOTHING_RETURNED.found(shown, f"a tensor on {device}")
        if seen["device"] != device:
            kind = LEFT_ON_CPU if seen["device"] == "cpu" else WRONG_DEVICE
            return kind.found(seen["device"], device)
        if facts["copies"]:
            return BUILT_THEN_MOVED.found(_show_copies(facts["copies"]), "no copy")
        if facts["default_kept"] is not True:
            return DEFAULT_CHANGED.found("another default device", "the same as before the call")
        if seen["shape"] != [n, d]:
            return WRONG_SHAPE.found(f"shape {tuple(seen['shape'])}", f"shape {(n, d)}")
        if seen["dtype"] != "float32":
            return WRONG_DTYPE.found(seen["dtype"], "float32")
        return _judge_values(seen["values"], n, d)

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        if "Expected all tensors to be on the same device" in raised.text:
            return OPERANDS_APART.found(raised.text, f"everything on {case.data['device']}")
        return None


def _judge_values(values: Sequence[Sequence[float]], n: int, d: int) -> Finding | None:
    angles = [[p / 10000 ** (2 * i / d) for i in range(d // 2)] for p in range(n)]
    right = [[f(angle) for angle in row for f in (math.sin, math.cos)] for row in angles]
    if _close(values, right):
        return None
    halves = [[f(angle) for f in (math.sin, math.cos) for angle in row] for row in angles]
    kind = NOT_INTERLEAVED if _close(values, halves) else OTHER_VALUES
    row = next(p for p in range(n) if not _close([values[p]], [right[p]]))
    return kind.found(f"row {row}: {_numbers(values[row])}", f"row {row}: {_numbers(right[row])}")


def _close(seen: Sequence[Sequence[float]], right: Sequence[Sequence[float]]) -> bool:
    return all(
        abs(a - b) < TOLERANCE
        for row, right_row in zip(seen, right, strict=True)
        for a, b in zip(row, right_row, strict=True)
    )


def _numbers(row: Sequence[float]) -> str:
    return ", ".join(f"{number:.3f}" for number in row[:4]) + (", …" if len(row) > 4 else "")


def _show_copies(copies: Sequence[Sequence[Any]]) -> str:
    return ", ".join(f"{count} × {source} → {target}" for source, target, count in copies)

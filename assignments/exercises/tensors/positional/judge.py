"""Judge `positional`: device first, then the copies, then the content, in plain Python numbers."""

import math
import random
from collections.abc import Sequence

from course_utils.checking.clip import clip
from course_utils.checking.contract import Case, Facts, Finding, Judge, Raise
from course_utils.checking.facts import brief

from ..judging import MIXED, Copies, counted, is_nothing, is_tensor, show_copies, two_gpus

# Right formulas differ by rounding in float32: by 1e-5 at most for the positions asked for.
TOLERANCE = 5e-5

Table = Sequence[Sequence[float]]


class Positional(Judge):
    def cases(self, rng: random.Random) -> Sequence[Case]:
        gpu, other = two_gpus(rng)
        rows = [
            ("the task's example", 2, 4, "cuda:1"),
            ("several positions on a GPU", rng.randint(5, 9), 4, gpu),
            ("another GPU, and a width that is no multiple of four", rng.randint(6, 9), 6, other),
            ("on the CPU", rng.randint(3, 6), 4, "cpu"),
            ("on the current GPU", rng.randint(5, 20), 10, "cuda:0"),
            ("a single position", 1, 2 * rng.randint(2, 6), other),
            ("two columns", rng.randint(5, 20), 2, gpu),
            ("many positions", rng.randint(30, 40), 16, other),
        ]
        return [Case(title, {"n": n, "d": d, "device": place}) for title, n, d, place in rows]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        n, d, device = case.data["n"], case.data["d"], case.data["device"]
        seen = facts["table"]
        if not is_tensor(seen):
            name = "nothing-returned" if is_nothing(seen) else "other-form"
            return Finding(name, clip(brief(seen), 120), f"a tensor on {device}")
        if seen["device"] != device:
            name = "left-on-cpu" if seen["device"] == "cpu" else "wrong-device"
            return Finding(name, f"a table on {seen['device']}", f"a table on {device}")
        if facts["copies"]:
            name = _name_copies(facts["copies"], device)
            return Finding(name, show_copies(counted(facts["copies"])), "no copy")
        if facts["default_kept"] is not True:
            return Finding(
                "default-device-changed",
                "another default device afterwards",
                "the same as before the call",
            )
        if seen["shape"] != [n, d]:
            return Finding("wrong-shape", f"shape {tuple(seen['shape'])}", f"shape {(n, d)}")
        if seen["dtype"] != "float32":
            return Finding("wrong-dtype", seen["dtype"], "float32")
        return _judge_values(seen["values"], n, d)

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        if MIXED not in raised.text:
            return None
        return Finding(
            "operands-on-two-devices",
            clip(raised.text, 120),
            f"everything on {case.data['device']}",
        )


def _name_copies(copies: Copies, device: str) -> str:
    away = all(source == device for source, _, _ in copies)
    return "copied-away" if away else "copied-on-the-way"


def _judge_values(values: Table, n: int, d: int) -> Finding | None:
    angles = [[p / 10000 ** (2 * i / d) for i in range(d // 2)] for p in range(n)]
    right = [[f(angle) for angle in row for f in (math.sin, math.cos)] for row in angles]
    if _close(values, right):
        return None
    halves = [[f(angle) for f in (math.sin, math.cos) for angle in row] for row in angles]
    name = "halves-side-by-side" if _close(values, halves) else "other-values"
    p = next(p for p in range(n) if not _close([values[p]], [right[p]]))
    return Finding(name, f"row {p}: {_numbers(values[p])}", f"row {p}: {_numbers(right[p])}")


def _close(seen: Table, right: Table) -> bool:
    return all(
        abs(a - b) < TOLERANCE
        for row, right_row in zip(seen, right, strict=True)
        for a, b in zip(row, right_row, strict=True)
    )


def _numbers(row: Sequence[float]) -> str:
    return ", ".join(f"{number:.3f}" for number in row[:4]) + (", …" if len(row) > 4 else "")


judge = Positional()

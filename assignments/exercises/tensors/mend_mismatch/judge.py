"""Judge `mend_mismatch`: the error in plain Python numbers, and which copies are needed for it."""

import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.clip import clip
from course_utils.checking.contract import Case, Facts, Finding, Judge, Raise
from course_utils.checking.facts import brief

from ..judging import (
    MIXED,
    Route,
    counted,
    is_nothing,
    is_tensor,
    many,
    show_copies,
    some_tensor,
    two_gpus,
)

_FLOAT = 4  # bytes


class MendMismatch(Judge):
    def cases(self, rng: random.Random) -> Sequence[Case]:
        gpu, other = two_gpus(rng)
        several = rng.randint(4, 6)

        def drawn(
            title: str,
            place: str,
            data: str = "cpu",
            mean: str = "cpu",
            count: int = several,
            last: int | None = None,
        ) -> Case:
            """A case with `count` batches on `data`, the last of them with `last` rows."""
            rows, columns = rng.randint(2, 4), rng.randint(3, 5)
            sizes = [rows] * (count - 1) + [last or rows]
            return Case(
                title,
                {
                    "batches": many("list", *(some_tensor(rng, data, (n, columns)) for n in sizes)),
                    "targets": many("list", *(some_tensor(rng, data, (n,)) for n in sizes)),
                    "weight": some_tensor(rng, place, (columns,)),
                    "mean": some_tensor(rng, mean, (columns,)),
                },
            )

        return [
            drawn("the program's own case: `weight` on cuda:1", "cuda:1"),
            drawn("`weight` on another GPU", rng.choice(("cuda:2", "cuda:3"))),
            drawn("a last batch with fewer rows", gpu, last=1),
            drawn("a single batch", gpu, count=1),
            drawn("the mean is there already", gpu, mean=gpu),
            drawn("the batches are there already", other, data=other),
            drawn("everything is there already", gpu, data=gpu, mean=gpu),
            drawn("batches on one GPU, `weight` on another", gpu, data=other),
            drawn("everything on the CPU", "cpu"),
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        place, error = case.data["weight"]["device"], mean_squared_error(case.data)
        seen, wanted = facts["result"], f"one element, {error:.6g}, on {place}"
        if facts["changed"]:
            return Finding(
                "input-changed", f"changed: {', '.join(facts['changed'])}", "nothing changed"
            )
        if not is_tensor(seen):
            name = "nothing-returned" if is_nothing(seen) else "other-form"
            return Finding(name, clip(brief(seen), 120), wanted)
        if seen["device"] != place:
            return Finding("result-elsewhere", f"a result on {seen['device']}", wanted)
        copies, needed = counted(facts["copies"]), needed_copies(case.data)
        if copies - needed:
            name = _name_copies(case.data, copies, counted(facts["bytes"]))
            return Finding(name, show_copies(copies), show_copies(needed))
        if facts["read"]:
            return Finding("copied-away", f"{facts['read']} × item(), or the like", "none")
        values = seen.get("values")
        while isinstance(values, list) and len(values) == 1:
            values = values[0]
        if not isinstance(values, int | float) or not math.isclose(values, error, rel_tol=1e-4):
            return Finding("other-result", clip(brief(seen), 120), wanted)
        return None

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        if MIXED not in raised.text:
            return None
        at = f" ({raised.where})" if raised.where else ""
        return Finding("mismatch-left", clip(raised.text + at, 300), "no error")


def mean_squared_error(data: Mapping[str, Any]) -> float:
    """The mean over all batches of the mean of their squared errors."""
    weight, mean = data["weight"]["values"], data["mean"]["values"]
    batches = zip(data["batches"]["items"], data["targets"]["items"], strict=True)
    means = []
    for batch, target in batches:
        squares = [
            (sum((x - m) * w for x, m, w in zip(row, mean, weight, strict=True)) - wanted) ** 2
            for row, wanted in zip(batch["values"], target["values"], strict=True)
        ]
        means.append(sum(squares) / len(squares))
    return sum(means) / len(means)


def needed_copies(data: Mapping[str, Any]) -> Counter[Route]:
    """One for each batch, each target, and the mean, if they are not there already."""
    place = data["weight"]["device"]
    moved = [*data["batches"]["items"], *data["targets"]["items"], data["mean"]]
    return Counter((x["device"], place) for x in moved if x["device"] != place)


def _name_copies(data: Mapping[str, Any], copies: Counter[Route], weights: Counter[Route]) -> str:
    """What the copies that nobody needed were; `weights` counts bytes."""
    place, mean = data["weight"]["device"], data["mean"]
    extra = copies - needed_copies(data)
    if any(source == place for source, _ in extra):
        return "copied-away"
    moved = [*data["batches"]["items"], *data["targets"]["items"], mean]
    needed = sum(_FLOAT * math.prod(x["shape"]) for x in moved if x["device"] != place)
    bytes_too_many = sum(weights.values()) - needed
    steps = len(data["batches"]["items"])
    if bytes_too_many == (steps - 1) * _FLOAT * mean["shape"][0] and extra.total() == steps - 1:
        return "copied-every-step"
    return "moved-after-creation" if bytes_too_many == _FLOAT else "needless-copy"


judge = MendMismatch()

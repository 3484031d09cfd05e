"""Observe `start_ranks` and `batches_of`: in one process, in two, and called as each of several."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from course_utils.program.observer import HoleObserver
from exercise_kit import Facts
from exercise_kit.programs.observer import ProgramRun

from .. import watched_ranks
from ..waits import WAITS

MAIN = 'if __name__ == "__main__":\n'
_MODULES = {
    "joined.py": Path(__file__).parents[1].joinpath("joined.py").read_text("utf-8"),
    "watched_ranks.py": Path(str(watched_ranks.__file__)).read_text("utf-8"),
}
_JOIN = "import joined\n\njoined.join(globals())\n"
_WATCH = f"""import os, joined, watched_ranks

def tell(found):
    joined._tell(os.environ["RANK"], error={WAITS!r} + "both ranks")

watched_ranks.watch(2, {WAITS!r}, "", tell)
"""


class StartRanks(HoleObserver):
    """Facts of the one run: `error`, `ends`; by rank, `backend`, `held`, the cards with tensors,
    `current`, the current card, and `steps`, the batches of an epoch. Of the batches of all ranks:
    `order`, whether they are those of one process; `missing`, the images that no rank has; `twice`,
    those that come again; `uneven`, by how much shares differ. Whether `weights` are equal on all
    ranks. `losses`, as multiples of those of one process.

    A run with `calls` only calls `batches_of`, as each of several ranks: see `joined.py`.
    """

    processor = 4

    def __init__(self) -> None:
        super().__init__("ranks.start_ranks")

    def run(
        self,
        folder: Path,
        words: Sequence[str],
        *args: Any,
        calls: Sequence[int] = (),
        ranks: int = 1,
        **given: Any,
    ) -> ProgramRun:
        """A run of the program, with notes in it."""
        self.write(folder, _MODULES)
        before, _, after = (folder / "train.py").read_text("utf-8").rpartition(MAIN)
        added = f"import joined\n\njoined.call(*{calls})\n" if calls else _JOIN + MAIN + after
        watch = _WATCH if ranks > 1 else ""
        (folder / "train.py").write_text(before + watch + added, "utf-8")
        return super().run(folder, words, *args, ranks=ranks, **given)

    def look(self, folder: Path, runs: Sequence[ProgramRun], data: Mapping[str, Any]) -> Facts:
        """The facts of the one run in `runs`."""
        (run,), (asked,) = runs, data["runs"]
        ranks, count, size = asked.get("calls") or (asked.get("ranks", 1), 24, data["batch"])
        files = [folder / f"told-{rank}.json" for rank in range(ranks)]
        told = [json.loads(file.read_text("utf-8")) if file.exists() else {} for file in files]
        drawn = [each.get("drawn", []) for each in told]
        steps = [len(each[0]) if each else None for each in drawn]
        if None not in steps and set(steps) != {count // size}:  # then no rank has trained
            return {"error": None, "ends": 0, "steps": steps}
        if run.end:
            errors = [each["error"] for each in told if "error" in each] or [run.error]
            error = min(errors, key=lambda text: (WAITS not in f"{text}", "peer" in f"{text}"))
            if "Duplicate GPU" in f"{error}":  # which rank says so depends on chance
                error = "Duplicate GPU detected"
            said = run.last if isinstance(run.end, int) and not error else ""
            if said and "calls" in asked:
                said = "a sentence"
            return {"error": error, "ends": said or (1 if error else run.end)}
        facts: dict[str, Any] = {"error": None, "ends": 0, "steps": steps}
        facts |= _shared(drawn, count, size)
        if "calls" in asked:
            return facts
        facts |= {name: [one.get(name) for one in told] for name in ("backend", "held", "current")}
        sums = [each["weights"] for each in told]
        log = torch.load(folder / "run.pt", map_location="cpu", weights_only=True)["log"]
        losses = [epoch["loss"] for epoch in log]
        return {**facts, "weights": sums.count(sums[0]) == ranks, "losses": losses}

    def references(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """`losses` of a run of one process; none where `batches_of` alone is called."""
        return super().references(data) if "plain" in data else {}

    def told(self, facts: Facts, references: Mapping[str, Any]) -> Facts:
        """The facts with losses as multiples of the right ones."""
        if "losses" not in facts:
            return facts
        pairs = zip(facts["losses"], references["losses"], strict=False)
        return {**facts, "losses": [round(one / other, 5) for one, other in pairs]}


def _shared(drawn: Sequence[Any], count: int, size: int) -> dict[str, Any]:
    """The facts of the batches of all ranks, by the places of their images."""
    missing = twice = uneven = others = 0
    for epoch in zip(*drawn, strict=True):
        found = Counter(image for batches in epoch for batch in batches for image in batch)
        missing += count // size * size - len(found)
        twice += found.total() - len(found)
        for number, shares in enumerate(zip(*epoch, strict=True)):
            lengths = [len(share) for share in shares]
            uneven = max(uneven, max(lengths) - min(lengths))
            others += any(image // size != number for share in shares for image in share)
    order = "others" + " on each rank" * bool(twice) if others else "those of one process"
    return {"order": order, "missing": missing, "twice": twice, "uneven": uneven}


observer = StartRanks()

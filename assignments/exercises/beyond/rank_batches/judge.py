"""Judge `rank_batches` by dealing samples out; rivals deal them in other ways."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from course_utils.checking.clip import clip
from course_utils.checking.contract import Case, Facts, Finding
from course_utils.checking.facts import brief
from course_utils.checking.oracle import OracleJudge, Rival

Batches = list[list[int]]


@dataclass(frozen=True)
class Epoch:
    samples: int
    rank: int
    ranks: int
    size: int
    drop_last: bool

    @property
    def dealt(self) -> list[int]:
        """The samples of all ranks, filled up or cut, in the order in which they are dealt out."""
        count = self.samples // self.ranks * self.ranks
        if not self.drop_last:
            count = -(-self.samples // self.ranks) * self.ranks
        return [place % self.samples for place in range(count)]

    def batches(self, mine: Sequence[int]) -> Batches:
        return [list(mine[i : i + self.size]) for i in range(0, len(mine), self.size)]


def every_so_many(epoch: Epoch) -> Batches:
    return epoch.batches(epoch.dealt[epoch.rank :: epoch.ranks])


def _in_blocks(epoch: Epoch) -> Batches:
    each = len(epoch.dealt) // epoch.ranks
    return epoch.batches(epoch.dealt[epoch.rank * each : (epoch.rank + 1) * each])


def _not_filled(epoch: Epoch) -> Batches:
    end = min(epoch.samples, len(epoch.dealt))
    return epoch.batches(range(epoch.rank, end, epoch.ranks))


def _filled_with(fill: Callable[[Epoch, int], int]) -> Callable[[Epoch], Batches]:
    def batches(epoch: Epoch) -> Batches:
        places = range(epoch.rank, len(epoch.dealt), epoch.ranks)
        return epoch.batches([p if p < epoch.samples else fill(epoch, p) for p in places])

    return batches


def _global_batches(epoch: Epoch) -> Batches:
    """As if each batch were cut out of the dataset first, and then shared in blocks."""
    step, dealt = epoch.size * epoch.ranks, epoch.dealt
    parts = []
    for start in range(0, len(dealt), step):
        whole = dealt[start : start + step]
        each = len(whole) // epoch.ranks
        parts.append(whole[epoch.rank * each : (epoch.rank + 1) * each])
    return parts


def _full_only(epoch: Epoch) -> Batches:
    return [batch for batch in every_so_many(epoch) if len(batch) == epoch.size]


def _rival(finding: str, model: Callable[[Epoch], Batches]) -> Rival:
    return Rival(finding, lambda **data: model(Epoch(**data)))


class RankBatches(OracleJudge):
    form, types, otherwise = "a list of lists of sample indices", ("list", "tuple"), "other-batches"
    rivals = (
        _rival("not-filled", _not_filled),
        _rival("last-batch-dropped", _full_only),
        _rival("drop-last-ignored", lambda e: every_so_many(replace(e, drop_last=False))),
        _rival("always-dropped", lambda e: every_so_many(replace(e, drop_last=True))),
        _rival("in-blocks", _in_blocks),
        _rival("in-blocks", _global_batches),
        _rival("filled-differently", _filled_with(lambda e, place: e.samples - 1)),
        _rival("filled-differently", _filled_with(lambda e, place: 0)),
        _rival("filled-differently", _filled_with(lambda e, place: e.rank)),
        _rival("past-the-end", _filled_with(lambda e, place: place)),
        _rival("all-ranks", lambda e: e.batches(e.dealt)),
        Rival("not-in-batches", lambda **d: [i for b in every_so_many(Epoch(**d)) for i in b]),
    )

    def oracle(self, **data: Any) -> Batches:
        return every_so_many(Epoch(**data))

    def cases(self, rng: random.Random) -> Sequence[Case]:
        ranks, size = rng.randint(3, 5), rng.randint(3, 4)
        # Whether the rest is filled up or not, the last batch is a smaller one.
        full = rng.randint(1, 2) * size
        even, rest = ranks * (full + 1), rng.randint(1, ranks - 2)

        def case(title: str, samples: int, rank: int, drop: bool = False, n: int = 0) -> Case:
            data = {
                "samples": samples,
                "rank": rank,
                "ranks": n or ranks,
                "size": size,
                "drop_last": drop,
            }
            return Case(title, data)

        last, more = ranks - 1, even + rest
        return [
            case("evenly, the first rank", even, 0),
            case("evenly, another rank", even, rng.randint(1, last)),
            case("filled up, the first rank", more, 0),
            case("filled up, the last rank", more, last),
            case("one sample is missing", even - 1, last),
            case("a rest, dropped", more, 0, True),
            case("a rest, dropped, the last rank", more, last, True),
            case("evenly, and drop_last", even, last, True),
            case("full batches only", ranks * full, rng.randint(1, last)),
            case("full batches only, and a rest dropped", ranks * full + rest, 0, True),
            case("fewer samples than ranks", 3, 6, n=8),
            case("fewer samples than ranks, the first rank", 3, 0, n=8),
            case("fewer samples than ranks, dropped", 3, 1, True, n=8),
            case("a single rank", even + 1, 0, n=1),
            Case(
                "the task's example",
                {"samples": 14, "rank": 2, "ranks": 3, "size": 2, "drop_last": False},
            ),
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        found, d = super().judge(case, facts), case.data
        about = (
            f"for rank {d['rank']} of {d['ranks']}, {d['samples']} samples, batches of "
            f"{d['size']}, drop_last={d['drop_last']}"
        )
        return found and replace(found, seen=f"{clip(found.seen, 150)} {about}")

    def shown(self, described: Mapping[str, Any], data: Mapping[str, Any]) -> str:
        return clip(brief(described), 150)


judge = RankBatches()

"""Judge `bytes_sent` by rounds and pieces; rivals have one thing wrong, in one way or in all."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from course_utils.checking.clip import clip
from course_utils.checking.contract import Case, Facts, Finding
from course_utils.checking.oracle import OracleJudge, Rival

DP, DDP, QUIET, FSDP = "DataParallel", "DDP", "DDP, no_sync", "FSDP2"
RINGS = DDP, QUIET


@dataclass(frozen=True)
class Step:
    way: str
    size: int
    gpus: int
    parts: int

    @property
    def others(self) -> int:
        return self.gpus - 1

    @property
    def exchanges(self) -> int:
        """How often the step sends what one part sends."""
        return 1 if self.way == QUIET else self.parts

    @property
    def trips(self) -> int:
        """How often the pieces go round in one part, `others` rounds each time."""
        return 3 if self.way == FSDP else 2

    def ring(self, rounds: int) -> list[int]:
        """In each round, every GPU sends one piece."""
        return [rounds * self.size // self.gpus] * self.gpus

    def part(self) -> list[int]:
        if self.way == DP:
            return [self.others * self.size] + [self.size] * self.others
        return self.ring(self.others * self.trips)


Part = Callable[[Step], Sequence[int]]


def sent(step: Step, part: Part = Step.part) -> list[int]:
    return [step.exchanges * each for each in part(step)]


def _rival(finding: str, part: Part, *ways: str) -> Rival:
    """What one part sends is wrong, but only in these ways."""

    def model(**data: Any) -> list[int]:
        step = Step(**data)
        return sent(step, part if step.way in ways else Step.part)

    return Rival(finding, model)


def _counted(finding: str, times: Callable[[Step], int]) -> Rival:
    """What one part sends is right, but it is counted another number of times."""

    def model(**data: Any) -> list[int]:
        step = Step(**data)
        return [times(step) * each for each in step.part()]

    return Rival(finding, model)


def _replicas_kept(**data: Any) -> list[int]:
    """As if parameters were sent in the first part only."""
    step = Step(**data)
    first, *others = sent(step)
    return [first // step.parts if step.way == DP else first, *others]


def _gradients_wait(**data: Any) -> list[int]:
    """As if gradients were sent after the last part only."""
    step = Step(**data)
    if step.way == FSDP:
        return step.ring(step.others * (2 * step.parts + 1))
    first, *others = sent(step)
    return [first, *(each // step.parts for each in others)] if step.way == DP else sent(step)


class BytesSent(OracleJudge):
    form = "a list with a number of bytes for each GPU"
    types, otherwise = ("list", "tuple"), "other-bytes"
    rivals = (
        _counted("parts-forgotten", lambda s: 1),
        _counted("no-sync-ignored", lambda s: s.parts),
        _counted("last-part-exchanges", lambda s: s.parts - 1 if s.way == QUIET else s.parts),
        _counted("both-directions", lambda s: 2 * s.exchanges),
        Rival("replicas-kept", _replicas_kept),
        Rival("gradients-wait", _gradients_wait),
        _rival("one-copy-for-all", lambda s: [s.size] * s.gpus, DP),
        _rival("share-of-the-model", lambda s: [each // s.gpus for each in s.part()], DP),
        _rival("gradients-not-collected", lambda s: [s.others * s.size] + [0] * s.others, DP),
        _rival("parameters-not-sent", lambda s: [0] + [s.size] * s.others, DP),
        _rival("results-sent-out", lambda s: [2 * s.others * s.size] + [s.size] * s.others, DP),
        _rival("sent-to-itself", lambda s: [s.gpus * s.size] + [s.size] * s.others, DP),
        _rival("no-ring-here", lambda s: s.ring(2 * s.others), DP),
        _rival("only-added-up", lambda s: s.ring(s.others), *RINGS),
        _rival("through-one-gpu", lambda s: replace(s, way=DP).part(), *RINGS),
        _rival("trips-missing", lambda s: s.ring(2 * s.others), FSDP),
        _rival("trips-missing", lambda s: s.ring(s.others), FSDP),
        _rival("sum-shared-out", lambda s: s.ring(4 * s.others), FSDP),
        _rival("round-too-many", lambda s: s.ring(s.gpus * s.trips), *RINGS, FSDP),
        _rival("more-than-a-piece", lambda s: [s.gpus * each for each in s.part()], *RINGS, FSDP),
    )

    def oracle(self, **data: Any) -> list[int]:
        return sent(Step(**data))

    def explain(self, seen: Mapping[str, Any], data: Mapping[str, Any]) -> str:
        if len(seen["items"]) != data["gpus"]:
            return "other-length"
        return "nobody-to-send-to" if data["gpus"] == 1 else super().explain(seen, data)

    def cases(self, rng: random.Random) -> Sequence[Case]:
        def drawn(title: str, way: str, *findings: str, parts: int = 0) -> Case:
            def draw() -> dict[str, Any]:
                gpus = rng.randint(4, 8)
                return {
                    "way": way,
                    "size": 1000 * gpus * rng.randint(2, 20),
                    "gpus": gpus,
                    "parts": parts or rng.randint(3, 5),
                }

            return Case(title, self.telling(draw, *findings))

        def given(title: str, way: str, gpus: int, parts: int, size: int = 6000) -> Case:
            return Case(title, {"way": way, "size": size, "gpus": gpus, "parts": parts})

        ring = "round-too-many", "more-than-a-piece"
        return [
            drawn("DDP, in one part", DDP, "only-added-up", "through-one-gpu", *ring, parts=1),
            drawn("DDP, in several parts", DDP, "parts-forgotten", *ring),
            drawn(
                "no_sync, in several parts", QUIET, "no-sync-ignored", "last-part-exchanges", *ring
            ),
            drawn("no_sync, in one part", QUIET, *ring, parts=1),
            drawn(
                "DataParallel, in one part",
                DP,
                "one-copy-for-all",
                "gradients-not-collected",
                "parameters-not-sent",
                "no-ring-here",
                "results-sent-out",
                parts=1,
            ),
            drawn(
                "DataParallel, in several parts",
                DP,
                "parts-forgotten",
                "replicas-kept",
                "gradients-wait",
            ),
            drawn("FSDP2, in one part", FSDP, "trips-missing", "sum-shared-out", *ring, parts=1),
            drawn(
                "FSDP2, in several parts",
                FSDP,
                "parts-forgotten",
                "trips-missing",
                "gradients-wait",
            ),
            given("two GPUs and DataParallel", DP, 2, 3),
            given("two GPUs and a ring", DDP, 2, 3),
            given("two GPUs and FSDP2", FSDP, 2, 3),
            given("one GPU and DataParallel", DP, 1, 2),
            given("one GPU and a ring", DDP, 1, 2),
            given("one GPU and FSDP2", FSDP, 1, 2),
            given("the task's first example", DDP, 4, 1, 8000),
            given("the task's second example", DP, 2, 2, 8000),
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        found, d = super().judge(case, facts), case.data
        about = f'for "{d["way"]}", {d["size"]:,} bytes, gpus={d["gpus"]}, parts={d["parts"]}'
        return found and replace(found, seen=f"{clip(found.seen, 150)} {about}")


judge = BytesSent()

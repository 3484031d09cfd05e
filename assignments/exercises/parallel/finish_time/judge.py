"""Judge `finish_time`: plays the days one by one; each task goes to whoever is free first."""

import heapq
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass
from fractions import Fraction
from typing import Any

from course_utils.checking.clip import clip
from course_utils.checking.contract import Case
from course_utils.checking.facts import brief
from course_utils.checking.oracle import OracleJudge, Rival


@dataclass(frozen=True)
class Homework:
    """Times in minutes; `jobs` is the number of tasks of one day."""

    jobs: int
    workers: int
    t_find: int
    t_work: int
    t_collect: int
    days: int

    @property
    def most(self) -> int:
        """How many tasks the busiest person has on one day."""
        return -(-self.jobs // self.workers)

    @property
    def share(self) -> Fraction:
        """How many tasks everybody would have if tasks could be divided."""
        return Fraction(self.jobs, self.workers)

    @property
    def overhead(self) -> int:
        return self.t_find + self.t_collect if self.workers > 1 else 0


def minutes(work: Homework) -> int:
    """When the last result has been collected."""
    now = 0
    for _ in range(work.days):
        if work.workers == 1:
            now += work.jobs * work.t_work
            continue
        free = [now + work.t_find] * work.workers
        for _ in range(work.jobs):
            heapq.heapreplace(free, free[0] + work.t_work)
        now = max(free) + work.t_collect
    return now


def _rival(finding: str, model: Callable[[Homework], Fraction | int]) -> Rival:
    return Rival(finding, lambda **data: float(model(Homework(**data))))


def _alone(work: Homework) -> int:
    if work.workers > 1:
        raise ValueError("this model is about working alone")
    return work.days * (work.t_find + work.most * work.t_work + work.t_collect)


def _by_one(work: Homework) -> int:
    if work.workers == 1:
        raise ValueError("one person does work alone")
    return work.days * work.jobs * work.t_work


class FinishTime(OracleJudge):
    form, types, otherwise = "a number of minutes", ("int", "float"), "other-time"
    rivals = (
        _rival("overhead-alone", _alone),
        _rival("taken-for-alone", _by_one),
        _rival("overhead-forgotten", lambda w: w.days * w.most * w.t_work),
        _rival("divided-by-workers", lambda w: w.days * w.share * w.t_work),
        _rival("overhead-once", lambda w: w.overhead + w.days * w.most * w.t_work),
        _rival("days-forgotten", lambda w: w.overhead + w.most * w.t_work),
        _rival("tasks-divided", lambda w: w.days * (w.overhead + w.share * w.t_work)),
        _rival("rounded-down", lambda w: w.days * (w.overhead + w.jobs // w.workers * w.t_work)),
        _rival(
            "one-task-too-many",
            lambda w: w.days * (w.overhead + (w.jobs // w.workers + 1) * w.t_work),
        ),
        _rival("half-the-overhead", lambda w: w.days * (w.overhead - w.t_find + w.most * w.t_work)),
        _rival(
            "half-the-overhead", lambda w: w.days * (w.overhead - w.t_collect + w.most * w.t_work)
        ),
        _rival("overhead-per-task", lambda w: w.days * w.most * (w.overhead + w.t_work)),
        _rival(
            "days-pooled",
            lambda w: w.days * w.overhead + -(-w.days * w.jobs // w.workers) * w.t_work,
        ),
    )

    def oracle(self, **data: Any) -> int:
        return minutes(Homework(**data))

    def shown(self, described: Mapping[str, Any], data: Mapping[str, Any]) -> str:
        return f"{clip(brief(described), 60)} for finish_time{astuple(Homework(**data))}"

    def cases(self, rng: random.Random) -> Sequence[Case]:
        def drawn(
            title: str, jobs: int, workers: int, days: int, *findings: str, short_work: bool = False
        ) -> Case:
            def draw() -> dict[str, int]:
                work = rng.randint(3, 5) if short_work else rng.randint(20, 90)
                find, collect = rng.sample(range(11, 30) if short_work else range(2, 10), 2)
                return {
                    "jobs": jobs,
                    "workers": workers,
                    "t_find": find,
                    "t_work": work,
                    "t_collect": collect,
                    "days": days,
                }

            return Case(title, self.telling(draw, *findings))

        def example(title: str, jobs: int, workers: int) -> Case:
            return Case(
                title,
                {
                    "jobs": jobs,
                    "workers": workers,
                    "t_find": 3,
                    "t_work": 60,
                    "t_collect": 5,
                    "days": 1,
                },
            )

        w = rng.randint(3, 6)
        return [
            drawn(
                "some tasks are left over",
                2 * w + 1,
                w,
                1,
                "overhead-forgotten",
                "taken-for-alone",
                "divided-by-workers",
                "tasks-divided",
                "rounded-down",
                "half-the-overhead",
                "overhead-per-task",
            ),
            drawn(
                "the same number of tasks for everybody",
                3 * w,
                w,
                1,
                "one-task-too-many",
                "half-the-overhead",
                "overhead-per-task",
            ),
            drawn("alone", rng.randint(3, 6), 1, 1, "overhead-alone"),
            drawn(
                "several days", 3 * w, w, 4, "overhead-once", "days-forgotten", "one-task-too-many"
            ),
            drawn(
                "tasks left over on each of several days",
                2 * w - 1,
                w,
                w + rng.choice((1, 2)),
                "days-pooled",
                "tasks-divided",
                "rounded-down",
            ),
            drawn(
                "alone over several days",
                5,
                1,
                rng.randint(2, 5),
                "overhead-alone",
                "days-forgotten",
            ),
            drawn("two workers over several days", 5, 2, 3, "days-pooled", "overhead-forgotten"),
            drawn(
                "fewer tasks than workers",
                w - 1,
                w,
                2,
                "tasks-divided",
                "rounded-down",
                "overhead-forgotten",
            ),
            drawn("a single task", 1, w, 1, "tasks-divided", "rounded-down"),
            drawn(
                "finding and collecting take longer than the work",
                w + 1,
                w,
                2,
                "taken-for-alone",
                "overhead-per-task",
                short_work=True,
            ),
            example("the task's example: four tasks, four workers", 4, 4),
            example("the task's example: four tasks alone", 4, 1),
            example("the task's example: five tasks, four workers", 5, 4),
        ]


judge = FinishTime()

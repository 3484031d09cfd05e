"""Judge `parallel.finish_time`.

The oracle plays the days one by one and deals the tasks out, each to whoever is free first. Rival
models, each of them one misconception, tell what a wrong number means; cases are drawn until every
rival that is wrong gives a number of its own.
"""

import heapq
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Judge
from course_utils.checking.facts import brief

WRONG_FORM = FindingKind(
    name="not-a-number",
    title="the time is not a number",
    explanation="The function returns a number of minutes.",
    next_step="Return the time instead of printing or writing it out.",
)
PERFECT = FindingKind(
    name="divided-by-workers",
    title="several people are not that many times as fast",
    explanation="Dividing all work by the number of people forgets what working together costs, "
    "and that nobody can do a part of a task.",
    next_step="Add up, for one day: finding, the longest anybody works, collecting.",
)
FRACTION = FindingKind(
    name="tasks-cut-up",
    title="a task is done by one person as a whole",
    explanation="If one task is left over, somebody works for one whole task longer, and all "
    "others wait.",
    next_step="Ask how many tasks the busiest person has, and round up.",
)
ROUNDED_DOWN = FindingKind(
    name="rounded-down",
    title="some tasks are done by nobody",
    explanation="Rounding down, as `//` does, drops the tasks that are left over. They take time "
    "as well.",
    next_step="Round up: `math.ceil`, or `-(-jobs // workers)`.",
)
EXTRA_ROUND = FindingKind(
    name="one-task-too-many",
    title="the tasks come out even here",
    explanation="Adding one after `//` is right only if something is left over.",
    next_step="Round up properly: `math.ceil` leaves a whole number as it is.",
)
NO_OVERHEAD = FindingKind(
    name="overhead-forgotten",
    title="working together has to be organised",
    explanation="Before the work friends have to be found, and after it the results collected. "
    "This time is needed as well, once a day.",
    next_step="Add finding and collecting to each day.",
)
HALF_OVERHEAD = FindingKind(
    name="half-the-overhead",
    title="there is something to do before the work and after it",
    explanation="Finding comes before the work and collecting after it. Both take time.",
    next_step="Add `t_find` and `t_collect`.",
)
ONCE = FindingKind(
    name="overhead-once",
    title="finding and collecting come again every day",
    explanation="The next day begins from the beginning. So does `DataParallel`: it scatters, "
    "replicates and gathers in every step.",
    next_step="Work out one whole day, then multiply.",
)
PER_ROUND = FindingKind(
    name="overhead-per-task",
    title="friends are found once a day, not for each task",
    explanation="Whoever has a second task is there already; the results are collected together.",
    next_step="Multiply only the work by the number of tasks that the busiest person has.",
)
ALONE = FindingKind(
    name="overhead-alone",
    title="whoever works alone finds and collects nothing",
    explanation="With one worker there is nobody to look for and nothing to bring together.",
    next_step="Treat one worker as a case of its own.",
)
DAYS_FORGOTTEN = FindingKind(
    name="days-forgotten",
    title="there is more than one day",
    explanation="Each of the `days` brings as many tasks again.",
    next_step="Work out one day, then multiply by `days`.",
)
POOLED = FindingKind(
    name="days-pooled",
    title="tomorrow's tasks are not there yet",
    explanation="A day ends when its last result has been collected. Until then nobody begins with "
    "the next, even if there is nothing left to do.",
    next_step="Round up for each day, not once for all days together.",
)
OTHER_TIME = FindingKind(
    name="other-time",
    title="the work is done at another time",
    explanation="One day with friends takes finding, then as many tasks as the busiest person has, "
    "one after another, then collecting. Alone it takes all tasks.",
    next_step="Draw one day as a bar for each person, and add up the longest.",
)


@dataclass(frozen=True)
class Homework:
    """Times in minutes; `jobs` is the number of tasks of one day."""

    jobs: int
    workers: int
    find: int
    work: int
    collect: int
    days: int

    @property
    def most(self) -> int:
        """How many tasks the busiest person has on one day."""
        return -(-self.jobs // self.workers)

    @property
    def share(self) -> Fraction:
        """How many tasks everybody would have if tasks could be cut up."""
        return Fraction(self.jobs, self.workers)

    @property
    def overhead(self) -> int:
        return self.find + self.collect if self.workers > 1 else 0


class FinishTime(Judge):
    """Finds the misconception under which a wrong time would be right."""

    name = "parallel.finish_time"
    findings = (
        WRONG_FORM,
        PERFECT,
        FRACTION,
        ROUNDED_DOWN,
        EXTRA_ROUND,
        NO_OVERHEAD,
        HALF_OVERHEAD,
        ONCE,
        PER_ROUND,
        ALONE,
        DAYS_FORGOTTEN,
        POOLED,
        OTHER_TIME,
    )
    hints = (
        "Begin with one day. Three things follow each other: finding, working, collecting. Only "
        "the middle one is done by several people at once.",
        "The day is over when the busiest person is done. If five tasks are dealt out to four "
        "people, how many has the busiest one?",
        "`-(-a // b)` divides and rounds up. What is different for one worker? And what has to "
        "be done again on each day?",
        "A similar case: cars cross a river on a ferry that takes `room` cars. It is launched and "
        "moored once a day.\n"
        "```python\n"
        "def ferry_time(cars, room, crossing, launch, moor):\n"
        "    trips = -(-cars // room)          # five cars, two at a time: three trips\n"
        "    return launch + trips * crossing + moor\n\n"
        "ferry_time(5, 2, 10, 3, 4)            # 37\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        friends = rng.randint(3, 6)
        public = [
            ("five tasks, four workers", _data(5, 4, 3, 60, 3, 1)),
            ("four tasks, four workers", _data(4, 4, 3, 60, 3, 1)),
            ("four tasks alone", _data(4, 1, 3, 60, 3, 1)),
            ("several days", _data(4, 2, 2, 10, 5, 3)),
        ]
        hidden = [
            ("tasks that do not come out even", _draw(rng, lambda w: 2 * w + 1, friends, 1)),
            ("several tasks each, over several days", _draw(rng, lambda w: 3 * w, friends, 4)),
            ("some left over on each of several days",
             _draw(rng, lambda w: 2 * w - 1, friends, friends + rng.choice((-1, 1)))),
            ("fewer tasks than workers", _draw(rng, lambda w: w - 1, friends, 2)),
            ("working alone over several days", _draw(rng, lambda w: 5, 1, rng.randint(2, 5))),
            ("finding and collecting that take longer than the work",
             _draw(rng, lambda w: w + 1, friends, 2, slow_overhead=True)),
            ("a single task and many workers", _draw(rng, lambda w: 1, friends, 1)),
        ]
        return [
            *(Case(title, title, data) for title, data in public),
            *(Case(title, title, data, hidden=True) for title, data in hidden),
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        seen = facts["time"]
        if seen["type"] not in ("int", "float"):
            return WRONG_FORM.found(brief(seen), "a number of minutes")
        work = Homework(**case.data)
        right = minutes(work)
        if seen["value"] == right:
            return None
        rivals = ((kind, rival(work)) for kind, rival in RIVALS)
        kind = next((kind for kind, time in rivals if _near(time, seen["value"])), OTHER_TIME)
        return kind.found(f"{brief(seen)[:60]} for {_show(case.data)}", f"{right} minutes")


def _data(jobs: int, workers: int, find: int, work: int, collect: int, days: int) -> dict[str, int]:
    return {
        "jobs": jobs, "workers": workers, "find": find, "work": work, "collect": collect,
        "days": days,
    }  # fmt: skip


def _draw(
    rng: random.Random,
    jobs: Callable[[int], int],
    workers: int,
    days: int,
    slow_overhead: bool = False,
) -> dict[str, int]:
    """Times under which no two models agree by chance. Some agree by nature, as on a single day."""
    count = jobs(workers)
    apart = _models(Homework(count, workers, 1009, 100003, 10007, days))
    while True:
        work = rng.randint(5, 9) if slow_overhead else rng.randint(20, 90)
        find, collect = (rng.randint(10, 25) if slow_overhead else rng.randint(2, 9) for _ in "ab")
        data = _data(count, workers, find, work, collect, days)
        if _models(Homework(**data)) == apart:
            return data


def _models(work: Homework) -> int:
    """How many different times the right model and its rivals give."""
    return len({minutes(work), *(rival(work) for _, rival in RIVALS)})


def minutes(work: Homework) -> int:
    """When the last result has been collected, in minutes."""
    now = 0
    for _ in range(work.days):
        if work.workers == 1:
            now += work.jobs * work.work
            continue
        free = [now + work.find] * work.workers
        for _ in range(work.jobs):
            heapq.heapreplace(free, free[0] + work.work)
        now = max(free) + work.collect
    return now


def _near(time: Fraction | int, seen: float) -> bool:
    """Whether a model says what was seen; exact for whole numbers of any size."""
    return abs(time - seen) < 1e-6


def _show(data: Mapping[str, Any]) -> str:
    return f"({', '.join(str(value) for value in data.values())})"


RIVALS: tuple[tuple[FindingKind, Callable[[Homework], Fraction | int]], ...] = (
    (ALONE, lambda w: w.days * (w.find + w.most * w.work + w.collect)),
    (NO_OVERHEAD, lambda w: w.days * w.most * w.work),
    (PERFECT, lambda w: w.days * w.share * w.work),
    (ONCE, lambda w: w.overhead + w.days * w.most * w.work),
    (DAYS_FORGOTTEN, lambda w: w.overhead + w.most * w.work),
    (FRACTION, lambda w: w.days * (w.overhead + w.share * w.work)),
    (ROUNDED_DOWN, lambda w: w.days * (w.overhead + w.jobs // w.workers * w.work)),
    (EXTRA_ROUND, lambda w: w.days * (w.overhead + (w.jobs // w.workers + 1) * w.work)),
    (HALF_OVERHEAD, lambda w: w.days * (w.overhead - w.find + w.most * w.work)),
    (HALF_OVERHEAD, lambda w: w.days * (w.overhead - w.collect + w.most * w.work)),
    (PER_ROUND, lambda w: w.days * w.most * (w.overhead + w.work)),
    (POOLED, lambda w: w.days * w.overhead + -(-w.days * w.jobs // w.workers) * w.work),
)

"""Judge `feeding.epoch_time`.

The oracle is a simulation that goes from event to event. Rival models, each of them one
misconception, tell what a wrong number means; cases are drawn until the rivals that matter differ.
"""

import random
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Judge
from course_utils.checking.facts import brief

WRONG_FORM = FindingKind(
    name="not-a-number",
    title="the result is not a number",
    explanation="The function returns the time at which the last step is done, in ms.",
    next_step="Return the number itself, without a unit and without printing it.",
)
LOADS_CHANGED = FindingKind(
    name="loads-changed",
    title="the caller's list was changed",
    explanation="`pop` and `sort` work on the list itself, which belongs to whoever called.",
    next_step="Go through `loads` with `for`, or work on a copy.",
)
WORKERS_IGNORED = FindingKind(
    name="one-after-the-other",
    title="loading and training happen at the same time",
    explanation="With workers, the main process only takes what is ready. Adding up all loading "
    "and all training is right for 0 workers alone.",
    next_step="Keep a time for each worker, at which it is free again, and one for the training.",
)
ZERO_AS_ONE = FindingKind(
    name="no-worker-taken-for-one",
    title="with 0 workers nothing overlaps",
    explanation="0 is not “one process for the data”: the main process loads, then trains, then "
    "loads again, and no process has to be started.",
    next_step="Treat `workers == 0` first, in a line of its own.",
)
STARTED_NOTHING = FindingKind(
    name="start-without-workers",
    title="without workers nothing is started",
    explanation="`startup` is the time until worker processes are ready. With 0 workers there are "
    "none.",
    next_step="Leave `startup` out where `workers` is 0.",
)
NO_STARTUP = FindingKind(
    name="start-forgotten",
    title="workers have to start first",
    explanation="No worker loads anything before `startup`. For a short epoch that may cost more "
    "than the workers save.",
    next_step="Let every worker be free at `startup` instead of at 0.",
)
STARTUP_EACH = FindingKind(
    name="started-one-by-one",
    title="all workers start at the same time",
    explanation="Each is a process of its own, and they get ready side by side.",
    next_step="Count `startup` once.",
)
DIVIDED = FindingKind(
    name="divided-and-added",
    title="loading and training overlap",
    explanation="Several workers do share the loading, but the training does not wait until they "
    "are through with it.",
    next_step="Ask of each batch when it is ready, and when the training before it is done.",
)
STEADY_ONLY = FindingKind(
    name="warm-up-forgotten",
    title="that is only the pace in the middle of the epoch",
    explanation="The slower side decides the pace, but the first batch has to be loaded before "
    "anything can be trained, and the last one is trained after all loading is done.",
    next_step="Go through the batches one by one instead of dividing the sum.",
)
NEVER_WAITS = FindingKind(
    name="training-never-waits",
    title="the training may have to wait again",
    explanation="The first batch is not the only one that can be late. Wherever a batch is not "
    "ready when the step before it is done, the training waits for it.",
    next_step="Take the later of two times for every batch, not for the first one alone.",
)
LAST_STEP = FindingKind(
    name="last-step-forgotten",
    title="the epoch ends with the last training step",
    explanation="When the last batch is handed over, it has yet to be trained.",
    next_step="Return the time at which the last step is *done*.",
)
UNLIMITED = FindingKind(
    name="prefetch-ignored",
    title="workers do not run ahead for ever",
    explanation="A worker has at most `prefetch` batches in hand, ready ones included. It gets the "
    "next order only when the training takes one of them.",
    next_step="Batch n may only be begun after batch n - prefetch * workers was taken.",
)
IN_ALL = FindingKind(
    name="prefetch-counted-in-all",
    title="`prefetch` counts for each worker",
    explanation="With 4 workers and a prefetch factor of 2, 8 batches are on their way.",
    next_step="Multiply `prefetch` by the number of workers.",
)
ANY_WORKER = FindingKind(
    name="any-free-worker",
    title="batches are dealt out in turn",
    explanation="Batch n is loaded by worker n % workers, even if another one is free.",
    next_step="Use `n % workers` instead of looking for the worker that is free first.",
)
OUT_OF_ORDER = FindingKind(
    name="order-lost",
    title="batches are trained in order",
    explanation="A batch that is ready early waits until those before it have been trained.",
    next_step="Go through the batches by number: each begins when it is ready and the training "
    "before it is done.",
)
ASKED_LATE = FindingKind(
    name="next-order-too-late",
    title="the next order goes out before the training step",
    explanation="The loader gives a worker its next batch at the moment in which a finished one "
    "is taken, and then the training begins.",
    next_step="Remember when each batch was *taken*, not when its step was done.",
)
OTHER_TIME = FindingKind(
    name="other-time",
    title="the epoch takes another time",
    explanation="A batch is begun when its worker is free and the order for it has gone out. It is "
    "taken when it is ready and the step before it is done.",
    next_step="Take a sheet of paper, one line for each worker and one for the training, and "
    "follow the first four batches.",
)


@dataclass(frozen=True)
class Epoch:
    """One epoch; times in ms. The last fields say how the loader works, and vary in rivals."""

    loads: Sequence[int]
    compute: int
    workers: int
    prefetch: int
    startup: int
    most: int | None = None  # batches on their way at one time; None: prefetch for each worker
    any_worker: bool = False
    in_order: bool = True
    order_when_done: bool = False

    @property
    def training(self) -> int:
        return self.compute * len(self.loads)


Model = Callable[[Epoch], float]


class _Simulation:
    """Follows one epoch from event to event."""

    def __init__(self, epoch: Epoch) -> None:
        self.epoch = epoch
        self.now = epoch.startup
        self.most = epoch.prefetch * epoch.workers if epoch.most is None else epoch.most
        self.ordered = 0
        self.waiting = [deque[int]() for _ in range(1 if epoch.any_worker else epoch.workers)]
        self.loading: dict[int, tuple[int, int]] = {}  # worker -> batch, end
        self.ready: list[int] = []
        self.training_until: int | None = None
        self.trained = 0
        for _ in range(self.most):
            self._order()

    def run(self) -> int:
        """The time at which the last step is done."""
        while self.trained < len(self.epoch.loads):
            self._begin()
            ends = [end for _, end in self.loading.values()]
            ends += [] if self.training_until is None else [self.training_until]
            self.now = min(ends)
            self._finish()
        return self.now

    def _order(self) -> None:
        if self.ordered < len(self.epoch.loads):
            self.waiting[self.ordered % len(self.waiting)].append(self.ordered)
            self.ordered += 1

    def _begin(self) -> None:
        """Whoever can begin something begins it. The training comes first: it gives orders."""
        if self.training_until is None and self.ready:
            number = self.ready[0] if not self.epoch.in_order else self.trained
            if number in self.ready:
                self.ready.remove(number)
                self.training_until = self.now + self.epoch.compute
                if not self.epoch.order_when_done:
                    self._order()
        for worker in range(self.epoch.workers):
            queue = self.waiting[worker % len(self.waiting)]
            if worker not in self.loading and queue:
                number = queue.popleft()
                self.loading[worker] = number, self.now + self.epoch.loads[number]

    def _finish(self) -> None:
        for worker, (number, end) in list(self.loading.items()):
            if end == self.now:
                del self.loading[worker]
                self.ready.append(number)
        if self.training_until == self.now:
            self.training_until = None
            self.trained += 1
            if self.epoch.order_when_done:
                self._order()


def finished(epoch: Epoch) -> int:
    """When the last training step is done, in ms after the epoch began."""
    if epoch.workers == 0:
        return sum(epoch.loads) + epoch.training
    return _Simulation(epoch).run()


def _as_one_worker(epoch: Epoch) -> float:
    return finished(replace(epoch, workers=max(epoch.workers, 1)))


def _with_workers(epoch: Epoch, **changes: Any) -> float:
    return finished(replace(epoch, **changes)) if epoch.workers else finished(epoch)


def _divided(epoch: Epoch) -> float:
    return epoch.startup + sum(epoch.loads) / max(epoch.workers, 1) + epoch.training


def _steady(epoch: Epoch) -> float:
    return epoch.startup + max(sum(epoch.loads) / max(epoch.workers, 1), epoch.training)


# In the order in which a number that fits several of them is explained.
RIVALS: Mapping[str, tuple[FindingKind, Model]] = {
    "one": (ZERO_AS_ONE, _as_one_worker),
    "one, ready": (ZERO_AS_ONE, lambda e: _as_one_worker(replace(e, startup=0))),
    "started": (STARTED_NOTHING, lambda e: e.startup + sum(e.loads) + e.training),
    "ready": (NO_STARTUP, lambda e: _with_workers(e, startup=0)),
    "sum": (WORKERS_IGNORED, lambda e: sum(e.loads) + e.training),
    "started, sum": (WORKERS_IGNORED, lambda e: e.startup + sum(e.loads) + e.training),
    "divided": (DIVIDED, _divided),
    "divided, ready": (DIVIDED, lambda e: _divided(e) - e.startup),
    "steady": (STEADY_ONLY, _steady),
    "steady, ready": (STEADY_ONLY, lambda e: _steady(e) - e.startup),
    "first": (NEVER_WAITS, lambda e: e.startup + e.loads[0] + e.training),
    "taken": (LAST_STEP, lambda e: finished(e) - e.compute),
    "each": (STARTUP_EACH, lambda e: _with_workers(e, startup=e.startup * e.workers)),
    "unlimited": (UNLIMITED, lambda e: _with_workers(e, most=len(e.loads))),
    "in all": (IN_ALL, lambda e: _with_workers(e, most=e.prefetch)),
    "any": (ANY_WORKER, lambda e: _with_workers(e, any_worker=True)),
    "order": (OUT_OF_ORDER, lambda e: _with_workers(e, in_order=False)),
    "late": (ASKED_LATE, lambda e: _with_workers(e, order_when_done=True)),
}


class EpochTime(Judge):
    """Finds the misconception under which a wrong time would be right."""

    name = "feeding.epoch_time"
    findings = (
        WRONG_FORM,
        LOADS_CHANGED,
        *dict.fromkeys(kind for kind, _ in RIVALS.values()),
        OTHER_TIME,
    )
    hints = (
        "With 0 workers everything is added up. With workers, keep one number for each of them: "
        "the time at which it is free again. They all begin at `startup`.",
        "Go through the batches by number. Batch n belongs to worker `n % workers`. It is ready "
        "`loads[n]` after the later of two moments: its worker is free, and it was ordered.",
        "A batch is *taken* at the later of two moments: it is ready, and the step before it is "
        "done. Keep a list of the times at which batches were taken: batch n is ordered when batch "
        "`n - prefetch * workers` is taken, and at 0 if there is none.",
        "A similar case: bakers take turns, and a shop sells the cakes in order, one at a time. "
        "There are two plates; a cake is begun when a plate is free, that is, when the cake two "
        "before it is taken to the counter.\n"
        "```python\n"
        "def last_sale(baking, selling, bakers):\n"
        "    free = [0] * bakers\n"
        "    taken, sold = [], 0\n"
        "    for n, minutes in enumerate(baking):\n"
        "        plate = taken[n - 2] if n >= 2 else 0\n"
        "        free[n % bakers] = max(free[n % bakers], plate) + minutes\n"
        "        taken.append(max(free[n % bakers], sold))\n"
        "        sold = taken[n] + selling\n"
        "    return sold\n\n"
        "last_sale([10, 30, 10], selling=5, bakers=2)   # 40\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        few, many = rng.randint(5, 8), rng.randint(12, 20)
        w = rng.randint(2, 4)
        drawn: list[tuple[str, str, Callable[[], Epoch], Sequence[str]]] = [
            ("no worker", "", _draw(rng, few, 0, 2), ("one", "one, ready", "started")),
            ("one worker", "", _draw(rng, few, 1, 2, slow=True),
             ("started, sum", "ready", "steady", "taken")),
            ("several workers, training is the slower side", "",
             _draw(rng, few, w, 2, slow=True), ("ready", "each", "divided", "taken")),
            ("several workers, batches of all sizes", "", _draw(rng, many, w, 2, uneven=True),
             ("sum", "divided", "ready", "each", "any", "order", "first")),
            ("several workers, loading is the slower side", "the pace of several workers",
             _draw(rng, many, w, 2, fast=True), ("sum", "divided", "steady", "each")),
            ("small prefetch", "workers that may not run ahead",
             _draw(rng, many, w, 1, uneven=True), ("unlimited", "late", "in all")),
            ("large prefetch", "a larger prefetch factor",
             _draw(rng, 20, 2, 3, uneven=True), ("in all", "any", "order")),
            ("uneven batches", "a slow batch among quick ones",
             _draw(rng, many, 2, 2, uneven=True), ("order", "any", "unlimited", "first")),
            ("fewer batches than workers", "fewer batches than workers",
             _draw(rng, 2, 4, 2, uneven=True), ("ready", "each", "sum")),
            ("one batch", "one batch", _draw(rng, 1, w, 2), ("ready", "each", "taken")),
            ("persistent workers", "workers that are there already",
             _draw(rng, many, w, 2, fast=True, ready=True), ("sum", "divided", "steady")),
            ("no worker, uneven batches", "no worker, batches of all sizes",
             _draw(rng, many, 0, 2, uneven=True), ("one", "started")),
            ("one worker, prefetch 1", "one worker, one batch ahead",
             _draw(rng, many, 1, 1, uneven=True), ("unlimited", "started, sum")),
        ]
        return [
            Case(title, separates or title, _telling(rng, epoch, rivals), bool(separates))
            for title, separates, epoch, rivals in drawn
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        seen = facts["time"]
        if seen["type"] not in ("int", "float"):
            return WRONG_FORM.found(brief(seen), "a number of ms")
        if not facts["unchanged"]:
            return LOADS_CHANGED.found("another list after the call", "the same list")
        epoch, value = Epoch(**case.data), seen["value"]
        right = finished(epoch)
        if value == right:
            return None
        shown = ", ".join(f"{name} {given}" for name, given in case.data.items())
        return _explain(epoch, value).found(f"{value} ms for {shown}", f"{right} ms")


def _explain(epoch: Epoch, value: float) -> FindingKind:
    """The misconception under which `value` would be right."""
    for kind, rival in RIVALS.values():
        about_no_worker = kind in (ZERO_AS_ONE, STARTED_NOTHING)
        if about_no_worker == (epoch.workers == 0) and abs(rival(epoch) - value) < 1e-6:
            return kind
    return OTHER_TIME


def _draw(
    rng: random.Random,
    batches: int,
    workers: int,
    prefetch: int,
    *,
    fast: bool = False,
    slow: bool = False,
    uneven: bool = False,
    ready: bool = False,
) -> Callable[[], Epoch]:
    """A way to draw an epoch in which training is `fast` or `slow`, or batches differ."""

    def draw() -> Epoch:
        load = rng.randint(20, 60)
        loads = [load] * batches
        if uneven:
            loads = [rng.choice((rng.randint(5, 15), rng.randint(60, 120))) for _ in loads]
        compute = rng.randint(20, 60)
        if fast:
            compute = rng.randint(2, max(2, load // max(workers, 1) - 2))
        if slow:
            compute = load + rng.randint(5, 50)
        return Epoch(loads, compute, workers, prefetch, 0 if ready else rng.randint(30, 300))

    return draw


def _telling(
    rng: random.Random, draw: Callable[[], Epoch], rivals: Sequence[str]
) -> dict[str, Any]:
    """Draw until each of `rivals` gives a number that is wrong and tells what was thought."""
    while True:
        epoch = draw()
        right = finished(epoch)
        thought = [(kind, rival(epoch)) for kind, rival in map(RIVALS.__getitem__, rivals)]
        if all(value != right and _explain(epoch, value) is kind for kind, value in thought):
            names = ("loads", "compute", "workers", "prefetch", "startup")
            return {name: getattr(epoch, name) for name in names}

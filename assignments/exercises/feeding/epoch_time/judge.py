"""Judge `epoch_time` by a simulation that goes from event to event.

Rivals are the same simulation with one rule changed, or a formula in its place.
"""

import random
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from course_utils.checking.contract import Case
from course_utils.checking.oracle import OracleJudge, Rival


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
    def load(self) -> int:
        return sum(self.loads)

    @property
    def train(self) -> int:
        return self.compute * len(self.loads)


class _Simulation:
    """Follows one epoch from event to event."""

    def __init__(self, epoch: Epoch) -> None:
        self.epoch, self.now = epoch, epoch.startup
        self.ordered = 0
        self.waiting = [deque[int]() for _ in range(1 if epoch.any_worker else epoch.workers)]
        self.loading: dict[int, tuple[int, int]] = {}  # worker -> batch, end
        self.ready: list[int] = []
        self.training_until: int | None = None
        self.trained = 0
        for _ in range(epoch.prefetch * epoch.workers if epoch.most is None else epoch.most):
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
            number = self.trained if self.epoch.in_order else self.ready[0]
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
        return epoch.load + epoch.train
    return _Simulation(epoch).run()


def _only(workers: bool, model: Callable[[Epoch], float]) -> Callable[..., float]:
    """A model that has a say only with workers, or only without."""

    def applied(**data: Any) -> float:
        epoch = Epoch(**data)
        if bool(epoch.workers) != workers:
            raise ValueError("none of the epochs that this model is about")
        return model(epoch)

    return applied


def _parallel(finding: str, model: Callable[[Epoch], float]) -> Rival:
    return Rival(finding, _only(True, model))


def _alone(finding: str, model: Callable[[Epoch], float]) -> Rival:
    return Rival(finding, _only(False, model))


def _changed(finding: str, **changes: Any) -> Rival:
    return _parallel(finding, lambda epoch: finished(replace(epoch, **changes)))


class EpochTime(OracleJudge):
    form, types, otherwise = "a number of ms", ("int", "float"), "other-time"
    rivals = (
        _alone("no-worker-taken-for-one", lambda e: finished(replace(e, workers=1))),
        _alone("no-worker-taken-for-one", lambda e: finished(replace(e, workers=1, startup=0))),
        _alone("start-without-workers", lambda e: e.startup + e.load + e.train),
        _changed("start-forgotten", startup=0),
        _parallel("one-after-the-other", lambda e: e.load + e.train),
        _parallel("one-after-the-other", lambda e: e.startup + e.load + e.train),
        _parallel("divided-and-added", lambda e: e.startup + e.load / e.workers + e.train),
        _parallel("divided-and-added", lambda e: e.load / e.workers + e.train),
        _parallel("warm-up-forgotten", lambda e: e.startup + max(e.load / e.workers, e.train)),
        _parallel("warm-up-forgotten", lambda e: max(e.load / e.workers, e.train)),
        _parallel("training-never-waits", lambda e: e.startup + e.loads[0] + e.train),
        _parallel("last-step-forgotten", lambda e: finished(e) - e.compute),
        _parallel(
            "started-one-by-one", lambda e: finished(replace(e, startup=e.startup * e.workers))
        ),
        _parallel("prefetch-ignored", lambda e: finished(replace(e, most=len(e.loads)))),
        _parallel("prefetch-counted-in-all", lambda e: finished(replace(e, most=e.prefetch))),
        _changed("any-free-worker", any_worker=True),
        _changed("order-lost", in_order=False),
        _changed("next-order-too-late", order_when_done=True),
    )

    def oracle(self, **data: Any) -> int:
        return finished(Epoch(**data))

    def cases(self, rng: random.Random) -> Sequence[Case]:
        def drawn(title: str, *findings: str, **situation: Any) -> Case:
            return Case(title, self.telling(lambda: _draw(rng, **situation), *findings))

        w = rng.randint(2, 4)
        loads = {"loads": [10, 10, 10], "compute": 5, "prefetch": 2}
        return [
            drawn("no worker", "no-worker-taken-for-one", "start-without-workers", workers=0),
            drawn(
                "no worker, batches of all sizes",
                "no-worker-taken-for-one",
                workers=0,
                sizes="uneven",
            ),
            drawn(
                "one worker",
                "one-after-the-other",
                "start-forgotten",
                "warm-up-forgotten",
                "last-step-forgotten",
                workers=1,
                training="slow",
            ),
            drawn(
                "several workers, training is the slower side",
                "start-forgotten",
                "started-one-by-one",
                "divided-and-added",
                "last-step-forgotten",
                workers=w,
                training="slow",
            ),
            drawn(
                "several workers, loading is the slower side",
                "one-after-the-other",
                "divided-and-added",
                "warm-up-forgotten",
                workers=w,
                training="fast",
            ),
            drawn(
                "several workers, batches of all sizes",
                "any-free-worker",
                "order-lost",
                "training-never-waits",
                workers=w,
                sizes="uneven",
            ),
            drawn(
                "several workers, one batch ahead for each",
                "prefetch-ignored",
                "next-order-too-late",
                "prefetch-counted-in-all",
                workers=w,
                prefetch=1,
                sizes="uneven",
            ),
            drawn(
                "several workers, three batches ahead for each",
                "prefetch-counted-in-all",
                "any-free-worker",
                workers=2,
                prefetch=3,
                sizes="uneven",
            ),
            drawn(
                "one worker, one batch ahead",
                "prefetch-ignored",
                workers=1,
                prefetch=1,
                sizes="uneven",
            ),
            drawn(
                "fewer batches than workers",
                "start-forgotten",
                batches=2,
                workers=4,
                sizes="uneven",
            ),
            drawn("one batch", "start-forgotten", "last-step-forgotten", batches=1, workers=w),
            drawn(
                "workers that are there already",
                "divided-and-added",
                "one-after-the-other",
                workers=w,
                training="fast",
                startup=0,
            ),
            Case("the task's example: no worker", {**loads, "workers": 0, "startup": 100}),
            Case("the task's example: one worker", {**loads, "workers": 1, "startup": 100}),
            Case("the task's example: three workers", {**loads, "workers": 3, "startup": 0}),
        ]


def _draw(
    rng: random.Random,
    *,
    workers: int,
    prefetch: int = 2,
    batches: int | None = None,
    sizes: str = "even",
    training: str = "any",
    startup: int | None = None,
) -> dict[str, Any]:
    """The data of an epoch whose batches differ, or whose training is slow or fast."""
    load = rng.randint(20, 60)
    batches = rng.randint(12, 20) if batches is None else batches
    loads = [load] * batches
    if sizes == "uneven":
        loads = [rng.choice((rng.randint(5, 15), rng.randint(60, 120))) for _ in loads]
    compute = {
        "any": rng.randint(20, 60),
        "slow": load + rng.randint(5, 50),
        "fast": rng.randint(2, max(2, load // max(workers, 1) - 2)),
    }[training]
    return {
        "loads": loads,
        "compute": compute,
        "workers": workers,
        "prefetch": prefetch,
        "startup": rng.randint(30, 300) if startup is None else startup,
    }


judge = EpochTime()

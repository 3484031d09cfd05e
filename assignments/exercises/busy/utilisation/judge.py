"""Judge `utilisation`: rivals count overlaps twice or forget the window."""

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from course_utils.checking.contract import Case, Finding, Raise
from course_utils.checking.oracle import OracleJudge, Rival

Pairs = Sequence[Sequence[int]]


def covered(kernels: Pairs, start: int, end: int) -> int:
    """How many µs from start to end have a kernel; every one is looked at."""
    return sum(any(a <= t < b for a, b in kernels) for t in range(start, end))


def _share(busy: Callable[..., float]) -> Callable[..., float]:
    return lambda kernels, start, end: busy(kernels, start, end) / (end - start)


def _summed(kernels: Pairs, start: int, end: int) -> int:
    return sum(max(0, min(b, end) - max(a, start)) for a, b in kernels)


def _span(kernels: Pairs, start: int, end: int) -> int:
    inside = [(max(a, start), min(b, end)) for a, b in kernels if a < end and b > start]
    return max(b for _, b in inside) - min(a for a, _ in inside)


def _neighbours(kernels: Pairs, start: int, end: int) -> int:
    """In the order of the list, each compared with the one before it only."""
    busy, until = 0, start
    for a, b in kernels:
        a, b = max(a, until), min(b, end)
        busy += max(0, b - a)
        until = b
    return busy


def _inside_only(kernels: Pairs, start: int, end: int) -> int:
    return covered([(a, b) for a, b in kernels if a >= start and b <= end], start, end)


def _window_forgotten(kernels: Pairs, start: int, end: int) -> int:
    return covered(kernels, min(a for a, _ in kernels), max(b for _, b in kernels))


def _last_forgets(kernels: Pairs, start: int, end: int) -> int:
    """Sorted, but the end of the latest kernel stands for the latest end."""
    return _neighbours(sorted(kernels), start, end)


def _unsorted(kernels: Pairs, start: int, end: int) -> int:
    busy, until = 0, start
    for a, b in kernels:
        a, b = max(a, until), min(b, end)
        if b > a:
            busy, until = busy + b - a, b
    return busy


def _of_the_span(kernels: Pairs, start: int, end: int) -> float:
    first, last = min(a for a, _ in kernels), max(b for _, b in kernels)
    return covered(kernels, first, last) / (last - first)


class Utilisation(OracleJudge):
    form, types, otherwise = "a number from 0 to 1", ("int", "float"), "other-share"
    rivals = (
        Rival("overlap-counted-twice", _share(_summed)),
        Rival(
            "overlap-counted-twice",
            _share(lambda kernels, start, end: min(end - start, _summed(kernels, start, end))),
        ),
        Rival("gaps-counted", _share(_span)),
        Rival("window-forgotten", _share(_window_forgotten)),
        Rival(
            "window-forgotten", _share(lambda kernels, start, end: sum(b - a for a, b in kernels))
        ),
        Rival("other-window", _of_the_span),
        Rival("cut-kernels-dropped", _share(_inside_only)),
        Rival("kernel-inside-another", _share(_last_forgets)),
        Rival("order-trusted", _share(_unsorted)),
        Rival("order-trusted", _share(_neighbours)),
        Rival(
            "idle-share",
            _share(lambda kernels, start, end: end - start - covered(kernels, start, end)),
        ),
        Rival("percent", lambda **data: 100 * _share(covered)(**data)),
        Rival("microseconds", covered),
    )

    def oracle(self, **data: Any) -> float:
        return _share(covered)(**data)

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        if case.data["kernels"]:
            return None
        return Finding("no-kernel", str(raised), "0")

    def cases(self, rng: random.Random) -> Sequence[Case]:
        start = rng.randint(200, 400)
        end = start + rng.randint(150, 250)

        def drawn(title: str, draw: Callable[[], Iterator[Sequence[int]]], *findings: str) -> Case:
            return Case(
                title,
                self.telling(
                    lambda: {
                        "kernels": [list(pair) for pair in draw()],
                        "start": start,
                        "end": end,
                    },
                    *findings,
                ),
            )

        def kernel(low: int, high: int) -> tuple[int, int]:
            a, b = sorted(rng.sample(range(low, high), 2))
            return a, b

        def apart(count: int) -> Iterator[tuple[int, int]]:
            step = (end - start) // count
            for number in range(count):
                yield kernel(start + number * step + 1, start + (number + 1) * step - 1)

        def shuffled(count: int) -> Iterator[tuple[int, int]]:
            return iter(rng.sample(list(apart(count)), count))

        def overlapping() -> Iterator[tuple[int, int]]:
            pairs = [kernel(start, end) for _ in range(4)]
            return iter(sorted(pairs))

        def nested() -> Iterator[tuple[int, int]]:
            a = rng.randint(start + 5, start + 20)
            yield a, a + 80
            yield a + 10, a + rng.randint(20, 30)
            yield a + rng.randint(40, 60), a + rng.randint(90, 110)

        def sticking_out() -> Iterator[tuple[int, int]]:
            yield start - rng.randint(20, 60), start + rng.randint(10, 30)
            yield from [(start + 50, start + rng.randint(60, 90))]
            yield end - rng.randint(10, 30), end + rng.randint(20, 60)

        def outside() -> Iterator[tuple[int, int]]:
            yield start - rng.randint(50, 90), start - rng.randint(10, 40)
            yield kernel(start + 10, end - 10)
            yield end + rng.randint(10, 40), end + rng.randint(50, 90)

        example = {"kernels": [[0, 30], [20, 40], [90, 120]], "start": 0, "end": 100}
        return [
            drawn("one kernel", lambda: apart(1), "idle-share", "percent", "microseconds"),
            drawn("kernels one after another", lambda: apart(4), "gaps-counted"),
            drawn("kernels in another order", lambda: shuffled(4), "order-trusted"),
            drawn("kernels that overlap", overlapping, "overlap-counted-twice"),
            drawn("a kernel inside another", nested, "kernel-inside-another"),
            drawn(
                "kernels that begin before or stop after",
                sticking_out,
                "window-forgotten",
                "cut-kernels-dropped",
            ),
            drawn("kernels outside", outside, "window-forgotten", "other-window"),
            Case(
                "one kernel longer than the time that is looked at",
                {"kernels": [[start - 30, end + 30]], "start": start, "end": end},
            ),
            Case("the task's example", example),
            Case("no kernel", {"kernels": [], "start": start, "end": end}),
        ]


judge = Utilisation()

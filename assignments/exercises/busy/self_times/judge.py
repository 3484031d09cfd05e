"""Judge `self_times` on drawn trees of calls; rivals take off too much or too little."""

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from course_utils.checking.contract import Case, Finding, Raise
from course_utils.checking.oracle import OracleJudge, Rival

Call = tuple[str, int, int]
NAMES = ("forward", "backward", "linear", "conv2d", "copy_", "addmm", "relu", "step", "loss")


def _inside(inner: Sequence[Any], outer: Sequence[Any]) -> bool:
    return inner is not outer and outer[1] <= inner[1] and inner[2] <= outer[2]


def _parent(call: Sequence[Any], calls: Sequence[Any]) -> Sequence[Any] | None:
    around = [other for other in calls if _inside(call, other)]
    return min(around, key=lambda other: other[2] - other[1], default=None)


def _summed(own: Callable[[Sequence[Any], Sequence[Any]], int]) -> Callable[..., dict[str, int]]:
    """For each name the sum of `own(call, calls)`."""

    def model(calls: Sequence[Any]) -> dict[str, int]:
        found = {name: 0 for name, _, _ in calls}
        for call in calls:
            found[call[0]] += own(call, calls)
        return found

    return model


def _length(call: Sequence[Any]) -> int:
    return call[2] - call[1]


def _right(call: Sequence[Any], calls: Sequence[Any]) -> int:
    return _length(call) - sum(_length(c) for c in calls if _parent(c, calls) is call)


def _all_inside(call: Sequence[Any], calls: Sequence[Any]) -> int:
    return _length(call) - sum(_length(c) for c in calls if _inside(c, call))


def _last_one(own: Callable[[Sequence[Any], Sequence[Any]], int]) -> Callable[..., dict[str, int]]:
    return lambda calls: {call[0]: own(call, calls) for call in calls}


def _as_listed(calls: Sequence[Any]) -> dict[str, int]:
    """The reference without its sorting."""
    own = {name: 0 for name, _, _ in calls}
    open_calls: list[tuple[str, int]] = []
    for name, start, end in calls:
        while open_calls and open_calls[-1][1] <= start:
            open_calls.pop()
        own[name] += end - start
        if open_calls:
            own[open_calls[-1][0]] -= end - start
        open_calls.append((name, end))
    return own


def _by_start(calls: Sequence[Any]) -> dict[str, int]:
    return _as_listed(sorted(calls, key=lambda call: (call[1], call[2])))


def _outermost_only(calls: Sequence[Any]) -> dict[str, int]:
    """Inner calls of the same name do not count at all."""
    return _summed(
        lambda call, calls: (
            0
            if any(other[0] == call[0] and _inside(call, other) for other in calls)
            else _right(call, calls)
        )
    )(calls)


def _without_zeros(calls: Sequence[Any]) -> dict[str, int]:
    return {name: own for name, own in _summed(_right)(calls).items() if own}


class SelfTimes(OracleJudge):
    form, types, otherwise = "a dict from name to µs", ("dict",), "other-times"
    rivals = (
        Rival("total-time", _summed(lambda call, calls: _length(call))),
        Rival("taken-off-twice", _summed(_all_inside)),
        Rival("last-call-only", _last_one(_right)),
        Rival("same-start", _by_start),
        Rival("order-trusted", _as_listed),
        Rival("recursion", _outermost_only),
        Rival("zero-left-out", _without_zeros),
        Rival(
            "share",
            lambda calls: {
                name: own / sum(map(_length, calls)) for name, own in _summed(_right)(calls).items()
            },
        ),
    )

    def oracle(self, calls: Any) -> dict[str, int]:
        return _summed(_right)(calls)

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        if case.data["calls"]:
            return None
        return Finding("no-call", str(raised), "{}")

    def cases(self, rng: random.Random) -> Sequence[Case]:
        def drawn(title: str, draw: Callable[[], Iterator[Call]], *findings: str) -> Case:
            return Case(
                title, self.telling(lambda: {"calls": [list(call) for call in draw()]}, *findings)
            )

        def names(count: int) -> list[str]:
            return rng.sample(NAMES, count)

        def gap() -> int:
            return rng.randint(3, 12)

        def nested(count: int) -> Iterator[Call]:
            start, end = 0, 40 * count
            for name in names(count):
                yield name, start, end
                start, end = start + gap(), end - gap()

        def siblings() -> Iterator[Call]:
            outer, *inner = names(4)
            yield outer, 0, 200
            at = gap()
            for name in inner:
                stop = at + rng.randint(20, 40)
                yield name, at, stop
                at = stop + gap()

        def grandchildren() -> Iterator[Call]:
            top, a, b, c, d = names(5)
            yield from [
                (top, 0, 400),
                (a, gap(), 150 + gap()),
                (b, 20, 60 + gap()),
                (c, 90, 130 + gap()),
                (d, 200, 300 + gap()),
            ]

        def repeated() -> Iterator[Call]:
            top, a, b = names(3)
            yield from [
                (top, 0, 300),
                (a, 10, 60 + gap()),
                (b, 15, 40 + gap()),
                (a, 100, 180 + gap()),
                (b, 110, 130 + gap()),
                (b, 220, 260 + gap()),
            ]

        def recursive() -> Iterator[Call]:
            top, a = names(2)
            yield from [
                (top, 0, 200 + gap()),
                (a, 10, 150 + gap()),
                (a, 30, 100 + gap()),
                (a, 40, 60 + gap()),
            ]

        def same_start() -> Iterator[Call]:
            top, a, b = names(3)
            end = 60 + gap()
            yield from [(b, 50, end), (a, 50, end + 40), (top, 50, end + 80)]

        def filled() -> Iterator[Call]:
            top, a, b = names(3)
            middle = 40 + gap()
            yield from [(top, 0, 100), (a, 0, middle), (b, middle, 100)]

        def two_trees() -> Iterator[Call]:
            a, b, c = names(3)
            yield from [
                (a, 0, 80 + gap()),
                (b, 20, 50 + gap()),
                (a, 100, 150 + gap()),
                (c, 110, 130 + gap()),
            ]

        def shuffled() -> Iterator[Call]:
            calls = list(grandchildren())
            return iter(rng.sample(calls, len(calls)))

        example = [["step", 0, 100], ["forward", 10, 60], ["linear", 20, 50]]
        return [
            drawn("one call inside another", lambda: nested(2), "total-time", "share"),
            Case("the task's example", {"calls": example}),
            drawn("several calls inside one", siblings, "total-time"),
            drawn("four levels", lambda: nested(4), "taken-off-twice"),
            drawn("two levels inside one call", grandchildren, "taken-off-twice"),
            drawn("a name that comes several times", repeated, "last-call-only"),
            drawn("one call after another, each with one inside", two_trees, "last-call-only"),
            drawn("a function that calls itself", recursive, "recursion"),
            drawn("calls in another order", shuffled, "order-trusted"),
            drawn(
                "calls that start at the same time, the inner one first", same_start, "same-start"
            ),
            drawn("a call that only calls others", filled, "zero-left-out"),
            Case("no call", {"calls": []}),
        ]


judge = SelfTimes()

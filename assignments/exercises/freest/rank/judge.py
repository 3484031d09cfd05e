"""Judge `rank`: rivals turn ties round, compare strings, or mishandle what is unknown."""

import random
from collections.abc import Callable, Sequence
from typing import Any

from course_utils.checking.contract import Case, Raises
from course_utils.checking.oracle import OracleJudge, Rival

Free = Sequence[int | str | None]
NUMBERS, STRINGS = int, str


def ranked(
    free: Free, *, known: Callable[[Any], bool] = lambda amount: amount is not None
) -> list[int]:
    """Of what is left each time, the largest, and of equal ones the first."""
    left = {index: int(amount or 0) for index, amount in enumerate(free) if known(amount)}
    order = []
    while left:
        order.append(max(left, key=lambda index: (left[index], -index)))
        del left[order[-1]]
    return order


def _ties_reversed(free: Free) -> list[int]:
    return [index for _, index in sorted(_pairs(free), reverse=True)]


def _pairs(free: Free) -> list[tuple[int, int]]:
    return [(int(amount), index) for index, amount in enumerate(free) if amount is not None]


def _as_strings(free: Free) -> list[int]:
    known = [index for index, amount in enumerate(free) if amount is not None]
    return sorted(known, key=lambda index: str(free[index]), reverse=True)


def _strings_reversed(free: Free) -> list[int]:
    known = [(str(amount), index) for index, amount in enumerate(free) if amount is not None]
    return [index for _, index in sorted(known, reverse=True)]


def _places(free: Free) -> list[int]:
    order = ranked(free)
    return [order.index(index) for index in sorted(order)]


def _renumbered(free: Free) -> list[int]:
    return ranked([amount for amount in free if amount is not None])


def _unsigned_negated(free: Free, *, numpy: bool) -> list[int]:
    """By -amount; unsigned, that is 2**64 less the amount, but 0 for 0."""
    amounts = {index: int(amount or 0) for index, amount in enumerate(free)}
    if not numpy:
        raise ValueError
    return sorted(amounts, key=lambda index: -amounts[index] % 2**64)


def _first_of_equals(free: Free) -> list[int]:
    amounts = [None if amount is None else int(amount) for amount in free]
    return [amounts.index(amounts[index]) for index in ranked(free)]


class Rank(OracleJudge):
    form, types, otherwise = "a list of indices", ("list", "tuple"), "other-order"
    raises = (
        Raises("not-comparable", "TypeError", "not supported between"),
        Raises("unknown-read", "TypeError", "NoneType"),
    )
    rivals = (
        Rival("ties-reversed", lambda free, **_: _ties_reversed(free)),
        Rival("strings-compared", lambda free, **_: _as_strings(free)),
        Rival("strings-compared", lambda free, **_: _strings_reversed(free)),
        Rival("smallest-first", lambda free, **_: ranked(free)[::-1]),
        Rival("smallest-first", lambda free, **_: _ties_reversed(free)[::-1]),
        Rival(
            "amounts-returned", lambda free, **_: [int(str(free[index])) for index in ranked(free)]
        ),
        Rival("amounts-returned", lambda free, **_: [free[index] for index in ranked(free)]),
        Rival("unknown-ranked", lambda free, **_: ranked(free, known=lambda amount: True)),
        Rival(
            "unknown-ranked",
            lambda free, **_: ranked([-1 if amount is None else amount for amount in free]),
        ),
        Rival("full-dropped", lambda free, **_: ranked(free, known=bool)),
        Rival("renumbered", lambda free, **_: _renumbered(free)),
        Rival("unsigned-negated", _unsigned_negated),
        Rival("numpy-left-out", lambda free, numpy: [] if numpy else ranked(free)),
        Rival("card-twice", lambda free, **_: _first_of_equals(free)),
        Rival("places-of-cards", lambda free, **_: _places(free)),
    )

    def oracle(self, free: Free, **_: Any) -> list[int]:
        return ranked(free)

    def cases(self, rng: random.Random) -> Sequence[Case]:
        def amounts(count: int) -> list[int]:
            return rng.sample(range(500, 80_000), count)

        def drawn(
            title: str, draw: Callable[[], list[Any]], *findings: str, numpy: bool = False
        ) -> Case:
            data = self.telling(lambda: {"free": draw(), "numpy": numpy}, *findings)
            return Case(title, data)

        def tied(count: int) -> list[int]:
            first, second, *_ = amounts(2)
            return rng.choices([first, second], k=count)

        def lengths() -> list[str]:
            few = [str(rng.randint(500, 9_999)) for _ in range(2)]
            many = [str(rng.randint(10_000, 80_000)) for _ in range(2)]
            return rng.sample([*few, *many], 4)

        def with_unknown() -> list[int | None]:
            return rng.sample([None, *amounts(4)], 5)

        def with_full() -> list[int]:
            return rng.sample([0, *amounts(3)], 4)

        def mixed() -> list[int | str]:
            same, *first = amounts(2)
            return first + rng.sample([same, str(same), str(amounts(1)[0])], 3)

        def all_kinds() -> list[int | str | None]:
            return rng.sample([None, "0", 0, *amounts(2), str(amounts(1)[0])], 6)

        plain = ("smallest-first", "amounts-returned", "places-of-cards")
        return [
            drawn("two cards", lambda: sorted(rng.sample(range(10_000, 80_000), 2))),
            drawn("four cards", lambda: amounts(4), *plain),
            Case("the task's first example", {"free": [10362, 10058, 9990, 9990], "numpy": False}),
            drawn("some cards with the same amount", lambda: tied(5), "ties-reversed"),
            drawn("all cards with the same amount", lambda: amounts(1) * 4, "ties-reversed"),
            drawn("strings of different lengths", lengths, "strings-compared"),
            drawn("an unknown amount", with_unknown, "unknown-ranked", "renumbered"),
            drawn("a full card", with_full, "full-dropped"),
            drawn("numbers and strings", mixed, "ties-reversed"),
            drawn("NumPy's numbers", with_full, *plain, "unsigned-negated", numpy=True),
            drawn(
                "all kinds in one list", all_kinds, "unknown-ranked", "full-dropped", "renumbered"
            ),
            drawn("one card", lambda: amounts(1), "amounts-returned"),
            Case("nothing is known", {"free": [None, None], "numpy": False}),
            Case("no card", {"free": [], "numpy": False}),
            drawn("many cards, most of them equal", lambda: tied(60), "ties-reversed"),
            Case("the task's second example", {"free": ["845", None, "10362", 0], "numpy": False}),
        ]


judge = Rank()

"""Judge `new_enough` by comparing pairs of whole numbers; rivals compare something else."""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding
from course_utils.checking.oracle import OracleJudge, Rival

Pair = tuple[int, int]


def pair(text: str) -> Pair:
    major, minor = text.split(".")
    return int(major), int(minor)


def _where(fits: Callable[[Pair, Pair], bool]) -> Callable[..., list[int]]:
    """The indices of the capabilities that fit what is needed."""

    def model(capabilities: Sequence[Sequence[int]], needed: str) -> list[int]:
        return [i for i, one in enumerate(capabilities) if fits(tuple(one), pair(needed))]

    return model


def _text(one: Pair) -> str:
    return f"{one[0]}.{one[1]}"


_right = _where(lambda one, least: one >= least)


def _all_fitting(capabilities: Sequence[Sequence[int]], needed: str) -> list[Any]:
    return [tuple(capabilities[index]) for index in _right(capabilities, needed)]


def _yes_or_no(capabilities: Sequence[Sequence[int]], needed: str) -> list[bool]:
    fitting = _right(capabilities, needed)
    return [index in fitting for index in range(len(capabilities))]


class NewEnough(OracleJudge):
    form, types, otherwise = "a list of indices", ("list", "tuple"), "other-gpus"
    rivals = (
        Rival("not-indices", _all_fitting),
        Rival("not-indices", _yes_or_no),
        Rival("not-indices", lambda **d: [_text(one) for one in _all_fitting(**d)]),
        Rival("compared-as-text", _where(lambda one, least: _text(one) >= _text(least))),
        Rival(
            "compared-as-text",
            _where(lambda one, least: tuple(map(str, one)) >= tuple(map(str, least))),
        ),
        Rival("compared-as-decimals", _where(lambda a, b: float(_text(a)) >= float(_text(b)))),
        Rival("compared-as-decimals", _where(lambda a, b: a[0] * 10 + a[1] >= b[0] * 10 + b[1])),
        Rival("parts-compared-apart", _where(lambda a, b: a[0] >= b[0] and a[1] >= b[1])),
        Rival("major-only", _where(lambda one, least: one[0] >= least[0])),
        Rival("equal-left-out", _where(lambda one, least: one > least)),
    )

    def oracle(self, **data: Any) -> list[int]:
        return _right(**data)

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        found = super().judge(case, facts)
        if found is None or found.name in ("nothing-returned", "other-form", "input-changed"):
            return found
        given = ", ".join(_text(tuple(one)) for one in case.data["capabilities"])
        return Finding(
            found.name,
            f"{found.seen} for {given}",
            f"{found.expected} for at least {case.data['needed']}",
        )

    def shown(self, described: Mapping[str, Any], data: Mapping[str, Any]) -> str:
        return super().shown(described, data)[:80]

    def cases(self, rng: random.Random) -> Sequence[Case]:
        def drawn(title: str, needed: str, pool: Sequence[Pair], *findings: str) -> Case:
            def draw() -> dict[str, Any]:
                return {
                    "capabilities": [list(rng.choice(pool)) for _ in range(rng.randint(5, 7))],
                    "needed": needed,
                }

            return Case(title, self.telling(draw, *findings))

        old = [(6, 1), (7, 0), (7, 5), (8, 0), (8, 6), (8, 9)]
        new = [(7, 5), (8, 0), (8, 6), (8, 9), (9, 0), (10, 0), (12, 0), (12, 1)]
        return [
            drawn("cards of the last years", "8.0", new, "compared-as-text", "equal-left-out"),
            drawn(
                "only cards with one digit",
                "7.5",
                old,
                "parts-compared-apart",
                "major-only",
                "equal-left-out",
            ),
            drawn(
                "the second number is not zero",
                "8.9",
                new,
                "compared-as-text",
                "parts-compared-apart",
                "major-only",
            ),
            drawn("a new card is needed", "10.0", new, "compared-as-text"),
            drawn("something between two new cards", "12.1", new, "major-only"),
            drawn(
                "a second number of two digits",
                "8.9",
                [(8, 6), (8, 9), (8, 10), (8, 11), (10, 0)],
                "compared-as-decimals",
                "compared-as-text",
            ),
            drawn(
                "a second number of two digits is needed",
                "8.10",
                [(8, 1), (8, 9), (8, 10), (8, 12), (9, 0), (10, 0)],
                "compared-as-decimals",
                "compared-as-text",
            ),
            drawn(
                "just before the next first number",
                "9.0",
                [(8, 9), (8, 10), (8, 11), (9, 0), (10, 0)],
                "compared-as-decimals",
            ),
            Case("no GPU is new enough", {"capabilities": [[7, 5], [8, 0]], "needed": "9.0"}),
            Case("no GPU at all", {"capabilities": [], "needed": "8.0"}),
            Case("the task's example", {"capabilities": [[8, 9], [7, 5], [9, 0]], "needed": "8.9"}),
        ]


judge = NewEnough()

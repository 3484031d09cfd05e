"""The judge of an exercise that is data: it compares facts with those of the exercise's answer.

A difference gets the finding of the first known wrong answer with the same fact, or else the
finding of the `Look` that found it.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from exercise_kit.comparison import first_difference, same
from exercise_kit.contract import Case, Facts, Finding, Judge, Raises
from exercise_kit.facts import is_described, told
from exercise_kit.text import clip

Explain = Callable[[str, Any, Any, Mapping[str, Any]], str | None]
"""From a fact's name, its actual and right value, and the case's data, makes a name or None."""

Described = Mapping[str, Any]

_LONGEST = 200  # characters of an excerpt


@dataclass(frozen=True)
class Look:
    """One compared fact. Looks are compared in order.

    fact: the name of the fact.
    finding: the finding for a difference that no known wrong answer explains, or a function from
        actual value, right value and the case's data to the finding.
    most: whether the right value is a maximum, as for a number of copies.
    spare: how much more than this maximum is allowed.
    any_order: whether the order of a list is ignored.
    exact: whether a list differs from a tuple, and 2.0 from 2.
    tolerance: relative and absolute tolerance for numbers.
    parts: part of a described object ("dtype", "shape", "device") → finding for a difference in it.
    form: the finding for an object of another type.
    says: a name of the fact in messages, as in "copies in the whole run".
    wants: the right value in messages; default: the value itself.
    """

    fact: str
    finding: str | Callable[[Any, Any, Mapping[str, Any]], str] = "other-result"
    most: bool = False
    spare: float = 0
    any_order: bool = False
    exact: bool = False
    tolerance: float = 1e-6
    parts: Mapping[str, str] = field(default_factory=dict)
    form: str = "other-form"
    says: str = ""
    wants: str = ""

    def agrees(self, seen: Any, right: Any) -> bool:
        """Whether the actual value is accepted."""
        if self.most and _is_number(seen) and _is_number(right):
            return seen <= right + self.spare
        return self.equal(seen, right)

    def equal(self, seen: Any, other: Any) -> bool:
        """Whether two values are equal, such as those of an answer and of a wrong answer."""
        if self.any_order and isinstance(seen, list) and isinstance(other, list):
            seen, other = sorted(seen, key=str), sorted(other, key=str)
        return same(seen, other, exact=self.exact, tolerance=self.tolerance)

    def excerpts(self, seen: Any, right: Any) -> tuple[str, str]:
        """The actual and the right value for the learner, at their first difference."""
        place, one, other = ("", seen, right)
        if not self.any_order:
            place, one, other = first_difference(
                seen, right, exact=self.exact, tolerance=self.tolerance
            )
        before = f"{self.says}{place}: " if self.says else f"{place}: " if place else ""
        if isinstance(one, str) and (isinstance(other, str) or other is None):
            return clip(before + one, _LONGEST), clip(self.wants or str(other), _LONGEST)
        if is_described(one) and is_described(other) and told(one) == told(other):
            at, one, other = first_difference(one.get("values"), other.get("values"))
            before = f"{before}values{at}: "
        digits = 6 if told(one, 6) != told(other, 6) else 17
        is_most = self.most and _is_number(other)
        wanted = f"at most {other + self.spare}" if is_most else told(other, digits)
        return clip(before + told(one, digits), _LONGEST), clip(self.wants or wanted, _LONGEST)


CHANGED = Look("changed", "input-changed", says="changed by the call", wants="nothing")
LEFT = Look("left", "left-switched", says="settings after the call", wants="as before")


class DataJudge(Judge):
    """Compares facts with `Case.right`. Findings come from cases.py, from rivals, or from `looks`.

    Changed inputs are compared first and changed global settings last, unless `looks` contains them
    in another place.
    """

    def __init__(
        self,
        draw: Callable[[random.Random], Sequence[tuple[str, Mapping[str, Any]]]],
        looks: Sequence[Look] = (Look("result"),),
        raises: Sequence[Raises] = (),
        explain: Explain | None = None,
    ) -> None:
        named = {look.fact for look in looks}
        first, last = ([each] if each.fact not in named else [] for each in (CHANGED, LEFT))
        self._draw, self.looks = draw, (*first, *looks, *last)
        self.raises = raises  # type: ignore[misc]
        self._explain = explain

    def cases(self, rng: random.Random) -> Sequence[Case]:
        """The cases that cases.py draws, without the right facts."""
        return [Case(title, data) for title, data in self._draw(rng)]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        """The finding for the first difference from the right facts; None without a difference."""
        assert case.right is not None
        look = self.differs(facts, case.right)
        if look is None:
            return None
        seen, right = facts.get(look.fact), case.right.get(look.fact)
        return Finding(self._name(look, seen, right, case), *look.excerpts(seen, right))

    def differs(self, facts: Facts, right: Facts) -> Look | None:
        """The first look that finds a difference."""
        for look in self.looks:
            seen, wanted = facts.get(look.fact), right.get(look.fact)
            if (look.fact in right or look.fact in facts) and not look.agrees(seen, wanted):
                return look
        return None

    def _name(self, look: Look, seen: Any, right: Any, case: Case) -> str:
        if self._explain and (found := self._explain(look.fact, seen, right, case.data)):
            return found
        for rival in case.rivals:
            if rival.fact == look.fact and look.equal(seen, rival.value):
                return rival.finding
        _, one, other = first_difference(seen, right, exact=look.exact, tolerance=look.tolerance)
        if is_described(seen) and seen["type"] == "NoneType":
            return "nothing-returned"
        if is_described(one) and is_described(other):
            one, other = _first_object(one, other, look)
            # Inside a container None is a value: for example "no GPU" in a list of GPUs.
            is_value = one is not seen and "NoneType" in (one["type"], other["type"])
            if not is_value and not _alike(one["type"], other["type"], look.exact):
                return look.form
            unlike = (part for part in look.parts if one.get(part) != other.get(part))
            if part := next(unlike, ""):
                return look.parts[part]
        return (
            look.finding if isinstance(look.finding, str) else look.finding(seen, right, case.data)
        )


def _first_object(one: Described, other: Described, look: Look) -> tuple[Described, Described]:
    """The first different objects inside two containers; the containers if their forms differ."""
    items = one.get("items", ()), other.get("items", ())
    if len(items[0]) == len(items[1]) and _alike(one["type"], other["type"], look.exact):
        for pair in zip(*items, strict=True):
            if not look.agrees(*pair):
                return _first_object(*pair, look)
    return one, other


def _is_number(value: Any) -> bool:
    return type(value) in (int, float)


def _alike(one: str, other: str, exact: bool) -> bool:
    groups = () if exact else ({"int", "float"}, {"list", "tuple", "namedtuple"})
    return one == other or any({one, other} <= group for group in groups)

"""The judge of an exercise that is data: facts are compared with those of its own answer.

A difference is explained by the first known wrong answer that gives the same; where none does, by
the finding of the `Look` that came upon it.
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
"""Of a fact's name, what was seen, what is right, and the case's data: a finding, or None."""

Described = Mapping[str, Any]

_LONGEST = 200  # characters of an excerpt


@dataclass(frozen=True)
class Look:
    """A fact that is compared, in its turn.

    fact: its name among the facts.
    finding: what a difference means that no known wrong answer explains; or a function that tells,
        of what was seen, what is right, and the case's data.
    most: whether the answer's own fact is the most that is allowed, as with a number of copies;
        `spare` more are allowed as well.
    any_order: whether the order of a list does not count.
    exact: True where a list is not as good as a tuple, and 2.0 not as good as 2.
    tolerance: relative and absolute, of numbers.
    parts: findings for a difference in one part of a described object: "dtype", "shape", "device".
    form: the finding for an object of another type.
    says: what is compared, in words, for whoever reads "seen": "copies in the whole run".
    wants: what a right answer has there, in words; by default the fact itself.
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
        """Whether what was seen is as good as what is right."""
        if self.most and _is_number(seen) and _is_number(right):
            return seen <= right + self.spare
        return self.equal(seen, right)

    def equal(self, seen: Any, other: Any) -> bool:
        """Whether two facts are the same here, as those of an answer and of a rival may be."""
        if self.any_order and isinstance(seen, list) and isinstance(other, list):
            seen, other = sorted(seen, key=str), sorted(other, key=str)
        return same(seen, other, exact=self.exact, tolerance=self.tolerance)

    def excerpts(self, seen: Any, right: Any) -> tuple[str, str]:
        """What was seen and what is right, where they begin to differ, as the learner reads it."""
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
    """Compares with `Case.right`, and explains by what cases.py says, by rivals, by `looks`.

    That an input was changed is looked at first, and that something was left switched last, unless
    `looks` have it in another place.
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
        """The cases that cases.py draws, without what is right in them."""
        return [Case(title, data) for title, data in self._draw(rng)]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        """The first difference from what is right, None if there is none."""
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
            # None among others is a value like them: no card, say, in a list of cards.
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
    """The first objects inside two containers that differ; these themselves if their forms do."""
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

"""Judge `logical_to_physical` by torch's rules. Rivals are the same rules with one changed."""

import random
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from course_utils.checking.contract import Case, Finding, Raise
from course_utils.checking.facts import brief
from course_utils.checking.oracle import OracleJudge, Rival

from ..judging import joined, some_cards, visible_cards, written


def _rule(finding: str, **rules: str) -> Rival:
    return Rival(finding, lambda value, n_physical: visible_cards(value, n_physical, **rules))


def _where(
    finding: str,
    applies: Callable[[str | None], Any],
    model: Callable[[str | None, int], Sequence[Any]],
) -> Rival:
    """A rival that has an answer only to values for which `applies` is true."""

    def applied(value: str | None, n_physical: int) -> list[Any]:
        if not applies(value):
            raise ValueError("none of the values that this model is about")
        return list(model(value, n_physical))

    return Rival(finding, applied)


def _unset(value: str | None) -> bool:
    return value is None


def _empty(value: str | None) -> bool:
    return value == ""


def _from_the_end(value: str | None, n_physical: int) -> list[int]:
    cards = visible_cards(value, n_physical, negative="keep")
    return [card % n_physical for card in cards]


def _no_repeat_anywhere(value: str | None, n_physical: int) -> list[int]:
    entries = [entry.strip() for entry in str(value).split(",")]
    return visible_cards(value, n_physical) if len(set(entries)) == len(entries) else []


def _not_stripped(value: str, n_physical: int) -> list[int]:
    return visible_cards(value.replace(" ", "_"), n_physical)


class LogicalToPhysical(OracleJudge):
    form, types, otherwise = "a list of whole numbers", ("list", "tuple"), "cards-wrong"
    rivals = (
        Rival("other-form", lambda **data: [str(card) for card in visible_cards(**data)]),
        _where("unset", _unset, lambda value, n: []),
        _where("unset", _unset, lambda value, n: [0]),
        _where("empty-value", _empty, lambda value, n: range(n)),
        _where("empty-value", _empty, lambda value, n: [0]),
        Rival("order-lost", lambda **data: sorted(visible_cards(**data))),
        Rival("order-lost", lambda **data: visible_cards(**data)[::-1]),
        Rival("logical-numbers", lambda **data: list(range(len(visible_cards(**data))))),
        Rival("repeat-after-the-end", _no_repeat_anywhere),
        _rule("missing-card-kept", missing="keep"),
        _rule("missing-card-passed-over", missing="skip"),
        _rule("negative-passed-over", negative="skip"),
        _rule("negative-kept", negative="keep"),
        Rival("negative-kept", _from_the_end),
        _rule("named-twice", repeat="skip"),
        _rule("named-twice", repeat="keep"),
        _rule("named-twice", repeat="end"),
        _rule("no-number", word="skip"),
        _where("no-number", bool, lambda value, n: visible_cards(value.strip("[]"), n)),
        _where("no-number", bool, lambda value, n: map(int, re.findall(r"\d+", value))),
        Rival("spaces", _not_stripped),
        _rule("all-or-nothing", negative="hide", missing="hide", word="hide"),
    )

    def oracle(self, **data: Any) -> list[int]:
        return visible_cards(**data)

    def cases(self, rng: random.Random) -> Sequence[Case]:
        n = rng.randint(5, 8)
        a, b, c = some_cards(rng, n, 3)
        rows: list[tuple[str, str | None, int]] = [
            ("the task's example of two cards", "2,3", 4),
            ("the task's example of three cards", "0,3,2", 4),
            ("the task's example without a value", None, 2),
            ("the task's example with a number that is too large", "1,7,0", 4),
            ("three cards, out of order", joined((a, b, c)), n),
            ("the variable is not set, on another machine", None, n),
            ("an empty value", "", n),
            ("only the last card of the machine", str(n - 1), n),
            ("-1 alone", "-1", n),
            ("a negative number in the middle", joined((a, b, -1, c)), n),
            ("the smallest number that is too large", joined((a, n, b)), n),
            ("nothing but a number that is too large", str(n + rng.randint(1, 5)), n),
            ("a card that is named twice", joined((a, b, a)), n),
            ("the same card twice in a row", f"{b},{b}", n),
            ("a repeated number that is not read any more", joined((a, -1, a)), n),
            ("a Python list as a string", str([a, b]), n),
            ("a word among the numbers", f"{a},cuda:{b},{c}", n),
            ("a comma at the end", f"{a},{b},", n),
            ("an empty entry in the middle", f"{a},,{b}", n),
            ("spaces after the commas", joined((a, b, c), ", "), n),
            ("a space in front", f" {max(b, 1)}", n),
            ("numbers with two digits", joined((11, a, 10)), 12),
        ]
        return [Case(title, {"value": value, "n_physical": cards}) for title, value, cards in rows]

    def shown(self, described: Mapping[str, Any], data: Mapping[str, Any]) -> str:
        return f"{brief(described)} for {written(data['value'])}, {data['n_physical']} cards"

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        seen = f"{raised.type}: {raised.text}"
        if case.data["value"] is None and raised.type in ("AttributeError", "TypeError"):
            return Finding("unset", seen, "a list of all cards")
        if raised.type == "ValueError" and "invalid literal for int()" in raised.text:
            return Finding("no-number", seen, "a list that ends there")
        return None


judge = LogicalToPhysical()

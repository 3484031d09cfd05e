"""Judge `physical_of`: a lookup in the list that the value gives by torch's rules.

The reading follows torch's `_parse_visible_devices`. A test compares it with torch's own parser
and with virtual machines.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.oracle import OracleJudge, WrongModel
from exercise_kit.contract import Case, Facts, Finding, Raise
from exercise_kit.facts import brief

from ..drawing import joined, some_cards

_BY_THE_RULES = {
    "card": "keep",
    "negative": "end",
    "missing": "end",
    "word": "end",
    "repeat": "hide",
}


def visible_cards(value: str | None, n_physical: int, **rules: str) -> list[int]:
    """The cards behind cuda:0, cuda:1 and so on, by torch's rules or with some of them changed.

    rules: what an entry does that is a "negative" number, the number of a "missing" card, a "word"
    or a "repeat": "end" the list, "skip" itself, "keep" its number there, or "hide" every card.
    """
    if value is None:
        return list(range(n_physical))
    cards: list[int] = []
    for entry in value.split(","):
        kind, number = _read(entry.strip(), n_physical)
        rule = (_BY_THE_RULES | rules)["repeat" if number in cards else kind]
        if rule == "hide":
            return []
        if rule == "end":
            break
        if rule == "keep":
            cards.append(number)
    return cards


def _read(entry: str, n_physical: int) -> tuple[str, int]:
    """What an entry is, and its number (a word has none that a card could have)."""
    if not entry.removeprefix("-").isdigit():
        return "word", -n_physical - 1
    number = int(entry)
    if number < 0:
        return "negative", number
    return ("card" if number < n_physical else "missing"), number


def written(value: str | None) -> str:
    """A value of the variable in a learner's notation."""
    return "an unset variable" if value is None else repr(value)


def _index(device: str) -> int:
    return int(device.partition(":")[2] or 0)


def card_behind(value: str | None, device: str, n_physical: int) -> int | None:
    """The physical number of the card, or None for a device that does not exist."""
    cards = dict(enumerate(visible_cards(value, n_physical)))
    return cards.get(_index(device)) if device.startswith("cuda") else None


def _sorted(value: str | None, device: str, n_physical: int) -> int:
    return sorted(visible_cards(value, n_physical))[_index(device)]


def _sorted_as_strings(value: str | None, device: str, n_physical: int) -> int:
    return int(sorted(map(str, visible_cards(value, n_physical)))[_index(device)])


def _last_digit(value: str | None, device: str, n_physical: int) -> int | None:
    return card_behind(value, f"cuda:{device[-1]}", n_physical)


class PhysicalOf(OracleJudge):
    form, types, otherwise = "a whole number", ("int", "float"), "another-card"
    rivals = (
        WrongModel("index-kept", lambda device, **data: _index(device)),
        WrongModel("one-digit", _last_digit),
        WrongModel("one-digit", lambda device, **data: int(device[-1])),
        WrongModel("order-lost", _sorted),
        WrongModel("order-lost", _sorted_as_strings),
    )

    def oracle(self, **data: Any) -> int | None:
        return card_behind(**data)

    def cases(self, rng: random.Random) -> Sequence[Case]:
        n = rng.randint(6, 8)
        b, a, c = sorted(card + 1 for card in some_cards(rng, n - 1, 3))  # the first is not least
        listed = joined((a, b, c))
        many = [15, *rng.sample(range(2, 15), 13), 0, 1]
        rows: list[tuple[str, str | None, str, int]] = [
            ("the task's example of two cards", "2,3", "cuda:1", 4),
            ("the task's example of a device that does not exist", "2,3", "cuda:2", 4),
            ("the first of three cards, out of order", listed, "cuda:0", n),
            ("the task's example without a value", None, "cuda:2", 4),
            ("a card number that is the index of another device", "0,3,2", "cuda:2", 4),
            ("no index", listed, "cuda", n),
            ("one device too many", listed, "cuda:3", n),
            (
                "an index that is the number of a visible card",
                "5,4",
                f"cuda:{rng.choice((4, 5))}",
                n,
            ),
            ("one device too many, and the variable is not set", None, f"cuda:{n}", n),
            ("an empty value", "", "cuda:0", n),
            ("an empty value, and no index", "", "cuda", n),
            ("after a number that is too large", joined((a, n, b)), "cuda:1", n),
            ("after a negative number", joined((a, b, -1, c)), "cuda:2", n),
            ("a card that is named twice", joined((a, b, b)), "cuda:0", n),
            ("the CPU", listed, "cpu", n),
            ("a device of another type, with an index", listed, "xpu:1", n),
            ("an index with two digits", joined(many), f"cuda:{rng.randint(11, 13)}", 16),
            ("spaces in the value", joined((a, b, c), ", "), "cuda:1", n),
        ]
        return [
            Case(title, {"value": value, "device": device, "n_physical": cards})
            for title, value, device, cards in rows
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        data, card, message = case.data, card_behind(**case.data), facts.get("refused")
        if card is not None:
            if message is None:
                return super().judge(case, facts)
            found = "index-missing" if ":" not in data["device"] else "refused-needlessly"
            return Finding(
                "unset" if data["value"] is None else found,
                f"ValueError: {message}",
                self._shown(str(card), data),
            )
        expected = self._shown("a ValueError", data)
        if message is None:
            return Finding(_accepted(data), brief(facts["result"]), expected)
        if data["device"] in message:
            return None
        return Finding("message", f"ValueError: {message}", f"{data['device']!r} in the message")

    def explain(self, seen: Mapping[str, Any], data: Mapping[str, Any]) -> str:
        return "unset" if data["value"] is None else super().explain(seen, data)

    def shown(self, described: Mapping[str, Any], data: Mapping[str, Any]) -> str:
        return self._shown(brief(described), data)

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        seen = f"{raised.type}: {raised.text}"
        card = card_behind(**case.data)
        expected = self._shown("a ValueError" if card is None else str(card), case.data)
        if case.data["value"] is None and raised.type in ("AttributeError", "TypeError"):
            return Finding("unset", seen, expected)
        if card is None:
            return Finding("other-error", seen, expected)
        if ":" not in case.data["device"] and raised.type in ("IndexError", "TypeError"):
            return Finding("index-missing", seen, expected)
        return None

    def _shown(self, what: str, data: Mapping[str, Any]) -> str:
        return (
            f"{what} for {data['device']!r} and {written(data['value'])}, "
            f"{data['n_physical']} cards"
        )


def _accepted(data: Mapping[str, Any]) -> str:
    """Why a device does not exist, where the answer did not refuse it."""
    if not data["device"].startswith("cuda"):
        return "other-type"
    if data["value"] == "":
        return "empty-value"
    named = len(data["value"].split(",")) if data["value"] is not None else 0
    return "list-not-ended" if _index(data["device"]) < named else "not-refused"

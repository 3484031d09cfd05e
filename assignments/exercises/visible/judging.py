"""What the judges of this topic share: how CUDA_VISIBLE_DEVICES is read, and values for it.

The reading follows torch's `_parse_visible_devices`. A test compares it with torch's own parser
and with virtual machines.
"""

import random
from collections.abc import Sequence
from typing import Any

VARIABLE = "CUDA_VISIBLE_DEVICES"
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


def some_cards(rng: random.Random, n_physical: int, count: int) -> list[int]:
    """`count` different cards, neither in rising nor in falling order (of three or more)."""
    while True:
        drawn = rng.sample(range(n_physical), count)
        if drawn != sorted(drawn) and (count < 3 or drawn != sorted(drawn, reverse=True)):
            return drawn


def joined(entries: Sequence[Any], comma: str = ",") -> str:
    return comma.join(map(str, entries))


def written(value: str | None) -> str:
    """A value of the variable in a learner's notation."""
    return "an unset variable" if value is None else repr(value)

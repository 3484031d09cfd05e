"""What the judges of this assignment share: how the variable is read, and texts.

The reading follows torch's `_parse_visible_devices` and `_transform_uuid_to_ordinals`. It is
written down anew, since an answer could replace those functions in the process in which it is
practised. Tests compare it with them, and with virtual machines.
"""

import random
import re
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any

VARIABLE = "CUDA_VISIBLE_DEVICES"
_NUMBER = re.compile(r"[+-]?\d+")


def visible_numbers(setting: tuple[str | None, int]) -> list[int]:
    """The numbers that are visible under a setting: a value, and the number of the machine's cards.

    Each entry is read as far as its digits go, as `strtoul` does; one that begins with something
    else, a negative number, and a number that no card has end the list. (One argument, so that
    this is no answer to an exercise.)
    """
    value, cards = setting
    if value is None:
        return list(range(cards))
    numbers: list[int] = []
    for entry in value.split(","):
        digits = _NUMBER.match(entry.strip())
        number = int(digits[0]) if digits else -1
        if number in numbers:
            return []
        if number < 0:
            break
        numbers.append(number)
    return list(takewhile(lambda number: number < cards, numbers))


def visible_uuids(value: str, uuids: Sequence[str]) -> list[int]:
    """The places in `uuids` of the cards that are visible under `value`, a list of UUIDs.

    An entry is the beginning of exactly one UUID; any other one ends the list.
    """
    entries = list(takewhile(lambda entry: entry.startswith("GPU-"), value.split(",")))
    places: list[int] = []
    for entry in entries:
        fitting = [place for place, uuid in enumerate(uuids) if uuid.startswith(entry)]
        if len(fitting) != 1:
            break
        places += fitting
    return places if len(set(places)) == len(places) and len(set(entries)) == len(entries) else []


def some_cards(rng: random.Random, cards: int, count: int) -> list[int]:
    """`count` different numbers of cards, out of order."""
    while True:
        drawn = rng.sample(range(cards), count)
        if drawn != sorted(drawn):
            return drawn


def joined(numbers: Sequence[Any], mark: str = ",") -> str:
    return mark.join(map(str, numbers))


def whole_numbers(described: Mapping[str, Any]) -> list[int] | None:
    """A described list of whole numbers, or None if it is something else."""
    if described["type"] != "list":
        return None
    if any(item["type"] != "int" for item in described["items"]):
        return None
    return [item["value"] for item in described["items"]]


def shown(value: str | None) -> str:
    """A value of the variable as a learner writes it."""
    return "unset" if value is None else f'"{value}"'

"""What the cases of this topic draw: cards, and values that name them."""

import random
from collections.abc import Iterable


def some_cards(rng: random.Random, n_physical: int, count: int) -> list[int]:
    """`count` different cards, neither in rising nor in falling order (of three or more)."""
    cards = sorted(rng.sample(range(n_physical), count))
    return cards[1:] + cards[:1]


def joined(entries: Iterable[object], comma: str = ",") -> str:
    """The entries as one string, as in "3,1"."""
    return comma.join(map(str, entries))

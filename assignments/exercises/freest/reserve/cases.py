"""Cases of `reserve`: cards that are free, and cards that others have reserved."""

import random
from collections.abc import Mapping
from typing import Any

from exercise_kit import Look

from .observe import A_PATH, UNTOLD

looks = (
    Look("escaped", "exception-left", says="exception that left the function", wants="none"),
    Look("shared", "taken-twice", says="two programs have the card", wants="one program"),
    Look("card", "other-card", says="card"),
    Look("reserved", "not-reserved", says="reserved afterwards"),
    Look("further", "more-than-one", says="further cards that were reserved"),
)


def explain(fact: str, seen: Any, right: Any, data: Mapping[str, Any]) -> str | None:
    """The finding for another card, a path or `None`; None for other facts."""
    if fact != "card":
        return None
    if seen in data["taken"]:
        return "already-reserved"
    return {"None": "gave-up", UNTOLD: "nothing-returned", A_PATH: "a-path"}.get(str(seen))


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: the cards in order, and those that are reserved before."""
    cards = [f"GPU-{number:04x}" for number in rng.sample(range(4096, 65536), 4)]
    named = {"uuids": cards, "taken": [], "late": 0}
    return [
        ("no card is reserved", named),
        ("the first card is reserved", named | {"taken": cards[:1]}),
        ("the second card is reserved", named | {"taken": cards[1:2]}),
        ("one card is left", named | {"taken": cards[:3]}),
        ("all cards are reserved", named | {"uuids": cards[:2], "taken": cards}),
        ("no cards", named | {"uuids": []}),
        ("the second program comes after your second look", named | {"late": 1}),
        ("the second program comes after your third look", named | {"late": 2}),
    ]

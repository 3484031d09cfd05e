"""Cases of `launch`: a card of a mixed server, and a value that is set here already."""

import random
from typing import Any

from exercise_kit import Look

from .observe import UUIDS

looks = (
    Look("started", "other-starts", says="programs started"),
    Look("card", "other-card", says="the program computed on"),
    Look("seen", "sees-more", says="cards that the program saw"),
    Look("kept", "variables-lost", says="the other variables were passed on"),
    Look("printed", "not-returned", says="what the program printed is in the result"),
    Look("touched", "parent-changed", says="os.environ was changed"),
)


def explain(fact: str, seen: Any, right: Any, data: Any) -> str | None:
    """The finding for a program that found no card; None for other facts."""
    if fact != "card" or not isinstance(seen, str) or not seen.startswith("none"):
        return None
    return "no-such-device" if "ordinal" in seen or "Invalid device" in seen else "no-card"


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: a number of nvidia-smi or a UUID, and a value set here."""
    return [
        ("the third GPU, as in the task", {"card": 2, "here": None}),
        ("the first GPU, the slowest", {"card": 0, "here": None}),
        ("another list is set here", {"card": rng.choice((1, 3)), "here": "0,2"}),
        ("a UUID", {"card": UUIDS[rng.randint(1, 3)], "here": None}),
    ]

"""Cases of `early`: lists of cards, in processes with four GPUs."""

import random
from typing import Any

from exercise_kit import Look

looks = (
    Look("error", "raised-in-the-process", says="an error", wants="no error"),
    Look("device", "other-device", says="device"),
    Look("cards", "other-cards", says="GPUs that the process uses"),
)


def explain(fact: str, seen: Any, right: Any, data: Any) -> str | None:
    """The finding for cards that were not hidden; None for other facts."""
    if fact == "device" and seen == "cpu":
        return "cpu-instead"
    return "set-too-late" if fact == "cards" and seen == [0, 1, 2, 3] else None


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: a list of cards."""
    return [
        ("two of four GPUs, as in the task", {"cards": "2,3", "here": None}),
        ("one GPU", {"cards": str(rng.randint(1, 3)), "here": None}),
        ("a list without a GPU", {"cards": "", "here": None}),
        ("another list is set already", {"cards": "3,1", "here": "0,2"}),
    ]

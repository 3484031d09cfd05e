"""Cases of `early`: lists of cards, in processes with four GPUs."""

import random
from typing import Any

from exercise_kit import Look

looks = (
    Look("error", "raised-in-the-process", says="an error", wants="no error"),
    Look("taken", "set-too-late", says="the list was set"),
    Look("device", "other-device", says="device"),
    Look("cards", "other-cards", says="GPUs that the process uses"),
)
NONE_LEFT = ("", "7")


def explain(fact: str, seen: Any, right: Any, data: Any) -> str | None:
    """The finding for another device, or for a list without effect; None for other facts."""
    if fact == "error" and data["cards"] in NONE_LEFT and "Error" in seen:
        return "gpu-of-none" if "CUDA" in seen or "No such" in seen else None
    if fact == "error":
        return "no-such-device" if "ordinal" in seen else None
    if fact == "taken":
        return {"never": "never-set", "to another value": "other-value"}.get(seen)
    return "cpu-instead" if fact == "device" and seen == "cpu" else None


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: a list of cards."""
    return [
        ("two of four GPUs, as in the task", {"cards": "2,3", "here": None}),
        ("one GPU", {"cards": str(rng.randint(1, 3)), "here": None}),
        ("a list without a GPU", {"cards": NONE_LEFT[0], "here": None}),
        ("a list with a GPU that the server does not have", {"cards": NONE_LEFT[1], "here": None}),
        ("another list is set already", {"cards": "3,1", "here": "0,2"}),
    ]

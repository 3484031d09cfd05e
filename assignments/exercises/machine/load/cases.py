"""Cases of `load`: each of the four GPUs, and whole numbers beside fractions."""

import random
from collections.abc import Mapping
from typing import Any

from course_utils.checking.naming import NAMING
from exercise_kit import Look, Raises

looks = (
    Look("result"),
    Look("used", "through-another-gpu", says="other GPUs used", wants="none"),
    Look("current", "current-changed", says="the current GPU after the call"),
)
raises = (
    Raises("context-manager", "TypeError", "must be torch.device, not device"),
    *NAMING,
)


def explain(fact: str, seen: Any, right: Any, data: Mapping[str, Any]) -> str | None:
    """The finding for a tensor on another device; None for other facts."""
    if fact != "result" or seen.get("type") != "Tensor":
        return None
    if seen["device"] == right["device"]:
        return None
    current = f"cuda:{data.get('current', 0)}"
    return {"cpu": "on-the-cpu", current: "current-gpu"}.get(seen["device"], "other-gpu")


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: the numbers, and the index of the GPU."""

    def drawn(card: int, scale: float = 0.5) -> dict[str, Any]:
        numbers = [rng.randint(1, 9) * scale for _ in range(rng.randint(2, 4))]
        return {"numbers": numbers, "card": card}

    return [
        ("the third GPU", drawn(2)),
        ("the second GPU", drawn(1)),
        ("the last GPU, while the second one is the current GPU", drawn(3) | {"current": 1}),
        ("the first GPU", drawn(0)),
        ("whole numbers", drawn(3, scale=1)),
        ("a whole number before one with a fraction", {"numbers": [1, 2.5], "card": 2}),
    ]

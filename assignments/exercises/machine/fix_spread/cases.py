"""Cases of `fix_spread`: more and fewer parts than GPUs, and GPUs that may not be used."""

import random
from collections.abc import Mapping
from typing import Any

from course_utils.checking.drawing import GPUS
from course_utils.checking.naming import NAMING
from exercise_kit import Look, Raises

looks = (
    Look("form", "other-form", wants="a list of tensors"),
    Look("values", "other-values", says="values"),
    Look("dtypes", "other-values", says="dtypes"),
    Look("devices", "other-device", says="devices"),
    Look("current", "current-changed", says="the current GPU", wants="the same as before: 1"),
)
raises = (
    Raises("context-manager", "TypeError", "must be torch.device, not device"),
    *NAMING,
    Raises("missing-gpu", "AcceleratorError", "invalid device ordinal"),
    Raises("missing-gpu", "RuntimeError", "invalid device ordinal"),
)


def explain(fact: str, seen: Any, right: Any, data: Mapping[str, Any]) -> str | None:
    """The finding for values or devices that differ; None for other facts."""
    if fact == "values":
        return "parts-missing" if seen == right[: len(seen)] else None
    if fact != "devices":
        return None
    gpus = data["gpus"]
    beyond = [device for device in seen.split(", ") if device in GPUS[gpus:]]
    if not beyond:
        return None
    return "one-too-many" if beyond == [f"cuda:{gpus}"] else "too-many"


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: the parts, and the number of GPUs that may be used."""

    def drawn(parts: int, scale: float = 1) -> list[list[float]]:
        return [[rng.randint(1, 9) * scale for _ in range(rng.randint(1, 3))] for _ in range(parts)]

    rows = [
        ("more parts than the machine has GPUs", drawn(rng.randint(6, 7)), 4),
        ("as many parts as GPUs", drawn(4), 4),
        ("two GPUs that may be used, of four", drawn(rng.randint(4, 5)), 2),
        ("one GPU that may be used", drawn(3), 1),
        ("no GPU that may be used", drawn(2), 0),
        ("fewer parts than GPUs", drawn(2), 3),
        ("a single part", drawn(1), 1),
        ("no parts", [], 2),
        ("numbers with a fraction", drawn(3, 0.5), 2),
        ("a whole number before one with a fraction", [[1, 2.5], [3]], 2),
        ("the task's example", [[1, 2], [3], [4, 5]], 2),
    ]
    return [(title, {"parts": parts, "gpus": gpus}) for title, parts, gpus in rows]

"""Cases of `try_gpu`: indices of GPUs that are there, and the first one that is not."""

import random
from collections.abc import Mapping
from typing import Any

from course_utils.checking.naming import NAMING
from exercise_kit import Look, Raises

looks = (Look("result", "other-gpu", says="device"),)
raises = (
    Raises("assertion-not-caught", "AssertionError", "not compiled"),
    Raises("assertion-not-caught", "AssertionError", "Invalid device id"),
    Raises("missing-gpu-used", "AcceleratorError", "invalid device ordinal"),
    Raises("missing-gpu-used", "RuntimeError", "No CUDA GPUs"),
    *NAMING,
)


def explain(fact: str, seen: Any, right: Any, data: Mapping[str, Any]) -> str | None:
    """The finding for another device in the result; None for other facts."""
    if fact != "result" or seen == right:
        return None
    if seen["type"] != "device":
        return "no-device"
    if seen["value"] == "cpu":
        return "cpu-instead"
    if seen["value"] == "cuda":
        return "current-gpu"
    if right["value"] != "cpu":
        return "other-gpu"
    if "apple" in data:
        return "another-kind-counted"
    if int(seen["value"].partition(":")[2]) < data["gpus"]:
        return "another-gpu-instead"
    return "one-too-many" if (data["i"] or 0) == data["gpus"] else "missing-gpu"


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: an index, and the machine's number of GPUs."""
    rows = [
        ("a GPU of four", rng.randint(1, 2), 4),
        ("an index far too large", rng.randint(9, 99), 4),
        ("the fourth GPU, on a machine with one", 3, 1),
        ("the last GPU of four", 3, 4),
        ("the index after the last of four", 4, 4),
        ("the first GPU, the only one", 0, 1),
        ("the index after the only one", 1, 1),
        ("the last GPU of two", 1, 2),
        ("no index given", None, 2),
        ("a machine without a GPU", 0, 0),
    ]
    drawn = [(title, {"i": i, "gpus": gpus}) for title, i, gpus in rows]
    return [*drawn, ("a machine with a GPU from Apple", {"i": 0, "gpus": 0, "apple": True})]

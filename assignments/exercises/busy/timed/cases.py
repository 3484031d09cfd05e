"""Cases of `timed`: work of several lengths on several GPUs; the first call may be slow."""

import random
from collections.abc import Mapping
from typing import Any

from course_utils.checking.drawing import one_gpu
from exercise_kit import Look, Raises


def _units(seen: Any, right: Any, data: Mapping[str, Any]) -> str:
    """The finding for a time that no known answer explains."""
    if isinstance(seen, float) and seen < right:
        return "too-short"
    return "other-result"


looks = (
    Look("calls", "other-calls", says="calls of `work`"),
    Look("form", "other-form", wants="a number of milliseconds"),
    Look("events", "other-clock", says="the time is that between two events"),
    Look("units", _units, says="time, as a multiple of the shortest work"),
)
raises = (Raises("not-reached", "RuntimeError", "completed before"),)


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case.

    The lengths of pieces of work, in units: queued before, of the first call, and of later calls.
    """

    def case(first: int, later: int, before: int = 0, gpu: str = "") -> dict[str, Any]:
        device = gpu or one_gpu(rng)
        lengths = {"before": before, "first": first, "later": later}
        return {"work": {**lengths, "device": device}, "device": device}

    some = rng.randint(3, 5)
    return [
        ("on the current GPU, a slow first call", case(12, some, gpu="cuda:0")),
        ("on another GPU", case(some, some)),
        ("on another GPU, a slow first call", case(11, some)),
        ("a GPU that still works on something else", case(7, 2, before=20)),
        ("a short piece of work", case(9, 1)),
    ]

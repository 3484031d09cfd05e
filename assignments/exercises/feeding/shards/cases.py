"""Cases of `shards`: how many ranks there are, and workers in each."""

import random
from collections.abc import Mapping
from typing import Any

from exercise_kit import Look

looks = (
    Look("form", "other-form", wants="an IterableDataset"),
    Look("error", "dataset-fails", says="an error", wants="no error"),
    Look("in_workers", "repeated-by-workers", says="lines that two workers of a rank read"),
    Look("in_ranks", "repeated-by-ranks", says="lines that two ranks read"),
    Look("more", "repeated-by-one", says="lines that one worker reads twice"),
    Look("missing", "lines-missing", says="lines that nobody reads"),
    Look("strange", "other-lines", says="items that are no lines"),
    Look("idle_ranks", "rank-idle", says="ranks that read nothing"),
    Look("idle_workers", "worker-idle", says="workers that read nothing"),
)


def explain(fact: str, seen: Any, right: Any, data: Mapping[str, Any]) -> str | None:
    """The finding for a dataset that fails where there is no worker; None for other facts."""
    if fact == "error" and not data["workers"] and "NoneType" in seen:
        return "no-worker"
    return None


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case. workers: in each rank."""

    def data(workers: int, ranks: int, count: int) -> dict[str, Any]:
        lines = [f"line {number}" for number in rng.sample(range(100), count)]
        return {"workers": workers, "ranks": ranks, "lines": lines}

    return [
        ("two workers, one rank, as in the task", data(2, 1, 3)),
        ("no workers, one rank", data(0, 1, 5)),
        ("no workers, two ranks", data(0, 2, 7)),
        ("one worker in each of two ranks", data(1, 2, 9)),
        ("two workers in each of two ranks", data(2, 2, rng.choice([13, 14, 15]))),
        ("three workers in each of two ranks", data(3, 2, rng.choice([21, 22, 23]))),
        ("two workers in each of three ranks", data(2, 3, rng.choice([21, 22, 23]))),
        ("fewer lines than workers", data(3, 2, 4)),
    ]

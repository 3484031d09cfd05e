"""Cases of `varied_noise`: how many workers, and whether an item was read before."""

import random
from collections.abc import Mapping
from typing import Any

from exercise_kit import Look

looks = (
    Look("form", "other-form", wants="a dataset"),
    Look("error", "dataset-does-not-work", wants="an item"),
    Look("length", "wrong-length", says="length"),
    Look("drawn"),
    Look("kept", "input-changed", says="the values are unchanged"),
    Look("seeded", "same-for-every-seed", says="making the dataset seeds torch's generator"),
    Look("items", "not-a-number", says="an item"),
    Look("noisy", "no-noise", says="items differ from their values"),
    Look("in_items", "same-for-every-item", says="numbers repeated in one worker"),
    Look("in_workers", "same-in-every-worker", says="numbers that two workers share"),
    Look("in_epochs", "same-in-every-epoch", says="numbers that two epochs share"),
    Look("repeated", "not-reproducible", says="the same noise after the same seed"),
    Look("in_seeds", "same-for-every-seed", says="numbers repeated after another seed"),
    Look(
        "kind",
        "other-noise",
        says="noise",
        wants="about mean 0.00, standard deviation 1.00, and 8% beyond ±1.75",
    ),
)


def explain(fact: str, seen: Any, right: Any, data: Mapping[str, Any]) -> str | None:
    """The finding for what fails or repeats without a worker; None for other facts.

    Raises ValueError for facts that were not seen under the seeds of the case.
    """
    if fact == "drawn":
        raise ValueError("these facts were not seen under the seeds of the case")
    in_the_main_process = data["used_first"] or not data["workers"]
    if fact == "error" and "'NoneType' object has no attribute" in seen and in_the_main_process:
        return "no-worker-in-the-main-process"
    if fact == "repeated" and not data["workers"]:
        return "not-reproducible-without-workers"
    return None


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case.

    seeds: of each run, one for each of two epochs. ambient: of each run, for generators that
    nobody seeds. order: in which the runs are made.
    """

    def data(count: int, workers: int, used_first: bool = False) -> dict[str, Any]:
        values = [rng.randint(-8, 8) / 4 for _ in range(count)]
        once, other, ambient = ([rng.randrange(2**31) for _ in range(n)] for n in (2, 2, 3))
        seeds = {"seeds": [once, once, other], "ambient": ambient, "order": rng.sample(range(3), 3)}
        return {"values": values, "workers": workers, "used_first": used_first, **seeds}

    some = rng.randint(3, 4)
    return [
        ("two workers, as in the task", data(64, 2)),
        ("several workers", data(64, some)),
        ("no worker", data(64, 0)),
        ("one worker", data(64, 1)),
        ("two workers, after an item was read", data(64, 2, used_first=True)),
        ("several workers, after an item was read", data(64, some, used_first=True)),
        ("no worker, after an item was read", data(64, 0, used_first=True)),
        ("eight workers", data(160, 8)),
        ("many items", data(400, 2)),
    ]

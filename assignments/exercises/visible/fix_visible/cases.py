"""Cases of `fix_visible`: cards far from their devices, near them, and UUIDs."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from exercise_kit import Look, Raises

from ..drawing import joined

UUIDS = ("GPU-8932f937", "GPU-1f22a253", "GPU-2c01dfd4", "GPU-b7d0e9aa", "GPU-50a14c66")
DERANGED = ((1, 2, 3, 0), (2, 3, 0, 1), (3, 2, 1, 0), (2, 0, 3, 1))

looks = (
    Look("form", "other-form", wants="a list of tensors"),
    Look("devices", "other-device", says="device of scores"),
    Look("scores", "other-scores", says="scores"),
    Look("surplus", "copied-too-often", says="bytes too many, or too few", wants="none"),
    Look("written", "variable-written", says="CUDA_VISIBLE_DEVICES has changed"),
)
raises = (
    Raises("invalid-ordinal", "AcceleratorError", "invalid device ordinal"),
    Raises("invalid-ordinal", "RuntimeError", "invalid device ordinal"),
    Raises("name-read", "ValueError", "invalid literal for int()"),
    Raises("two-devices", "RuntimeError", "same device"),
)


def explain(fact: str, seen: Any, right: Any, data: Mapping[str, Any]) -> str | None:
    """The finding for surplus bytes, or scores on other devices; None for other facts."""
    if fact == "surplus" and min(seen.values()) < 0:
        return "computed-elsewhere"
    if fact != "devices":
        return None
    if len(seen) != len(right):
        return "other-scores"
    if "cpu" in seen:
        return "on-the-cpu"
    return "one-gpu" if len(set(seen)) == 1 < len(seen) else None


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: the value of the variable, a model, and batches."""

    def numbers(count: int) -> list[float]:
        return [float(rng.randint(1, 9)) for _ in range(count)]

    def job(cards: Sequence[int | str], count: int, outputs: int = 1) -> dict[str, Any]:
        features = rng.randint(3, 6)
        weight, bias = [numbers(features) for _ in range(outputs)], numbers(outputs)
        rows = [rng.randint(2, 4) for _ in range(count)]
        batches = [[numbers(features) for _ in range(number)] for number in rows]
        return {"visible": joined(cards), "weight": weight, "bias": bias, "batches": batches}

    def far() -> list[int]:
        # The first is no device. Neither the order by size, 2, 0, 3, 1, nor a remainder is right.
        return [rng.randint(5, 6), rng.randint(0, 1), 7, rng.randint(2, 4)]

    return [
        ("the job of the traceback, on a machine with eight cards", job(far(), 6)),
        ("cards 0 to 3, in another order", job(rng.choice(DERANGED), 5)),
        ("UUIDs", job(rng.sample(UUIDS, 4), 4)),
        ("fewer batches than cards", job(far(), 2)),
        ("many batches", job(far(), rng.randint(10, 13))),
        ("a model with several outputs", job(far(), 7, outputs=3)),
        ("no batches", job(far(), 0)),
    ]

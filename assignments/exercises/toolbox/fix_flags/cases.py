"""Cases of `fix_flags`: every choice of blocks, and batches on the CPU and on two GPUs."""

import random
from collections.abc import Mapping
from typing import Any

from course_utils.checking.drawing import tensor, two_gpus
from exercise_kit import Look, Raises

looks = (
    Look("form", "other-form", wants="a dict"),
    Look("keys", "other-keys", says="keys"),
    Look("results", "other-values", parts={"device": "other-device"}, says="results"),
    Look("current", "current-device-changed", says="the current device is what it was"),
    Look("again", "copied-too-often", says="a copy of a batch that was there already"),
    Look("inward", "copied-too-often", most=True, says="copies to a GPU"),
    # The total comes back, as one number.
    Look("outward", "tensor-brought-back", most=True, spare=8, says="bytes copied to the CPU"),
)
raises = (
    Raises("block-not-run", "UnboundLocalError"),
    Raises("block-not-run", "NameError"),
    Raises("block-not-run", "KeyError"),
    Raises("two-devices", "RuntimeError", "same device"),
)


def explain(fact: str, seen: Any, right: Any, data: Mapping[str, Any]) -> str | None:
    """The finding for a result of another type; None for other facts."""
    kinds = {name: value["type"] for name, value in seen.items()} if fact == "results" else {}
    if kinds.get("total", "float") not in ("int", "float"):
        return "total-is-no-number"
    return "other-form" if "NoneType" in kinds.values() else None


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: the names of the blocks, a described batch, and a device."""

    def case(steps: str, place: str = "cpu") -> dict[str, Any]:
        gpu, other = two_gpus(rng)
        values = [float(rng.randint(1, 9)) for _ in range(rng.randint(3, 5))]
        values[0] += 0.375  # a total that is rounded is another one
        at = {"cpu": "cpu", "there": gpu, "elsewhere": other}[place]
        return {"steps": steps.split(), "batch": tensor(values, at), "device": gpu}

    return [
        ("the last block alone", case("total")),
        ("the second block alone", case("scale")),
        ("the first block alone", case("move")),
        ("all three blocks", case("move scale total")),
        ("the first and the last block", case("move total")),
        ("the first and the second block", case("move scale")),
        ("the last two blocks", case("scale total")),
        ("all three, named in another order", case("total move scale")),
        ("no block", case("")),
        ("a batch that is on the device already", case("move scale total", "there")),
        ("a batch that is on the device already, the last block alone", case("total", "there")),
        ("a batch on another GPU", case("move scale total", "elsewhere")),
        ("a batch on another GPU, the second block alone", case("scale", "elsewhere")),
    ]

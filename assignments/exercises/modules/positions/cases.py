"""Cases of `positions`: where the batches are, and how many steps they have."""

import random
from collections.abc import Mapping
from typing import Any

from course_utils.checking.drawing import two_gpus
from exercise_kit import Look

from ..drawing import quarters, two_devices
from ..observing import MovedAbout

observer = MovedAbout()
looks = (
    Look("form", "other-form", wants="a module"),
    Look("raised", "call-fails", says="in a call of the module", wants="a result"),
    Look("copies", "copied-in-forward", most=True, says="copies in the calls of the module"),
    Look(
        "waits", "copied-in-forward", most=True, says="waits for a GPU in the calls of the module"
    ),
    Look("results", parts={"dtype": "other-dtype"}),
    Look("parameters", "keeps-tensors", says="the parameters"),
    Look("checkpoint", "keeps-tensors", says="the keys of `state_dict()`"),
)


def explain(fact: str, seen: Any, right: Any, data: Mapping[str, Any]) -> str | None:
    """The finding for an error in a call; None for other facts."""
    if fact != "raised":
        return None
    if two_devices(seen):
        return "two-devices"
    if "must be torch.device" in seen or "evice index" in seen:
        return "not-a-device"
    return "asked-itself" if "StopIteration" in seen or "attribute 'device'" in seen else None


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: the factor, and batches."""
    gpu, other = two_gpus(rng)

    def called(*batches: tuple[str, int]) -> dict[str, Any]:
        made = [quarters(rng, device, (rng.randint(1, 2), steps)) for device, steps in batches]
        return {"factor": rng.randint(1, 8) / 4, "batches": made}

    return [
        ("a batch on a GPU", called((gpu, 4))),
        ("a batch on another GPU", called((other, 3))),
        ("batches with more and with fewer steps", called((gpu, 5), (gpu, 2), (gpu, 30))),
        ("the module moves from GPU to GPU", called((gpu, 3), (other, 3))),
        ("from a GPU back to the CPU", called((gpu, 4), ("cpu", 4))),
        ("on the CPU", called(("cpu", 5))),
        ("only the batch is moved, not the module", {**called((gpu, 4)), "stays": True}),
    ]

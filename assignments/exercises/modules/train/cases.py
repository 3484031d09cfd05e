"""Cases of `train`: nets, devices, and numbers of batches."""

import random
from collections.abc import Mapping
from typing import Any

from course_utils.checking.drawing import two_gpus
from exercise_kit import Look

from ..drawing import quarters, two_devices

looks = (
    Look("raised", "step-fails", says="an error", wants="a training"),
    Look("place", "net-elsewhere", says="devices of the net"),
    Look("weights", "other-weights", tolerance=1e-5, says="the trained weights"),
    Look("kept", "mode-left", says="changed in the net", wants="only its weights and their device"),
    Look("loss", "other-loss", form="not-a-number", tolerance=1e-5, says="result"),
    Look("left", "left-switched", says="settings after the call", wants="as before"),
    # An answer may move the states of up to four parameters, once.
    Look("inward", "copied-in-step", most=True, spare=4, says="copies to a GPU"),
    # The loss is one number.
    Look("outward", "copied-back", most=True, spare=8, says="bytes copied to the CPU"),
    # A result that is printed is read twice.
    Look("read", "number-in-step", most=True, spare=1, says="numbers read from a GPU"),
    Look("waits", "copied-in-step", most=True, spare=4, says="waits for a GPU"),
)


def explain(fact: str, seen: Any, right: Any, data: Mapping[str, Any]) -> str | None:
    """The finding for an error, by its text; None for other facts."""
    if fact != "raised" or not seen:
        return None
    if "got weight is on" in seen:
        return "loss-left"
    if "at least two devices" in seen or "Tensors of the same index" in seen:
        return "state-left"
    return "two-devices" if two_devices(seen) else None


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: the net's layers and its device, the device, and batches."""
    gpu, other = two_gpus(rng)

    def case(
        device: str, count: int, start: str = "cpu", hidden: int = 0, training: bool = True
    ) -> dict[str, Any]:
        rows = [rng.randint(3, 5) for _ in range(count)]
        batches = [
            {"batch": quarters(rng, "cpu", (n, 3)), "labels": [k % 2 for k in range(n)]}
            for n in rows
        ]
        net = {"start": start, "hidden": hidden, "slope": rng.randint(1, 8) / 16}
        net["training"] = training
        return {"net": net, "batches": batches, "device": device}

    return [
        ("a net on the CPU is trained on a GPU", case("cuda:2", 1)),
        ("nine batches", case(gpu, 9)),
        ("a net of two layers", case(other, 3, hidden=4)),
        ("a net that is already on the GPU", case(gpu, 2, start=gpu)),
        ("a net on another GPU", case(gpu, 2, start=other)),
        ("everything on the CPU", case("cpu", 3)),
        ("a net in evaluation mode", case(gpu, 1, training=False)),
    ]

"""Cases of `validate`: few batches and many, on a GPU and on the CPU."""

import random
from collections.abc import Mapping
from typing import Any

from course_utils.checking.drawing import one_gpu
from exercise_kit import Look


def _calls(seen: int, right: int, data: Mapping[str, Any]) -> str:
    return "called-too-often" if seen > right else "other-calls"


def _grows(seen: int, right: int, data: Mapping[str, Any]) -> str:
    """The finding for growth: below 192 KiB a batch, outputs of 64 KiB; else graphs of 256 KiB."""
    return "more-than-losses" if seen < (len(data["batches"]) - 2) * 192 * 1024 else "keeps-growing"


looks = (
    Look("result", tolerance=1e-4),
    Look("parameters", "parameters-switched", says="number of parameters that can be trained"),
    Look("gradients", "gradients-made", says="number of parameters with a gradient"),
    Look("calls", _calls, says="calls of the model"),
    Look("devices", "moved", says="devices of the model and its batches"),
    # Each loss that is kept takes a block of 512 bytes, a batch one of 2 KiB.
    Look(
        "grows",
        _grows,
        most=True,
        spare=24 * 1024,
        says="bytes in use at the last batch, less those at the second",
        wants="almost none",
    ),
    Look("training", "mode-switched", says="number of modules in training mode"),
)


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: the model's device, slope and mode, and its batches."""
    gpu = one_gpu(rng)

    def drawn(device: str, rows: list[int], training: bool = True) -> dict[str, Any]:
        slope = rng.randint(1, 8) / 16
        return {
            "model": {"device": device, "slope": slope, "training": training},
            "batches": [
                {"device": device, "rows": count, "value": rng.randint(1, 6) / 4} for count in rows
            ],
        }

    return [
        ("four batches on a GPU", drawn(gpu, [64] * 4)),
        ("a last batch with fewer rows", drawn(gpu, [64, 64, 16])),
        ("a single batch", drawn(gpu, [64])),
        ("twenty batches", drawn(gpu, [64] * 20)),
        ("everything on the CPU", drawn("cpu", [64] * 3)),
        ("a model in evaluation mode", drawn(gpu, [64] * 3, training=False)),
    ]

"""Cases of `prepare`: where the images and the mean are."""

import math
import random
from collections.abc import Mapping
from typing import Any

from course_utils.checking.drawing import two_gpus
from exercise_kit import Look, Raises

from ..drawing import some_tensor

looks = (
    Look("result", parts={"device": "result-elsewhere"}),
    Look(
        "away",
        "images-travel",
        most=True,
        says="bytes copied from the device of `images`",
        wants="0",
    ),
    Look("bytes", "needless-copy", most=True, says="bytes copied in total"),
)
raises = (Raises("mismatch-left", "RuntimeError", "same device"),)


def explain(fact: str, seen: Any, right: Any, data: Mapping[str, Any]) -> str | None:
    """The finding if only a mean left the images' device; None for other facts."""
    images, mean = data["images"], data["mean"]
    small = fact == "away" and seen < 4 * math.prod(images["shape"])
    return "needless-copy" if small and mean["device"] == images["device"] else None


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: described images and their mean."""
    gpu, other = two_gpus(rng)

    def drawn(images: str, mean: str, rows: int = 3) -> dict[str, Any]:
        columns = rng.randint(3, 5)
        return {
            "images": some_tensor(rng, images, (rows, columns)),
            "mean": some_tensor(rng, mean, (columns,)),
        }

    return [
        ("images on a GPU, the mean on the CPU", drawn(gpu, "cpu")),
        ("the mean is already on the device", drawn(gpu, gpu)),
        ("the mean is on another GPU", drawn(gpu, other)),
        ("one image", drawn(gpu, "cpu", rows=1)),
        ("everything on the CPU", drawn("cpu", "cpu")),
    ]

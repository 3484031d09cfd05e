"""Cases of `recompute`: sizes of a small GPT and its batch."""

import random
from collections.abc import Mapping
from typing import Any

from exercise_kit import Look


def _gradients(seen: Any, right: Any, data: Mapping[str, Any]) -> str:
    """The finding for other gradients."""
    return "copy-trained" if seen == "none" else "other-gradients"


looks = (
    Look("weights", "weights-rounded", says="the model's weights after the call"),
    Look("trains", "no-gradient", says="`backward()` reaches the weights"),
    Look("computed", "not-bfloat16", says="the type of a block's results"),
    Look("kept", "nothing-recomputed", says="activations after the forward pass"),
    Look("peak", "all-at-once", says="activations at the peak of `backward()`"),
    Look("loss", "other-loss", tolerance=0.02, says="the loss"),
    Look("gradients", _gradients, says="the gradients of the model's weights"),
)


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case."""

    def case(layers: int, width: int, texts: int) -> dict[str, Any]:
        seed = rng.randrange(1000)
        sizes = {"layers": layers, "width": width, "texts": texts, "context": 32, "seed": seed}
        return {"sizes": sizes}

    return [
        ("six blocks", case(6, 64, rng.randint(6, 9))),
        ("twelve narrow blocks", case(12, 32, rng.randint(6, 9))),
    ]

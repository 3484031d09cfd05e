"""Cases of `sharded`: sizes of a small GPT."""

import random
from collections.abc import Mapping
from typing import Any

from exercise_kit import Look, Raises

raises = (Raises("root-first", "TypeError", "Invariant encountered"),)


def _error(seen: Any, right: Any, data: Mapping[str, Any]) -> str:
    """The finding for an error in the first step."""
    return "root-left-out" if "mixed torch.Tensor and DTensor" in seen else "step-raised"


def _peak(seen: Any, right: Any, data: Mapping[str, Any]) -> str:
    """The finding for another peak."""
    return "gathered-and-kept" if seen == "blocks that stay" else "whole-at-once"


looks = (
    Look("optimizer", "no-optimizer", says="the returned object"),
    Look("error", _error, says="an error in the first step", wants="no error"),
    Look("shards", "not-sharded", says="parameters on a rank of four"),
    Look("trained", "optimizer-first", says="two steps change the weights"),
    Look("peak", _peak, says="what is gathered at a time, by the peak on a rank of four"),
    Look("rate", "scaled-rate", says="the learning rate on a rank of four"),
    Look("weights", "other-weights", says="the weights after two steps are those of one process"),
)


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case."""

    def case(layers: int, width: int) -> dict[str, Any]:
        seed = rng.randrange(1000)
        sizes = {"layers": layers, "width": width, "texts": 2, "context": 8, "seed": seed}
        return {"sizes": sizes}

    return [("a model with several blocks", case(rng.randint(5, 7), 64))]

"""Cases of `fix_sharded`: a small model, its weights and texts."""

import random
from collections.abc import Mapping
from typing import Any

from exercise_kit import Look

from ...ranks.waits import is_out_of_step

looks = (
    Look("error", "raised-on-a-rank", says="an error", wants="no error"),
    Look("whole", "whole-parameters", says="parameters that each rank has as a whole"),
    Look("alone", "block-without-group", says="numbers of blocks that are no group"),
    Look("further", "further-group", says="groups besides the blocks and the model"),
    Look("trained", "not-trained", says="a weight was changed"),
    Look("settings", "other-weights", says="optimizer, learning rate, and `fused`"),
    Look("distance", "other-weights", tolerance=1e-5, says="largest distance of a weight"),
    Look("file", "other-file", says="in the file"),
    Look("twice", "written-by-all", says="rank 1 writes the file, too"),
    Look("places", "file-on-gpu", says="devices of the tensors in the file"),
)


def explain(fact: str, seen: Any, right: Any, data: Mapping[str, Any]) -> str | None:
    """The finding for a file of shares, or for an error that has a known cause."""
    if fact == "file" and seen == "parts of tensors":
        return "part-saved"
    if fact != "error":
        return None
    if "Invariant encountered" in str(seen):
        return "root-first"
    return "out-of-step" if is_out_of_step(str(seen)) else None


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of the case: a rank's share of a step costs a second."""
    sizes = {"layers": rng.randint(2, 3), "width": 8 * rng.randint(1, 3)}
    data = {**sizes, "steps": 2, "seed": rng.randrange(1000)}
    return [("the task's program, on two ranks", data)]

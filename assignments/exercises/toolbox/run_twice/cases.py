"""Cases of `run_twice`: steps that draw on one device or on several."""

import random
from collections.abc import Mapping
from typing import Any

from course_utils.checking.drawing import two_gpus
from exercise_kit import Look, Raises


def _not_restored(seen: Any, right: Any, data: Mapping[str, Any]) -> str:
    if "restarted from the seed" in str(seen):
        return "seed-for-state"
    return "cpu-not-restored" if "cpu" in seen else "gpu-not-restored"


def _calls(seen: int, right: int, data: Mapping[str, Any]) -> str:
    return "called-too-often" if seen > right else "other-calls"


looks = (
    Look("form", "other-form", wants="two results"),
    Look("calls", _calls, says="calls of `step`"),
    Look("first", "seeded-anew", says="devices on which the first run draws other numbers"),
    Look("again", _not_restored, says="devices on which the second run draws other numbers"),
)

raises = (Raises("a-list-for-one", "TypeError", "expected a torch.ByteTensor, but got list"),)


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: the step's devices with the number of draws, and its seed."""
    one, other = two_gpus(rng)

    def drawing(*devices: str) -> dict[str, Any]:
        draws = {device: rng.randint(1, 4) for device in devices}
        return {"step": {"draws": draws, "seed": rng.randint(1, 10**6)}}

    return [
        ("a step that draws on the CPU", drawing("cpu")),
        ("a step that draws on the current GPU", drawing("cuda:0")),
        ("a step that draws on another GPU", drawing(one)),
        ("a step that draws on the CPU and on two GPUs", drawing("cpu", "cuda:0", other)),
        ("a step that draws on two GPUs, not on the current one", drawing(one, other)),
    ]

"""Cases of `peak`: steps that allocate and free memory, after other steps."""

import random
from collections.abc import Mapping
from typing import Any

from course_utils.checking.drawing import one_gpu
from exercise_kit import Look


def _result(seen: Any, right: Any, data: Mapping[str, Any]) -> str:
    """The finding where no known answer explains the result, such as with other memory in use."""
    if seen["type"] == "int" and seen["value"] > right["value"]:
        return "whole-peak"
    return "other-result"


looks = (Look("calls", "other-calls", says="calls of `step`"), Look("result", _result))


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: a device, the earlier step, and the step.

    The MiB that a step allocates, or frees where they are negative. held: MiB in use before it. All
    are multiples of 2: the allocator does not split a free block that is 1 MiB too large.
    """

    def case(
        *step: int, earlier: tuple[int, ...] = (), held: int = 4, gpu: str = ""
    ) -> dict[str, Any]:
        size, device = rng.choice((2, 4)), gpu or one_gpu(rng)
        steps = {"earlier": [size * n for n in earlier], "now": [size * n for n in step]}
        return {"step": {**steps, "held": held, "device": device}, "device": device}

    return [
        ("a step that keeps some of its memory", case(3, 1, -3, held=0)),
        ("a step that keeps all of its memory", case(2)),
        ("a step that frees its memory", case(3, -3)),
        ("a small step after a large one", case(1, -1, earlier=(6, -6))),
        ("a large step after a small one", case(5, -5, earlier=(2, -2))),
        ("memory rises and falls several times", case(2, 1, -2, 3, -3, -1)),
        ("a step that allocates nothing", case(earlier=(4, -4))),
        ("on the current GPU", case(2, -2, earlier=(3, -3), gpu="cuda:0")),
    ]

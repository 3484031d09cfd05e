"""Fewer GPUs than there are, for code that asks torch how many it has."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from course_utils.experiments.stand_ins import standing_in


def visible(gpus: int, caller: Callable[..., Any]) -> AbstractContextManager[None]:
    """Let `caller`, and torch itself, find only the first `gpus` GPUs while the body runs."""
    return standing_in(
        {
            "torch.cuda.is_available": lambda: gpus > 0,
            "torch.cuda.device_count": lambda: gpus,
        },
        caller,
    )

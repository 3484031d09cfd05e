"""Observe `physical_of`: the card, or the `ValueError` that is raised for a missing device."""

from collections.abc import Callable
from typing import Any

from course_utils.checking.clip import clip
from course_utils.checking.contract import Facts
from course_utils.checking.one_call import OneCall

from ..observing import refusal


class PhysicalOf(OneCall):
    """Facts: those of OneCall, or `refused`, the message of a ValueError."""

    def observe(self, answer: Callable[..., Any], inputs: list[Any]) -> Facts:
        observe = super().observe
        facts, refused = refusal(lambda: observe(answer, inputs), ValueError)
        return facts if refused is None else {"refused": clip(str(refused))}


observer = PhysicalOf("value", "device", "n_physical")

"""Observe `mend_spread`: the tensors, and whether another GPU is current after the call."""

from collections.abc import Callable
from typing import Any

import torch

from course_utils.checking.contract import Facts
from course_utils.checking.one_call import OneCall


class MendSpread(OneCall):
    """Facts: those of OneCall, and `current`, the index of the current GPU after the call."""

    needs_devices = True

    def observe(self, answer: Callable[..., Any], inputs: list[Any]) -> Facts:
        with torch.cuda.device(1):  # not the one that an answer would put back by habit
            facts = super().observe(answer, inputs)
            return {**facts, "current": torch.cuda.current_device()}


observer = MendSpread("parts", "gpus")

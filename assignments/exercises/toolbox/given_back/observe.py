"""Observe `given_back`: a snapshot and a device in, a number out, and what it asked of GPUs."""

import contextlib
from collections.abc import Callable
from typing import Any
from unittest import mock

import torch

from course_utils.checking.contract import Facts
from course_utils.checking.one_call import OneCall

_QUESTIONS = (
    "memory_snapshot",
    "memory_stats",
    "memory_reserved",
    "memory_allocated",
    "empty_cache",
)


def _device(value: Any) -> Any:
    return torch.device(value) if isinstance(value, str) else value


class GivenBack(OneCall):
    """Facts: those of one call, and `asked`, the names of the functions of `torch.cuda` called."""

    def observe(self, answer: Callable[..., Any], inputs: list[Any]) -> Facts:
        with contextlib.ExitStack() as watched:
            watches = {
                name: watched.enter_context(
                    mock.patch.object(torch.cuda, name, wraps=getattr(torch.cuda, name))
                )
                for name in _QUESTIONS
            }
            facts = super().observe(answer, inputs)
        return {**facts, "asked": [name for name, watch in watches.items() if watch.called]}


observer = GivenBack("snapshot", "device", make=_device)

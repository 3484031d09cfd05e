"""``torch.compile``: its tracer must take our functions for what they stand in for, C functions.

Otherwise it traces the virtual machine with the program, and asks it, while it does so, for what it
has not traced yet. Which backends work is another question: ``eager`` and ``aot_eager`` do, while
``inductor`` compiles for a real GPU.
"""

from __future__ import annotations

import functools
from typing import Any

import torch

from .patches import Patches

_compile = torch.compile


@functools.cache
def _leave_alone() -> None:
    from torch._dynamo import trace_rules  # takes seconds to import, so not before it is needed

    assert __package__ is not None
    trace_rules.add(__package__)


@functools.wraps(_compile)
def _compile_the_rest(*args: Any, **kwargs: Any) -> Any:
    _leave_alone()
    return _compile(*args, **kwargs)


def patch(patches: Patches) -> None:
    """Let ``torch.compile`` leave this package alone."""
    patches.set(torch, compile=_compile_the_rest)

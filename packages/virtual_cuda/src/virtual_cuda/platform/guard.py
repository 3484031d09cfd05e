"""The compiled device guard (``guard.cpp``): more than eight virtual GPUs.

torch's own stand-in for a CUDA guard has tables of eight and does not look where they end. The
compiled one has 64. It is made in a few seconds when somebody first asks for more than eight, with
a C++ compiler, into the user's cache folder.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path

from ..errors import VirtualCudaUnavailable
from .compiler import CannotCompile, compile_file, compiled

CARDS_WITHOUT = 8
"""How many virtual GPUs there can be without it."""

_SOURCE = Path(__file__).with_suffix(".cpp")


def find() -> Callable[[], None]:
    """The function that puts the guard in place, for the life of the process.

    Raises:
        VirtualCudaUnavailable: there is none, and none can be made.
    """
    file = compiled(_SOURCE)
    try:
        if not file.exists():
            compile_file(_SOURCE)
        function = ctypes.CDLL(str(file)).virtual_cuda_use_guard
    except (CannotCompile, OSError) as error:
        raise VirtualCudaUnavailable(
            f"More than {CARDS_WITHOUT} virtual GPUs take a device guard that is compiled on first "
            f"use, and that did not work: {error}. Ask for {CARDS_WITHOUT} or fewer."
        ) from None
    function.restype = None
    return function

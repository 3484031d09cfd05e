"""The compiled device guard (``guard.cpp``): more than eight virtual GPUs.

torch's own replacement for a CUDA guard has tables of eight entries without a check of the index.
The compiled guard has 64. It is compiled at the first request for more than eight, in a few seconds
with a C++ compiler, into the user's cache folder.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path

from ..errors import VirtualCudaUnavailable
from .compiler import CannotCompile, compile_file, compiled

CARDS_WITHOUT = 8
"""The maximum number of virtual GPUs without it."""

_SOURCE = Path(__file__).with_suffix(".cpp")


def find() -> Callable[[], None]:
    """The function that installs the guard for the life of the process.

    Raises:
        VirtualCudaUnavailable: it cannot be compiled.
    """
    file = compiled(_SOURCE)
    try:
        if not file.exists():
            compile_file(_SOURCE)
        function = ctypes.CDLL(str(file)).virtual_cuda_use_guard
    except (CannotCompile, OSError) as error:
        raise VirtualCudaUnavailable(
            f"More than {CARDS_WITHOUT} virtual GPUs need a device guard that is compiled on first "
            f"use. It could not be compiled: {error}. Use {CARDS_WITHOUT} GPUs or fewer."
        ) from None
    function.restype = None
    return function

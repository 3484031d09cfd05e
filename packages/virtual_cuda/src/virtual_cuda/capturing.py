"""The current capture of a CUDA graph by this thread, and the errors for forbidden calls.

During a capture the host cannot wait for work, because it does not run. A wait raises CUDA's error
900 and invalidates the capture, whose end then raises 901. A generator that a graph uses cannot be
read or set (``ATen/cuda/CUDAGraphsUtils.cuh: assertNotCapturing``).
"""

from __future__ import annotations

import threading
from typing import Protocol

from . import errors


class Lane(Protocol):
    """The clock's object for a stream of a card."""

    stream: int


class Capture:
    """One capture, on the current stream of one thread."""

    def __init__(self, lane: Lane) -> None:
        self.lane = lane
        self.thread = threading.get_ident()
        self.is_lost = False


ongoing: Capture | None = None


def here() -> Capture | None:
    """The capture of the calling thread; None if there is none."""
    capture = ongoing
    return capture if capture is not None and capture.thread == threading.get_ident() else None


def forbid_waiting(lane: Lane | None = None) -> None:
    """Raise error 900 if the host would wait for the captured stream. None: the captured one."""
    capture = here()
    if capture is not None and lane in (None, capture.lane):
        capture.is_lost = True
        raise errors.not_while_capturing()


def forbid(attempt: str) -> None:
    """Raise RuntimeError during a capture, for a call that the capture could not record."""
    if (capture := here()) is not None:
        status = "Invalidated" if capture.is_lost else "Active"
        raise RuntimeError(
            f"{attempt} during CUDA graph capture. If you need this call to be captured, please "
            f"file an issue. Current cudaStreamCaptureStatus: cudaStreamCaptureStatus{status}"
        )

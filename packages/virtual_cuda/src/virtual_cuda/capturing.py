"""Whether a CUDA graph is being captured by this thread, and what that forbids.

The host cannot wait for work that is not done: whoever tries raises CUDA's error 900 and loses the
capture, whose end then raises 901. A generator whose numbers a graph takes cannot be asked or set
(``ATen/cuda/CUDAGraphsUtils.cuh: assertNotCapturing``).
"""

from __future__ import annotations

import threading
from typing import Protocol

from . import errors


class Lane(Protocol):
    """The stream of a card, as the clock has it."""

    stream: int


class Capture:
    """One capture, on the current stream of one thread."""

    def __init__(self, lane: Lane) -> None:
        self.lane = lane
        self.thread = threading.get_ident()
        self.is_lost = False


ongoing: Capture | None = None


def here() -> Capture | None:
    """The capture of the calling thread, if one is going on."""
    capture = ongoing
    return capture if capture is not None and capture.thread == threading.get_ident() else None


def forbid_waiting(lane: Lane | None = None) -> None:
    """Raise error 900 where the host would wait for the stream that is captured (None: this)."""
    capture = here()
    if capture is not None and lane in (None, capture.lane):
        capture.is_lost = True
        raise errors.not_while_capturing()


def forbid(attempt: str) -> None:
    """Raise RuntimeError where the capture would not notice what is attempted."""
    if (capture := here()) is not None:
        status = "Invalidated" if capture.is_lost else "Active"
        raise RuntimeError(
            f"{attempt} during CUDA graph capture. If you need this call to be captured, please "
            f"file an issue. Current cudaStreamCaptureStatus: cudaStreamCaptureStatus{status}"
        )

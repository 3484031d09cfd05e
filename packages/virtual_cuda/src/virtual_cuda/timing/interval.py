"""The intervals of a trace."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Interval:
    """One operation. ``start`` and ``end`` are µs since the trace began.

    ``engine`` is ``"compute"``, or the copy engine ``"H2D"``, ``"D2H"`` or ``"P2P"``. On the host,
    ``device`` and ``stream`` are None and ``engine`` is ``"host"``.
    """

    device: int | None
    stream: int | None
    engine: str
    name: str
    start: float
    end: float

    @property
    def duration(self) -> float:
        """The duration in µs."""
        return self.end - self.start

"""How long is waited for a submission."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Times:
    """cell: seconds of processor time for a cell.
    patience: how many times as long as `checking.limits.wall_limit` says is waited for code that
        waits itself.
    letting_go: seconds until a process that was let go is killed.
    """

    cell: float = 10.0
    patience: float = 1.0
    letting_go: float = 20.0

"""Statistics of one card's allocator, with the readings of ``torch.cuda.memory_stats``."""

from __future__ import annotations


class Stat:
    """A statistic with the four readings of ``torch.cuda.memory_stats``."""

    __slots__ = ("allocated", "current", "freed", "peak")

    def __init__(self) -> None:
        self.current = self.peak = self.allocated = self.freed = 0

    def change(self, amount: int) -> None:
        """Increase or decrease the current value."""
        self.current += amount
        if amount > 0:
            self.allocated += amount
            if self.current > self.peak:
                self.peak = self.current
        else:
            self.freed -= amount

    def readings(self) -> dict[str, int]:
        """The current value, its peak, and the totals of allocated and freed."""
        return {name: getattr(self, name) for name in self.__slots__}


class StatArray:
    """One statistic of the whole card, of its small and of its large blocks."""

    __slots__ = ("all", "large", "small")

    def __init__(self) -> None:
        self.all, self.small, self.large = Stat(), Stat(), Stat()

    @property
    def stats(self) -> tuple[Stat, Stat, Stat]:
        """The statistics of all blocks, of small and of large ones."""
        return self.all, self.small, self.large

    def become(self, small: int, large: int) -> None:
        """Set the current values to these."""
        self.small.change(small - self.small.current)
        self.large.change(large - self.large.current)
        self.all.change(small + large - self.all.current)

    def readings(self) -> dict[str, dict[str, int]]:
        """The readings by size class, with the names of ``memory_stats``."""
        names = ("all", "small_pool", "large_pool")
        return {name: c.readings() for name, c in zip(names, self.stats, strict=True)}


class BlockStats:
    """Totals of allocated and freed blocks of one size class.

    ``live`` are the bytes of the blocks, ``requested`` the bytes of the requests.
    """

    __slots__ = (
        "blocks_in",
        "blocks_out",
        "live_in",
        "live_out",
        "peak",
        "requested_in",
        "requested_out",
    )

    def __init__(self) -> None:
        self.live_in = self.requested_in = self.blocks_in = self.peak = 0
        self.live_out = self.requested_out = self.blocks_out = 0

    @property
    def live(self) -> int:
        """Bytes in use now."""
        return self.live_in - self.live_out

    @property
    def requested(self) -> int:
        """Requested bytes of the blocks in use now."""
        return self.requested_in - self.requested_out

    @property
    def blocks(self) -> int:
        """The number of blocks in use now."""
        return self.blocks_in - self.blocks_out

    def forget_the_past(self) -> None:
        """Reset the totals, as if no block had ever been freed."""
        self.live_in, self.requested_in, self.blocks_in = self.live, self.requested, self.blocks
        self.live_out = self.requested_out = self.blocks_out = 0

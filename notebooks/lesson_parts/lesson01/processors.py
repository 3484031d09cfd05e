"""Two processors by their data sheets, and how long they take for some work at the very least."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Work:
    """What a task needs: bytes between memory and processor, and operations on float32 numbers."""

    bytes: float
    operations: float

    @property
    def intensity(self) -> float:
        """Operations for each byte."""
        return self.operations / self.bytes


@dataclass(frozen=True)
class Processor:
    """A processor by its data sheet. A unit multiplies and adds two float32 numbers in each cycle.

    parts: how many cores or groups. part: what they are called. units: in each of them. clock: GHz.
    at: which of its clocks this is. cache: megabytes of the largest one, which is at `level`.
    bandwidth: bytes/s to its own memory.
    """

    name: str
    parts: int
    part: str
    units: int
    clock: float
    at: str
    cache: int
    level: str
    bandwidth: float

    @property
    def rate(self) -> float:
        """Operations on float32 numbers a second, with all units at work."""
        return 2 * self.parts * self.units * self.clock * 1e9

    def moving(self, work: Work) -> float:
        """Seconds for the bytes alone."""
        return work.bytes / self.bandwidth

    def computing(self, work: Work) -> float:
        """Seconds for the operations alone."""
        return work.operations / self.rate

    def seconds(self, work: Work) -> float:
        """No less than the slower of the two, which can go on at the same time."""
        return max(self.moving(work), self.computing(work))


CPU = Processor("CPU", 64, "core", 16, 2.25, "base clock", 256, "L3", 204.8e9)
GPU = Processor("GPU", 108, "group", 64, 1.41, "boost clock", 40, "L2", 1555e9)
SOURCE = "data sheets of AMD EPYC 7742 and NVIDIA A100 40GB PCIe"

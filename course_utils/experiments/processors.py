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
    """A processor. `bandwidth`: bytes/s to its own memory; `rate`: float32 operations/s, all cores.

    cores: how many, and in what they are. clock: GHz. cache: the largest one, in words.
    """

    name: str
    cores: str
    clock: float
    cache: str
    bandwidth: float
    rate: float

    def moving(self, work: Work) -> float:
        """Seconds for the bytes alone."""
        return work.bytes / self.bandwidth

    def computing(self, work: Work) -> float:
        """Seconds for the operations alone."""
        return work.operations / self.rate

    def seconds(self, work: Work) -> float:
        """No less than the slower of the two, which can go on at the same time."""
        return max(self.moving(work), self.computing(work))


CPU = Processor("CPU", "64 cores", 2.25, "256 MB of L3 cache", 204.8e9, 64 * 2.25e9 * 32)
GPU = Processor("GPU", "6,912 cores in 108 groups", 1.41, "40 MB of L2 cache", 1555e9, 19.5e12)
SOURCE = "data sheets of AMD EPYC 7742 (32 operations a cycle in each core), NVIDIA A100 40GB PCIe"

"""The files of this computer that CUDA needs, for the use of real NVIDIA GPUs in a sandbox.

The device nodes are those that NVIDIA's container toolkit adds to a container for computing: of
each GPU, of the driver and of unified memory, but not for screens, profilers and MIG instances. The
driver's libraries are below /usr, which every sandbox contains. In /sys, CUDA reads the NUMA nodes
when it makes a context (google/gvisor, issue 12876), and the positions of the GPUs on the bus.
"""

from collections.abc import Sequence
from pathlib import Path

FOLDERS = (Path("/sys/devices"), Path("/sys/bus/pci"))

NEEDED = 4
"""The number of GPUs in a lesson."""

MEMORY = 16 << 30
"""Bytes of main memory for a submission with real GPUs: CUDA itself needs a part of it."""

_OF_THE_DRIVER = ("nvidiactl", "nvidia-uvm")


def cards() -> Sequence[Path]:
    """The device node of each GPU of this computer, found without CUDA and the driver."""
    return sorted(Path("/dev").glob("nvidia[0-9]*"))


def nodes() -> Sequence[Path]:
    """All device nodes that CUDA opens; none without a GPU."""
    found = cards()
    return [*found, *(Path("/dev", name) for name in _OF_THE_DRIVER)] if found else []

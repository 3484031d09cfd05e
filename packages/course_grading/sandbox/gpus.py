"""NVIDIA's GPUs: what of the machine CUDA opens, and so must be let into a sandbox to use them.

The nodes are those that NVIDIA's container toolkit lets into a container for computing: of each
card, of the driver and of unified memory; those for screens, profilers and MIG's instances are left
out. The driver's libraries lie below /usr, which every sandbox shows. Of /sys, CUDA reads the
machine's NUMA nodes when it makes a context (google/gvisor, issue 12876), and the cards' places on
the bus.
"""

from collections.abc import Sequence
from pathlib import Path

FOLDERS = (Path("/sys/devices"), Path("/sys/bus/pci"))

NEEDED = 4
"""Cards: as many as a lesson's lab takes."""

MEMORY = 16 << 30
"""Bytes of the computer's own memory: CUDA and what it notes of each card take some of it."""

_OF_THE_DRIVER = ("nvidiactl", "nvidia-uvm")


def cards() -> Sequence[Path]:
    """The node of each card of this machine. It neither starts CUDA nor asks the driver."""
    return sorted(Path("/dev").glob("nvidia[0-9]*"))


def nodes() -> Sequence[Path]:
    """All that CUDA opens; none where there is no card."""
    found = cards()
    return [*found, *(Path("/dev", name) for name in _OF_THE_DRIVER)] if found else []

"""The parts of the virtual machine: its cards, the other processes on them, its driver."""

from __future__ import annotations

import ctypes
import os
import re
import sys
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace

MAX_DEVICES = 64  # as many as torch.cuda counts where CUDA_VISIBLE_DEVICES is not set
DRIVER = "580.65.06"  # its nvidia-smi prints the current layout

_UNITS = {"": 1, "B": 1}
for _power, _letter in enumerate("KMGT", start=1):
    _UNITS[f"{_letter}IB"] = 1024**_power
    _UNITS[f"{_letter}B"] = 1000**_power

_BUS_ID = re.compile(r"[0-9A-F]{8}:[0-9A-F]{2}:[0-9A-F]{2}\.[0-7]")
_DEFAULT_BUS_IDS = tuple(
    f"{domain:08X}:{bus}:00.0"
    for domain in range(MAX_DEVICES // 8)
    for bus in ("1A", "3D", "68", "89", "B1", "C4", "D2", "E5")
)


@dataclass(frozen=True)
class OtherProcess:
    """A process of another user that uses memory of a card.

    ``memory`` is in bytes (text such as ``"3 GiB"`` is accepted), ``kind`` is ``nvidia-smi``'s
    type: ``"C"`` for compute, ``"G"`` for graphics.
    """

    pid: int
    memory: int
    name: str = "python"
    kind: str = "C"

    def __post_init__(self) -> None:
        object.__setattr__(self, "memory", parse_memory(self.memory))
        if self.kind not in ("C", "G"):
            raise ValueError(f'kind={self.kind!r} is not possible. Choose "C" or "G".')


@dataclass(frozen=True)
class DeviceProfile:
    """One card.

    Attributes:
        memory: bytes that CUDA can use (text such as ``"2 GiB"`` is accepted).
        name: what ``torch.cuda.get_device_name()`` answers.
        capability: CUDA's (major, minor).
        multi_processor_count: streaming multiprocessors.
        l2_cache: bytes.
        uuid: ``"GPU-…"``; if empty, it is made from the bus id.
        bus_id: ``"00000000:1A:00.0"``; if empty, the next one of a fixed list.
        speed_rank: place in CUDA's FASTEST_FIRST order, smallest first; equal ranks in PCI order.
        memory_bandwidth: bytes/s between the card's memory and its processors.
        peak_flops: FLOP/s in fp32.
        pinned_bandwidth: bytes/s over PCIe, one direction, from page-locked host memory.
        pageable_bandwidth: the same from ordinary host memory.
        driver_reserved: bytes used by the driver: in nvidia-smi's Total, not in ``memory``.
        others: processes of other users on this card.
        utilization: percent of the time in which these processes use the card.
        temperature: °C of the idle card.
        power, power_limit: W, idle and at most.
        fan: percent, or None for a card without a fan.
        clock: MHz of the multiprocessors under load.
        memory_bus: bits between the card's memory and its processors.
        ecc, mig: whether it has error correction, and can be split into instances.
    """

    memory: int
    name: str = "Virtual CUDA device (runs on the CPU)"
    capability: tuple[int, int] = (8, 0)
    multi_processor_count: int = 108
    l2_cache: int = 40 << 20
    uuid: str = ""
    bus_id: str = ""
    speed_rank: int = 0
    memory_bandwidth: float = 1.555e12
    peak_flops: float = 19.5e12
    pinned_bandwidth: float = 25e9
    pageable_bandwidth: float = 6e9
    driver_reserved: int = 0
    others: tuple[OtherProcess, ...] = ()
    utilization: int = 0
    temperature: int = 34
    power: int = 30
    power_limit: int = 250
    fan: int | None = None
    clock: int = 1410
    memory_bus: int = 5120
    ecc: bool = False
    mig: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "memory", parse_memory(self.memory))
        object.__setattr__(self, "others", tuple(self.others))
        if self.used_by_others > self.memory:
            raise ValueError(
                f"The other processes of {self.name} use {self.used_by_others} bytes, "
                f"more than its memory of {self.memory} bytes."
            )
        if self.bus_id and not _BUS_ID.fullmatch(self.bus_id):
            raise ValueError(f'bus_id={self.bus_id!r} is not of the form "00000000:1A:00.0".')
        if self.uuid and not _is_uuid(self.uuid):
            raise ValueError(
                f'uuid={self.uuid!r} is not of the form "GPU-8932f937-d72c-4106-c12f-20bd9faed9f6".'
            )

    @property
    def used_by_others(self) -> int:
        """Bytes that the other processes use."""
        return sum(process.memory for process in self.others)


@dataclass(frozen=True)
class Machine:
    """The virtual machine.

    ``devices`` are all its cards in PCI order, which is nvidia-smi's numbering;
    ``visible_devices`` are the numbers of those this process may use, in the order of their logical
    numbers (``cuda:0`` is ``devices[visible_devices[0]]``).
    """

    devices: tuple[DeviceProfile, ...]
    visible_devices: tuple[int, ...]
    driver: str = DRIVER

    @property
    def device_count(self) -> int:
        """The number of cards, visible or not."""
        return len(self.devices)

    @property
    def memory(self) -> int:
        """Bytes of memory of the first card."""
        return self.devices[0].memory

    @property
    def name(self) -> str:
        """Name of the first card."""
        return self.devices[0].name


def assemble(profiles: Sequence[DeviceProfile]) -> tuple[DeviceProfile, ...]:
    """The cards in PCI order, each with its own bus id and UUID.

    Raises ValueError for no card, for more than 64, and for a bus id or UUID given twice.
    """
    check_device_count(len(profiles))
    taken = {profile.bus_id for profile in profiles}
    spare = iter(bus_id for bus_id in _DEFAULT_BUS_IDS if bus_id not in taken)
    cards = [replace(profile, bus_id=profile.bus_id or next(spare)) for profile in profiles]
    cards = [replace(card, uuid=card.uuid or _made_uuid(card.bus_id)) for card in cards]
    for what in ("bus_id", "uuid"):
        if len({getattr(card, what) for card in cards}) < len(cards):
            raise ValueError(f"Two GPUs of one machine cannot have the same {what}.")
    return tuple(sorted(cards, key=lambda card: card.bus_id))


def parse_memory(memory: int | str) -> int:
    """Bytes from ``2147483648``, ``"2 GiB"``, ``"512MiB"`` or ``"1.5 GB"``.

    Raises ValueError for anything else and for amounts that are not positive.
    """
    if isinstance(memory, str):
        match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([A-Za-z]*)\s*", memory)
        unit = _UNITS.get(match[2].upper()) if match else None
        amount = int(float(match[1]) * unit) if match and unit else None
    else:
        is_number = isinstance(memory, int) and not isinstance(memory, bool)
        amount = memory if is_number else None
    if amount is None or amount <= 0:
        raise ValueError(
            f"memory={memory!r} is not an amount of memory. "
            'Write a positive number of bytes or a text such as "2 GiB" or "512 MiB".'
        )
    return amount


def check_device_count(device_count: int) -> int:
    """Return ``device_count``; raise ValueError unless it is a whole number from 1 to 64."""
    is_number = isinstance(device_count, int) and not isinstance(device_count, bool)
    if not is_number or not 1 <= device_count <= MAX_DEVICES:
        raise ValueError(
            f"device_count={device_count!r} is not possible. "
            f"Choose a whole number from 1 to {MAX_DEVICES}."
        )
    return device_count


def check_driver(driver: str) -> str:
    """Return ``driver``; raise ValueError unless it looks like ``"580.65.06"``."""
    if not isinstance(driver, str) or not re.fullmatch(r"\d{3}(\.\d+){1,2}", driver):
        raise ValueError(f'driver={driver!r} is not of the form "580.65.06".')
    return driver


def host_memory() -> int:
    """Bytes of memory this computer has."""
    if sys.platform == "win32":
        return _windows_memory()[0]
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def host_memory_available() -> int:
    """Bytes of free memory of this computer (the system's own estimate, if there is one)."""
    if sys.platform == "win32":
        return _windows_memory()[1]
    try:
        with open("/proc/meminfo") as lines:
            kib = next(line for line in lines if line.startswith("MemAvailable:")).split()[1]
    except (OSError, StopIteration):
        return host_memory()
    return int(kib) << 10


if sys.platform == "win32":

    def _windows_memory() -> tuple[int, int]:
        """Bytes of memory and of what is available: MEMORYSTATUSEX of sysinfoapi.h. Never run."""
        status = (ctypes.c_uint64 * 8)(ctypes.sizeof(ctypes.c_uint64) * 8)  # first: two uint32
        ctypes.WinDLL("kernel32").GlobalMemoryStatusEx(status)
        return status[1], status[2]


def _is_uuid(text: str) -> bool:
    try:
        return text == f"GPU-{uuid.UUID(text.removeprefix('GPU-'))}"
    except ValueError:
        return False


def _made_uuid(bus_id: str) -> str:
    return f"GPU-{uuid.uuid5(uuid.NAMESPACE_OID, f'virtual card at {bus_id}')}"

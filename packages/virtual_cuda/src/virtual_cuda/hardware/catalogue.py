"""A catalogue of well-known cards, as data.

Sources: NVIDIA's data sheets (processors, bandwidth, FLOP/s, power); the memory that CUDA and
nvidia-smi report is that of public logs, and differs a little from driver to driver. The PCIe
bandwidths are what copies reach in practice, rounded. The speed ranks order the cards by FLOP/s:
CUDA does not publish the rule behind FASTEST_FIRST.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from .profiles import DeviceProfile, assemble, check_device_count

_MIB = 1 << 20
_GB, _TFLOP = 1e9, 1e12
_PCIE3, _PCIE4, _PCIE5 = 12 * _GB, 25 * _GB, 50 * _GB  # bytes/s from page-locked memory


def _entry(name: str, cuda_mib: int, smi_mib: int, **figures: Any) -> DeviceProfile:
    """A card whose memory is ``cuda_mib`` for CUDA and ``smi_mib`` for nvidia-smi."""
    reserved = (smi_mib - cuda_mib) * _MIB
    return DeviceProfile(cuda_mib * _MIB, f"Virtual {name}", driver_reserved=reserved, **figures)


# fmt: off
CATALOGUE: dict[str, DeviceProfile] = {
    "T4": _entry(
        "Tesla T4", 15095, 15360, capability=(7, 5), multi_processor_count=40, l2_cache=4 * _MIB,
        memory_bus=256, memory_bandwidth=320 * _GB, peak_flops=8.1 * _TFLOP,
        pinned_bandwidth=_PCIE3, speed_rank=8, temperature=41, power=10, power_limit=70,
        clock=1590, ecc=True,
    ),
    "RTX 4060 Laptop": _entry(
        "GeForce RTX 4060 Laptop GPU", 7806, 8188, capability=(8, 9), multi_processor_count=24,
        l2_cache=32 * _MIB, memory_bus=128, memory_bandwidth=256 * _GB, peak_flops=11.6 * _TFLOP,
        pinned_bandwidth=_PCIE3, speed_rank=7, temperature=45, power=5, power_limit=115,
        clock=1890,
    ),
    "RTX 2080 Ti": _entry(
        "GeForce RTX 2080 Ti", 11008, 11264, capability=(7, 5), multi_processor_count=68,
        l2_cache=11 * _MIB // 2, memory_bus=352, memory_bandwidth=616 * _GB,
        peak_flops=13.4 * _TFLOP, pinned_bandwidth=_PCIE3, speed_rank=6, temperature=36, power=21,
        power_limit=250, fan=35, clock=1545,
    ),
    "A100": _entry(
        "A100-SXM4-40GB", 40507, 40960, capability=(8, 0), multi_processor_count=108,
        l2_cache=40 * _MIB, memory_bandwidth=1555 * _GB, peak_flops=19.5 * _TFLOP,
        pinned_bandwidth=_PCIE4, speed_rank=5, temperature=31, power=52, power_limit=400,
        clock=1410, ecc=True, mig=True,
    ),
    "A100 80GB": _entry(
        "A100-SXM4-80GB", 81153, 81920, capability=(8, 0), multi_processor_count=108,
        l2_cache=40 * _MIB, memory_bandwidth=2039 * _GB, peak_flops=19.5 * _TFLOP,
        pinned_bandwidth=_PCIE4, speed_rank=4, temperature=31, power=62, power_limit=400,
        clock=1410, ecc=True, mig=True,
    ),
    "RTX 3090": _entry(
        "GeForce RTX 3090", 24259, 24576, capability=(8, 6), multi_processor_count=82,
        l2_cache=6 * _MIB, memory_bus=384, memory_bandwidth=936 * _GB, peak_flops=35.6 * _TFLOP,
        pinned_bandwidth=_PCIE4, speed_rank=3, temperature=33, power=20, power_limit=350, fan=30,
        clock=1695,
    ),
    "H100": _entry(
        "H100 80GB HBM3", 81079, 81559, capability=(9, 0), multi_processor_count=132,
        l2_cache=50 * _MIB, memory_bandwidth=3350 * _GB, peak_flops=66.9 * _TFLOP,
        pinned_bandwidth=_PCIE5, speed_rank=2, temperature=34, power=70, power_limit=700,
        clock=1980, ecc=True, mig=True,
    ),
    "H200": _entry(
        "H200", 143167, 143771, capability=(9, 0), multi_processor_count=132, l2_cache=60 * _MIB,
        memory_bus=6144, memory_bandwidth=4800 * _GB, peak_flops=66.9 * _TFLOP,
        pinned_bandwidth=_PCIE5, speed_rank=1, temperature=32, power=76, power_limit=700,
        clock=1980, ecc=True, mig=True,
    ),
    "RTX 4090": _entry(
        "GeForce RTX 4090", 24217, 24564, capability=(8, 9), multi_processor_count=128,
        l2_cache=72 * _MIB, memory_bus=384, memory_bandwidth=1008 * _GB, peak_flops=82.6 * _TFLOP,
        pinned_bandwidth=_PCIE4, speed_rank=0, temperature=38, power=22, power_limit=450, fan=30,
        clock=2520,
    ),
}
# fmt: on


def card(kind: str, **changes: Any) -> DeviceProfile:
    """A card of the catalogue, with changes: ``card("A100", memory="4 GiB")``.

    Raises ValueError for a card that is not in the catalogue.
    """
    if kind not in CATALOGUE:
        known = ", ".join(repr(name) for name in CATALOGUE)
        raise ValueError(f"{kind!r} is not in the catalogue. Choose one of {known}.")
    return replace(CATALOGUE[kind], **changes)


def choose_cards(
    device_count: int | None,
    memory: int | str | None,
    profile: DeviceProfile | str | None,
    cards: Sequence[DeviceProfile | str] | None,
    name: str | None,
) -> tuple[DeviceProfile, ...]:
    """The cards for the arguments of ``enable()``, in PCI order.

    Raises ValueError for arguments that are not possible or contradict each other.
    """
    if cards is None:
        count = check_device_count(4 if device_count is None else device_count)
        kind = DeviceProfile(2048 * _MIB) if profile is None else profile
        chosen = [_profile(kind)] * count
    else:
        chosen = [_profile(kind) for kind in cards]
        if profile is not None or device_count not in (None, len(chosen)):
            raise ValueError("cards= already defines the GPUs and their number. Omit the rest.")
    given = {"memory": memory, "name": name}
    changes: dict[str, Any] = {what: value for what, value in given.items() if value is not None}
    return assemble([replace(one, **changes) for one in chosen])


def _profile(kind: DeviceProfile | str) -> DeviceProfile:
    return card(kind) if isinstance(kind, str) else kind

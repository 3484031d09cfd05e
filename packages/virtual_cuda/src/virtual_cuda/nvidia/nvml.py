"""The report on the virtual machine for NVML and ``nvidia-smi``.

Both use ``report()``, which neither starts CUDA nor freezes CUDA_VISIBLE_DEVICES. ``patch()``
replaces the functions of ``pynvml`` (package nvidia-ml-py), if it is installed. So
``torch.cuda.utilization()`` and the like run unchanged, and code that calls NVML itself. As on a
real machine, NVML counts cards in PCI order, and so do these functions of torch: with
``FASTEST_FIRST`` they may mean another card than ``cuda:i``.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .. import runtime
from ..hardware.profiles import DeviceProfile
from ..patches import Patches
from . import smi

try:
    import pynvml
except ImportError:  # then torch reports that it is missing, as on a real machine
    pynvml = None

_IDLE_CLOCK = 210  # MHz
_DEGREES_AT_WORK = 40  # °C above idle under full load


def report() -> smi.Report:
    """The current state of all cards. Raises RuntimeError if virtual CUDA is off."""
    state = runtime.switched_on()
    cards = (_read(state, number, profile) for number, profile in enumerate(state.profiles))
    return smi.Report(state.driver, time.time(), tuple(cards))


def _read(state: runtime.Runtime, number: int, profile: DeviceProfile) -> smi.Card:
    processes = [
        smi.Process(other.pid, other.name, other.memory, other.kind) for other in profile.others
    ]
    busy = profile.utilization
    logical = state.logical_number(number)
    if logical is not None:
        busy = min(100, busy + state.utilization(logical))
        if own := state.allocator(logical).reserved_bytes:
            processes.append(smi.Process(os.getpid(), sys.executable or "python", own, "C"))
    headroom = profile.power_limit - profile.power
    return smi.Card(
        index=number,
        name=profile.name,
        uuid=profile.uuid,
        bus_id=profile.bus_id,
        capability=".".join(map(str, profile.capability)),
        total=profile.memory + profile.driver_reserved,
        reserved=profile.driver_reserved,
        used=sum(process.memory for process in processes),
        utilization=busy,
        temperature=profile.temperature + _DEGREES_AT_WORK * busy // 100,
        power=profile.power + headroom * busy / 100,
        power_limit=profile.power_limit,
        fan=profile.fan,
        clock=profile.clock if processes else _IDLE_CLOCK,
        ecc=profile.ecc,
        mig=profile.mig,
        processes=tuple(processes),
    )


@dataclass(frozen=True)
class _Handle:
    """The handle from ``nvmlDeviceGetHandleByIndex``: a number in PCI order."""

    index: int

    @property
    def card(self) -> smi.Card:
        return report().cards[self.index]


def _handle(index: int) -> _Handle:
    if not 0 <= index < len(report().cards):
        raise pynvml.NVMLError(pynvml.NVML_ERROR_INVALID_ARGUMENT)
    return _Handle(index)


def _handle_where(matches: Callable[[smi.Card], bool]) -> _Handle:
    for card in report().cards:
        if matches(card):
            return _Handle(card.index)
    raise pynvml.NVMLError(pynvml.NVML_ERROR_NOT_FOUND)


def _text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value


def _memory(handle: _Handle, version: int | None = None) -> Any:
    card = handle.card
    if version:
        return pynvml.c_nvmlMemory_v2_t(
            version, total=card.total, reserved=card.reserved, free=card.free, used=card.used
        )
    # The first version of this call counts the driver's memory as used.
    total = report().seen_total(card)
    return pynvml.c_nvmlMemory_t(total=total, free=card.free, used=total - card.free)


def _processes(handle: _Handle, kind: str) -> list[Any]:
    return [
        pynvml.c_nvmlProcessInfo_t(
            pid=process.pid,
            usedGpuMemory=process.memory,
            gpuInstanceId=0xFFFFFFFF,
            computeInstanceId=0xFFFFFFFF,
        )
        for process in handle.card.processes
        if process.kind == kind
    ]


def _process_name(pid: int) -> str:
    for card in report().cards:
        for process in card.processes:
            if process.pid == pid:
                return process.name
    raise pynvml.NVMLError(pynvml.NVML_ERROR_NOT_FOUND)


def _pci(handle: _Handle) -> Any:
    bus_id = handle.card.bus_id
    domain, bus, device = (int(part, 16) for part in bus_id.split(".")[0].split(":"))
    return pynvml.nvmlPciInfo_t(
        busIdLegacy=bus_id[4:].encode(),
        busId=bus_id.encode(),
        domain=domain,
        bus=bus,
        device=device,
    )


def _fan(handle: _Handle) -> int:
    speed = handle.card.fan
    if speed is None:
        raise pynvml.NVMLError(pynvml.NVML_ERROR_NOT_SUPPORTED)
    return speed


def _cpu_affinity(handle: _Handle, words: int) -> list[int]:
    """The requested number of 64-bit words, with all cores: each core is equally near to a card."""
    cores = (1 << (os.cpu_count() or 1)) - 1
    return [cores >> 64 * word & (1 << 64) - 1 for word in range(words)]


def _cuda_version() -> int:
    major, minor = report().cuda_version.split(".")
    return int(major) * 1000 + int(minor) * 10


def patch(patches: Patches) -> None:
    """Make ``pynvml`` report the virtual machine."""
    if pynvml is None:
        return
    patches.set(
        pynvml,
        nvmlInit=lambda: None,
        nvmlInitWithFlags=lambda flags: None,
        nvmlShutdown=lambda: None,
        nvmlSystemGetDriverVersion=lambda: report().driver,
        nvmlSystemGetNVMLVersion=lambda: f"{_cuda_version() // 1000}.{report().driver}",
        nvmlSystemGetCudaDriverVersion=_cuda_version,
        nvmlSystemGetCudaDriverVersion_v2=_cuda_version,
        nvmlSystemGetProcessName=_process_name,
        nvmlDeviceGetCount=lambda: len(report().cards),
        nvmlDeviceGetHandleByIndex=_handle,
        nvmlDeviceGetHandleByUUID=lambda uuid: _handle_where(lambda c: c.uuid == _text(uuid)),
        nvmlDeviceGetHandleByPciBusId=lambda bus: _handle_where(lambda c: c.bus_id == _text(bus)),
        nvmlDeviceGetIndex=lambda handle: handle.index,
        nvmlDeviceGetMinorNumber=lambda handle: handle.index,
        nvmlDeviceGetName=lambda handle: handle.card.name,
        nvmlDeviceGetUUID=lambda handle: handle.card.uuid,
        nvmlDeviceGetPciInfo=_pci,
        nvmlDeviceGetCudaComputeCapability=lambda handle: tuple(
            int(part) for part in handle.card.capability.split(".")
        ),
        nvmlDeviceGetMemoryInfo=_memory,
        nvmlDeviceGetUtilizationRates=lambda handle: pynvml.c_nvmlUtilization_t(
            gpu=handle.card.utilization, memory=0
        ),
        nvmlDeviceGetTemperature=lambda handle, sensor: handle.card.temperature,
        nvmlDeviceGetTemperatureV=lambda handle, sensor, version=None: handle.card.temperature,
        nvmlDeviceGetPowerUsage=lambda handle: round(handle.card.power * 1000),
        nvmlDeviceGetPowerManagementLimit=lambda handle: round(handle.card.power_limit * 1000),
        nvmlDeviceGetEnforcedPowerLimit=lambda handle: round(handle.card.power_limit * 1000),
        nvmlDeviceGetFanSpeed=_fan,
        nvmlDeviceGetCpuAffinity=_cpu_affinity,
        nvmlDeviceGetPerformanceState=lambda handle: int(handle.card.state[1:]),
        nvmlDeviceGetClockInfo=lambda handle, kind: handle.card.clock,
        nvmlDeviceGetComputeRunningProcesses=lambda handle: _processes(handle, "C"),
        nvmlDeviceGetGraphicsRunningProcesses=lambda handle: _processes(handle, "G"),
    )

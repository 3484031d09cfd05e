"""The output of ``--query-gpu`` and ``--query-compute-apps``."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .options import Refused
from .report import HAS_RESERVED, Report


def _mib(amount: int) -> tuple[str, str]:
    return str(amount >> 20), "MiB"


@dataclass(frozen=True)
class _Field:
    """A column: its value and unit, and the first driver that has it (major version)."""

    read: Callable[..., tuple[str, str]]
    unit: str = ""
    since: int = 0


_ALIASES = {"gpu_name": "name", "gpu_uuid": "uuid", "gpu_bus_id": "pci.bus_id"} | {
    "used_memory": "used_gpu_memory",
    "clocks.sm": "clocks.current.sm",
}
GPU_FIELDS = {
    "timestamp": _Field(lambda r, c: (time.strftime("%Y/%m/%d %H:%M:%S.000", r.moment), "")),
    "driver_version": _Field(lambda r, c: (r.driver, "")),
    "count": _Field(lambda r, c: (str(len(r.cards)), "")),
    "index": _Field(lambda r, c: (str(c.index), "")),
    "name": _Field(lambda r, c: (c.name, "")),
    "uuid": _Field(lambda r, c: (c.uuid, "")),
    "pci.bus_id": _Field(lambda r, c: (c.bus_id, "")),
    "compute_cap": _Field(lambda r, c: (c.capability, ""), since=HAS_RESERVED),
    "memory.total": _Field(lambda r, c: _mib(r.seen_total(c)), "MiB"),
    "memory.reserved": _Field(lambda r, c: _mib(c.reserved), "MiB", HAS_RESERVED),
    "memory.used": _Field(lambda r, c: _mib(c.used), "MiB"),
    "memory.free": _Field(lambda r, c: _mib(c.free), "MiB"),
    "utilization.gpu": _Field(lambda r, c: (str(c.utilization), "%"), "%"),
    "utilization.memory": _Field(lambda r, c: ("0", "%"), "%"),
    "temperature.gpu": _Field(lambda r, c: (str(c.temperature), "")),
    "power.draw": _Field(lambda r, c: (f"{c.power:.2f}", "W"), "W"),
    "power.limit": _Field(lambda r, c: (f"{c.power_limit:.2f}", "W"), "W"),
    "fan.speed": _Field(lambda r, c: ("[N/A]", "") if c.fan is None else (str(c.fan), "%"), "%"),
    "pstate": _Field(lambda r, c: (c.state, "")),
    "clocks.current.sm": _Field(lambda r, c: (str(c.clock), "MHz"), "MHz"),
}
APP_FIELDS = {
    "gpu_name": _Field(lambda c, p: (c.name, "")),
    "gpu_uuid": _Field(lambda c, p: (c.uuid, "")),
    "gpu_bus_id": _Field(lambda c, p: (c.bus_id, "")),
    "pid": _Field(lambda c, p: (str(p.pid), "")),
    "process_name": _Field(lambda c, p: (p.name, "")),
    "used_gpu_memory": _Field(lambda c, p: _mib(p.memory), "MiB"),
}


def csv(
    report: Report,
    fields: dict[str, _Field],
    options: dict[str, str],
    query: str,
    rows: Sequence[tuple[object, object]],
) -> str:
    """The output of a query, with a row for each card or process."""
    names = [name.strip() for name in options[query].split(",")]
    names = [name if name in fields else _ALIASES.get(name, name) for name in names]
    for name in names:
        if name not in fields or fields[name].since > report.major:
            raise Refused(f'Field "{name}" is not a valid field to query.\n\n')
    style = [part.strip() for part in options.get("--format", "").split(",")]
    if "csv" not in style or not set(style) <= {"csv", "noheader", "nounits"}:
        raise Refused(
            f"ERROR: {query}= needs --format=csv[,noheader][,nounits]. "
            "Please run 'nvidia-smi -h'.\n\n"
        )
    lines = []
    if "noheader" not in style:
        units = [f" [{fields[name].unit}]" if fields[name].unit else "" for name in names]
        lines.append(", ".join(name + unit for name, unit in zip(names, units, strict=True)))
    for row in rows:
        cells = [fields[name].read(*row) for name in names]
        plain = "nounits" in style
        lines.append(", ".join(v if plain or not unit else f"{v} {unit}" for v, unit in cells))
    return "".join(line + "\n" for line in lines)

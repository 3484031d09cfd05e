"""The texts of ``nvidia-smi``, written from a report of the machine.

Two layouts, chosen by the version of the driver: *older* (470: narrow table, no ``Reserved`` line)
and *newer* (580: wide table, ``Reserved`` under Total, protected memory). Both were taken from
public logs. Drivers in between get the parts they had, nearly: ``Reserved`` from 510, the wide
table (which grew in steps) and protected memory from 535.

This file uses the standard library alone, so that the ``nvidia-smi`` command of ``command.py`` can
run it by itself: ``python -I smi.py REPORT [OPTION…]``. Amounts are bytes; the texts say MiB.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass

OLDER, NEWER = "470.82.01", "580.65.06"
NO_DRIVER = (
    "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. "
    "Make sure that the latest NVIDIA driver is installed and running.\n"
)
HELP = """\
NVIDIA System Management Interface -- v{driver} (virtual: a part of its options)

nvidia-smi [OPTION1 [ARG1]] [OPTION2 [ARG2]] ...

    -h,   --help                Print usage information and exit.
    -L,   --list-gpus           Display a list of GPUs connected to the system.
    <no arguments>              Show a summary of GPUs connected to the system.
    -i,   --id=                 Target a specific GPU: index, UUID or PCI bus ID.
    -q,   --query               Display GPU info.
    -d,   --display=            Display only selected information: MEMORY, UTILIZATION.
    --query-gpu=                Information about GPU.
    --query-compute-apps=       List of currently active compute processes.
    --format=                   csv[,noheader][,nounits]
    -l,   --loop=               Probe until Ctrl+C at specified second interval.
    -lms, --loop-ms=            Probe until Ctrl+C at specified millisecond interval.
"""

_HAS_RESERVED, _HAS_WIDE_TABLE, _HAS_CORNERS = 510, 535, 580  # first major versions
_CUDA_VERSIONS = {  # highest CUDA version a driver supports, from its first major version on
    450: "11.0",
    460: "11.2",
    470: "11.4",
    495: "11.5",
    510: "11.6",
    515: "11.7",
    520: "11.8",
    525: "12.0",
    530: "12.1",
    535: "12.2",
    545: "12.3",
    550: "12.4",
    555: "12.5",
    560: "12.6",
    565: "12.7",
    570: "12.8",
    575: "12.9",
    580: "13.0",
    590: "13.1",
}
_BAR1_TOTAL, _BAR1_USED = 256 << 20, 2 << 20


@dataclass(frozen=True)
class Process:
    """A process on a card: ``memory`` in bytes, ``kind`` "C" (compute) or "G" (graphics)."""

    pid: int
    name: str
    memory: int
    kind: str


@dataclass(frozen=True)
class Card:
    """The reading of one card: bytes, percent, °C, W and MHz; ``index`` is its PCI number."""

    index: int
    name: str
    uuid: str
    bus_id: str
    capability: str
    total: int
    reserved: int
    used: int
    utilization: int
    temperature: int
    power: float
    power_limit: float
    fan: int | None
    clock: int
    ecc: bool
    mig: bool
    processes: tuple[Process, ...]

    @property
    def free(self) -> int:
        """Bytes nobody has."""
        return self.total - self.reserved - self.used

    @property
    def state(self) -> str:
        """P0 at work, P8 idle."""
        return "P0" if self.processes else "P8"


@dataclass(frozen=True)
class Report:
    """A reading of the whole machine, taken at ``taken`` seconds after the epoch."""

    driver: str
    taken: float
    cards: tuple[Card, ...]

    @property
    def major(self) -> int:
        """The driver's major version."""
        return int(self.driver.split(".")[0])

    @property
    def cuda_version(self) -> str:
        """The highest CUDA version the driver supports."""
        known = [version for major, version in _CUDA_VERSIONS.items() if major <= self.major]
        return known[-1] if known else "N/A"

    def seen_total(self, card: Card) -> int:
        """Total as this driver reports it: earlier ones leave out what they keep themselves."""
        return card.total if self.major >= _HAS_RESERVED else card.total - card.reserved

    def to_json(self) -> str:
        """A text that ``from_json`` turns back."""
        return json.dumps(asdict(self))

    @staticmethod
    def from_json(text: str) -> Report:
        """The report behind ``to_json``."""
        data = json.loads(text)
        cards = (
            Card(**{**card, "processes": tuple(Process(**one) for one in card["processes"])})
            for card in data["cards"]
        )
        return Report(data["driver"], data["taken"], tuple(cards))


class _Refused(Exception):
    """A command line that nvidia-smi does not accept: its text and exit code."""

    def __init__(self, text: str, code: int = 2) -> None:
        super().__init__(text)
        self.text, self.code = text, code


def run(report: Report, arguments: Iterable[str]) -> tuple[str, int]:
    """What ``nvidia-smi ARGUMENTS`` prints, and its exit code."""
    try:
        options = _parse(arguments)
        if "-h" in options:
            return HELP.format(driver=report.driver), 0
        cards = _select(report, options.get("-i"))
        if "-L" in options:
            return _list(cards), 0
        if "--query-gpu" in options:
            rows = [(report, card) for card in cards]
            return _csv(report, _GPU_FIELDS, options, "--query-gpu", rows), 0
        if "--query-compute-apps" in options:
            apps = [(c, p) for c in cards for p in c.processes if p.kind == "C"]
            return _csv(report, _APP_FIELDS, options, "--query-compute-apps", apps), 0
        if "-q" in options:
            return _query(report, cards, options.get("-d")), 0
        return _table(report, cards), 0
    except _Refused as refusal:
        return refusal.text, refusal.code


# The command line -----------------------------------------------------------------------------

_LONG = {
    "--help": "-h",
    "--list-gpus": "-L",
    "--id": "-i",
    "--query": "-q",
    "--display": "-d",
    "--loop": "-l",
    "--loop-ms": "-lms",
}
_LOOPS = {"-l": 1.0, "-lms": 0.001}  # the seconds of their units
_USUAL_PAUSE = "5"
_WITH_VALUE = {"-i", "-d", "--query-gpu", "--query-compute-apps", "--format", *_LOOPS}
_PLAIN = {"-h", "-L", "-q"}


def _parse(arguments: Iterable[str]) -> dict[str, str]:
    options: dict[str, str] = {}
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        name, equals, value = word.partition("=")
        name = _LONG.get(name, name)
        if name == "-l" and not equals and (not rest or rest[0].startswith("-")):
            options[name] = _USUAL_PAUSE
        elif name in _WITH_VALUE and (equals or rest):
            options[name] = value = value if equals else rest.pop(0)
            if name in _LOOPS and not value.isdecimal():
                raise _unknown(f"{word} {value}")
        elif name in _PLAIN and not equals:
            options[name] = ""
        else:
            raise _unknown(word)
    return options


def _unknown(option: str) -> _Refused:
    return _Refused(f"ERROR: Option {option} is not recognized. Please run 'nvidia-smi -h'.\n\n")


def _pause(arguments: Sequence[str]) -> float | None:
    """Seconds between two answers, None where one is all that was asked for."""
    try:
        options = _parse(arguments)
    except _Refused:  # as the one answer will say
        return None
    pauses = (unit * int(options[name]) for name, unit in _LOOPS.items() if name in options)
    return next(pauses, None)


def _select(report: Report, wanted: str | None) -> tuple[Card, ...]:
    if wanted is None:
        return report.cards
    names = {
        name: card for card in report.cards for name in (str(card.index), card.uuid, card.bus_id)
    }
    chosen = [names.get(name.strip()) for name in wanted.split(",")]
    if None in chosen:
        raise _Refused("No devices were found\n", 6)
    return tuple(card for card in report.cards if card in chosen)


# -L and -q ------------------------------------------------------------------------------------


def _list(cards: Sequence[Card]) -> str:
    return "".join(f"GPU {card.index}: {card.name} (UUID: {card.uuid})\n" for card in cards)


def _query(report: Report, cards: Sequence[Card], display: str | None) -> str:
    wanted = None if display is None else [part.strip().upper() for part in display.split(",")]
    for part in wanted or ():
        if part not in _SECTIONS:
            raise _Refused(
                f"ERROR: Display type \"{part}\" is not recognized. Please run 'nvidia-smi -h'.\n\n"
            )
    lines = ["", "==============NVSMI LOG==============", ""]
    lines += [_entry(0, "Timestamp", time.strftime("%a %b %e %H:%M:%S %Y", _moment(report)))]
    lines += [_entry(0, "Driver Version", report.driver)]
    lines += [_entry(0, "CUDA Version", report.cuda_version), ""]
    lines += [_entry(0, "Attached GPUs", len(report.cards))]
    for card in cards:
        lines.append(f"GPU {card.bus_id}")
        if wanted is None:
            lines += [_entry(4, "Product Name", card.name), _entry(4, "GPU UUID", card.uuid)]
        for name, section in _SECTIONS.items():
            if wanted is None or name in wanted:
                lines += section(report, card)
        lines.append("")
    return "\n".join(lines) + "\n"


def _memory_section(report: Report, card: Card) -> list[str]:
    amounts = {"Total": report.seen_total(card), "Used": card.used, "Free": card.free}
    if report.major >= _HAS_RESERVED:
        amounts = {"Total": card.total, "Reserved": card.reserved, **amounts}
    bar1 = {"Total": _BAR1_TOTAL, "Used": _BAR1_USED, "Free": _BAR1_TOTAL - _BAR1_USED}
    groups = {"FB": amounts, "BAR1": bar1}
    if report.major >= _HAS_WIDE_TABLE:
        groups["Conf Compute Protected"] = dict.fromkeys(bar1, 0)
    lines = []
    for group, parts in groups.items():
        lines.append(f"    {group} Memory Usage")
        lines += [_entry(8, name, f"{amount >> 20} MiB") for name, amount in parts.items()]
    return lines


def _utilization_section(report: Report, card: Card) -> list[str]:
    rates = {"Gpu": card.utilization, "Memory": 0, "Encoder": 0, "Decoder": 0}
    return ["    Utilization"] + [_entry(8, name, f"{rate} %") for name, rate in rates.items()]


_SECTIONS: dict[str, Callable[[Report, Card], list[str]]] = {
    "MEMORY": _memory_section,
    "UTILIZATION": _utilization_section,
}


def _entry(indent: int, name: str, value: object) -> str:
    return f"{' ' * indent}{name:<{42 - indent}}: {value}"


def _moment(report: Report) -> time.struct_time:
    return time.localtime(report.taken)


# --query-gpu and --query-compute-apps ---------------------------------------------------------


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
_GPU_FIELDS = {
    "timestamp": _Field(lambda r, c: (time.strftime("%Y/%m/%d %H:%M:%S.000", _moment(r)), "")),
    "driver_version": _Field(lambda r, c: (r.driver, "")),
    "count": _Field(lambda r, c: (str(len(r.cards)), "")),
    "index": _Field(lambda r, c: (str(c.index), "")),
    "name": _Field(lambda r, c: (c.name, "")),
    "uuid": _Field(lambda r, c: (c.uuid, "")),
    "pci.bus_id": _Field(lambda r, c: (c.bus_id, "")),
    "compute_cap": _Field(lambda r, c: (c.capability, ""), since=_HAS_RESERVED),
    "memory.total": _Field(lambda r, c: _mib(r.seen_total(c)), "MiB"),
    "memory.reserved": _Field(lambda r, c: _mib(c.reserved), "MiB", _HAS_RESERVED),
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
_APP_FIELDS = {
    "gpu_name": _Field(lambda c, p: (c.name, "")),
    "gpu_uuid": _Field(lambda c, p: (c.uuid, "")),
    "gpu_bus_id": _Field(lambda c, p: (c.bus_id, "")),
    "pid": _Field(lambda c, p: (str(p.pid), "")),
    "process_name": _Field(lambda c, p: (p.name, "")),
    "used_gpu_memory": _Field(lambda c, p: _mib(p.memory), "MiB"),
}


def _csv(
    report: Report,
    fields: dict[str, _Field],
    options: dict[str, str],
    query: str,
    rows: Sequence[tuple[object, object]],
) -> str:
    names = [name.strip() for name in options[query].split(",")]
    names = [name if name in fields else _ALIASES.get(name, name) for name in names]
    for name in names:
        if name not in fields or fields[name].since > report.major:
            raise _Refused(f'Field "{name}" is not a valid field to query.\n\n')
    style = [part.strip() for part in options.get("--format", "").split(",")]
    if "csv" not in style or not set(style) <= {"csv", "noheader", "nounits"}:
        raise _Refused(
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


# The table ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Layout:
    """Widths of the table: its three columns, and the fields in them."""

    columns: tuple[int, int, int]
    name: int
    persistence: int
    version: tuple[int, int]
    power: tuple[int, int]
    total: int
    pid: int
    headings: tuple[str, str, str]

    @property
    def inner(self) -> int:
        return sum(self.columns) + 2

    def line(self, *cells: str) -> str:
        return "|" + "|".join(cells) + "|"

    def ruler(self, fill: str, left: str = "+", right: str = "+") -> str:
        return left + "+".join(fill * width for width in self.columns) + right

    def row(self, text: str) -> str:
        return f"|{text:<{self.inner}}|"


_NARROW = _Layout(
    columns=(31, 22, 22),
    name=18,
    persistence=5,
    version=(13, 13),
    power=(7, 4),
    total=8,
    pid=10,
    headings=(
        "| GPU  Name        Persistence-M| Bus-Id        Disp.A | Volatile Uncorr. ECC |",
        "| Fan  Temp  Perf  Pwr:Usage/Cap|         Memory-Usage | GPU-Util  Compute M. |",
        "|                               |                      |               MIG M. |",
    ),
)
_WIDE = _Layout(
    columns=(41, 24, 22),
    name=27,
    persistence=4,
    version=(23, 15),
    power=(16, 5),
    total=9,
    pid=16,
    headings=(
        "| GPU  Name                 Persistence-M | Bus-Id          Disp.A "
        "| Volatile Uncorr. ECC |",
        "| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage "
        "| GPU-Util  Compute M. |",
        "|                                         |                        "
        "|               MIG M. |",
    ),
)


def _table(report: Report, cards: Sequence[Card]) -> str:
    layout = _WIDE if report.major >= _HAS_WIDE_TABLE else _NARROW
    border = "+" + "-" * layout.inner + "+"
    first, second = layout.version
    lines = [
        time.strftime("%a %b %e %H:%M:%S %Y", _moment(report)) + " " * 7,
        border,
        layout.row(
            f" NVIDIA-SMI {report.driver:<{first}}Driver Version: {report.driver:<{second}}"
            f"CUDA Version: {report.cuda_version}"
        ),
        layout.ruler("-", "+" if report.major >= _HAS_CORNERS else "|"),
        *layout.headings,
        layout.ruler("=", "|", "|"),
    ]
    for card in cards:
        lines += [*_card_rows(report, card, layout), layout.ruler("-")]
    lines += [" " * (layout.inner + 2), border, *_process_rows(cards, layout), border]
    return "\n".join(lines) + "\n"


def _card_rows(report: Report, card: Card, layout: _Layout) -> list[str]:
    left, middle, right = layout.columns
    display = "On" if any(process.kind == "G" for process in card.processes) else "Off"
    fan = "N/A" if card.fan is None else f"{card.fan}%"
    draw, cap = layout.power
    memory = f"{card.used >> 20}MiB / {f'{report.seen_total(card) >> 20}MiB':>{layout.total}}"
    gap = left - 6 - layout.name - layout.persistence
    return [
        layout.line(
            f"{card.index:>4}  {_shortened(card.name, layout.name):<{layout.name}}"
            f"{'':<{gap}}{'Off':<{layout.persistence}}",
            f"{card.bus_id:>{middle - 5}} {display:>3} ",
            f"{'0' if card.ecc else 'N/A':>{right - 1}} ",
        ),
        layout.line(
            f"{fan:>4}{f'{card.temperature}C':>6}{card.state:>6}"
            f"{f'{card.power:.0f}W':>{draw}} / {f'{card.power_limit:.0f}W':>{cap}} ",
            f"{memory:>{middle - 1}} ",
            f"{f'{card.utilization}%':>8}{'Default':>13} ",
        ),
        layout.line(" " * left, " " * middle, f"{'Disabled' if card.mig else 'N/A':>{right - 1}} "),
    ]


def _process_rows(cards: Sequence[Card], layout: _Layout) -> list[str]:
    width = layout.inner - 15 - layout.pid - 1 - 7 - 3 - 11
    rows = [
        layout.row(" Processes:"),
        layout.row(
            f"  GPU   GI   CI{'PID':>{layout.pid + 1}}   Type   {'Process name':<{width}}GPU Memory"
        ),
        layout.row(f"        ID   ID{'':>{layout.pid + 11}}{'':<{width}}Usage"),
        "|" + "=" * layout.inner + "|",
    ]
    running = [(card, process) for card in cards for process in card.processes]
    for card, process in running:
        name = process.name if len(process.name) < width else "..." + process.name[4 - width :]
        rows.append(
            layout.row(
                f"{card.index:>5}   N/A  N/A{process.pid:>{layout.pid}}{process.kind:>7}   "
                f"{name:<{width}}{f'{process.memory >> 20}MiB':>10}"
            )
        )
    return rows if running else [*rows, layout.row("  No running processes found")]


def _shortened(name: str, width: int) -> str:
    return name if len(name) <= width else name[: width - 3] + "..."


def main(arguments: Sequence[str]) -> int:
    """``nvidia-smi`` for a report in a file: the first argument is its path."""
    path, *options = arguments
    pause = _pause(options)
    try:
        while True:
            with open(path, encoding="utf-8") as file:
                report = Report.from_json(file.read())
            text, code = run(report, options)
            print(text, end="", flush=True)
            if pause is None or code:
                return code
            time.sleep(pause)
    except FileNotFoundError:
        print(NO_DRIVER)
        return 9
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

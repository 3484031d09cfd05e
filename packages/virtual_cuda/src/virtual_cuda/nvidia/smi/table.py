"""The table of ``nvidia-smi`` without options."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from .report import HAS_CORNERS, HAS_WIDE_TABLE, Card, Report


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


def table(report: Report, cards: Sequence[Card]) -> str:
    """The table of cards and processes."""
    layout = _WIDE if report.major >= HAS_WIDE_TABLE else _NARROW
    border = "+" + "-" * layout.inner + "+"
    first, second = layout.version
    lines = [
        time.strftime("%a %b %e %H:%M:%S %Y", report.moment) + " " * 7,
        border,
        layout.row(
            f" NVIDIA-SMI {report.driver:<{first}}Driver Version: {report.driver:<{second}}"
            f"CUDA Version: {report.cuda_version}"
        ),
        layout.ruler("-", "+" if report.major >= HAS_CORNERS else "|"),
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

"""The output of ``nvidia-smi -L`` and ``-q``."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from .options import Refused
from .report import HAS_RESERVED, HAS_WIDE_TABLE, Card, Report

_BAR1_TOTAL, _BAR1_USED = 256 << 20, 2 << 20


def listing(cards: Sequence[Card]) -> str:
    """The output of ``-L``: a line for each card."""
    return "".join(f"GPU {card.index}: {card.name} (UUID: {card.uuid})\n" for card in cards)


def query(report: Report, cards: Sequence[Card], display: str | None) -> str:
    """The output of ``-q``: all sections, or those of ``-d``."""
    wanted = None if display is None else [part.strip().upper() for part in display.split(",")]
    for part in wanted or ():
        if part not in _SECTIONS:
            raise Refused(
                f"ERROR: Display type \"{part}\" is not recognized. Please run 'nvidia-smi -h'.\n\n"
            )
    lines = ["", "==============NVSMI LOG==============", ""]
    lines += [_entry(0, "Timestamp", time.strftime("%a %b %e %H:%M:%S %Y", report.moment))]
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
    if report.major >= HAS_RESERVED:
        amounts = {"Total": card.total, "Reserved": card.reserved, **amounts}
    bar1 = {"Total": _BAR1_TOTAL, "Used": _BAR1_USED, "Free": _BAR1_TOTAL - _BAR1_USED}
    groups = {"FB": amounts, "BAR1": bar1}
    if report.major >= HAS_WIDE_TABLE:
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

"""The command line of nvidia-smi: the supported options."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .report import Card, Report

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


class Refused(Exception):
    """A command line that nvidia-smi does not accept: its text and exit code."""

    def __init__(self, text: str, code: int = 2) -> None:
        super().__init__(text)
        self.text, self.code = text, code


def parse(arguments: Iterable[str]) -> dict[str, str]:
    """The options of a command line, with their values."""
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


def _unknown(option: str) -> Refused:
    return Refused(f"ERROR: Option {option} is not recognized. Please run 'nvidia-smi -h'.\n\n")


def pause(arguments: Sequence[str]) -> float | None:
    """Seconds between two outputs; None for a single output."""
    try:
        options = parse(arguments)
    except Refused:  # the single output reports the error
        return None
    pauses = (unit * int(options[name]) for name, unit in _LOOPS.items() if name in options)
    return next(pauses, None)


def select(report: Report, wanted: str | None) -> tuple[Card, ...]:
    """The cards of ``-i``, or all."""
    if wanted is None:
        return report.cards
    names = {
        name: card for card in report.cards for name in (str(card.index), card.uuid, card.bus_id)
    }
    chosen = [names.get(name.strip()) for name in wanted.split(",")]
    if None in chosen:
        raise Refused("No devices were found\n", 6)
    return tuple(card for card in report.cards if card in chosen)

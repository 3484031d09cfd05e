"""The data of nvidia-smi's output, and the driver versions that show each part."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass

OLDER, NEWER = "470.82.01", "580.65.06"
HAS_RESERVED, HAS_WIDE_TABLE, HAS_CORNERS = 510, 535, 580  # first major versions
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
        """Free bytes."""
        return self.total - self.reserved - self.used

    @property
    def state(self) -> str:
        """The performance state: P0 with processes, P8 idle."""
        return "P0" if self.processes else "P8"


@dataclass(frozen=True)
class Report:
    """A reading of the whole machine, taken at ``taken`` seconds after the epoch."""

    driver: str
    taken: float
    cards: tuple[Card, ...]

    @property
    def moment(self) -> time.struct_time:
        """The local time of the reading."""
        return time.localtime(self.taken)

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
        """The total as this driver reports it: older drivers exclude their own memory."""
        return card.total if self.major >= HAS_RESERVED else card.total - card.reserved

    def to_json(self) -> str:
        """The report as JSON, for ``from_json``."""
        return json.dumps(asdict(self))

    @staticmethod
    def from_json(text: str) -> Report:
        """The report from the text of ``to_json``."""
        data = json.loads(text)
        cards = (
            Card(**{**card, "processes": tuple(Process(**one) for one in card["processes"])})
            for card in data["cards"]
        )
        return Report(data["driver"], data["taken"], tuple(cards))

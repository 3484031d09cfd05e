"""Recordings of real GPUs: their files, and what they say against the authored expectations."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from .registry import PROGRAMS, Facts, Program

FOLDER = Path(__file__).parent / "recordings"
NONE_YET = (
    "NO RECORDING OF A REAL GPU: the expectations are authored from torch's sources. "
    "Record with `make conformance` on a machine with CUDA."
)


@dataclass(frozen=True)
class Recording:
    """What one machine showed. ``not_recorded`` says why, by program."""

    gpus: list[str]
    driver: str
    torch: str
    cuda: str
    python: str
    system: str
    facts: dict[str, Facts]
    not_recorded: dict[str, str]
    course: dict[str, Any] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """One line: which machine this was."""
        return (
            f"{len(self.gpus)} × {self.gpus[0]}, driver {self.driver}, torch {self.torch}, "
            f"CUDA {self.cuda}: {len(self.facts)} programs"
        )

    def save(self, folder: Path = FOLDER) -> Path:
        """Write the recording to a file named after machine and torch."""
        name = f"{len(self.gpus)}x {self.gpus[0]} torch {self.torch}"
        path = folder / (re.sub(r"[^a-z0-9.]+", "-", name.lower()).strip("-") + ".json")
        text = json.dumps(asdict(self), indent=1, sort_keys=True, ensure_ascii=False)
        path.write_text(text + "\n", encoding="utf-8")
        return path

    def disagreements(self, programs: Iterable[Program]) -> list[str]:
        """Programs whose authored expectation is not what the machine showed."""
        return [
            f"{p.name}\n  expected {p.expected}\n  recorded {self.facts[p.name]}"
            for p in programs
            if p.name in self.facts and self.facts[p.name] != p.expected
        ]


def load_all(folder: Path = FOLDER) -> list[Recording]:
    """All recordings there are."""
    files = sorted(folder.glob("*.json"))
    return [Recording(**json.loads(path.read_text(encoding="utf-8"))) for path in files]


def standard(recordings: Iterable[Recording]) -> dict[str, Facts]:
    """What a real GPU shows, by program: recorded where it was, else as authored."""
    facts = {name: program.expected for name, program in PROGRAMS.items()}
    for recording in recordings:
        facts |= {name: seen for name, seen in recording.facts.items() if name in facts}
    return facts


def origin(program: Program, recordings: Iterable[Recording]) -> str:
    """How it is known what a real GPU shows: *recorded* on which, or *read* where."""
    for recording in recordings:
        if program.name in recording.facts:
            return f"recorded: {recording.title}"
    return f"read: {program.source}"


def describe(recordings: list[Recording]) -> str:
    """What the comparison rests on, for people."""
    origins = [origin(program, recordings) for program in PROGRAMS.values()]
    read = sum(text.startswith("read") for text in origins)
    counted = f"{len(origins)} programs: {len(origins) - read} recorded, {read} read."
    titles = [f"Recorded: {r.title}" for r in recordings] or [NONE_YET]
    return "\n".join([counted, *titles])

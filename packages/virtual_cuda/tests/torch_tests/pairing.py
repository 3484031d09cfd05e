"""Judges tests on virtual GPUs by their twins on the CPU.

What torch's machinery for device types makes of one generic test comes in pairs, such as
``TestViewOpsCUDA.test_flatten_cuda`` and ``TestViewOpsCPU.test_flatten_cpu``. Where the twin does
not pass either, the test says nothing about CUDA: this torch is not the one it was written for,
or a library is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum, auto

from .running import Result


class Kind(Enum):
    """What the outcome of a test says."""

    PAIRED = auto()  # its twin passes
    ALONE = auto()  # for CUDA only: there is no twin, or the twin is skipped
    VOID = auto()  # its twin fails as well
    SKIPPED = auto()


@dataclass(frozen=True)
class Judged:
    """One test on virtual GPUs, and what its outcome says."""

    name: str  # file.py::Class.method
    result: Result
    kind: Kind

    @property
    def counts(self) -> bool:
        return self.kind in (Kind.PAIRED, Kind.ALONE)


def twin_of(test: str) -> str | None:
    """The name of the same test on the CPU, None where there cannot be one."""
    group, _, name = test.partition(".")
    start, found, end = name.rpartition("_cuda")
    if not (group.endswith("CUDA") and found):
        return None
    return f"{group.removesuffix('CUDA')}CPU.{start}_cpu{end}"


def twins_of(tests: Mapping[str, Result]) -> list[str]:
    """The twins of all tests that were not skipped."""
    twins = (twin_of(name) for name, result in tests.items() if result.outcome != "skipped")
    return [twin for twin in twins if twin is not None]


def judge(file: str, tests: Mapping[str, Result], twins: Mapping[str, Result]) -> list[Judged]:
    """Set the tests of a file against their twins."""
    return [
        Judged(f"{file}::{name}", result, _kind(result, twins.get(twin_of(name) or "")))
        for name, result in tests.items()
    ]


def _kind(result: Result, twin: Result | None) -> Kind:
    if result.outcome == "skipped":
        return Kind.SKIPPED
    if twin is None or twin.outcome == "skipped":
        return Kind.ALONE
    return Kind.VOID if twin.is_failure else Kind.PAIRED


def counted(judged: Iterable[Judged], kind: Kind) -> tuple[int, int]:
    """How many tests of a kind passed, and how many there are."""
    outcomes = [not one.result.is_failure for one in judged if one.kind is kind]
    return sum(outcomes), len(outcomes)

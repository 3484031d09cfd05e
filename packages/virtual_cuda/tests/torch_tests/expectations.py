"""The list of expected failures, ``expected_failures.toml``, set against what came out."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

from .pairing import Judged

LIST = Path(__file__).with_name("expected_failures.toml")


@dataclass(frozen=True)
class Reason:
    """Why some tests fail: names such as ``test_cuda.py::TestCuda.test_x``, * for any letters."""

    reason: str
    tests: tuple[str, ...]
    run: bool


@dataclass
class Comparison:
    """Failures by their reason, and what does not agree with the list."""

    by_reason: dict[str, list[Judged]] = field(default_factory=dict)
    unlisted: list[Judged] = field(default_factory=list)
    passed_though_listed: list[str] = field(default_factory=list)

    @property
    def agrees(self) -> bool:
        return not (self.unlisted or self.passed_though_listed)


def load(path: Path = LIST) -> list[Reason]:
    """Read the list."""
    entries = tomllib.loads(path.read_text("utf-8")).get("failures", [])
    return [
        Reason(entry["reason"], tuple(entry["tests"]), entry.get("run", True)) for entry in entries
    ]


def left_out(file: str, reasons: Sequence[Reason]) -> list[str]:
    """The tests of a file that are not run, without the file's name."""
    tests = [test.partition("::") for reason in reasons if not reason.run for test in reason.tests]
    return [name for place, _, name in tests if place == file]


def compare(judged: Sequence[Judged], reasons: Sequence[Reason]) -> Comparison:
    """Set the tests that count against the list.

    Each name of the list must be found among the failures of its file, if that file was run.
    """
    comparison = Comparison()
    files = {one.name.partition("::")[0] for one in judged}
    failures = [one for one in judged if one.counts and one.result.is_failure]
    open_names = {one.name for one in failures}
    for reason in reasons:
        for pattern in reason.tests:
            if pattern.partition("::")[0] not in files:
                continue
            found = [one for one in failures if fnmatchcase(one.name, pattern)]
            comparison.by_reason.setdefault(reason.reason, []).extend(found)
            open_names -= {one.name for one in found}
            passed = [
                one.name
                for one in judged
                if one.result.outcome == "passed" and fnmatchcase(one.name, pattern)
            ]
            comparison.passed_though_listed += passed if found else (passed or [pattern])
    comparison.unlisted = [one for one in failures if one.name in open_names]
    return comparison

"""The tables of a run: by file, and by the cause of what failed."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from .expectations import Comparison
from .pairing import Judged, Kind, counted

_WIDTH = 100


def by_file(judged: Iterable[Judged]) -> str:
    """One line a file, and their sum."""
    files: defaultdict[str, list[Judged]] = defaultdict(list)
    for one in judged:
        files[one.name.partition("::")[0]].append(one)
    rows = [_row(file, tests) for file, tests in sorted(files.items())]
    rows.append(_row("all", [one for tests in files.values() for one in tests]))
    head = ("file", "twin passes", "of these pass", "CUDA only", "pass", "skipped", "twin fails")
    wide = max(len(row[0]) for row in (head, *rows))
    return "\n".join(
        f"{row[0]:{wide}}" + "".join(f"{cell:>15}" for cell in row[1:]) for row in (head, *rows)
    )


def _row(file: str, tests: Sequence[Judged]) -> tuple[str, ...]:
    passed, paired = counted(tests, Kind.PAIRED)
    alone_passed, alone = counted(tests, Kind.ALONE)
    kinds = Counter(one.kind for one in tests)
    share = f"{passed} {100 * passed / paired:6.2f} %" if paired else ""
    return (
        file,
        str(paired or ""),
        share,
        str(alone or ""),
        str(alone_passed) if alone else "",
        str(kinds[Kind.SKIPPED] or ""),
        str(kinds[Kind.VOID] or ""),
    )


def by_cause(comparison: Comparison) -> str:
    """How many failures each listed reason has, then the others by what they say."""
    lines = [f"{len(tests):6}  {reason}" for reason, tests in comparison.by_reason.items()]
    others = Counter(cause(one) for one in comparison.unlisted)
    lines += [f"{count:6}  not listed: {text}" for text, count in others.most_common()]
    return "\n".join(lines) or "     0  no failures"


def cause(one: Judged) -> str:
    """What a failure says, without the numbers that differ from test to test."""
    text = re.sub(r"\s+", " ", one.result.text.partition("To execute this test")[0])
    text = re.sub(r"\d+(\.\d+)?(e[+-]\d+)?", "#", text)
    return f"{one.result.outcome}: {text}"[:_WIDTH].strip()


def disagreements(comparison: Comparison) -> str:
    """Every test that does not agree with the list."""
    lines = [
        f"not listed: {one.name}\n    {' '.join(one.result.text.split())[:300]}"
        for one in comparison.unlisted
    ]
    lines += [f"listed, but does not fail: {name}" for name in comparison.passed_though_listed]
    return "\n".join(lines)

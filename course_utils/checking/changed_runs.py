"""What happens if one line is another: `python -m course_utils.checking.changed_runs`.

Reads a list of [exercise, name of its function, cell, changed cell] as JSON from stdin, and writes
a line of JSON for each to stdout, as soon as it is known.
"""

import json
import linecache
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any

from course_utils.checking.exercises import exercise
from course_utils.checking.practice import use_devices
from exercise_kit.contract import Facts
from exercise_kit.definitions import definitions
from exercise_kit.engine import judged
from exercise_kit.folder import Exercise
from exercise_kit.outcomes import Failed, Raised, TimedOut
from exercise_kit.runner import Runner, Seen

HANG, ERROR, SILENT, SLOWER, NOTHING = "hang", "error", "silent", "slower", "nothing"

_OF_SPEED = {"copying", "overlapping", "waits", "copies", "bytes"}
"""Facts that say nothing of what comes out."""


def what_happens(known: Exercise, name: str, cell: str, changed: str) -> dict[str, str]:
    """`kind`, one of those above, and what a learner reads of it: `title`, `why` and `seen`."""
    try:
        answer = _function(name, changed)
    except Exception as error:
        return _told(ERROR, "the cell itself fails", "", f"{type(error).__name__}: {error}")
    runner = Runner(known.observer, answer, known.world)
    for case in known.public_cases:
        seen = runner(case)
        outcome = judged(known.judge, case, seen)
        if outcome is None:
            continue
        if isinstance(outcome, TimedOut):
            return _told(HANG, "it does not come to an end", "", f"{outcome.seconds:g} seconds")
        if isinstance(outcome, Raised):
            return _told(ERROR, "an exception", "", str(outcome.raised))
        assert isinstance(outcome, Failed)
        before = Runner(known.observer, _function(name, cell), known.world)(case)
        finding, words = outcome.finding, known.words.finding(outcome.finding.name)
        told = f"{finding.seen}, and it should be {finding.expected}"
        kind = _kind(before, seen) if isinstance(before, Mapping) else SILENT
        return _told(kind, words.title, words.explanation, f"{told} ({case.title})")
    return _told(NOTHING, "every case comes out as before", "", "")


def _kind(before: Facts, after: Seen) -> str:
    """What a person meets who runs it."""
    if not isinstance(after, Mapping):
        return ERROR
    pairs = list(zip(before.get("ends", []), after.get("ends", []), strict=False))
    for ended, ends in pairs:
        if isinstance(ends, str) and ends.startswith("still"):
            return HANG
        if ends != ended and ends != 0:
            return ERROR
    if any(error and not known for known, error in _errors(before, after)):
        return ERROR
    different = {key for key in {*before, *after} if before.get(key) != after.get(key)}
    return SLOWER if different and different <= _OF_SPEED else SILENT


def _errors(before: Facts, after: Facts) -> list[tuple[Any, Any]]:
    return list(zip(before.get("errors", []), after.get("errors", []), strict=False))


def _told(kind: str, title: str, why: str, seen: str) -> dict[str, str]:
    return {"kind": kind, "title": title, "why": why, "seen": seen}


def _function(name: str, cell: str) -> Callable[..., Any]:
    """The function of this name that a cell defines, as a notebook would have it."""
    file = f"<changed cell {hash(cell)}>"
    linecache.cache[file] = (len(cell), None, cell.splitlines(keepends=True), file)
    namespace: dict[str, Any] = {}
    exec(compile("\n".join(definitions(cell)), file, "exec"), namespace)
    function: Callable[..., Any] = namespace[name]
    return function


def main() -> None:
    told = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # whatever else is printed
    for asked, name, cell, changed in json.load(sys.stdin):
        known = exercise(asked)
        if known.observer.needs_devices:
            use_devices()
        told.write(json.dumps(what_happens(known, name, cell, changed)) + "\n")
        told.flush()


if __name__ == "__main__":
    main()

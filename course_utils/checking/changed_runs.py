"""What happens if one line is another: `python -m course_utils.checking.changed_runs`.

Reads a list of [exercise, name of its function, cell, changed cell] as JSON from stdin, and writes
a line of JSON for each to stdout, as soon as it is known.
"""

import json
import linecache
import operator
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from course_utils.checking.exercises import exercise
from course_utils.checking.practice import use_devices
from exercise_kit.contract import Case
from exercise_kit.definitions import definitions
from exercise_kit.engine import judged
from exercise_kit.folder import Exercise
from exercise_kit.outcomes import Failed, Raised, TimedOut
from exercise_kit.programs.observer import ProgramObserver, ProgramRun
from exercise_kit.runner import Runner, Seen

HANG, ERROR, SILENT, SLOWER, NOTHING = "hang", "error", "silent", "slower", "nothing"

_RESULTS = ("weights", "epochs")
_DANGERS = ("hazards", "given_away")
_SPEED = ("copying", "overlapping", "waits")


def what_happens(known: Exercise, name: str, cell: str, changed: str) -> dict[str, str]:
    """`kind`, one of those above, and what a learner reads of it: `title`, `why` and `seen`."""
    try:
        answer = _function(name, changed)
    except Exception as error:
        return _told(ERROR, "the cell itself fails", "", f"{type(error).__name__}: {error}")
    for case in known.public_cases:
        seen, runs = _put(known, answer, case)
        outcome = judged(known.judge, case, seen)
        if outcome is None:
            continue
        if isinstance(outcome, TimedOut):
            return _told(HANG, "it does not come to an end", "", f"{outcome.seconds:g} seconds")
        if not isinstance(outcome, Failed):
            raised = str(outcome.raised) if isinstance(outcome, Raised) else str(outcome)
            return _told(ERROR, "an exception", "", raised)
        own, own_runs = _put(known, _function(name, cell), case)
        kind = _of_ends(own_runs, runs) or _of_results(own, seen, own_runs, runs)
        finding, words = outcome.finding, known.words.finding(outcome.finding.name)
        told = f"{finding.seen} · expected: {finding.expected} · in the case: {case.title}"
        return _told(kind, words.title, words.explanation, told)
    return _told(NOTHING, "every case of the check comes out as before", "", "")


def _put(
    known: Exercise, answer: Callable[..., Any], case: Case
) -> tuple[Seen, Sequence[ProgramRun]]:
    """Put a case to an answer. Returns the runs of the program as well."""
    observer, runs = known.observer, []
    assert isinstance(observer, ProgramObserver)
    run = type(observer).run.__get__(observer)

    def noted(*words: Any, **given: Any) -> ProgramRun:
        runs.append(run(*words, **given))
        return runs[-1]

    vars(observer)["run"] = noted
    return Runner(observer, answer, known.world)(case), runs


def _of_ends(own: Sequence[ProgramRun], changed: Sequence[ProgramRun]) -> str | None:
    """What kind of an end a run comes to that came to another one before; None if none does."""
    for before, after in zip(own, changed, strict=False):
        if str(after.end).startswith("still"):
            return HANG
        if (after.error and not before.error) or (after.end and not before.end):
            return ERROR
        if before.end and not after.end:
            return SILENT
    return None


def _of_results(
    own: Seen, changed: Seen, own_runs: Sequence[ProgramRun], runs: Sequence[ProgramRun]
) -> str:
    """Whether only the time differs, of runs that end as they did."""
    if not isinstance(own, Mapping) or not isinstance(changed, Mapping):
        return SILENT
    if any(own.get(name) != changed.get(name) for name in _RESULTS):
        return SILENT
    before, after = ([counts for run in each for counts in run.counts] for each in (own_runs, runs))
    if any(counts.get(name) for counts in after for name in _DANGERS):
        return SILENT
    speeds = (
        [[counts.get(name) for name in _SPEED] for counts in each] for each in (before, after)
    )
    return SILENT if operator.eq(*speeds) else SLOWER


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

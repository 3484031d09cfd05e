"""The outcomes of changed lines: `python -m course_workspace.program.changed_runs`.

Reads a list of [exercise, name of its function, cell, changed cell] as JSON from stdin. Writes a
line of JSON for each to stdout, as soon as its outcome is known; and before each case, a line with
`doing`, a sentence.
"""

import json
import linecache
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from course_utils.checking.exercises import exercise
from exercise_kit.contract import Case
from exercise_kit.definitions import definitions
from exercise_kit.engine import judged
from exercise_kit.folder import Exercise
from exercise_kit.outcomes import Failed, TimedOut
from exercise_kit.programs.observer import ProgramObserver, ProgramRun
from exercise_kit.runner import Runner, Seen

_Put = tuple[Seen, Sequence[ProgramRun]]

HANG, ERROR, SILENT, SLOWER, NOTHING = "hang", "error", "silent", "slower", "nothing"

_RESULTS, _DANGERS = ("weights", "epochs"), ("hazards", "given_away")


def what_happens(
    known: Exercise, name: str, cell: str, changed: str, doing: Callable[[str], None]
) -> dict[str, str]:
    """The outcome of a change: `kind` (see above), and texts for the learner."""
    answer = _function(name, changed)
    cases = known.public_cases
    for number, case in enumerate(cases, start=1):
        doing(f"Running your changed {name}: case {number} of {len(cases)}")
        seen, runs = _put(known, answer, case)
        match judged(known.judge, case, seen):
            case None:
                continue
            case Failed(finding):
                kind = _kind(_put(known, _function(name, cell), case), (seen, runs))
                words = known.words.finding(finding.name)
                facts = f"{finding.seen} · expected: {finding.expected} · in: {case.title}"
                return _outcome(kind, words.title, words.explanation, facts)
            case TimedOut(seconds):
                return _outcome(
                    HANG, "the check stopped it", "", f"no end after {seconds:g} seconds"
                )
            case outcome:
                return _outcome(ERROR, "the check ended with an error", "", str(outcome))
    return _outcome(NOTHING, "every case of the check passes as before", "", "")


def _put(known: Exercise, answer: Callable[..., Any], case: Case) -> _Put:
    """Run a case with an answer. Returns what was seen, and the runs of the program."""
    observer, runs = known.observer, []
    assert isinstance(observer, ProgramObserver)
    run = type(observer).run.__get__(observer)

    def noted(*words: Any, **given: Any) -> ProgramRun:
        runs.append(run(*words, **given))
        return runs[-1]

    vars(observer)["run"] = noted
    return Runner(observer, answer, known.world)(case), runs


def _kind(own: _Put, changed: _Put) -> str:
    """The kind of outcome of a changed program whose check failed."""
    pairs = list(zip(own[1], changed[1], strict=False))
    for before, after in pairs:
        if str(after.end).startswith(("still", "out of")):
            return HANG
        if (after.error and not before.error) or (after.end and not before.end):
            return ERROR
        if before.end and not after.end:
            return SILENT
    facts = [seen if isinstance(seen, Mapping) else {} for seen, _ in (own, changed)]
    if any(facts[0].get(name) != facts[1].get(name) for name in _RESULTS):
        return SILENT
    counts = [each for pair in pairs for each in zip(*(run.counts for run in pair), strict=False)]
    for before, after in counts:
        elsewhere = after.get("used") and after["used"] != before.get("used")
        if elsewhere or any(after.get(name) for name in _DANGERS):
            return SILENT
    return SLOWER if any(before != after for before, after in counts) else SILENT


def _outcome(kind: str, title: str, why: str, seen: str) -> dict[str, str]:
    return {"kind": kind, "title": title, "why": why, "seen": seen}


def _function(name: str, cell: str) -> Callable[..., Any]:
    """The function of this name that a cell defines, as in a notebook."""
    file = f"<changed cell {hash(cell)}>"
    linecache.cache[file] = (len(cell), None, cell.splitlines(keepends=True), file)
    namespace: dict[str, Any] = {}
    exec(compile("\n".join(definitions(cell)), file, "exec"), namespace)
    function: Callable[..., Any] = namespace[name]
    return function


def main() -> None:
    """Run each change from stdin, and write its outcome to stdout."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # for all other output

    def doing(what: str) -> None:
        out.write(json.dumps({"doing": what}) + "\n")

    for asked, name, cell, changed in json.load(sys.stdin):
        try:
            happening = what_happens(exercise(asked), name, cell, changed, doing)
        except Exception as fault:  # of the cell before it runs, or of the course: no question
            happening = _outcome("", type(fault).__name__, "", str(fault))
        out.write(json.dumps(happening) + "\n")


if __name__ == "__main__":
    main()

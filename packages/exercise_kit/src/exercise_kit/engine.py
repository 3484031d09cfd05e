"""The engine: it runs each case on an answer, has the facts judged, stops at the first finding."""

from collections.abc import Callable, Mapping, Sequence

from exercise_kit.contract import Case, Finding, Judge, Raise
from exercise_kit.outcomes import (
    CouldNotGrade,
    Failed,
    NotAttempted,
    Outcome,
    Passed,
    Place,
    Raised,
    Report,
    TimedOut,
)
from exercise_kit.runner import Seen, Unfit

KEPT, BY_CHANCE = "passes-alone", "by-chance"
"""Findings: an answer passes a case only if it was never called before, or only sometimes."""

Ask = Callable[[Case], Seen | None]
"""Runs one case on the answer, in this or another process."""


def examine(
    name: str,
    judge: Judge,
    ask: Ask,
    public: Sequence[Case],
    hidden: Sequence[tuple[int, Case]] | None = None,
    *,
    anew: Ask | None = None,
    patient: bool = True,
    once: bool = False,
) -> Report:
    """The report of an answer on the public cases, and on hidden ones with their numbers from 1.

    anew: runs a case on a copy of the answer that was never called, if possible.
    patient: whether a case that timed out is repeated, when there are hidden cases.
    once: whether to leave out the public cases whose number a hidden case has.

    Stops at the first case that does not pass. No error of the answer is raised here, except
    KeyboardInterrupt.
    """
    patient = patient and hidden is not None
    rounds = [(number, case, False) for number, case in enumerate(public, start=1)]
    if once:
        twins = {number for number, _ in hidden or ()}
        rounds = [each for each in rounds if each[0] not in twins]
    rounds += [(number, case, True) for number, case in hidden or ()]
    run = guess = None
    for called, (number, case, drawn) in enumerate(rounds):
        try:
            seen = ask(case)
            if patient and isinstance(seen, TimedOut):
                seen = ask(case)
            assert seen is not None
            outcome = judged(judge, case, seen)
            if isinstance(seen, dict):
                run, guess = judge.run_of(seen), judge.guess_of(seen)
        except Exception as fault:  # a fault of the check must not count against the answer
            outcome = CouldNotGrade(f"{type(fault).__name__}: {fault}")
        if outcome is not None:
            if called and anew and isinstance(outcome, Failed | Raised):
                outcome = _unless_it_passes_now(judge, ask, anew, case, outcome)
            return Report(name, outcome, Place(number, len(public), case.title, drawn), run, guess)
    again = None if hidden is None else len(hidden)
    return Report(name, Passed(len(public), again), run=run)


def _unless_it_passes_now(
    judge: Judge, ask: Ask, anew: Ask, case: Case, outcome: Failed | Raised
) -> Outcome:
    """`outcome`, or another finding if a copy of the answer that was never called passes the case.

    Then the answer keeps something between calls. Or it depends on chance, if the answer itself
    passes the case the second time.
    """
    try:
        seen = anew(case)
        if seen is None or judged(judge, case, seen) is not None:
            return outcome
        again = ask(case)
        fails = again is None or judged(judge, case, again) is not None
    except Exception:  # keep the first outcome
        return outcome
    name = KEPT if fails else BY_CHANCE
    if isinstance(outcome, Failed):
        return Failed(Finding(name, outcome.finding.seen, outcome.finding.expected))
    return Failed(Finding(name, str(outcome.raised), "no exception"))


def judged(judge: Judge, case: Case, seen: Seen) -> Outcome | None:
    """The outcome of a case; None if it passed."""
    match seen:
        case TimedOut():
            return seen
        case Unfit(unfit):
            return Failed(unfit)
        case Raise(type="NotImplementedError", text=""):
            # torch raises NotImplementedError as well, but with a text. The stub has none.
            return NotAttempted()
        case Raise():
            finding = judge.on_raise(case, seen)
            return Failed(finding) if finding else Raised(seen)
        case Mapping():
            finding = judge.judge(case, seen)
            return Failed(finding) if finding else None

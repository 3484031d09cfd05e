"""Apply an exercise to an answer: observe each case, have it judged, stop at the first finding."""

import dataclasses
import inspect
import json
import linecache
import random
import traceback
from collections.abc import Callable, Sequence
from typing import Any

from course_utils.checking.contract import (
    Case,
    Facts,
    Finding,
    FindingKind,
    Judge,
    Observer,
    Raise,
)
from course_utils.checking.intact import TorchReplaced, torch_unreplaced, torch_unswitched
from course_utils.checking.limits import OutOfTime, captured, time_limit
from course_utils.checking.outcomes import (
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

PUBLIC_SEED = "the public cases"

NOT_A_FUNCTION = FindingKind(
    name="not-a-function",
    title="the check needs your function itself",
    explanation="`check` calls your function many times, with inputs of its own.",
    next_step="Pass the function's name without brackets: `check(name, my_function)`.",
)
WRONG_PARAMETERS = FindingKind(
    name="wrong-parameters",
    title="your function takes other parameters",
    explanation="The check calls it with the parameters of the exercise, in their order.",
    next_step="Give the function the `def` line that the exercise came with.",
)
TORCH_REPLACED = FindingKind(
    name="torch-replaced",
    title="your function replaced a part of torch itself",
    explanation="Every later cell of the notebook would meet your version. It has been put back.",
    next_step="Change your own objects, and leave the attributes of `torch` as they are.",
)
GENERAL_FINDINGS = (NOT_A_FUNCTION, WRONG_PARAMETERS, TORCH_REPLACED)


class AnswerRaised(Exception):
    """Wraps whatever left the learner's function, to tell it from a fault of the observer."""


def public_cases(judge: Judge) -> list[Case]:
    """The cases that learners may see: the same on every machine."""
    return [case for case in _draw(judge, PUBLIC_SEED) if not case.hidden]


def hidden_cases(judge: Judge, seed: str) -> list[Case]:
    """The cases that only run at grading, drawn from the instructor's seed."""
    return [case for case in _draw(judge, seed) if case.hidden]


def count_hidden(judge: Judge) -> int:
    """How many hidden cases there are, without drawing those of any real seed."""
    return len(hidden_cases(judge, PUBLIC_SEED))


def _draw(judge: Judge, seed: str) -> Sequence[Case]:
    return judge.cases(random.Random(f"{seed}/{judge.name}"))


def examine(
    observer: Observer, judge: Judge, answer: Any, grading_seed: str | None = None
) -> Report:
    """Check `answer` on the public cases and, given the instructor's seed, on the hidden ones.

    Stops at the first case that does not pass. Never raises for anything the answer does;
    a keyboard interrupt passes through.
    """
    report = examine_cases(observer, judge, answer, public_cases(judge))
    if not report.passed:
        return report
    if grading_seed is None:
        outcome = Passed(report.outcome.cases, waiting=count_hidden(judge))
        return dataclasses.replace(report, outcome=outcome)
    hidden = examine_cases(observer, judge, answer, hidden_cases(judge, grading_seed))
    if not hidden.passed:
        return hidden
    outcome = Passed(report.outcome.cases + hidden.outcome.cases, waiting=0)
    return dataclasses.replace(report, outcome=outcome)


def examine_cases(
    observer: Observer,
    judge: Judge,
    answer: Any,
    cases: Sequence[Case],
    seconds: float | None = None,
) -> Report:
    """Check `answer` on `cases`, in at most `seconds` each (default: the observer's limit)."""
    unfit = _unfit(observer, answer)
    if unfit is not None:
        return Report(observer.name, Failed(unfit))
    with captured() as printed:
        for number, case in enumerate(cases, start=1):
            outcome = _examine_case(observer, judge, answer, case, seconds or observer.seconds)
            if outcome is not None:
                text = case.separates if case.hidden else case.title
                place = Place(number, len(cases), text, case.hidden)
                return Report(observer.name, outcome, place, "" if case.hidden else printed.text)
    return Report(observer.name, Passed(len(cases), waiting=0), None, printed.text)


def _unfit(observer: Observer, answer: Any) -> Finding | None:
    wanted = f"a function of ({', '.join(observer.parameters)})"
    if not callable(answer):
        return NOT_A_FUNCTION.found(seen=f"an object of type {type(answer).__name__}",
                                    expected=wanted)
    try:
        signature = inspect.signature(answer)
    except (TypeError, ValueError):
        return NOT_A_FUNCTION.found(seen="a callable without a signature", expected=wanted)
    try:
        signature.bind(*observer.parameters)
    except TypeError:
        return WRONG_PARAMETERS.found(seen=f"a function of {signature}", expected=wanted)
    return None


def _examine_case(
    observer: Observer, judge: Judge, answer: Callable[..., Any], case: Case, seconds: float
) -> Outcome | None:
    try:
        seen = observe_case(observer, answer, case, seconds)
        if isinstance(seen, TimedOut):
            return seen
        if isinstance(seen, TorchReplaced):
            return Failed(TORCH_REPLACED.found(seen=f"another `{seen}`", expected="torch's own"))
        if isinstance(seen, Raise):
            # torch raises such errors as well, and says what it has not; the stub says nothing.
            if seen.type == "NotImplementedError" and not seen.text:
                return NotAttempted()
            finding = judge.on_raise(case, seen)
            return Failed(finding) if finding else Raised(seen)
        finding = judge.judge(case, seen)
        return Failed(finding) if finding else None
    except Exception as fault:  # a fault of the check must never look like one of the answer
        return CouldNotGrade(f"{type(fault).__name__}: {fault}")


def observe_case(
    observer: Observer, answer: Callable[..., Any], case: Case, seconds: float
) -> Facts | Raise | TimedOut | TorchReplaced:
    """Run one case beside the answer. The facts have been through JSON, as at grading."""

    def guarded(*args: Any, **kwargs: Any) -> Any:
        try:
            with torch_unreplaced():
                return answer(*args, **kwargs)
        except (OutOfTime, KeyboardInterrupt, TorchReplaced):
            raise
        except BaseException as error:
            raise AnswerRaised from error

    try:
        with time_limit(seconds), torch_unswitched():
            facts = observer.observe(guarded, case.data)
    except OutOfTime:
        return TimedOut(seconds)
    except TorchReplaced as replaced:
        return replaced
    except AnswerRaised as wrapped:
        return _describe_raise(wrapped.__cause__, answer)
    return json.loads(json.dumps(facts))


def _describe_raise(error: BaseException | None, answer: Callable[..., Any]) -> Raise:
    where = ""
    own_file = getattr(getattr(answer, "__code__", None), "co_filename", None)
    for frame in traceback.extract_tb(error.__traceback__ if error else None):
        if frame.filename == own_file and frame.lineno:
            line = linecache.getline(frame.filename, frame.lineno).strip()
            where = f"line {frame.lineno}: `{line}`" if line else f"line {frame.lineno}"
    return Raise(type(error).__name__, str(error)[:1000], where)

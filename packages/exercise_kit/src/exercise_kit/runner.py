"""The part of a check in the answer's process: it calls the answer, observes it, and cleans up."""

import dataclasses
import functools
import inspect
import json
import linecache
import threading
import traceback
from collections.abc import Callable, Mapping
from typing import Any

from exercise_kit.contract import Case, Facts, Finding, NotFit, Observer, Raise
from exercise_kit.definitions import defined_anew
from exercise_kit.facts import name_of, text_of
from exercise_kit.limits import OutOfTime, captured, time_limit
from exercise_kit.outcomes import TimedOut
from exercise_kit.text import clip, code
from exercise_kit.world import Replaced, World


@dataclasses.dataclass(frozen=True)
class Unfit:
    """The answer cannot be judged; the finding says why."""

    finding: Finding


Seen = Facts | Raise | TimedOut | Unfit
"""The result of one case on an answer."""


class AnswerRaised(Exception):
    """Wraps an exception of the learner's function, to distinguish it from an observer's fault."""

    __cause__: BaseException


class Runner:
    """Runs cases on an answer in this process.

    world: the surroundings of the answer, restored after each case.

    seconds: the limit for a case; default: the observer's.
    printed: the beginning of the text that the answer printed in the last case.
    left_running: whether a thread of the answer was still running after a case.
    """

    def __init__(
        self, observer: Observer, answer: Any, world: World, seconds: float | None = None
    ) -> None:
        self._world = world
        world.ready(observer)
        self._observer, self._answer = observer, answer
        self._seconds = seconds or observer.seconds
        self._unfit = _unfit(observer, answer)
        self._intact = world.remembered or world.intact()
        self.printed, self.left_running = "", False

    def __call__(self, case: Case, patience: float = 1.0) -> Seen:
        """The result of one case. Its facts are converted to JSON and back, as at grading.

        patience: factor on the wall-clock limit.
        """
        if self._unfit is not None:
            return Unfit(self._unfit)
        return self._put(case, self._answer, patience)

    def anew(self, case: Case, patience: float = 1.0) -> Seen | None:
        """The result of one case on a copy of the answer that was never called.

        None without such a copy, because the source of the answer is not available.
        """
        copy = defined_anew(self._answer)
        return None if copy is None else self._put(case, copy, patience)

    def _put(self, case: Case, answer: Callable[..., Any], patience: float) -> Seen:
        threads = set(threading.enumerate())
        with captured() as printed, self._world.unswitched() as left:
            inputs = self._observer.prepare(case.data)
            seen = self._observed(answer, inputs, patience)
            if isinstance(seen, Mapping):
                seen = self._told(seen, case)
        self.printed = printed.text
        self.left_running |= any(
            not thread.daemon for thread in set(threading.enumerate()) - threads
        )
        return {**seen, "left": left} if left and isinstance(seen, Mapping) else seen

    def openly(self, case: Case) -> Seen:
        """The result of one case without captured output and time limit, for inspection.

        An exception of the answer is raised unchanged.
        """
        __tracebackhide__ = True  # IPython leaves this frame out
        if self._unfit is not None:
            return Unfit(self._unfit)
        try:
            with self._world.unswitched() as left, self._intact():
                inputs = self._observer.prepare(case.data)
                facts = self._observer.observe(self._guarded(self._answer), inputs)
        except NotFit as unfit:
            return Unfit(unfit.finding)
        except AnswerRaised as wrapped:
            raised = wrapped.__cause__
        else:
            return self._told({**facts, "left": left} if left else facts, case)
        own_frames = raised.__traceback__ and raised.__traceback__.tb_next
        raise raised.with_traceback(own_frames)

    def _observed(self, answer: Callable[..., Any], inputs: Any, patience: float) -> Seen:
        try:
            with self._intact(), time_limit(self._seconds, patience) as limit:
                facts = self._observer.observe(self._guarded(answer), inputs)
        except OutOfTime:
            return TimedOut(limit.wall if limit.waiting else limit.seconds, limit.waiting)
        except NotFit as unfit:
            return Unfit(unfit.finding)
        except AnswerRaised as wrapped:
            return describe_raise(wrapped.__cause__, answer)
        return facts

    def _told(self, facts: Facts, case: Case) -> Facts:
        told = self._observer.told(facts, self._observer.references(case.data))
        return json.loads(json.dumps(told))

    def _guarded(self, answer: Callable[..., Any]) -> Callable[..., Any]:
        """`answer`, with its exceptions wrapped in `AnswerRaised`; see `inspect.unwrap`.

        Replacements by the call are undone as it returns, before its result is described.
        Replacements by an observer stay.
        """

        @functools.wraps(answer, assigned=(), updated=())
        def guarded(*args: Any, **kwargs: Any) -> Any:
            try:
                with self._world.intact()():
                    return answer(*args, **kwargs)
            except (OutOfTime, KeyboardInterrupt, Replaced):
                raise
            except BaseException as error:
                raise AnswerRaised from error

        return guarded


def _unfit(observer: Observer, answer: Any) -> Finding | None:
    wanted = f"a function of ({', '.join(observer.parameters)})"
    if not callable(answer):
        return Finding("not-a-function", f"an object of type {name_of(type(answer))}", wanted)
    try:
        signature = inspect.signature(answer)
    except Exception:  # an object of the answer's own class can raise any error
        return Finding("not-a-function", "a callable without a signature", wanted)
    try:
        signature.bind(*observer.parameters)
    except TypeError:
        return Finding("wrong-parameters", f"a function of {text_of(signature)}", wanted)
    return None


def describe_raise(error: BaseException | None, answer: Callable[..., Any]) -> Raise:
    """An exception of `answer`, as a fact."""
    where = ""
    own_file = getattr(getattr(inspect.unwrap(answer), "__code__", None), "co_filename", None)
    for frame in traceback.extract_tb(error.__traceback__ if error else None):
        if frame.filename == own_file and frame.lineno:
            line = linecache.getline(frame.filename, frame.lineno).strip()
            where = f"line {frame.lineno}: {code(line)}" if line else f"line {frame.lineno}"
    kind = type(error)
    home = vars(type)["__module__"].__get__(kind)  # even if its metaclass defines another one
    known = isinstance(home, str) and home.partition(".")[0] in ("builtins", "torch")
    return Raise(name_of(kind), clip(text_of(error), 2000), where, known)


def said(seen: Seen) -> str:
    """A few words on a case without facts."""
    match seen:
        case Raise():
            return str(seen)
        case TimedOut(seconds):
            return f"it did not end within {seconds:g} seconds"
        case Unfit(finding):
            return f"{finding.name}: {finding.seen}"
    return "facts"

"""The functions that learners call: check, rerun, hint, solution and progress."""

from bdb import BdbQuit
from dataclasses import replace
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from course_utils.checking import manual_grading
from course_utils.checking.buttons import with_buttons
from course_utils.checking.elsewhere import VIRTUAL, checked
from course_utils.checking.exercises import current_name, exercise
from course_utils.checking.mode import AUTOGRADING, SCORED, hidden_seed
from course_utils.checking.progress import lines, milestone, progress_of
from course_utils.checking.real_gpu import also_on_the_gpu
from course_utils.checking.record import record, workspace
from course_utils.checking.shell import clear_outputs, name_missing_answers
from course_utils.checking.single_case import Seed, SingleCase, single_case
from course_utils.checking.solutions import withheld
from course_utils.checking.view import (
    AGAIN,
    GREEN,
    GREY,
    CheckMessage,
    Line,
    Message,
    report_message,
    where,
)
from course_utils.checking.world import load_lazy_parts
from course_utils.errors import CourseError
from course_utils.manifest import load_manifest
from course_utils.usage import written
from exercise_kit import check as applied
from exercise_kit.contract import Finding
from exercise_kit.engine import judged
from exercise_kit.folder import Exercise
from exercise_kit.outcomes import CouldNotGrade, Failed, Report, TimedOut
from exercise_kit.reference import has_reference, reference
from exercise_kit.runner import Runner, Seen, describe_raise
from exercise_kit.sent import received_report
from exercise_kit.text import code

PLUG_INS = "on_the_right_device.passed"
"""The entry points that are called when an answer passed: with the workspace, the exercise's name
and the answer. Each returns sentences for the learner."""

_GPUS = 4
_TRIES = 2  # wrong guesses at the fault of one run of a diagnosis
_interrupted = False  # whether nbgrader has interrupted a check in this kernel

name_missing_answers()


class CheckFailed(CourseError):
    """A check that did not pass, under nbgrader: a test cell that raised scores zero."""


@written('`check("tensors.move_batch", move_batch)`: the exercise\'s name, then your function')
def check(name: str, answer: Any, *, seed: Seed = None) -> CheckMessage | None:
    """The result of the check of `answer`, your function, against exercise `name`.

    The public cases run. With a `seed`, they run once more with values drawn from it, as at
    grading, where only the instructor has the seed. If nbgrader reads the result, a check that does
    not pass raises `CheckFailed`, and one that fails itself leaves the cell to the instructor.
    Raises CourseError if there is no such exercise.
    """
    global _interrupted
    try:
        if _interrupted:  # perhaps during an import, which left half a module
            raise KeyboardInterrupt
        return _checked(name, answer, seed)
    except KeyboardInterrupt:
        if not SCORED:
            raise
        _interrupted = True
        why = manual_grading.INTERRUPTED
    except CourseError:
        raise
    except Exception as fault:  # a fault of the course, or of the machine
        if not AUTOGRADING:
            raise
        why = f"The check of {name} itself failed ({type(fault).__name__})."
    clear_outputs()
    if AUTOGRADING:
        manual_grading.hold(why)
    raise CheckFailed(why)


def _checked(name: str, answer: Any, seed: Seed) -> CheckMessage | None:
    known = _exercise(name, answer)
    name = current_name(name)
    on_gpus = known.observer.gpus != 0
    notes = [f"Checked on {_GPUS} virtual GPUs."] if on_gpus else []
    drawn_from = hidden_seed() or (None if seed is None else str(seed))
    if not SCORED:
        _announce_loading(known.observer.in_processes)
        if known.observer.says:
            print(known.observer.says, flush=True)
    if on_gpus and not use_virtual_gpus():
        report, printed, left_running = _checked_elsewhere(known, answer, drawn_from), "", False
    else:
        report, runner = applied.check(known, answer, drawn_from)
        printed, left_running = runner.printed, runner.left_running
    if left_running:
        notes.append(
            "A thread that your code started is still running. If it prints into other "
            "cells, restart the kernel."
        )
    if not SCORED and _is_used_up(report):
        seen = f"run {report.run}, after two wrong guesses"
        again = Finding("run-used-up", seen, "another run")
        report = replace(report, outcome=Failed(again))
    record().add("check", name, outcome=type(report.outcome).__name__, **_details(report))
    task = load_manifest().task(name)
    if report.passed and not SCORED:
        also_on_the_gpu(known, answer)
        notes += [task.done] if task else _taken_up(name, answer)
        if done := milestone(name, record()):
            notes.append(done)
    single = None if SCORED else single_case(known, answer, report, seed)
    if single is not None:
        endless = isinstance(report.outcome, TimedOut)
        until = ", until you interrupt the kernel" if endless else ""
        notes.insert(0, f"{code(single.line)} runs this case alone{until}.")
    message = report_message(
        report,
        known.words,
        notes,
        printed,
        further="" if task else _at_grading(known),
        secret=AUTOGRADING,
    )
    if SCORED:
        # nbgrader gives no point to a cell that wrote to stderr (nbgrader/utils.py,
        # determine_grade), be it a library's log: only the verdict may stay in its outputs.
        clear_outputs()
        if isinstance(report.outcome, CouldNotGrade):
            if AUTOGRADING:
                manual_grading.hold(f"The check of {name} itself failed.", message)
            manual_grading.display(message)
            return None
        if not report.passed:
            raise CheckFailed(message.text)
        return Scored(**vars(message))
    return with_buttons(message, known, single, _offered_hint(known))


@cache
def _announce_loading(in_processes: bool) -> None:
    """Say that a first check takes longer: here, or in the process from which programs start."""
    if in_processes or not load_lazy_parts.cache_info().currsize:
        print("The first check takes longer: it loads parts of PyTorch …", flush=True)


@written(
    '`rerun("tensors.move_batch", move_batch, case=3)`: the exercise\'s name, your function '
    "and the number of the case"
)
def rerun(name: str, answer: Any, case: int, *, seed: Seed = None) -> Message | None:
    """Run one case of exercise `name` with `answer`, your function, to see what happens.

    There is no time limit, and no error is caught: prints show, an error has its traceback,
    `breakpoint()` and `%debug` work.

    case: its number, as in the message of `check`. seed: the one of that `check`, if it had one.

    Raises CourseError if there is no such exercise or case, and every error of the answer.
    """
    __tracebackhide__ = True  # IPython leaves this frame out
    known = _exercise(name, answer)
    name = current_name(name)
    single = SingleCase(known, known.short, case, seed)
    if SCORED:
        return Message("→", GREY, (Line("`rerun` runs nothing under nbgrader.", ""),))
    if known.observer.gpus != 0:
        use_virtual_gpus()
    try:
        seen = Runner(known.observer, answer, known.world).openly(single.case)
    except BdbQuit:  # left the debugger
        raise
    except Exception as error:
        from IPython.display import display

        display(_of_single_case(single, describe_raise(error, answer)))
        raise
    return _of_single_case(single, seen)


@written('`hint("tensors.move_batch")`, with the name of the exercise')
def hint(name: str, number: int | None = None) -> Message:
    """The next hint for exercise `name`. The last hint is a worked example of a similar problem.

    number: of one hint, from 1. Raises CourseError if there is no such hint.
    """
    known = exercise(name)
    name = current_name(name)
    hints = known.words.hints
    if AUTOGRADING:
        return _withheld("Hints")
    if number is not None and (type(number) is not int or not 1 <= number <= len(hints)):
        raise CourseError(f"{name} has hints 1 to {len(hints)}; you asked for {number!r}.")
    number = number or _offered_hint(known)
    record().add("hint", name, number=number)
    following = next_hint(known)
    more = "There are no more hints."
    if not withheld(known):
        more = f'There are no more hints; `solution("{name}")` shows a solution.'
    if following:
        which = "the next one" if following > number else "an earlier one"
        more = f'`hint("{name}", {following})` shows {which}.'
    lead = f"Hint {number} of {len(hints)}."
    return Prose("→", GREY, (Line(lead, more),), hints[number - 1])


@written('`solution("tensors.move_batch")`, with the name of the exercise')
def solution(name: str) -> Message:
    """An explained solution of exercise `name`, shown at the second call.

    If the course withholds the solution, the message says so.
    """
    known = exercise(name)
    name = current_name(name)
    if AUTOGRADING:
        return _withheld("Solutions")
    if why := withheld(known):
        return Message(
            "→", GREY, (Line("No solution.", why), Line("Next:", f'Try `hint("{name}")`.'))
        )
    asked_before = bool(record().events("solution", name))
    record().add("solution", name)
    if not asked_before:
        sure = Line("Sure?", "You remember a solution longer if you find it yourself.")
        advice = f'Try `hint("{name}")` for one step, or call `solution("{name}")` again.'
        return Message("→", GREY, (sure, Line("Next:", advice)))
    lead = Line(
        "One solution.", "Other solutions are right too, if they do the same: they pass the check."
    )
    return Prose("→", GREY, (lead,), f"```python\n{reference(known.path)}\n```")


@written("`progress()`, with nothing between the brackets")
def progress() -> Message:
    """Your progress in each lesson, and the next step."""
    return Message("→", GREY, tuple(Line(*line) for line in lines(progress_of(record()))))


class Scored(CheckMessage):
    """A passed check under nbgrader, shown as an output: nbgrader takes a result for the points."""

    def _ipython_display_(self) -> None:
        from IPython.display import publish_display_data

        publish_display_data({"text/plain": self.text, "text/html": self._repr_html_()})


class Prose(Message):
    """A message with a Markdown text under its lines (its `excerpt`)."""

    @property
    def text(self) -> str:
        """The whole message as plain text."""
        head = Message(self.mark, self.tone, self.lines).text
        return f"{head}\n\n{self.excerpt}"

    def _repr_html_(self) -> None:  # type: ignore[override]
        return None  # a notebook would show HTML instead of the Markdown

    def _repr_markdown_(self) -> str:
        head = "  \n".join(f"**{line.lead}** {line.text}" for line in self.lines)
        return f"{head}\n\n{self.excerpt}"


def _at_grading(known: Exercise) -> str:
    if known.is_data and not has_reference(known.path):  # other draws need the solution
        return f"{AGAIN.partition(';')[0]}."
    return AGAIN


def _exercise(name: str, answer: Any) -> Exercise:
    if callable(name) and isinstance(answer, str):
        called = getattr(name, "__name__", "your_function")
        raise CourseError(
            f'The exercise\'s name comes first, then your function: write `"{answer}", {called}`.'
        )
    return exercise(name)


def next_hint(known: Exercise) -> int | None:
    """The number of the next hint: one after the latest, else an earlier one not yet shown.

    None if all have been shown.
    """
    shown = [event.get("number", 0) for event in record().events("hint", known.name)]
    left = [number for number in range(1, len(known.words.hints) + 1) if number not in shown]
    after = [number for number in left if shown and number > shown[-1]]
    return next(iter(after or left), None)


def _offered_hint(known: Exercise) -> int:
    """The number of the next hint; of the last one if all have been shown."""
    return next_hint(known) or len(known.words.hints)


def _of_single_case(single: SingleCase, seen: Seen) -> Message:
    """The message for a case that was run alone."""
    known = single.exercise
    call = (Line("Called:", code(single.called)),) if single.called else ()
    outcome = judged(known.judge, single.case, seen)
    if outcome is None:
        return Message("✓", GREEN, (Line("This case passes:", f"{where(single.place)}."), *call))
    message = report_message(Report(known.name, outcome, single.place), known.words)
    return replace(message, lines=(message.lines[0], *call, *message.lines[1:]))


def _withheld(what: str) -> Message:
    return Message("→", GREY, (Line(f"{what} are not shown while grading.", ""),))


def use_virtual_gpus() -> bool:
    """Make four virtual GPUs available, unless this process uses real ones. Whether it has them."""
    import torch

    import virtual_cuda
    from course_utils.devices import current_lab, virtual_lab

    active = current_lab()
    real = active is not None and active.kind == "real"
    if real or (torch.cuda.is_initialized() and not virtual_cuda.is_enabled()):
        return False
    if active is None or len(active) < _GPUS:
        print(virtual_lab(_GPUS))
    return True


def _checked_elsewhere(known: Exercise, answer: Any, seed: str | None) -> Report:
    """The report of an answer on the virtual GPUs of a child process. Raises CourseError."""
    print("Your notebook uses real GPUs. The check runs on virtual ones, in a process of its own …")
    told = checked(VIRTUAL, known.name, answer, seed, False, 600)
    why = "" if "outcome" in told else told["last"]
    if not why and told["outcome"][0] == "Raised":
        raised = told["outcome"][1]["raised"]
        why = raised["text"] if raised["type"] == "NameError" else ""
    if why:
        raise CourseError(
            f"The process of the check ended: {why}. It gets your imports, functions and "
            "constants, but no value that a cell has computed. Define your answer with `def` in "
            "one cell."
        )
    return received_report(told)


def _taken_up(name: str, answer: Any) -> list[str]:
    """Call the entry points for an answer that passed; returns their sentences."""
    folder = workspace()
    if folder is None:
        return []
    points = entry_points(group=PLUG_INS)
    return [text for point in points for text in point.load()(folder, name, answer)]


def _details(report: Report) -> dict[str, str | int]:
    """The details of a report for the learner's record."""
    finding = getattr(report.outcome, "finding", None)
    details: dict[str, str | int] = {"finding": finding.name} if finding else {}
    about = {"run": report.run, "guess": report.guess}
    return details | {name: value for name, value in about.items() if value is not None}


def _is_used_up(report: Report) -> bool:
    """Whether the learner has made two wrong guesses at this run of a diagnosis.

    The same guess again is not counted, nor a change that does not repair the program, nor any
    guess after a pass.
    """
    if report.run is None:
        return False
    tries = [e for e in record().events("check", report.exercise) if e.get("run") == report.run]
    passed = any(event["outcome"] == "Passed" for event in tries)
    return not passed and len({e["guess"] for e in tries if "guess" in e}) >= _TRIES

"""A run of `course grade` in a separate process, which is killed or stopped at a named step."""

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import event

from course_grading import executor
from course_grading.job import Job
from course_grading.results import Graded
from course_grading.run import autograded, command, coordinator, gradebook
from course_grading.run.journal import Journal
from course_grading.sandbox import Level

Owner = Any


class Known:
    """A replacement for a judge, with the results of a real one for the same submissions."""

    def __init__(self, graded: dict[str, Graded]) -> None:
        self._graded = graded

    def grade(self, job: Job) -> Graded:
        return self._graded[job.student]

    def close(self) -> None:
        pass


def run(
    root: Path, assignment: str, known: dict[str, Graded], step: str, nth: int, number: int
) -> None:
    """Grade, and get a signal when `step` is reached for the `nth` time; no signal if it is ""."""
    for each in (signal.SIGINT, signal.SIGTERM):  # as in the command
        signal.signal(each, signal.default_int_handler)
    executor.JudgeProcess = lambda _: Known(known)  # type: ignore[assignment,misc]
    command.hidden_cases = lambda *_: "{}"  # type: ignore[assignment]
    command.level_or_refuse = lambda minimum: minimum  # type: ignore[assignment]
    if step:
        STEPS[step](_killer(nth, number))
    options = command.GradeOptions(assignment, root, minimum=Level.NONE)
    command.grade_class(options, lambda _: None)


def _killer(nth: int, number: int) -> Callable[[], None]:
    left = [nth]

    def kill() -> None:
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), number)

    return kill


def _around(owner: Owner, name: str, before: Any = None, after: Any = None) -> None:
    whole = getattr(owner, name)

    def wrapped(*args: Any, **kwargs: Any) -> Any:
        if before:
            before(*args)
        result = whole(*args, **kwargs)
        if after:
            after(*args)
        return result

    setattr(owner, name, wrapped)


def _between_renames(kill: Callable[[], None]) -> None:
    """Kill after the old folder was moved away, before the new one is in its place."""

    def act(path: Path, _target: Path) -> None:
        if "autograded" in path.parts:
            kill()

    _around(Path, "rename", after=act)


def _before_renames(kill: Callable[[], None]) -> None:
    _around(autograded.nbformat, "write", after=lambda *_: kill())


def _within_commit(kill: Callable[[], None]) -> None:
    """Kill after everything is written to the gradebook, before the commit."""
    book = gradebook.ClassGradebook

    def act(self: Any, *_: Any) -> None:
        event.listen(self._book.db(), "before_commit", lambda session: (session.flush(), kill()))

    _around(book, "save", before=act)


def _within_file(kill: Callable[[], None]) -> None:
    """Kill when half of the notebook is written."""

    def act(_notebook: Any, path: Path) -> None:
        path.write_text('{"cells": [')
        kill()

    _around(autograded.nbformat, "write", before=act)


STEPS: dict[str, Callable[[Callable[[], None]], None]] = {
    "before it is in the journal": lambda kill: _around(Journal, "put", before=lambda *_: kill()),
    "once it is in the journal": lambda kill: _around(Journal, "put", after=lambda *_: kill()),
    "while the notebook is written": _within_file,
    "once the notebook is written": _before_renames,
    "between the two renames": _between_renames,
    "once it is published": lambda kill: _around(coordinator, "publish", after=lambda *_: kill()),
    "while the gradebook is written": _within_commit,
    "once the gradebook is written": lambda kill: _around(
        gradebook.ClassGradebook, "save", after=lambda *_: kill()
    ),
    "once all is done": lambda kill: _around(Journal, "finish", after=lambda *_: kill()),
}

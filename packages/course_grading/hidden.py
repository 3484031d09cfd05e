"""The hidden cases of an assignment, with the right facts: made once for a class."""

import json
from collections.abc import Mapping, Sequence
from multiprocessing import Pipe
from typing import Any

from course_grading.loader.handle import loader
from course_utils.errors import CourseError
from course_utils.manifest import load_manifest
from exercise_kit.contract import Case

Hidden = Mapping[str, Sequence[tuple[int, Case]]]
"""The hidden cases of each exercise, each case with its number from 1."""

_SECONDS = 600.0  # wall-clock limit for all exercises of an assignment


def hidden_cases(assignment: str, seed: str) -> str:
    """The hidden cases drawn from `seed`, as JSON. The course's own answers run in a new process.

    An assignment that is not in the manifest has none.
    Raises CourseError if one of these answers fails a case, or all take over ten minutes.
    """
    if assignment not in {each.name for each in load_manifest().assignments}:
        return "{}"
    ours, theirs = Pipe()
    with ours:
        try:
            with theirs:
                pid = loader().fork("truth", theirs.fileno())
        except OSError as error:
            raise CourseError(f"The grader could not start: {error}. Try again.") from error
        try:
            ours.send_bytes(json.dumps([assignment, seed]).encode())
            if not ours.poll(_SECONDS):
                raise TimeoutError("the course's own answers took over ten minutes")
            content = ours.recv_bytes().decode()
            told = json.loads(content)
        except (EOFError, OSError, ValueError) as error:
            raise CourseError(f"The hidden cases could not be made: {error}.") from error
        finally:
            loader().kill(pid)
    if isinstance(told, str):
        raise CourseError(told)
    return content


def parse_hidden(content: str) -> Hidden:
    """The hidden cases that `hidden_cases` wrote as JSON."""
    told: dict[str, list[Any]] = json.loads(content)
    return {
        name: [(number, Case(*case)) for number, *case in cases] for name, cases in told.items()
    }

"""What of a student's files is the submission: one notebook, and the files beside it."""

import contextlib
import io
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import PurePosixPath

import nbformat
from nbformat import NotebookNode

from course_grading.intake.files import IntakeRefused, Item, Refuse, items_of_zip
from course_grading.intake.platforms import is_junk, name_match
from course_notebooks.reading import LARGEST, parse_submission, shown
from course_utils.errors import CourseError

_AGAIN = re.compile(r"-\d+(?=(?:\.[^.]*)?$)")  # Canvas makes weights-1.pt of a second weights.pt
_MOST_OTHERS, _MOST_ALIKE = 100, 20  # notebooks of one name, each read into memory
_LONGEST_NAME = 200  # bytes
_LONGEST_PATH = 1_000  # bytes
_NOT_THEIRS = {"timestamp.txt", "submission_secret.txt", "not_taken.txt"}  # written here


@dataclass(frozen=True)
class ChosenFiles:
    """What is to be put into submitted/.

    files: by path; the notebook under the assignment's name.
    notes: what was decided about it, in sentences.
    late: whether the platform marks it as late.
    time: when it was handed in, where that is known.
    """

    files: dict[str, bytes]
    origin: str = ""
    notes: tuple[str, ...] = ()
    late: bool = False
    time: datetime | None = None


def choose(handed: Iterable[Item], assignment: str, refuse: Refuse) -> ChosenFiles:
    """Choose among a student's files. Raises IntakeRefused if there is no notebook to be taken."""
    wanted, files = f"{assignment}.ipynb", list(_unzipped(handed, refuse))
    notebooks = [each for each in files if each.ends(".ipynb")]
    if not notebooks:
        raise IntakeRefused(f"there is no notebook: ask for {wanted}.")
    rank = {each: (each.order[0], name_match(each.parts[-1], assignment)) for each in notebooks}
    attempt, best = max(rank.values())
    named = [each for each in notebooks if rank[each] == (attempt, best)]
    if len(named) > (_MOST_ALIKE if best else 1):
        names = ", ".join(shown(each.parts[-1]) for each in named[:5])
        raise IntakeRefused(f"there are {len(named)} notebooks ({names}): ask for one {wanted}.")
    chosen, data = _last(named, wanted, refuse)
    notes = []
    if len(named) > 1 or any(attempt != earlier for earlier, _ in rank.values()):
        notes.append(f"the last of {len(notebooks)} notebooks was taken, {chosen.origin}.")
    elif len(notebooks) > 1:
        notes.append(f"notebooks of other names lie beside it: {len(notebooks) - 1}.")
    if best == 0 and chosen.parts[-1] != ".ipynb":
        notes.append(f"{shown(chosen.parts[-1])} was taken, and is called {wanted} now.")
    beside = [each for each in files if each.order[0] == attempt and each not in named]
    content = {wanted: data} | dict(_others(beside, chosen.parts[:-1], refuse))
    plain = {name: _AGAIN.sub("", name) for name in content} if chosen.order[1] else {}
    for name, other in plain.items():
        if other not in plain and [*plain.values()].count(other) == 1:
            content[other] = content[name]
            notes.append(f"{name} is there as {other} as well.")
    return ChosenFiles(content, chosen.origin, tuple(notes), chosen.late, chosen.time)


def _unzipped(handed: Iterable[Item], refuse: Refuse) -> Iterator[Item]:
    for each in handed:
        if not each.ends(".zip"):
            yield each
            continue
        try:
            for item in items_of_zip(io.BytesIO(each.read()), each.origin, refuse, inner=True):
                if not is_junk(item.parts):
                    yield replace(each, parts=item.parts, origin=item.origin, read=item.read)
        except CourseError as error:
            refuse(str(error))


def _last(notebooks: list[Item], wanted: str, refuse: Refuse) -> tuple[Item, bytes]:
    """The last notebook that can be read. Raises IntakeRefused if none can, or several are last."""
    problems, readable = [], []
    for each in sorted(notebooks, key=lambda each: each.order, reverse=True):
        try:
            data = each.read()
            readable.append((each, _as_nbgrader_reads(data, parse_submission(data, each.origin))))
        except CourseError as error:
            problems.append(str(error))
    if not readable:
        raise IntakeRefused(f"there is no readable notebook. {' '.join(problems)}")
    for problem in problems:
        refuse(problem)
    chosen, data = readable[0]
    if any(other != data for each, other in readable if each.order == chosen.order):
        raise IntakeRefused(f"several notebooks are called {wanted}: delete all but the last.")
    return chosen, data


def _as_nbgrader_reads(data: bytes, notebook: NotebookNode) -> bytes:
    """The bytes as they came, unless nbgrader's own commands could not read them."""
    with contextlib.suppress(ValueError, KeyError):
        if json.loads(data.decode())["nbformat"] == 4:
            return data
    return nbformat.writes(notebook).encode()


def _others(
    files: Iterable[Item], beside: tuple[str, ...], refuse: Refuse
) -> Iterator[tuple[str, bytes]]:
    taken: set[PurePosixPath] = set()
    size = 0
    for each in files:
        skip = len(beside) if each.parts[: len(beside)] == beside else 0
        path = PurePosixPath(*each.parts[skip:])
        try:
            _check(path, taken, each.origin)
            data = each.read()
        except CourseError as error:
            refuse(str(error))
            continue
        size += len(data)
        if size > LARGEST or len(taken) >= _MOST_OTHERS:
            most = f"{LARGEST >> 20} MB and {_MOST_OTHERS} files"
            refuse(f"{each.origin} and all after it were left out: {most} are the most.")
            return
        taken.add(path)
        yield str(path), data


def _check(path: PurePosixPath, taken: set[PurePosixPath], origin: str) -> None:
    """Raises IntakeRefused for a file that may not stand beside the notebook."""
    if str(path) in _NOT_THEIRS:
        raise IntakeRefused(f"{origin} was left out: `course intake` writes a file of that name.")
    if not path.parts or ".." in path.parts or len(str(path).encode()) > _LONGEST_PATH:
        raise IntakeRefused(f"{origin} has a path that no disk takes: rename it.")
    if any(not part.isprintable() or len(part.encode()) > _LONGEST_NAME for part in path.parts):
        raise IntakeRefused(f"{origin} has a name that is not text, or too long: rename it.")
    if any(path == other or path in other.parents or other in path.parents for other in taken):
        raise IntakeRefused(f"{origin} is there twice, or also a folder: keep one.")

"""What of a student's files is the submission: one notebook, and what may lie beside it."""

import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import PurePosixPath

import nbformat
from nbformat import NotebookNode

from course_grading.intake.files import IntakeRefused, Item, Refuse, items_of_zip
from course_grading.intake.layout import holds_a_class, is_junk, name_match
from course_notebooks.reading import LARGEST, parse_submission, shown
from course_utils.errors import CourseError

_MOST_OTHERS = 100
_LONGEST_NAME = 200  # bytes
_LONGEST_PATH = 1_000  # bytes
_NOT_THEIRS = {  # nbgrader's own files
    "timestamp.txt": "the time is that of the platform",
    "submission_secret.txt": "each submission gets its own",
    "not_taken.txt": "it is what `course intake` writes",
}


@dataclass(frozen=True)
class ChosenFiles:
    """What is to be put into submitted/.

    files: by path; the notebook under the assignment's name.
    origin: where the notebook came from.
    notes: what was decided about it, in sentences.
    late: whether the platform says that it came late, though not when.
    time: when it was handed in, where a table tells.
    """

    files: dict[str, bytes]
    origin: str
    notes: tuple[str, ...]
    late: bool = False
    time: datetime | None = None


def choose(handed: Sequence[Item], assignment: str, refuse: Refuse) -> ChosenFiles:
    """Choose among a student's files. Raises IntakeRefused if there is no notebook to be taken."""
    files = list(_unzipped(handed, refuse))
    notes: list[str] = []
    notebooks = [each for each in files if each.ends(".ipynb")]
    notebook, data = _notebook(notebooks, assignment, notes, refuse)
    content = {f"{assignment}.ipynb": data}
    best = name_match(notebook.parts[-1], assignment)
    left = [each for each in notebooks if name_match(each.parts[-1], assignment) < best]
    beside = [each for each in files if each in left or not each.ends(".ipynb")]
    for name, extra in _others(beside, notebook.parts[:-1], refuse):
        content[name] = extra
    return ChosenFiles(content, notebook.origin, tuple(notes), notebook.late)


def _unzipped(handed: Iterable[Item], refuse: Refuse) -> Iterator[Item]:
    for each in handed:
        if not each.ends(".zip"):
            yield each
            continue
        try:
            file = io.BytesIO(each.read())
            items = items_of_zip(file, each.origin, refuse, inner=True)
            inner = [item for item in items if not is_junk(item.parts)]
            if each.owner.platform == "" and holds_a_class(inner):
                raise IntakeRefused(
                    f"{each.origin} holds what a platform handed out for a "
                    "class: take it in by itself."
                )
            for item in inner:
                yield replace(each, parts=item.parts, origin=item.origin, read=item.read)
        except CourseError as error:
            refuse(str(error))


def _notebook(
    notebooks: Sequence[Item], assignment: str, notes: list[str], refuse: Refuse
) -> tuple[Item, bytes]:
    wanted = f"{assignment}.ipynb"
    if not notebooks:
        raise IntakeRefused(f"there is no notebook: ask for {wanted}.")
    best = max(name_match(each.parts[-1], assignment) for each in notebooks)
    if best == 0 and len(notebooks) > 1:
        names = ", ".join(shown(each.parts[-1]) for each in notebooks[:5])
        raise IntakeRefused(
            f"there are {len(notebooks)} notebooks ({names}), none called {wanted}: "
            "rename the right one."
        )
    candidates = [each for each in notebooks if name_match(each.parts[-1], assignment) == best]
    candidates.sort(key=lambda each: each.order, reverse=True)
    problems: dict[str, None] = {}
    readable: list[tuple[Item, bytes]] = []
    for each in candidates:
        try:
            data = each.read()
            notebook = parse_submission(data, each.origin)
            readable.append((each, _as_nbgrader_reads(data, notebook)))
        except CourseError as error:
            problems[str(error)] = None
    if not readable:
        raise IntakeRefused(f"there is no readable notebook. {' '.join(problems)}")
    for problem in problems:
        refuse(problem)
    chosen, data = readable[0]
    if any(other != data for each, other in readable[1:] if each.order == chosen.order):
        raise IntakeRefused(
            f"there are several notebooks called {wanted}, and nothing says which one is "
            "the last: delete the others."
        )
    if len(candidates) > 1:
        notes.append(f"the last of {len(candidates)} notebooks was taken, {chosen.origin}.")
    elif len(notebooks) > 1:
        notes.append(f"beside it lie notebooks of other names: {len(notebooks) - 1}.")
    if best == 0 and PurePosixPath(chosen.parts[-1]).stem != chosen.owner.name:
        notes.append(f"{shown(chosen.parts[-1])} was taken, and is called {wanted} now.")
    return chosen, data


def _as_nbgrader_reads(data: bytes, notebook: NotebookNode) -> bytes:
    """The bytes as they came, unless nbgrader's own commands could not read them."""
    try:
        if json.loads(data.decode())["nbformat"] == 4:
            return data
    except (ValueError, KeyError):
        pass
    return nbformat.writes(notebook).encode()


def _others(
    files: Iterable[Item], beside: tuple[str, ...], refuse: Refuse
) -> Iterator[tuple[str, bytes]]:
    taken: set[PurePosixPath] = set()
    size = 0
    for each in files:
        inside = each.parts
        if inside[: len(beside)] == beside:
            inside = inside[len(beside) :]
        path, origin = PurePosixPath(*inside), each.origin
        problem = _problem(path, taken)
        if problem:
            refuse(f"{origin} {problem}.")
            continue
        try:
            data = each.read()
        except CourseError as error:
            refuse(str(error))
            continue
        size += len(data)
        if size > LARGEST or len(taken) >= _MOST_OTHERS:
            refuse(
                f"{origin} and all after it are too much: take {LARGEST >> 20} MB and "
                f"{_MOST_OTHERS} files beside a notebook at most."
            )
            return
        taken.add(path)
        yield str(path), data


def _problem(path: PurePosixPath, taken: set[PurePosixPath]) -> str:
    """Why a file may not stand beside the notebook, or ""."""
    if why := _NOT_THEIRS.get(str(path)):
        return f"was left out: {why}"
    if not path.parts or ".." in path.parts or len(str(path).encode()) > _LONGEST_PATH:
        return "has a path that no disk takes: rename it"
    if any(not part.isprintable() or len(part.encode()) > _LONGEST_NAME for part in path.parts):
        return "has a name that is not text, or too long: rename it"
    if any(path == other or path in other.parents or other in path.parents for other in taken):
        return "is there twice, or also a folder: keep one"
    return ""

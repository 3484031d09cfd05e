"""Whose a file is, from its path: as Canvas or Moodle name it, or by plain names."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import PurePosixPath

from course_grading.intake.items import Item

_MOODLE = re.compile(
    r"(?P<name>.+?)_(?P<number>\d+)_assignsubmission_(?:file|onlinetext)_?(?P<rest>.*)", re.DOTALL
)
_CANVAS = re.compile(
    r"(?P<name>[^_]+)(?P<late>_LATE)?_(?P<number>\d{2,})_(?P<attachment>\d{2,})_(?P<rest>.+)",
    re.DOTALL,
)
# Canvas adds the number to a file that was handed in before.
_AGAIN = re.compile(r"(?P<stem>.+)-(?P<number>\d+)(?P<kind>\.[^.]*)?", re.DOTALL)
_COPY = re.compile(r"(?:[ _.-]*(?:\(\d+\)|copy[ _-]?\d*|-\d+))+$", re.IGNORECASE)
_SYSTEM_FOLDERS = {
    "__MACOSX",
    "__pycache__",
    ".ipynb_checkpoints",
    ".git",
    ".idea",
    ".vscode",
    ".venv",
    ".virtual_documents",
}
_SYSTEM_FILES = {".ds_store", ".localized", "thumbs.db", "desktop.ini"}


@dataclass(frozen=True)
class Whose:
    """A student as a platform names one; `number` is what it calls a user's id, or ""."""

    platform: str
    name: str
    number: str = ""


@dataclass(frozen=True)
class Handed:
    """A file of a student. `inside` is its path among that student's files.

    order: which came later, where the platform tells.
    late: whether the platform says that it came late.
    """

    whose: Whose
    inside: tuple[str, ...]
    item: Item
    order: tuple[int, int] = (0, 0)
    late: bool = False

    @property
    def is_notebook(self) -> bool:
        return self.inside[-1].lower().endswith(".ipynb")

    @property
    def is_zip(self) -> bool:
        return self.inside[-1].lower().endswith(".zip")


_Reader = Callable[[tuple[str, ...], Item], Handed | None]


def is_junk(parts: tuple[str, ...]) -> bool:
    """Is it a file that a system or a program left there for itself?"""
    name = parts[-1]
    known = name.lower() in _SYSTEM_FILES or name.startswith("._")
    return known or not _SYSTEM_FOLDERS.isdisjoint(parts)


def likeness(name: str, assignment: str) -> int:
    """How much a notebook is named like the assignment: 2 but for a copy's number, 1 in part."""
    stem, wanted = PurePosixPath(name).stem, _plain(assignment)
    if _plain(_COPY.sub("", stem)) == wanted:
        return 2
    return 1 if wanted in _plain(stem) else 0


def sorted_out(
    items: Sequence[Item], assignment: str, is_student: Callable[[str], bool]
) -> tuple[list[Handed], list[Item]]:
    """The files by student, and those that belong to none.

    Whose a file is, says the outermost name that is no folder around them all: whoever hands in
    chooses every name below it. All of one source are read in the same way.

    is_student: whether a folder of that name is known to be a student's, so that it is none around
        a class.
    """
    depth, read = _layout([item.parts for item in items], assignment, is_student)
    handed: list[Handed] = []
    nobodys: list[Item] = []
    for item in items:
        parts = item.parts[depth:]
        if found := read(parts, item):
            handed.append(found)
        else:
            nobodys.append(item)
    return handed, nobodys


def holds_a_class(paths: Iterable[tuple[str, ...]]) -> bool:
    """Does a platform's name stand in one of them?"""
    return any(
        _MOODLE.fullmatch(part) or _CANVAS.fullmatch(part) for path in paths for part in path
    )


def _layout(
    paths: list[tuple[str, ...]], assignment: str, is_student: Callable[[str], bool]
) -> tuple[int, _Reader]:
    """How many folders there are around the students' own ones, and who named these."""
    depth = 0
    while paths:
        inner = [path[depth:] for path in paths]
        if read := _platform(path[0] for path in inner):
            return depth, read
        around = len({path[0] for path in inner}) == 1 and all(len(path) > 1 for path in inner)
        if not around or is_student(inner[0][0]):
            break
        if not _platform(path[1] for path in inner) and not _holds_folders(inner, assignment):
            break
        depth += 1
    return depth, partial(_by_folder, assignment)


def _platform(names: Iterable[str]) -> _Reader | None:
    """Who named most of them. What Canvas writes stands before all that a student can write."""
    there = list(names)
    canvas = sum(_CANVAS.fullmatch(name) is not None for name in there)
    moodle = sum(_MOODLE.fullmatch(name) is not None for name in there)
    if 2 * max(canvas, moodle) <= len(there):
        return None
    return _by_canvas if canvas >= moodle else _by_moodle


def _by_moodle(parts: tuple[str, ...], item: Item) -> Handed | None:
    match = _MOODLE.fullmatch(parts[0])
    if match is None:
        return None
    inside = tuple(each for each in (match["rest"], *parts[1:]) if each)
    whose = Whose("Moodle", match["name"].strip(), match["number"])
    return Handed(whose, inside, item) if inside else None


def _by_canvas(parts: tuple[str, ...], item: Item) -> Handed | None:
    match = _CANVAS.fullmatch(parts[0])
    if match is None:
        return None
    again = _AGAIN.fullmatch(match["rest"])
    first = again["stem"] + (again["kind"] or "") if again else match["rest"]
    order = (int(again["number"][:9]) if again else 0, int(match["attachment"][:18]))
    whose = Whose("Canvas", match["name"], match["number"])
    return Handed(whose, (first, *parts[1:]), item, order, late=match["late"] is not None)


def _by_folder(assignment: str, parts: tuple[str, ...], item: Item) -> Handed | None:
    """Whose a file is by the folder it lies in, or by its own name."""
    if len(parts) > 2 and parts[1] == assignment:  # nbgrader's own layout
        return Handed(Whose("", parts[0]), parts[2:], item)
    if len(parts) > 1:
        return Handed(Whose("", parts[0]), parts[1:], item)
    name = PurePosixPath(parts[0])
    if name.suffix.lower() not in (".ipynb", ".zip") or likeness(name.name, assignment):
        return None
    return Handed(Whose("", name.stem), parts, item)


def _holds_folders(paths: list[tuple[str, ...]], assignment: str) -> bool:
    """Does the folder around `paths` hold the work of several, and is it no student's?"""
    works = [path for path in paths if path[-1].lower().endswith((".ipynb", ".zip"))]
    nbgraders = any(path[2:3] == (assignment,) and len(path) > 3 for path in works)
    return nbgraders or (
        len(works) > 1
        and not any(len(path) == 2 and likeness(path[1], assignment) for path in works)
        and not any(path[1] == assignment for path in works)
    )


def _plain(name: str) -> str:
    return "_".join(re.findall(r"[^\W_]+", name.casefold()))


def groups(handed: Iterable[Handed]) -> dict[Whose, list[Handed]]:
    """The files of each student, in the order in which they were met."""
    found: dict[tuple[str, str], list[Handed]] = {}
    for each in handed:
        whose = each.whose
        key = ("Canvas", whose.number) if whose.platform == "Canvas" else (whose.name, whose.number)
        found.setdefault(key, []).append(each)
    return {files[0].whose: files for files in found.values()}

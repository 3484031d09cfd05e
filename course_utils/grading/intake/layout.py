"""Whose a file is, from its path: as Canvas or Moodle name it, or by plain names."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from course_utils.grading.intake.items import Item

_MOODLE = re.compile(
    r"(?P<name>.+?)_(?P<number>\d+)_assignsubmission_(?:file|onlinetext)_?(?P<rest>.*)", re.DOTALL
)
_CANVAS = re.compile(
    r"(?P<name>[^_]+)(?:_LATE)?_(?P<number>\d{2,})_(?P<attachment>\d{2,})_(?P<rest>.+)", re.DOTALL
)
_AGAIN = re.compile(r"-(\d+)$")  # Canvas adds it to a file that was handed in before
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
    """

    whose: Whose
    inside: tuple[str, ...]
    item: Item
    order: tuple[int, int] = (0, 0)

    @property
    def is_notebook(self) -> bool:
        return self.inside[-1].lower().endswith(".ipynb")

    @property
    def is_zip(self) -> bool:
        return self.inside[-1].lower().endswith(".zip")


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


def sorted_out(items: Iterable[Item], assignment: str) -> tuple[list[Handed], list[Item]]:
    """The files by student, and those that belong to none."""
    handed: list[Handed] = []
    plain: list[Item] = []
    for item in items:
        found = by_platform(item)
        if found:
            handed.append(found)
        else:
            plain.append(item)
    wrappers = _wrappers([item.parts for item in plain], assignment)
    nobodys: list[Item] = []
    for item in plain:
        found = _by_folder(item, wrappers, assignment)
        if found:
            handed.append(found)
        else:
            nobodys.append(item)
    return handed, nobodys


def by_platform(item: Item) -> Handed | None:
    """Whose a file is, if Canvas or Moodle named it or a folder above it."""
    for place, part in enumerate(item.parts):
        below = item.parts[place + 1 :]
        if match := _MOODLE.fullmatch(part):
            inside = tuple(each for each in (match["rest"], *below) if each)
            whose = Whose("Moodle", match["name"].strip(), match["number"])
            return Handed(whose, inside, item) if inside else None
        if match := _CANVAS.fullmatch(part):
            name = PurePosixPath(match["rest"])
            again = _AGAIN.search(name.stem)
            first = name.with_stem(_AGAIN.sub("", name.stem) or name.stem).name
            order = (int(again[1][:9]) if again else 0, int(match["attachment"][:18]))
            whose = Whose("Canvas", match["name"], match["number"])
            return Handed(whose, (first, *below), item, order)
    return None


def _by_folder(item: Item, wrappers: int, assignment: str) -> Handed | None:
    """Whose a file is by the folder it lies in, or by its own name."""
    parts = item.parts
    if assignment in parts[1:-1]:  # nbgrader's own layout
        place = parts.index(assignment, 1)
        return Handed(Whose("", parts[place - 1]), parts[place + 1 :], item)
    parts = parts[wrappers:]
    if len(parts) > 1:
        return Handed(Whose("", parts[0]), parts[1:], item)
    name = PurePosixPath(parts[0])
    if name.suffix.lower() not in (".ipynb", ".zip") or likeness(name.name, assignment):
        return None
    return Handed(Whose("", name.stem), parts, item)


def _wrappers(paths: list[tuple[str, ...]], assignment: str) -> int:
    """How many folders there are around the students' own ones."""
    depth = 0
    while _is_wrapper([path[depth:] for path in paths], assignment):
        depth += 1
    return depth


def _is_wrapper(paths: list[tuple[str, ...]], assignment: str) -> bool:
    works = [path for path in paths if path[-1].lower().endswith((".ipynb", ".zip"))]
    return (
        len(works) > 1
        and len({path[0] for path in paths}) == 1
        and all(len(path) > 1 for path in paths)
        and not any(len(path) == 2 and likeness(path[1], assignment) for path in works)
        and not any(path[1] == assignment for path in works)
    )


def _plain(name: str) -> str:
    return "_".join(re.findall(r"[^\W_]+", name.casefold()))


def groups(handed: Iterable[Handed]) -> Iterator[tuple[Whose, list[Handed]]]:
    """The files of each student, in the order in which they were met."""
    found: dict[tuple[str, str], list[Handed]] = {}
    for each in handed:
        whose = each.whose
        key = ("Canvas", whose.number) if whose.platform == "Canvas" else (whose.name, whose.number)
        found.setdefault(key, []).append(each)
    for files in found.values():
        yield files[0].whose, files

"""Whose a file is, from its path: as Canvas or Moodle name it, or by plain names."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import PurePosixPath

from course_grading.intake.files import IntakeRefused, Item, Owner
from course_notebooks.reading import shown

_PLATFORMS = {  # the first wins
    "Canvas": re.compile(
        r"(?P<name>[^_]+)(?P<late>_LATE)?_(?P<number>\d{2,})_(?P<attachment>\d{2,})_(?P<rest>.+)",
        re.DOTALL,
    ),
    "Moodle": re.compile(
        r"(?P<name>.+)_(?P<number>\d+)_assignsubmission_(?:file|onlinetext)_?(?P<rest>.*)",
        re.DOTALL,
    ),
}
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
_NBGRADERS = "submitted"  # the one folder around a class that has a name of its own
_STUDENT_OR_CLASS = (
    "All lies in one folder, {}, which may be a student's or one around a class: say who is in the "
    "class with --roster, or take in what is in that folder by itself."
)


_Reader = Callable[[Item], Item | None]
"""Finds the owner of a file; None if it has none."""


def is_junk(parts: tuple[str, ...]) -> bool:
    """Is it a file that a system or a program left there for itself?"""
    name = parts[-1]
    known = name.lower() in _SYSTEM_FILES or name.startswith("._")
    return known or not _SYSTEM_FOLDERS.isdisjoint(parts)


def name_match(name: str, assignment: str) -> int:
    """How much a notebook is named like the assignment: 2 but for a copy's number, 1 in part."""
    stem, wanted = PurePosixPath(name).stem, _plain(assignment)
    if _plain(_COPY.sub("", stem)) == wanted:
        return 2
    return 1 if wanted in _plain(stem) else 0


def by_owner(
    items: Sequence[Item],
    assignment: str,
    is_student: Callable[[str], bool] | None,
    say: Callable[[str], None],
) -> tuple[dict[Owner, list[Item]], list[Item]]:
    """The files by student, in the order in which they were met, and those that belong to none.

    Whose a file is, says the outermost name that is no folder around them all: whoever hands in
    chooses every name below it. All of one source are read in the same way.

    is_student: whether a folder of that name is a student's, so that it is none around a class;
        None if nobody knows.

    Raises IntakeRefused where one folder may be a student's as well as one around a class.
    """
    depth, read = _layout([item.parts for item in items], assignment, is_student, say)
    owned: dict[tuple[str, str], list[Item]] = {}
    nobodys: list[Item] = []
    for item in items:
        if found := read(replace(item, parts=item.parts[depth:])):
            owner = found.owner  # a name that changes is the same number's on Canvas
            key = ("" if owner.platform == "Canvas" else owner.name, owner.number)
            owned.setdefault(key, []).append(found)
        else:
            nobodys.append(item)
    return {files[0].owner: files for files in owned.values()}, nobodys


def holds_a_class(items: Iterable[Item]) -> bool:
    """Does a platform's name stand in one of their paths?"""
    names = {name for item in items for name in item.parts}
    return any(pattern.fullmatch(name) for pattern in _PLATFORMS.values() for name in names)


def _layout(
    paths: list[tuple[str, ...]],
    assignment: str,
    is_student: Callable[[str], bool] | None,
    say: Callable[[str], None],
) -> tuple[int, _Reader]:
    """How many folders there are around the students' own ones, and who named these."""
    depth = 0
    while paths:
        inner = [path[depth:] for path in paths]
        if platform := _platform(path[0] for path in inner):
            return depth, partial(_by_platform, platform)
        around = len({path[0] for path in inner}) == 1 and all(len(path) > 1 for path in inner)
        if not around or (is_student and is_student(inner[0][0])):
            break
        if not _platform(path[1] for path in inner) and not _holds_folders(inner, assignment):
            break
        if (folder := inner[0][0]) != _NBGRADERS:
            if is_student is None:
                raise IntakeRefused(_STUDENT_OR_CLASS.format(shown(folder)))
            say(f"{shown(folder)} is in no line of the roster: taken for a folder around a class.")
        depth += 1
    return depth, partial(_by_folder, assignment)


def _platform(names: Iterable[str]) -> str:
    """Who named most of them, or "". What Canvas writes stands before all that students can."""
    there = set(names)  # in how many files somebody hands in says nothing
    named = {
        platform: sum(pattern.fullmatch(name) is not None for name in there)
        for platform, pattern in _PLATFORMS.items()
    }
    first = max(named, key=named.__getitem__)
    return first if 2 * named[first] > len(there) else ""


def _by_platform(platform: str, item: Item) -> Item | None:
    first, *inner = item.parts
    match = _PLATFORMS[platform].fullmatch(first)
    if match is None or (platform == "Moodle" and not inner and _is_doubtful(match["name"])):
        return None
    found, order = match.groupdict(), (0, 0)
    if platform == "Canvas":
        again = _AGAIN.fullmatch(found["rest"])
        order = (int(again["number"][:9]) if again else 0, int(found["attachment"][:18]))
        found["rest"] = again["stem"] + (again["kind"] or "") if again else found["rest"]
    inside = tuple(part for part in (found["rest"], *inner) if part)
    owner = Owner(platform, found["name"].strip(), found["number"])
    late = found.get("late") is not None
    return replace(item, parts=inside, owner=owner, order=order, late=late) if inside else None


def _is_doubtful(name: str) -> bool:
    """Does it hold what Moodle writes? Then nobody knows where it ends, and the file's begins."""
    return _PLATFORMS["Moodle"].match(f"{name}_") is not None


def _by_folder(assignment: str, item: Item) -> Item | None:
    """Whose a file is by the folder it lies in, or by its own name."""
    first, *inside = item.parts
    if len(inside) > 1 and inside[0] == assignment:  # nbgrader's own layout
        del inside[0]
    if inside:
        return replace(item, parts=tuple(inside), owner=Owner("", first))
    if not item.ends(".ipynb", ".zip") or name_match(first, assignment):
        return None
    return replace(item, owner=Owner("", PurePosixPath(first).stem))


def _holds_folders(paths: list[tuple[str, ...]], assignment: str) -> bool:
    """Does the folder around `paths` hold the work of several, and is it no student's?"""
    works = [path for path in paths if path[-1].lower().endswith((".ipynb", ".zip"))]
    nbgraders = any(path[2:3] == (assignment,) and len(path) > 3 for path in works)
    return nbgraders or (
        len(works) > 1
        and not any(len(path) == 2 and name_match(path[1], assignment) for path in works)
        and not any(path[1] == assignment for path in works)
    )


def _plain(name: str) -> str:
    return "_".join(re.findall(r"[^\W_]+", name.casefold()))

"""Who handed in a file, from its path, by the table of platforms."""

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import PurePosixPath

from course_grading.intake.files import Item
from course_grading.intake.platforms import FOLDERS, PLATFORMS, TELL, Owner, Platform
from course_grading.intake.students import Roster
from course_notebooks.reading import shown
from course_utils.errors import CourseError

_COPY = re.compile(r"(?:[ _.-]*(?:\(\d+\)|copy(?:[ _]?\d+)?|-\d+))+$", re.IGNORECASE)
_LONGEST = 250  # characters of a name that are compared
_DEEPEST = 8  # folders around a class
_SYSTEM = re.compile(
    r"(.*/)?(__MACOSX|__pycache__|\.(ipynb_checkpoints|virtual_documents|git|idea|vscode|venv))/.*"
    r"|(.*/)?(\._[^/]*|\.ds_store|\.localized|thumbs\.db|desktop\.ini)",
    re.IGNORECASE | re.DOTALL,
)


def is_junk(parts: tuple[str, ...]) -> bool:
    """Is it a file that a system or a program left there for itself?"""
    return _SYSTEM.fullmatch("/".join(parts)) is not None


def name_match(name: str, assignment: str) -> int:
    """How much a notebook is named like the assignment: 2 but for a copy's number, 1 in part."""
    stem, wanted = PurePosixPath(name).stem[:_LONGEST], _plain(assignment)
    if _plain(_COPY.sub("", stem)) == wanted:
        return 2
    return 1 if wanted in _plain(stem) else 0


def by_owner(
    items: Sequence[Item],
    source: str,
    assignment: str,
    roster: Roster,
    say: Callable[[str], None],
) -> tuple[Platform, dict[Owner, list[Item]], list[Item]]:
    """The platform, the files by student, and the files that are no student's for certain.

    One row of the table reads all files of one source. The owner of a file is named by its
    outermost folder, but for folders around a class: students choose every name below it.

    source: the name of the folder or zip.
    """
    platform, paths = _layout([item.parts for item in items], source, roster)
    say(f"Read as {platform.title}. {platform.note}".strip())
    found, nobodys = [], []
    for item, path in zip(items, paths, strict=True):
        match = platform.match(path)
        if match is None or _is_doubtful(platform, match, assignment, roster):
            nobodys.append(item)
        elif match.groupdict().get("assignment", assignment) == assignment:
            found.append((item, match))
    told: dict[str, dict[Owner, datetime | None]] = defaultdict(dict)
    tell = TELL.get(platform.title)
    try:
        for name, owner, time in tell(found) if tell else ():
            told[name][owner] = time
    except Exception as error:
        raise CourseError(f"{source} is not as {platform.title} makes it: {error!r}.") from error
    owned: dict[Owner, list[Item]] = defaultdict(list)
    for item, match in found:
        group = {"attempt": None, "upload": None, "late": None} | match.groupdict()
        if group["rest"] is None:  # the platform's own file
            continue
        owners = told[match["name"]] if tell else {platform.owner(match): None}
        if not owners:
            nobodys.append(item)
        for owner, time in owners.items():
            attempt = time.isoformat() if time else group["attempt"]
            order = attempt or "", int((group["upload"] or "0")[:18])
            parts = tuple(part for part in group["rest"].split("/") if part)
            late = group["late"] is not None
            owned[owner].append(replace(item, parts=parts, order=order, late=late, time=time))
    if not roster.is_there and len({each.parts[0] for each in items}) == 1 < len(items):
        say(f"All lies in {shown(items[0].parts[0])}: without --roster that is one student's.")
    return platform, owned, nobodys


def _layout(
    parts: Sequence[tuple[str, ...]], source: str, roster: Roster
) -> tuple[Platform, list[str]]:
    """The row of the table for these files, and their paths, each with one folder around it.

    With a roster, folders are passed until a platform or a student is known inside. Without one,
    the outermost folder is a student's, for it may be: whoever hands in chooses all names in it.
    """
    first: list[str] = []
    for depth in range(min([_DEEPEST, *map(len, parts)])):
        around = parts[0][depth - 1] if depth else PurePosixPath(source).stem
        paths = ["/".join((around, *each[depth:])) for each in parts]
        first = first or paths
        tops = {each[depth] for each in parts}
        named = {row.title: len(_named_by(row, paths)) for row in PLATFORMS}
        platform = max(PLATFORMS, key=lambda row: named[row.title])
        if 2 * named[platform.title] > len(tops):
            return platform, paths
        if any(map(roster.knows, paths)):
            return FOLDERS, paths
        if not roster.is_there or len(tops) > 1:
            break
    return FOLDERS, first


def _named_by(platform: Platform, paths: Sequence[str]) -> set[str]:
    """The outermost names that have the form of a platform's: how many files are in one is its."""
    return {path.split("/", 2)[1] for path in paths if platform.match(path)}


def _is_doubtful(platform: Platform, match: re.Match[str], assignment: str, roster: Roster) -> bool:
    """May it be another student's, or is its name the assignment's?"""
    if platform is FOLDERS:
        return match["rest"].startswith(".") and name_match(match["name"], assignment) > 0
    others = platform.other_numbers(match)
    return bool(others & roster.numbers if roster.is_there and platform.certain else others)


def _plain(name: str) -> str:
    return "_".join(re.findall(r"[^\W_]+", name.casefold()))

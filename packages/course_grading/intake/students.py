"""From the names that a platform gives to nbgrader's student ids, with a roster or without one.

And when each of them handed in, from a table: the one source of lateness for files of a platform.
What a zip says of its files is when they were put into it, on Canvas the hour of the download.
"""

import csv
import io
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from course_grading.intake.files import IntakeRefused, Owner, Refuse
from course_notebooks.reading import shown
from course_notebooks.safe_files import explained
from course_utils.errors import CourseError

_COLUMNS = ("id", "first_name", "last_name", "email", "lms_user_id")
_LONGEST_ID = 200  # bytes; a file name may have 255
_ANONYMOUS = {"participant", "anonymous", "anon"}
_KEPT = "-_.@"


class Roster:
    """The students of a course, from the CSV file that `nbgrader db student import` reads."""

    def __init__(self, file: Path) -> None:
        """Raises CourseError if the file cannot be read, or has no column `id`."""
        self._source = source = shown(file)
        rows = _table(file, ("id",), f"{','.join(_COLUMNS)}, of which only id is needed")
        self._known: dict[tuple[str, str], set[str]] = defaultdict(set)
        self._numbers: dict[str, str] = {}
        for line, row in enumerate(rows, 2):
            student = row.get("id", "")
            if not _is_id(student):
                raise CourseError(
                    f"{source}, line {line}: nbgrader does not take the id "
                    f"{student!r}; use letters, digits, - and _."
                )
            if student in self._numbers:
                raise CourseError(f"{source}, line {line}: {student} is there twice; remove one.")
            self._numbers[student] = number = row.get("lms_user_id", "").strip()
            first, last = row.get("first_name", ""), row.get("last_name", "")
            keys = [("id", student), ("id", row.get("email", "")), ("number", number)]
            keys += [
                (kind, name)
                for kind in ("name", "bare name")
                for name in (f"{first}{last}", f"{last}{first}")
            ]
            for kind, value in keys:
                if key := _key(kind, value):
                    self._known[kind, key].add(student)

    def has(self, folder: str) -> bool:
        """Whether a folder of that name is a student's."""
        return bool(self._candidates(Owner("", folder)))

    def find(self, owner: Owner) -> str:
        """The student's id. Raises IntakeRefused if none or several have that name."""
        found = self._candidates(owner)
        if len(found) == 1:
            return next(iter(found))
        if found:
            raise IntakeRefused(
                f"{shown(owner.name)} may be {' or '.join(sorted(found))}: put the "
                f"platform's number into lms_user_id in {self._source}."
            )
        noted = (
            f", with {owner.number}, which is Canvas's number, as lms_user_id"
            if owner.platform == "Canvas"
            else ""
        )
        raise IntakeRefused(
            f"{shown(owner.name)} is not in {self._source}: add a line for this student{noted}."
        )

    def choose(self, student: str, owners: Sequence[Owner]) -> Owner:
        """Whose work is this student's, of several that may be. Raises IntakeRefused if unknown.

        A name is what somebody calls themselves. Only the platform's number tells more.
        """
        noted = [each for each in owners if each.number and each.number == self._numbers[student]]
        if len(noted) == 1:
            return noted[0]
        numbered = all(each.number for each in owners)
        raise IntakeRefused(
            f"{' and '.join(map(str, owners))} may all be {student}, and one of them is at most: "
            + (
                f"put the number of the right one into lms_user_id in {self._source}."
                if numbered
                else "take in the right one without the others."
            )
        )

    def _candidates(self, owner: Owner) -> set[str]:
        """The ids that it may be: of several students of one name the one with the number."""
        name, number = [("name", owner.name), ("bare name", owner.name)], ("number", owner.number)
        ways = {
            "Canvas": [number, *name],
            "Moodle": [*name, number],  # a number of the submission, unless somebody noted it
        }.get(owner.platform, [("id", owner.name), *name, ("number", owner.name)])
        several: set[str] = set()
        for kind, value in ways:
            found = self._known.get((kind, _key(kind, value)), set())
            if owner.platform == "Canvas" and kind != "number":  # somebody else of that name
                found = {student for student in found if not self._numbers[student]}
            if several:  # of one name; a number tells them apart
                found = found & several
            if len(found) == 1:
                return found
            several = found or several
        return several


def read_times(path: Path) -> dict[str, datetime]:
    """By student, in UTC, from a CSV file with the columns `id` and `time`.

    A time is written as in ISO 8601, "2026-11-20 17:59:03+01:00"; one without a zone is in ours.
    Raises CourseError for a file that is none.
    """
    times: dict[str, datetime] = {}
    for line, row in enumerate(_table(path, ("id", "time"), "id,time"), 2):
        student, written = row["id"].strip(), row["time"].strip()
        if not written:
            continue
        try:
            time = datetime.fromisoformat(written).astimezone(UTC)
        except (ValueError, OverflowError) as error:
            raise CourseError(
                f"{shown(path)}, line {line}: {written!r} is no time; write it as in "
                "2026-11-20 17:59:03."
            ) from error
        times[student] = max(time, times.get(student, time))
    return times


def _table(path: Path, columns: tuple[str, ...], first_line: str) -> list[dict[str, str]]:
    """The rows of a CSV file. Raises CourseError if it is none, or lacks one of `columns`."""
    name = shown(path)
    with explained(path):
        data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CourseError(f"{name} is not in UTF-8: save it in that encoding.") from error
    delimiter = ";" if ";" in text.partition("\n")[0] else ","
    try:
        reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
        rows = [{key: value or "" for key, value in row.items() if key} for row in reader]
    except csv.Error as error:
        raise CourseError(f"{name} is not a CSV file ({error}): save it anew.") from error
    if not set(columns) <= set(reader.fieldnames or ()):
        what = f"columns {' and '.join(columns)}" if len(columns) > 1 else f"column {columns[0]}"
        raise CourseError(f"{name} has no {what}: its first line must be {first_line}.")
    return rows


def make_ids(students: Iterable[Owner], refuse: Refuse) -> dict[Owner, str]:
    """An id for each student, made from the name; with the platform's number where it needs one."""
    ids: dict[Owner, str] = {}
    for owner in students:
        made = _made_id(owner.name)
        if _is_id(made):
            ids[owner] = _numbered(owner) if made.casefold() in _ANONYMOUS else made
        else:
            refuse(f"The name {shown(owner.name)[:80]!r} makes no id: rename it.")
    while same := _of_one_id(ids):
        plain = [owner for owner in same if ids[owner] != _numbered(owner)]
        ids |= {owner: _numbered(owner) for owner in plain}
        if not plain:
            others = ", ".join(shown(each.name) for each in same)
            for owner in same:
                refuse(f"{others} would all get the id {ids.pop(owner)}: rename them.")
    return ids


def _numbered(owner: Owner) -> str:
    made = _made_id(owner.name)
    return f"{made}_{owner.number[:20]}" if owner.number else made


def _of_one_id(ids: Mapping[Owner, str]) -> list[Owner]:
    """Several students that have one id, if there are any."""
    by_id: dict[str, list[Owner]] = defaultdict(list)
    for owner, made in ids.items():
        by_id[made].append(owner)
    return next((same for same in by_id.values() if len(same) > 1), [])


def _made_id(name: str) -> str:
    """Letters, marks and digits of every script stay; nbgrader refuses + and /, and globs * ? [."""
    name = unicodedata.normalize("NFC", shown(name)).replace("\N{REPLACEMENT CHARACTER}", "_")
    signs = "".join(sign if _is_letter(sign) or sign in _KEPT else " " for sign in name)
    return "_".join(signs.split()).strip(_KEPT)


def _key(kind: str, text: str) -> str:
    """What must agree of two ids or names: of names letters, marks and digits, but for accents.

    A letter in another width or style is another one: somebody may have chosen it to be taken for
    a classmate.
    """
    text = text.strip().casefold()
    if "name" not in kind:
        return text
    bare = kind == "bare name"
    form = unicodedata.normalize("NFD" if bare else "NFC", text)
    return "".join(
        sign for sign in form if _is_letter(sign) and not (bare and unicodedata.combining(sign))
    )


def _is_id(text: str) -> bool:
    """May it name a folder that nbgrader finds, and hands back to the student?"""
    return (
        text == text.strip() != ""
        and text.isprintable()
        and not text.startswith(".")
        and set(text).isdisjoint("+/\\*?[]")
        and len(text.encode()) <= _LONGEST_ID
    )


def _is_letter(sign: str) -> bool:
    return unicodedata.category(sign)[0] in "LMN"

"""Who is who: nbgrader's student ids from a roster, or made from what a platform calls a student.

And when each student handed in, from a table.
"""

import csv
import io
import unicodedata
from collections.abc import Collection
from datetime import UTC, datetime
from pathlib import Path

from course_grading.intake.files import IntakeRefused, Refuse
from course_grading.intake.platforms import COLUMNS, FOLDERS, Owner, Platform
from course_notebooks.reading import shown
from course_notebooks.safe_files import explained
from course_utils.errors import CourseError

_LONGEST_ID = 200  # bytes; a file name may have 255
_KEPT = "-_.@"


class Roster:
    """The students of a course, from the CSV file that `nbgrader db student import` reads.

    file: None without a roster. Then each name makes an id, and a name that two have makes none.
    """

    def __init__(self, file: Path | None) -> None:
        """Raises CourseError if the file cannot be read, or has no column `id`."""
        self.is_there = file is not None
        self._source = source = shown(file or "a file for --roster")
        self._rows: dict[str, dict[str, str]] = {}
        for line, row in enumerate(_table(file, "id") if file else (), 2):
            student = row["id"]
            if not _is_id(student):
                why = f"nbgrader does not accept the id {student!r}: use letters, digits, - and _."
                raise CourseError(f"{source}, line {line}: {why}")
            if student in self._rows:
                raise CourseError(f"{source}, line {line}: {student} is there twice: remove one.")
            first, last = row.get("first_name", ""), row.get("last_name", "")
            names = {"name": _key(first + last), "turned": _key(last + first)}
            self._rows[student] = names | {name: _folded(row.get(name, "")) for name in COLUMNS}
        self.numbers = {row["lms_user_id"] for row in self._rows.values()} - {""}

    def knows(self, path: str) -> bool:
        """Whether the outermost name in a folder is a student's."""
        match = FOLDERS.match(path)
        return match is not None and bool(self._candidates(FOLDERS.owner(match), FOLDERS))

    def find(self, owner: Owner, platform: Platform, all_owners: Collection[Owner]) -> str:
        """The student's id. Raises IntakeRefused if none or several may be the owner."""
        if not self.is_there:
            made = _made_id(owner.name)
            same = [each for each in all_owners if _made_id(each.name) == made]
            numbers = [value for _, value in owner.ids if value not in ("", owner.name)]
            if numbers and (len(same) > 1 or made == "Participant"):  # Moodle's, marked blindly
                made = f"{made}_{_made_id(numbers[0])}"
            if not _is_id(made) or not _made_id(owner.name):
                raise IntakeRefused(f"{owner} makes no id: rename it, or use --roster.")
            return made
        found = self._candidates(owner, platform)
        if len(found) == 1:
            return found.pop()
        if found:
            raise IntakeRefused(
                f"{owner} may be {' or '.join(sorted(found))}: put the platform's number "
                f"into lms_user_id in {self._source}."
            )
        known = dict(owner.ids).get(platform.certain)
        noted = f", with {shown(known)} as {platform.certain}" if known else ""
        raise IntakeRefused(
            f"{owner} is not in {self._source}: add a line for this student{noted}."
        )

    def choose(self, student: str, owners: Collection[Owner], refuse: Refuse) -> Owner:
        """The owner who is the student, of several who may be. Raises IntakeRefused if unknown.

        A name is what somebody calls themselves. Only the platform's number decides.
        """
        number = self._rows.get(student, {}).get("lms_user_id")
        noted = [each for each in owners if number and ("lms_user_id", number) in each.ids]
        if len(noted if len(owners) > 1 else owners) != 1:
            raise IntakeRefused(
                f"{' and '.join(map(str, owners))} may all be {student}, and at most one is: put "
                f"the number of the right one into lms_user_id in {self._source}."
            )
        (chosen,) = noted or owners
        for other in {*owners} - {chosen}:
            refuse(f"{other} is called as {student} is, and has another number: ask who it is.")
        return chosen

    def _candidates(self, owner: Owner, platform: Platform) -> set[str]:
        certain, ids = platform.certain, {(column, _folded(value)) for column, value in owner.ids}
        rows = {
            student: row
            for student, row in self._rows.items()
            if not row.get(certain) or (certain, row[certain]) in ids
        }
        exact = {who for who, row in rows.items() if any(row[c] == v != "" for c, v in ids)}
        key = _key(owner.name) if platform.by_name else ""
        named = {who for who, row in rows.items() if key and key in (row["name"], row["turned"])}
        return exact & named or (exact if certain and exact else exact | named)


def read_times(path: Path) -> dict[str, datetime]:
    """By student, in UTC, from a CSV file with the columns `id` and `time`.

    A time is written as in ISO 8601, "2026-11-20 17:59:03+01:00"; one without a zone is in ours.
    Raises CourseError if it is no such file.
    """
    times: dict[str, datetime] = {}
    for line, row in enumerate(_table(path, "id", "time"), 2):
        student, written = row["id"].strip(), row["time"].strip()
        if not written:
            continue
        try:
            time = datetime.fromisoformat(written).astimezone(UTC)
        except (ValueError, OverflowError) as error:
            why = f"{written!r} is no time: write it as in 2026-11-20 17:59:03."
            raise CourseError(f"{shown(path)}, line {line}: {why}") from error
        times[student] = max(time, times.get(student, time))
    return times


def _table(path: Path, *columns: str) -> list[dict[str, str]]:
    """The rows of a CSV file. Raises CourseError if it is none, or lacks one of `columns`."""
    with explained(path):
        data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
        delimiter = ";" if ";" in text.partition("\n")[0] else ","
        reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
        rows = [{key: value or "" for key, value in row.items() if key} for row in reader]
    except (UnicodeDecodeError, csv.Error) as error:
        raise CourseError(f"{shown(path)} is not CSV in UTF-8 ({error}): save it so.") from error
    if missing := {*columns} - {*(reader.fieldnames or ())}:
        raise CourseError(f"{shown(path)} has no column {' and '.join(sorted(missing))}: add it.")
    return rows


def _made_id(name: str) -> str:
    """Letters, marks and digits of every script stay; nbgrader refuses + and /, and globs * ? [."""
    name = unicodedata.normalize("NFC", shown(name)).replace("\N{REPLACEMENT CHARACTER}", "_")
    signs = "".join(sign if _is_letter(sign) or sign in _KEPT else " " for sign in name)
    return "_".join(signs.split()).strip(_KEPT)


def _key(name: str) -> str:
    """What must agree of two names: the letters, marks and digits, but for accents.

    A letter in another width or style is another one: somebody may have chosen it to be taken for
    a classmate.
    """
    signs = unicodedata.normalize("NFD", name.casefold())
    return "".join(s for s in signs if _is_letter(s) and not unicodedata.combining(s))


def _folded(text: str) -> str:
    return text.strip().casefold()


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

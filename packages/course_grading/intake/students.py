"""Who is who: nbgrader's student ids from a roster, or made from what a platform calls a student.

And when each student handed in, from a table.
"""

import csv
import io
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from course_grading.intake.files import IntakeRefused, Item, Refuse
from course_grading.intake.platforms import COLUMNS, FOLDERS, PLATFORMS, Owner, Platform, name_match
from course_notebooks.reading import shown
from course_notebooks.safe_files import explained
from course_utils.errors import CourseError

_DEEPEST = 8  # folders around a class
_LONGEST_ID = 200  # bytes; a file name may have 255
_KEPT = "-_.@"


class Roster:
    """The students of a course, from the CSV file that `nbgrader db student import` reads.

    file: None without a roster. Then each name makes an id, and a name that two have makes none.
    """

    def __init__(self, file: Path | None) -> None:
        """Raises CourseError if the file cannot be read, or has no column `id`."""
        self._source = source = shown(file or "a file for --roster")
        self._rows: dict[str, dict[str, str]] = {}
        self._names: dict[str, set[str]] = {}
        for line, row in enumerate(_table(file, "id") if file else (), 2):
            student = row["id"]
            if not _is_id(student) or student in self._rows:
                why = "is there twice, or is no id that nbgrader accepts: letters, digits, - and _"
                raise CourseError(f"{source}, line {line}: {student!r} {why}.")
            first, last = row.get("first_name", ""), row.get("last_name", "")
            names = first + last, last + first, last + first + student  # the third is ILIAS's
            self._names[student] = {_key(name) for name in names if first + last}
            self._rows[student] = {c: row.get(c, "").strip().casefold() for c in COLUMNS}
        numbers = {row["lms_user_id"] for row in self._rows.values()} - {""}
        self.numbers = None if file is None else numbers

    def knows(self, path: str) -> bool:
        """Whether the outermost name in a folder is a student's."""
        match = FOLDERS.match(path)
        return match is not None and bool(self._candidates(FOLDERS.owner(match), FOLDERS))

    def find(self, owner: Owner, platform: Platform, all_owners: Collection[Owner]) -> str:
        """The student's id. Raises IntakeRefused if none or several may be the owner."""
        if self.numbers is None:
            made, numbers = _made_id(owner.name), {value for _, value in owner.ids} - {owner.name}
            same = [each for each in all_owners if _made_id(each.name) == made]
            if numbers and (len(same) > 1 or made == "Participant"):  # Moodle's, marked blindly
                made = f"{made}_{_made_id(min(numbers))}"
            if not _is_id(made) or not _made_id(owner.name):
                raise IntakeRefused(f"{owner} makes no id: rename it, or use --roster.")
            return made
        found = self._candidates(owner, platform)
        if len(found) == 1:
            return found.pop()
        if found:
            whose = f"{owner} may be {' or '.join(sorted(found))}"
            raise IntakeRefused(f"{whose}: put the right lms_user_id into {self._source}.")
        known = dict(owner.ids).get(platform.certain)
        noted = f", with {shown(known)} as {platform.certain}" if known else ""
        raise IntakeRefused(f"{owner} is not in {self._source}: add this student{noted}.")

    def choose(self, student: str, owners: Collection[Owner], refuse: Refuse) -> Owner:
        """The owner who is the student, of several who may be. Raises IntakeRefused if unknown.

        A name is what somebody calls themselves. Only the platform's number decides.
        """
        number = self._rows.get(student, {}).get("lms_user_id")
        noted = [each for each in owners if number and ("lms_user_id", number) in each.ids]
        if len(noted if len(owners) > 1 else owners) != 1:
            whose = f"{' and '.join(map(str, owners))} may all be {student}, and at most one is"
            raise IntakeRefused(f"{whose}: put the right lms_user_id into {self._source}.")
        (chosen,) = noted or owners
        for other in {*owners} - {chosen}:
            refuse(f"{other} is called as {student} is, and has another number: ask who it is.")
        return chosen

    def _candidates(self, owner: Owner, platform: Platform) -> set[str]:
        certain, ids = platform.certain, {(column, value.casefold()) for column, value in owner.ids}
        fits = {"", dict(owner.ids).get(certain, "").casefold()}
        rows = {who: row for who, row in self._rows.items() if row.get(certain, "") in fits}
        exact = {who for who, row in rows.items() if any(row[c] == v != "" for c, v in ids)}
        named = {who for who in rows if platform.by_name and _key(owner.name) in self._names[who]}
        return exact & named or (exact if certain and exact else exact | named)


def by_owner(
    items: Sequence[Item], source: str, assignment: str, roster: Roster, say: Callable[[str], None]
) -> tuple[Platform, dict[Owner, list[Item]], list[Item]]:
    """The platform, the files by student, and the files that are no student's for certain.

    One row of the table reads all files of one source. The owner of a file is named by its
    outermost folder, but for folders around a class: students choose every name below it.

    source: the name of the folder or zip.
    """
    platform, paths = _layout([item.parts for item in items], source, roster)
    inside = {path.partition("/")[0] for path in paths} - {PurePosixPath(source).stem}
    where = f", in the folder {shown(*inside)}" if inside else ""
    say(f"Read as {platform.title}{where}. {platform.note}".strip())
    found, nobodys = [], []
    for item, path in zip(items, paths, strict=True):
        match = platform.match(path)
        likely = path.count("/") == 1 and platform is FOLDERS and name_match(path, assignment)
        if match is None or likely or platform.is_doubtful(match, roster.numbers):
            nobodys.append(item)
        elif match.groupdict().get("assignment", assignment) == assignment:
            found.append((item, match))
    told = platform.told(found)
    owned: dict[Owner, list[Item]] = defaultdict(list)
    for item, match in found:
        group = {"attempt": None, "upload": None, "late": None} | match.groupdict()
        if group["rest"] is None:  # the platform's own file
            continue
        owners = {platform.owner(match): None} if told is None else told[match["name"]]
        if not owners:
            nobodys.append(item)
        for owner, time in owners.items():
            attempt = time.isoformat() if time else group["attempt"]
            order = attempt or "", int((group["upload"] or "0")[:18])
            parts = tuple(part for part in group["rest"].split("/") if part)
            late = group["late"] is not None
            owned[owner].append(replace(item, parts=parts, order=order, late=late, time=time))
    around = {each.parts[0] for each in items} if platform is FOLDERS else ()
    if roster.numbers is None and len(around) == 1 < len(items):
        say(f"All lies in {shown(items[0].parts[0])}: without --roster that is one student's.")
    return platform, owned, nobodys


def _layout(
    parts: Sequence[tuple[str, ...]], source: str, roster: Roster
) -> tuple[Platform, list[str]]:
    """The row of the table for these files, and their paths, each with one folder around it.

    With a roster, folders are passed until a platform or a student is known inside. Without one,
    the outermost folder is a student's: a student chooses all names inside a folder.
    """
    first: list[str] = []
    for depth in range(min([_DEEPEST, *map(len, parts)])):
        around = parts[0][depth - 1] if depth else PurePosixPath(source).stem
        paths = ["/".join((around, *each[depth:])) for each in parts]
        first = first or paths
        tops = {each[depth] for each in parts}
        named = {each: {p.split("/", 2)[1] for p in paths if each.match(p)} for each in PLATFORMS}
        platform = max(PLATFORMS, key=lambda each: len(named[each]))
        if 2 * len(named[platform]) > len(tops):
            return platform, paths
        if any(map(roster.knows, paths)):
            return FOLDERS, paths
        if roster.numbers is None or len(tops) > 1:
            break
    return FOLDERS, first


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


def _is_id(text: str) -> bool:
    """May it name a folder that nbgrader finds, and hands back to the student?"""
    fits = len(text.encode()) <= _LONGEST_ID and text.isprintable() and text == text.strip()
    return fits and re.fullmatch(r"(?!\.)[^+/\\*?\[\]]+", text) is not None


def _is_letter(sign: str) -> bool:
    return unicodedata.category(sign)[0] in "LMN"

"""The table of platforms, platforms.toml, and the files that platforms write about submissions."""

import contextlib
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

import yaml
from nbgrader.utils import parse_utc

from course_grading.intake.files import Item
from course_notebooks.reading import shown
from course_utils.errors import CourseError

COLUMNS = ("id", "email", "lms_user_id")
"""The columns of a roster that may hold what a platform calls a student."""

_COPY = re.compile(r"(?:[ _.-]*(?:\(\d+\)|copy(?:[ _]?\d+)?|-\d+))+$", re.IGNORECASE)
_LONGEST = 1_000  # characters of a path

Found = tuple[Item, re.Match[str]]
Told = Iterator[tuple[str, "Owner", datetime | None]]


@dataclass(frozen=True)
class Owner:
    """A student as a platform names one. ids: by the column of the roster that may hold them."""

    name: str
    ids: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        ids = sorted({value for _, value in self.ids} - {"", self.name})
        return shown(f"{self.name} ({', '.join(ids)})" if ids else self.name)


@dataclass(frozen=True, eq=False)
class Platform:
    """A row of the table, which explains the fields."""

    title: str
    pattern: str
    source: str
    ids: dict[str, str] = field(default_factory=dict)
    certain: str = ""
    by_name: bool = False
    doubt: str = ""
    note: str = ""

    def match(self, path: str) -> re.Match[str] | None:
        """A path with one folder before it; a longer one than disks take is not read."""
        return re.fullmatch(self.pattern, path, re.DOTALL) if len(path) <= _LONGEST else None

    def owner(self, match: re.Match[str]) -> Owner:
        """The student, from the path alone."""
        ids = tuple((column, match[group]) for column, group in self.ids.items())
        return Owner(match["name"].strip(), ids)

    def told(self, found: Sequence[Found]) -> dict[str, dict[Owner, datetime | None]] | None:
        """From the platform's own files, by the group `name`: who handed in, and when.

        None if it writes no such files. Raises CourseError if they have another form.
        """
        told: dict[str, dict[Owner, datetime | None]] = defaultdict(dict)
        try:
            for name, owner, time in _TELL[self.title](found) if self.title in _TELL else ():
                told[name][owner] = time
        except Exception as error:
            why = f"({type(error).__name__}): download them again"
            raise CourseError(f"The files are not as {self.title} makes them {why}.") from error
        return told if self.title in _TELL else None

    def is_doubtful(self, match: re.Match[str], numbers: set[str] | None) -> bool:
        """Whether it may be another's. numbers: those in the roster, or None without one."""
        others = {*re.findall(self.doubt or "(?!)", match.string.split("/", 2)[1])}
        others -= {match["number"]} if self.doubt else set()
        return bool(others if numbers is None or not self.certain else others & numbers)


_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
*PLATFORMS, FOLDERS = (Platform(**row) for row in _TABLE["platform"])
"""The rows of the table. FOLDERS: what the instructor named; no platform is known by it."""


def is_junk(parts: tuple[str, ...]) -> bool:
    """Is it a file that a system or a program left there for itself?"""
    return re.fullmatch(_TABLE["system"], "/".join(parts)) is not None


def name_match(name: str, assignment: str) -> int:
    """How much a notebook is named like the assignment: 2 but for a copy's number, 1 in part."""
    stem, wanted = PurePosixPath(name).stem[:250], _plain(assignment)
    if _plain(_COPY.sub("", stem)) == wanted:
        return 2
    return 1 if wanted in _plain(stem) else 0


def _plain(name: str) -> str:
    return "_".join(re.findall(r"[^\W_]+", name.casefold()))


def _blackboard(found: Sequence[Found]) -> Told:
    """A login may hold a _, so the end of TITLE_LOGIN does not tell alone where it begins."""
    for item, match in found:
        if match["rest"] is None:
            first = item.read().decode("utf-8-sig", "replace").partition("\n")[0].strip()
            login = re.fullmatch(r"Name: .*\((.+?)\)", first)
            if login and match["name"].endswith(f"_{login[1]}"):
                yield match["name"], Owner(login[1], (("id", login[1]), ("email", login[1]))), None


def _gradescope(found: Sequence[Found]) -> Told:
    """Several students may have one submission."""
    for item, match in found:
        if match["rest"] is None:
            table = yaml.load(item.read(), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
            for name, row in table.items():
                time = row.get(":created_at")
                for student in row.get(":submitters") or ():
                    email, number = (str(student.get(key) or "") for key in (":email", ":sid"))
                    ids = ("email", email), ("id", number), ("lms_user_id", number)
                    known = time.astimezone(UTC) if isinstance(time, datetime) else None
                    yield name, Owner(email or number, ids), known


def _nbgrader(found: Sequence[Found]) -> Told:
    times: dict[str, datetime] = {}
    for item, match in found:
        if match["rest"] is None and item.parts[-1] == "timestamp.txt":
            with contextlib.suppress(ValueError, OverflowError):
                stamp = parse_utc(item.read().decode().strip())
                times[match["name"]] = stamp.replace(tzinfo=UTC)
    for name in {match["name"] for _, match in found}:
        yield name, Owner(name, (("id", name),)), times.get(name)


_TELL = {"Blackboard": _blackboard, "Gradescope": _gradescope, "nbgrader": _nbgrader}

"""course.toml, the one ordered manifest of lessons, assignments and exercises, read and checked."""

import tomllib
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from course_utils.errors import CourseError
from course_utils.manifest_entries import (
    KINDS,
    SOLUTIONS,
    TABLES,
    Appendix,
    Assignment,
    Course,
    CoursePart,
    DroppedExercise,
    ExerciseEntry,
    Kind,
    Lesson,
    LessonTask,
    ManifestFile,
    Solutions,
)
from course_utils.manifest_problems import problems
from course_utils.nearest import sentence, suggestion

__all__ = [
    "KINDS",
    "SOLUTIONS",
    "Appendix",
    "Assignment",
    "Course",
    "CoursePart",
    "DroppedExercise",
    "ExerciseEntry",
    "Kind",
    "Lesson",
    "LessonTask",
    "Solutions",
    "load_manifest",
    "repository_root",
]


def repository_root() -> Path:
    """The folder of course.toml, next to the package. Raises CourseError if the file is missing."""
    root = Path(__file__).resolve().parent.parent
    if not (root / "course.toml").is_file():
        raise CourseError(
            f"There is no course.toml in {root}. Get the whole repository and install the course "
            "from there, with `pip install -e .`."
        )
    return root


def load_manifest(path: Path | None = None) -> Course:
    """The manifest: the repository's own, or the one at `path`. Parsed again only if it changed.

    Raises CourseError, which names the file, the entry, what is wrong, and what to do.
    """
    path = path or repository_root() / "course.toml"
    try:
        return _read(path, path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CourseError(f"{path} cannot be read ({error.strerror}). Restore it.") from error
    except UnicodeDecodeError as error:
        raise CourseError(f"{path} is not UTF-8. Save it in that encoding.") from error


@lru_cache(maxsize=8)
def _read(path: Path, text: str) -> Course:
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise CourseError(f"{path} is not TOML: {error}. Correct that line.") from error
    try:
        file = ManifestFile(**tables)
    except ValidationError as error:
        # A misspelt key is also a missing one: the message for the unknown key says more.
        worst = min(error.errors(), key=lambda each: each["type"] != "unexpected_keyword_argument")
        raise CourseError(sentence(f"{path}, {_message(tables, worst)}")) from None
    course = Course(
        **asdict(file.course),
        lessons=file.lessons,
        appendix=file.appendix,
        assignments=file.assignments,
        dropped=file.dropped,
        renamed={each.old: each.new for each in file.renamed},
    )
    for problem in problems(course):
        raise CourseError(sentence(f"{path}, {problem}"))
    return course


def _message(tables: Any, error: ErrorDetails) -> str:
    """The message for an error: the entry, what is wrong with it, and what to do."""
    *path, last = error["loc"]
    in_list = isinstance(last, int)
    key = str(path.pop() if in_list else last)
    kind: Any = ManifestFile
    label, table = "at the top", tables
    for step in path:
        table = table[step]
        if isinstance(step, str):
            name, kind, label = step, TABLES[step], f"[{step}]"
        else:
            called = table.get("number" if name == "lessons" else "name", f"number {step + 1}")
            label = f"{name.removesuffix('s')} {called}"
    known = kind.__pydantic_fields__
    given = error["input"]
    example = ((known[key].examples if key in known else None) or [""])[0]
    match error["type"]:
        case "missing":
            what = f"{key} is missing; add it"
        case "unexpected_keyword_argument":
            what = f"the key {key} is unknown; {suggestion(key, known)}"
        case "literal_error":
            hint = suggestion(str(given), SOLUTIONS if key == "solutions" else KINDS)
            what = f"the {key} {given} is unknown; {hint}"
        case "int_type" | "greater_than_equal":
            what = f"{key} is {given!r}; write a whole number, 1 or more"
        case "string_type" | "string_pattern_mismatch" if in_list:
            what = f"{key} has {given!r}; write an id such as {example}"
        case "string_type" | "string_pattern_mismatch":
            what = f"{key} is {given!r}; write a string such as {example}"
        case "datetime_type" | "timezone_aware":
            what = f"{key} is {given!s}; write a time with its zone, such as {example}"
        case "tuple_type" if example:
            what = f"{key} is {given!r}; write a list such as [{example}]"
        case _:
            several = key in ("lessons", "assignments", "exercises", "tasks")
            form = f"tables, [[{key}]]" if several else f"a table, [{key}]"
            what = f"{key} is {table[key]!r}; write it as {form}"
    return f"{label}: {what}"

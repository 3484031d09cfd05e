"""The numbers of the course in pages, which `course build` fills in.

Between `<!-- course.toml: NAME -->` and `<!-- end -->` goes the value of NAME in `numbers`. In the
table of a syllabus, titles, minutes and sums are computed from its parts and exercises.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from course_notebooks.safe_files import explained
from course_utils.errors import CourseError
from course_utils.manifest import Course, Lesson
from course_utils.nearest import sentence, suggestion

_PAGES = ("*.md", "site/guides/*.md", "notebooks/*.md")
_BEGIN, _END = "<!-- course.toml: ", "<!-- end -->"
_QUOTED = re.compile(rf"({_BEGIN}(\w+) -->)(?:(?!<!--).)*({_END})", re.DOTALL)
_SYLLABUS = re.compile(
    r"^(\| lesson \| parts \| minutes \| exercises in class \| minutes \|\n.*\n)((?:\|.*\n)+)",
    re.MULTILINE,
)
_PART = re.compile(r"^# ## (?:(\d+)\.|(Before|The project|What)).* · (\d+) min$", re.MULTILINE)
_CALLED = {"Before": "start", "The project": "project", "What": "end"}


def numbers(course: Course) -> dict[str, str]:
    """The numbers (and one table) that a page can contain, as text, by name."""
    exercises = course.exercises
    in_lessons = sum(lesson.minutes for lesson in course.lessons)
    in_exercises = sum(exercise.minutes for exercise in exercises)
    rows = [f"| {each.number} | {each.title} | {each.goal} |" for each in course.lessons]
    table = ["| | lesson | afterwards you can |", "|---|---|---|", *rows]
    return {
        "lessons": f"{len(course.lessons)}",
        "minutes_of_lessons": f"{in_lessons:,}",
        "hours_of_lessons": f"{round(in_lessons / 60)}",
        "exercises": f"{len(exercises)}",
        "minutes_of_exercises": f"{in_exercises:,}",
        "hours_of_exercises": f"{round(in_exercises / 60)}",
        "hours": f"{round((in_lessons + in_exercises) / 60)}",
        "table_of_lessons": "\n".join(["\n", *table, "\n"]),
    }


def outdated_pages(root: Path, course: Course) -> Iterator[tuple[Path, str]]:
    """The pages with outdated numbers, each with its new text.

    Raises CourseError for an unknown name of a number, lesson, part or exercise.
    """
    for page in sorted(path for pattern in _PAGES for path in root.glob(pattern)):
        with explained(page):
            old = page.read_text(encoding="utf-8")
        try:
            new = _SYLLABUS.sub(
                lambda table: table[1] + _filled_in(root, course, table[2]), _quoted(course, old)
            )
        except CourseError as error:
            raise CourseError(f"{page}: {error}") from error
        if new != old:
            yield page, new


def _quoted(course: Course, text: str) -> str:
    known = numbers(course)
    found = [quoted[2] for quoted in _QUOTED.finditer(text)]
    if text.count(_BEGIN) != len(found):
        raise CourseError(f"a `{_BEGIN}NAME -->` has no `{_END}` after it. Write it.")
    if unknown := [name for name in found if name not in known]:
        hint = suggestion(unknown[0], known)
        raise CourseError(sentence(f"`course build` has no number {unknown[0]}; {hint}"))
    return _QUOTED.sub(lambda quoted: quoted[1] + known[quoted[2]] + quoted[3], text)


def _filled_in(root: Path, course: Course, rows: str) -> str:
    """The rows of a syllabus, with minutes computed from their parts and exercises, and the sum."""
    lines: list[str] = []
    in_lessons = in_exercises = 0
    for row in rows.splitlines():
        if row.startswith("| **together: "):
            continue
        fields = [field.strip() for field in row.strip("|").split("|")]
        if len(fields) != 5:
            raise CourseError(f"the row {row} has {len(fields)} columns. Write five, as above it.")
        title, parts, _, exercises, _ = fields
        lesson = course.lesson(title[:2])
        reading, solving = _of_parts(root, lesson, parts), _of_exercises(course, lesson, exercises)
        in_lessons, in_exercises = in_lessons + reading, in_exercises + solving
        lines.append(
            f"| {lesson.number} {lesson.title} | {parts} | {reading} | {exercises} | {solving} |\n"
        )
    total = f"| **together: {in_lessons + in_exercises} minutes** | | **{in_lessons}** | | "
    return "".join([*lines, f"{total}**{in_exercises}** |\n"])


def _of_parts(root: Path, lesson: Lesson, parts: str) -> int:
    """The minutes of "all", or of parts such as "start, 1–3, 5", from the lesson's headings."""
    text = root / "notebooks" / "text" / f"{lesson.notebook}.py"
    with explained(text):
        headings = _PART.findall(text.read_text(encoding="utf-8"))
    known = {number or _CALLED[word]: int(minutes) for number, word, minutes in headings}
    chosen: set[str] = set()
    for part in parts.split(", "):
        first, _, last = part.partition("–")
        if part == "all":
            chosen.update(known)
        elif first.isdecimal() and last.isdecimal():
            chosen.update(map(str, range(int(first), int(last) + 1)))
        else:
            chosen.add(part)
    if unknown := sorted(chosen - known.keys()):
        hint = suggestion(unknown[0], known)
        raise CourseError(sentence(f"Lesson {lesson.number} has no part {unknown[0]}; {hint}"))
    return sum(known[part] for part in chosen)


def _of_exercises(course: Course, lesson: Lesson, named: str) -> int:
    """The minutes of the exercises whose short names are between backticks in `named`."""
    topic = (lesson.assignment or "")[3:]
    names = [f"{topic}.{short}" for short in re.findall(r"`(\w+)`", named)]
    return sum(course.exercise(name).minutes for name in names)

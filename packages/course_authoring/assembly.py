"""An assignment's text, assembled from its introduction and the folders of its exercises.

The text is py:percent, as for a lesson. Titles, points, minutes and the links at the end come from
course.toml. `taken_apart` is the reverse, for edits made in JupyterLab.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from course_authoring.conversion import notebook_from_text
from course_notebooks.safe_files import explained
from course_utils.checking.exercises import place_of
from course_utils.errors import CourseError
from course_utils.manifest import Assignment, ExerciseEntry, load_manifest
from exercise_kit.corpus import class_name
from exercise_kit.reference import TRY

_CLOSING = "before-you-submit"


def introduction(root: Path, assignment: Assignment) -> Path:
    """The file with the text of the cells before the first exercise."""
    return root / "assignments" / "text" / f"{assignment.name}.py"


def closing(root: Path) -> Path:
    """The Markdown file with the last cell of every assignment, to which links are added."""
    return root / "assignments" / "text" / "before_you_submit.md"


def put_together(root: Path, assignment: Assignment) -> str:
    """The whole text of an assignment. Raises CourseError for a part that is missing."""
    parts = [_read(introduction(root, assignment)).rstrip("\n")]
    for number, exercise in enumerate(assignment.exercises, start=1):
        parts += _cells_of(place_of(root, exercise.name), exercise, number)
    parts.append(_markdown({"slug": _CLOSING}, _read(closing(root)) + _onward(root, assignment)))
    return "\n\n".join(parts) + "\n"


def taken_apart(root: Path, assignment: Assignment, text: str) -> dict[Path, str]:
    """The content of the files of an assignment's text, by path.

    Raises CourseError for a cell that belongs to no exercise, for a missing cell, and for an edited
    headline, check or end, which come from course.toml and the exercise's name.
    """
    cells = {cell.id: cell for cell in notebook_from_text(text).cells}
    files: dict[Path, str] = {}
    for number, exercise in enumerate(assignment.exercises, start=1):
        short, place = exercise.short, place_of(root, exercise.name)
        names = (f"{short}_task", short, f"{short}_try", f"{short}_check")
        if missing := [name for name in names if name not in cells]:
            raise CourseError(f"the cell {missing[0]} is missing. Put it back.")
        task, answer, attempt, check = (cells.pop(name).source for name in names)
        head = _head(exercise, number)
        if not task.startswith(head) or check != _check(exercise, answer):
            raise CourseError(
                f"the headline or the check of {exercise.name} was edited. Undo that: titles, "
                "points and minutes come from course.toml, and the check from the name."
            )
        files[place / "task.md"] = task.removeprefix(head).strip("\n") + "\n"
        files[place / "answer.py"] = f"{answer}\n\n{TRY}{attempt}\n"
    if _CLOSING not in cells:
        raise CourseError(f"the cell {_CLOSING} is missing. Put it back.")
    end, links = cells.pop(_CLOSING).source, _onward(root, assignment)
    if not end.endswith(links):
        raise CourseError(
            "the end, from `course submit` on, was edited. Undo that: it comes from course.toml."
        )
    files[closing(root)] = end.removesuffix(links)
    first_task = json.dumps(_nbgrader(f"{assignment.exercises[0].short}_task"))
    cut = text.index("\n# %% [markdown] " + first_task)
    files[introduction(root, assignment)] = text[:cut].rstrip("\n") + "\n"
    first = notebook_from_text(files[introduction(root, assignment)])
    if strangers := [name for name in cells if name not in {cell.id for cell in first.cells}]:
        raise CourseError(
            f"the cell {strangers[0]} belongs to no exercise. Move its text into one, or before "
            "the first exercise."
        )
    return files


def _cells_of(place: Path, exercise: ExerciseEntry, number: int) -> Iterator[str]:
    short = exercise.short
    answer, found, attempt = _read(place / "answer.py").partition(TRY)
    if not found:
        raise CourseError(
            f"{place / 'answer.py'} has no line `{TRY.strip()}`. Write it, and below it lines "
            "with which a learner can try the answer."
        )
    task = _head(exercise, number) + _read(place / "task.md")
    yield _markdown(_nbgrader(f"{short}_task"), task)
    yield _code(_nbgrader(short, solution=True), answer)
    yield _code({"slug": f"{short}_try"}, attempt)
    yield _code(_nbgrader(f"{short}_check", points=exercise.points), _check(exercise, answer))


def _head(exercise: ExerciseEntry, number: int) -> str:
    facts = f"{exercise.kind.capitalize()} · {exercise.points} points · {exercise.minutes} minutes"
    return f"## {number}. {exercise.title}\n\n*{facts}*\n\n"


def _onward(root: Path, assignment: Assignment) -> str:
    """The end of an assignment: how to hand it in, and links to its lesson and the next one."""
    submit = (
        f"\nIn a terminal (*File > New > Terminal*), `course submit {assignment.name}` says what "
        "will be graded,\nand hands it in, or makes the file to upload.\n"
    )
    course = load_manifest(root / "course.toml")
    here = course.lessons.index(course.lesson(assignment.lesson))
    ways = zip(("Back to", "Next:"), course.lessons[here : here + 2], strict=False)
    # The relative path from an assignment to a lesson in a learner's workspace.
    return f"{submit}\n" + " · ".join(
        f"{way} [lesson {lesson.number}, *{lesson.title}*](../../lessons/{lesson.notebook}.ipynb)"
        for way, lesson in ways
    )


def _check(exercise: ExerciseEntry, answer: str) -> str:
    """The line that checks the function, or else the class, that `answer` defines."""
    named = class_name(exercise.short)
    is_class = re.search(rf"^class {named}\b", answer, re.MULTILINE)
    return f'check("{exercise.name}", {named if is_class else exercise.short})'


def _nbgrader(name: str, *, solution: bool = False, points: int | None = None) -> dict[str, object]:
    """nbgrader's metadata for a cell: a task, a solution (not locked), or a test with points."""
    meta: dict[str, object] = {
        "grade": points is not None,
        "grade_id": name,
        "locked": not solution,
        "schema_version": 3,
        "solution": solution,
        "task": False,
    }
    if points is not None:
        meta["points"] = points
    return {"nbgrader": dict(sorted(meta.items()))}


def _markdown(metadata: dict[str, object], source: str) -> str:
    lines = [f"# {line}".rstrip() for line in source.strip("\n").split("\n")]
    return "\n".join([f"# %% [markdown] {json.dumps(metadata)}", *lines])


def _code(metadata: dict[str, object], source: str) -> str:
    return f"# %% {json.dumps(metadata)}\n" + source.strip("\n")


def _read(path: Path) -> str:
    with explained(path):
        return path.read_text(encoding="utf-8")

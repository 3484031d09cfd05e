"""`course verify`: prove every exercise of the course, or some of them.

exercise_kit proves each exercise. This file has the course's own rules: for released notebooks,
entries in course.toml, and built files.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import nbformat

from course_authoring import text
from course_command.console import silent
from course_notebooks.release import released_notebook
from course_notebooks.source import source_notebook
from course_utils.checking.exercises import exercise_in, folder_of_all
from course_utils.devices import current_lab, lab
from course_utils.manifest import (
    Assignment,
    Course,
    ExerciseEntry,
    Lesson,
    LessonTask,
    load_manifest,
)
from exercise_kit.folder import Exercise
from exercise_kit.given import given
from exercise_kit.verify import Counts, Proof, number


def verify_course(
    root: Path,
    names: Sequence[str] | None,
    say: Callable[[str], None],
    doing: Callable[..., None] = silent,
    *,
    brief: bool = False,
) -> list[str]:
    """The problems of the exercises in `names` (default: all).

    `say` gets every problem, and `doing` the exercise that is being proven. brief: as in `Proof`.
    Raises CourseError for an unknown name.
    """
    course = load_manifest(root / "course.toml")
    chosen = _chosen(course, names)
    parts: tuple[Assignment | Lesson, ...] = (*course.assignments, *course.lessons)
    touched = [
        part.notebook if isinstance(part, Lesson) else part.name
        for part in parts
        if any(each.name in chosen for each in _exercises(part))
    ]
    problems = [] if names else list(_strangers(root, course))
    problems += [
        f"{change.path} is outdated ({change.what}). Run `course build`, or, to keep edits made "
        "in a notebook, `course absorb`."
        for change in text.build(root, touched, check=True, doing=doing)
    ]
    for problem in problems:
        say(f"✗ {problem}")
    total, done = Counts(), 0
    for part in parts:
        exercises = tuple(each for each in _exercises(part) if each.name in chosen)
        stubs = _stubs(root, part) if exercises and isinstance(part, Assignment) else {}
        for exercise in exercises:
            done += 1
            doing(f"Proving {exercise.name}, {done} of {len(chosen)}")
            if current_lab() is None:
                lab(gpus=4)
            folder = exercise_in(root, exercise.name)
            proof = Proof(folder, stubs.get(exercise.short), brief=brief)
            found = [*_of_the_entry(exercise, folder), *proof.problems()]
            if isinstance(part, Lesson):
                found = [*_of_the_lesson(root, part, folder), *found]
            for problem in found:
                say(f"✗ {exercise.name}: {problem}")
            if not found:
                say(f"✓ {exercise.name}: {proof.counts}")
                total += proof.counts
            problems += found
    end = f"{number(len(problems), 'problem')}." if problems else "Verified: no problems."
    say(f"{end} Proven: {number(total.exercises, 'exercise')}, {total}.")
    return problems


def _exercises(part: Assignment | Lesson) -> tuple[ExerciseEntry | LessonTask, ...]:
    """The exercises of an assignment, or the tasks of a lesson."""
    return part.tasks if isinstance(part, Lesson) else part.exercises


def _chosen(course: Course, names: Sequence[str] | None) -> set[str]:
    """The names of the exercises that `names` stand for, with the tasks of a named lesson."""
    known = {*course.exercise_names}
    if not names:
        return known
    chosen = known & {*names}
    for part in (course.find(name) for name in names if name not in known):
        chosen |= {each.name for each in part.exercises}
        if part.lesson.notebook in part.notebooks:
            chosen |= {each.name for each in part.lesson.tasks}
    return chosen


def _strangers(root: Path, course: Course) -> Iterator[str]:
    """A problem for each folder without an entry in course.toml."""
    known = {*course.exercise_names}
    for task in sorted(folder_of_all(root).glob("*/*/")):
        name = f"{task.parent.name}.{task.name}"
        if task.is_dir() and not task.name.startswith("__") and name not in known:
            yield f"{task} is an exercise that course.toml does not name. Add {name} there."


def _of_the_entry(entry: ExerciseEntry | LessonTask, folder: Exercise) -> Iterator[str]:
    """The problems of an exercise's entry in course.toml."""
    if "TODO" in entry.title:
        yield f"it has the title {entry.title} in course.toml. Write a title."
    task, broken = folder.path / "task.md", isinstance(entry, LessonTask) or entry.kind == "fix"
    if broken and task.is_file() and not given(folder):
        yield (
            f"the program to fix is missing. Write it below the solution in {folder.path}/"
            f"answer.py, or show one program that defines {entry.short} in {task}."
        )


def _of_the_lesson(root: Path, lesson: Lesson, folder: Exercise) -> Iterator[str]:
    """The cells of a task that the lesson's notebook lacks: the program to fix, and the check."""
    cells = [
        cell.source.rstrip()
        for cell in nbformat.read(root / "notebooks" / f"{lesson.notebook}.ipynb", 4).cells
        if cell.cell_type == "code"
    ]
    for program in given(folder):
        if program.rstrip() not in cells:
            yield f"lesson {lesson.number} needs a cell with the unchanged program of task.md."
    if (line := f'check("{folder.name}", {folder.short})') not in cells:
        yield f"lesson {lesson.number} needs a cell with the line {line}"


def _stubs(root: Path, assignment: Assignment) -> dict[str, str]:
    """The starting text of each solution cell of the released notebook, by grade_id."""
    released = released_notebook(source_notebook(root, assignment))
    return {
        cell.metadata["nbgrader"]["grade_id"]: cell.source
        for cell in released.cells
        if cell.metadata.get("nbgrader", {}).get("solution")
    }

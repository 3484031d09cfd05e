"""Prove every exercise of the course, or some of them: `course verify`.

The kit proves each one; here stand the course's own rules: what is released, what course.toml
names, and what was built.
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
    """Verify the exercises in what is called `names` (default: all).

    Says and returns every problem; `doing` is told which exercise is being proven. brief: as
    `Proof`. Raises CourseError for a name that does not exist.
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
        f"{change.path} is out of step ({change.what}): run `course build`, or, to keep what was "
        "edited in a notebook, `course absorb`."
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
    """Those of an assignment, or the small ones of a lesson."""
    return part.tasks if isinstance(part, Lesson) else part.exercises


def _chosen(course: Course, names: Sequence[str] | None) -> set[str]:
    """The names of exercises in what `names` stand for, with the tasks of a named lesson."""
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
    """Folders that no entry of course.toml names."""
    known = {*course.exercise_names}
    for task in sorted(folder_of_all(root).glob("*/*/")):
        name = f"{task.parent.name}.{task.name}"
        if task.is_dir() and not task.name.startswith("__") and name not in known:
            yield f"{task} is an exercise that course.toml does not name: add {name} there."


def _of_the_entry(entry: ExerciseEntry | LessonTask, folder: Exercise) -> Iterator[str]:
    """What course.toml says of the exercise."""
    if "TODO" in entry.title:
        yield f"it has the title {entry.title} in course.toml: write one."
    task, repaired = folder.path / "task.md", isinstance(entry, LessonTask) or entry.kind == "fix"
    if repaired and task.is_file() and not given(folder):
        yield (
            f"the program to be fixed is missing: write it below the solution in {folder.path}/"
            f"answer.py, or show one program that defines {entry.short} in {task}."
        )


def _of_the_lesson(root: Path, lesson: Lesson, folder: Exercise) -> Iterator[str]:
    """What the lesson's notebook has to have of a task: the program to be fixed, and the check."""
    cells = [
        cell.source.rstrip()
        for cell in nbformat.read(root / "notebooks" / f"{lesson.notebook}.ipynb", 4).cells
        if cell.cell_type == "code"
    ]
    for program in given(folder):
        if program.rstrip() not in cells:
            yield f"lesson {lesson.number} needs a cell with the program of task.md, as it is."
    if (line := f'check("{folder.name}", {folder.short})') not in cells:
        yield f"lesson {lesson.number} needs a cell with the line {line}"


def _stubs(root: Path, assignment: Assignment) -> dict[str, str]:
    """What learners find in each solution cell of the released notebook, by grade_id."""
    released = released_notebook(source_notebook(root, assignment))
    return {
        cell.metadata["nbgrader"]["grade_id"]: cell.source
        for cell in released.cells
        if cell.metadata.get("nbgrader", {}).get("solution")
    }

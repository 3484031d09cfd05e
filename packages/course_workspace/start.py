"""The start page as plain data: lessons with links, the next step, new versions."""

from pathlib import Path
from typing import Any

from course_utils.checking.progress import (
    LessonProgress,
    NextStep,
    Progress,
    assignment,
    exercises,
    finished,
    passed,
    progress_of,
    questions,
    share,
    tasks,
    whole_assignment,
)
from course_utils.checking.record import LearnerRecord
from course_utils.manifest import ExerciseEntry
from course_workspace.deliveries import Deliveries
from course_workspace.files import assignment_file, lesson_file, pages
from course_workspace.machine import machine
from course_workspace.program.filling import FOLDER


def start_page(root: Path, workspace: Path) -> dict[str, Any]:
    """The data of the page. Its files are paths relative to `workspace`; None if missing."""
    path = progress_of(LearnerRecord(workspace))
    return {
        "title": path.course.title,
        "about": _about(path),
        "said": f"{passed(path)}, {share(path.points, 'point')}.",
        "passed": {
            "done": path.tasks_passed.done + path.passed.done,
            "of": path.tasks_passed.of + path.passed.of,
        },
        "next": path.next and _step(workspace, path, path.next),
        "finished": "" if path.next else finished(path),
        "news": news(workspace),
        "lessons": [_lesson(workspace, state) for state in path.lessons],
        "pages": [
            {"title": title, "file": _there(workspace, file)}
            for title, file in [("Your program, train.py", f"{FOLDER}/train.py"), *pages(root)]
        ],
        "machine": [*machine(), ("Your work", f"in {workspace}")],
    }


def news(workspace: Path) -> list[str]:
    """The message for each new version that is still next to a learner's file."""
    entries = Deliveries.read(workspace).entries.values()
    return [each.told for each in entries if each.new and (workspace / each.new).is_file()]


def _about(path: Progress) -> str:
    """The size of the course in words: lessons, exercises and their hours."""
    lessons = [state.lesson.minutes for state in path.lessons]
    exercises = [each.minutes for state in path.lessons for each, _ in state.exercises]
    return (
        f"{len(lessons)} lessons, about {sum(lessons) / 60:.0f} hours. {len(exercises)} "
        f"exercises, about {sum(exercises) / 60:.0f} hours."
    )


def _step(workspace: Path, path: Progress, following: NextStep) -> dict[str, Any]:
    state, exercise = following.state, following.exercise
    lesson = state.lesson
    if exercise is None:
        verb = "Begin" if state.standing == "new" else "Continue"
        return {
            "label": f"{verb} lesson {lesson.number}: {lesson.title}",
            "about": f"About {lesson.time}.",
            **_link(workspace, lesson_file(lesson)),
        }
    assert state.assignment is not None
    if not state.tried:
        return {
            "label": f"Begin {assignment(state)}",
            "about": f"{whole_assignment(state)}.",
            **_link(workspace, assignment_file(state.assignment)),
        }
    verb = "Continue" if dict(state.exercises)[exercise] == "begun" else "Solve"
    return {
        "label": f"{verb} “{exercise.title}”",
        "about": f"An exercise of assignment {state.assignment.name}, about {exercise.minutes} "
        f"minutes, {exercise.points} points.",
        **_link(workspace, assignment_file(state.assignment), exercise),
    }


def _lesson(workspace: Path, state: LessonProgress) -> dict[str, Any]:
    lesson, its_assignment = state.lesson, state.assignment
    done = [] if state.standing == "new" else [tasks(state), questions(state)]
    said = ", ".join(filter(None, done))
    return {
        "number": lesson.number,
        "title": lesson.title,
        "standing": state.standing,
        "goal": f"Afterwards you can {lesson.goal}.",
        "said": f"{lesson.time}. {said}." if said else f"{lesson.time}.",
        **_link(workspace, lesson_file(lesson)),
        "assignment": its_assignment
        and {
            "name": its_assignment.name,
            "said": exercises(state),
            "exercises": [
                {
                    "title": exercise.title,
                    "said": f"{exercise.points} points, {exercise.minutes} minutes",
                    "standing": standing,
                    **_link(workspace, assignment_file(its_assignment), exercise),
                }
                for exercise, standing in state.exercises
            ],
            **_link(workspace, assignment_file(its_assignment)),
        },
    }


def _link(
    workspace: Path, file: str, exercise: ExerciseEntry | None = None
) -> dict[str, str | None]:
    """The target of a link: the file, and the id of a cell in it or None."""
    return {"file": _there(workspace, file), "cell": f"{exercise.short}_task" if exercise else None}


def _there(workspace: Path, file: str) -> str | None:
    return file if (workspace / file).is_file() else None

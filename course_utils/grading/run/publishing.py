"""autograded/, written beside its place and put there whole by one renaming."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from course_utils.errors import CourseError
from course_utils.grading.run.course import Course


def publish(
    course: Course,
    student: str,
    assignment: str,
    notebook: NotebookNode,
    files: Mapping[str, bytes],
) -> None:
    """Put a graded notebook and what was handed in beside it where nbgrader looks for them.

    Raises CourseError where that cannot be written.
    """
    try:
        _publish(course, student, assignment, notebook, files)
    except OSError as error:
        raise CourseError(
            f"The graded notebook of {student} cannot be written ({error.strerror}): "
            "nothing is lost; make room, or make the folder writable, and run the "
            "same command again."
        ) from error


def _publish(
    course: Course,
    student: str,
    assignment: str,
    notebook: NotebookNode,
    files: Mapping[str, bytes],
) -> None:
    unfinished = course.own / "unfinished" / student / assignment
    _remove(unfinished)
    unfinished.mkdir(parents=True)
    for name, content in files.items():
        path = unfinished / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    stamp = course.place("submitted", student, assignment) / "timestamp.txt"
    if stamp.is_file() and not stamp.is_symlink():
        shutil.copyfile(stamp, unfinished / stamp.name)
    nbformat.write(notebook, unfinished / f"{assignment}.ipynb")
    shared = course.directory.groupshared
    for folder, _, names in os.walk(unfinished):
        for name in names:
            (Path(folder) / name).chmod(0o664 if shared else 0o444)
        if shared:
            Path(folder).chmod(0o2770)
    place = course.place("autograded", student, assignment)
    place.parent.mkdir(parents=True, exist_ok=True)
    replaced = course.own / "replaced" / student / assignment
    _remove(replaced)
    if place.exists():
        replaced.parent.mkdir(parents=True, exist_ok=True)
        place.rename(replaced)
    unfinished.rename(place)
    _remove(replaced)


def _remove(folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)

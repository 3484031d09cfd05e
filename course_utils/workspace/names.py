"""What a learner calls a file of the course, and the version of it that the copy follows."""

from pathlib import Path

import nbformat
from nbformat import NotebookNode

from course_utils.authoring.assembly import source_notebook
from course_utils.manifest import Assignment, Course, load_manifest
from course_utils.workspace.files import assignment_file, lesson_file
from course_utils.workspace.notebooks import read_notebook
from course_utils.workspace.record import Record


def course_of(root: Path) -> Course:
    return load_manifest(root / "course.toml")


def files_called(root: Path, workspace: Path, name: str) -> list[str]:
    """The files of a workspace that `name` stands for, relative to it.

    name: a lesson, an assignment, an exercise or a number, or the path of a file. Raises
    CourseError, with the nearest names, if there is none.
    """
    for path in (Path(name), workspace / name):
        if path.is_file() and path.resolve().is_relative_to(workspace.resolve()):
            return [path.resolve().relative_to(workspace.resolve()).as_posix()]
    found = course_of(root).find(name)
    files = {found.lesson.notebook: lesson_file(found.lesson)}
    if found.assignment:
        files[found.assignment.name] = assignment_file(found.assignment)
    return [files[each] for each in found.notebooks]


def release_of(root: Path, assignment: Assignment) -> NotebookNode:
    """The assignment as the course releases it now."""
    from course_utils.authoring.release import released_notebook  # it takes seconds to import

    return nbformat.from_dict(released_notebook(source_notebook(root, assignment)))


def base_of(root: Path, record: Record, assignment: Assignment) -> NotebookNode:
    """The version of an assignment that the learner's copy follows; where that is not known, the
    version that the course releases now."""
    base = record.base(assignment_file(assignment))
    if base is None:
        return release_of(root, assignment)
    return read_notebook(base, assignment.name)

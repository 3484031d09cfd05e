"""START_HERE.md: the start page for whoever opens a workspace without our JupyterLab extension."""

from pathlib import Path
from string import Template

from course_utils.manifest import Course, Lesson, load_manifest
from course_utils.workspace.files import assignment_file, lesson_file, pages, stage_file


def start_here(root: Path) -> str:
    """The page, as Markdown with a link to every lesson, assignment, page and stage."""
    course = load_manifest(root / "course.toml")
    template = Path(__file__).with_name("start_here.md").read_text(encoding="utf-8")
    return Template(template).substitute(
        title=course.title,
        path="\n".join(_row(root, course, lesson) for lesson in course.lessons),
        pages=", ".join(f"[{title}]({path})" for title, path in pages(root)),
    )


def _row(root: Path, course: Course, lesson: Lesson) -> str:
    assignment = stage = ""
    if lesson.assignment:
        described = course.assignment(lesson.assignment)
        assignment = (
            f"[{described.name}]({assignment_file(described)}): "
            f"{len(described.exercises)} exercises, {described.points} points"
        )
    if (root / "notebooks" / stage_file(lesson)).is_file():
        stage = f"[train.py]({stage_file(lesson)})"
    cells = (
        lesson.number,
        f"[{lesson.title}]({lesson_file(lesson)})",
        lesson.goal,
        lesson.time,
        assignment,
        stage,
    )
    return f"| {' | '.join(cells)} |"

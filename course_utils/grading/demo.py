"""`course grade --demo`: grade a class made of the known answers, for a person to look at."""

import tempfile
from collections.abc import Callable
from pathlib import Path

from course_utils.errors import CourseError
from course_utils.grading.classroom import make_class
from course_utils.grading.road import Road
from course_utils.grading.run.command import Options, grade_class
from course_utils.manifest import load_manifest
from course_utils.voice import silent

_TOO_LONG = ("endless_loop",)  # it takes until its time is up


def grade_demo(
    root: Path,
    name: str,
    folder: Path | None,
    say: Callable[[str], None],
    doing: Callable[..., None] = silent,
) -> None:
    """Take a class down the road, and say each grade beside the expected one.

    Raises CourseError if `folder` is not empty or cannot be made, if a step fails, or if a grade
    differs.
    """
    assignment = load_manifest(root / "course.toml").assignment(name)
    folder = (folder or Path(tempfile.mkdtemp(prefix="grade-demo-"))).resolve()
    if folder.exists() and any(folder.iterdir()):
        raise CourseError(f"{folder} is not empty: name another folder for the demo.")
    try:
        road = Road(folder, root / "assignments", name)
    except OSError as error:
        raise CourseError(
            f"{folder} cannot be used ({error.strerror}): name another folder for the demo."
        ) from error
    doing("Making a class of the known answers")
    submissions = [each for each in make_class(root, assignment) if each.student not in _TOO_LONG]
    say(f"{name}: {len(submissions)} submissions, {assignment.points} points, in {road.course}")
    doing("Making the release with nbgrader")
    road.hand_in(submissions, road.generate())
    report = grade_class(Options(name, road.course), say)
    points = {graded.student: graded.points for graded in report.graded}
    wrong = 0
    for submission in submissions:
        expected = sum(submission.expected_grades(assignment).values())
        got = points[submission.student]
        wrong += got != expected
        shown = "held" if got is None else f"{got:4g}"
        say(
            f"  {'✓' if got == expected else '✗'} {submission.student:14} {shown} of "
            f"{assignment.points}, expected {expected}"
        )
    say(
        "To look at them in nbgrader's formgrader: with the environment active\n"
        "(`source .venv/bin/activate`), run `jupyter lab` in the folder\n"
        f"  {road.course}\n"
        "and choose Nbgrader > Formgrader in the menu, then Manual Grading."
    )
    if wrong:
        raise CourseError(f"{wrong} grades differ from what the known answers must get.")

"""`course grade --demo`: grade the class made of the known answers, for a person to look at."""

import tempfile
from collections.abc import Callable
from pathlib import Path

from course_utils.errors import CourseError
from course_utils.grading.classroom import make_class
from course_utils.grading.road import Road
from course_utils.manifest import load_manifest


def grade_demo(root: Path, folder: Path | None, say: Callable[[str], None]) -> None:
    """Take the class down the nbgrader road, and say each grade beside the expected one.

    Raises CourseError if `folder` is not empty, if a step fails, or if a grade differs.
    """
    folder = (folder or Path(tempfile.mkdtemp(prefix="grade-demo-"))).resolve()
    if folder.exists() and any(folder.iterdir()):
        raise CourseError(f"{folder} is not empty: name another folder for the demo.")
    wrong = 0
    for assignment in load_manifest(root / "course.toml").assignments:
        road = Road(folder / assignment.name, root / "assignments", assignment.name)
        submissions = make_class(root, assignment)
        say(f"{assignment.name}: {len(submissions)} submissions, {assignment.points} points")
        say("  releasing and submitting …")
        road.submit(submissions, road.release())
        say("  collecting and grading, some seconds for each …")
        road.collect()
        road.autograde()
        say("  making the feedback and exporting the grades …")
        road.feedback()
        scores = road.export()
        for submission in submissions:
            expected = sum(submission.expected_grades(assignment).values())
            got = scores[submission.student]
            wrong += got != expected
            say(f"  {'✓' if got == expected else '✗'} {submission.student:14} "
                f"{got:4.0f} of {assignment.points}, expected {expected}")
        say(f"The exported grades: {road.course / 'grades.csv'}")
        say(
            "To look at them in nbgrader's formgrader: with the environment active\n"
            "(`source .venv/bin/activate`), run `jupyter lab` in the folder\n"
            f"  {road.course}\n"
            "and choose Nbgrader > Formgrader in the menu, then Manual Grading."
        )
    if wrong:
        raise CourseError(f"{wrong} grades differ from what the known answers must get.")

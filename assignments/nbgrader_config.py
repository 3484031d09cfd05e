"""nbgrader's settings for this course. Run nbgrader in this folder."""

from pathlib import Path

from course_utils.grading.seed import use_grading_seed

c = get_config()

c.CourseDirectory.course_id = "on_the_right_device"
c.CourseDirectory.root = str(Path(__file__).resolve().parent)

# An endless loop outside of any check is stopped after this many seconds, cell by cell.
c.Execute.timeout = 60

# The hidden cases are drawn from a seed that stays on the instructor's machine.
use_grading_seed(Path(__file__).resolve().parent)

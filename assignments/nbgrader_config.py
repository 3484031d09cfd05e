"""nbgrader's settings for this course. Run nbgrader in this folder."""

from pathlib import Path

from nbgrader.converters import Autograde
from nbgrader.preprocessors import SaveAutoGrades

from course_utils.grading.held import SaveGradesOrHold
from course_utils.grading.seed import use_grading_seed

c = get_config()

c.CourseDirectory.course_id = "on_the_right_device"
c.CourseDirectory.root = str(Path(__file__).resolve().parent)

# An endless loop outside of any check is stopped after this many seconds, cell by cell.
c.Execute.timeout = 60

# What could not be checked is left for manual grading: it is never a zero.
c.Autograde.autograde_preprocessors = [
    SaveGradesOrHold if step is SaveAutoGrades else step
    for step in Autograde.autograde_preprocessors.default_args[0]
]

# The hidden cases are drawn from a seed that stays on the instructor's machine.
use_grading_seed(Path(__file__).resolve().parent)

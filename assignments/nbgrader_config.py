"""nbgrader's settings for this course. Run nbgrader in this folder."""

import os
from pathlib import Path

from nbgrader.converters import Autograde
from nbgrader.preprocessors import Execute, OverwriteKernelspec, SaveAutoGrades

from course_grading.exports import CourseCsv
from course_grading.feedback import FeedbackPage, GradesWithReasons
from course_grading.manual_grading import SaveGradesOrHold
from course_grading.nbgrader_plugins import GradingExporter, SaveVerdicts
from course_grading.sanitize import Sanitize
from course_grading.seed import use_grading_seed

HERE = Path(__file__).resolve().parent

c = get_config()

c.CourseDirectory.course_id = "on_the_right_device"
c.CourseDirectory.root = str(HERE)

if os.environ.get("COURSE_GRADE_IN_KERNELS"):
    # On real GPUs: each submission in a kernel, with your rights and without a sandbox.
    use_grading_seed(HERE)
    c.Execute.timeout = 300  # seconds for a cell; a check that takes longer is held
    save, without = SaveGradesOrHold, ()
else:
    # `nbgrader autograde` and formgrader's button grade as `course grade` does: what was handed in
    # is put into our own notebook, and runs in a sandbox.
    c.Autograde.exporter_class = GradingExporter
    c.Autograde.sanitize_preprocessors = [OverwriteKernelspec]
    save, without = SaveVerdicts, (Execute,)
# What could not be judged is never a zero.
c.Autograde.autograde_preprocessors = [
    save if step is SaveAutoGrades else step
    for step in Autograde.autograde_preprocessors.default_args[0]
    if step not in without
]

# Feedback is a page of ours: exercises by their titles, no scripts, none of a submission's files.
c.GenerateFeedback.exporter_class = FeedbackPage
c.GenerateFeedback.preprocessors = [GradesWithReasons]

# Formgrader shows what students wrote; none of it runs there.
c.HTMLExporter.preprocessors = [Sanitize]

# Grades are exported as nbgrader does it, with an empty field where something is held.
c.ExportApp.plugin_class = CourseCsv

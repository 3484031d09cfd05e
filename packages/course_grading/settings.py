"""nbgrader's settings that make its own commands grade as `course grade` does."""

import os
from pathlib import Path

from nbgrader.converters import Autograde
from nbgrader.preprocessors import Execute, OverwriteKernelspec, SaveAutoGrades
from traitlets.config import Config

from course_grading.exports import CourseCsv
from course_grading.feedback import FeedbackPage, GradesWithReasons
from course_grading.manual_grading import SaveGradesOrHold
from course_grading.nbgrader_plugins import GradingExporter, SaveVerdicts
from course_grading.sanitize import Sanitize
from course_grading.seed import grading_seed
from course_utils.checking.mode import GRADING_SEED


def grade_in_sandbox(config: Config, root: Path) -> None:
    """Add these settings to the `config` of the nbgrader course in the folder `root`."""
    save: type[SaveAutoGrades] = SaveVerdicts
    without: tuple[type, ...] = (Execute,)
    if os.environ.get("COURSE_GRADE_IN_KERNELS"):
        # On real GPUs: each submission in a kernel, with your rights and without a sandbox.
        os.environ[GRADING_SEED] = grading_seed(root)  # for nbgrader's kernels
        config.Execute.timeout = 300  # seconds for a cell; a check that takes longer is held
        save, without = SaveGradesOrHold, ()
    else:
        # `nbgrader autograde` and formgrader's button rebuild the notebook and use the sandbox.
        config.Autograde.exporter_class = GradingExporter
        config.Autograde.sanitize_preprocessors = [OverwriteKernelspec]
    config.Autograde.autograde_preprocessors = [
        save if step is SaveAutoGrades else step
        for step in Autograde.autograde_preprocessors.default_args[0]
        if step not in without
    ]
    # Feedback is our page: exercises by their titles, no scripts, no files of the submission.
    config.GenerateFeedback.exporter_class = FeedbackPage
    config.GenerateFeedback.preprocessors = [GradesWithReasons]
    # Formgrader shows what students wrote, without running it.
    config.HTMLExporter.preprocessors = [Sanitize]
    # An export has an empty field for a score that is not known, not a zero.
    config.ExportApp.plugin_class = CourseCsv

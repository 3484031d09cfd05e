"""nbgrader's plug points, for assignments/nbgrader_config.py.

With them `nbgrader autograde` and the button of its formgrader give the grades that `course grade`
gives: they rebuild the notebook, and the same judge and worker decide.
"""

import glob
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nbconvert.exporters import NotebookExporter
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.converters.base import NbGraderException
from traitlets import Bool, Unicode

from course_grading.doctor import level_or_refuse
from course_grading.executor import JudgeProcess
from course_grading.hidden import hidden_cases
from course_grading.job import GradingSettings
from course_grading.manual_grading import SaveGradesOrHold, gradebook_key
from course_grading.run.autograded import show_results
from course_grading.run.course import NbgraderCourse, ReleasedAssignment
from course_grading.run.gradebook import comments, require_released
from course_grading.run.submissions import GradableSubmission, SubmittedFolder, is_special
from course_grading.sandbox import Level
from course_grading.seed import grading_seed
from course_utils.errors import CourseError


class GradingExporter(NotebookExporter):
    """Reads a submission as `course grade` does, and grades it, where nbgrader runs a kernel."""

    minimum_level = Unicode("NO_CGROUPS", help="The sandbox below which nothing is graded.").tag(
        config=True
    )

    real_gpus = Bool(
        False, help="Grade on this computer's own GPUs, of which four are needed."
    ).tag(config=True)

    def __init__(self, **arguments: Any) -> None:
        super().__init__(**arguments)
        self._judges: dict[str, JudgeProcess] = {}
        self._released: dict[str, ReleasedAssignment] = {}
        self._prepared: GradableSubmission | None = None
        self._end = weakref.finalize(self, _close, self._judges)
        if self.parent is not None:
            self._ignored = tuple(self.parent.coursedir.ignore)
            self.parent.pre_convert_hook = self._leave_links
            self._release()

    def _release(self) -> None:
        """Read what is to be graded, before nbgrader writes anything of a submission.

        Raises what ends nbgrader's commands with a sentence, where something is not graded here.
        """
        assert self.parent is not None
        directory = self.parent.coursedir
        self._course = NbgraderCourse(Path(directory.root), self.config, directory)
        names = {Path(folder).name for folder in self.parent.assignments}
        try:
            for name in sorted(names):
                released = ReleasedAssignment.of(self._course, name)
                with Gradebook(directory.db_url, directory.course_id) as book:
                    require_released(book, released)
                self._released[name] = released
        except CourseError as error:
            self.parent.log.error(str(error))
            raise NbGraderException(str(error)) from error

    def from_filename(
        self, filename: str, resources: dict[str, Any] | None = None, **arguments: Any
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """The submission rebuilt in nbgrader's first pass, and graded in its second one."""
        assert self.parent is not None and resources is not None
        name = resources["nbgrader"]["assignment"]
        if self.parent._sanitizing:
            student = resources["nbgrader"]["student"]
            folder = self._course.place("submitted", student, name)
            submission = SubmittedFolder(student, folder, self._ignored)
            self._prepared = submission.prepare(self._released[name])
            return self.from_notebook_node(self._prepared.rebuilt.notebook, resources)
        assert self._prepared is not None
        graded = self._prepared.completed(self._judge(name).grade(self._prepared.job))
        notebook = self._prepared.rebuilt.notebook
        show_results(notebook, graded)
        resources["graded"] = graded
        return self.from_notebook_node(notebook, resources)

    def _leave_links(self, assignment: str, student: str, notebooks: Sequence[str]) -> None:
        """Before nbgrader copies a submission: keep it from copying what a link points to.

        That may be anything on this computer. The submission is held for it.
        """
        links = {
            glob.escape(path.name)
            for notebook in notebooks
            for path in SubmittedFolder(student, Path(notebook).parent, self._ignored).files()
            if is_special(path)
        }
        assert self.parent is not None
        self.parent.coursedir.ignore = [*self._ignored, *sorted(links)]

    def _judge(self, name: str) -> JudgeProcess:
        if name not in self._judges:
            level = level_or_refuse(Level[self.minimum_level])
            hidden = hidden_cases(name, grading_seed(self._course.root))
            settings = GradingSettings(name, hidden, level)
            self._judges[name] = JudgeProcess(
                settings.on_real_gpus() if self.real_gpus else settings
            )
        return self._judges[name]


def _close(judges: dict[str, JudgeProcess]) -> None:
    for judge_process in judges.values():
        judge_process.close()


class SaveVerdicts(SaveGradesOrHold):
    """What is held says why as well."""

    def _add_comment(self, cell: NotebookNode, resources: dict[str, Any]) -> None:
        comment = self.gradebook.find_comment(*gradebook_key(self, cell))
        comment.auto_comment = comments(resources["graded"]).get(comment.name)
        self.gradebook.db.commit()

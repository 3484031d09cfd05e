"""Plugins for nbgrader, named in assignments/nbgrader_config.py.

With them `nbgrader autograde` and formgrader's button give the same grades as `course grade`: they
rebuild the notebook and use the same judge and worker.
"""

import glob
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nbconvert.exporters import NotebookExporter
from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.converters.base import NbGraderException
from nbgrader.preprocessors import SaveAutoGrades
from traitlets import Unicode

from course_grading.doctor import level_or_refuse
from course_grading.executor import JudgeProcess
from course_grading.hidden import hidden_cases
from course_grading.manual_grading import gradebook_key
from course_grading.own_questions import tried
from course_grading.results import Graded
from course_grading.run.autograded import show_results
from course_grading.run.course import NbgraderCourse, ReleasedAssignment
from course_grading.run.gradebook import comments, require_released
from course_grading.run.submissions import GradableSubmission, SubmittedFolder, is_special
from course_grading.sandbox import Level
from course_grading.seed import grading_seed
from course_utils.errors import CourseError


class GradingExporter(NotebookExporter):
    """Reads and grades a submission as `course grade` does, where nbgrader would run a kernel."""

    minimum_level = Unicode("NO_CGROUPS", help="The lowest sandbox level for grading.").tag(
        config=True
    )

    def __init__(self, **arguments: Any) -> None:
        super().__init__(**arguments)
        self._judges: dict[str, JudgeProcess] = {}
        self._released: dict[str, ReleasedAssignment] = {}
        self._prepared: GradableSubmission | None = None
        self._graded: Graded | None = None
        self._end = weakref.finalize(self, _close, self._judges)
        if self.parent is not None:
            self._ignored = tuple(self.parent.coursedir.ignore)
            self.parent.pre_convert_hook = self._leave_links
            self._release()

    def _release(self) -> None:
        """Read the released assignments, before nbgrader writes anything about a submission.

        Raises NbGraderException, which ends nbgrader's commands with one message, for an assignment
        that is not graded here.
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
        """The submission: rebuilt in nbgrader's first pass, graded in its second pass."""
        assert self.parent is not None and resources is not None
        about = resources["nbgrader"]
        name, student, notebook = about["assignment"], about["student"], about["notebook"]
        if self.parent._sanitizing:
            folder = self._course.place("submitted", student, name)
            self._judge(name)
            submission = SubmittedFolder(student, folder, self._ignored)
            self._prepared = submission.prepare(self._released[name])
            self._graded = None
            return self.from_notebook_node(self._prepared.notebooks[notebook].notebook, resources)
        assert self._prepared is not None
        released = self._prepared.released
        if self._graded is None:
            self._graded = self._prepared.completed(self._judge(name).grade(self._prepared.job))
        notebooks = {each: it.notebook for each, it in self._prepared.notebooks.items()}
        show_results(notebooks, released, self._graded)
        resources["points"] = released.points(self._graded)
        resources["comments"] = comments(self._graded, released.prefix(notebook))
        return self.from_notebook_node(notebooks[notebook], resources)

    def _leave_links(self, assignment: str, student: str, notebooks: Sequence[str]) -> None:
        """Make nbgrader skip links when it copies a submission.

        A link can point to any file on this computer. A submission with a link is held.
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
            settings = self._released[name].settings(hidden, level)
            self._judges[name] = JudgeProcess(settings)
            assert self.parent is not None
            grade, say = self._judges[name].grade, self.parent.log.warning
            self._released[name] = tried(self._released[name], grade, say)
        return self._judges[name]


def _close(judges: dict[str, JudgeProcess]) -> None:
    for judge_process in judges.values():
        judge_process.close()


class SaveVerdicts(SaveAutoGrades):
    """Saves verdicts, and the reason of a held one as a comment."""

    def _add_score(self, cell: NotebookNode, resources: ResourcesDict) -> None:
        grade = self.gradebook.find_grade(*gradebook_key(self, cell))
        grade.auto_score = resources["points"][self.notebook_id, cell.metadata.nbgrader.grade_id]
        grade.needs_manual_grade = grade.auto_score is None or grade.manual_score is not None
        self.gradebook.db.commit()

    def _add_comment(self, cell: NotebookNode, resources: ResourcesDict) -> None:
        comment = self.gradebook.find_comment(*gradebook_key(self, cell))
        comment.auto_comment = resources["comments"].get(comment.name)
        self.gradebook.db.commit()

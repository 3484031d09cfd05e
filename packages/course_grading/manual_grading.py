"""Test cells without a verdict: they are held for manual grading and never get a zero."""

from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader.preprocessors import GetGrades, SaveAutoGrades

from course_utils.checking.manual_grading import MIME

NO_RESPONSE = "No response."
"""nbgrader's comment on an answer that is still as it was released."""


class SaveGradesOrHold(SaveAutoGrades):
    """nbgrader's own step; a held cell gets no automatic score and needs a manual one."""

    def _add_score(self, cell: NotebookNode, resources: ResourcesDict) -> None:
        super()._add_score(cell, resources)
        if any(MIME in output.get("data", {}) for output in cell.get("outputs", ())):
            grade = self.gradebook.find_grade(*gradebook_key(self, cell))
            grade.auto_score, grade.needs_manual_grade = None, True
            self.gradebook.db.commit()


def gradebook_key(
    step: GetGrades | SaveAutoGrades, cell: NotebookNode
) -> tuple[str, str, str, str]:
    """The key of a cell in the gradebook: its name, its notebook, assignment and student."""
    name = cell.metadata["nbgrader"]["grade_id"]
    return name, step.notebook_id, step.assignment_id, step.student_id

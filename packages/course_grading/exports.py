"""Grades for other systems, as exporters of nbgrader: `nbgrader export --exporter=…`.

A held score, or a missing submission, is an empty field, never a zero.
"""

import csv
import io
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from nbgrader.api import Assignment, Grade, Gradebook, Student, SubmittedAssignment
from nbgrader.plugins import ExportPlugin
from traitlets import Dict, Unicode

from course_grading.run.gradebook import OPEN, full_name, scores_of
from course_notebooks.safe_files import replace_file
from course_utils.errors import CourseError

Row = Sequence[object]


@dataclass(frozen=True)
class Score:
    """The score of a student for an assignment, from the gradebook.

    raw: points; None if some are not given yet. penalty: points off for late submission.
    """

    submitted: SubmittedAssignment | None
    raw: float | None
    penalty: float = 0.0

    @property
    def final(self) -> float | None:
        """Points minus the penalty, at least 0; None without a score."""
        return None if self.raw is None else max(0.0, self.raw - self.penalty)


_NOTHING = Score(None, None)


class _CsvExporter(ExportPlugin):
    """Writes the rows of a subclass to a file, which is complete or not written at all.

    chosen, people: the selected assignments and students.
    scores: for each assignment, the scores by student; students without a submission in the
        gradebook are missing.
    """

    file = "grades.csv"

    def export(self, gradebook: Gradebook) -> None:
        target = Path(self.to or self.file)
        try:
            self.chosen = _chosen(self.assignment, gradebook.assignments, "name", "assignment")
            self.people = _chosen(self.student, gradebook.students, "id", "student")
            self.scores = [_scores(gradebook, each.name) for each in self.chosen]
            rows = [[_field(value) for value in row] for row in self.rows()]
            table = io.StringIO(newline="")
            csv.writer(table).writerows(rows)
            replace_file(target, table.getvalue().encode())
        except CourseError as error:  # nbgrader's own commands end like this
            self.log.error(str(error))
            sys.exit(1)
        self.log.info("Exported grades to %s", target)

    def rows(self) -> Iterator[Row]:
        raise NotImplementedError


class CourseCsv(_CsvExporter):
    """The columns of nbgrader's own CSV. That one has a zero where nothing was handed in."""

    table: ClassVar[dict[str, Callable[[Assignment, Student, Score], object]]] = {
        "assignment": lambda assignment, _, __: assignment.name,
        "duedate": lambda assignment, _, __: assignment.duedate,
        "timestamp": lambda _, __, score: score.submitted and score.submitted.timestamp,
        "student_id": lambda _, student, __: student.id,
        "last_name": lambda _, student, __: student.last_name,
        "first_name": lambda _, student, __: student.first_name,
        "email": lambda _, student, __: student.email,
        "raw_score": lambda _, __, score: score.raw,
        "late_submission_penalty": lambda _, __, score: score.penalty,
        "score": lambda _, __, score: score.final,
        "max_score": lambda assignment, _, __: assignment.max_score,
    }

    def rows(self) -> Iterator[Row]:
        """A row of headings, then one row for each student and assignment."""
        yield list(self.table)
        for assignment, scores in zip(self.chosen, self.scores, strict=True):
            for student in self.people:
                score = scores.get(student.id, _NOTHING)
                yield [value(assignment, student, score) for value in self.table.values()]


class _ColumnsExporter(_CsvExporter):
    """One row for each student with a submission, and one column for each assignment.

    fields: heading → field of nbgrader's student; "" for a column that stays empty.
    """

    columns = Dict(
        key_trait=Unicode(),
        value_trait=Unicode(),
        help="The title of an assignment in the other system, if it differs from its name here: "
        "{'02_tensors': 'Tensors on devices (4711)'}.",
    ).tag(config=True)
    fields: ClassVar[dict[str, str]]

    def rows(self) -> Iterator[Row]:
        yield [*self.fields, *(self.columns.get(each.name, each.name) for each in self.chosen)]
        for student in self.people:
            if any(student.id in scores for scores in self.scores):
                called = full_name(student) or student.id
                fields = self.fields.values()
                first = [called if n == "name" else getattr(student, n, "") for n in fields]
                yield [*first, *(each.get(student.id, _NOTHING).final for each in self.scores)]


class CanvasCsv(_ColumnsExporter):
    """For the import of Canvas's gradebook.

    Canvas finds a student by its own number (nbgrader's `lms_user_id`), else by the login (the
    student's id here), else by the name. It finds an assignment by its title, or by the number at
    the end of the heading: set `c.CanvasCsv.columns` for that.
    """

    file = "grades-canvas.csv"
    fields: ClassVar[dict[str, str]] = {
        "Student": "name",
        "ID": "lms_user_id",
        "SIS User ID": "",
        "SIS Login ID": "id",
        "Section": "",
    }

    def rows(self) -> Iterator[Row]:
        """The rows of Canvas's gradebook file."""
        header, *students = super().rows()
        yield header
        yield ["    Points Possible", "", "", "", "", *(each.max_score for each in self.chosen)]
        yield from students


class MoodleCsv(_ColumnsExporter):
    """For Moodle's grade import, with the headings of Moodle's own grade export.

    In the import dialogue, map `Email address`, `Username` or `ID number` to the user.
    """

    file = "grades-moodle.csv"
    fields: ClassVar[dict[str, str]] = {
        "First name": "first_name",
        "Last name": "last_name",
        "Username": "id",
        "ID number": "lms_user_id",
        "Email address": "email",
    }


class MoodleWorksheet(_CsvExporter):
    """The grading worksheet of one assignment, downloaded from Moodle, with grades filled in.

    Moodle reads the worksheet by its column `Identifier`, which only Moodle can write. So the
    grades go into the downloaded file; its other columns stay as they are.
    """

    file = "worksheet-graded.csv"
    worksheet = Unicode(help="The worksheet that was downloaded from Moodle.").tag(config=True)

    def rows(self) -> Iterator[Row]:
        """The rows of Moodle's grading worksheet, with grades filled in."""
        if len(self.chosen) != 1:
            raise CourseError("A worksheet is for one assignment. Name it with --assignment.")
        header, *lines = self._downloaded()
        (scores,) = self.scores
        finals = {
            key.lower(): scores[student.id].final
            for student in self.people
            if student.id in scores
            for key in (student.id, student.email, student.lms_user_id)
            if key
        }
        identifying = [
            header.index(name)
            for name in ("Email address", "Username", "ID number")
            if name in header
        ]
        grade, met = header.index("Grade"), 0
        yield header
        for line in lines:
            keys = [line[at].lower() for at in identifying if line[at].lower() in finals]
            met += bool(keys)
            yield [*line[:grade], finals[keys[0]], *line[grade + 1 :]] if keys else line
        if met < len(scores):
            found = f"{met} of {len(scores)} graded submissions are in the worksheet."
            self.log.warning("%s The others have another email address there.", found)

    def _downloaded(self) -> list[list[str]]:
        """The rows of the worksheet. Raises CourseError if the file is not a worksheet."""
        if not self.worksheet:
            raise CourseError("Name the worksheet with --MoodleWorksheet.worksheet=… .")
        try:
            with open(self.worksheet, newline="", encoding="utf-8-sig") as file:
                rows = [row for row in csv.reader(file) if row]
        except (OSError, UnicodeDecodeError, csv.Error) as error:
            why = f"{self.worksheet} cannot be read ({error}). Download it again."
            raise CourseError(why) from error
        missing = {"Identifier", "Email address", "Grade"} - set(rows[0] if rows else ())
        if missing:
            what = f"no column {min(missing)}"
        elif any(len(row) != len(rows[0]) for row in rows):
            what = "lines with more or fewer fields than its first line"
        else:
            return rows
        raise CourseError(
            f"{self.worksheet} has {what}. Download the grading worksheet of the assignment from "
            "Moodle, with email addresses shown, and do not edit it."
        )


def _scores(gradebook: Gradebook, assignment: str) -> dict[str, Score]:
    rows = scores_of(gradebook, assignment, SubmittedAssignment.id)
    waiting = {found for (found,) in rows.filter(*OPEN, Grade.needs_manual_grade)}
    return {
        each.student_id: Score(
            each, None if each.id in waiting else each.score, each.late_submission_penalty or 0.0
        )
        for each in gradebook.assignment_submissions(assignment)
    }


def _chosen(names: Sequence[object], entries: Sequence[Any], key: str, what: str) -> list[Any]:
    """The entries with these names, or all. Raises CourseError for an unknown name."""
    known = {str(getattr(each, key)): each for each in entries}
    if unknown := [str(name) for name in names if str(name) not in known]:
        raise CourseError(f"The gradebook has no {what} {unknown[0]}. Check the spelling.")
    return [known[str(name)] for name in names] if names else list(entries)


def _field(value: object) -> object:
    if isinstance(value, float):
        return f"{round(value, 4):.10g}"
    return "" if value is None else value

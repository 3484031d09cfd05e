"""Grades for other systems, as exporters of nbgrader: `nbgrader export --exporter=…`.

What still waits for a person, or never came, has an empty field in all of them, and no zero.
"""

import csv
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from nbgrader.api import Assignment, Grade, Gradebook, Student, SubmittedAssignment
from nbgrader.plugins import ExportPlugin
from traitlets import Dict, Unicode

from course_grading.report.write import written
from course_grading.run.gradebook import OPEN, full_name, scores_of
from course_utils.errors import CourseError

Row = Sequence[object]


@dataclass(frozen=True)
class Score:
    """What the gradebook knows about a student's assignment.

    raw: the points, None where one of them is still to be given; penalty: for coming late.
    """

    submitted: SubmittedAssignment | None
    raw: float | None
    penalty: float = 0.0

    @property
    def final(self) -> float | None:
        """Points less the penalty, 0 at least; None without a score."""
        return None if self.raw is None else max(0.0, self.raw - self.penalty)


_NOTHING = Score(None, None)


class _CsvExporter(ExportPlugin):
    """Writes the rows of a subclass, whole or not at all.

    chosen, people: the assignments and the students that were asked for.
    scores: of each assignment, by student; who handed in nothing that reached the gradebook is
        missing.
    """

    file = "grades.csv"

    def export(self, gradebook: Gradebook) -> None:
        target = Path(self.to or self.file)
        try:
            self.chosen = _chosen(self.assignment, gradebook.assignments, "name", "assignment")
            self.people = _chosen(self.student, gradebook.students, "id", "student")
            self.scores = [_scores(gradebook, each.name) for each in self.chosen]
            rows = [[_field(value) for value in row] for row in self.rows()]
            with (
                written(target, "name another file with --to.") as part,
                part.open("w", newline="", encoding="utf-8") as file,
            ):
                csv.writer(file).writerows(rows)
        except CourseError as error:  # as nbgrader's own commands end
            self.log.error(str(error))
            sys.exit(1)
        self.log.info("Exported grades to %s", target)

    def rows(self) -> Iterator[Row]:
        raise NotImplementedError


class CourseCsv(_CsvExporter):
    """The columns of nbgrader's own CSV, which gives a zero to those who handed in nothing."""

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
        """A row of names, and one for each student and assignment."""
        yield list(self.table)
        for assignment, scores in zip(self.chosen, self.scores, strict=True):
            for student in self.people:
                score = scores.get(student.id, _NOTHING)
                yield [value(assignment, student, score) for value in self.table.values()]


class _ColumnsExporter(_CsvExporter):
    """One row for each student who handed in something, and one column for each assignment.

    fields: by heading, the field of nbgrader's student; "" for a column that stays empty.
    """

    columns = Dict(
        key_trait=Unicode(),
        value_trait=Unicode(),
        help="What the other system calls an assignment, where it is not its name here: "
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

    Canvas knows a student by its own number, which is nbgrader's `lms_user_id`, else by the login,
    which is the student's id here, else by the name. It knows an assignment by its title, or by the
    number at the end of the heading: set `c.CanvasCsv.columns` for that.
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

    In the import's dialogue map `Email address`, `Username` or `ID number` to the user.
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
    """Fills in the grading worksheet of one assignment, as it was downloaded from Moodle.

    Only Moodle can write the column `Identifier` that its worksheet is read by, so the downloaded
    file is what the grades are put into; its other columns stay as they are.
    """

    file = "worksheet-graded.csv"
    worksheet = Unicode(help="The worksheet that was downloaded from Moodle.").tag(config=True)

    def rows(self) -> Iterator[Row]:
        """The rows of Moodle's grading worksheet, with grades put in."""
        if len(self.chosen) != 1:
            raise CourseError("A worksheet is for one assignment: name it with --assignment.")
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
            self.log.warning(
                "%d of %d graded submissions are in the worksheet: the others have "
                "another email address there.",
                met,
                len(scores),
            )

    def _downloaded(self) -> list[list[str]]:
        """The rows of the worksheet. Raises CourseError if it is not one."""
        if not self.worksheet:
            raise CourseError("Name the file with --MoodleWorksheet.worksheet=… .")
        try:
            with open(self.worksheet, newline="", encoding="utf-8-sig") as file:
                rows = [row for row in csv.reader(file) if row]
        except (OSError, UnicodeDecodeError, csv.Error) as error:
            raise CourseError(
                f"{self.worksheet} cannot be read ({error}): download it again."
            ) from error
        missing = {"Identifier", "Email address", "Grade"} - set(rows[0] if rows else ())
        if missing:
            raise CourseError(
                f"{self.worksheet} has no column {min(missing)}: download the grading worksheet of "
                "the assignment from Moodle, with email addresses shown."
            )
        if any(len(row) != len(rows[0]) for row in rows):
            raise CourseError(
                f"{self.worksheet} has lines with more or fewer fields than its first one: "
                "download it again, and do not edit it before."
            )
        return rows


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
    """Those that were asked for. Raises CourseError for one that is not in the gradebook."""
    known = {str(getattr(each, key)): each for each in entries}
    if unknown := [str(name) for name in names if str(name) not in known]:
        raise CourseError(f"The gradebook has no {what} {unknown[0]}: look at the spelling.")
    return [known[str(name)] for name in names] if names else list(entries)


def _field(value: object) -> object:
    if isinstance(value, float):
        return f"{round(value, 4):.10g}"
    return "" if value is None else value

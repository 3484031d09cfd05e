"""Grades for other systems, as exporters of nbgrader: `nbgrader export --exporter=…`.

What still waits for a person, or never came, has an empty field in all of them, and no zero.
"""

import csv
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, TypeVar

from nbgrader.api import Assignment, Grade, Gradebook, Student, SubmittedAssignment
from nbgrader.plugins import ExportPlugin
from traitlets import Dict, Unicode

from course_grading.report.write import written
from course_grading.run.gradebook import OPEN, full_name, scores_of
from course_utils.errors import CourseError

Row = Sequence[object]
_Entry = TypeVar("_Entry", Assignment, Student)


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
        return None if self.raw is None else max(0.0, self.raw - self.penalty)


class _CsvExporter(ExportPlugin):
    """Writes the rows of a subclass, whole or not at all."""

    file = "grades.csv"

    def export(self, gradebook: Gradebook) -> None:
        target = Path(self.to or self.file)
        try:
            rows = [[_field(value) for value in row] for row in self.rows(gradebook)]
            with (
                written(target, "name another file with --to.") as part,
                part.open("w", newline="", encoding="utf-8") as file,
            ):
                csv.writer(file).writerows(rows)
        except CourseError as error:  # as nbgrader's own commands end
            self.log.error(str(error))
            sys.exit(1)
        self.log.info("Exported grades to %s", target)

    def rows(self, gradebook: Gradebook) -> Iterator[Row]:
        raise NotImplementedError

    def assignments(self, gradebook: Gradebook) -> list[Assignment]:
        """Those that were asked for. Raises CourseError for one that is not in the gradebook."""
        return _chosen(
            self.assignment, {each.name: each for each in gradebook.assignments}, "assignment"
        )

    def students(self, gradebook: Gradebook) -> list[Student]:
        """Those that were asked for. Raises CourseError for one who is not in the gradebook."""
        return _chosen(self.student, {each.id: each for each in gradebook.students}, "student")

    def scores(self, gradebook: Gradebook, assignment: Assignment) -> dict[str, Score]:
        """By student; those who handed in nothing that reached the gradebook are missing."""
        rows = scores_of(gradebook, assignment.name, SubmittedAssignment.id)
        waiting = {found for (found,) in rows.filter(*OPEN, Grade.needs_manual_grade)}
        return {
            each.student_id: Score(
                each,
                None if each.id in waiting else each.score,
                each.late_submission_penalty or 0.0,
            )
            for each in gradebook.assignment_submissions(assignment.name)
        }


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

    def rows(self, gradebook: Gradebook) -> Iterator[Row]:
        yield list(self.table)
        students = self.students(gradebook)
        for assignment in self.assignments(gradebook):
            scores = self.scores(gradebook, assignment)
            for student in students:
                score = scores.get(student.id) or Score(None, None)
                yield [value(assignment, student, score) for value in self.table.values()]


class _ColumnsExporter(_CsvExporter):
    """One row for each student who handed in something, and one column for each assignment."""

    columns = Dict(
        key_trait=Unicode(),
        value_trait=Unicode(),
        help="What the other system calls an assignment, where it is not its name here: "
        "{'02_tensors': 'Tensors on devices (4711)'}.",
    ).tag(config=True)

    def heading(self, assignment: Assignment) -> str:
        return self.columns.get(assignment.name, assignment.name)

    def table(
        self, gradebook: Gradebook, assignments: Sequence[Assignment]
    ) -> Iterator[tuple[Student, list[float | None]]]:
        scores = [self.scores(gradebook, assignment) for assignment in assignments]
        nothing = Score(None, None)
        for student in self.students(gradebook):
            if any(student.id in of for of in scores):
                yield student, [of.get(student.id, nothing).final for of in scores]


class CanvasCsv(_ColumnsExporter):
    """For the import of Canvas's gradebook.

    Canvas knows a student by its own number, which is nbgrader's `lms_user_id`, else by the login,
    which is the student's id here, else by the name. It knows an assignment by its title, or by the
    number at the end of the heading: set `c.CanvasCsv.columns` for that.
    """

    file = "grades-canvas.csv"

    def rows(self, gradebook: Gradebook) -> Iterator[Row]:
        assignments = self.assignments(gradebook)
        first = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
        yield (*first, *map(self.heading, assignments))
        most = [assignment.max_score for assignment in assignments]
        yield ("    Points Possible", "", "", "", "", *most)
        for student, scores in self.table(gradebook, assignments):
            name = full_name(student) or student.id
            yield (name, student.lms_user_id, "", student.id, "", *scores)


class MoodleCsv(_ColumnsExporter):
    """For Moodle's grade import, with the headings of Moodle's own grade export.

    In the import's dialogue map `Email address`, `Username` or `ID number` to the user.
    """

    file = "grades-moodle.csv"
    fields: ClassVar[dict[str, str]] = {  # by heading, the field of nbgrader's student
        "First name": "first_name",
        "Last name": "last_name",
        "Username": "id",
        "ID number": "lms_user_id",
        "Email address": "email",
    }

    def rows(self, gradebook: Gradebook) -> Iterator[Row]:
        assignments = self.assignments(gradebook)
        yield (*self.fields, *map(self.heading, assignments))
        for student, scores in self.table(gradebook, assignments):
            yield (*(getattr(student, field) for field in self.fields.values()), *scores)


class MoodleWorksheet(_CsvExporter):
    """Fills in the grading worksheet of one assignment, as it was downloaded from Moodle.

    Only Moodle can write the column `Identifier` that its worksheet is read by, so the downloaded
    file is what the grades are put into; its other columns stay as they are.
    """

    file = "worksheet-graded.csv"
    worksheet = Unicode(help="The worksheet that was downloaded from Moodle.").tag(config=True)

    def rows(self, gradebook: Gradebook) -> Iterator[Row]:
        assignments = self.assignments(gradebook)
        if len(assignments) != 1:
            raise CourseError("A worksheet is for one assignment: name it with --assignment.")
        header, *lines = self._downloaded()
        scores = self.scores(gradebook, assignments[0])
        finals = {
            key.lower(): scores[student.id].final
            for student in self.students(gradebook)
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


def _chosen(names: Sequence[object], known: dict[str, _Entry], what: str) -> list[_Entry]:
    unknown = [str(name) for name in names if str(name) not in known]
    if unknown:
        raise CourseError(f"The gradebook has no {what} {unknown[0]}: look at the spelling.")
    return [known[str(name)] for name in names] if names else list(known.values())


def _field(value: object) -> object:
    if isinstance(value, float):
        return f"{round(value, 4):.10g}"
    return "" if value is None else value

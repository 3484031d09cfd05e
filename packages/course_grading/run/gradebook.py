"""Grades into nbgrader's gradebook: one session for a whole run, one commit a submission.

On a database server a run holds an advisory lock: the lock in the course's folder does not see a
run that grades into the same gradebook from another folder.
"""

import contextlib
import warnings
from collections.abc import Collection, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbgrader.api import (
    Assignment,
    BaseCell,
    Grade,
    Gradebook,
    InvalidEntry,
    MissingEntry,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
)
from nbgrader.preprocessors import AssignLatePenalties
from sqlalchemy import Connection, Engine, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, SAWarning, SQLAlchemyError
from tornado.log import app_log
from traitlets import TraitError

from course_grading.results import Graded, Saved
from course_grading.run.course import SETTINGS, NbgraderCourse, ReleasedAssignment
from course_utils.errors import CourseError

OPEN = Grade.auto_score.is_(None), Grade.manual_score.is_(None)
"""What holds of a score that neither grading nor a person has given."""

_LIKE = "postgresql+psycopg://NAME@HOST/DATABASE"
_SHOWN_OF_QUERY = frozenset({"host", "port", "user", "dbname", "sslmode"})


class ClassGradebook:
    """A gradebook that is open for a run. A context manager.

    scores: what grading gave before this run, by student and cell.

    Raises CourseError if it cannot be opened, or does not hold the assignment as it is now.
    """

    def __init__(self, course: NbgraderCourse, released: ReleasedAssignment) -> None:
        self._course, self._released = course, released
        url = course.directory.db_url
        check_url(url)
        file = make_url(url).database
        if url.startswith("sqlite") and not (file and Path(file).is_file()):
            raise CourseError(
                f"There is no gradebook {file}: put it back, or run `nbgrader "
                f"generate_assignment {released.name}`, which makes one."
            )
        try:
            self._penalties = AssignLatePenalties(config=course.config)
        except TraitError as error:
            raise CourseError(
                f"{course.root / SETTINGS} names a rule for late work that cannot be "
                f"used ({_reason(error)}): a class of your own stands best in that "
                "file itself."
            ) from error
        self._held: Connection | None = None
        try:
            self._book = Gradebook(url, course.directory.course_id)
            self._held = advisory_lock(self._book.engine, course.directory.course_id)
            require_released(self._book, released)
            self.scores = self._scores()
        except SQLAlchemyError as error:
            raise CourseError(
                f"The gradebook {url_without_password(url)} cannot be read "
                f"({_reason(error)}): see that it is there and not in use."
            ) from error
        except CourseError:
            self.close()
            raise

    def _scores(self) -> dict[str, dict[str, float | None]]:
        found: dict[str, dict[str, float | None]] = {}
        columns = SubmittedAssignment.student_id, BaseCell.name, Grade.auto_score
        for student, cell, score in scores_of(self._book, self._released.name, *columns):
            found.setdefault(student, {})[cell] = score
        return found

    def saved(self) -> dict[str, Saved]:
        """What the gradebook holds by now, by student: the sums that are exported."""
        self._book.db.expire_all()  # penalties are saved by nbgrader, in a session of its own
        return {
            each.student_id: self._saved(each)
            for each in self._book.assignment_submissions(self._released.name)
        }

    def _saved(self, submission: SubmittedAssignment) -> Saved:
        checks = self._released.checks
        grades = {
            checks[grade.name].exercise: grade
            for notebook in submission.notebooks
            for grade in notebook.grades
        }
        by_hand = [name for name, grade in grades.items() if grade.manual_score is not None]
        return Saved(
            {
                name: None if grade.auto_score is None and name not in by_hand else grade.score
                for name, grade in grades.items()
            },
            submission.late_submission_penalty or 0.0,
            tuple(by_hand),
            tuple(name for name in by_hand if grades[name].needs_manual_grade),
        )

    def follow_due_date(self, students: Collection[str]) -> tuple[str, ...]:
        """Give these students the penalty that due date and rule ask for by now.

        Returns those of whom it is another one.
        """
        changed = []
        try:
            for each in self._book.assignment_submissions(self._released.name):
                before = each.late_submission_penalty or 0.0
                if each.student_id in students and (before or each.total_seconds_late):
                    self._penalise(each.student_id, NotebookNode(cells=[]))
                    self._book.db.refresh(each)
                    if before != (each.late_submission_penalty or 0.0):
                        changed.append(each.student_id)
        except SQLAlchemyError as error:
            raise CourseError(
                f"Penalties for coming late could not be saved ({_reason(error)}): nothing is "
                "lost; run the same command again."
            ) from error
        return tuple(sorted(changed))

    def _penalise(self, student: str, notebook: NotebookNode) -> None:
        name = self._released.name
        about = {"notebook": name, "assignment": name, "student": student}
        about["db_url"] = self._course.directory.db_url
        self._penalties.preprocess(notebook, {"nbgrader": about})

    def students(self) -> frozenset[str]:
        """Everybody on the roster, by id."""
        return frozenset(each.id for each in self._book.students)

    def names(self) -> dict[str, str]:
        """What students are called, by their id, as far as the roster tells."""
        return {each.id: name for each in self._book.students if (name := full_name(each))}

    def save(self, graded: Graded, timestamp: datetime | None, notebook: NotebookNode) -> None:
        """Write a submission's points. Manual scores and comments of the instructor's stay.

        A database that was busy, or away for a moment, is asked once more.
        """
        for again in (False, True):
            try:
                self._write(graded, timestamp, notebook)
                return
            except (SQLAlchemyError, InvalidEntry) as error:  # the latter while a student is added
                with contextlib.suppress(SQLAlchemyError):  # there may be no room for that either
                    self._book.db.rollback()
                if again:
                    raise CourseError(
                        f"The grades of {graded.student} could not be saved "
                        f"({_reason(error)}): nothing is lost; see that there is room, and run "
                        "the same command again."
                    ) from error

    def _write(self, graded: Graded, timestamp: datetime | None, notebook: NotebookNode) -> None:
        student, assignment = graded.student, graded.assignment
        stamp = {} if timestamp is None else {"timestamp": timestamp}
        with warnings.catch_warnings(), _nothing_logged():
            # nbgrader builds a submission's rows before it adds them to the session.
            warnings.simplefilter("ignore", SAWarning)
            self._book.update_or_create_student(student)
            submission = self._book.update_or_create_submission(assignment, student, **stamp)
        (found,) = (each for each in submission.notebooks if each.name == assignment)
        points = self._released.points(graded)
        for grade in found.grades:
            grade.auto_score = points[grade.name]
            grade.needs_manual_grade = grade.auto_score is None or grade.manual_score is not None
        said = comments(graded)
        for comment in found.comments:
            comment.auto_comment = said.get(comment.name)
        self._book.db.commit()
        if submission.total_seconds_late > 0 or found.late_submission_penalty:
            self._penalise(student, notebook)

    def __enter__(self) -> "ClassGradebook":
        return self

    def __exit__(self, kind: object, error: BaseException | None, _: object) -> None:
        try:
            self.close()
        except SQLAlchemyError as refused:
            error = error or refused
        if isinstance(error, SQLAlchemyError):
            raise CourseError(
                f"The gradebook cannot be used ({_reason(error)}): nothing is lost; see that there "
                "is room and that it is not in use, and run the same command again."
            ) from error

    def close(self) -> None:
        """Close the gradebook, and give up what was held."""
        if self._held is not None:
            self._held.close()
        self._book.close()


def require_released(book: Gradebook, released: ReleasedAssignment) -> None:
    """Raise CourseError unless a gradebook holds an assignment as it is now."""
    name = released.name
    try:
        notebooks = book.find_assignment(name).notebooks
    except MissingEntry:
        notebooks = []
    if not notebooks:
        raise CourseError(
            f"The gradebook does not know {name} yet: run `nbgrader "
            f"generate_assignment {name}` first."
        )
    known = {
        (notebook.name, cell.name): cell.max_score
        for notebook in notebooks
        for cell in (*notebook.grade_cells, *notebook.task_cells)
    }
    if known != {(name, cell): check.points for cell, check in released.checks.items()}:
        raise CourseError(
            f"The gradebook holds another version of {name} than source/: run "
            f"`nbgrader generate_assignment --force {name}`, then grade again."
        )


@contextlib.contextmanager
def _nothing_logged() -> Iterator[None]:
    """nbgrader logs with a traceback what it then raises, and we say in a sentence."""
    before, app_log.disabled = app_log.disabled, True
    try:
        yield
    finally:
        app_log.disabled = before


def scores_of(book: Gradebook, assignment: str, *columns: Any) -> Any:
    """A query for these columns of every score that the submissions of an assignment have."""
    return (
        book.db.query(*columns)
        .select_from(SubmittedAssignment)
        .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .join(Grade, Grade.notebook_id == SubmittedNotebook.id)
        .join(BaseCell, Grade.cell_id == BaseCell.id)
        .join(Assignment, SubmittedAssignment.assignment_id == Assignment.id)
        .filter(Assignment.name == assignment)
    )


def full_name(student: Student) -> str:
    """Last name first, as "Lovelace, Ada"; "" where the roster has no name."""
    return ", ".join(filter(None, (student.last_name, student.first_name)))


def comments(graded: Graded) -> dict[str, str]:
    """What nbgrader shows beside an answer, by the grade_id of its cell.

    Only the first part of a reason: what follows its colon may be a submission's own words.
    """
    said = {flag.cell: "Lines to look at are in the report." for flag in graded.flags}
    for verdict in graded.verdicts:
        name = verdict.exercise.partition(".")[2]
        if verdict.kind == "held":
            said[name] = f"Not graded yet: {verdict.why.partition(':')[0]}"
        elif verdict.kind == "died":
            said[name] = verdict.why
        elif verdict.kind == "not-attempted":
            said[name] = "No response."
    return said


def _reason(error: Exception) -> str:
    return str(getattr(error, "orig", None) or error).splitlines()[0]


def check_url(url: str) -> None:
    """Raises CourseError, which repeats nothing of `url`, if it cannot be used."""
    try:
        address = make_url(url)
        address.get_dialect().import_dbapi()
    except (ArgumentError, ValueError):
        raise CourseError(
            f"The gradebook's address cannot be read: write it as {_LIKE} or as "
            "sqlite:////FOLDER/gradebook.db, with an @ in a password as %40."
        ) from None
    except ModuleNotFoundError as missing:
        raise CourseError(
            f"This gradebook's database needs {missing.name}, which is not installed: install the "
            f"course with its extra `postgresql`, and write the address as {_LIKE}."
        ) from None
    if address.drivername != "sqlite" and "@" in f"{address.host}{address.database}":
        raise CourseError(
            "The password in the gradebook's address seems to hold an @: write it as %40."
        )


def url_without_password(url: str) -> str:
    """An address without its password."""
    address = make_url(url)
    secret = [name for name in address.query if name not in _SHOWN_OF_QUERY]
    return address.difference_update_query(secret).render_as_string(hide_password=True)


def advisory_lock(engine: Engine, course: str) -> Connection | None:
    """Lock a course on a server until what is returned is closed; None for a file.

    Raises CourseError if another run holds it.
    """
    if engine.dialect.name != "postgresql":
        return None
    connection = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
    free = connection.scalar(
        text("SELECT pg_try_advisory_lock(hashtext(:name))"), {"name": f"course grade {course}"}
    )
    if not free:
        connection.close()
        raise CourseError(
            "Another run is grading into this gradebook, from another folder or "
            "computer: wait until that has ended."
        )
    return connection

"""nbgrader's gradebook during a run: one database session, one commit for each submission.

On a database server a run also holds an advisory lock, because the lock in the course's folder
does not stop a run from another folder into the same gradebook.
"""

import contextlib
import re
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
    Notebook,
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

from course_grading.manual_grading import NO_RESPONSE
from course_grading.results import Graded, Saved
from course_grading.run.course import SETTINGS, Cell, NbgraderCourse, ReleasedAssignment
from course_utils.errors import CourseError

OPEN = Grade.auto_score.is_(None), Grade.manual_score.is_(None)
"""The filter for scores that neither grading nor a person has given."""

_OF_THE_DATABASE = SQLAlchemyError, InvalidEntry  # the latter while a student is added
_LIKE = "postgresql+psycopg://NAME@HOST/DATABASE"
_SHOWN_OF_QUERY = frozenset({"host", "port", "user", "dbname", "sslmode"})


class ClassGradebook:
    """A gradebook that is open for a run; a context manager.

    scores: student → cell → automatic score before this run.

    Raises CourseError if it cannot be opened, or has not the current version of the assignment.
    """

    def __init__(self, course: NbgraderCourse, released: ReleasedAssignment) -> None:
        self._course, self._released = course, released
        url = course.directory.db_url
        check_url(url)
        self._shown = url_without_password(url)
        file = make_url(url).database
        if url.startswith("sqlite") and not (file and Path(file).is_file()):
            raise CourseError(
                f"There is no gradebook {file}. Put it back, or make a new one with `nbgrader "
                f"generate_assignment {released.name}`."
            )
        try:
            self._penalties = AssignLatePenalties(config=course.config)
        except TraitError as error:
            raise CourseError(
                f"{course.root / SETTINGS} names a rule for late work that cannot be "
                f"used ({_reason(error)}). Define your own class in that file."
            ) from error
        with self._explained(), contextlib.ExitStack() as opened:
            self._book = Gradebook(url, course.directory.course_id)
            opened.callback(self._book.close)
            if held := advisory_lock(self._book.engine, course.directory.course_id):
                opened.enter_context(held)
            require_released(self._book, released)
            self.scores = self._scores()
            self._opened = opened.pop_all()

    def _scores(self) -> dict[str, dict[Cell, float | None]]:
        found: dict[str, dict[Cell, float | None]] = {}
        columns = SubmittedAssignment.student_id, Notebook.name, BaseCell.name, Grade.auto_score
        for student, *cell, score in scores_of(self._book, self._released.name, *columns):
            found.setdefault(student, {})[cell[0], cell[1]] = score
        return found

    def saved(self) -> dict[str, Saved]:
        """Student → current entry of the gradebook, as it is exported."""
        self._book.db.expire_all()  # nbgrader saves penalties in another session
        return {
            each.student_id: self._saved(each)
            for each in self._book.assignment_submissions(self._released.name)
        }

    def _saved(self, submission: SubmittedAssignment) -> Saved:
        questions = self._released.questions
        grades = {
            questions[notebook.name, grade.name]: grade
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
        """Update the penalties of these students to the current due date and rule.

        Returns the students whose penalty changed.
        """
        changed = []
        for each in self._book.assignment_submissions(self._released.name):
            before = each.late_submission_penalty or 0.0
            if each.student_id in students and (before or each.total_seconds_late):
                self._penalise(each.student_id)
                self._book.db.refresh(each)
                if before != (each.late_submission_penalty or 0.0):
                    changed.append(each.student_id)
        return tuple(sorted(changed))

    def _penalise(self, student: str) -> None:
        for each in self._released.notebooks:
            about = {"notebook": each.name, "assignment": self._released.name, "student": student}
            about["db_url"] = self._course.directory.db_url
            self._penalties.preprocess(NotebookNode(cells=[]), {"nbgrader": about})

    def students(self) -> frozenset[str]:
        """The ids of all students on the roster."""
        return frozenset(each.id for each in self._book.students)

    def names(self) -> dict[str, str]:
        """Id of a student → name, if the roster has it."""
        return {each.id: name for each in self._book.students if (name := full_name(each))}

    def save(self, graded: Graded, timestamp: datetime | None) -> None:
        """Write a submission's points. Manual scores and the instructor's comments stay.

        If the database fails, this tries once more.
        """
        with self._explained():
            try:
                self._write(graded, timestamp)
            except _OF_THE_DATABASE:
                with contextlib.suppress(SQLAlchemyError):  # on a full disk this can fail as well
                    self._book.db.rollback()
                self._write(graded, timestamp)

    def _write(self, graded: Graded, timestamp: datetime | None) -> None:
        student, assignment = graded.student, graded.assignment
        stamp = {} if timestamp is None else {"timestamp": timestamp}
        with warnings.catch_warnings(), _nothing_logged():
            # nbgrader builds a submission's rows before it adds them to the session.
            warnings.simplefilter("ignore", SAWarning)
            self._book.update_or_create_student(student)
            submission = self._book.update_or_create_submission(assignment, student, **stamp)
        points = self._released.points(graded)
        for found in submission.notebooks:
            for grade in found.grades:
                score = grade.auto_score = points[found.name, grade.name]
                grade.needs_manual_grade = score is None or grade.manual_score is not None
            said = comments(graded, self._released.prefix(found.name))
            for comment in found.comments:
                comment.auto_comment = said.get(comment.name)
        self._book.db.commit()
        if submission.total_seconds_late > 0 or submission.late_submission_penalty:
            self._penalise(student)

    def __enter__(self) -> "ClassGradebook":
        return self

    def __exit__(self, kind: object, error: BaseException | None, _: object) -> None:
        with self._explained(), self._opened:  # which also releases the lock
            if isinstance(error, SQLAlchemyError):
                raise error

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn an error of the database into a CourseError."""
        try:
            yield
        except _OF_THE_DATABASE as error:
            raise CourseError(
                f"The gradebook {self._shown} cannot be used ({_reason(error)}). Nothing is lost. "
                "Check the disk space and that no other program uses the gradebook, then run the "
                "same command again."
            ) from error


def require_released(book: Gradebook, released: ReleasedAssignment) -> None:
    """Raise CourseError unless a gradebook has the current version of an assignment."""
    name = released.name
    try:
        notebooks = book.find_assignment(name).notebooks
    except MissingEntry:
        notebooks = []
    if not notebooks:
        raise CourseError(
            f"The gradebook has no assignment {name} yet. Run `nbgrader "
            f"generate_assignment {name}` first."
        )
    known = {
        (notebook.name, cell.name): cell.max_score
        for notebook in notebooks
        for cell in (*notebook.grade_cells, *notebook.task_cells)
    }
    ours = {(each.name, c): most for each in released.notebooks for c, most in each.points.items()}
    if known != ours:
        raise CourseError(
            f"The gradebook has another version of {name} than source/. Run "
            f"`nbgrader generate_assignment --force {name}`, then grade again."
        )


@contextlib.contextmanager
def _nothing_logged() -> Iterator[None]:
    """Disable nbgrader's log, which has a traceback of each error that we report in a sentence."""
    before, app_log.disabled = app_log.disabled, True
    try:
        yield
    finally:
        app_log.disabled = before


def scores_of(book: Gradebook, assignment: str, *columns: Any) -> Any:
    """A query for these columns of every score in the submissions of an assignment."""
    return (
        book.db.query(*columns)
        .select_from(SubmittedAssignment)
        .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .join(Notebook, SubmittedNotebook.notebook_id == Notebook.id)
        .join(Grade, Grade.notebook_id == SubmittedNotebook.id)
        .join(BaseCell, Grade.cell_id == BaseCell.id)
        .join(Assignment, SubmittedAssignment.assignment_id == Assignment.id)
        .filter(Assignment.name == assignment)
    )


def full_name(student: Student) -> str:
    """A student's name, as "Lovelace, Ada"; "" if the roster has none."""
    return ", ".join(filter(None, (student.last_name, student.first_name)))


def comments(graded: Graded, prefix: str) -> dict[str, str]:
    """grade_id of a cell → the comment that nbgrader shows with it. prefix: of the notebook.

    Of a reason only its first sentence, up to a colon, because a submission may have written the
    rest.
    """
    said = {flag.cell: "The report lists lines to check here." for flag in graded.flags}
    for verdict in graded.verdicts:
        name = verdict.exercise.removeprefix(prefix)
        name = name if verdict.own else name.partition(".")[2]
        if verdict.kind == "held":
            said[name] = f"Not graded yet: {re.split(r'[:.] ', verdict.why)[0].strip('.')}."
        elif verdict.kind == "died":
            said[name] = verdict.why
        elif verdict.kind == "not-attempted":
            said[name] = NO_RESPONSE
    return said


def _reason(error: Exception) -> str:
    return str(getattr(error, "orig", None) or error).splitlines()[0]


def check_url(url: str) -> None:
    """Raise CourseError if `url` cannot be used. The message repeats no part of it."""
    try:
        address = make_url(url)
        address.get_dialect().import_dbapi()
        if address.drivername == "sqlite" or "@" not in f"{address.host}{address.database}":
            return
    except (ArgumentError, ValueError):
        pass
    except ModuleNotFoundError as missing:
        raise CourseError(
            f"This gradebook's database needs {missing.name}, which is not installed. Install the "
            f"course with its extra `postgresql`, and write the address as {_LIKE}."
        ) from None
    raise CourseError(
        f"The gradebook's address cannot be read. Write it as {_LIKE} or as "
        "sqlite:////FOLDER/gradebook.db, and write an @ in a password as %40."
    )


def url_without_password(url: str) -> str:
    """The address without its password."""
    address = make_url(url)
    secret = [name for name in address.query if name not in _SHOWN_OF_QUERY]
    return address.difference_update_query(secret).render_as_string(hide_password=True)


def advisory_lock(engine: Engine, course: str) -> Connection | None:
    """A connection that locks a course on a server until it is closed; None for a file.

    Raises CourseError if another run has the lock.
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
            "computer. Wait until that run has ended."
        )
    return connection

"""`course grade ASSIGNMENT`: from its options to a report."""

import contextlib
import dataclasses
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from course_utils.errors import CourseError
from course_utils.grading.report import RunReport, write_misconceptions, write_report
from course_utils.grading.results import Graded
from course_utils.grading.run.coordinator import Plan, carry_out, plan
from course_utils.grading.run.course import Course, Released
from course_utils.grading.run.crew import Crew, LocalCrew
from course_utils.grading.run.gradebook import Book
from course_utils.grading.run.journal import Journal
from course_utils.grading.run.lock import only_run
from course_utils.grading.run.progress import Progress
from course_utils.grading.run.submissions import Submission, find_submissions
from course_utils.grading.sandbox import Level
from course_utils.grading.sandboxed import GUIDE, level_or_refuse
from course_utils.grading.seed import grading_seed
from course_utils.grading.station import Settings

if TYPE_CHECKING:
    from course_utils.grading.run.cluster import ClusterCrew

_NAMED = 10  # students in one sentence


@dataclass(frozen=True)
class Options:
    """What `course grade` was asked for.

    student: the only one to grade, or "*".
    outputs: run the cells once more, without hidden cases, for what they put out.
    workers: stations on this computer; 0 means one for each core that this process may use.
    minimum: the sandbox below which nothing is graded.
    scheduler: of a Dask cluster that grades instead of this computer.
    """

    assignment: str
    course: Path
    student: str = "*"
    only_held: bool = False
    again: bool = False
    dry_run: bool = False
    outputs: bool = False
    workers: int = 0
    db_url: str = ""
    minimum: Level = Level.NO_CGROUPS
    scheduler: str = ""


def grade_class(options: Options, say: Callable[[str], None]) -> RunReport:
    """Grade what was handed in and has not been graded as it is. Raises CourseError."""
    course = Course.open(options.course.resolve(), options.db_url)
    released = Released.of(course, options.assignment)
    seed = grading_seed(course.root)
    submissions = find_submissions(course, options.assignment, options.student)
    begun, started = time.monotonic(), datetime.now()
    file = course.own / "journal.sqlite"
    with (
        only_run(course.own),
        contextlib.closing(Journal(file)) as journal,
        Book(course, released) as book,
    ):
        todo = plan(
            course,
            released,
            seed,
            journal,
            book,
            submissions,
            only_held=options.only_held,
            again=options.again,
        )
        say(_summary(options, todo))
        report = RunReport(
            options.assignment,
            (*todo.unchanged,),
            frozenset(each.student for each in todo.unchanged),
            started,
            versions={name: version(name) for name in ("torch", "nbgrader")},
        )
        if options.dry_run:
            return report
        graded: list[Graded] = []
        level = None
        if todo.tasks:
            with _crew(options, seed, say) as crew, Progress(len(todo.tasks), say) as progress:
                say(f"Each submission runs in a sandbox of the level {crew.level.name}.")
                for each in carry_out(
                    todo.tasks, course, released, crew, book, journal, outputs=options.outputs
                ):
                    graded.append(each)
                    progress.advance(each)
                level = crew.level
        everybody = find_submissions(course, options.assignment)
        report = dataclasses.replace(
            report,
            graded=(*todo.unchanged, *graded),
            wall=time.monotonic() - begun,
            level="" if level is None else level.name,
            settled=frozenset(each.student for each in everybody) - book.waiting(),
            names=book.names(),
            missing=tuple(sorted(book.students() - {each.student for each in everybody})),
        )
        folder = course.root / "reports" / options.assignment
        whole = _with_the_rest(report, journal, everybody)
        for path in (*write_report(folder, whole), write_misconceptions(folder, whole)):
            say(f"Written: {path}")
        if whole.held:
            say(f"Held for you, with reasons in the report: {_listed(whole.held)}.")
        if whole.flagged:
            say(f"With lines to look at, in the report as well: {_listed(whole.flagged)}.")
        return report


def _listed(graded: Sequence[Graded]) -> str:
    """Whose they are; of many, the first ones."""
    names = [each.student for each in graded]
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def _with_the_rest(
    report: RunReport, journal: Journal, everybody: Sequence[Submission]
) -> RunReport:
    """The report of a run over some of a class, with what earlier runs found of the others."""
    here = {each.student for each in report.graded}
    entries = (
        journal.entry(each.student, report.assignment)
        for each in everybody
        if each.student not in here
    )
    rest = [entry.graded for entry in entries if entry is not None]
    unchanged = report.unchanged | {each.student for each in rest}
    return dataclasses.replace(report, graded=(*report.graded, *rest), unchanged=unchanged)


@contextlib.contextmanager
def _crew(options: Options, seed: str, say: Callable[[str], None]) -> Iterator[Crew]:
    crew: Crew
    if options.scheduler:
        settings = Settings(options.assignment, seed, options.minimum)
        crew = _cluster_crew()(settings, options.scheduler, say)
    else:
        settings = Settings(options.assignment, seed, level_or_refuse(options.minimum))
        crew = LocalCrew(settings, options.workers or len(os.sched_getaffinity(0)))
    try:
        yield crew
    finally:
        crew.close()


def _cluster_crew() -> "type[ClusterCrew]":
    try:
        from course_utils.grading.run.cluster import ClusterCrew
    except ModuleNotFoundError as missing:
        raise CourseError(
            f"A cluster needs Dask, and {missing.name} is not installed: install the "
            f"course with its extra `cluster`, as {GUIDE} says."
        ) from missing
    return ClusterCrew


def _summary(options: Options, todo: Plan) -> str:
    rest = sum(task.graded is not None for task in todo.tasks)
    parts = [f"{len(todo.tasks) - rest} to grade"]
    if rest:
        parts.append(f"{rest} graded before a run was stopped and not saved yet")
    if todo.unchanged:
        parts.append(f"{len(todo.unchanged)} unchanged since they were graded")
    return f"{options.assignment}: {', '.join(parts)}."

"""`course grade ASSIGNMENT`: from its options to a report."""

import contextlib
import dataclasses
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import version
from pathlib import Path

from course_grading.doctor import GUIDE, level_or_refuse
from course_grading.executor import GradingExecutor, LocalExecutor
from course_grading.hidden import hidden_cases
from course_grading.own_questions import tried
from course_grading.report.run import RunReport
from course_grading.report.write import write_misconceptions, write_report
from course_grading.results import Graded
from course_grading.run.coordinator import GradingRun, GradingTask, Tell
from course_grading.run.course import NbgraderCourse, ReleasedAssignment
from course_grading.run.digests import grading_digest
from course_grading.run.gradebook import ClassGradebook
from course_grading.run.journal import Journal, exclusive_run
from course_grading.run.submissions import SubmittedFolder, find_submissions
from course_grading.sandbox import Level
from course_grading.seed import grading_seed
from course_utils.errors import CourseError

_NAMED = 10  # most students named in one message
_EVERY = 10.0  # seconds between two lines on the progress


@dataclass(frozen=True)
class GradeOptions:
    """The options of `course grade`.

    student: the only student to grade, or "*".
    workers: judges on this computer; 0 means one for each core that this process may use.
    minimum: the lowest sandbox level for grading.
    scheduler: the address of a Dask cluster that grades instead of this computer.
    real: whether answers run on this computer's own GPUs as well, as far as their cases fit.
    """

    assignment: str
    course: Path
    student: str = "*"
    only_held: bool = False
    again: bool = False
    dry_run: bool = False
    workers: int = 0
    db_url: str = ""
    minimum: Level = Level.NO_CGROUPS
    scheduler: str = ""
    real: bool = False


def grade_class(options: GradeOptions, say: Callable[[str], None]) -> RunReport:
    """Grade new and changed submissions; the report of the run. Raises CourseError."""
    course = NbgraderCourse.open(options.course.resolve(), options.db_url)
    released = ReleasedAssignment.of(course, options.assignment)
    seed = grading_seed(course.root)
    submissions = find_submissions(course, options.assignment, options.student)
    begun, started = time.monotonic(), datetime.now()
    with (
        exclusive_run(course.own),
        contextlib.closing(Journal(course.own / "journal.sqlite")) as journal,
        ClassGradebook(course, released) as book,
    ):
        digest = grading_digest(released, seed)
        worlds = f"{digest} and real GPUs" if options.real else digest
        run = GradingRun(course, released, book, journal, worlds)
        tasks, unchanged = run.plan(submissions, only_held=options.only_held, again=options.again)
        say(_summary(options, tasks, unchanged))
        if not options.dry_run and (late := book.follow_due_date({e.student for e in unchanged})):
            say(f"The due date or late rule changed. Penalties corrected: {_named(late)}.")
        graded: list[Graded] = []
        level = ""
        if tasks and not options.dry_run:
            hidden = journal.hidden(
                options.assignment, digest, lambda: hidden_cases(options.assignment, seed)
            )
            with contextlib.closing(_executor(options, released, hidden, say)) as executor:
                say(f"Each submission runs in a sandbox of the level {executor.level.name}.")
                known = tried(released, lambda job: executor.submit(job).result(), say)
                run = dataclasses.replace(run, released=known)
                graded += run.grade_tasks(tasks, executor, _progress(len(tasks), say))
                level = executor.level.name
        everybody = find_submissions(course, options.assignment)
        students = {each.student for each in everybody}
        saved = book.saved()
        report = RunReport(
            options.assignment,
            (*unchanged, *graded),
            frozenset(each.student for each in unchanged),
            started,
            time.monotonic() - begun,
            level,
            versions={name: version(name) for name in ("torch", "nbgrader")},
            saved=saved,
            missing=tuple(sorted(book.students() - students)),
            names=book.names(),
        )
        if options.dry_run:
            return report
        folder = course.root / "reports" / options.assignment
        whole = _with_the_rest(report, journal, everybody)
        for path in (*write_report(folder, whole), write_misconceptions(folder, whole)):
            say(f"Written: {path}")
        for what, who in (
            ("To grade manually in formgrader", [each.student for each in whole.manual]),
            ("Held for you (the report has the reasons)", [each.student for each in whole.held]),
            ("Graded again, but your manual points stay until you change them", [*whole.anew]),
            ("Lines to check (listed in the report)", [each.student for each in whole.flagged]),
        ):
            if who:
                say(f"{what}: {_named(who)}.")
        return report


def _named(names: Sequence[str]) -> str:
    """The names in a line; of more than ten, the first ones and a count."""
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def _with_the_rest(
    report: RunReport, journal: Journal, everybody: Sequence[SubmittedFolder]
) -> RunReport:
    """The report of a run, with results of earlier runs for the rest of the class."""
    here = {each.student for each in report.graded}
    entries = (
        journal.entry(each.student, report.assignment)
        for each in everybody
        if each.student not in here
    )
    rest = [entry.graded for entry in entries if entry is not None]
    unchanged = report.unchanged | {each.student for each in rest}
    return dataclasses.replace(report, graded=(*report.graded, *rest), unchanged=unchanged)


def _executor(
    options: GradeOptions, released: ReleasedAssignment, hidden: str, say: Callable[[str], None]
) -> GradingExecutor:
    if options.scheduler:
        if options.real:
            raise CourseError(
                "A cluster has no real GPUs. Leave out --scheduler or --devices real."
            )
        try:
            from course_grading.run.cluster import ClusterExecutor
        except ModuleNotFoundError as missing:
            raise CourseError(
                f"A cluster needs Dask, and {missing.name} is not installed. Install the "
                f"course with its extra `cluster`: see {GUIDE}."
            ) from missing
        settings = released.settings(hidden, options.minimum)
        return ClusterExecutor(settings, options.scheduler, say)
    settings = released.settings(hidden, level_or_refuse(options.minimum))
    if options.real:
        settings = settings.in_both_worlds()
    return LocalExecutor(settings, options.workers or len(os.sched_getaffinity(0)))


def _summary(
    options: GradeOptions, tasks: Sequence[GradingTask], unchanged: Sequence[Graded]
) -> str:
    rest = sum(task.graded is not None for task in tasks)
    parts = [f"{len(tasks) - rest} to grade"]
    if rest:
        parts.append(f"{rest} graded in a stopped run but not saved yet")
    if unchanged:
        parts.append(f"{len(unchanged)} unchanged since they were graded")
    return f"{options.assignment}: {', '.join(parts)}."


def _progress(total: int, say: Callable[[str], None]) -> Tell:
    """For `grade_tasks`: says every ten seconds how many are left, or whose takes long."""
    begun = said = time.monotonic()
    since: dict[str, float] = {}

    def tell(done: int, running: Sequence[str]) -> None:
        nonlocal said, since
        now = time.monotonic()
        since = {student: since.get(student, now) for student in running}
        if now - said < _EVERY:
            return
        said = now
        slow = [f"{who} ({now - at:.0f} s)" for who, at in since.items() if now - at >= _EVERY]
        left = f"about {(now - begun) / (done or 1) * (total - done):.0f} s left"
        rest = f"still running: {_named(slow)}" if slow else left
        say(f"{done} of {total} done, {rest}")

    return tell

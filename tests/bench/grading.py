"""The time of grading: stock nbgrader, and the course's grading, for one class in one run.

    python -m tests.bench.grading [STUDENTS [ASSIGNMENT]]

The default assignment is that of seven.py, in a copy of the course.
Seconds are processor time of all processes together, so they depend little on other load. The time
of runs of train.py is included only where a control group counts it, as on Linux with `cpuacct`;
elsewhere it is missing on both sides, since these processes are not waited for.
Stock nbgrader grades only a few submissions of the class; all its rows are per submission.
"""

import contextlib
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from statistics import mean, median

import psutil

from course_grading.job import Job
from course_grading.loader.handle import loader
from course_grading.results import Graded, Verdict
from course_grading.run.command import GradeOptions, grade_class
from course_grading.run.coordinator import GradingRun
from course_grading.run.course import NbgraderCourse, ReleasedAssignment
from course_grading.run.digests import grading_digest
from course_grading.run.gradebook import ClassGradebook
from course_grading.run.journal import Journal
from course_grading.run.submissions import find_submissions
from course_grading.sandbox import Level
from course_utils.checking.exercises import exercise
from course_utils.manifest import Assignment, load_manifest, repository_root
from exercise_kit.corpus import known_answers
from exercise_kit.reference import reference
from tests.bench import seven
from tests.grading.classroom import PARTS, ExchangeCourse, Submission

STOCK = 4  # submissions that stock nbgrader grades
COPIES = 25  # for the coordinator alone, of each submission
_COUNTED = Path("/sys/fs/cgroup/cpuacct", f"bench-{os.getpid()}")
STOCK_SETTINGS = 'c = get_config()\nc.CourseDirectory.course_id = "on_the_right_device"\n'


Row = tuple[int, dict[str, float], list[Graded]]
"""The number of workers, their times together, and the graded class."""


def main(students: str = "40", name: str = "") -> None:
    if name:
        measure(name, int(students))
        return
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        root = Path(folder) / "course"
        seven.make_course(root)
        again = [sys.executable, "-m", "tests.bench.grading", students, seven.NAME]
        seven.run_in(root, again)


def measure(name: str, students: int) -> None:
    root = repository_root()
    assignment = load_manifest().assignment(name)
    with _counted(), tempfile.TemporaryDirectory(prefix="bench-") as folder:
        road = ExchangeCourse(Path(folder) / "ours", root / "assignments", name)
        people = _class(assignment, students)
        road.hand_in(people, road.generate())
        print(f"{name}: {students} submissions, {len(assignment.exercises)} exercises each")
        stock = _stock(Path(folder) / "stock", road, people[:STOCK])
        ours = _ours(road, name)
        _report(stock, ours)
        _unchanged(road, name)
        _coordinator_alone(Path(folder) / "many", road, name)


def _class(assignment: Assignment, size: int) -> list[Submission]:
    """Right answers, accepted ones and wrong ones, mixed as in a class.

    Parts of train.py are not answered: their runs take the same time here as with nbgrader.
    """
    known = {}
    for each in assignment.exercises:
        if each.short in PARTS:
            continue
        folder = exercise(each.name).path
        accepted = [answer.source for answer in known_answers(folder, "accepted")]
        wrong = [answer.source for answer in known_answers(folder, "wrong")]
        known[each.short] = [reference(folder), *accepted], wrong

    def answers(number: int) -> dict[str, str]:
        chosen = {}
        for place, (short, (right, wrong)) in enumerate(known.items()):
            pool = wrong if (number + place) % 4 == 3 else right  # every fourth answer is wrong
            chosen[short] = pool[number % len(pool)]
        return chosen

    return [Submission(f"student{n:04}", answers(n), frozenset()) for n in range(size)]


@contextlib.contextmanager
def _measured(into: dict[str, float]) -> Iterator[None]:
    def used() -> float:
        if _COUNTED.exists():
            return int((_COUNTED / "cpuacct.usage").read_text()) / 1e9
        own, children = (
            resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
        )
        return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime

    wall, cpu = time.monotonic(), used()
    yield
    into["wall"], into["cpu"] = time.monotonic() - wall, used() - cpu


@contextlib.contextmanager
def _counted() -> Iterator[None]:
    """A context with this process and its descendants in a control group, if it may make one."""
    with contextlib.suppress(OSError):
        _COUNTED.mkdir()
        (_COUNTED / "cgroup.procs").write_text("0")
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            (_COUNTED.parent / "cgroup.procs").write_text("0")
            _COUNTED.rmdir()


def _stock(folder: Path, road: ExchangeCourse, people: list[Submission]) -> dict[str, float]:
    """The times of nbgrader with its own settings: a kernel per submission, without a sandbox."""
    shutil.copytree(road.course / "source", folder / "source")
    (folder / "nbgrader_config.py").write_text(STOCK_SETTINGS)
    _nbgrader(folder, "generate_assignment", road.assignment)
    for each in people:
        shutil.copytree(
            road.course / "submitted" / each.student, folder / "submitted" / each.student
        )
    found: dict[str, float] = {}
    with _measured(found):
        _nbgrader(folder, "autograde", road.assignment)
    return {key: value / len(people) for key, value in found.items()}


def _nbgrader(folder: Path, *arguments: str) -> None:
    path = {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin"}
    subprocess.run(
        [sys.executable, "-m", "nbgrader", *arguments],
        cwd=folder,
        check=True,
        env=path,
        capture_output=True,
    )


def _ours(road: ExchangeCourse, name: str) -> list[Row]:
    """The rows of the course's grading, by number of workers."""
    rows = []
    for workers in (1, 2):
        found: dict[str, float] = {}
        with _measured(found):
            run = grade_class(GradeOptions(name, road.course, again=True, workers=workers), _quiet)
            loader().close()  # the time of its forks counts after it has ended
        rows.append((workers, found, list(run.graded)))
    return rows


def _report(stock: dict[str, float], ours: list[Row]) -> None:
    print("\nseconds per submission          processor   on the wall")
    print(f"  nbgrader as it comes          {stock['cpu']:9.2f} {stock['wall']:13.2f}")
    for workers, found, graded in ours:
        size = len(graded)
        label = f"  ours, sandboxed, {workers} worker{'s' if workers > 1 else ''}"
        print(
            f"{label:31} {found['cpu'] / size:9.2f} {found['wall'] / size:13.2f}"
            f"   {stock['cpu'] / found['cpu'] * size:.1f} times fewer processor seconds"
        )
    graded = ours[-1][2]
    print("\nof these, in milliseconds of the processor (mean, median):")
    for part in ("worker", "judge", "coordinator"):
        spent = [getattr(each.spent, part) * 1000 for each in graded]
        print(f"  {part:12} {mean(spent):7.0f} {median(spent):7.0f}")
    workers, found, _ = ours[-1]
    parts = sum(each.spent.worker + each.spent.judge + each.spent.coordinator for each in graded)
    print(f"  the rest: programs, and once the start of {workers}: {found['cpu'] - parts:.1f} s")


def _unchanged(road: ExchangeCourse, name: str) -> None:
    course = NbgraderCourse.open(road.course)
    released = ReleasedAssignment.of(course, name)
    submissions = find_submissions(course, name)
    with (
        contextlib.closing(Journal(course.own / "journal.sqlite")) as journal,
        ClassGradebook(course, released) as book,
    ):
        begun = time.process_time()
        run = GradingRun(course, released, book, journal, _decided_by(road, released))
        tasks, _ = run.plan(submissions)
        spent = time.process_time() - begun
    assert not tasks, "nothing was changed"
    print(f"\nunchanged, seen and left alone: {spent / len(submissions) * 1000:.1f} ms each")


def _decided_by(road: ExchangeCourse, released: ReleasedAssignment) -> str:
    return grading_digest(released, (road.course / ".grading_seed").read_text().strip())


def _quiet(_: str) -> None:
    pass


class _PlayedBack:
    """An executor that returns the same results for every job at once, without any work."""

    size, level = 2, Level.NONE

    def __init__(self, verdicts: tuple[Verdict, ...]) -> None:
        self._verdicts = verdicts

    def submit(self, job: Job) -> "Future[Graded]":
        future: Future[Graded] = Future()
        future.set_result(Graded(job.student, job.assignment, self._verdicts))
        return future

    def close(self) -> None:
        pass


def _coordinator_alone(folder: Path, road: ExchangeCourse, name: str) -> None:
    """Print the memory and time of the coordinator over many submissions."""
    shutil.copytree(road.course, folder, ignore=shutil.ignore_patterns("autograded", ".grading"))
    for each in list((folder / "submitted").iterdir()):
        for number in range(COPIES):
            shutil.copytree(each, each.with_name(f"{each.name}_{number}"))
    course = NbgraderCourse.open(folder)
    released = ReleasedAssignment.of(course, name)
    verdicts = tuple(
        Verdict(check.exercise, "passed", check.points, check.points, text="Passed.")
        for check in released.checks
    )
    process, rss = psutil.Process(), []
    with (
        contextlib.closing(Journal(course.own / "journal.sqlite")) as journal,
        ClassGradebook(course, released) as book,
    ):
        decided_by = _decided_by(road, released)
        run = GradingRun(course, released, book, journal, decided_by)
        tasks, _ = run.plan(find_submissions(course, name))
        begun = time.process_time()
        done = run.grade_tasks(tasks, _PlayedBack(verdicts), lambda *_: None)
        for number, _ in enumerate(done, start=1):
            if number in (100, len(tasks)):
                rss.append(process.memory_info().rss / 2**20)
        spent = time.process_time() - begun
    print(
        f"the coordinator alone: {spent / len(tasks) * 1000:.0f} ms each; its memory after "
        f"100 submissions {rss[0]:.0f} MiB, after {len(tasks)} {rss[1]:.0f} MiB"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])

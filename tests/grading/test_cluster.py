"""`course grade --scheduler`: a real Dask scheduler and workers, which come, go, and are killed."""

import contextlib
import os
import pickle
import shutil
import socket
import sqlite3
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import distributed
import nbformat
import psutil
import pytest
from classroom import Submission, make_class
from courses import (
    ASSIGNMENTS,
    ROOT,
    SEED,
    Class,
    filled_in,
    full_points,
    hidden,
    level,
    references,
)

from course_grading.job import GradingSettings, Job
from course_grading.run import cluster as module
from course_grading.run.cluster import ClusterExecutor
from course_grading.run.course import steps_of
from course_grading.sandbox import Level
from course_utils.errors import CourseError

ASSIGNMENT = "02_tensors"
POINTS = sum(full_points(ASSIGNMENT).values())
STUDENTS = ("full", "wrong", "accepted", "partial", "empty", "lost_answer")
DASK = Path(sys.executable).parent / "dask"
LONG = 900.0  # seconds that nothing here takes, on a busy machine either

pytestmark = [pytest.mark.slow, pytest.mark.more, pytest.mark.timeout(1800)]


def until(true: Callable[[], object], what: str) -> None:
    end = time.monotonic() + LONG
    while not true():
        assert time.monotonic() < end, f"not within {LONG:.0f} s: {what}"
        time.sleep(0.1)


class Cluster:
    """A scheduler, and the workers that a test starts."""

    def __init__(
        self, folder: Path, stack: contextlib.ExitStack, before: tuple[str, ...] = ()
    ) -> None:
        self._folder, self._stack = folder, stack
        file = folder / "scheduler.json"
        self.scheduler = self._start(
            "scheduler",
            "--scheduler-file",
            file,
            "--port=0",
            "--host=127.0.0.1",
            "--no-dashboard",
            before=before,
        )
        until(lambda: file.is_file() and file.read_text().endswith("}"), "the scheduler is up")

        self.client = stack.enter_context(
            distributed.Client(scheduler_file=file, set_as_default=False)
        )
        self.address = self.client.scheduler.address

    def worker(
        self, threads: int = 1, path: Path | None = None, before: tuple[str, ...] = ()
    ) -> psutil.Process:
        """Start a worker. path: where it finds the course, instead of here."""
        name = f"worker-{time.monotonic_ns()}"
        process = self._start(
            "worker",
            self.address,
            f"--nthreads={threads}",
            f"--name={name}",
            "--no-nanny",
            "--no-dashboard",
            f"--local-directory={self._folder}",
            path=path,
            before=before,
        )
        until(lambda: process.pid in self.pids(), "the worker is there")
        return process

    def pids(self) -> dict[int, str]:
        """The workers that there are: process ids and addresses."""
        told = self.client.run(os.getpid, on_error="ignore")
        return {pid: address for address, pid in told.items()}

    def end_workers(self) -> None:
        for pid in self.pids():
            psutil.Process(pid).kill()
        until(lambda: not self.client.nthreads(), "the workers are gone")

    def _start(
        self, *arguments: object, path: Path | None = None, before: tuple[str, ...] = ()
    ) -> psutil.Process:
        environment = dict(os.environ) if path is None else os.environ | {"PYTHONPATH": str(path)}
        log = self._stack.enter_context((self._folder / f"{arguments[0]}.log").open("a"))
        process = psutil.Popen(
            [*before, DASK, *map(str, arguments)],
            env=environment,
            cwd=self._folder,
            stdout=log,
            stderr=log,
        )
        self._stack.callback(_end, process)
        return process


def _end(process: psutil.Process) -> None:
    with contextlib.suppress(psutil.NoSuchProcess):
        process.kill()
    process.wait()


@pytest.fixture(scope="module")
def running(tmp_path_factory) -> Iterator[Cluster]:
    with contextlib.ExitStack() as stack:
        yield Cluster(tmp_path_factory.mktemp("cluster"), stack)


@pytest.fixture
def cluster(running) -> Iterator[Cluster]:
    """Without workers, before and after."""
    yield running
    running.end_workers()


@pytest.fixture(scope="module")
def submissions() -> dict[str, Submission]:
    every = {each.student: each for each in make_class(ROOT, ASSIGNMENTS[ASSIGNMENT])}
    return {student: every[student] for student in STUDENTS}


@pytest.fixture
def course(release, tmp_path, submissions) -> Class:
    made = release(tmp_path / "course")
    released = nbformat.from_dict(filled_in(ASSIGNMENT, {}))
    for student, submission in submissions.items():
        made.hand_in(student, {}, notebook=submission.fill_in(released))
    return made


@pytest.fixture(scope="module")
def job() -> Job:
    """A submission that is all right."""
    notebook = filled_in(ASSIGNMENT, references(ASSIGNMENT))
    return Job("ada", ASSIGNMENT, steps_of(nbformat.from_dict(notebook)))


def settings(minimum: Level | None = None) -> GradingSettings:
    least = level() if minimum is None else minimum
    return GradingSettings(hidden(ASSIGNMENT), least)


def journal(course: Class) -> list[tuple[str, str]]:
    file = course.root / ".grading" / "journal.sqlite"
    try:
        with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as rows:
            return rows.execute("SELECT student, state FROM entries ORDER BY student").fetchall()
    except sqlite3.OperationalError:  # not made yet
        return []


def test_a_worker_killed_in_the_middle_costs_nobody_anything(cluster, course, submissions):
    cluster.worker()
    killed = cluster.worker()
    judges: list[psutil.Process] = []

    def kill() -> None:
        with contextlib.suppress(AssertionError):
            until(lambda: journal(course) and killed.children(recursive=True), "a job there")
            judges.extend(killed.children(recursive=True))
            killed.kill()

    killer = threading.Thread(target=kill)
    killer.start()
    report = course.grade(scheduler=cluster.address)
    killer.join()
    assert judges
    assert not any(each.held for each in report.graded)
    expected = {s.student: s.expected_grades(course.entry) for s in submissions.values()}
    assert {student: course.points(student) for student in STUDENTS} == expected
    assert journal(course) == [(student, "saved") for student in sorted(STUDENTS)]
    assert len(course.rows()) == len(STUDENTS) * len(course.entry.exercises)
    assert report.level == level().name
    _, alive = psutil.wait_procs(judges, timeout=LONG)
    assert alive == []


@pytest.mark.full
def test_workers_come_and_go(cluster, job, monkeypatch):
    monkeypatch.setattr(module, "_PATIENCE", LONG)  # a busy computer starts a worker slowly
    first = cluster.worker(threads=2)
    executor = ClusterExecutor(settings(), cluster.address)
    with contextlib.closing(executor):
        assert (executor.size, executor.level) == (2, level())
        first.kill()
        until(lambda: executor.size == 1, "the executor knows that it has no worker")
        waiting = executor.submit(job)
        second = cluster.worker()
        assert waiting.result(LONG).points == POINTS
        cluster.worker()
        until(lambda: executor.size == 2, "the executor knows of both workers")
        judges = second.children(recursive=True)
        assert judges
    _, alive = psutil.wait_procs(judges, timeout=LONG)
    assert alive == [] and second.is_running()


def test_stations_end_soon_after_a_coordinator_that_was_killed(cluster, job, tmp_path):
    worker = cluster.worker()
    (tmp_path / "job").write_bytes(pickle.dumps(job))
    program = textwrap.dedent(f"""
        import pathlib, pickle, signal
        from course_grading.hidden import hidden_cases
        from course_grading.run import cluster
        from course_grading.sandbox import Level
        from course_grading.job import GradingSettings

        cluster._IDLE = 5.0
        hidden = hidden_cases({ASSIGNMENT!r}, {SEED!r})
        settings = GradingSettings(hidden, Level.{level().name})
        executor = cluster.ClusterExecutor(settings, {cluster.address!r})
        print(executor.submit(pickle.loads(pathlib.Path("job").read_bytes())).result().points)
        signal.pause()
    """)
    with subprocess.Popen(
        [sys.executable, "-u", "-c", program], cwd=tmp_path, text=True, stdout=subprocess.PIPE
    ) as coordinator:
        try:
            said = coordinator.stdout.readline()
            judges = worker.children(recursive=True)
        finally:
            coordinator.kill()
    assert said == f"{float(POINTS)}\n" and judges
    _, alive = psutil.wait_procs(judges, timeout=LONG)
    assert alive == [] and worker.is_running()


def test_a_scheduler_that_ends_is_said_and_loses_nothing(tmp_path, course):
    with contextlib.ExitStack() as stack:
        cluster = Cluster(tmp_path, stack)
        cluster.worker()
        killer = threading.Thread(
            target=lambda: (
                until(lambda: ("accepted", "saved") in journal(course), "one is saved"),
                cluster.scheduler.kill(),
            )
        )
        killer.start()
        with pytest.raises(CourseError) as refusal:
            course.grade(scheduler=cluster.address)
        killer.join()
    said = str(refusal.value)
    assert said.startswith(f"The scheduler {cluster.address} does not answer any more. Finished ")
    saved = [student for student, state in journal(course) if state == "saved"]
    assert {row["student"] for row in course.rows() if not row["waits"]} >= set(saved) != set()


def test_no_worker_for_long_is_said(cluster, job, monkeypatch):
    monkeypatch.setattr(module, "_PATIENCE", 3.0)
    worker = cluster.worker()
    with contextlib.closing(ClusterExecutor(settings(), cluster.address)) as executor:
        worker.kill()
        with pytest.raises(CourseError, match=r"has had no worker for 3 seconds\. Finished"):
            executor.submit(job).result(LONG)


def refused(address: str, minimum: Level | None = None) -> str:
    with pytest.raises(CourseError) as refusal:
        ClusterExecutor(settings(minimum), address)
    return str(refusal.value)


def test_addresses_without_a_scheduler(monkeypatch):
    monkeypatch.setattr(module, "_ANSWER", 3.0)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        assert refused(address).startswith(f"The scheduler {address} does not answer (")
    assert refused(address).startswith(f"The scheduler {address} does not answer (")
    with socket.create_server(("127.0.0.1", 0)) as web:

        def answer() -> None:
            with contextlib.suppress(OSError):
                while True:
                    connection, _ = web.accept()
                    connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n" * 99)
                    connection.close()

        threading.Thread(target=answer, daemon=True).start()
        address = f"tcp://127.0.0.1:{web.getsockname()[1]}"
        assert address in refused(address)
    assert "carrier-pigeon" in refused("carrier-pigeon://here")


@pytest.mark.filterwarnings("ignore::distributed.versions.VersionMismatchWarning")
def test_a_scheduler_of_another_version(tmp_path):
    """It is the same program, which only believes that it is another release."""
    program = (
        "import importlib.metadata as m, sys; known = m.version\n"
        "m.version = lambda name: '2020.1.0' if name == 'distributed' else known(name)\n"
        "from dask.__main__ import main; del sys.argv[0]; sys.exit(main())"
    )
    with contextlib.ExitStack() as stack:
        cluster = Cluster(tmp_path, stack, (sys.executable, "-c", program))
        said = refused(cluster.address)
    assert "runs dask.distributed 2020.1.0, and this computer has" in said
    assert said.endswith("Install the same version on both.")


def test_no_workers(cluster):
    assert refused(cluster.address).startswith(f"The scheduler {cluster.address} has no workers. ")


@pytest.fixture
def elsewhere(tmp_path) -> Path:
    """Another copy of the course."""
    for place in ("course_utils", "packages/course_grading"):
        shutil.copytree(ROOT / place, tmp_path / Path(place).name)
    shutil.copytree(ROOT / "assignments" / "exercises", tmp_path / "assignments" / "exercises")
    shutil.copy(ROOT / "course.toml", tmp_path)
    return tmp_path


def test_a_worker_with_other_exercises(cluster, elsewhere):
    cases = elsewhere / "assignments" / "exercises" / "tensors" / "move_batch" / "cases.py"
    cases.write_text(cases.read_text() + "# another version\n")
    worker = cluster.worker(path=elsewhere)
    address = cluster.pids()[worker.pid]
    said = refused(cluster.address)
    assert said.startswith(f"The worker {address} has another version of the exercises (")
    assert said.endswith("Install the same version of the course on both.")


def test_a_worker_that_comes_later_and_is_not_fit_is_left_out(cluster, elsewhere, job):
    cluster.worker()
    said: list[str] = []
    with contextlib.closing(ClusterExecutor(settings(), cluster.address, said.append)) as executor:
        package = elsewhere / "course_utils" / "errors.py"
        package.write_text(package.read_text() + "# another version\n")
        other = cluster.worker(path=elsewhere)
        until(lambda: said, "the worker is looked at")
        assert "has another version of course_utils" in said[0]
        assert executor.size == 1
        results = [executor.submit(job) for _ in range(3)]
        assert [each.result(LONG).points for each in results] == [POINTS] * 3
        assert other.children() == []


def test_a_worker_without_the_course(cluster, tmp_path):
    (tmp_path / "course_grading").mkdir()
    (tmp_path / "course_grading" / "__init__.py").write_text("")
    cluster.worker(path=tmp_path)
    said = refused(cluster.address)
    assert "No module named 'course_grading.run'\")). Install this version of the course" in said


def test_a_worker_with_a_lesser_sandbox(cluster):
    if level() <= Level.KERNEL_RULES:
        pytest.skip(f"the level here is {level().name}: there is none below for a worker")
    here = Path(__file__).parent
    program = (
        f"import os, sys; sys.path.insert(0, {str(here)!r})\n"
        "from sandbox_case import forbid_namespaces; forbid_namespaces()\n"
        "os.execv(sys.argv[1], sys.argv[1:])"
    )
    worker = cluster.worker(before=(sys.executable, "-c", program))
    address = cluster.pids()[worker.pid]
    cluster.worker()
    said = refused(cluster.address, Level.NO_CGROUPS)
    with contextlib.closing(ClusterExecutor(settings(Level.NONE), cluster.address)) as executor:
        assert executor.size == 2
        lowest = executor.level
    assert lowest <= Level.KERNEL_RULES  # which of them depends on where Python is installed
    assert said.startswith(
        f"The sandbox of the worker {address} has the level "
        f"{lowest.name}, and grading needs NO_CGROUPS. "
    )
    assert "does not allow new namespaces: unshare: Operation not permitted." in said
    assert said.endswith(f"allow this level with `--minimum {lowest.name.lower()}`.")


def test_dask_that_is_not_installed(course, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, module.__name__)
    monkeypatch.delitem(sys.modules, f"{module.__name__}_worker")
    with pytest.raises(CourseError, match="A cluster needs Dask, and distributed is not inst"):
        course.grade(scheduler="tcp://127.0.0.1:8786")

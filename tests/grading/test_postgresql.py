"""`course grade --db-url` on a real PostgreSQL server, which the test starts, stops and refuses."""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import nbformat
import pytest
from classroom import Submission, make_class
from courses import ASSIGNMENTS, COURSE_ID, ROOT, Class, filled_in, level
from nbgrader.api import Gradebook
from sqlalchemy import create_engine, text

from course_grading.run.gradebook import ClassGradebook, advisory_lock, url_without_password
from course_utils.errors import CourseError

ASSIGNMENT = "02_tensors"
STUDENTS = ("accepted", "empty", "full", "lost_check", "wrong")
PASSWORD = "secret-of-this-server"
USER = "instructor"

pytestmark = [pytest.mark.slow, pytest.mark.more, pytest.mark.timeout(1800)]


def programs() -> Path | None:
    """Where PostgreSQL's own commands are; Debian does not put them on the path."""
    if found := shutil.which("initdb"):
        return Path(found).parent
    return max(Path("/usr/lib/postgresql").glob("*/bin"), default=None)


@dataclass(frozen=True)
class Server:
    """A server in a folder of its own; it belongs to a user without rights, since it insists."""

    folder: Path
    port: int

    def url(self, database: str, password: str = PASSWORD) -> str:
        return (
            f"postgresql+psycopg://{USER}:{quote(password, safe='')}@127.0.0.1:{self.port}"
            f"/{database}"
        )

    def make(self) -> None:
        (self.folder / "password").write_text(PASSWORD)
        self._run(
            "initdb",
            "--auth=scram-sha-256",
            f"--pwfile={self.folder}/password",
            f"--username={USER}",
            "--encoding=UTF8",
            "--no-sync",
        )

    def start(self) -> None:
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories="
        self._run(
            "pg_ctl",
            "--wait",
            f"--log={self.folder}/log",
            "--timeout=600",
            f"--options={options}",
            "start",
        )

    def stop(self) -> None:
        self._run("pg_ctl", "--wait", "--mode=immediate", "--timeout=600", "stop")

    def database(self, name: str, like: str = "template1") -> str:
        """A new database, a copy of `like`, and its address."""
        engine = create_engine(self.url("postgres"), isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.execute(text(f'CREATE DATABASE "{name}" TEMPLATE "{like}"'))
        engine.dispose()
        return self.url(name)

    def _run(self, program: str, *arguments: str) -> None:
        place = programs()
        assert place is not None
        other = (
            {"user": "nobody", "group": "nogroup", "extra_groups": []} if os.geteuid() == 0 else {}
        )
        subprocess.run(
            [place / program, f"--pgdata={self.folder}/data", *arguments],
            cwd=self.folder,
            env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"},
            check=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            **other,
        )


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    if programs() is None:
        pytest.skip("PostgreSQL's server is not installed (Debian, Ubuntu: apt install postgresql)")
    # Not in pytest's folder, which is closed to other users.
    with tempfile.TemporaryDirectory(prefix="course-postgresql-") as folder:
        if os.geteuid() == 0:
            shutil.chown(folder, "nobody", "nogroup")
        # Below those that the system gives to whoever connects, also while this server is stopped.
        made = Server(Path(folder), port=10_000 + os.getpid() % 20_000)
        made.make()
        made.start()
        yield made
        made.stop()


@dataclass(frozen=True)
class OnServer(Class):
    """A course whose gradebook is on a server."""

    url: str = ""

    def gradebook(self) -> Gradebook:
        return Gradebook(self.url, COURSE_ID)


@pytest.fixture(scope="module")
def submissions() -> dict[str, Submission]:
    every = {each.student: each for each in make_class(ROOT, ASSIGNMENTS[ASSIGNMENT])}
    return {student: every[student] for student in STUDENTS}


@pytest.fixture(scope="module")
def handed_in(release, tmp_path_factory, submissions) -> Class:
    """A course with a class's work, not graded."""
    course = release(tmp_path_factory.mktemp("postgresql"))
    released = nbformat.from_dict(filled_in(ASSIGNMENT, {}))
    for student, submission in submissions.items():
        course.hand_in(student, {}, notebook=submission.fill_in(released))
    return course


def nbgrader(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *arguments], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done


@pytest.fixture(scope="module")
def released(server, handed_in, tmp_path_factory) -> OnServer:
    """The class's work in a folder without a gradebook; nbgrader makes one on the server."""
    copied = handed_in.copied(tmp_path_factory.mktemp("released") / "course")
    (copied.root / "gradebook.db").unlink()
    url = server.database("released")
    nbgrader(copied.root, "generate_assignment", ASSIGNMENT, "--force", f"--db={url}")
    nbgrader(copied.root, "db", "upgrade", f"--db={url}")
    return OnServer(copied.root, ASSIGNMENT, url)


@pytest.fixture
def course(server, released, tmp_path, request) -> OnServer:
    """A copy of that, folder and database."""
    url = server.database(request.node.name[:60], like="released")
    return OnServer(released.copied(tmp_path / "course").root, ASSIGNMENT, url)


@pytest.fixture(scope="module")
def in_a_file(handed_in, tmp_path_factory, one_executor) -> Class:
    """The same class, graded into nbgrader's own SQLite."""
    copied = handed_in.copied(tmp_path_factory.mktemp("file") / "course")
    copied.grade()
    return copied


def test_a_server_holds_what_a_file_holds(course, in_a_file, one_executor):
    report, said = course.grade_saying(db_url=course.url)
    assert len(report.graded) == len(STUDENTS) and not report.unchanged
    assert course.rows() == in_a_file.rows() != []
    again, said_again = course.grade_saying(db_url=course.url)
    assert again.unchanged == set(STUDENTS)
    assert course.rows() == in_a_file.rows()
    assert not (course.root / "gradebook.db").exists()
    assert PASSWORD not in said + said_again
    written = [path for path in (course.root / "reports").rglob("*") if path.is_file()]
    assert written and not any(PASSWORD.encode() in path.read_bytes() for path in written)


@pytest.mark.full
def test_a_server_that_stops_in_the_middle(
    server, course, in_a_file, one_executor, monkeypatch, capfd
):
    save, saved = ClassGradebook.save, []

    def stopping(book: ClassGradebook, graded, *rest) -> None:
        if len(saved) == 2:
            server.stop()
        save(book, graded, *rest)
        saved.append(graded.student)

    monkeypatch.setattr(ClassGradebook, "save", stopping)
    try:
        with pytest.raises(CourseError) as refusal:
            course.grade(db_url=course.url)
    finally:
        monkeypatch.undo()
        server.start()
    said = str(refusal.value)
    assert said.startswith("The gradebook postgresql") and "cannot be used (" in said
    assert said.endswith("then run the same command again.")
    assert PASSWORD not in said and "\n" not in said
    assert capfd.readouterr().err == ""
    assert {row["student"] for row in course.rows()} == set(saved) and len(saved) == 2
    report = course.grade(db_url=course.url)
    assert report.unchanged == set(saved)
    assert course.rows() == in_a_file.rows()


def test_the_command_says_one_sentence_where_no_server_is(course):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    url = f"postgresql+psycopg://{USER}:{PASSWORD}@127.0.0.1:{port}/course"
    command = Path(sys.executable).parent / "course"
    ended = subprocess.run(
        [command, "grade", ASSIGNMENT, "--db-url", url],
        cwd=course.root,
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 2
    starting, sentence = ended.stderr.splitlines()
    assert starting == "Starting …"
    assert sentence.startswith(
        f"The gradebook postgresql+psycopg://{USER}:***@127.0.0.1:{port}/course cannot be used "
    )
    assert PASSWORD not in ended.stderr + ended.stdout


def refused(course: Class, url: str) -> str:
    with pytest.raises(CourseError) as refusal:
        course.grade(db_url=url, minimum=level())
    assert PASSWORD not in str(refusal.value)
    return str(refusal.value)


def test_what_a_server_refuses(server, course):
    wrong = refused(course, server.url("postgres", password="another"))
    assert "password authentication failed" in wrong and "another" not in wrong
    assert '"nowhere" does not exist' in refused(course, server.url("nowhere"))
    empty = server.database("without_tables")
    assert f"has no assignment {ASSIGNMENT} yet. Run `nbgrader generate_assignment" in refused(
        course, empty
    )


@pytest.mark.parametrize(
    "url",
    [
        "nonsense",
        "postgres://u:{}@h/d",
        "postgresql+psycopg://u:{}@h:notaport/d",
        "postgresql+psycopg://u:@{}@h/d",
        "postgresql+psycopg://u:@h/{}@h/d",
    ],
)
def test_addresses_that_cannot_be_read(handed_in, url):
    assert "Write it as" in refused(handed_in, url.format(PASSWORD))


def test_a_driver_that_is_not_installed(handed_in, monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    said = refused(handed_in, f"postgresql+psycopg://u:{PASSWORD}@h/d")
    assert "needs psycopg, which is not installed" in said


def test_a_password_with_signs_of_an_address_is_not_shown_either():
    for password in (f"/{PASSWORD}", f"5/{PASSWORD}", f":{PASSWORD}", f"?{PASSWORD}"):
        assert (
            url_without_password(f"postgresql+psycopg://u:{password}@h/d")
            == "postgresql+psycopg://u:***@h/d"
        )


def test_a_password_among_the_options_is_not_shown_either():
    url = f"postgresql+psycopg://h/d?user=ada&password={PASSWORD}&sslmode=require"
    assert url_without_password(url) == "postgresql+psycopg://h/d?sslmode=require&user=ada"


def test_two_runs_at_once_from_two_folders(course, one_executor, tmp_path):
    """The lock in a folder sees only that folder; the server sees both runs."""
    other = OnServer(course.copied(tmp_path / "other").root, ASSIGNMENT, course.url)
    engine = create_engine(course.url)
    with contextlib.closing(advisory_lock(engine, COURSE_ID)):
        said = refused(other, course.url)
        assert said.startswith("Another run is grading into this gradebook, from another folder")
        assert other.rows() == []
    engine.dispose()
    assert len(other.grade(db_url=course.url).graded) == len(STUDENTS)

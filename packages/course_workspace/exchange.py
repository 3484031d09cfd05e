"""nbgrader's exchange for learners: the course it is configured for, and handing in.

As a program, it prints nbgrader's configuration in the current folder: nbgrader takes seconds to
import, and keeps its configuration in one object for the whole process.
"""

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from jupyter_core.paths import jupyter_config_path

from course_utils.errors import CourseError


@dataclass(frozen=True)
class Exchange:
    """course: nbgrader's name for it; below: whether assignments are in a folder of that name."""

    course: str
    below: bool

    def submit(self, workspace: Path, name: str, data: bytes) -> str:
        """Hand in the notebook `data` as the assignment `name`; nbgrader records the time.

        Returns nbgrader's name for the submission. Raises CourseError if nbgrader refuses it.
        """
        with tempfile.TemporaryDirectory(prefix="course-submit-") as folder:
            place = Path(folder, *([self.course] if self.below else []), name)
            place.mkdir(parents=True)
            (place / f"{name}.ipynb").write_bytes(data)
            command = [sys.executable, "-m", "nbgrader", "submit", name, f"--course={self.course}"]
            command.append(f"--Exchange.assignment_dir={folder}")
            done = subprocess.run(command, cwd=workspace, capture_output=True, text=True)
        lines = [line for line in (done.stderr + done.stdout).splitlines() if line.strip()]
        if done.returncode != 0:
            raise CourseError(
                f"Nothing was handed in: nbgrader refused the notebook ({_why(lines)}). "
                "Ask your instructor."
            )
        names = (line.partition("Submitted as: ")[2] for line in lines)
        return next(filter(None, names), f"{self.course} {name}")


def find_exchange(workspace: Path, course: str = "") -> Exchange | None:
    """The exchange that nbgrader is configured for here; None if there is none.

    course: its name, if the configuration has none. Raises CourseError if it is unknown.
    """
    folders = [str(workspace), *jupyter_config_path()]
    files = (Path(each, f"nbgrader_config.{kind}") for each in folders for kind in ("py", "json"))
    if not course and not any(file.is_file() for file in files):
        return None
    command = [sys.executable, "-m", __name__, *([f"--course={course}"] if course else [])]
    done = subprocess.run(command, cwd=workspace, capture_output=True, text=True)
    try:
        known, below = json.loads(done.stdout.strip().splitlines()[-1])
    except (ValueError, IndexError):
        known, below = "", False
    if course and not known:
        raise CourseError(
            f"nbgrader's exchange has no course {course} here. Ask your instructor, "
            "or leave --course out to make a file that you can upload."
        )
    return Exchange(known, below) if known else None


def _why(lines: list[str]) -> str:
    errors = [line for line in lines if "ERROR" in line or "CRITICAL" in line] or lines[-1:]
    return errors[0].rpartition("] ")[2] or errors[0] if errors else "no message"


def _look(arguments: list[str]) -> tuple[str, bool]:
    from nbgrader.apps import SubmitApp
    from nbgrader.auth import Authenticator
    from nbgrader.exchange import ExchangeFactory
    from nbgrader.exchange.default import ExchangeSubmit

    app = SubmitApp()
    app.initialize(["--log-level=CRITICAL", *arguments])
    submit = ExchangeFactory(parent=app).Submit(
        coursedir=app.coursedir, authenticator=Authenticator(parent=app), parent=app
    )
    course = app.coursedir.course_id
    usual = isinstance(submit, ExchangeSubmit)  # other exchanges have their own list of courses
    there = not usual or os.path.isdir(os.path.join(submit.root, course))
    return (course if there else ""), usual and submit.path_includes_course


if __name__ == "__main__":
    print(json.dumps(_look(sys.argv[1:])))

"""Cases that run on an answer in a process of its own, which has other GPUs than this one.

The process is new, never a fork: a fork could not use CUDA once this process has started it. It
gets the definitions of the answer's cells, and no object. Both processes exchange lines of JSON.
"""

import ast
import json
import linecache
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any, TextIO

import torch

from course_utils.checking.exercises import exercise
from course_utils.checking.shell import cells_so_far
from course_utils.errors import CourseError
from exercise_kit.contract import Case
from exercise_kit.definitions import cell_of, definitions
from exercise_kit.runner import Runner, Seen
from exercise_kit.sent import received, sent

VIRTUAL = "from course_utils.devices import virtual_lab\nvirtual_lab(4)\n"
"""The first lines of a process with four virtual GPUs."""

_SERVE = "from course_utils.checking.elsewhere import serve\nserve(line)\n"
# The answer, and libraries, may write to 1, so the lines go through a copy of it.
_LINE = "import os\nline = os.fdopen(os.dup(1), 'w', buffering=1)\nos.dup2(2, 1)\n"


class Ended(CourseError):
    """The process ended before its reply. text: the last line that it printed, or ""."""


class NotDefined(CourseError):
    """The answer cannot be defined in another process."""


class Elsewhere:
    """A process that runs cases of an exercise on an answer.

    gpus: the number of GPUs that torch finds there. about: their name, and versions of software.
    trouble: the error at the start of CUDA, or "".
    """

    def __init__(self, process: "subprocess.Popen[str]", errors: IO[str]) -> None:
        self._process, self._errors = process, errors
        self.gpus, self.about, self.trouble = 0, dict[str, str](), ""

    def begin(self, name: str, answer: Any) -> None:
        """Define the answer there. Raises Ended or NotDefined."""
        called = getattr(answer, "__name__", "")
        found = self.ask(exercise=name, source=source_of(answer), answer=called)
        self.gpus, self.about, self.trouble = found["gpus"], found["about"], found["trouble"]
        if not found["defined"]:
            raise NotDefined(
                "Your answer runs in a process of its own, and that process could not define it. "
                "Define it with `def` in one cell, with its imports in this cell."
            )

    def __call__(self, case: Case, anew: bool = False) -> Seen | None:
        """The result of a case; with `anew`, on a copy of the answer that was never called."""
        return received(self.ask(data=case.data, anew=anew), lambda _: True)

    def anew(self, case: Case) -> Seen | None:
        """The result of a case on a copy of the answer that was never called."""
        return self(case, anew=True)

    def hidden(self, seed: str) -> list[tuple[int, Case]]:
        """The cases drawn from `seed`. Their right facts come from a run, so it happens there."""
        return [(number, Case(**case)) for number, case in self.ask(seed=seed)["cases"]]

    def ask(self, **request: Any) -> dict[str, Any]:
        """The reply to a request. Raises Ended if the process ends instead."""
        assert self._process.stdin and self._process.stdout
        try:
            print(json.dumps(request), file=self._process.stdin, flush=True)
            return json.loads(self._process.stdout.readline())
        except (OSError, ValueError):
            self._process.kill()
            self._errors.seek(0)
            raise Ended(self._errors.read().strip().rpartition("\n")[2]) from None


@contextmanager
def elsewhere(setup: str, seconds: float = 600) -> Iterator[Elsewhere]:
    """A new process that begins with the lines of `setup`. It is killed at the end.

    seconds: the time after which it is killed in any case.
    """
    variables = ("VIRTUAL_CUDA", "NBGRADER")
    env = {name: value for name, value in os.environ.items() if not name.startswith(variables)}
    # A file, because a full pipe that nobody reads would block the process.
    with tempfile.TemporaryFile("w+", errors="replace") as errors:
        process = subprocess.Popen(
            [sys.executable, "-c", _LINE + setup + _SERVE],
            env={**env, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            errors="replace",
            start_new_session=True,  # Ctrl+C must only reach this process
        )
        timer = threading.Timer(seconds, process.kill)
        timer.daemon = True
        timer.start()
        try:
            yield Elsewhere(process, errors)
        finally:
            timer.cancel()
            process.kill()
            process.communicate()


def source_of(answer: Any) -> str:
    """The definitions of all cells of this notebook; outside one, of the answer's own cell."""
    cells = cells_so_far() or [cell_of(answer)]
    return "\n".join(statement for cell in cells for statement in definitions(cell))


def serve(line: TextIO) -> None:
    """Reply to the requests of an `Elsewhere`, in the new process, until it closes its end."""
    first = json.loads(sys.stdin.readline())
    known, machine = exercise(first["exercise"]), _started()
    answer = _answer(first)
    print(json.dumps({**machine, "defined": answer is not None}), file=line)
    runner = Runner(known.observer, answer, known.world)
    for text in sys.stdin:
        request = json.loads(text)
        if "seed" in request:
            cases = [[n, asdict(case)] for n, case in known.hidden_cases(request["seed"])]
            reply: Mapping[str, Any] = {"cases": cases}
        else:
            put: Callable[[Case], Seen | None] = runner.anew if request["anew"] else runner
            reply = sent(put(Case("", request["data"])))
        print(json.dumps(reply), file=line)


def _answer(first: Mapping[str, str]) -> Any:
    """The answer, defined from its source. A statement that fails alone is left out."""
    lines = first["source"].splitlines(keepends=True)
    linecache.cache["<answer>"] = (len(first["source"]), None, lines, "<answer>")
    names: dict[str, Any] = {"__name__": "__main__"}
    for statement in ast.parse(first["source"]).body:
        try:
            exec(compile(ast.Module([statement], []), "<answer>", "exec"), names)
        except Exception:  # such as an import that only another cell needs
            continue
    return names.get(first["answer"])


def _started() -> dict[str, Any]:
    """Start CUDA: the number of GPUs, their name with versions of software, and the error or ""."""
    name, trouble = "", ""
    try:
        torch.cuda.init()
        name = torch.cuda.get_device_name(0)
    except Exception as error:
        trouble = str(error).strip().partition("\n")[0].rstrip(".")
    try:
        driver = Path("/proc/driver/nvidia/version").read_text("utf-8").partition("\n")[0]
    except OSError:
        driver = "unknown"
    about = {"gpu": name, "driver": driver, "torch": torch.__version__}
    return {"gpus": 0 if trouble else torch.cuda.device_count(), "about": about, "trouble": trouble}

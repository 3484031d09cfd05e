"""The observer of a program: it inserts an answer, runs the program, and reports facts on it."""

import functools
import inspect
import json
import re
import signal
import tempfile
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from exercise_kit.contract import Facts, Finding, NotFit, Observer
from exercise_kit.definitions import cell_of
from exercise_kit.facts import name_of
from exercise_kit.programs.launcher import Launcher, LaunchFault, raise_fault, read
from exercise_kit.runner import AnswerRaised
from exercise_kit.text import clip

_PRINTED = 100_000  # bytes of printed text that are kept

_ENDS = {
    -signal.SIGXCPU: "out of processor time",
    -signal.SIGKILL: "killed",
    -signal.SIGXFSZ: "killed",
    -signal.SIGSEGV: "a crash (segmentation fault)",
    -signal.SIGABRT: "a crash (abort)",
}


@dataclass(frozen=True)
class ProgramRun:
    """The results of a program's run.

    folder: the folder of its files.
    end: its exit code, or words on how it ended. printed: the first 100 kB of its printed text.
    counts: the counted facts of each rank that came to its end.
    """

    folder: Path
    end: int | str
    printed: str
    counts: Sequence[Facts]

    @property
    def error(self) -> str | None:
        """The exception that ended it: its type, the first line of its text, and the program's
        innermost function in the traceback."""
        _, traceback, after = self.printed.rpartition("Traceback (most recent call last):\n")
        if not traceback:
            return None
        text = next((line for line in after.splitlines() if line[:1].strip()), "")
        own = re.findall(rf'  File "{re.escape(str(self.folder))}.*, in (\w+)\n', after)
        return clip(text, 180) + (f" (in {own[-1]})" if own else "")

    @property
    def last(self) -> str:
        """The last line that it printed."""
        return clip(["", *self.printed.strip().splitlines()][-1], 200)


class ProgramObserver(Observer):
    """Runs a program with the answer in it. Facts: those of `look`.

    The data of a case has `runs`. Each run has `words`, the program's arguments, and optionally the
    number of `devices` (default 0) and `ranks` (default 1), and `stop`, the moment when it is
    killed, as in `within.watched`.
    """

    in_processes = True
    seconds = 12.0
    processor = 10  # seconds of processor time that each process of a program may take
    patience = 60.0  # wall-clock seconds that a program may take
    counts: Path | None = None  # a file whose functions count in programs: `within.watched`

    def __init__(self, launcher: Launcher, program: str) -> None:
        self._launcher, self._program = launcher, program
        self._files_with = functools.lru_cache(1)(self.files)  # for all cases of an answer

    @abstractmethod
    def files(self, cell: str) -> Mapping[str, str | bytes]:
        """Path → content of the program's folder, with the answer from `cell`. May raise NotFit."""

    @abstractmethod
    def environment(self, devices: int) -> Mapping[str, str]:
        """The environment variables for a program with so many devices."""

    @abstractmethod
    def look(self, folder: Path, runs: Sequence[ProgramRun], data: Mapping[str, Any]) -> Facts:
        """The facts after all runs."""

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        """The facts of `look` after the runs of a case with the answer in the program."""
        if not (cell := cell_of(answer)):
            seen = f"an object of type {name_of(type(inspect.unwrap(answer)))}"
            raise NotFit(Finding("no-source", seen, "a function with `def`"))
        with tempfile.TemporaryDirectory() as name:
            folder = self.write(Path(name), self._files_with(cell))
            runs = [self.run(folder, **run) for run in inputs["runs"]]
            if any(str(run.error).partition(" (in")[0] == "NotImplementedError" for run in runs):
                raise AnswerRaised from NotImplementedError()  # as the stub does
            return self.look(folder, runs, inputs)

    def write(self, folder: Path, files: Mapping[str, str | bytes]) -> Path:
        """Write files into `folder`. Returns the folder."""
        for name, content in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            data = content.encode() if isinstance(content, str) else content
            (folder / name).write_bytes(data)
        return folder

    def run(
        self,
        folder: Path,
        words: Sequence[str],
        devices: int = 0,
        ranks: int = 1,
        stop: Mapping[str, Any] | None = None,
    ) -> ProgramRun:
        """The results of the program in `folder`, run until its end or for `patience` seconds.

        Raises LaunchFault for a failure that is not the program's fault.
        """
        command, env = [str(folder / self._program), *words], self.environment(devices)
        with tempfile.TemporaryDirectory() as facts, ExitStack() as opened:
            told = [opened.enter_context(Path(facts, str(n)).open("w+")) for n in range(ranks)]
            watch = {**(stop or {}), "processor": self.processor, "facts": facts}
            if self.counts is not None:
                watch["counts"] = str(self.counts)
            with self._launcher.start(command, env, folder, ranks=ranks, watch=watch) as process:
                printed, ended = read(process, self.patience, _PRINTED)
            counts = [json.loads(text) for file in told if (text := file.read())]
        raise_fault(process)
        if faults := [each["fault"] for each in counts if "fault" in each]:
            raise LaunchFault(faults[0])
        code = process.returncode
        end = _ENDS.get(code, code) if ended else f"still waiting after {self.patience:g} s"
        return ProgramRun(folder, end, printed, counts)

"""Observe `held_by`: what comes back, and how `run` was called.

`run` does what `subprocess.run` does. The command is nvidia-smi of a virtual machine, or
one that is missing, fails, hangs or says something else.
"""

import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe
from virtual_cuda.nvidia import smi

MIB = 2**20
UNKNOWN = 999_983
"""An amount that no case has: it stands for one that nvidia-smi does not know."""

_ERRORS = {
    "FileNotFoundError": FileNotFoundError,
    "PermissionError": PermissionError,
    "MemoryError": MemoryError,
    "KeyError": KeyError,
}


class HeldBy(Observer):
    """Facts: `result`, or `left`, the type of the exception of `run` that came out; `calls`, and of
    the last one `shell`, `words`, whether the command was a list, and `timeout`; `hung`, whether
    the command was waited for without a limit.
    """

    parameters = ("run",)
    needs_devices = False

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        command = _Command(inputs)
        facts: dict[str, Any] = {}
        try:
            facts["result"] = describe(answer(command.run))
        except Exception as error:
            # The engine wraps what leaves an answer; the answer's own exception is its cause.
            left = error.__cause__ or error
            if left is not command.raised:
                raise
            facts["left"] = type(left).__name__
        return {**facts, **command.facts}


class _Command:
    """nvidia-smi on the machine of a case, as `subprocess.run` would run it."""

    def __init__(self, machine: Mapping[str, Any]) -> None:
        self._machine = machine
        self.raised: BaseException | None = None
        self.facts: dict[str, Any] = {
            "calls": 0,
            "words": True,
            "shell": False,
            "timeout": None,
            "hung": False,
        }

    def run(
        self,
        args: Any,
        *,
        capture_output: bool = False,
        check: bool = False,
        timeout: float | None = None,
        shell: bool = False,
        stdout: Any = None,
        stderr: Any = None,
        text: bool | None = None,
        universal_newlines: bool | None = None,
        encoding: str | None = None,
        errors: str | None = None,
        **others: Any,
    ) -> subprocess.CompletedProcess[Any]:
        if capture_output and (stdout is not None or stderr is not None):
            raise ValueError("stdout and stderr arguments may not be used with capture_output.")
        words = isinstance(args, list | tuple) and all(isinstance(word, str) for word in args)
        self.facts["calls"] += 1
        self.facts |= {
            "words": words,
            "shell": shell,
            "timeout": timeout if isinstance(timeout, int | float) else None,
        }
        if self._machine["error"]:
            self._raise(_ERRORS[self._machine["error"]](self._machine["text"]))
        called = list(args) if words else str(args).split()
        if PurePath(called[0]).stem != "nvidia-smi":
            self._raise(FileNotFoundError(2, "No such file or directory", called[0]))
        if self._machine["hangs"]:
            if timeout is not None:
                self._raise(subprocess.TimeoutExpired(args, timeout))
            self.facts["hung"] = True
        said, status = self._answer(called)
        as_text = text or universal_newlines or encoding or errors
        written: Any = said if as_text else said.encode()
        captured = capture_output or stdout == subprocess.PIPE
        empty: Any = "" if as_text else b""
        aside = empty if capture_output or stderr == subprocess.PIPE else None
        if check and status:
            self._raise(
                subprocess.CalledProcessError(status, args, written if captured else None, aside)
            )
        return subprocess.CompletedProcess(args, status, written if captured else None, aside)

    def _raise(self, error: BaseException) -> None:
        self.raised = error
        raise error

    def _answer(self, words: Sequence[str]) -> tuple[str, int]:
        if self._machine["status"]:
            return self._machine["text"] + "\n", self._machine["status"]
        if self._machine["text"]:
            return self._machine["text"] + "\n", 0
        text, status = smi.run(_report(self._machine["cards"]), words[1:])
        return text.replace(f"{UNKNOWN} MiB", "[N/A]").replace(str(UNKNOWN), "[N/A]"), status


def _report(cards: Sequence[Sequence[Sequence[Any]]]) -> smi.Report:
    """A machine whose cards hold processes: triples of number, MiB (None: unknown) and kind."""
    return smi.Report(
        smi.NEWER,
        1_700_000_000.0,
        tuple(
            smi.Card(
                index=number,
                name="NVIDIA GPU",
                uuid=f"GPU-{number:08x}-0000-0000-0000-000000000000",
                bus_id=f"00000000:{16 * (number + 1) + 10:02X}:00.0",
                capability="8.6",
                total=24_576 * MIB,
                reserved=317 * MIB,
                used=0,
                utilization=0,
                temperature=40,
                power=30.0,
                power_limit=350.0,
                fan=30,
                clock=210,
                ecc=False,
                mig=False,
                processes=tuple(
                    smi.Process(pid, "python", (UNKNOWN if mib is None else mib) * MIB, kind)
                    for pid, mib, kind in processes
                ),
            )
            for number, processes in enumerate(cards)
        ),
    )


observer = HeldBy()

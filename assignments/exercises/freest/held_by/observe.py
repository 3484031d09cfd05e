"""Observe `held_by`: what comes back, and how `run` was called.

`run` is `subprocess.run` with another command behind it, which says what nvidia-smi says on a
virtual machine, or something else; or one that is missing or hangs.
"""

import builtins
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from subprocess import SubprocessError
from typing import Any, cast

from exercise_kit import Facts, Observer
from exercise_kit.facts import describe
from exercise_kit.observers import attempt
from virtual_cuda.nvidia import smi

MIB = 2**20
UNKNOWN = 999_983
"""An amount that no case has: it stands for one that nvidia-smi does not know."""


class HeldBy(Observer):
    """Facts: `result`; `escaped`, the type of an exception of `run` that came out; `failed`, that
    of another one, where the text is no answer; `calls` of `run`; of the last one `listed`, whether
    the command was a list of words, and `timeout`: True if it fits, else what was given.
    """

    gpus = 0

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        """The facts of one call."""
        command = Command(inputs)

        def is_of_run(error: BaseException | None) -> bool:
            return error is command.raised or isinstance(error, OSError | SubprocessError)

        is_no_answer = inputs["text"] and not inputs["error"]
        result, error = attempt(
            lambda: answer(command.run, list(inputs["uuids"])),
            lambda error: is_no_answer or is_of_run(error),
        )
        kind = type(error).__name__ if error else "nothing"
        return {
            "escaped": kind if is_of_run(error) else "nothing",
            "failed": "nothing" if is_of_run(error) else kind,
            **({} if error else {"result": describe(as_dict(result))}),
            **command.facts,
        }


def as_dict(result: object) -> object:
    """A Counter or a defaultdict is a dict as well."""
    return dict(result) if isinstance(result, dict) else result


class Command:
    """nvidia-smi on the machine of a case.

    machine: the data of the case. raised: the last exception of `run`. facts: `calls`, `listed`
    and `timeout`, as in `HeldBy`.
    """

    raised: Exception | None

    def __init__(self, machine: Mapping[str, Any]) -> None:
        self.machine, self.raised = machine, None
        self.facts: dict[str, Any] = {"calls": 0, "listed": True, "timeout": True}

    def run(self, args: Any, *others: Any, **options: Any) -> subprocess.CompletedProcess[Any]:
        """As `subprocess.run`, with the command that `instead` gives. Raises what that raises."""
        timeout, shell = cast(Any, options.get("timeout")), options.pop("shell", False)
        is_number = isinstance(timeout, int | float)
        fits = is_number and 1 <= timeout <= 60
        is_listed = isinstance(args, list | tuple) and all(isinstance(word, str) for word in args)
        self.facts = {
            "calls": self.facts["calls"] + 1,
            "listed": is_listed and not shell,
            "timeout": fits or (timeout if is_number else str(timeout)),
        }
        if not options.get("capture_output"):
            options = {"stdout": subprocess.DEVNULL} | options  # not to the terminal
        try:
            words = self.instead(list(args) if is_listed else str(args).split(), timeout)
            return subprocess.run(words, *others, **options)
        except Exception as error:
            self.raised = error
            raise

    def instead(self, words: list[str], timeout: float | None) -> list[str]:
        """A command that does what `words` would do on this machine.

        Raises the case's exception, and FileNotFoundError for any command but nvidia-smi.
        """
        error, said, status = (self.machine[name] for name in ("error", "text", "status"))
        if error == "hangs" and timeout is not None:
            raise subprocess.TimeoutExpired(words, timeout)
        if error and error != "hangs":
            raise getattr(builtins, error)(said)
        if words[0].rpartition("/")[2] != "nvidia-smi":
            raise FileNotFoundError(2, "No such file or directory", words[0])
        if not said:
            said, status = smi.run(report(self.machine["cards"]), words[1:])
        said = said.rstrip("\n").replace(f"{UNKNOWN} MiB", "[N/A]").replace(str(UNKNOWN), "[N/A]")
        return ["/bin/sh", "-c", 'printf %s "$0"; exit "$1"', said and f"{said}\n", str(status)]


def uuid_of(number: int) -> str:
    """The UUID of the card with this number."""
    return f"GPU-{number + 0x8932F937:08x}"


def report(cards: Sequence[Sequence[tuple[int, int | None, str]]]) -> smi.Report:
    """A machine whose cards hold processes: triples of number, MiB (None: unknown) and kind."""
    nothing: dict[str, Any] = dict.fromkeys((field.name for field in fields(smi.Card)), 0)
    read = []
    for number, processes in enumerate(cards):
        held = [smi.Process(pid, "python", (mib or UNKNOWN) * MIB, k) for pid, mib, k in processes]
        named = {"index": number, "name": "NVIDIA GPU", "capability": "8.6"}
        named |= {"uuid": uuid_of(number), "bus_id": f"00000000:{number + 1:02X}:00.0"}
        read.append(smi.Card(**nothing | named | {"processes": tuple(held)}))
    return smi.Report(smi.NEWER, 1_700_000_000.0, tuple(read))

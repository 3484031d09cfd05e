"""Observe `run_jobs`: what came back, and what each job saw. The jobs are real processes.

A job is a stand-in for a program that would import torch: it starts in a twentieth of a second.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

import numpy

from exercise_kit import Facts, OneCall
from exercise_kit.observers import attempt

VARIABLE = "CUDA_VISIBLE_DEVICES"

PROGRAM = """
import fcntl, json, os, signal, sys, time
folder, together, last, lines, aside = json.loads(sys.argv[1])
signal.alarm(12)  # nobody reads its output
cards = os.environ.get("CUDA_VISIBLE_DEVICES")
ends_last = last and cards == last
lock = open(f"{folder}/lock", "w")
if not ends_last:
    fcntl.flock(lock, fcntl.LOCK_SH)  # until it has ended
with open(f"{folder}/new-{os.getpid()}", "w") as note:
    json.dump(dict(os.environ), note)
os.replace(note.name, f"{folder}/child-{os.getpid()}")

def present(kind):
    return sum(name.startswith(kind) for name in os.listdir(folder))

begin = time.monotonic()
while present("child") < together and not present("alone"):
    if time.monotonic() - begin > 5:
        open(f"{folder}/alone", "w").close()
    time.sleep(0.02)
if ends_last:
    fcntl.flock(lock, fcntl.LOCK_EX)  # all others have ended
    time.sleep(0.3)
if aside:
    print("\\n".join([aside] * (lines + 1)), file=sys.stderr, flush=True)
print(f"CUDA_VISIBLE_DEVICES={cards!r}" + lines * f"\\nstep with {cards!r}", flush=True)
"""
"""Leaves its environment in a folder, and prints `lines` + 1 lines once `together` jobs have begun.

The job with the cards `last` is the last to end. `aside` goes to stderr, once for each line.
"""


class RunJobs(OneCall):
    """Facts: `refused`, the type of an error that was raised; `begun`, the number of jobs; `alone`,
    whether one waited for the others in vain; in `visible` the values that they got, and in `lost`
    variables that they did not; `touched` and `changed`: the parent's variable, and the arguments.

    form: a result that is no list of strings. Of strings: `aside`, whether stderr is in them;
    `whole`, whether they have all lines; `strings`, the different lines of each, in the order of
    the jobs where one of them is the last to end.
    """

    def prepare(self, data: Mapping[str, Any]) -> Any:
        """The data; each job is a list of its own, of integers of NumPy if the case says so."""
        form: Callable[[Any], Any] = numpy.array if data["numpy"] else list
        jobs = [gpus if gpus is None else list(form(gpus)) for gpus in data["jobs"]]
        return {**data, "jobs": jobs}

    def observe(self, answer: Callable[..., Any], inputs: Any) -> Facts:
        """The facts of one call and of the jobs that it started."""
        here = {VARIABLE: inputs["parent"], inputs["marker"]: "kept"}
        os.environ.pop(VARIABLE, None)  # the world of the check puts it back
        os.environ |= {name: value for name, value in here.items() if value is not None}
        inherited = dict(os.environ)
        observe, kind = super().observe, Exception if inputs["flaw"] else ValueError
        with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            told = [folder, *(inputs[name] for name in ("together", "last", "lines", "aside"))]
            command = [sys.executable, "-I", "-S", "-c", PROGRAM, json.dumps(told)]
            with watched() as (writes, starts), quiet_stderr():
                facts, error = attempt(
                    lambda: observe(answer, [command, inputs["jobs"]]),
                    lambda error: isinstance(error, kind),
                )
            children = [json.loads(path.read_text()) for path in Path(folder).glob("child-*")]
            alone = Path(folder, "alone").exists()
        kept = (inputs["marker"], "PATH")
        refused = "ValueError" if isinstance(error, ValueError) else type(error).__name__
        return {
            "refused": refused if error else "nothing",
            "begun": max(starts.call_count, len(children)),
            "alone": alone,
            "visible": sorted((child.get(VARIABLE) for child in children), key=str),
            "lost": [v for v in kept if any(child.get(v) != inherited[v] for child in children)],
            "touched": any(call.args[0] == VARIABLE.encode() for call in writes.mock_calls),
            "changed": [] if error else facts["changed"],
            **({} if error else printed(facts["result"], inputs)),
        }


def printed(result: Mapping[str, Any], inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The facts of a described result: `form`, or `aside`, `whole` and `strings`."""
    items = result.get("items") if result["type"] in ("list", "tuple") else None
    if items is None or any(item["type"] != "str" for item in items):
        return {"form": result}
    texts = [item["value"].strip() for item in items]
    strings = [" / ".join(dict.fromkeys(text.splitlines())) for text in texts]
    return {
        "aside": any(inputs["aside"] and inputs["aside"] in text for text in texts),
        "whole": all(text.count("\n") == inputs["lines"] for text in texts),
        "strings": strings if inputs["last"] else sorted(strings),
    }


@contextmanager
def watched() -> Iterator[tuple[mock.Mock, mock.Mock]]:
    """Notes of all that is written to the environment, and of every start of a process."""
    start, writes = subprocess.Popen.__init__, mock.Mock()
    writes.put.side_effect, writes.unset.side_effect = os.putenv, os.unsetenv
    with (
        mock.patch.object(os, "putenv", writes.put),
        mock.patch.object(os, "unsetenv", writes.unset),
        mock.patch.object(subprocess.Popen, "__init__", autospec=True, side_effect=start) as starts,
    ):
        yield writes, starts


@contextmanager
def quiet_stderr() -> Iterator[None]:
    """Drop what children write to stderr: nbgrader takes the mark of a cell with such an output."""
    kept = os.dup(2)
    try:
        with open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)

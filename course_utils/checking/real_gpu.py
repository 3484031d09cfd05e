"""The cases of a passed answer once more, on this computer's own GPU, in a process of its own.

Virtual GPUs decide. This run only adds a line to the message, which appears when it is ready.
"""

import json
import os
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from course_utils.checking.elsewhere import checked
from course_utils.checking.record import workspace
from course_utils.checking.shell import new_display
from course_utils.checking.view import GREY, Line, Message
from course_utils.experiments.children import VISIBLE
from exercise_kit.folder import Exercise

OFF = "COURSE_REAL_GPU"
"""The environment variable that switches these runs off, if it is 0."""

SECONDS = 20.0
_NOT_THE_ANSWER = ("out of memory", "busy or unavailable", "no CUDA-capable", "GPU is lost")


@dataclass(frozen=True)
class Computer:
    """The GPUs of this computer. setup: lines of Python at the start of a process that uses them.

    Tests put another machine in its place, whose GPUs are virtual.
    """

    setup: str = ""

    def has_gpu(self) -> bool:
        """Whether there is a GPU that a program may use, found without CUDA."""
        visible = os.environ.get("CUDA_VISIBLE_DEVICES", VISIBLE)
        hidden = visible is not None and visible.strip() in ("", "-1")
        nodes = (*Path("/dev").glob("nvidia[0-9]*"), *Path("/dev").glob("dxg"))  # dxg: WSL
        found = nodes or sys.platform == "win32"
        return bool(torch.version.cuda and found and not hidden)


COMPUTER = Computer()


def also_on_the_gpu(known: Exercise, answer: Any) -> None:
    """Run the cases of an answer that passed on this computer's GPU, in the background.

    The line appears above the message of the check: only in a notebook, on a computer with a GPU,
    for an exercise that uses GPUs.
    """
    if os.environ.get(OFF) == "0" or known.observer.gpus == 0 or not COMPUTER.has_gpu():
        return
    display = new_display(_message("The cases also run on this computer's GPU …"))
    if display is None:
        return

    def run() -> None:
        try:
            display.update(_message(line_of(known, answer)))
        except Exception as fault:  # of the course: it must not leave an unfinished line
            display.update(_message(f"The run on this computer's GPU failed ({fault})."))

    threading.Thread(target=run, name="course: run on the GPU", daemon=True).start()


def line_of(known: Exercise, answer: Any) -> str:
    """Run the cases that fit on this computer's GPU; returns the line for the learner."""
    told = checked(COMPUTER.setup, known.name, answer, None, True, SECONDS)
    gpu = f"your {told.get('about', {}).get('gpu') or 'GPU'}"
    cases, passed = len(known.public_cases), told["passed"]
    if "ended" in told and passed:
        return f"{cases} of {cases} cases on virtual GPUs, {passed} of them on {gpu} too."
    if "real" in told:
        why = trouble_of(told["real"])
        if not why:
            return _difference(known.name, told, gpu)
    else:
        why = told.get("trouble") or told["last"] or "no case fits"
    return f"The run on {gpu} stopped after {passed} cases ({why}). Your answer has passed."


def trouble_of(seen: Mapping[str, Any]) -> str:
    """The reason why a result says nothing about the answer or about virtual GPUs, or ""."""
    kind, text, *_ = seen.get("raise", ("", ""))
    if kind == "NameError" or any(said in text for said in _NOT_THE_ANSWER):
        return text.partition("\n")[0].rstrip(".")
    return "a case was too slow" if "timed_out" in seen else ""


def _difference(name: str, told: Mapping[str, Any], gpu: str) -> str:
    """The line for a case with another result; writes a report."""
    report = {"exercise": name, **{key: told[key] for key in ("case", "virtual", "real", "about")}}
    file = (workspace() or Path.cwd()) / f"real_gpu_{name}.json"
    file.write_text(json.dumps(report, indent=1), encoding="utf-8")
    return (
        f"Case {told['case']['number']} has another result on {gpu} than on virtual GPUs. This is "
        f"not a fault of your answer, which has passed. Send `{file.name}` to your instructor, or "
        "to the authors of the course."
    )


def _message(text: str) -> Message:
    return Message("→", GREY, (Line("", text),))

"""The cases of a passed answer once more, on this computer's own GPU, in a process of its own.

Virtual GPUs decide. This run only adds a line to the message, which appears when it is ready.
"""

import json
import os
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from course_utils.checking.elsewhere import Ended, NotDefined, elsewhere
from course_utils.checking.record import workspace
from course_utils.checking.view import GREY, Line, Message
from exercise_kit.contract import Case, Raise
from exercise_kit.engine import judged
from exercise_kit.fitting import needed
from exercise_kit.folder import Exercise
from exercise_kit.outcomes import TimedOut
from exercise_kit.runner import Seen
from exercise_kit.sent import sent

OFF = "COURSE_REAL_GPU"
"""The environment variable that switches these runs off, if it is 0."""

SECONDS = 20.0
_NOT_THE_ANSWER = ("out of memory", "busy or unavailable", "no CUDA-capable", "GPU is lost")
_UNKNOWN_NAME = "NameError"  # a value that only another cell of the notebook computes


@dataclass(frozen=True)
class Computer:
    """The GPUs of this computer. setup: lines of Python at the start of a process that uses them.

    Tests put another machine in its place, whose GPUs are virtual.
    """

    setup: str = ""

    def has_gpu(self) -> bool:
        """Whether there is a GPU that a program may use, found without CUDA."""
        hidden = os.environ.get("CUDA_VISIBLE_DEVICES", "0").strip() in ("", "-1")
        if hidden or torch.version.cuda is None:
            return False
        nodes = (*Path("/dev").glob("nvidia[0-9]*"), *Path("/dev").glob("dxg"))  # dxg: WSL
        return sys.platform == "win32" or bool(nodes)


COMPUTER = Computer()


def also_on_the_gpu(known: Exercise, answer: Any) -> bool:
    """Begin to run the cases of an answer that passed on this computer's GPU, in the background.

    The line appears above the message of the check. Returns whether the run begins: only in a
    notebook, on a computer with a GPU, for an exercise that uses GPUs.
    """
    if os.environ.get(OFF) == "0" or known.observer.gpus == 0 or not COMPUTER.has_gpu():
        return False
    show = _new_output()
    if show is None:
        return False

    def run() -> None:
        try:
            show(line_of(known, answer))
        except Exception as fault:  # of the course: it must not leave an unfinished line
            show(f"The run on this computer's GPU failed ({type(fault).__name__}: {fault}).")

    threading.Thread(target=run, name="course: run on the GPU", daemon=True).start()
    return True


def line_of(known: Exercise, answer: Any) -> str:
    """Run the cases that fit on this computer's GPU; returns the line for the learner."""
    done: list[int] = []
    gpu = "this computer's GPU"
    try:
        with elsewhere(COMPUTER.setup, SECONDS) as there:
            there.begin(known.name, answer)
            gpu = f"your {there.about['gpu'] or 'GPU'}"
            if not there.gpus:
                return f"The cases did not run on {gpu}: {there.trouble or 'torch finds none'}."
            for number, case in known.fitting(there.gpus).items():
                if not needed(known.observer, case):
                    continue
                seen = there(case)
                assert seen is not None
                if judged(known.judge, case, seen) is not None:
                    return _difference(known, case, number, seen, gpu, there.about)
                done.append(number)
    except NotDefined as problem:
        return f"{problem} Your answer has passed on virtual GPUs."
    except Ended as ended:
        why = f" ({ended})" if str(ended) else ""
        return f"The run on {gpu} stopped after {len(done)} cases{why}. Your answer has passed."
    cases = len(known.public_cases)
    return f"{cases} of {cases} cases on virtual GPUs, {len(done)} of them on {gpu} too."


def _difference(
    known: Exercise, case: Case, number: int, seen: Seen, gpu: str, about: dict[str, str]
) -> str:
    """The line for a case that failed on the GPU; writes a report, unless the cause is known."""
    if isinstance(seen, Raise):
        if seen.type == _UNKNOWN_NAME:
            return f"The cases cannot run on {gpu} alone: {seen.text}. Your answer has passed."
        if seen.type == "OutOfMemoryError" or any(said in seen.text for said in _NOT_THE_ANSWER):
            first = seen.text.partition("\n")[0].rstrip(".")
            return f"The GPU stopped the run ({first}). Another program may use it."
    if isinstance(seen, TimedOut):
        return f"Case {number} was too slow on {gpu}. Your answer has passed."
    report = {
        "exercise": known.name,
        "case": {"number": number, "title": case.title, "data": case.data},
        "on virtual GPUs": case.right,
        "on the real GPU": sent(seen),
        **about,
    }
    file = (workspace() or Path.cwd()) / f"real_gpu_{known.name}.json"
    try:
        file.write_text(json.dumps(report, indent=1), encoding="utf-8")
        sending = f"Send `{file.name}` to your instructor, or to the authors of the course."
    except OSError as error:
        sending = f"The report could not be written ({error.strerror})."
    return (
        f"Case {number} has another result on {gpu} than on virtual GPUs. This is not a fault of "
        f"your answer, which has passed. {sending}"
    )


def _new_output() -> Callable[[str], None] | None:
    """A function that shows a line in the output of the running cell; None outside a notebook."""
    from course_utils.checking.shell import new_display

    display = new_display(_message("The cases also run on this computer's GPU …"))
    return None if display is None else lambda text: display.update(_message(text))


def _message(text: str) -> Message:
    return Message("→", GREY, (Line("", text),))

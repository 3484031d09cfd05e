"""The check of an answer in a child process, which has other GPUs than this process.

The child is never a fork of this process, which could not use CUDA if CUDA has started here. It
gets the definitions of the notebook's cells, and no object.
"""

import json
from pathlib import Path
from typing import Any

import torch

from course_utils.checking.exercises import exercise
from course_utils.checking.shell import cells_so_far
from course_utils.experiments.children import VISIBLE, ChildTooSlow, run_bare_child
from exercise_kit import check as applied
from exercise_kit.definitions import cell_of, defined_alone, definitions
from exercise_kit.engine import judged
from exercise_kit.fitting import needed
from exercise_kit.runner import Runner
from exercise_kit.sent import sent, sent_report

VIRTUAL = "from course_utils.devices import virtual_lab\nvirtual_lab(4)\n"
"""The first lines of a child with four virtual GPUs."""

_MARK = "told: "


def checked(
    setup: str, name: str, answer: Any, seed: str | None, fitting: bool, patience: float
) -> dict[str, Any]:
    """The messages of a child that begins with the lines of `setup`, and its last printed line.

    fitting: whether to run the cases that fit on its GPUs, instead of the whole check.
    patience: the seconds after which the child is killed.
    """
    cells = cells_so_far() or [cell_of(answer)]
    source = "\n".join(statement for cell in cells for statement in definitions(cell))
    request = (name, source, getattr(answer, "__name__", ""), seed, fitting)
    told: dict[str, Any] = {"passed": 0, "last": ""}

    def show(line: str) -> None:
        told.update(json.loads(line[len(_MARK) :]) if line.startswith(_MARK) else {"last": line})

    child = f"{setup}from course_utils.checking.elsewhere import serve\nserve{request!r}\n"
    try:
        run_bare_child(child, show=show, patience=patience, CUDA_VISIBLE_DEVICES=VISIBLE)
    except ChildTooSlow:
        told["last"] = f"it took more than {patience:g} seconds"
    return told


def serve(name: str, source: str, called: str, seed: str | None, fitting: bool) -> None:
    """Check the answer in the child, and print messages."""
    known, started = exercise(name), _started()
    answer = defined_alone(source, called)
    _tell(**started)
    if answer is None:
        _tell(last="the function cannot be defined alone")
        return
    if not fitting:
        _tell(**sent_report(applied.check(known, answer, seed).report))
        return
    run, passed = Runner(known.observer, answer, known.world), 0
    fitting_cases = known.fitting(started["gpus"]).items()
    for number, case in ((n, case) for n, case in fitting_cases if needed(known.observer, case)):
        seen = run(case)
        if judged(known.judge, case, seen) is not None:
            about = {"number": number, "title": case.title, "data": case.data}
            _tell(case=about, virtual=case.right, real=sent(seen))
            return
        _tell(passed=(passed := passed + 1))
    _tell(ended=True)


def _tell(**message: Any) -> None:
    print(_MARK + json.dumps(message), flush=True)


def _started() -> dict[str, Any]:
    """Start CUDA: the number of GPUs, their name, versions of software, and the error or ""."""
    name, trouble, driver = "", "", Path("/proc/driver/nvidia/version")
    try:
        torch.cuda.init()
        name = torch.cuda.get_device_name(0)
    except Exception as error:
        trouble = str(error).strip().partition("\n")[0].rstrip(".")
    version = driver.read_text("utf-8").partition("\n")[0] if driver.exists() else "unknown"
    about = {"gpu": name, "driver": version, "torch": torch.__version__}
    return {"gpus": 0 if trouble else torch.cuda.device_count(), "about": about, "trouble": trouble}

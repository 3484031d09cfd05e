"""A trial run of a notebook before it is handed in, in a new kernel.

The outcomes of its checks are read from a record that only this run writes.
"""

import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Container
from dataclasses import dataclass, field
from pathlib import Path

from jupyter_client.kernelspec import NoSuchKernel
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

from course_notebooks.matching import grade_id
from course_utils.checking.record import LearnerRecord

_CELL = 60  # seconds: limit of a cell
_ALL = 600  # seconds: limit of all cells


@dataclass
class Trial:
    """outcomes: the outcome of each check that ended, by the name of the exercise.

    stopped: why the run ended early, in a sentence, or "".
    """

    outcomes: dict[str, str] = field(default_factory=dict)
    stopped: str = ""


def try_out(
    notebook: NotebookNode,
    checks: Container[str],
    doing: Callable[[str], None],
    cell_seconds: int = _CELL,
    all_seconds: int = _ALL,
) -> Trial:
    """Run the code cells of a notebook from top to bottom. Errors in them are not raised here.

    checks: the exercises whose checks are run, as in "move_batch".
    doing: called before each check, with a sentence.
    """
    trial = Trial()
    with tempfile.TemporaryDirectory(prefix="course-trial-") as folder:
        client = NotebookClient(
            notebook,
            timeout=cell_seconds,
            interrupt_on_timeout=True,
            allow_errors=True,
            resources={"metadata": {"path": folder}},
        )
        environment = {**os.environ, "COURSE_WORKSPACE": folder, "IPYTHONDIR": folder}
        try:
            with client.setup_kernel(env=environment, stderr=subprocess.DEVNULL):
                trial.stopped = _run(
                    client, notebook, checks, doing, time.monotonic() + all_seconds
                )
        except (DeadKernelError, CellTimeoutError, NoSuchKernel, RuntimeError) as error:
            first = str(error).strip().splitlines()[0] if str(error).strip() else ""
            trial.stopped = f"The kernel ended ({type(error).__name__}: {first})."
        for event in LearnerRecord(Path(folder)).events("check"):
            trial.outcomes[event["name"]] = event.get("outcome", "")
    return trial


def _run(
    client: NotebookClient,
    notebook: NotebookNode,
    checks: Container[str],
    doing: Callable[[str], None],
    until: float,
) -> str:
    for number, cell in enumerate(notebook.cells):
        if cell.cell_type != "code" or not cell.source.strip():
            continue
        if time.monotonic() > until:
            return f"The notebook ran for too long: it was stopped before cell {number + 1}."
        if cell.metadata.get("nbgrader", {}).get("grade"):
            short = str(grade_id(cell)).removesuffix("_check")
            if short not in checks:
                continue
            doing(f"Checking {short}")
        try:
            client.execute_cell(cell, number)
        except CellExecutionError:
            continue  # the record has the outcome of the check
    return ""

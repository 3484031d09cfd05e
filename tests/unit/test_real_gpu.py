"""A passed answer on this computer's GPU, played by a virtual GPU of another kind with faults.

The played computer stands behind the interface of the real one: a new process that starts CUDA.
"""

import json
from types import SimpleNamespace

import pytest
import torch
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

from course_utils.checking import elsewhere, practice, real_gpu
from course_utils.checking.exercises import exercise
from course_utils.checking.real_gpu import Computer, line_of
from course_utils.devices import Lab
from course_utils.errors import CourseError

ANSWER = """
import torch


def move_batch(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, dict):
        return {key: move_batch(value, device) for key, value in batch.items()}
    if isinstance(batch, tuple) and hasattr(batch, "_fields"):
        return type(batch)(*(move_batch(value, device) for value in batch))
    if isinstance(batch, (list, tuple)):
        return type(batch)(move_batch(value, device) for value in batch)
    return batch
"""
PLAYED = """
import torch, virtual_cuda
virtual_cuda.enable(cards=["RTX 4060 Laptop"], quiet=True)
from course_utils.devices import take_virtual_gpus
take_virtual_gpus()
from exercise_kit.runner import Runner
run = Runner.__call__
assert not torch.cuda.is_initialized()
"""
"""A computer with one GPU. `run` runs a case, for planted faults."""

STARTS = """
def faulty():
    raise RuntimeError({!r})
torch.cuda.init = faulty
"""
RAISES = """
def faulty(self, case, *_):
    seen = run(self, case)
    raise SystemExit("the GPU has fallen off the bus")
Runner.__call__ = faulty
"""
NOTED = """
def faulty(self, case, *_):
    seen = run(self, case)
    {}
    return seen
Runner.__call__ = faulty
"""
ROUNDED = "seen['result'] = json.loads(json.dumps(seen['result']).replace('.0', '.001'))"
GREW = "seen = Raise('OutOfMemoryError', 'CUDA out of memory. Tried to allocate 20 MiB.', '')"
OTHER = "seen = Raise('RuntimeError', 'another text than the virtual one', '')"


@pytest.fixture
def answer(monkeypatch, tmp_path):
    """The answer of a learner, and an empty workspace for reports."""
    (tmp_path / ".course").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("course_utils.checking.elsewhere.cells_so_far", lambda: [ANSWER])
    names = {}
    exec(ANSWER, names)
    return names["move_batch"]


def said(monkeypatch, answer, planted=""):
    monkeypatch.setattr(real_gpu, "COMPUTER", Computer(PLAYED + planted))
    return line_of(exercise("tensors.move_batch"), answer)


@pytest.mark.slow
def test_the_cases_that_fit_run_on_the_gpu_too(monkeypatch, answer):
    gpu = "your Virtual GeForce RTX 4060 Laptop GPU"
    line = f"13 of 13 cases on virtual GPUs, 11 of them on {gpu} too."
    assert said(monkeypatch, answer) == line


@pytest.mark.slow
@pytest.mark.parametrize(
    ("planted", "line", "sent"),
    [
        (NOTED.format(ROUNDED), "This is not a fault of your answer", True),
        (NOTED.format(OTHER), "This is not a fault of your answer", True),
        (NOTED.format(GREW), "stopped after 0 cases (CUDA out of memory", False),
        (RAISES, "stopped after 0 cases (the GPU has fallen off the bus). Your answer has", False),
        (
            STARTS.format("The NVIDIA driver on your system is too old (found version 11040)."),
            "your GPU stopped after 0 cases (The NVIDIA driver on your system is too old",
            False,
        ),
        (
            STARTS.format("CUDA error: CUDA-capable device(s) is/are busy or unavailable"),
            "busy or unavailable",
            False,
        ),
    ],
    ids=["rounding", "message", "memory", "vanished", "driver", "busy"],
)
def test_a_difference_is_never_a_fault_of_the_answer(
    monkeypatch, answer, tmp_path, planted, line, sent
):
    imports = "import json\nfrom exercise_kit.contract import Raise\n"
    assert line in said(monkeypatch, answer, imports + planted)
    reports = list(tmp_path.glob("*.json"))
    assert len(reports) == sent
    for report in map(json.loads, (file.read_text() for file in reports)):
        assert report["case"]["number"] == 1 and report["about"]["torch"] == torch.__version__
        assert report["virtual"] and report["real"] and report["about"]["gpu"]


@pytest.mark.slow
def test_a_run_that_hangs_ends(monkeypatch, answer):
    monkeypatch.setattr(real_gpu, "SECONDS", 0.1)
    line = said(monkeypatch, answer)
    assert "stopped after 0 cases (it took more than 0.1 seconds). Your answer" in line


def test_nothing_starts_where_no_gpu_may_be_used(monkeypatch, answer):
    known, started = exercise("tensors.move_batch"), []
    thread = SimpleNamespace(start=lambda: started.append(True))
    monkeypatch.setattr(real_gpu.threading, "Thread", lambda **_: thread)
    monkeypatch.setattr(real_gpu, "new_display", lambda _: "an output")
    monkeypatch.setattr(real_gpu.Path, "glob", lambda *_: ["/dev/nvidia0"])
    monkeypatch.setattr(torch.version, "cuda", "13.0")
    real_gpu.also_on_the_gpu(known, answer)
    assert started.pop()
    for variable, value in (("CUDA_VISIBLE_DEVICES", ""), (real_gpu.OFF, "0")):
        with monkeypatch.context() as here:
            here.setenv(variable, value)
            real_gpu.also_on_the_gpu(known, answer)
    real_gpu.also_on_the_gpu(exercise("visible.run_jobs"), answer)
    assert not started


@pytest.fixture
def real_lab(monkeypatch):
    """A notebook whose lab has real GPUs, in which nothing may start CUDA or fork."""
    lab = Lab("real", tuple(torch.device("cuda", index) for index in range(4)))
    monkeypatch.setattr("course_utils.devices._lab", lab)
    monkeypatch.setattr(torch.cuda, "init", lambda: pytest.fail("CUDA has started here"))
    monkeypatch.setattr("os.fork", lambda: pytest.fail("a fork after CUDA started"))


@pytest.mark.slow
def test_a_notebook_with_real_gpus_is_checked_on_virtual_ones(real_lab, answer):
    shown = practice.check("tensors.move_batch", answer, seed=1)
    assert "13 of 13 cases" in shown.text and "Checked on 4 virtual GPUs." in shown.text
    with pytest.raises(CourseError, match="cannot be defined"):
        practice.check("tensors.move_batch", 3)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cell", "name", "said"),
    [
        ("def move_batch(batch, device):\n    return batch", "move_batch", "Not yet"),
        ("k = max(0, 1)\ndef move_batch(b, d):\n    return b, k", "move_batch", "'k' is not"),
        ("move_batch = lambda batch, device: batch", "move_batch", "cannot be defined"),
    ],
    ids=["wrong", "name", "lambda"],
)
def test_what_the_other_process_finds(monkeypatch, real_lab, answer, cell, name, said):
    names = {}
    exec(cell, names)
    monkeypatch.setattr("course_utils.checking.elsewhere.cells_so_far", lambda: [cell])
    try:
        shown = practice.check("tensors.move_batch", names[name]).text
    except CourseError as error:
        shown = str(error)
    assert said in shown


CELL = """
from dataclasses import replace
from course_utils.checking import real_gpu
class Played(real_gpu.Computer):
    def has_gpu(self):
        return True
real_gpu.COMPUTER = Played({!r})
"""
WAIT = (
    "import threading\nfor each in threading.enumerate():\n    'run' in each.name and each.join()"
)


@pytest.mark.slow
def test_the_line_appears_in_the_notebook_when_it_is_ready(tmp_path):
    check = "from course_utils import check\ncheck('tensors.move_batch', move_batch)"
    cells = [CELL.format(PLAYED), ANSWER, check, WAIT]
    notebook = new_notebook(cells=[new_code_cell(cell) for cell in cells])
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = notebook.cells[2].outputs
    texts = [output["data"]["text/plain"] for output in outputs if "data" in output]
    assert [text[:8] for text in texts] == ["→ 13 of ", "✓ Passed"]
    assert "11 of them on your Virtual GeForce RTX 4060" in texts[0]


def test_on_a_virtual_server_the_gpus_that_a_scheduler_chose_are_used(monkeypatch):
    """`log_in` removes the variable from the kernel; other GPUs may belong to other people."""
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.setattr(elsewhere, "VISIBLE", "3")
    seen = "import os, sys\nprint('sees', os.environ['CUDA_VISIBLE_DEVICES'])\nsys.exit()\n"
    assert elsewhere.checked(seen, "machine.load", print, None, True, 60)["last"] == "sees 3"

"""Assignments run from a clean kernel, as a learner would run them: no error, no stderr.

Every lesson runs when the site is built: tests/site/test_outputs.py.
"""

import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from course_utils.checking.exercises import exercise
from course_utils.checking.reference import reference
from course_utils.manifest import load_manifest
from course_utils.workspace.deliver import prepare

ROOT = Path(__file__).resolve().parents[2]
ASSIGNMENTS = sorted(path.stem for path in ROOT.glob("assignments/source/*/*.ipynb"))

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def workspace(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("learner") / "workspace"
    prepare(ROOT, folder)
    return folder


def run(path: Path) -> nbformat.NotebookNode:
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook,
        timeout=300,
        kernel_name="python3",
        resources={"metadata": {"path": str(path.parent)}},
    ).execute()
    return notebook


def stderr(notebook: nbformat.NotebookNode) -> list[str]:
    return [
        output.text
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if output.get("name") == "stderr"
    ]


def test_lesson_02_shows_what_a_gpu_would(workspace):
    """What the lesson promises for a machine without a GPU: places, and CUDA's own messages."""
    notebook = run(workspace / "lessons" / "02_tensors_on_devices.ipynb")
    shown = "\n".join(
        output.get("text", "") + output.get("data", {}).get("text/plain", "")
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
    )
    assert "tensor([1., 1.], device='cuda:3')" in shown
    assert (
        "Expected all tensors to be on the same device, but found at least two devices, "
        "cuda:0 and cpu!"
    ) in shown
    assert (
        "can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the "
        "tensor to host memory first."
    ) in shown
    prose = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    assert not re.search(r"(need|requir)\w* an? (\w+ )?GPU", prose)


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_an_untouched_assignment_runs_and_nothing_passes(workspace, name):
    notebook = run(workspace / "assignments" / name / f"{name}.ipynb")
    checks = {cell.id: cell for cell in notebook.cells if cell.source.startswith("check(")}
    assert len(checks) == len(load_manifest().assignment(name).exercises)
    for cell in checks.values():
        (shown,) = [o for o in cell.outputs if o.output_type == "execute_result"]
        assert "Not attempted yet" in shown.data["text/plain"]
        assert "Not attempted yet" in shown.data["text/html"]
    assert stderr(notebook) == []


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_the_source_of_an_assignment_passes_its_own_checks(name):
    notebook = run(ROOT / "assignments" / "source" / name / f"{name}.ipynb")
    for cell in notebook.cells:
        if cell.source.startswith("check("):
            (shown,) = [o for o in cell.outputs if o.output_type == "execute_result"]
            assert "Passed." in shown.data["text/plain"], cell.source


def test_a_check_before_its_answer_was_run_is_a_sentence(tmp_path):
    (tmp_path / ".course").mkdir()
    cells = [
        "from course_utils import check",
        'check("tensors.move_batch", move_batch)',
        "move_batch",
    ]
    notebook = nbformat.v4.new_notebook(cells=list(map(nbformat.v4.new_code_cell, cells)))
    NotebookClient(
        notebook,
        allow_errors=True,
        kernel_name="python3",
        resources={"metadata": {"path": str(tmp_path)}},
    ).execute()
    named, stock = (cell.outputs[0] for cell in notebook.cells[1:])
    assert named.output_type == "error"
    assert "`move_batch` does not exist yet: run the cell" in "\n".join(named.traceback)
    assert "Traceback" not in "\n".join(named.traceback)
    assert "Traceback" in "\n".join(stock.traceback)


def test_an_unknown_exercise_is_a_sentence_with_the_nearest_name(tmp_path):
    (tmp_path / ".course").mkdir()
    cells = ["from course_utils import check", 'check("tensors.mov_batch", print)']
    notebook = nbformat.v4.new_notebook(cells=list(map(nbformat.v4.new_code_cell, cells)))
    NotebookClient(
        notebook,
        allow_errors=True,
        kernel_name="python3",
        resources={"metadata": {"path": str(tmp_path)}},
    ).execute()
    (error,) = notebook.cells[1].outputs
    (line,) = error.traceback
    assert line.startswith("There is no exercise named 'tensors.mov_batch'. Did you mean ")
    assert "'tensors.move_batch'" in line


BAD_ANSWERS = {
    "returns the wrong type": "def {name}(*arguments): return object()",
    "loops for ever": "def {name}(*arguments):\n    while True: pass",
    "prints thousands of lines": "def {name}(*arguments): print('line\\n' * 10_000)",
    "redefines torch": "def {name}(*arguments):\n    global torch\n    torch = None",
    "replaces parts of torch": "import torch\n"
    "def {name}(*arguments): torch.Tensor.to = torch.ones = None",
    "leaves Python": "def {name}(*arguments): exit()",
    "catches every stop": "def {name}(*arguments):\n"
    "    while True:\n"
    "        try:\n"
    "            while True: pass\n"
    "        except: pass",
    "takes the alarm away": "import signal\n"
    "def {name}(*arguments):\n"
    "    signal.signal(signal.SIGALRM, signal.SIG_IGN)\n"
    "    while True: pass",
    "sends the alarm": "import os\ndef {name}(*arguments): os.kill(os.getpid(), signal.SIGALRM)",
    "deletes the working folder": "import shutil\n"
    "def {name}(*arguments): shutil.rmtree(os.getcwd())",
    "leaves a thread behind": "import threading, time\n"
    "def {name}(*arguments):\n"
    "    threading.Thread(target=time.sleep, args=(2,)).start()",
    "raises": "def {name}(*arguments): raise ValueError('mine')",
}


@pytest.mark.parametrize("assignment", load_manifest().assignments, ids=lambda entry: entry.name)
def test_a_bad_answer_gets_a_clear_outcome_and_the_notebook_stays_usable(assignment, tmp_path):
    (tmp_path / ".course").mkdir()
    folder = exercise(assignment.exercises[0].name)
    check = f'check("{folder.name}", {folder.short})'
    cells = ["from course_utils import check"]
    for source in (*BAD_ANSWERS.values(), reference(folder.path)):
        source = source.replace("{name}", folder.short)
        cells += [source, check]
    notebook = nbformat.v4.new_notebook(cells=list(map(nbformat.v4.new_code_cell, cells)))
    NotebookClient(
        notebook,
        timeout=120,
        kernel_name="python3",
        resources={"metadata": {"path": str(tmp_path)}},
    ).execute()
    *bad, good = [cell.outputs[-1].data["text/plain"] for cell in notebook.cells[2::2]]
    assert "Passed." in good
    for kind, said in zip(BAD_ANSWERS, bad, strict=True):
        assert said.startswith(("✗ Not yet", "! Your code raised", "■ Stopped.")), (kind, said)
        assert len(said.splitlines()) < 40, kind

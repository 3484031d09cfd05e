"""Assignments run from a clean start, as a learner would run them: no error, no stderr.

Every lesson runs when the site is built: tests/site/test_outputs.py.
"""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from run_apart import Bundle, Ran, run_apart

from course_utils.checking.exercises import exercise
from course_utils.manifest import load_manifest
from course_workspace.deliver import prepare
from exercise_kit.reference import reference

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted(ROOT.glob("assignments/source/*/*.ipynb"))

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def workspace(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("learner") / "workspace"
    prepare(ROOT, folder)
    return folder


def released(workspace: Path) -> list[Path]:
    return [workspace / "assignments" / path.stem / path.name for path in SOURCES]


def checks(path: Path, ran: Ran) -> dict[str, Bundle]:
    """What each check of an assignment showed, by exercise."""
    cells = nbformat.read(path, as_version=4).cells
    code = [cell.source for cell in cells if cell.cell_type == "code"]
    pairs = zip(code, ran.shown, strict=True)
    return {source: shown for source, shown in pairs if source.startswith("check(")}


@pytest.mark.parametrize("few", [slice(1), pytest.param(slice(1, None), marks=pytest.mark.more)])
def test_an_untouched_assignment_runs_and_nothing_passes(workspace, few):
    ran = run_apart(released(workspace)[few])
    for path in ran:
        assert (ran[path].error, ran[path].stderr) == ("", "")
        found = checks(path, ran[path])
        assert len(found) == len(load_manifest().assignment(path.stem).exercises)
        for shown in found.values():
            assert "Not attempted yet" in shown["text/plain"]
            assert "Not attempted yet" in shown["text/html"]


@pytest.mark.more
def test_the_source_of_an_assignment_passes_its_own_checks():
    ran = run_apart(SOURCES)
    for path in SOURCES:
        assert ran[path].error == ""
        for source, shown in checks(path, ran[path]).items():
            assert "Passed." in shown["text/plain"], source


@pytest.fixture(scope="module")
def mistakes(tmp_path_factory) -> list[nbformat.NotebookNode]:
    """What a real kernel says of three of them."""
    folder = tmp_path_factory.mktemp("mistakes")
    (folder / ".course").mkdir()
    cells = [
        "from course_utils import check",
        'check("tensors.move_batch", move_batch)',
        "move_batch",
        'check("tensors.mov_batch", print)',
    ]
    notebook = nbformat.v4.new_notebook(cells=list(map(nbformat.v4.new_code_cell, cells)))
    NotebookClient(
        notebook,
        allow_errors=True,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
    ).execute()
    return [error for cell in notebook.cells[1:] for error in cell.outputs]


def test_a_check_before_its_answer_was_run_is_a_sentence(mistakes):
    named, stock, _ = mistakes
    assert named.output_type == "error"
    assert "`move_batch` does not exist yet. Run the cell" in "\n".join(named.traceback)
    assert "Traceback" not in "\n".join(named.traceback)
    assert "Traceback" in "\n".join(stock.traceback)


def test_an_unknown_exercise_is_a_sentence_with_the_nearest_name(mistakes):
    *_, error = mistakes
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


@pytest.mark.more
def test_a_bad_answer_gets_a_clear_outcome_and_the_notebook_stays_usable(tmp_path):
    """In a real kernel; a case gets a second. `course verify` gives junk to every exercise."""
    (tmp_path / ".course").mkdir()
    folder = exercise("tensors.move_batch")
    check = f'check("{folder.name}", {folder.short})'
    limit = f"exercise({folder.name!r}).observer.seconds = 1"
    cells = [f"from course_utils import check\nfrom {exercise.__module__} import exercise\n{limit}"]
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

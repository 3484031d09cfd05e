"""The lessons as they ran for the site, each from a clean kernel in a learner's workspace.

A cell that raises has stopped the build already.
"""

import re
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from jupyter_cache import get_cache

from course_utils.manifest import load_manifest

ANNOUNCED = (  # by the lessons that show it
    "SyncActivityProfilerHandler",
    "called a synchronizing CUDA operation",
)

# the first test waits for the build
pytestmark = [pytest.mark.slow, pytest.mark.more, pytest.mark.timeout(3600)]


@pytest.fixture
def executed(site) -> Callable[[str], nbformat.NotebookNode]:
    """Finds a lesson as it ran."""
    (folder,) = (site.parent / "executed").iterdir()
    cache = get_cache(folder)

    def find(name: str) -> nbformat.NotebookNode:
        records = (each for each in cache.list_cache_records() if Path(each.uri).stem == name)
        return cache.get_cache_bundle(max(each.pk for each in records)).nb

    return find


@pytest.mark.parametrize("lesson", load_manifest().lessons, ids=lambda lesson: lesson.number)
def test_a_lesson_runs_and_writes_nothing_to_stderr(executed, lesson):
    cells = [cell for cell in executed(lesson.notebook).cells if cell.cell_type == "code"]
    assert cells
    assert all(cell.execution_count for cell in cells if cell.source.strip())
    found = [
        output.text
        for cell in cells
        for output in cell.outputs
        if output.get("name") == "stderr" and not any(words in output.text for words in ANNOUNCED)
    ]
    assert found == []


@pytest.mark.parametrize("lesson", load_manifest().lessons, ids=lambda lesson: lesson.number)
def test_a_page_shows_each_task_solved(executed, lesson):
    checks = [c for c in executed(lesson.notebook).cells if c.source.startswith("check(")]
    assert len(checks) == 2 * len(lesson.tasks)
    assert all("Passed." in str(solved.outputs) for solved in checks[1::2])


def printed(notebook: nbformat.NotebookNode) -> str:
    """What its cells show as text. A stream may come in pieces, cut anywhere."""
    return "".join(
        output.get("text", "") or output.get("data", {}).get("text/plain", "") + "\n"
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
    )


def test_lesson_02_shows_what_a_gpu_would(executed):
    """What the lesson promises for a machine without a GPU: places, and CUDA's own messages."""
    notebook = executed("02_tensors_on_devices")
    shown = printed(notebook)
    assert "Expected all tensors to be on the same device, but " in shown
    assert "UserWarning: called a synchronizing CUDA operation" in shown
    assert "waits: 0\n" in shown and "waits in 100 steps: 100\n" in shown
    assert re.search(r"train_epoch +40\n", shown)
    assert "mean_loss, 100 batches: 100 waits before, 1 now\n" in shown
    prose = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    assert not re.search(r"(need|requir)\w* an? (\w+ )?GPU", prose)


def test_lesson_04_shows_what_holds_memory(executed):
    shown = printed(executed("04_torch_cuda_toolbox"))
    assert "MiB in training: " + 16 * "24 " in shown
    assert "MiB in validation: 40 56 72 88 104 120 136 152 out of memory\n" in shown
    assert "192.00 MiB allowed; Of the allocated memory 168.10 MiB is allocated by PyTorch" in shown
    assert "144 MiB  epoch, line 5\n" in shown
    assert "19 segments, 182 MiB: 1 of 20 MiB, 9 of 16 MiB, 9 of 2 MiB. in use: 168 MiB" in shown
    assert "In use at batch 1: 24.1 MiB, batch 2: 40.1 MiB, " in shown
    assert "allocated 24 MiB, reserved 182 MiB\n" in shown and "\nreserved 38 MiB\n" in shown


def test_lesson_03_loads_an_old_checkpoint(executed):
    shown = printed(executed("03_modules_on_devices"))
    assert 'Missing key(s) in state_dict: "mean", "std"' in shown
    assert re.findall(r"waits in a call: (\d)", shown) == ["2", "0"]
    assert "Adagrad: " in shown and "Adam: " not in shown


def test_lesson_08_saves_memory_by_cutting_a_batch(executed):
    shown = printed(executed("08_how_busy_how_full_how_fast"))
    assert "CUDA out of memory. Tried to allocate 18.00 MiB.\n" in shown
    peaks = re.findall(r"(\S+(?: parts| images)?): (\d+) MiB, ([\d,]+) images/s", shown)
    found = {name: (int(peak), int(speed.replace(",", ""))) for name, peak, speed in peaks}
    assert found["480 images"][0] == 110 and found["bfloat16"][0] == 112
    assert found["2 parts"][0] == 62 and found["4 parts"][0] == 42
    assert 840_000 < found["480 images"][1] < 870_000 and 490_000 < found["4 parts"][1] < 520_000
    assert "2 parts fit. Their gradients are those of 480 at once" in shown


def test_lesson_09_shows_waits_overlap_and_a_race(executed):
    shown = printed(executed("09_feeding_the_gpu"))
    assert re.search(r"second stream: done after .+, of which 0\.[1-9]\d ms overlap", shown)
    assert shown.count("nan") >= 2  # without the wait
    assert shown.count("1048576.0") >= 7
    assert re.search(r"one request: \d+ images/s, \d+% of the ceiling", shown)


def test_lesson_10_goes_on_as_if_nothing_had_happened(executed):
    """The page goes on with the tasks solved."""
    shown = printed(executed("10_saving_and_loading"))
    assert "RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda" in shown
    assert "It is: `0 tensors, silently`" in shown and "It is: `neither`" in shown
    assert "this line was printed by the file\n" in shown
    assert "20000 b'PK\\x03\\x04' OSError: " in shown and "0 b'' EOFError: (no text)\n" in shown
    assert "killed after epoch 2\n" in shown and "epoch 4: loss " in shown
    assert "epoch 4 and the same weights as never stopped, to the last bit." in shown


def test_lesson_13_ends_with_the_weights_of_a_run_that_never_stopped(executed):
    shown = printed(executed("13_capstone"))
    assert "GPUs: 1, weights differ by at most 0.0e+00" in shown
    assert re.search(r"GPUs: 4, weights differ by at most [1-9]\.\de-0[2-9]", shown)
    assert "largest difference of two weights: 0.0e+00\n" in shown

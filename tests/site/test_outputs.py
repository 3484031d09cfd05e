"""The lessons as they ran for the site, each from a clean kernel in a learner's workspace.

A cell that raises has stopped the build already.
"""

import nbformat
import pytest

from course_utils.manifest import load_manifest

ANNOUNCED = (  # by the lessons that show it
    "The .grad attribute of a Tensor that is not a leaf",
    "SyncActivityProfilerHandler",
)

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]  # the first test waits for the build


@pytest.mark.parametrize("lesson", load_manifest().lessons, ids=lambda lesson: lesson.number)
def test_a_lesson_runs_and_writes_nothing_to_stderr(site, lesson):
    executed = site.parent / "jupyter_execute" / "lessons" / f"{lesson.notebook}.ipynb"
    cells = [cell for cell in nbformat.read(executed, as_version=4).cells
             if cell.cell_type == "code"]  # fmt: skip
    assert all(cell.execution_count for cell in cells if cell.source.strip())
    found = [output.text for cell in cells for output in cell.outputs
             if output.get("name") == "stderr"
             and not any(words in output.text for words in ANNOUNCED)]  # fmt: skip
    assert found == []

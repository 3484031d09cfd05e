"""The lessons as they ran for the site, each from a clean kernel in a learner's workspace.

A cell that raises has stopped the build already.
"""

from pathlib import Path

import pytest
from jupyter_cache import get_cache

from course_utils.manifest import load_manifest

ANNOUNCED = (  # by the lessons that show it
    "The .grad attribute of a Tensor that is not a leaf",
    "SyncActivityProfilerHandler",
)

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]  # the first test waits for the build


@pytest.mark.parametrize("lesson", load_manifest().lessons, ids=lambda lesson: lesson.number)
def test_a_lesson_runs_and_writes_nothing_to_stderr(site, lesson):
    (folder,) = (site.parent / "executed").iterdir()
    cache = get_cache(folder)
    latest = max(
        each.pk for each in cache.list_cache_records() if Path(each.uri).stem == lesson.notebook
    )
    cells = [cell for cell in cache.get_cache_bundle(latest).nb.cells if cell.cell_type == "code"]
    assert cells
    assert all(cell.execution_count for cell in cells if cell.source.strip())
    found = [
        output.text
        for cell in cells
        for output in cell.outputs
        if output.get("name") == "stderr" and not any(words in output.text for words in ANNOUNCED)
    ]
    assert found == []

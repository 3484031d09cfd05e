"""A lesson on the CUDA build of PyTorch; on the CPU build, all run when the site is built."""

import pytest
from run_apart import run_apart

from course_utils.manifest import load_manifest, repository_root
from course_workspace.deliver import prepare
from virtual_cuda.platform.cache import HAS_CUDA_BUILD

pytestmark = pytest.mark.slow


@pytest.mark.skipif(not HAS_CUDA_BUILD, reason="tests/site runs all lessons on the CPU build")
def test_a_lesson_runs_on_the_cuda_build(tmp_path):
    workspace = tmp_path / "workspace"
    prepare(repository_root(), workspace)
    (lesson,) = workspace.rglob(f"{load_manifest().lessons[1].notebook}.ipynb")
    ran = run_apart([lesson])[lesson]
    warnings = [line for line in ran.stderr.splitlines() if "Warning: " in line]
    assert ran.error == ""
    assert all("called a synchronizing CUDA operation" in line for line in warnings)  # announced

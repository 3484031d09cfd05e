"""How the tests are spread over the processes of pytest-xdist, and what a file finds in one."""

from collections.abc import Iterator
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

import virtual_cuda
from course_utils.devices import current_lab, lab

_BY_PARAMETER = (
    "tests/grading/test_attacks.py",
    "tests/grading/test_sandbox.py",
    "tests/grading/test_split.py",
    "tests/exercises/test_verify.py",
    "tests/notebooks/test_execution.py",
)


class _ByFile(LoadScopeScheduling):
    """A file's tests share a process, and so its fixtures.

    Where each parameter takes long, and shares nothing with the next, it goes its own way.
    """

    def _split_scope(self, nodeid: str) -> str:
        file, _, test = nodeid.partition("::")
        return f"{file}::{test.partition('[')[2]}" if file.startswith(_BY_PARAMETER) else file


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadScopeScheduling:
    return _ByFile(config, log)


@pytest.fixture(autouse=True, scope="module")
def no_gpus_left_behind() -> Iterator[None]:
    """Each file starts without virtual GPUs, whichever file its process ran before."""
    yield
    virtual_cuda.disable()


@pytest.fixture(scope="module")
def four_gpus() -> None:
    if current_lab() is None:
        lab(gpus=4)

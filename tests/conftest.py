"""How the tests are spread over the processes of pytest-xdist."""

from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling


class _ByFile(LoadScopeScheduling):
    """A file's tests share a process, and so its fixtures.

    In tests/grading each parameter has a process of its own: its fixture takes minutes.
    """

    def _split_scope(self, nodeid: str) -> str:
        file, _, test = nodeid.partition("::")
        return f"{file}::{test.partition('[')[2]}" if "/grading/" in file else file


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadScopeScheduling:
    return _ByFile(config, log)

"""Fixtures of tests of grading: released courses to copy, and one executor for small runs."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from courses import Class, hidden, level

from course_grading.executor import LocalExecutor
from course_grading.job import GradingSettings, TimeLimits
from course_grading.run import command

TIMES = TimeLimits(cell=2, letting_go=4)
"""Short limits; test_shipped_limits tests the shipped ones."""


@pytest.fixture(autouse=True, scope="session")
def commands_on_the_path() -> Iterator[None]:
    """Put the environment's commands on the path: nbgrader calls alembic by name."""
    with pytest.MonkeyPatch.context() as patch:
        here = str(Path(sys.executable).parent)
        patch.setenv("PATH", os.pathsep.join([here, os.environ["PATH"]]))
        yield


@pytest.fixture(scope="session")
def release(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path, str], Class]:
    """A function that makes a course in a folder, with a released assignment."""
    made: dict[str, Class] = {}

    def copied(root: Path, assignment: str = "02_tensors") -> Class:
        if assignment not in made:
            made[assignment] = Class.release(tmp_path_factory.mktemp("released"), assignment)
        return made[assignment].copied(root)

    return copied


@pytest.fixture(scope="session")
def executor() -> Iterator[LocalExecutor]:
    """An executor with two real judges, shared by all tests that grade 02_tensors."""
    settings = GradingSettings(hidden("02_tensors"), level(), times=TIMES)
    kept = LocalExecutor(settings, 2)
    yield kept
    kept.close()


@pytest.fixture(scope="module")
def one_executor(executor: LocalExecutor) -> Iterator[None]:
    """Let runs in this process use the shared executor instead of new judges."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(command, "LocalExecutor", lambda *_: Lent(executor))
        yield


class Lent:
    """A shared executor: its users cannot close it."""

    def __init__(self, executor: LocalExecutor) -> None:
        self.size, self.level, self.submit = executor.size, executor.level, executor.submit

    def close(self) -> None:
        pass

"""The distribution of tests over the processes of pytest-xdist, and shared fixtures."""

import json
import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

import virtual_cuda
from course_utils.devices import current_lab, lab

# Tests share the cores: threads that wait for each other would take time from other tests.
# Set before the processes of pytest-xdist start, so before torch is imported in them.
os.environ.setdefault("OMP_NUM_THREADS", "1")

pytest_plugins = ["tests.chromium"]  # reports at the start if Chromium is missing

DURATIONS = Path(__file__).with_name("durations.json")
"""Seconds of each unit of work, measured by `make durations`."""

QUICK = 20
"""Seconds: units up to this length come first, the shortest first, so that a fault shows soon. The
others follow, the longest first, so that all processes end at about the same time."""

_BY_PARAMETER = (
    "tests/exercises/test_verify.py",
    "tests/grading/test_sandbox.py",
    "tests/grading/test_split.py",
)
"""Files in which each parameter takes long, and shares no fixture with the next."""

_TOGETHER = {
    "one JupyterLab": ("tests/browser/",),
    "one build of the site": tuple(
        f"tests/site/test_{name}.py" for name in ("in_a_browser", "outputs", "pages")
    ),
    "one executor": tuple(
        f"tests/grading/test_{name}.py"
        for name in ("faults", "grade", "nbgrader_commands", "nbgrader_plugins", "postgresql")
    ),
}
"""Files and folders that share a fixture with a slow start."""

_BY_GROUP = ("tests/grading/test_attacks.py",)
"""Files in which parameters with the same first word share a fixture."""


def unit_of(nodeid: str) -> str:
    """The unit of work of a test: tests of one unit share a process, and so their fixtures."""
    file, _, test = nodeid.partition("::")
    parameter = test.partition("[")[2].removesuffix("]")
    if file in _BY_PARAMETER:
        return f"{file}::{parameter}"
    if file in _BY_GROUP:
        return f"{file}::{parameter.partition('-')[0]}"
    shared = (name for name, files in _TOGETHER.items() if file.startswith(files))
    return next(shared, file)


class InOrder(LoadScopeScheduling):
    """Distributes units in the order of the collection."""

    def _split_scope(self, nodeid: str) -> str:
        return unit_of(nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> InOrder:
    config.option.loadscopereorder = False
    return InOrder(config, log)


def timed_as(nodeid: str, more: bool) -> str:
    """The key of a test's duration: its unit, with `, more` for tests of `make test-more`."""
    return unit_of(nodeid) + (", more" if more else "")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    known = json.loads(DURATIONS.read_text("utf-8"))
    quick = 0 if config.option.longest_first else QUICK

    def place(item: pytest.Item) -> tuple[bool, bool, float]:
        """The sort key of a test; tests without a duration come first."""
        seconds = known.get(timed_as(item.nodeid, item.get_closest_marker("more") is not None))
        is_long = seconds is not None and seconds > quick
        return seconds is not None, is_long, -seconds if is_long else seconds or 0

    items.sort(key=place)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--longest-first",
        action="store_true",
        help="so that all processes end at about the same time; default: quick tests first",
    )
    parser.addoption(
        "--record-durations", action="store_true", help="save the duration of each unit of work"
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.option.record_durations and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Recorder())


class Recorder:
    """Adds up the durations of tests, and saves them for the next run."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._seconds[timed_as(report.nodeid, "more" in report.keywords)] += report.duration

    def pytest_sessionfinish(self) -> None:
        known = {unit: round(seconds, 1) for unit, seconds in sorted(self._seconds.items())}
        DURATIONS.write_text(json.dumps(known, indent=1) + "\n", "utf-8")


@pytest.fixture(autouse=True, scope="module")
def no_gpus_left_behind() -> Iterator[None]:
    """Each file starts without virtual GPUs, after any other file in its process."""
    yield
    virtual_cuda.disable()


@pytest.fixture(scope="module")
def four_gpus() -> None:
    if current_lab() is None:
        lab(gpus=4)

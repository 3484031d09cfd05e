"""``pytest --virtual-cuda=4``: virtual GPUs for tests, with a marker and a fixture.

    @pytest.mark.virtual_cuda(gpus=2, memory="1 GiB")
    def test_two_cards(): ...

    def test_what_there_is(virtual_gpus):
        assert torch.cuda.device_count() == virtual_gpus.device_count

The option applies to everything, including imports of test files. The marker applies to one test,
with or without the option. Its machine is new, and so is that of the fixture. Processes started by
a test have the same GPUs as the test. With pytest-xdist each worker has its own machine.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

from .settings import Settings, order_of_races

if TYPE_CHECKING:
    from virtual_cuda import Machine

_MARKER = "virtual_cuda"
_SESSION = pytest.StashKey[Settings | None]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("virtual_cuda", "virtual GPUs")
    group.addoption(
        "--virtual-cuda",
        type=int,
        metavar="GPUS",
        help="give the tests this number of virtual GPUs (--virtual-cuda=4)",
    )
    group.addoption(
        "--virtual-cuda-memory",
        default=Settings.memory,
        metavar="SIZE",
        help="memory of each GPU (--virtual-cuda-memory=8GiB; 2 GiB by default)",
    )
    group.addoption(
        "--virtual-cuda-races",
        default="",
        metavar="SEED",
        help="run each test with virtual GPUs in another allowed order of its streams. The test "
        "fails if its numbers then differ (--virtual-cuda-races=0, or late=N)",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Enable virtual GPUs before any conftest.py is read, because it may count GPUs."""
    options = early_config.known_args_namespace
    gpus: int | None = options.virtual_cuda
    early_config.stash[_SESSION] = None
    try:
        order_of_races(options.virtual_cuda_races)
    except ValueError as error:
        raise pytest.UsageError(f"--virtual-cuda-{error}") from None
    if gpus is None:
        return
    settings = early_config.stash[_SESSION] = Settings(gpus, options.virtual_cuda_memory)
    with Settings(gpus=0).for_children():  # the option overrides VIRTUAL_CUDA
        from virtual_cuda import disable
    try:
        settings.enable()
    except (ValueError, RuntimeError) as error:
        raise pytest.UsageError(f"--virtual-cuda={gpus}: {error}") from None
    early_config.add_cleanup(disable)
    given_to_children = ExitStack()
    given_to_children.enter_context(settings.for_children())
    early_config.add_cleanup(given_to_children.close)


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker."""
    config.addinivalue_line(
        "markers",
        f"{_MARKER}(gpus=4, memory='2 GiB'): run the test on new virtual GPUs",
    )


def pytest_report_header(config: pytest.Config) -> str | None:
    """The line about the virtual GPUs of the tests."""
    settings = config.stash.get(_SESSION, None)
    if settings is None:
        return None
    return f"virtual_cuda: {settings.gpus} virtual GPUs of {settings.memory} (run on the CPU)"


def pytest_itemcollected(item: pytest.Item) -> None:
    """Give a marked test the fixture, before all fixtures that may use a GPU."""
    names: list[str] | None = getattr(item, "fixturenames", None)
    if names is not None and item.get_closest_marker(_MARKER):
        names[:] = ["virtual_gpus", *(name for name in names if name != "virtual_gpus")]


@pytest.fixture
def virtual_gpus(request: pytest.FixtureRequest) -> Iterator[Machine]:
    """A new machine: from the marker, else from the option, else four GPUs of 2 GiB."""
    settings = _of_marker(request.node) or request.config.stash.get(_SESSION, None) or Settings()
    from virtual_cuda.switchboard import replaced

    with ExitStack() as block:
        try:
            machine = block.enter_context(
                replaced(settings.gpus, settings.memory, lost_contexts=True)
            )
        except (ValueError, RuntimeError) as error:
            raise _failure(f"No virtual GPUs for this test: {error}") from None
        block.enter_context(settings.for_children())
        yield machine


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """Run a test under ``virtual_cuda.races`` if the option is set and the test has GPUs."""
    text: str = pyfuncitem.config.getoption("virtual_cuda_races")
    if not text:
        return (yield)
    from virtual_cuda import is_enabled, races

    if not is_enabled():
        return (yield)
    with races(**order_of_races(text)) as report:
        try:
            outcome = yield
        except BaseException as error:
            if report.races:
                error.add_note(str(report))
            raise
    if report.races:
        raise _failure(str(report))
    return outcome


def _of_marker(item: pytest.Item) -> Settings | None:
    marker = item.get_closest_marker(_MARKER)
    if marker is None:
        return None
    try:
        return Settings(*marker.args, **marker.kwargs)
    except TypeError:
        raise _failure(
            f"@pytest.mark.{_MARKER} takes gpus= and memory=, as in "
            f'@pytest.mark.{_MARKER}(gpus=2, memory="1 GiB").'
        ) from None


def _failure(text: str) -> BaseException:
    return pytest.fail.Exception(text, pytrace=False)

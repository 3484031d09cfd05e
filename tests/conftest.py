"""How the tests are spread over the processes of pytest-xdist."""

import pytest


@pytest.hookimpl(tryfirst=True)  # pytest-xdist reads the groups in the same hook
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A file's tests share a process, and so its fixtures; `apart` gives each parameter its own."""
    for item in items:
        group = item.path.stem
        if item.get_closest_marker("apart"):
            group += "-" + item.name.partition("[")[2].rstrip("]")
        item.add_marker(pytest.mark.xdist_group(group))

"""An IPython extension with the names that every notebook has from its start.

ipython_config/ is installed as the settings of the course's own environment, so that any front end
loads this extension. Personal IPython settings stay as they are.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from course_utils.checking.record import workspace
from course_utils.checking.shell import PRELOADED, explain_missing_names


def load_ipython_extension(shell: Any) -> None:
    """Add the names and the explained NameError, but only in a learner's workspace."""
    if workspace() is None:
        return
    shell.push({name: _on_first_use(name) for name in PRELOADED}, interactive=False)
    explain_missing_names(shell)


def _on_first_use(name: str) -> Callable[..., Any]:
    """The function `name` of the course, imported when it is called."""

    def call(*args: Any, **options: Any) -> Any:
        return getattr(import_module("course_utils"), name)(*args, **options)

    call.__name__ = call.__qualname__ = name
    return call

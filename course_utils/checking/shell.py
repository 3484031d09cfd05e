"""The uses of IPython: explained NameErrors, cleared outputs, and an `exit()` that ends nothing."""

import contextlib
import re
import sys
from collections.abc import Iterator
from types import TracebackType
from typing import Any

import course_utils
from course_utils.errors import CourseError

PRELOADED = frozenset({"progress", "hint", "solution", "rerun"})
"""The names that every notebook has from its start (ipython_extension.py)."""

_RESTARTED = (
    "The kernel is new or was restarted. Run the cells above again: "
    "Run > Run All Above Selected Cell."
)
_CHECK_LINE = re.compile(r'^\s*check\(\s*["\'][^"\']*["\']\s*,\s*(\w+)\s*\)\s*$', re.MULTILINE)


def name_missing_answers() -> None:
    """In IPython, explain the NameErrors of check cells in a sentence. Elsewhere do nothing."""
    shell = _shell()
    if shell is not None:
        explain_missing_names(shell)


def explain_missing_names(shell: Any) -> None:
    """From now on, explain NameErrors after a restart or a skipped cell."""
    shell.set_custom_exc((NameError,), _explain)


def clear_outputs() -> None:
    """In IPython, clear the outputs of the running cell. Elsewhere do nothing."""
    shell = _shell()
    if shell is not None:
        shell.display_pub.clear_output()


def cells_so_far() -> list[str]:
    """In IPython, the sources of the cells that have run, in order. Elsewhere an empty list."""
    shell = _shell()
    return [] if shell is None else [cell for cell in shell.user_ns.get("In", ()) if cell]


def new_display(shown: Any) -> Any:
    """In a notebook, a handle of a new output, whose `update` replaces it; elsewhere None."""
    shell = _shell()
    if shell is None or not hasattr(shell, "kernel"):
        return None
    from IPython.display import display

    return display(shown, display_id=True)


@contextlib.contextmanager
def staying() -> Iterator[None]:
    """In IPython, let `exit()` raise SystemExit, as in Python, instead of ending the kernel."""
    shell = _shell()
    if shell is None:
        yield
        return

    def leave() -> None:
        raise SystemExit("exit() was called")

    shell.ask_exit = leave
    try:
        yield
    finally:
        del shell.ask_exit


def _shell() -> Any:
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython else None


def _explain(
    shell: Any,
    kind: type[NameError],
    error: NameError,
    trace: TracebackType,
    tb_offset: int | None = None,
) -> None:
    cell = shell.user_ns.get("In", [""])[-1]
    if error.name in course_utils.__all__:
        sentence = _RESTARTED
    elif error.name in _CHECK_LINE.findall(cell):
        sentence = (
            f"`{error.name}` does not exist yet. Run the cell that defines it first. If "
            "that cell shows an error, fix it there."
        )
    else:
        if not set(course_utils.__all__) & set(shell.user_ns) - PRELOADED:
            error.add_note(_RESTARTED)  # this kernel has imported nothing of the course yet
        shell.showtraceback((kind, error, trace), tb_offset=tb_offset)
        return
    # The cell must still count as failed, so this is shown as an error, not as a print.
    shell.showtraceback((CourseError, CourseError(sentence), trace), tb_offset=tb_offset)

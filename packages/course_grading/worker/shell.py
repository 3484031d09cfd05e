"""The IPython shell of a submission, which keeps a cell's result and error as a notebook does."""

import os
import subprocess
import sys
import tempfile
from subprocess import PIPE, STDOUT
from typing import Any

from IPython.core.displayhook import DisplayHook
from IPython.core.interactiveshell import InteractiveShell
from traitlets import Type
from traitlets.config import Config

from exercise_kit.facts import name_of, text_of


class _ResultHook(DisplayHook):
    """Keeps the value of a cell's last line, where IPython would print it."""

    def write_output_prompt(self) -> None:
        pass

    def write_format_data(self, format_dict: dict[str, Any], md_dict: object = None) -> None:
        assert isinstance(self.shell, Shell)
        self.shell.results.append({"output_type": "execute_result", "data": format_dict})

    def finish_displayhook(self) -> None:
        self._is_active = False


class Shell(InteractiveShell):
    """A shell without history. results: the results and errors of cells, as outputs."""

    displayhook_class = Type(_ResultHook)

    def __init__(self, **settings: Any) -> None:
        self.results: list[dict[str, Any]] = []
        super().__init__(**settings)

    def enable_gui(self, gui: str | None = None) -> None:
        """Nothing: figures are outputs. `%matplotlib inline` calls it."""

    def system(self, cmd: str) -> None:
        """Run a shell command, as `!` does. There is no terminal, which IPython would use."""
        command = self.var_expand(cmd, depth=1)
        done = subprocess.run(command, shell=True, text=True, stdout=PIPE, stderr=STDOUT)
        print(done.stdout, end="")
        self.user_ns["_exit_code"] = done.returncode

    def ask_exit(self) -> None:
        """Raises SystemExit, for `exit()` and `quit()`."""
        raise SystemExit

    def _showtraceback(self, etype: type, evalue: object, stb: list[str]) -> None:
        error = {"ename": name_of(etype), "evalue": text_of(evalue), "traceback": list(stb)}
        self.results.append({"output_type": "error", **error})


def new_shell() -> Shell:
    """The one shell of this process."""
    config = Config()
    config.HistoryManager.enabled = False  # a file and a thread
    config.InteractiveShell.colors = "nocolor"
    sys.breakpointhook = lambda *_, **__: None  # as in a kernel, where no debugger is attached
    os.environ["IPYTHONDIR"] = tempfile.mkdtemp(prefix="ipython-")
    return Shell.instance(config=config)

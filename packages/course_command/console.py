"""The output of the command: results on stdout, and the current step on stderr.

On a terminal the step is one line, which is removed later; in a log each step is a line. No thread
draws it: sandboxes and checks fork, and a process that forks should have one thread.
"""

import time

import typer
from rich.console import Console as RichConsole
from rich.live import Live
from rich.text import Text

_PATIENCE = 2.0  # seconds until a log gets the next brief step


class Console:
    """The output of a process: `say` for results, `doing` before a step that takes time."""

    def __init__(self) -> None:
        self._live: Live | None = None
        self._spoke = time.monotonic()

    def say(self, line: object) -> None:
        """Write a line of the result to stdout."""
        self.pause()
        typer.echo(line)
        self._spoke = time.monotonic()

    def doing(self, what: str, *, brief: bool = False) -> None:
        """Show the current step. brief: one of many short steps; a log gets one every 2 seconds."""
        console = RichConsole(stderr=True)
        if console.is_terminal:
            if self._live is None:
                self._live = Live(
                    console=console,
                    auto_refresh=False,
                    transient=True,
                    redirect_stdout=False,
                    redirect_stderr=False,
                )
                self._live.start()
            self._live.update(Text(f"{what} …", no_wrap=True, overflow="ellipsis"), refresh=True)
        elif not brief or time.monotonic() - self._spoke > _PATIENCE:
            typer.echo(f"{what} …", err=True)
            self._spoke = time.monotonic()

    def pause(self) -> None:
        """Remove the line of the current step, before other output or at the end."""
        if self._live is not None:
            self._live.stop()
            self._live = None


def silent(what: str, *, brief: bool = False) -> None:
    """A `doing` without output."""


console = Console()
"""The console of this process."""

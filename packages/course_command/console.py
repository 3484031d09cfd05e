"""How the command speaks: results on stdout, and meanwhile what it is doing, on stderr.

On a terminal that is one line, which goes away; in a log it is a line that stays. No thread draws
it: sandboxes and checks fork, and a process that forks should have one thread.
"""

import time

import typer
from rich.console import Console as RichConsole
from rich.live import Live
from rich.text import Text

_PATIENCE = 2.0  # seconds that a log may be without a word


class Console:
    """`say` for what is to be read, `doing` before what takes a while."""

    def __init__(self) -> None:
        self._live: Live | None = None
        self._spoke = time.monotonic()

    def say(self, line: object) -> None:
        """Write a line of the result to stdout."""
        self.pause()
        typer.echo(line)
        self._spoke = time.monotonic()

    def doing(self, what: str, *, brief: bool = False) -> None:
        """brief: one of many short steps; a log gets it only after two seconds without a word."""
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
        """Take away the line that tells what is being done: others want to write, or it is done."""
        if self._live is not None:
            self._live.stop()
            self._live = None


def silent(what: str, *, brief: bool = False) -> None:
    """A `doing` for those who need not be told."""


console = Console()
"""That of this process."""

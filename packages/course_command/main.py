"""The command `course`; its sub-commands come from the installed packages."""

import os
import sys
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import NoReturn

import typer

from course_command.console import console
from course_command.group import CourseGroup
from exercise_kit.errors import ExerciseError

STOPPED = 130
"""The exit status after Ctrl-C."""

UNIX_ONLY = ("fcntl", "resource")
"""Modules of the standard library that Windows does not have."""

PLUG_INS = "on_the_right_device.commands"
"""The entry points of packages that add commands: each a function that gets the app."""

_FIRST = "learners"
"""The plug-in whose commands come first in the help."""

app = typer.Typer(
    cls=CourseGroup,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="On the Right Device: PyTorch GPU lessons, with or without a GPU.",
)


@cache
def every_command() -> typer.Typer:
    """The app with the commands of all installed packages."""
    for plug_in in sorted(entry_points(group=PLUG_INS), key=lambda each: each.name != _FIRST):
        plug_in.load()(app)
    return app


def run() -> None:
    """The entry point. A CourseError is printed to stderr, with exit status 2."""
    try:
        try:
            every_command()()
        finally:
            console.pause()
            sys.stdout.flush()  # so that a closed pipe raises here, and not when Python ends
    except SystemExit as end:
        if end.code == STOPPED:
            typer.echo("Stopped.", err=True)
        raise
    except ExerciseError as error:
        _fail(error)
    except ModuleNotFoundError as error:
        if error.name not in UNIX_ONLY:
            raise
        _fail(
            "This command needs Linux or macOS. On Windows, use the course in WSL: "
            "site/guides/other_ways.md says how."
        )
    except BrokenPipeError:  # as in `course map | head`: the reader has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:
        from course_notebooks.safe_files import FULL, explanation

        if error.filename is not None:
            _fail(explanation(Path(os.fsdecode(error.filename)), error))
        if error.errno not in FULL:
            raise
        _fail("The disk is full. Free some space, then run this again.")


def _fail(problem: object) -> NoReturn:
    typer.echo(problem, err=True)
    sys.exit(2)

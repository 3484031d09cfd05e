"""The commands of `course` for instructors."""

import contextlib
import signal
from pathlib import Path
from typing import Annotated, Literal

import typer

from course_command.arguments import INSTRUCTORS, AssignmentName
from course_command.console import console
from course_utils.errors import CourseError
from course_utils.manifest import load_manifest, repository_root

ExchangeCourse = Annotated[
    Path | None,
    typer.Option(help="The nbgrader course. Default: this folder if it is one, else assignments/."),
]


def add(app: typer.Typer) -> None:
    """Add the instructors' commands."""
    app.command(rich_help_panel=INSTRUCTORS)(intake)
    app.command(rich_help_panel=INSTRUCTORS)(grade)


def intake(
    assignment: AssignmentName,
    source: Annotated[Path, typer.Argument(help="A folder or zip from a platform, or your own.")],
    course: ExchangeCourse = None,
    roster: Annotated[
        Path | None, typer.Option(help="A CSV file of students, as nbgrader imports it: id,…")
    ] = None,
    times: Annotated[Path | None, typer.Option(help="A CSV file of times: id,time.")] = None,
) -> None:
    """Bring files that students handed in elsewhere to where nbgrader looks for them.

    Example: course intake 02_tensors submissions.zip

    Exit status: 0 if all is taken in, 1 if something is refused, 2 for a mistake that is named.
    """
    course = course or _course_here()
    name = _assignment(course, assignment)
    console.doing("Starting")
    from course_grading.intake.command import take_in

    if take_in(course, name, source, roster, console.say, times).refused:
        raise typer.Exit(1)


def grade(
    assignment: AssignmentName = "",
    course: ExchangeCourse = None,
    student: Annotated[str, typer.Option(help="Grade only this student.")] = "*",
    only_held: Annotated[bool, typer.Option(help="Grade only submissions that are held.")] = False,
    again: Annotated[bool, typer.Option(help="Grade unchanged submissions as well.")] = False,
    dry_run: Annotated[bool, typer.Option(help="Only print what would be graded.")] = False,
    workers: Annotated[
        int, typer.Option(min=0, help="Submissions at a time. Default: one for each core.")
    ] = 0,
    scheduler: Annotated[
        str, typer.Option(help="Grade on a Dask cluster: its scheduler, as in tcp://10.0.0.1:8786.")
    ] = "",
    db_url: Annotated[str, typer.Option(help="The address of another gradebook.")] = "",
    minimum: Annotated[
        Literal["full", "no_cgroups", "kernel_rules", "none"],
        typer.Option(help="The lowest sandbox level for grading."),
    ] = "no_cgroups",
    devices: Annotated[
        Literal["virtual", "real"],
        typer.Option(help="real: answers also run on this computer's own GPUs."),
    ] = "virtual",
    probe: Annotated[bool, typer.Option(help="Only print sandbox level and memory.")] = False,
) -> None:
    """Grade submissions in parallel, each in a sandbox. A run that was stopped continues.

    Example: course grade 02_tensors --student ada

    Exit status: 0 if all is graded, 3 if something is held for you, 2 for an error with a message.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # SIGTERM ends a run as Ctrl-C does
    if not (assignment or probe):
        raise CourseError("Name an assignment, as in `course grade 02_tensors`.")
    course = course or _course_here()
    name = assignment and _assignment(course, assignment)
    console.doing("Starting")
    from course_grading.doctor import describe_machine
    from course_grading.run.command import GradeOptions, grade_class
    from course_grading.sandbox import Level

    if probe:
        console.say(describe_machine())
        return
    which = name, course, student, only_held, again, dry_run, workers, db_url
    options = GradeOptions(*which, Level[minimum.upper()], scheduler, devices == "real")
    if grade_class(options, console.say).held:
        raise typer.Exit(3)


def _course_here() -> Path:
    here = Path.cwd()
    return here if (here / "nbgrader_config.py").is_file() else repository_root() / "assignments"


def _assignment(course: Path, name: str) -> str:
    """The full name of an assignment: of this nbgrader course, or else of the manifest.

    A name that nobody knows stays: the error then lists the assignments of this course.
    """
    if not (course / "source" / name).is_dir():
        with contextlib.suppress(CourseError):
            return load_manifest().find(name).only_assignment().name
    return name

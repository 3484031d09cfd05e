"""The command `course`. Each sub-command only reads its arguments and calls the package."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from course_utils.errors import CourseError
from course_utils.manifest import repository_root

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False,
                  help="On the Right Device: PyTorch GPU lessons, with or without a GPU.")

Names = Annotated[list[str] | None, typer.Argument(help="Lessons or assignments; default: all.")]


def run() -> None:
    """Entry point: a mistake that we can name is one sentence on stderr, and exit status 2."""
    try:
        app()
    except CourseError as error:
        typer.echo(error, err=True)
        sys.exit(2)


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def lab(context: typer.Context) -> None:
    """Prepare your workspace and open JupyterLab on it; other options go to JupyterLab."""
    from course_utils.authoring.jupyter import open_lab

    open_lab(repository_root(), context.args, typer.echo)


@app.command()
def doctor() -> None:
    """Tell what this machine has, what each lack means, and what to do."""
    from course_utils.doctor import report

    if not report(typer.echo):
        raise typer.Exit(1)


@app.command()
def progress(
    workspace: Annotated[Path | None, typer.Option(help="Default: workspace/ here.")] = None,
) -> None:
    """Show the progress recorded in a workspace."""
    from course_utils.checking.record import Record
    from course_utils.checking.summary import summary

    typer.echo(summary(Record(workspace or repository_root() / "workspace")).text)


@app.command()
def shapes(
    folder: Annotated[Path, typer.Argument(help="Where they are put.")] = Path("shapes"),
    train: Annotated[int, typer.Option(help="Pictures of each shape to train on.")] = 200,
    test: Annotated[int, typer.Option(help="Pictures of each shape to test with.")] = 50,
    seed: Annotated[int, typer.Option(help="Another number gives other pictures.")] = 0,
) -> None:
    """Draw the pictures of the project: six shapes, as small JPEG files."""
    from course_utils.experiments.shapes import Plan, draw_shapes

    drawn = draw_shapes(folder, Plan(train, test, seed))
    typer.echo(f"{drawn} pictures drawn." if drawn else "All pictures are there already.")


@app.command()
def build(
    names: Names = None,
    check: Annotated[bool, typer.Option(help="Only report drift; exit 1 if any.")] = False,
    discard: Annotated[bool, typer.Option(help="Drop edits made in the notebooks.")] = False,
) -> None:
    """Make the notebooks from their texts."""
    from course_utils.authoring import text

    changes = text.build(repository_root(), names, check=check, discard=discard)
    for change in changes:
        typer.echo(change)
    if check and changes:
        raise typer.Exit(1)


@app.command()
def absorb(
    names: Names = None,
    discard: Annotated[bool, typer.Option(help="Drop edits made in the texts.")] = False,
) -> None:
    """Take edits made in notebooks back into their texts."""
    from course_utils.authoring import text

    for change in text.absorb(repository_root(), names, discard=discard):
        typer.echo(change)


@app.command(name="map")
def print_map(
    names: Annotated[list[str] | None, typer.Argument(
        help="Codes or numbers of lessons, as in C050, E02 or 05; default: all.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Print where each concept is taught, and where each error of old notes is put right."""
    from course_utils.authoring.map_table import map_as_json, map_as_table

    shown = map_as_json if as_json else map_as_table
    typer.echo(shown(repository_root(), names or []))


new = typer.Typer(no_args_is_help=True, help="Make something new, for authors.")
app.add_typer(new, name="new")


@new.command()
def exercise(
    name: Annotated[str, typer.Argument(help="TOPIC.NAME, as in tensors.move_batch.")],
) -> None:
    """Make the folder of an exercise: it runs, and says TODO wherever an author has to write."""
    from course_utils.authoring.scaffold import new_exercise

    for path in new_exercise(repository_root(), name):
        typer.echo(path)
    typer.echo(f"Write what says TODO, then run `course build` and `course verify {name}`.")


@app.command()
def verify(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="Exercises, assignments or topics; default: all."),
    ] = None,
) -> None:
    """Prove that the exercises check what they claim to check."""
    from course_utils.authoring.verify import verify_course

    problems = verify_course(repository_root(), names, typer.echo)
    if problems:
        raise typer.Exit(1)


@app.command()
def intake(
    assignment: Annotated[str, typer.Argument(help="As in 02_tensors.")],
    source: Annotated[Path, typer.Argument(help="A folder or zip of Canvas, Moodle or your own.")],
    course: Annotated[Path | None, typer.Option(
        help="The nbgrader course; default: this folder if it is one, else assignments/.")] = None,
    roster: Annotated[Path | None, typer.Option(
        help="A CSV file of students, as nbgrader imports it: id,first_name,last_name,…")] = None,
) -> None:
    """Bring files that students handed in elsewhere to where nbgrader looks for them.

    Exit status: 0 if all is taken in, 1 if something is refused, 2 for a mistake that is named.
    """
    from course_utils.grading.intake import take_in

    if take_in(course or _course_here(), assignment, source, roster, typer.echo).refused:
        raise typer.Exit(1)


@app.command()
def grade(
    assignment: Annotated[str, typer.Argument(help="As in 02_tensors.")] = "",
    course: Annotated[Path | None, typer.Option(
        help="The nbgrader course; default: this folder if it is one, else assignments/.")] = None,
    student: Annotated[str, typer.Option(help="Only this one.")] = "*",
    only_held: Annotated[bool, typer.Option(help="Only those with something held.")] = False,
    again: Annotated[bool, typer.Option(help="The unchanged ones as well.")] = False,
    dry_run: Annotated[bool, typer.Option(help="Only say what would be done.")] = False,
    outputs: Annotated[bool, typer.Option(
        help="Show what the cells put out when they run here, not what was handed in.")] = False,
    workers: Annotated[int, typer.Option(help="At a time; default: one for each core.")] = 0,
    scheduler: Annotated[str, typer.Option(
        help="Grade on the Dask cluster of this scheduler, as in tcp://10.0.0.1:8786.")] = "",
    db_url: Annotated[str, typer.Option(help="A gradebook other than the course's own.")] = "",
    minimum: Annotated[str, typer.Option(
        help="The sandbox below which nothing is graded: full, no_cgroups, kernel_rules or none."
    )] = "no_cgroups",
    probe: Annotated[bool, typer.Option(help="Only tell what sandbox there is here.")] = False,
    demo: Annotated[bool, typer.Option(help="Grade a class made of the known answers.")] = False,
    folder: Annotated[Path | None, typer.Option(help="Where the demo class is put.")] = None,
) -> None:
    """Grade what was handed in: in parallel, in a sandbox, going on where a run was stopped.

    Exit status: 0 if all is graded, 3 if something is held for you, 2 for a mistake that is named.
    """
    from course_utils.grading.run.command import Options, grade_class
    from course_utils.grading.sandboxed import describe_sandbox, level_called

    if probe:
        typer.echo(describe_sandbox())
        return
    if demo:
        from course_utils.grading.demo import grade_demo

        grade_demo(repository_root(), assignment or "02_tensors", folder, typer.echo)
        return
    if not assignment:
        raise CourseError("Name an assignment, as in `course grade 02_tensors`.")
    options = Options(
        assignment, course or _course_here(), student=student, only_held=only_held, again=again,
        dry_run=dry_run, outputs=outputs, workers=workers, scheduler=scheduler, db_url=db_url,
        minimum=level_called(minimum),
    )  # fmt: skip
    if any(each.held for each in grade_class(options, typer.echo).graded):
        raise typer.Exit(3)


def _course_here() -> Path:
    here = Path.cwd()
    return here if (here / "nbgrader_config.py").is_file() else repository_root() / "assignments"

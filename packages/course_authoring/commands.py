"""The commands of `course` for authors."""

from pathlib import Path
from typing import Annotated

import typer

from course_command.arguments import AUTHORS, INSTRUCTORS, Names
from course_command.console import console
from course_utils.manifest import load_manifest, repository_root


def add(app: typer.Typer) -> None:
    """Add the authors' commands to the command `course`."""
    app.command(rich_help_panel=AUTHORS)(build)
    app.command(rich_help_panel=AUTHORS)(absorb)
    app.command(name="map", rich_help_panel=AUTHORS)(print_map)
    new = typer.Typer(no_args_is_help=True, help="Make something new.")
    new.command(name="exercise")(new_exercise)
    app.add_typer(new, name="new", rich_help_panel=AUTHORS)
    app.command(rich_help_panel=AUTHORS)(remove)
    app.command(rich_help_panel=AUTHORS)(verify)
    app.command(rich_help_panel=INSTRUCTORS)(publish)


def build(
    names: Names = None,
    check: Annotated[bool, typer.Option(help="Only report outdated files; exit 1 if any.")] = False,
    discard: Annotated[bool, typer.Option(help="Drop edits made in the notebooks.")] = False,
) -> None:
    """Make the notebooks from their texts, and update the numbers in pages.

    Example: course build --check 02
    """
    from course_authoring import text

    changes = text.build(
        repository_root(), names, check=check, discard=discard, doing=console.doing
    )
    for change in changes:
        console.say(change)
    if check and changes:
        raise typer.Exit(1)


def absorb(
    names: Names = None,
    discard: Annotated[bool, typer.Option(help="Drop edits made in the texts.")] = False,
) -> None:
    """Copy edits made in notebooks back into their texts.

    Example: course absorb 02_tensors
    """
    from course_authoring import text

    for change in text.absorb(repository_root(), names, discard=discard, doing=console.doing):
        console.say(change)


def print_map(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME",
            show_default=False,
            help="Lessons, topics, assignments or exercises. Default: an overview.",
        ),
    ] = None,
) -> None:
    """List the lessons or exercises of the course, with minutes, points, and their sums.

    Example: course map tensors
    """
    from course_authoring.course_map import exercises_of, overview

    course = load_manifest()
    console.say(exercises_of(course, names) if names else overview(course))


def new_exercise(
    name: Annotated[str, typer.Argument(help="TOPIC.NAME, such as tensors.move_batch.")],
) -> None:
    """Make the folder of a new exercise: it runs, and has TODO in each place to write.

    Example: course new exercise tensors.triple
    """
    from course_authoring import exercises

    for path in exercises.new_exercise(repository_root(), name):
        typer.echo(path)
    typer.echo(f"Replace each TODO, then run `course build` and `course verify {name}`.")


def remove(
    exercise: Annotated[
        str, typer.Argument(metavar="EXERCISE", help="Such as tensors.move_batch.")
    ],
    force: Annotated[
        bool, typer.Option("--force", help="Remove it even if git cannot restore all of it.")
    ] = False,
) -> None:
    """Remove an exercise: its folder, and its entry in course.toml.

    Example: course remove tensors.triple
    """
    from course_authoring.exercises import mentions, remove_exercise

    root = repository_root()
    folder = remove_exercise(root, exercise, force=force)
    typer.echo(f"Deleted: {folder}, and its entry in course.toml.")
    if found := mentions(root, exercise):
        typer.echo("\n".join(["These lines may still name it:", *found]))
    typer.echo(f"{'Correct them, then run' if found else 'Run'} `course build`.")


def verify(names: Names = None) -> None:
    """Prove that each exercise accepts right answers and refuses wrong ones.

    Example: course verify tensors.move_batch
    """
    console.doing("Starting")
    from course_authoring.verify import verify_course

    problems = verify_course(repository_root(), names, console.say, console.doing)
    if problems:
        raise typer.Exit(1)


def publish(
    folder: Annotated[Path, typer.Argument(help="A new folder.")],
) -> None:
    """Copy the course without the solutions of its assignments, and without known answers.

    Example: course publish ../gpus-for-my-class
    """
    from course_authoring.publish import publish

    for line in publish(repository_root(), folder, console.doing):
        console.say(line)

"""The commands of `course` for authors."""

from pathlib import Path
from typing import Annotated

import typer

from course_command.arguments import AUTHORS, INSTRUCTORS, Names
from course_command.console import console
from course_utils.manifest import load_manifest, repository_root


def add(app: typer.Typer) -> None:
    """Add the authors' commands."""
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
    check: Annotated[bool, typer.Option(help="Only report drift; exit 1 if any.")] = False,
    discard: Annotated[bool, typer.Option(help="Drop edits made in the notebooks.")] = False,
) -> None:
    """Make the notebooks from their texts, and bring the numbers that pages quote up to date.

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
    """Take edits made in notebooks back into their texts.

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
            help="Lessons, topics, assignments or exercises; default: an overview.",
        ),
    ] = None,
) -> None:
    """Print what the course, or a part of it, holds: minutes, points, and their sums.

    Example: course map tensors
    """
    from course_authoring.course_map import exercises_of, overview

    course = load_manifest()
    console.say(exercises_of(course, names) if names else overview(course))


def new_exercise(
    name: Annotated[str, typer.Argument(help="TOPIC.NAME, as in tensors.move_batch.")],
) -> None:
    """Make the folder of an exercise: it runs, and says TODO wherever an author has to write.

    Example: course new exercise tensors.triple
    """
    from course_authoring import exercises

    for path in exercises.new_exercise(repository_root(), name):
        typer.echo(path)
    typer.echo(f"Write what says TODO, then run `course build` and `course verify {name}`.")


def remove(
    exercise: Annotated[str, typer.Argument(metavar="EXERCISE", help="As in tensors.move_batch.")],
    force: Annotated[
        bool, typer.Option("--force", help="Also if git could not give all of it back.")
    ] = False,
) -> None:
    """Take an exercise out again: its folder, and its entry in course.toml.

    Example: course remove tensors.triple
    """
    from course_authoring.exercises import mentions, remove_exercise

    root = repository_root()
    folder = remove_exercise(root, exercise, force=force)
    typer.echo(f"Deleted: {folder}, and its entry in course.toml.")
    if found := mentions(root, exercise):
        typer.echo("\n".join(["These lines seem to name it still:", *found]))
    typer.echo(f"{'Fix those that do, then run' if found else 'Run'} `course build`.")


def verify(names: Names = None) -> None:
    """Prove that the exercises check what they claim to check.

    Example: course verify tensors.move_batch
    """
    console.doing("Starting")
    from course_authoring.verify import verify_course

    problems = verify_course(repository_root(), names, console.say, console.doing)
    if problems:
        raise typer.Exit(1)


def publish(
    folder: Annotated[Path, typer.Argument(help="A folder that is not there yet.")],
) -> None:
    """Write the course without the solutions of its assignments, and without known answers.

    Example: course publish ../gpus-for-my-class
    """
    from course_authoring.publish import publish

    for line in publish(repository_root(), folder, console.doing):
        console.say(line)

"""The command `course shapes`, which draws the pictures of the project."""

from pathlib import Path
from typing import Annotated

import typer

from course_command.arguments import LEARNERS


def add(app: typer.Typer) -> None:
    """Add `course shapes` to the command `course`."""
    app.command(rich_help_panel=LEARNERS)(shapes)


def shapes(
    folder: Annotated[Path, typer.Argument(help="The folder for the pictures.")] = Path("shapes"),
    train: Annotated[int | None, typer.Option(help="Training pictures per shape; 200.")] = None,
    test: Annotated[int | None, typer.Option(help="Test pictures per shape; 50.")] = None,
    seed: Annotated[int | None, typer.Option(help="Another number makes other pictures.")] = None,
) -> None:
    """Draw the pictures of the project: six shapes, as small JPEG files.

    If the folder already has some of them, only the missing ones are drawn.

    Example: course shapes shapes --train 20 --test 5
    """
    from lesson_parts.shapes import Plan, draw_shapes

    options = {"train": train, "test": test, "seed": seed}
    given = {name: number for name, number in options.items() if number is not None}
    drawn = draw_shapes(folder, Plan(**given) if given else None)
    typer.echo(f"{drawn} pictures drawn." if drawn else "All pictures exist already.")
